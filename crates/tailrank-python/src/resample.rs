//! Steps that teach a model to mind the rare values, on arrays.

use std::ops::Range;

use numpy::{IntoPyArray, PyArray2, PyArrayMethods, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::{prelude::*, types::PyDict};
use tailrank::models::{
    FitContext, MatrixView, ParamValue, Params, TrainSet,
    steps::{Recipe, STEPS, Step, StepContext},
};

use crate::{
    error::{Failure, Result},
    measures::Array,
    relevance::{Floats, Relevance},
};

type Matrix<'py, T> = Bound<'py, PyArray2<T>>;

/// A parameter as Python has it.
fn parameter(value: &Bound<'_, PyAny>) -> Result<ParamValue> {
    let found = value.extract().map(ParamValue::Flag);
    let found = found.or_else(|_| value.extract().map(ParamValue::Int));
    let found = found.or_else(|_| value.extract().map(ParamValue::Real));
    let found = found.or_else(|_| value.extract().map(ParamValue::Text));
    found.map_err(|_: PyErr| Failure::new(format!("{value} is not a number, a word, true or false")))
}

fn recipe(name: &str, parameters: &Bound<'_, PyDict>) -> Result<Recipe> {
    let key = STEPS.iter().find(|s| s.name == name).map_or("resample", |s| s.key);
    let mut entry = Params::new().with(key, name);
    for (parameter_name, value) in parameters {
        entry.insert(&parameter_name.extract::<String>()?, parameter(&value)?);
    }
    Ok(Recipe::new(vec![Step::parse(&entry)?])?)
}

/// What a step makes of rows: inputs, targets, the two rows each was made of (twice the same for a row that was there before), and the
/// weights where it gives some.
#[pyfunction]
#[allow(clippy::type_complexity, reason = "four arrays")]
pub(crate) fn apply_step<'py>(
    py: Python<'py>,
    x: PyReadonlyArray2<'py, f64>,
    y: Floats<'py>,
    relevance: Option<&Relevance>,
    name: &str,
    parameters: &Bound<'py, PyDict>,
    categorical: Vec<bool>,
    seed: u64,
) -> Result<(Matrix<'py, f64>, Array<'py>, Matrix<'py, i64>, Option<Array<'py>>)> {
    let recipe = recipe(name, parameters)?;
    // Each is one column of codes.
    let categories: Vec<Range<usize>> =
        (0..categorical.len()).filter(|&j| categorical[j]).map(|j| j..j + 1).collect();
    let (rows, cols) = (x.shape()[0], x.shape()[1]);
    let (inputs, targets): (&[f64], &[f64]) = (x.as_slice().map_err(PyErr::from)?, &y);
    let (inputs, targets, parents, weights) = py.detach(|| -> Result<_> {
        let train = TrainSet::new(MatrixView::new(rows, cols, inputs)?, targets);
        let phi = relevance.map(|relevance| |y: f64| relevance.0.phi(y));
        let relevance = phi.as_ref().map(|phi| phi as &(dyn Fn(f64) -> f64 + Sync));
        let context = StepContext { relevance, categories: &categories, ..StepContext::new(train) };
        let prepared = recipe.prepare(&context, &FitContext::new(seed)).map_err(Failure::of_step)?;
        let Some(one) = prepared.first() else { return Err(Failure::new("the step left no rows")) };
        let parents: Vec<i64> = one.parents.iter().flatten().map(|&row| row as i64).collect();
        Ok((one.x().as_slice().to_vec(), one.y().to_vec(), parents, one.weights().map(<[f64]>::to_vec)))
    })?;
    let n = targets.len();
    Ok((
        inputs.into_pyarray(py).reshape([n, cols])?,
        targets.into_pyarray(py),
        parents.into_pyarray(py).reshape([n, 2])?,
        weights.map(|weights| weights.into_pyarray(py)),
    ))
}
