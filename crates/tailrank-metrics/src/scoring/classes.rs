//! The registry's measures of classes.

use super::formula::{self, Formula};
use crate::classification::BinaryCounts;
use crate::error::Result;
use crate::precision_recall::check_beta;
use crate::registry::Measure;
use crate::score::{Score, Undefined};

/// The measures of a two-class problem; measures of numbers have no value here.
///
/// ```
/// use tailrank_metrics::{Measure, classification::BinaryCounts, scoring::score_classes};
///
/// let a = BinaryCounts { tp: 95, fp: 5, tn: 0, fn_: 0 };
/// let scores = score_classes(&a, 1.0, &[Measure::ClassAccuracy, Measure::Oarp])?;
/// assert_eq!(format!("{:.2} {:.2}", scores[0], scores[1]), "0.95 0.85"); // OARP11 Table 1
/// # Ok::<(), tailrank_metrics::MetricError>(())
/// ```
pub fn score_classes(counts: &BinaryCounts, beta: f64, measures: &[Measure]) -> Result<Vec<Score>> {
    check_beta(beta)?;
    measures
        .iter()
        .map(|&measure| match formula::of_measure(measure) {
            Formula::Classes(score) => score(counts, beta),
            _ => Ok(Score::Undefined(Undefined::MissingInput)),
        })
        .collect()
}
