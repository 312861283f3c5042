//! Relevance φ: which target values matter, from 0 to 1.

use std::sync::Arc;

use numpy::{IntoPyArray, PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::{prelude::*, types::PyTuple};
use tailrank::{
    experiment::config::RelevanceSettings,
    metrics::{
        self,
        relevance::{BoxPlot, Extremes},
    },
};

use crate::{
    error::{Failure, Result},
    page,
};

/// A relevance function φ: how much a target value matters, from 0 (not at all) to 1.
#[pyclass(frozen, eq, from_py_object, module = "tailrank")]
#[derive(Clone)]
pub(crate) struct Relevance(pub(crate) metrics::Relevance, Option<Arc<[f64]>>);

/// The targets it was made from, for the figure, make no other function.
impl PartialEq for Relevance {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl Relevance {
    /// φ of every value.
    pub(crate) fn of(&self, values: &[f64]) -> Vec<f64> {
        let mut phi = vec![0.0; values.len()];
        self.0.phi_into(values, &mut phi);
        phi
    }
}

pub(crate) fn side(name: &str) -> Result<Extremes> {
    match name {
        "low" => Ok(Extremes::Low),
        "high" => Ok(Extremes::High),
        "both" => Ok(Extremes::Both),
        _ => Err(Failure::new(format!("extremes = '{name}': use low, high or both"))),
    }
}

#[pymethods]
impl Relevance {
    /// Logistic curves with φ = 1/2 at `low` and/or `high`:
    ///
    ///     φ(y) = 1 / (1 + exp(−s·(y − c))),  s = ±ln(1/Δ − 1) / |k·c|
    ///
    /// `c` is the centre, `k` the decay factor, `Δ` (`delta`) the precision (Torgo & Ribeiro 2009, eq. 4–5).
    ///
    /// >>> import tailrank as tr
    /// >>> phi = tr.Relevance.sigmoid(low=-0.02, high=0.02)
    /// >>> phi(0.02)
    /// 0.5
    #[staticmethod]
    #[pyo3(signature = (low = None, high = None, *, k = 0.5, delta = 1e-4))]
    fn sigmoid(low: Option<f64>, high: Option<f64>, k: f64, delta: f64) -> Result<Self> {
        Ok(Self(metrics::Relevance::sigmoid(low, high, k, delta)?, None))
    }

    /// Sigmoids centred at the fences of the training targets' box plot, Q1 − 1.5·IQR and Q3 + 1.5·IQR (Torgo & Ribeiro 2009, §4.1).
    ///
    /// `extremes` says which side matters: "low", "high" or "both".
    #[staticmethod]
    #[pyo3(name = "boxplot", signature = (y_train, *, extremes = "both", k = 0.5, delta = 1e-4))]
    fn box_plot(y_train: &Bound<'_, PyAny>, extremes: &str, k: f64, delta: f64) -> Result<Self> {
        let values = as_floats(y_train, TRAINING)?;
        let values = slice(&values)?;
        let phi = metrics::Relevance::sigmoid_from_box_plot(values, side(extremes)?, k, delta)?;
        Ok(Self(phi, Some(values.into())))
    }

    /// A piecewise cubic φ from the training targets' box plot: 1 from the whiskers on, 0 at the median (uba, UBL, IRon).
    ///
    /// `coef` is the whiskers' coefficient; `adjusted=True` takes the fences for skewed data (medcouple), as IRon does.
    #[staticmethod]
    #[pyo3(signature = (y_train, *, extremes = "both", coef = 1.5, adjusted = false))]
    fn extremes(y_train: &Bound<'_, PyAny>, extremes: &str, coef: f64, adjusted: bool) -> Result<Self> {
        let kind = if adjusted { BoxPlot::Adjusted } else { BoxPlot::Plain };
        let values = as_floats(y_train, TRAINING)?;
        let values = slice(&values)?;
        Ok(Self(metrics::Relevance::extremes(values, side(extremes)?, coef, kind)?, Some(values.into())))
    }

    /// A piecewise cubic φ through control points `(y, φ)`, monotone between them (Fritsch–Carlson); `slopes`, one for each point,
    /// are 0 at both ends and the mean of the neighbouring secants inside unless given.
    #[staticmethod]
    #[pyo3(signature = (points, *, slopes = None))]
    fn pchip(points: &Bound<'_, PyAny>, slopes: Option<&Bound<'_, PyAny>>) -> Result<Self> {
        let slopes = slopes.map(|slopes| as_floats(slopes, "the slopes")).transpose()?;
        let slopes = slopes.as_ref().map(slice).transpose()?;
        Ok(Self(metrics::Relevance::range(&as_pairs(points, "the points")?, slopes)?, None))
    }

    /// Straight lines through points `(y, φ)`; constant outside.
    #[staticmethod]
    fn table(points: &Bound<'_, PyAny>) -> Result<Self> {
        Ok(Self(metrics::Relevance::table(&as_pairs(points, "the points")?)?, None))
    }

    /// φ = 1 inside the closed `ranges` (ends may be infinite) and 0 outside.
    #[staticmethod]
    fn indicator(ranges: &Bound<'_, PyAny>) -> Result<Self> {
        Ok(Self(metrics::Relevance::indicator(&as_pairs(ranges, "the ranges")?)?, None))
    }

    /// φ(y) of a number or of an array.
    fn __call__<'py>(&self, y: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = y.py();
        // An array of one number is an array.
        let is_number = y.getattr("ndim").and_then(|n| n.extract::<usize>()).map_or(true, |n| n == 0);
        if let (true, Ok(one)) = (is_number, y.extract::<f64>()) {
            return Ok(self.0.phi(one).into_pyobject(py)?.into_any());
        }
        let array = as_floats(y, "the values")?;
        let values = array.as_slice()?;
        Ok(py.detach(|| self.of(values)).into_pyarray(py).into_any())
    }

    /// The ranges of y that are events, φ(y) ≥ t_E, as pairs in ascending order.
    #[pyo3(signature = (t_e = 0.5))]
    fn event_bounds(&self, t_e: f64) -> Result<Vec<(f64, f64)>> {
        Ok(self.0.event_bounds(t_e)?.iter().map(|r| (r.from, r.to)).collect())
    }

    /// Its kind and what it is made of: what experiment files call `[relevance]`.
    fn parts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        match &self.0 {
            metrics::Relevance::Sigmoid(s) => {
                let (low, high) = s.centres();
                ("sigmoid", (low, high, s.k(), s.delta())).into_pyobject(py)
            }
            metrics::Relevance::Pchip(p) => {
                let points: Vec<(f64, f64)> = p.control_points().iter().map(|c| (c.y, c.phi)).collect();
                let slopes: Vec<f64> = p.control_points().iter().map(|c| c.slope).collect();
                ("pchip", (points, slopes)).into_pyobject(py)
            }
            metrics::Relevance::Table(t) => ("table", (t.points().to_vec(),)).into_pyobject(py),
            metrics::Relevance::Indicator(i) => {
                let ranges: Vec<(f64, f64)> = i.ranges().iter().map(|r| (r.from, r.to)).collect();
                ("indicator", (ranges,)).into_pyobject(py)
            }
        }
    }

    /// The function of a kind and its parts, as `parts` gives them; for copies and pickles.
    #[staticmethod]
    #[pyo3(name = "_of_parts")]
    fn of_parts(kind: &str, parts: &Bound<'_, PyTuple>) -> PyResult<Self> {
        let made = match kind {
            "sigmoid" => {
                let (low, high, k, delta) = parts.extract()?;
                Self::sigmoid(low, high, k, delta)
            }
            "pchip" => Self::pchip(&parts.get_item(0)?, Some(&parts.get_item(1)?)),
            "table" => Self::table(&parts.get_item(0)?),
            _ => Self::indicator(&parts.get_item(0)?),
        };
        Ok(made?)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let make = py.get_type::<Self>().getattr("_of_parts")?;
        Ok((make, self.parts(py)?))
    }

    fn __repr__(&self) -> String {
        format!("Relevance({})", self.0.describe())
    }

    /// φ over the histogram of the targets it was made from; in words where it was made from none.
    fn _repr_html_(&self, py: Python<'_>) -> Result<String> {
        let targets = self.1.as_deref();
        py.detach(|| page::relevance_fragment(&self.0, targets, &self.__repr__()))
    }
}

