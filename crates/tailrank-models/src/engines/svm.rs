//! `svm` by linfa-svm, with the names and meanings of e1071's `svm`.
//!
//! linfa-svm is right, 4–8 times slower than LIBSVM, and holds the whole kernel matrix in memory. Its
//! shrinking panics, so it stays off; its ν-SVR is solved without the constraint on Σ(α + α*), so only ε-SVR
//! is offered; it has no sigmoid kernel.

use linfa::{
    DatasetBase,
    traits::{Fit as LinfaFit, Predict},
};
use linfa_svm::Svm;
use ndarray::Array1;

use super::{fit_each, linfa::to_array};
use crate::{
    Cost, Family, Fit, Job, Matrix, MatrixView, ModelError, ParamSpec, Params, Result, Shape, TrainSet,
    standardise::{Scaler, centre_and_scale},
    svm::{self, Kernel, Settings},
};

/// Those of the native engine but its last one, the limit of steps.
const PARAMETERS: &[ParamSpec] = svm::PARAMETERS.split_at(svm::PARAMETERS.len() - 1).0;

/// Support-vector regression by linfa-svm.
#[derive(Clone, Copy, Debug)]
pub struct LinfaSvm;

impl Family for LinfaSvm {
    crate::family::facts! {
        name = "svm";
        engine = "linfa";
        version = 1;
        summary = "support-vector regression by linfa-svm";
        parameters = PARAMETERS;
    }

    /// Every pair of rows costs as much, more with a variant's `cost`.
    fn estimate(&self, shape: Shape, variants: &[Params]) -> Cost {
        let pairs = (shape.train_rows as f64).powi(2);
        let seconds = |v: &Params| 2e-7 * pairs * (1.0 + v.real("cost", 1.0)).ln() * 4.0;
        Cost { cpu_seconds: variants.iter().map(seconds).sum(), bytes: kernel_bytes(shape.train_rows) }
    }

    fn fit_grid(&self, job: Job<'_>, variants: &[Params]) -> Vec<Result<Fit>> {
        let (needed, limit) = (kernel_bytes(job.train.y.len()), job.context.memory_bytes);
        fit_each("svm", "linfa", job, variants, |v| {
            if needed > limit {
                return Err(ModelError::memory("svm", needed >> 20, limit, "choose another engine"));
            }
            fit(job, &Settings::of(v, job.train.x.cols()))
        })
    }
}

/// The kernel matrix and a copy of it.
fn kernel_bytes(rows: usize) -> usize {
    rows.saturating_mul(rows).saturating_mul(16)
}

/// Fits with standardised data where asked, and takes the predictions back to the target's scale.
fn fit(job: Job<'_>, settings: &Settings) -> Result<Fit> {
    let Job { train, test, .. } = job;
    if !settings.standardise {
        return fit_as_given(settings, train, test);
    }
    let scaler = Scaler::fit(train.x, train.weights);
    let (centre, scale) = centre_and_scale(train.y, None);
    let (x, z) = (scaler.apply(train.x), scaler.apply(test));
    let y: Vec<f64> = train.y.iter().map(|v| (v - centre) / scale).collect();
    let mut fit = fit_as_given(settings, TrainSet::new(x.view(), &y), z.view())?;
    fit.predictions.iter_mut().for_each(|v| *v = centre + scale * *v);
    Ok(fit)
}

fn fit_as_given(settings: &Settings, train: TrainSet<'_>, test: MatrixView<'_>) -> Result<Fit> {
    let (x, z) = (scaled_for_kernel(settings, train.x)?, scaled_for_kernel(settings, test)?);
    let base = Svm::<f64, f64>::params()
        .c_svr(settings.cost, Some(settings.epsilon))
        .eps(settings.stop.tolerance)
        .shrinking(false);
    let params = match settings.kernel {
        Kernel::Linear => base.linear_kernel(),
        Kernel::Polynomial { coef0, degree, .. } => base.polynomial_kernel(coef0, f64::from(degree)),
        // linfa divides the squared distance where LIBSVM multiplies.
        Kernel::Rbf { gamma } => base.gaussian_kernel(1.0 / gamma),
    };
    let data = DatasetBase::new(to_array(x.view())?, Array1::from(train.y.to_vec()));
    let model = params.fit(&data).map_err(|e| ModelError::numerical("svm", format!("linfa: {e}")))?;
    // The exit reason is private; its text is not.
    let converged = !model.to_string().starts_with("Reached maximal iterations");
    let predictions: Array1<f64> = model.predict(&to_array(z.view())?);
    let details = vec![("support_vectors", model.nsupport() as f64)];
    Ok(Fit { predictions: predictions.to_vec(), converged, details })
}

/// linfa's polynomial kernel has no gamma: inputs times √gamma give the same products.
fn scaled_for_kernel(settings: &Settings, x: MatrixView<'_>) -> Result<Matrix> {
    let factor = if let Kernel::Polynomial { gamma, .. } = settings.kernel { gamma.sqrt() } else { 1.0 };
    Matrix::new(x.rows(), x.cols(), x.as_slice().iter().map(|v| v * factor).collect())
}
