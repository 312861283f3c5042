//! `svm` by linfa-svm: right, 4–8 times slower than LIBSVM, and with the whole kernel matrix in memory.
//!
//! Its shrinking panics, so it stays off; its ν-SVR is solved without the constraint on Σ(α + α*), so only
//! ε-SVR is offered; it has no sigmoid kernel.

use linfa::{
    DatasetBase,
    traits::{Fit as LinfaFit, Predict},
};
use linfa_svm::Svm;
use ndarray::Array1;

use super::{
    guarded,
    linfa::to_array,
    svm_settings::{PARAMETERS as LIBSVM, on_standardised},
};
use crate::{
    Cost, Family, Fit, Job, Matrix, MatrixView, ModelError, ParamKind, ParamSpec, Params, Result, Shape,
    svm::{Kernel, Settings},
};

const PARAMETERS: &[ParamSpec] = &[
    ParamSpec { kind: ParamKind::Choice(&["eps", "epsilon"]), doc: "ε-SVR", ..LIBSVM[0] },
    ParamSpec { kind: ParamKind::Choice(&["rbf", "linear", "polynomial"]), ..LIBSVM[1] },
    LIBSVM[2],
    LIBSVM[3],
    LIBSVM[4],
    LIBSVM[6],
    LIBSVM[7],
    LIBSVM[8],
    LIBSVM[9],
];

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

    fn estimate(&self, shape: Shape, variants: &[Params]) -> Cost {
        let pairs = (shape.train_rows as f64).powi(2);
        let seconds = variants.iter().map(|v| 2e-7 * pairs * (1.0 + v.real("cost", 1.0)).ln() * 4.0).sum();
        Cost { cpu_seconds: seconds, bytes: kernel_bytes(shape.train_rows) }
    }

    fn fit_grid(&self, job: Job<'_>, variants: &[Params]) -> Vec<Result<Fit>> {
        let (needed, limit) = (kernel_bytes(job.train.y.len()), job.context.memory_bytes);
        let one = |v: &Params| {
            job.context.check()?;
            if needed > limit {
                let megabytes = needed >> 20;
                return Err(ModelError::memory("svm", megabytes, limit, "choose another engine"));
            }
            guarded("svm", "linfa", || fit(job, v))
        };
        variants.iter().map(one).collect()
    }
}

/// The kernel matrix and a copy of it.
fn kernel_bytes(rows: usize) -> usize {
    rows.saturating_mul(rows).saturating_mul(16)
}

fn fit(job: Job<'_>, variant: &Params) -> Result<Fit> {
    let settings = Settings::of(variant, job.train.x.cols());
    let (predictions, (converged, support)) = on_standardised(settings.standardise, job, |train, test| {
        let (x, z) = (scaled_for_kernel(&settings, train.x)?, scaled_for_kernel(&settings, test)?);
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
        Ok((predictions.to_vec(), (converged, model.nsupport())))
    })?;
    Ok(Fit { predictions, converged, details: vec![("support_vectors", support as f64)] })
}

/// linfa's polynomial kernel has no gamma: inputs times √gamma give the same products.
fn scaled_for_kernel(settings: &Settings, x: MatrixView<'_>) -> Result<Matrix> {
    let factor = if let Kernel::Polynomial { gamma, .. } = settings.kernel { gamma.sqrt() } else { 1.0 };
    Matrix::new(x.rows(), x.cols(), x.as_slice().iter().map(|v| v * factor).collect())
}
