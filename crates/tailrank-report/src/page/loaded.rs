//! One task's truth, predictions and settings, read once for the page and the figures.

use tailrank_data::{Dataset, Date};
use tailrank_engine::{
    EngineError,
    plan::Task,
    score::{Predictions, StoredPredictions, TaskId, TaskScores, VariantId},
};
use tailrank_metrics::Settings;

use crate::{Result, Source};

/// What a task's page and figures are made from.
pub(super) struct Loaded<'a> {
    pub(super) source: Source<'a>,
    /// Place in the plan.
    pub(super) number: TaskId,
    pub(super) task: &'a Task,
    pub(super) scores: &'a TaskScores,
    /// The measures' settings, part by part.
    pub(super) settings: Vec<Settings>,
    /// True values of all parts, one after the other.
    pub(super) truth: Vec<f64>,
    /// Origins of the rows, for series.
    pub(super) dates: Option<Vec<Date>>,
    /// Prices at the origins, for series.
    pub(super) prices: Option<Vec<f64>>,
    predictions: Vec<Predictions>,
}

impl<'a> Loaded<'a> {
    /// Reads the predictions of task `number`.
    pub(super) fn new(source: Source<'a>, number: TaskId, stored: &StoredPredictions<'_>) -> Result<Self> {
        let task = &source.plan.tasks[number];
        let rows: Vec<usize> =
            task.parts().iter().flatten().flat_map(|&s| task.splits[s].test.iter()).collect();
        let targets = task.data.targets();
        let series = match &*task.data {
            Dataset::Series(embedding) => Some(embedding),
            _ => None,
        };
        Ok(Self {
            source,
            number,
            task,
            scores: &source.results.scores[number],
            settings: part_settings(source, task)?,
            truth: rows.iter().map(|&r| targets[r]).collect(),
            dates: series.map(|e| rows.iter().map(|&r| e.origin_date(r)).collect()),
            prices: series.map(|e| rows.iter().map(|&r| e.origin_price(r)).collect()),
            predictions: stored.of_task(number)?,
        })
    }

    /// A scored variant's predictions of all parts, one after the other.
    pub(super) fn predicted(&self, variant: VariantId) -> Option<Vec<f64>> {
        let scored = !self.scores.scores[variant].is_empty();
        scored.then(|| self.predictions[variant].parts.concat())
    }
}

/// The measures' settings of each part; φ is fitted on the training rows of the part's first split.
pub(super) fn part_settings(source: Source<'_>, task: &Task) -> Result<Vec<Settings>> {
    let rules = &source.plan.rules;
    let fitted = task.parts().into_iter().map(|splits| {
        let train = splits.first().map(|&s| task.train_targets(s)).unwrap_or_default();
        rules.for_task(&task.relevance, &train, task.horizon)
    });
    fitted
        .collect::<std::result::Result<_, _>>()
        .map_err(|source| EngineError::Score { task: task.name.clone(), source }.into())
}
