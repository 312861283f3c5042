//! Relevance φ: which target values matter, from 0 to 1.

use std::{ops::Deref, sync::Arc};

use numpy::{IntoPyArray, PyArray1, PyArrayMethods, PyReadonlyArray1, PyUntypedArray};
use pyo3::{Borrowed, prelude::*, types::PyTuple};
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
    one_of("extremes", name, &[("low", Extremes::Low), ("high", Extremes::High), ("both", Extremes::Both)])
}

/// What a word stands for, given as the argument `name`.
pub(crate) fn one_of<T: Copy>(name: &str, word: &str, known: &[(&str, T)]) -> Result<T> {
    known.iter().find(|(known, _)| *known == word).map(|(_, value)| *value).ok_or_else(|| {
        let words: Vec<&str> = known.iter().map(|(known, _)| *known).collect();
        Failure::new(format!("{name} = '{word}': use {}", words.join(" or ")))
    })
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
    #[pyo3(signature = (low = None, high = None, k = 0.5, delta = 1e-4))]
    fn sigmoid(low: Option<f64>, high: Option<f64>, k: f64, delta: f64) -> Result<Self> {
        Ok(Self(metrics::Relevance::sigmoid(low, high, k, delta)?, None))
    }

    /// Sigmoids centred at the fences of the training targets' box plot, Q1 − 1.5·IQR and Q3 + 1.5·IQR (Torgo & Ribeiro 2009, §4.1).
    ///
    /// `extremes` says which side matters: "low", "high" or "both".
    #[staticmethod]
    #[pyo3(name = "boxplot", signature = (y_train, *, extremes = "both", k = 0.5, delta = 1e-4))]
    fn box_plot(y_train: &Bound<'_, PyAny>, extremes: &str, k: f64, delta: f64) -> Result<Self> {
        let values = Floats::of(y_train, "the training targets")?;
        let phi = metrics::Relevance::sigmoid_from_box_plot(&values, side(extremes)?, k, delta)?;
        Ok(Self(phi, Some(values.deref().into())))
    }

    /// A piecewise cubic φ from the training targets' box plot: 1 from the whiskers on, 0 at the median (uba, UBL, IRon).
    ///
    /// `coef` is the whiskers' coefficient; `adjusted=True` takes the fences for skewed data (medcouple), as IRon does.
    #[staticmethod]
    #[pyo3(signature = (y_train, *, extremes = "both", coef = 1.5, adjusted = false))]
    fn extremes(y_train: &Bound<'_, PyAny>, extremes: &str, coef: f64, adjusted: bool) -> Result<Self> {
        let kind = if adjusted { BoxPlot::Adjusted } else { BoxPlot::Plain };
        let values = Floats::of(y_train, "the training targets")?;
        let phi = metrics::Relevance::extremes(&values, side(extremes)?, coef, kind)?;
        Ok(Self(phi, Some(values.deref().into())))
    }

    /// A piecewise cubic φ through control points `(y, φ)`, monotone between them (Fritsch–Carlson); `slopes`, one for each point,
    /// are 0 at both ends and the mean of the neighbouring secants inside unless given.
    #[staticmethod]
    #[pyo3(signature = (points, slopes = None))]
    fn pchip(points: &Bound<'_, PyAny>, slopes: Option<&Bound<'_, PyAny>>) -> Result<Self> {
        let slopes = slopes.map(|slopes| Floats::of(slopes, "the slopes")).transpose()?;
        Ok(Self(metrics::Relevance::range(&as_pairs(points, "the points")?, slopes.as_deref())?, None))
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
        let values: Floats<'_> = y.extract()?;
        let values: &[f64] = &values;
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

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let (kind, parts) = self.parts(py)?.extract::<(String, Bound<'py, PyAny>)>()?;
        Ok((py.get_type::<Self>().getattr(kind)?, parts))
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

/// Numbers in one piece: an array of float64 itself, what Python's side makes of anything else.
pub(crate) struct Floats<'py>(PyReadonlyArray1<'py, f64>);

impl<'py> Floats<'py> {
    /// `name` is what messages call them.
    pub(crate) fn of(values: &Bound<'py, PyAny>, name: &str) -> PyResult<Self> {
        // A masked array is an array, too, but holds gaps.
        if values.get_type().is(&values.py().get_type::<PyUntypedArray>())
            && let Ok(array) = values.cast::<PyArray1<f64>>()
            && let Ok(array) = array.try_readonly()
            && array.as_slice().is_ok()
        {
            return Ok(Self(array));
        }
        // All conversion is Python's, in one place.
        let array = values.py().import("tailrank._arrays")?.call_method1("floats", (values, name))?;
        Ok(Self(array.cast_into::<PyArray1<f64>>()?.try_readonly()?))
    }
}

impl<'py> FromPyObject<'_, 'py> for Floats<'py> {
    type Error = PyErr;

    fn extract(values: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        Self::of(&values, "the values")
    }
}

impl Deref for Floats<'_> {
    type Target = [f64];

    fn deref(&self) -> &[f64] {
        // Both ways of `of` give arrays in one piece.
        self.0.as_slice().unwrap_or_default()
    }
}

/// Pairs of numbers from a list of pairs, or an array or data frame of two columns.
fn as_pairs(values: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<(f64, f64)>> {
    values.py().import("tailrank._arrays")?.call_method1("pairs", (values, name))?.extract()
}

/// Refuses an event threshold as an experiment file with it is refused.
pub(crate) fn check_threshold(t_e: f64) -> Result<()> {
    let settings = RelevanceSettings { event_threshold: t_e, ..RelevanceSettings::default() };
    settings.problems("relevance").first().map_or(Ok(()), |problem| Err(Failure::new(problem.to_string())))
}
