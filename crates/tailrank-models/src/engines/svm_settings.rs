//! Parameters of the support-vector engines: names and meanings of e1071's `svm`.

use crate::{
    Job, MatrixView, ParamKind, ParamSpec, Result, TrainSet,
    standardise::{Scaler, centre_and_scale},
};

const POSITIVE: ParamKind = ParamKind::Real { min: 0.0, above: true, max: f64::INFINITY };

/// What libsvm-rs has; linfa-svm has most of it.
pub(super) const PARAMETERS: &[ParamSpec] = crate::parameters! {
    "type" = "eps", ParamKind::Choice(&["eps", "epsilon", "nu"]), "ε-SVR or ν-SVR";
    "kernel" = "rbf", ParamKind::Choice(&["rbf", "linear", "polynomial", "sigmoid"]), "kernel function";
    "cost" = "1", POSITIVE, "weight of errors beyond the tube";
    "gamma" = "auto", POSITIVE, "kernel width; 1/inputs unless given";
    "epsilon" = "0.1", ParamKind::Real { min: 0.0, above: false, max: f64::INFINITY },
        "half width of the tube, in standard deviations of the target when standardised";
    "nu" = "0.5", ParamKind::Real { min: 0.0, above: true, max: 1.0 },
        "bound on the share of errors, for type = nu";
    "degree" = "3", ParamKind::Int { min: 1, max: 32 }, "degree of the polynomial kernel";
    "coef0" = "0", ParamKind::Real { min: f64::NEG_INFINITY, above: false, max: f64::INFINITY },
        "constant of the polynomial and sigmoid kernels";
    "tolerance" = "0.001", POSITIVE, "largest violation of the optimality conditions";
    // Takes the place of the option every family has: here it is on by default and includes the target, as in
    // e1071.
    "standardise" = "true", ParamKind::Flag,
        "standardise inputs and target by the training rows, as e1071 does";
};

/// Calls `fit` with standardised data where asked, and takes its predictions back to the target's scale.
pub(super) fn on_standardised<T>(
    standardise: bool,
    job: Job<'_>,
    fit: impl FnOnce(TrainSet<'_>, MatrixView<'_>) -> Result<(Vec<f64>, T)>,
) -> Result<(Vec<f64>, T)> {
    let Job { train, test, .. } = job;
    if !standardise {
        return fit(train, test);
    }
    let scaler = Scaler::fit(train.x, train.weights);
    let (centre, scale) = centre_and_scale(train.y, None);
    let (x, z) = (scaler.apply(train.x), scaler.apply(test));
    let y: Vec<f64> = train.y.iter().map(|v| (v - centre) / scale).collect();
    let (mut predictions, facts) = fit(TrainSet::new(x.view(), &y), z.view())?;
    predictions.iter_mut().for_each(|v| *v = centre + scale * *v);
    Ok((predictions, facts))
}
