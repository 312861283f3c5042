//! The network as a family; each variant is fitted alone.

use rayon::prelude::*;

use super::{Nnet, settings::PARAMETERS};
use crate::{Cost, Family, Fit, Job, Params, Result, Shape};

/// The family `nnet`.
///
/// ```
/// use tailrank_models::{FitContext, Matrix, Params, TrainSet, fit_grid, nnet::NnetFamily};
///
/// let x = Matrix::new(40, 1, (0..40).map(|i| f64::from(i) / 20.0 - 1.0).collect())?;
/// let y: Vec<f64> = x.view().as_slice().iter().map(|x| x.tanh()).collect();
/// let grid: Vec<Params> = [0.01, 0.1].map(|d| Params::new().with("size", 3).with("decay", d)).into();
/// let train = TrainSet::new(x.view(), &y);
/// let fits = fit_grid(&NnetFamily, train, x.view(), &grid, &FitContext::new(1))?;
/// assert!((fits[0].as_ref().unwrap().predictions[20] - y[20]).abs() < 0.1);
/// # Ok::<(), tailrank_models::ModelError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct NnetFamily;

impl Family for NnetFamily {
    crate::family::facts! {
        name = "nnet";
        version = 1;
        summary = "network with one hidden layer fitted by BFGS, as R's nnet";
        takes_weights = true;
        parameters = PARAMETERS;
    }

    fn estimate(&self, shape: Shape, variants: &[Params]) -> Cost {
        let nets: Vec<Nnet> = variants.iter().map(Nnet::of).collect();
        let operations: f64 = nets.iter().map(|n| n.operations(shape)).sum();
        let bytes = nets.iter().map(|n| n.bytes(shape.inputs, shape.train_rows)).max();
        Cost { cpu_seconds: operations / 8e9, bytes: bytes.unwrap_or(0) }
    }

    fn fit_grid(&self, job: Job<'_>, variants: &[Params]) -> Vec<Result<Fit>> {
        variants.par_iter().map(|variant| fit_one(job, variant)).collect()
    }
}

fn fit_one(job: Job<'_>, variant: &Params) -> Result<Fit> {
    let model = Nnet::of(variant).fit(job.train, job.context)?;
    Ok(Fit {
        predictions: model.predict_rows(job.test)?,
        converged: model.converged,
        details: vec![
            ("objective", model.objective),
            ("iterations", model.iterations as f64),
            ("weights", model.weights.len() as f64),
            ("best_start", model.best_start as f64),
        ],
    })
}
