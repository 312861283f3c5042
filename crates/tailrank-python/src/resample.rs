//! Steps that teach a model to mind the rare values, on arrays.

use std::ops::Range;

use numpy::{
    IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2,
    PyUntypedArrayMethods,
};
use pyo3::{prelude::*, types::PyDict};
use tailrank::models::{
    FitContext, MatrixView, ParamValue, Params, TrainSet,
    steps::{Recipe, STEPS, Step, StepContext},
};

use crate::{
    error::{Failure, Result},
    relevance::{Relevance, slice},
};

/// A parameter as Python has it.
pub(crate) fn parameter(value: &Bound<'_, PyAny>) -> Result<ParamValue> {
    let found = value.extract().map(ParamValue::Flag);
    let found = found.or_else(|_| value.extract().map(ParamValue::Int));
    let found = found.or_else(|_| value.extract().map(ParamValue::Real));
    let found = found.or_else(|_| value.extract().map(ParamValue::Text));
    found.map_err(|_: PyErr| Failure::new(format!("{value} is not a number, a word, true or false")))
}

fn step(name: &str, parameters: &Bound<'_, PyDict>) -> Result<Recipe> {
    let key = STEPS.iter().find(|s| s.name == name).map_or("resample", |s| s.key);
    let mut entry = Params::new().with(key, name);
    for (parameter_name, value) in parameters {
        entry.insert(&parameter_name.extract::<String>()?, parameter(&value)?);
    }
    Ok(Recipe::new(vec![Step::parse(&entry)?])?)
}

/// Re-samples rows: new inputs, new targets, and the two rows each was made of (twice the same for a row that was there before).
#[pyfunction]
#[allow(clippy::type_complexity, reason = "three arrays")]
pub(crate) fn resample<'py>(
    py: Python<'py>,
    x: PyReadonlyArray2<'py, f64>,
    y: PyReadonlyArray1<'py, f64>,
    relevance: &Relevance,
    name: &str,
    parameters: &Bound<'py, PyDict>,
    categorical: Vec<bool>,
    seed: u64,
) -> Result<(Bound<'py, PyArray2<f64>>, Bound<'py, PyArray1<f64>>, Bound<'py, PyArray2<i64>>)> {
    let recipe = step(name, parameters)?;
    // Each is one column of codes.
    let categories: Vec<Range<usize>> =
        (0..categorical.len()).filter(|&j| categorical[j]).map(|j| j..j + 1).collect();
    let (rows, cols) = (x.shape()[0], x.shape()[1]);
    let inputs = x.as_slice().map_err(PyErr::from)?;
    let targets = slice(&y)?;
    let (inputs, targets, parents) = py.detach(|| -> Result<_> {
        let train = TrainSet::new(MatrixView::new(rows, cols, inputs)?, targets);
        let phi = |y: f64| relevance.0.phi(y);
        let context =
            StepContext { relevance: Some(&phi), categories: &categories, ..StepContext::new(train) };
        let prepared = recipe.prepare(&context, &FitContext::new(seed)).map_err(Failure::of_step)?;
        let Some(one) = prepared.first() else { return Err(Failure::new("the step left no rows")) };
        let parents: Vec<i64> = one.parents.iter().flatten().map(|&row| row as i64).collect();
        Ok((one.x().as_slice().to_vec(), one.y().to_vec(), parents))
    })?;
    let n = targets.len();
    Ok((
        inputs.into_pyarray(py).reshape([n, cols])?,
        targets.into_pyarray(py),
        parents.into_pyarray(py).reshape([n, 2])?,
    ))
}

/// Weights of rows by a step: `phi`, `dense` or `lds`.
#[pyfunction]
pub(crate) fn row_weights<'py>(
    py: Python<'py>,
    y: PyReadonlyArray1<'py, f64>,
    relevance: Option<&Relevance>,
    name: &str,
    parameters: &Bound<'py, PyDict>,
) -> Result<Bound<'py, PyArray1<f64>>> {
    let recipe = step(name, parameters)?;
    let targets = slice(&y)?;
    let weights = py.detach(|| -> Result<_> {
        // Weights look at targets alone.
        let x = vec![0.0; targets.len()];
        let train = TrainSet::new(MatrixView::new(targets.len(), 1, &x)?, targets);
        let phi = |y: f64| relevance.map_or(0.0, |r| r.0.phi(y));
        let mut context = StepContext::new(train);
        if relevance.is_some() {
            context.relevance = Some(&phi);
        }
        let prepared = recipe.prepare(&context, &FitContext::new(0))?;
        let weights = prepared.first().and_then(|p| p.weights());
        weights.map(<[f64]>::to_vec).ok_or_else(|| Failure::new("the step gives no weights"))
    })?;
    Ok(weights.into_pyarray(py))
}
