//! MARS as a family: a grid of penalties and thresholds from one forward pass.

use super::{
    Mars, MarsModel,
    forward::bytes,
    settings::{PARAMETERS, fit_models},
};
use crate::{Cost, Family, Fit, Job, MatrixView, Params, Result, Shape};

/// The family `mars`.
///
/// ```
/// use tailrank_models::{FitContext, Matrix, Params, TrainSet, fit_grid, mars::MarsFamily};
///
/// let x = Matrix::new(60, 1, (0..60).map(f64::from).collect())?;
/// let y: Vec<f64> = (0..60).map(|i| f64::from(i).min(30.0)).collect();
/// let grid: Vec<Params> = [1.0, 4.0].map(|p| Params::new().with("penalty", p)).into();
/// let train = TrainSet::new(x.view(), &y);
/// let fits = fit_grid(&MarsFamily, train, x.view(), &grid, &FitContext::new(1))?;
/// assert!((fits[0].as_ref().unwrap().predictions[50] - 30.0).abs() < 0.1);
/// # Ok::<(), tailrank_models::ModelError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct MarsFamily;

impl Family for MarsFamily {
    crate::family::facts! {
        name = "mars";
        version = 1;
        summary = "multivariate adaptive regression splines, as mda::mars";
        takes_weights = true;
        parameters = PARAMETERS;
        free_parameters = &["penalty", "threshold"];
    }

    fn estimate(&self, shape: Shape, variants: &[Params]) -> Cost {
        let Shape { train_rows: n, inputs: p, .. } = shape;
        let degree = variants.iter().map(|v| v.int("degree", 1)).max().unwrap_or(1);
        let columns =
            variants.iter().map(|v| v.int("nk", (2 * p as i64 + 1).max(21))).max().unwrap_or(21) as usize;
        let parents = if degree > 1 { columns / 2 } else { 1 };
        // About nine passes over the rows for each variable, parent and step.
        let passes = (columns / 2 * parents * p * 9) as f64;
        Cost { cpu_seconds: passes * n as f64 * 1e-9, bytes: bytes(n, p, columns, parents) }
    }

    fn fit_grid(&self, job: Job<'_>, variants: &[Params]) -> Vec<Result<Fit>> {
        let settings: Vec<Mars> = variants.iter().map(Mars::of).collect();
        let models = fit_models(job.train, &settings, job.context);
        models.into_iter().map(|model| model.and_then(|m| report(&m, job.test))).collect()
    }
}

fn report(model: &MarsModel, test: MatrixView<'_>) -> Result<Fit> {
    let mut details = vec![
        ("terms", model.terms.len() as f64),
        ("forward_columns", model.forward_columns as f64),
        ("rss", model.rss),
    ];
    // Undefined when the terms use up every degree of freedom.
    if model.gcv.is_finite() {
        details.push(("gcv", model.gcv));
    }
    Ok(Fit { predictions: model.predict_rows(test)?, converged: true, details })
}
