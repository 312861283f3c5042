//! Precision, recall and F of one vector of predictions, without a scorer of one's own.

use super::{
    scorer::{Buffers, Derived, Scorer},
    settings::Settings,
};
use crate::{
    Accuracy, Relevance, Result,
    precision_recall::{PrecisionRecall, SIGNAL_TERMS},
};

/// Precision, recall and F of `predicted` at the event threshold `t_e`.
///
/// ```
/// use tailrank_metrics::{Accuracy, Relevance, precision_recall};
/// let relevance = Relevance::sigmoid(Some(-2.0), Some(2.0), 0.5, 1e-4)?;
/// let accuracy = Accuracy::smooth(0.5, 8.0)?;
/// let scores = precision_recall(&[-2.4, 0.1, 2.9], &[-2.2, 0.0, 1.0], &relevance, &accuracy, 0.75, 0.5)?;
/// assert_eq!((scores.counts.events, scores.counts.signals, scores.counts.hits), (2, 1, 1));
/// # Ok::<(), tailrank_metrics::MetricError>(())
/// ```
pub fn precision_recall(
    truth: &[f64],
    predicted: &[f64],
    relevance: &Relevance,
    accuracy: &Accuracy,
    t_e: f64,
    beta: f64,
) -> Result<PrecisionRecall> {
    let (relevance, accuracy) = (Some(relevance.clone()), Some(*accuracy));
    let scorer = Scorer::new(truth, Settings { relevance, accuracy, t_e, beta, ..Settings::default() })?;
    let (predicted, mut buffers) = ([predicted], Buffers::default());
    let mut derived = Derived::new(&scorer, &predicted, &mut buffers)?;
    derived.fill(&SIGNAL_TERMS);
    Ok(PrecisionRecall::of_sums(&derived.sums))
}
