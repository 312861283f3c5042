//! Splits of rows for scikit-learn, drawn as an experiment draws them.

use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use tailrank::data::{DataError, SplitRows, SplitSettings, Stratify, Timeline, strata_by_relevance};

use crate::{
    error::Result,
    relevance::{Floats, Relevance},
};

type Indices<'py> = Bound<'py, PyArray1<i64>>;

/// Training and test rows of every split of `[split]`, given as JSON, for rows outside time. Strata come from φ of the targets.
#[pyfunction]
pub(crate) fn draw_splits<'py>(
    py: Python<'py>,
    rows: usize,
    split: &str,
    seed: u64,
    relevance: Option<&Relevance>,
    y: Option<Floats<'py>>,
) -> Result<Vec<(Indices<'py>, Indices<'py>)>> {
    let settings: SplitSettings = serde_json::from_str(split)?;
    let phi = relevance.zip(y).map(|(relevance, y)| relevance.of(&y));
    let strata = |by: Stratify| match (by, &phi) {
        (Stratify::Relevance, Some(phi)) => Ok(strata_by_relevance(phi, 4)),
        _ => Err(DataError::Scheme("stratify needs \"relevance\" and the targets y".to_owned())),
    };
    let timeline = Timeline::points(rows);
    let drawn =
        py.detach(|| settings.splits(&SplitRows { strata: &strata, ..SplitRows::new(&timeline, seed) }))?;
    let indices =
        |rows: &tailrank::data::Rows| rows.iter().map(|row| row as i64).collect::<Vec<_>>().into_pyarray(py);
    Ok(drawn.iter().map(|split| (indices(&split.train), indices(&split.test))).collect())
}
