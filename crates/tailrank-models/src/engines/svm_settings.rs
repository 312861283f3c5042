//! Parameters of the support-vector engines: names and meanings of e1071's `svm`.

use crate::{
    Matrix, MatrixView, ParamKind, ParamSpec, Params, Result, TrainSet,
    standardise::{Scaler, centre_and_scale},
};

const POSITIVE: ParamKind = ParamKind::Real { min: 0.0, above: true, max: f64::INFINITY };
const KERNELS: &[&str] = &["rbf", "linear", "polynomial", "sigmoid"];

const fn real(name: &'static str, kind: ParamKind, default: &'static str, doc: &'static str) -> ParamSpec {
    ParamSpec { name, kind, default, doc }
}

pub(super) const COST: ParamSpec = real("cost", POSITIVE, "1", "weight of errors beyond the tube");
pub(super) const GAMMA: ParamSpec = real("gamma", POSITIVE, "auto", "kernel width; 1/inputs unless given");
pub(super) const EPSILON: ParamSpec = real(
    "epsilon",
    ParamKind::Real { min: 0.0, above: false, max: f64::INFINITY },
    "0.1",
    "half width of the tube, in standard deviations of the target when standardised",
);
pub(super) const TOLERANCE: ParamSpec =
    real("tolerance", POSITIVE, "0.001", "largest violation of the optimality conditions");
pub(super) const DEGREE: ParamSpec =
    real("degree", ParamKind::Int { min: 1, max: 32 }, "3", "degree of the polynomial kernel");
pub(super) const COEF0: ParamSpec = real(
    "coef0",
    ParamKind::Real { min: f64::NEG_INFINITY, above: false, max: f64::INFINITY },
    "0",
    "constant of the polynomial and sigmoid kernels",
);
/// Takes the place of the option every family has: here it is on by default and includes the target, as in
/// e1071.
pub(super) const STANDARDISE: ParamSpec = real(
    "standardise",
    ParamKind::Flag,
    "true",
    "standardise inputs and target by the training rows, as e1071 does",
);
pub(super) const NU: ParamSpec = real(
    "nu",
    ParamKind::Real { min: 0.0, above: true, max: 1.0 },
    "0.5",
    "bound on the share of errors, for type = nu",
);
pub(super) const KERNEL: ParamSpec = real("kernel", ParamKind::Choice(KERNELS), "rbf", "kernel function");

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kernel {
    Rbf,
    Linear,
    Polynomial,
    Sigmoid,
}

/// One variant, resolved.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    pub(super) nu: Option<f64>,
    pub(super) kernel: Kernel,
    pub(super) cost: f64,
    pub(super) gamma: f64,
    pub(super) epsilon: f64,
    pub(super) tolerance: f64,
    pub(super) degree: i32,
    pub(super) coef0: f64,
    standardise: bool,
}

impl Settings {
    pub(super) fn of(variant: &Params, inputs: usize) -> Self {
        Self {
            nu: (variant.text("type", "eps") == "nu").then(|| variant.real("nu", 0.5)),
            kernel: match variant.text("kernel", "rbf") {
                "linear" => Kernel::Linear,
                "polynomial" => Kernel::Polynomial,
                "sigmoid" => Kernel::Sigmoid,
                _ => Kernel::Rbf,
            },
            cost: variant.real("cost", 1.0),
            gamma: variant.real("gamma", 1.0 / inputs as f64),
            epsilon: variant.real("epsilon", 0.1),
            tolerance: variant.real("tolerance", 1e-3),
            degree: variant.int("degree", 3) as i32,
            coef0: variant.real("coef0", 0.0),
            standardise: variant.flag("standardise", true),
        }
    }

    /// Calls `fit` with standardised data where asked, and takes its predictions back to the target's scale.
    pub(super) fn on_standardised<T>(
        &self,
        train: TrainSet<'_>,
        test: MatrixView<'_>,
        fit: impl FnOnce(TrainSet<'_>, MatrixView<'_>) -> Result<(Vec<f64>, T)>,
    ) -> Result<(Vec<f64>, T)> {
        if !self.standardise {
            return fit(train, test);
        }
        let scaler = Scaler::fit(train.x, train.weights);
        let (centre, scale) = centre_and_scale(train.y);
        let (x, z): (Matrix, Matrix) = (scaler.apply(train.x), scaler.apply(test));
        let y: Vec<f64> = train.y.iter().map(|v| (v - centre) / scale).collect();
        let (mut predictions, facts) = fit(TrainSet::new(x.view(), &y), z.view())?;
        predictions.iter_mut().for_each(|v| *v = centre + scale * *v);
        Ok((predictions, facts))
    }
}
