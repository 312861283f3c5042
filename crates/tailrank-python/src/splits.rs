//! Splits of rows for scikit-learn, drawn as an experiment draws them.

use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use tailrank::{
    data::{Leak, Past, SplitPlan, Timeline, WindowStart, strata_by_relevance},
    experiment::config::{SplitSettings, Stratify},
};

use crate::{
    error::{Failure, Result},
    relevance::{Relevance, slice},
};

type Indices<'py> = Bound<'py, PyArray1<i64>>;

/// Training and test rows of every split of `[split]`, given as JSON, for rows outside time. Strata come from φ of the targets.
#[pyfunction]
#[pyo3(signature = (rows, split, seed, relevance = None, y = None))]
pub(crate) fn draw_splits<'py>(
    py: Python<'py>,
    rows: usize,
    split: &str,
    seed: u64,
    relevance: Option<&Relevance>,
    y: Option<PyReadonlyArray1<'py, f64>>,
) -> Result<Vec<(Indices<'py>, Indices<'py>)>> {
    let settings: SplitSettings = serde_json::from_str(split)?;
    let plan = match settings {
        SplitSettings::Fraction { train, validation, .. } => SplitPlan::Fraction { train, validation },
        SplitSettings::Sliding { window, step, .. } => {
            SplitPlan::Windows { start: WindowStart::Row(window), step, past: Past::Sliding { window } }
        }
        SplitSettings::Growing { window, step, .. } => {
            SplitPlan::Windows { start: WindowStart::Row(window), step, past: Past::Growing }
        }
        SplitSettings::Kfold { folds, repeats, shuffle, stratify, .. } => {
            let strata = match (stratify, relevance, &y) {
                (None, _, _) => None,
                (Some(Stratify::Relevance), Some(relevance), Some(y)) => {
                    let y = slice(y)?;
                    let mut phi = vec![0.0; y.len()];
                    relevance.0.phi_into(y, &mut phi);
                    Some(strata_by_relevance(&phi, 4))
                }
                _ => return Err(Failure::new("stratify needs \"relevance\" and the targets y")),
            };
            SplitPlan::KFold { folds, repeats, shuffle: shuffle.unwrap_or(true), strata, seed }
        }
        SplitSettings::Bootstrap { repeats, .. } => SplitPlan::Bootstrap { repeats, seed },
        SplitSettings::Date { .. } | SplitSettings::Rows { .. } => {
            return Err(Failure::new("these rows are known already"));
        }
    };
    let drawn = py.detach(|| plan.splits(&Timeline::points(rows), Leak::Purged))?;
    let indices =
        |rows: &tailrank::data::Rows| rows.iter().map(|row| row as i64).collect::<Vec<_>>().into_pyarray(py);
    Ok(drawn.iter().map(|split| (indices(&split.train), indices(&split.test))).collect())
}
