//! Python estimators as families: whatever has `fit` and `predict`.
//!
//! The Python side (`tailrank/_estimator.py`) clones, sets parameters and seeds, fits and predicts; this side brings it the rows.

use std::{
    collections::BTreeSet,
    sync::{Mutex, PoisonError},
};

use numpy::{IntoPyArray, PyArrayMethods};
use pyo3::{
    exceptions::{PyKeyboardInterrupt, PyMemoryError},
    prelude::*,
    types::{PyDict, PyList},
};
use rand::Rng;
use tailrank::models::{
    Cost, Family, Fit, FitContext, Job, MatrixView, ModelError, ParamSpec, ParamValue, Params, RawColumn,
    RawValues, Result, Shape, TrainSet,
};

use crate::relevance::Floats;

/// An estimator of Python's, from the attributes of the Python side's object.
#[derive(FromPyObject)]
pub(crate) struct Estimator {
    #[pyo3(from_py_with = lasting)]
    name: &'static str,
    identity: String,
    parameters: BTreeSet<String>,
    takes_weights: bool,
    fit_predict: Py<PyAny>,
}

impl Estimator {
    fn fit(
        &self,
        train: TrainSet<'_>,
        test: MatrixView<'_>,
        variant: &Params,
        context: &FitContext,
    ) -> Result<Fit> {
        context.check()?;
        // By the variant's own words, so that it gets the same seed alone and inside any grid.
        let seed = context.rng(self.name, &variant.to_string(), 0).next_u32();
        Python::attach(|py| {
            let call = || -> PyResult<Vec<f64>> {
                let params = PyDict::new(py);
                for (name, value) in variant.iter() {
                    match value {
                        ParamValue::Int(v) => params.set_item(name, v)?,
                        ParamValue::Real(v) => params.set_item(name, v)?,
                        ParamValue::Flag(v) => params.set_item(name, v)?,
                        ParamValue::Text(v) => params.set_item(name, v)?,
                    }
                }
                let (x, z) = match &context.raw {
                    Some(raw) => (frame(py, &raw.train)?, frame(py, &raw.test)?),
                    None => (matrix(py, train.x)?, matrix(py, test)?),
                };
                let y = train.y.to_vec().into_pyarray(py);
                let weights = train.weights.map(|w| w.to_vec().into_pyarray(py));
                let answer: Floats<'_> =
                    self.fit_predict.bind(py).call1((x, y, z, params, seed, weights))?.extract()?;
                Ok(answer.to_vec())
            };
            call().map(Fit::converged).map_err(|e| self.failure(py, &e))
        })
    }

    fn failure(&self, py: Python<'_>, e: &PyErr) -> ModelError {
        if e.is_instance_of::<PyKeyboardInterrupt>(py) {
            return ModelError::Cancelled;
        }
        let kind = e.get_type(py).name().map_or_else(|_| "error".to_owned(), |name| name.to_string());
        let problem = format!("{kind}: {}", e.value(py));
        if e.is_instance_of::<PyMemoryError>(py) {
            return ModelError::System { problem };
        }
        ModelError::Numerical { family: self.name, problem }
    }
}

impl Family for Estimator {
    fn name(&self) -> &'static str {
        self.name
    }

    fn engine(&self) -> &'static str {
        "python"
    }

    fn version(&self) -> u32 {
        1
    }

    fn identity(&self) -> String {
        self.identity.clone()
    }

    fn summary(&self) -> &'static str {
        "an estimator of Python's"
    }

    fn parameters(&self) -> &'static [ParamSpec] {
        &[]
    }

    fn open_parameters(&self) -> bool {
        true
    }

    fn takes_weights(&self) -> bool {
        self.takes_weights
    }

    fn takes_raw(&self) -> bool {
        true
    }

    fn check(&self, variant: &Params) -> Result<()> {
        let unknown = variant.iter().find(|(name, _)| !self.parameters.contains(*name));
        let Some((name, value)) = unknown else { return Ok(()) };
        let known = self.parameters.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
        let known = if known.is_empty() { "no parameters that can be set" } else { &known };
        Err(ModelError::Parameter {
            family: self.name,
            name: name.to_owned(),
            value: value.to_string(),
            expected: format!("the estimator has {known}"),
        })
    }

    fn estimate(&self, shape: Shape, variants: &[Params]) -> Cost {
        // Nothing is known of it; a second puts it before quick native cells.
        Cost { cpu_seconds: variants.len() as f64, bytes: 64 * shape.train_rows * shape.inputs }
    }

    fn fit_grid(&self, job: Job<'_>, variants: &[Params]) -> Vec<Result<Fit>> {
        variants.iter().map(|variant| self.fit(job.train, job.test, variant, job.context)).collect()
    }
}

/// Columns as a list of (name, numbers) and (name, (codes, levels)); a gap has the code −1.
fn frame<'py>(py: Python<'py>, columns: &[RawColumn]) -> PyResult<Bound<'py, PyAny>> {
    let list = PyList::empty(py);
    for column in columns {
        match &column.values {
            RawValues::Numbers(values) => list.append((&column.name, values.clone().into_pyarray(py)))?,
            RawValues::Categories { codes, levels } => {
                let codes: Vec<i32> =
                    codes.iter().map(|c| c.map_or(-1, |c| i32::try_from(c).unwrap_or(-1))).collect();
                list.append((&column.name, (codes.into_pyarray(py), levels.to_vec())))?;
            }
        }
    }
    Ok(list.into_any())
}

fn matrix<'py>(py: Python<'py>, x: MatrixView<'_>) -> PyResult<Bound<'py, PyAny>> {
    Ok(x.as_slice().to_vec().into_pyarray(py).reshape([x.rows(), x.cols()])?.into_any())
}

/// A name that lasts as long as the process, each once: families are named by such.
fn lasting(name: &Bound<'_, PyAny>) -> PyResult<&'static str> {
    static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let name: String = name.extract()?;
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(names.get(name.as_str()).copied().unwrap_or_else(|| {
        let kept: &'static str = name.leak();
        names.insert(kept);
        kept
    }))
}