const TRAINING: &str = "the training targets";

/// Any array of numbers as contiguous floats, the array itself if it is one; `name` is what messages call it.
pub(crate) fn as_floats<'py>(values: &Bound<'py, PyAny>, name: &str) -> PyResult<PyReadonlyArray1<'py, f64>> {
    let py = values.py();
    if let Ok(array) = values.cast::<PyArray1<f64>>()
        && let Ok(array) = array.try_readonly()
        && array.as_slice().is_ok()
    {
        return Ok(array);
    }
    // All conversion is Python's, in one place.
    let array = py.import("tailrank._arrays")?.call_method1("floats", (values, name))?;
    array.cast_into::<PyArray1<f64>>()?.try_readonly().map_err(Into::into)
}

/// Pairs of numbers from a list of pairs, or an array or data frame of two columns.
fn as_pairs(values: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<(f64, f64)>> {
    values.py().import("tailrank._arrays")?.call_method1("pairs", (values, name))?.extract()
}

pub(crate) fn slice<'a>(values: &'a PyReadonlyArray1<'_, f64>) -> Result<&'a [f64]> {
    values.as_slice().map_err(|_| Failure::new("an array of float64 in one piece is needed"))
}

/// Refuses an event threshold as an experiment file with it is refused.
pub(crate) fn check_threshold(t_e: f64) -> Result<()> {
    let settings = RelevanceSettings { event_threshold: t_e, ..RelevanceSettings::default() };
    settings.problems("relevance").first().map_or(Ok(()), |problem| Err(Failure::new(problem.to_string())))
}
