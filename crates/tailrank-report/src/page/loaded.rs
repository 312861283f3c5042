//! One task's truth, predictions and settings, read once for the page and the figures.

use tailrank_data::{Dataset, Date, Transform};

use super::*;

/// A test period, or one fold.
pub(super) struct Part {
    pub(super) rows: usize,
    /// Which repeat of the division it belongs to.
    pub(super) repeat: usize,
}

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
    pub(super) parts: Vec<Part>,
    /// The measures' settings, part by part.
    pub(super) settings: Vec<Settings>,
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
    let rows: Vec<usize> = task.parts().iter().flatten().flat_map(|&s| task.splits[s].test.iter()).collect();
    let targets = task.data.targets();
    let series = match &*task.data {
        Dataset::Series(embedding) => Some(embedding),
        _ => None,
    };
    let predictions = match stored {
        Some(stored) => stored.of_task(number)?.into_iter().map(|p| p.parts.concat()).collect(),
        None => vec![Vec::new(); subject.results.names.variants.len()],
    };
    let part = |(part, splits): (usize, &Vec<usize>)| Part {
        rows: splits.iter().map(|&s| task.splits[s].test.len()).sum(),
        repeat: task.repeat_of(part),
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
        parts: task.parts().iter().enumerate().map(part).collect(),
        settings: part_settings(plan, task)?,
        truth: rows.iter().map(|&r| targets[r]).collect(),
        dates: series.map(|e| rows.iter().map(|&r| e.origin_date(r)).collect()),
        prices: series.map(|e| rows.iter().map(|&r| e.origin_price(r)).collect()),
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
    let parts: Vec<Part> = table.folds.iter().map(|&rows| Part { rows, repeat: 0 }).collect();
    Loaded {
        subject,
        number,
        name: &subject.results.names.tasks[number],
        target: table.target.clone(),
        horizon,
        is_return: false,
        t_e: settings.t_e,
        scores: &subject.results.scores[number],
        settings: vec![settings.clone(); parts.len()],
        parts,
        truth: table.truth.clone(),
        dates: table.dates.clone(),
        prices: None,
        predictions: variants.iter().map(|v| of(&v.label).unwrap_or_default()).collect(),
    }
}

/// The measures' settings of each part; φ is fitted on the training rows of the part's first split.
pub(super) fn part_settings(plan: &Plan, task: &Task) -> Result<Vec<Settings>> {
    let fitted = task.parts().into_iter().map(|splits| {
        let train = splits.first().map(|&s| task.train_targets(s)).unwrap_or_default();
        task.settings(&plan.rules, &train)
    });
    fitted
        .collect::<std::result::Result<_, _>>()
        .map_err(|source| EngineError::Score { task: task.name.clone(), source }.into())
}
