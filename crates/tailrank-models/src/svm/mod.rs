//! Support vector regression: ε-SVR with three kernels, solved for a whole grid at once.
//!
//! The models are those of libsvm and e1071 (same dual, same f32-rounded kernel, same scaling, same stopping
//! value); the road to them is another. All costs of one γ share a kernel matrix. Block SMO brings the gap to
//! 0.1, Newton's method on the free points finishes, and every model starts from its neighbour at smaller γ
//! or cost. Where a factorisation would cost more than going on, or would be larger than 512 MiB, SMO goes
//! all the way.
//!
//! **Memory.** The road depends on the data alone. A smaller limit caches fewer rows of the kernel matrix,
//! which costs time and changes no bit; a limit that has no room for the factor is an error that says what is
//! needed. 1 GiB is enough for every fit.
//!
//! A case of weight w has the cost C·w, and means and scales are weighted, so that weight 2 is as two equal
//! rows.
//!
//! There is no ν-SVR, and no sigmoid, which is no true kernel.
//!
//! **Invariance.** The dual has one optimal regression function. A fit stops when the
//! optimality conditions hold within `tolerance` (in standard deviations of the target), wherever it started;
//! so two fits of a variant, alone and inside a grid, differ by a few tolerances at most, and by far less
//! where Newton's method finished. Nothing depends on the number of threads: a grid is fitted in one, in a
//! fixed order.
//!
#![doc = include_str!("parameters.md")]

mod block;
mod dual;
mod factor;
mod gram;
mod grid;
mod kernel;
mod newton;
mod solver;

use crate::{
    Cost, Family, Fit, Job, ModelError, ParamKind, ParamSpec, Params, Result, Shape, groups::groups,
};
use grid::Group;
use solver::Stop;

pub(crate) use kernel::Kernel;

/// Support vector regression.
///
/// ```
/// use tailrank_models::{fit_grid, FitContext, Matrix, Params, Svm, TrainSet};
///
/// let rows: Vec<[f64; 1]> = (0..60).map(|i| [f64::from(i) / 10.0]).collect();
/// let y: Vec<f64> = rows.iter().map(|r| r[0].sin()).collect();
/// let x = Matrix::from_rows(&rows)?;
/// let grid = [1.0, 10.0].map(|cost| Params::new().with("cost", cost).with("gamma", 1.0));
/// let train = TrainSet::new(x.view(), &y);
/// let fits = fit_grid(&Svm, train, x.view(), &grid, &FitContext::new(1))?;
/// let fit = fits[1].as_ref().unwrap();
/// assert!(fit.converged && (fit.predictions[15] - y[15]).abs() < 0.1);
/// # Ok::<(), tailrank_models::ModelError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Svm;

impl Family for Svm {
    crate::family::facts! {
        name = "svm";
        version = 3;
        summary = "ε-support vector regression; RBF, linear and polynomial kernels";
        takes_weights = true;
        parameters = PARAMETERS;
    }

    /// What variants fitted together have in common, in canonical form: all but γ and cost, and nothing
    /// unused.
    fn sharing_key(&self, variant: &Params) -> String {
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

    /// Measured on returns of stocks: kernel and prediction per γ, a share of n³ for the factor per model.
    fn estimate(&self, shape: Shape, variants: &[Params]) -> Cost {
        let (n, tests) = (shape.train_rows as f64, shape.test_rows as f64);
        let mut kernels: Vec<String> =
            variants.iter().map(|v| v.without(&["cost", "tolerance", "max_iter"]).to_string()).collect();
        kernels.sort_unstable();
        kernels.dedup();
        let per_value = 2e-9 + 1e-10 * shape.inputs as f64;
        let kernel = per_value * (0.5 * n * n + n * tests);
        let model = 1.2e-8 * n * n;
        let full = 4 * shape.train_rows * gram::padded(shape.train_rows);
        Cost {
            cpu_seconds: kernels.len() as f64 * (kernel + model) + variants.len() as f64 * 0.4 * model,
            bytes: full + factor::bytes(shape.train_rows / 2),
        }
    }

    /// Variants with the same sharing key help each other.
    fn fit_grid(&self, job: Job<'_>, variants: &[Params]) -> Vec<Result<Fit>> {
        let mut answers: Vec<Result<Fit>> = vec![Err(ModelError::Cancelled); variants.len()];
        for (_, members) in groups(variants, |v| self.sharing_key(v)) {
            let settings: Vec<Settings> =
                members.iter().map(|&i| Settings::of(&variants[i], job.train.x.cols())).collect();
            for (&i, answer) in members.iter().zip(Group::new(job, &settings).fit()) {
                answers[i] = answer;
            }
        }
        answers
    }
}

/// SMO iterations after which a fit is given up as not converged.
const MOST_ITERATIONS: i64 = 10_000_000;

const POSITIVE: ParamKind = ParamKind::Real { min: 0.0, above: true, max: f64::INFINITY };

/// The parameter table; names and defaults are e1071's where it has them.
pub(crate) const PARAMETERS: &[ParamSpec] = crate::parameters! {
    "type" = "eps", ParamKind::Choice(&["eps", "epsilon"]), "ε-SVR";
    "kernel" = "rbf", ParamKind::Choice(&["rbf", "linear", "polynomial"]), "exp(−γ|x−z|²), x'z or (γx'z + c₀)^d";
    "cost" = "1", POSITIVE, "price C of a residual outside the tube";
    "gamma" = "auto", POSITIVE, "γ of the kernel; auto is 1 / inputs";
    "degree" = "3", ParamKind::Int { min: 1, max: 30 }, "d of the polynomial kernel";
    "coef0" = "0", ParamKind::Real { min: 0.0, above: false, max: f64::INFINITY },
        "c₀ of the polynomial kernel";
    "epsilon" = "0.1", ParamKind::Real { min: 0.0, above: false, max: f64::INFINITY },
        "half-width of the tube, in standard deviations of the target";
    "tolerance" = "0.001", ParamKind::Real { min: 1e-9, above: false, max: 1.0 },
        "violation of the optimality conditions at which to stop";
    "standardise" = "true", ParamKind::Flag, "inputs and target to mean 0 and standard deviation 1";
    "max_iter" = "10000000", ParamKind::Int { min: 1, max: i64::MAX },
        "SMO iterations after which the fit is not converged";
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
}
