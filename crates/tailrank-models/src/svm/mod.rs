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
//! ν-SVR, and the sigmoid, which is no true kernel, are left to the engine `libsvm`.
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
mod scaling;
mod settings;
mod smo;
mod solver;

pub(crate) use {dual::kinked, kernel::Kernel, settings::Settings};

use crate::{Cost, Family, Fit, Job, Params, Result, Shape};

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
        parameters = settings::PARAMETERS;
    }

    fn sharing_key(&self, variant: &Params) -> String {
        Settings::sharing_key(variant)
    }

    fn estimate(&self, shape: Shape, variants: &[Params]) -> Cost {
        grid::estimate(shape, variants)
    }

    fn fit_grid(&self, job: Job<'_>, variants: &[Params]) -> Vec<Result<Fit>> {
        grid::fit(job, variants)
    }
}
