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
    svm_settings::{COEF0, COST, DEGREE, EPSILON, GAMMA, Kernel, STANDARDISE, Settings, TOLERANCE},
};
use crate::{
    Cost, Family, Fit, FitContext, Matrix, MatrixView, ModelError, ParamKind, ParamSpec, Params, Result,
    Shape, TrainSet,
};

const PARAMETERS: &[ParamSpec] = &[
    ParamSpec { name: "type", kind: ParamKind::Choice(&["eps", "epsilon"]), default: "eps", doc: "ε-SVR" },
    ParamSpec {
        name: "kernel",
        kind: ParamKind::Choice(&["rbf", "linear", "polynomial"]),
        default: "rbf",
        doc: "kernel function",
    },
    COST,
    GAMMA,
    EPSILON,
    DEGREE,
    COEF0,
    TOLERANCE,
    STANDARDISE,
];

/// Support-vector regression by linfa-svm.
#[derive(Clone, Copy, Debug)]
pub struct LinfaSvm;

impl Family for LinfaSvm {
    fn name(&self) -> &'static str {
        "svm"
    }

    fn engine(&self) -> &'static str {
        "linfa"
    }

    fn version(&self) -> u32 {
        1
    }

    fn summary(&self) -> &'static str {
        "support-vector regression by linfa-svm"
    }

    fn parameters(&self) -> &'static [ParamSpec] {
        PARAMETERS
    }

    fn estimate(&self, shape: Shape, variants: &[Params]) -> Cost {
        let pairs = (shape.train_rows as f64).powi(2);
        let seconds = variants.iter().map(|v| 2e-7 * pairs * (1.0 + v.real("cost", 1.0)).ln() * 4.0).sum();
        Cost { cpu_seconds: seconds, bytes: kernel_bytes(shape.train_rows) }
    }

    fn fit_grid(
        &self,
        train: TrainSet<'_>,
        test: MatrixView<'_>,
        variants: &[Params],
        context: &FitContext,
    ) -> Vec<Result<Fit>> {
        let needed = kernel_bytes(train.y.len());
        let too_large = (needed > context.memory_bytes).then_some(ModelError::Memory {
            family: "svm",
            needed_mb: (needed >> 20) as u64,
            limit_mb: (context.memory_bytes >> 20) as u64,
            fix: "choose another engine",
        });
        variants
            .iter()
            .map(|v| {
                context.check()?;
                match &too_large {
                    Some(e) => Err(e.clone()),
                    None => guarded("svm", "linfa", || fit(v, train, test)),
                }
            })
            .collect()
    }
}

/// The kernel matrix and a copy of it.
fn kernel_bytes(rows: usize) -> usize {
    rows.saturating_mul(rows).saturating_mul(16)
}

fn fit(variant: &Params, train: TrainSet<'_>, test: MatrixView<'_>) -> Result<Fit> {
    let settings = Settings::of(variant, train.x.cols());
    let (predictions, (converged, support)) = settings.on_standardised(train, test, |train, test| {
        let (x, z) = (scaled_for_kernel(&settings, train.x)?, scaled_for_kernel(&settings, test)?);
        let base = Svm::<f64, f64>::params()
            .c_svr(settings.cost, Some(settings.epsilon))
            .eps(settings.tolerance)
            .shrinking(false);
        let params = match settings.kernel {
            Kernel::Linear => base.linear_kernel(),
            Kernel::Polynomial => base.polynomial_kernel(settings.coef0, f64::from(settings.degree)),
            // linfa divides the squared distance where LIBSVM multiplies.
            Kernel::Rbf | Kernel::Sigmoid => base.gaussian_kernel(1.0 / settings.gamma),
        };
        let data = DatasetBase::new(to_array(x.view())?, Array1::from(train.y.to_vec()));
        let model = params
            .fit(&data)
            .map_err(|e| ModelError::Numerical { family: "svm", problem: format!("linfa: {e}") })?;
        // The exit reason is private; its text is not.
        let converged = !model.to_string().starts_with("Reached maximal iterations");
        let predictions: Array1<f64> = model.predict(&to_array(z.view())?);
        Ok((predictions.to_vec(), (converged, model.nsupport())))
    })?;
    Ok(Fit { predictions, converged, details: vec![("support_vectors", support as f64)] })
}

/// linfa's polynomial kernel has no gamma: inputs times √gamma give the same products.
fn scaled_for_kernel(settings: &Settings, x: MatrixView<'_>) -> Result<Matrix> {
    let factor = if settings.kernel == Kernel::Polynomial { settings.gamma.sqrt() } else { 1.0 };
    Matrix::new(x.rows(), x.cols(), x.as_slice().iter().map(|v| v * factor).collect())
}
