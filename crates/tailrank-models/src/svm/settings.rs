//! The parameters of a variant, checked and typed.

use super::{dual::Tube, kernel::Kernel, solver::Stop};
use crate::{ParamKind, ParamSpec, Params};

/// SMO iterations after which a fit is given up as not converged.
const MOST_ITERATIONS: i64 = 10_000_000;

const POSITIVE: ParamKind = ParamKind::Real { min: 0.0, above: true, max: f64::INFINITY };

/// The parameter table; names and defaults are e1071's where it has them.
pub(super) const PARAMETERS: &[ParamSpec] = &[
    ParamSpec {
        name: "type",
        kind: ParamKind::Choice(&["eps", "epsilon", "nu"]),
        default: "eps",
        doc: "ε-SVR with a tube of given width (eps or epsilon), or ν-SVR that finds the width",
    },
    ParamSpec {
        name: "kernel",
        kind: ParamKind::Choice(&["rbf", "linear", "polynomial", "sigmoid"]),
        default: "rbf",
        doc: "exp(−γ|x−z|²), x'z, (γx'z + c₀)^d or tanh(γx'z + c₀)",
    },
    ParamSpec { name: "cost", kind: POSITIVE, default: "1", doc: "price C of a residual outside the tube" },
    ParamSpec { name: "gamma", kind: POSITIVE, default: "auto", doc: "γ of the kernel; auto is 1 / inputs" },
    ParamSpec {
        name: "degree",
        kind: ParamKind::Int { min: 1, max: 30 },
        default: "3",
        doc: "d of the polynomial kernel",
    },
    ParamSpec {
        name: "coef0",
        kind: ParamKind::Real { min: f64::NEG_INFINITY, above: true, max: f64::INFINITY },
        default: "0",
        doc: "c₀ of the polynomial and sigmoid kernels",
    },
    ParamSpec {
        name: "epsilon",
        kind: ParamKind::Real { min: 0.0, above: false, max: f64::INFINITY },
        default: "0.1",
        doc: "half-width of the tube (eps), in standard deviations of the target",
    },
    ParamSpec {
        name: "nu",
        kind: ParamKind::Real { min: 0.0, above: true, max: 1.0 },
        default: "0.5",
        doc: "share of points that may lie outside the tube (nu)",
    },
    ParamSpec {
        name: "tolerance",
        kind: ParamKind::Real { min: 1e-9, above: false, max: 1.0 },
        default: "0.001",
        doc: "violation of the optimality conditions at which to stop",
    },
    ParamSpec {
        name: "max_iter",
        kind: ParamKind::Int { min: 1, max: i64::MAX },
        default: "10000000",
        doc: "SMO iterations after which the fit is not converged",
    },
    ParamSpec {
        name: "standardise",
        kind: ParamKind::Flag,
        default: "true",
        doc: "inputs and target to mean 0 and standard deviation 1",
    },
];

/// One variant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    pub(super) tube: Tube,
    pub(super) kernel: Kernel,
    pub(super) cost: f64,
    pub(super) stop: Stop,
    pub(super) standardise: bool,
}

impl Settings {
    /// Reads a checked variant; γ defaults to 1 / `inputs`.
    pub(super) fn of(variant: &Params, inputs: usize) -> Self {
        let gamma = variant.real("gamma", 1.0 / inputs as f64);
        let coef0 = variant.real("coef0", 0.0);
        let kernel = match variant.text("kernel", "rbf") {
            "linear" => Kernel::Linear,
            "polynomial" => Kernel::Polynomial { gamma, coef0, degree: variant.int("degree", 3) as i32 },
            "sigmoid" => Kernel::Sigmoid { gamma, coef0 },
            _ => Kernel::Rbf { gamma },
        };
        let tube = match variant.text("type", "eps") {
            "nu" => Tube::Nu(variant.real("nu", 0.5)),
            _ => Tube::Epsilon(variant.real("epsilon", 0.1)),
        };
        Self {
            tube,
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
        let mut key =
            Params::new().with("kernel", kernel).with("standardise", variant.flag("standardise", true));
        match variant.text("type", "eps") {
            "nu" => key = key.with("type", "nu").with("nu", variant.real("nu", 0.5)),
            _ => key = key.with("type", "eps").with("epsilon", variant.real("epsilon", 0.1)),
        }
        if matches!(kernel, "polynomial" | "sigmoid") {
            key = key.with("coef0", variant.real("coef0", 0.0));
        }
        if kernel == "polynomial" {
            key = key.with("degree", variant.int("degree", 3));
        }
        key.with("tolerance", variant.real("tolerance", 1e-3))
            .with("max_iter", variant.int("max_iter", MOST_ITERATIONS))
            .to_string()
    }
}
