//! The parameters of a variant, checked and typed.

use super::{kernel::Kernel, solver::Stop};
use crate::{ParamKind, ParamSpec, Params};

/// SMO iterations after which a fit is given up as not converged.
const MOST_ITERATIONS: i64 = 10_000_000;

const POSITIVE: ParamKind = ParamKind::Real { min: 0.0, above: true, max: f64::INFINITY };

/// The parameter table; names and defaults are e1071's where it has them.
pub(super) const PARAMETERS: &[ParamSpec] = crate::parameters! {
    "type" = "eps", ParamKind::Choice(&["eps", "epsilon"]), "ε-SVR; engine libsvm has ν-SVR, too";
    "kernel" = "rbf", ParamKind::Choice(&["rbf", "linear", "polynomial"]),
        "exp(−γ|x−z|²), x'z or (γx'z + c₀)^d; engine libsvm has a sigmoid, too";
    "cost" = "1", POSITIVE, "price C of a residual outside the tube";
    "gamma" = "auto", POSITIVE, "γ of the kernel; auto is 1 / inputs";
    "degree" = "3", ParamKind::Int { min: 1, max: 30 }, "d of the polynomial kernel";
    "coef0" = "0", ParamKind::Real { min: 0.0, above: false, max: f64::INFINITY },
        "c₀ of the polynomial kernel";
    "epsilon" = "0.1", ParamKind::Real { min: 0.0, above: false, max: f64::INFINITY },
        "half-width of the tube, in standard deviations of the target";
    "tolerance" = "0.001", ParamKind::Real { min: 1e-9, above: false, max: 1.0 },
        "violation of the optimality conditions at which to stop";
    "max_iter" = "10000000", ParamKind::Int { min: 1, max: i64::MAX },
        "SMO iterations after which the fit is not converged";
    "standardise" = "true", ParamKind::Flag, "inputs and target to mean 0 and standard deviation 1";
};

/// One variant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    pub(crate) epsilon: f64,
    pub(crate) kernel: Kernel,
    pub(crate) cost: f64,
    pub(crate) stop: Stop,
    pub(crate) standardise: bool,
}

impl Settings {
    /// Reads a checked variant; γ defaults to 1 / `inputs`.
    pub(crate) fn of(variant: &Params, inputs: usize) -> Self {
        let gamma = variant.real("gamma", 1.0 / inputs as f64);
        let kernel = match variant.text("kernel", "rbf") {
            "linear" => Kernel::Linear,
            "polynomial" => Kernel::Polynomial {
                gamma,
                coef0: variant.real("coef0", 0.0),
                degree: variant.int("degree", 3) as i32,
            },
            _ => Kernel::Rbf { gamma },
        };
        Self {
            epsilon: variant.real("epsilon", 0.1),
            kernel,
            cost: variant.real("cost", 1.0),
            stop: Stop {
                tolerance: variant.real("tolerance", 1e-3),
                iterations: variant.int("max_iter", MOST_ITERATIONS) as usize,
            },
            standardise: variant.flag("standardise", true),
        }
    }

    /// What variants fitted together have in common, in canonical form: all but γ and cost, and nothing
    /// unused.
    pub(super) fn sharing_key(variant: &Params) -> String {
        let kernel = variant.text("kernel", "rbf");
        let mut key = Params::new()
            .with("kernel", kernel)
            .with("standardise", variant.flag("standardise", true))
            .with("epsilon", variant.real("epsilon", 0.1));
        if kernel == "polynomial" {
            key = key.with("coef0", variant.real("coef0", 0.0)).with("degree", variant.int("degree", 3));
        }
        key.with("tolerance", variant.real("tolerance", 1e-3))
            .with("max_iter", variant.int("max_iter", MOST_ITERATIONS))
            .to_string()
    }
}
