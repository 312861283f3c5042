//! One task's truth, predictions and settings, read once for the page and the figures.

use tailrank_data::{Dataset, Date, Transform};
use tailrank_score::score::{TaskTruth, test_parts};

use super::*;

/// What a task's page and figures are made from.
pub(super) struct Loaded<'a> {
    pub(super) subject: PageInput<'a>,
    /// Its place.
    pub(super) number: TaskId,
    pub(super) name: &'a str,
    /// What is predicted.
    pub(super) target: String,
    /// Days ahead, for series.
    pub(super) horizon: Option<usize>,
    /// Whether the target is a return, which people read in percent.
    pub(super) is_return: bool,
    pub(super) t_e: f64,
    pub(super) scores: &'a TaskScores,
    /// Test periods or folds, with the measures' settings of each.
    pub(super) parts: Vec<TaskTruth>,
    /// True values of all parts, one after the other.
    pub(super) truth: Vec<f64>,
    /// Days of the rows' origins, where they have any.
    pub(super) dates: Option<Vec<Date>>,
    /// Prices at the origins, for series.
    pub(super) prices: Option<Vec<f64>>,
    /// One vector per variant, over all parts; empty where there are none.
    predictions: Vec<Vec<f64>>,
}

impl<'a> Loaded<'a> {
    /// A scored variant's predictions of all parts, one after the other.
    pub(super) fn predicted(&self, variant: VariantId) -> Option<&[f64]> {
        (!self.scores.scores[variant].is_empty()).then(|| self.predictions[variant].as_slice())
    }

    /// The measures' settings of the first part.
    pub(super) fn settings(&self) -> Option<&Settings> {
        self.parts.first().map(|part| &part.settings)
    }
}

/// Reads the predictions of task `number`.
pub(super) fn load<'a>(
    subject: PageInput<'a>,
    number: TaskId,
    stored: Option<&StoredPredictions<'_>>,
) -> Result<Loaded<'a>> {
    let plan = match subject.origin {
        Origin::Run { plan, .. } => plan,
        Origin::Table { tables, settings, horizon, .. } => {
            return Ok(of_table(subject, &tables[number], &settings[number], horizon, number));
        }
    };
    let task = &plan.tasks[number];
    let parts = test_parts(plan, task)?;
    let rows = || parts.iter().flat_map(|part| &part.rows);
    let series = match &*task.data {
        Dataset::Series(embedding) => Some(embedding),
        _ => None,
    };
    let predictions = match stored {
        Some(stored) => stored.of_task(number)?.into_iter().map(|p| p.parts.concat()).collect(),
        None => vec![Vec::new(); subject.results.names.variants.len()],
    };
    Ok(Loaded {
        subject,
        number,
        name: &task.name,
        target: task.data.target_name(),
        horizon: task.horizon,
        is_return: matches!(&*task.data, Dataset::Series(e) if e.transform() == Transform::Return),
        t_e: task.relevance.event_threshold,
        scores: &subject.results.scores[number],
        truth: parts.iter().flat_map(|part| &part.truth).copied().collect(),
        dates: series.map(|e| rows().map(|&r| e.origin_date(r)).collect()),
        prices: series.map(|e| rows().map(|&r| e.origin_price(r)).collect()),
        parts,
        predictions,
    })
}

fn of_table<'a>(
    subject: PageInput<'a>,
    table: &PredictionTable,
    settings: &Settings,
    horizon: Option<usize>,
    number: TaskId,
) -> Loaded<'a> {
    let of = |name: &str| table.models.iter().find(|(n, _)| n == name).map(|(_, p)| p.clone());
    let variants = &subject.results.names.variants;
    let mut left = table.truth.as_slice();
    let mut part = |&rows: &usize| {
        let (truth, rest) = left.split_at(rows.min(left.len()));
        left = rest;
        TaskTruth::new(truth.to_vec(), settings.clone())
    };
    Loaded {
        subject,
        number,
        name: &subject.results.names.tasks[number],
        target: table.target.clone(),
        horizon,
        is_return: false,
        t_e: settings.t_e,
        scores: &subject.results.scores[number],
        parts: table.folds.iter().map(&mut part).collect(),
        truth: table.truth.clone(),
        dates: table.dates.clone(),
        prices: None,
        predictions: variants.iter().map(|v| of(&v.label).unwrap_or_default()).collect(),
    }
}
