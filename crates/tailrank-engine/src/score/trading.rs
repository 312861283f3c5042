//! What the trading rule would have done with the best variant of each measure.

use tailrank_metrics::{Measure, MetricError, Settings, trading::TradingRecord};

use super::{Predictions, TaskScores, TaskTruth, regret::best_variant};

/// The trades of the best variant by one measure on one task.
#[derive(Clone, Debug, PartialEq)]
pub struct TradingRow {
    /// Which task, from 0.
    pub task: usize,
    /// The measure that chose the variant.
    pub chosen_by: Measure,
    /// The variant.
    pub variant: usize,
    /// What the rule did with its predictions.
    pub record: TradingRecord,
}

/// The trades of each measure's best variant. Tasks of several parts are not traded: their rows are not one period.
pub fn trading_rows(
    task: usize,
    parts: &[TaskTruth],
    scores: &TaskScores,
    predictions: &[Predictions],
) -> Result<Vec<TradingRow>, MetricError> {
    let [TaskTruth { truth, settings: Settings { trading: Some(rule), .. } }] = parts else {
        return Ok(Vec::new());
    };
    let mut rows = Vec::new();
    for &measure in &scores.measures {
        let Some(variant) = best_variant(scores, measure) else { continue };
        let record = TradingRecord::new(truth, &predictions[variant].parts[0], *rule)?;
        rows.push(TradingRow { task, chosen_by: measure, variant, record });
    }
    Ok(rows)
}
