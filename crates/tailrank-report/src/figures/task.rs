//! One task's truth, predictions and settings, read once for the page and the figures.

use tailrank_data::{Dataset, Transform};
use tailrank_experiment::plan::Task;
use tailrank_metrics::{Measure, MetricError, Settings, relevance::EventRange};
use tailrank_score::{
    external::PredictionTable,
    score::{
        StoredPredictions, TaskId, TaskInference, TaskScores, TaskTruth, VariantId, answer::Decision,
        test_parts,
    },
};

use super::*;
use crate::{Origin, PageInput, answer};

/// Pairs of measures with figures of their own; tables made elsewhere compare every pair.
const MOST_PAIRS: usize = 4;

/// Measures in units of the target.
const IN_UNITS: [&str; 5] = ["mad", "rmse", "mdae", "event_mad", "event_rmse"];

/// What a task's page and figures are made from.
pub struct TaskView<'a> {
    /// The run or table that it is a task of.
    pub subject: PageInput<'a>,
    /// Its place.
    pub number: TaskId,
    /// What it is called.
    pub name: &'a str,
    /// What is predicted: returns by their days, everything else by its own name.
    pub target: String,
    /// Days ahead, for series.
    pub horizon: Option<usize>,
    /// Whether the target is a return, which people read in percent.
    pub is_return: bool,
    /// The event threshold t_E.
    pub t_e: f64,
    /// What was scored.
    pub scores: &'a TaskScores,
    /// Test periods or folds, with the measures' settings of each.
    pub parts: Vec<TaskTruth>,
    /// True values of all parts, one after the other.
    pub truth: Vec<f64>,
    /// Days of the rows' origins, where they have any.
    pub dates: Option<Vec<Date>>,
    /// Prices at the origins, for series.
    pub prices: Option<Vec<f64>>,
    /// One vector per variant, over all parts; empty where there are none.
    predictions: Vec<Vec<f64>>,
}

/// The first by a measure of the headline pair, or by both: who, why, and what it predicted.
pub(super) struct Winner<'a> {
    pub(super) variant: Variant<'a>,
    /// Such as `highest F`.
    pub(super) note: String,
    pub(super) predicted: &'a [f64],
}

impl<'a> TaskView<'a> {
    /// Reads the predictions of task `number`.
    pub(crate) fn load(
        subject: PageInput<'a>,
        number: TaskId,
        stored: Option<&StoredPredictions<'_>>,
    ) -> Result<Self> {
        let plan = match subject.origin {
            Origin::Run { plan, .. } => plan,
            Origin::Table { tables, settings, horizon, .. } => {
                let table = Self::of_table(subject, number, &tables[number], &settings[number]);
                return Ok(Self { horizon, ..table });
            }
        };
        let task: &Task = &plan.tasks[number];
        let parts = test_parts(plan, task)?;
        let rows = || parts.iter().flat_map(|part| &part.rows);
        let series = match &*task.data {
            Dataset::Series(embedding) => Some(embedding),
            _ => None,
        };
        let is_return = series.is_some_and(|e| e.transform() == Transform::Return);
        let predictions = match stored {
            Some(stored) => stored.of_task(number)?.into_iter().map(|p| p.parts.concat()).collect(),
            None => vec![Vec::new(); subject.results.names.variants.len()],
        };
        Ok(Self {
            subject,
            number,
            name: &task.name,
            target: match task.horizon {
                Some(days) if is_return => format!("{days}-day return"),
                _ => task.data.target_name(),
            },
            horizon: task.horizon,
            is_return,
            t_e: task.relevance.event_threshold,
            scores: &subject.results.scores[number],
            truth: parts.iter().flat_map(|part| &part.truth).copied().collect(),
            dates: series.map(|e| rows().map(|&r| e.origin_date(r)).collect()),
            prices: series.map(|e| rows().map(|&r| e.origin_price(r)).collect()),
            parts,
            predictions,
        })
    }

    fn of_table(
        subject: PageInput<'a>,
        number: TaskId,
        table: &PredictionTable,
        settings: &Settings,
    ) -> Self {
        let of = |name: &str| table.models.iter().find(|(n, _)| n == name).map(|(_, p)| p.clone());
        let variants = &subject.results.names.variants;
        let mut left = table.truth.as_slice();
        let mut part = |&rows: &usize| {
            let (truth, rest) = left.split_at(rows.min(left.len()));
            left = rest;
            TaskTruth::new(truth.to_vec(), settings.clone())
        };
        Self {
            subject,
            number,
            name: &subject.results.names.tasks[number],
            target: table.target.clone(),
            horizon: None,
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

    /// A scored variant's predictions of all parts, one after the other.
    pub fn predicted(&self, variant: VariantId) -> Option<&[f64]> {
        (!self.scores.scores[variant].is_empty()).then(|| self.predictions[variant].as_slice())
    }

    /// The measures' settings of the first part.
    pub fn settings(&self) -> Option<&Settings> {
        self.parts.first().map(|part| &part.settings)
    }

    /// The name and family of a variant.
    pub fn variant(&self, variant: VariantId) -> Variant<'a> {
        Variant::from(&self.subject.results.names.variants[variant])
    }

    /// A quantity in the target's unit.
    pub fn quantity<'q>(&self, name: &'q str) -> Quantity<'q> {
        if self.is_return { Quantity::percent(name) } else { Quantity::new(name, "") }
    }

    /// A measure in its unit.
    pub(super) fn unit(&self, measure: Measure) -> Quantity<'static> {
        let symbol = measure.info().symbol;
        if IN_UNITS.contains(&measure.id()) { self.quantity(symbol) } else { Quantity::new(symbol, "") }
    }

    /// `KO 3d, test 1990–2008`
    pub(super) fn context(&self) -> String {
        let test = match self.dates.as_deref() {
            Some([first, .., last]) => format!("test {}–{}", first.year(), last.year()),
            _ => format!("{} test cases", self.truth.len()),
        };
        if self.name.is_empty() { test } else { format!("{}, {test}", self.name) }
    }

    /// The pairs of measures that figures compare.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (Measure, Measure)> + use<'a> {
        self.subject.pairs.iter().copied().take(MOST_PAIRS)
    }

    /// All models with their scores by two measures.
    pub(super) fn measure_pair(&self, a: Measure, b: Measure) -> MeasurePair<'_> {
        let variants = scored_variants(&self.subject.results.names.variants, self.scores);
        let [a, b] = [a, b].map(|measure| Scores::of_task(self.scores, measure));
        MeasurePair { variants, a, b }
    }

    /// The decision on this task.
    pub(super) fn decision(&self) -> Option<&'a Decision> {
        self.subject.results.answer.deciding(self.number)
    }

    /// How sure the scores are, where that was computed.
    pub(super) fn inference(&self) -> Option<&'a TaskInference> {
        self.subject.results.inference.iter().find(|t| t.task == self.number)
    }

    /// The ends of the interval of a score.
    pub(super) fn interval(&self, measure: Measure, variant: VariantId) -> Option<(f64, f64)> {
        answer::ends(self.subject.results, self.number, measure, variant)
    }

    /// Candidates that are tied with the best by a measure.
    pub(super) fn tied(&self, measure: Measure) -> Vec<VariantId> {
        let level = self.subject.results.inferred_by.set_level;
        let of = |known: &TaskInference| {
            Some(known.measure(measure)?.in_set(level).into_iter().map(|p| known.variants[p]).collect())
        };
        self.inference().and_then(of).unwrap_or_default()
    }

    /// The first by each measure of the headline pair.
    pub(super) fn winners(&self) -> Vec<Winner<'_>> {
        let mut found: Vec<(VariantId, Winner<'_>)> = Vec::new();
        let comparisons = &self.subject.results.comparisons;
        let Some(first) = comparisons.iter().find(|c| c.task == self.number) else { return Vec::new() };
        let both = [(first.best_chosen, first.chosen_by), (first.best_judged, first.judged_by)];
        for (v, measure) in both.into_iter().filter_map(|(best, measure)| Some((best?, measure))) {
            let note = format!("{} {}", answer::end(measure), measure.info().symbol);
            if let Some((_, known)) = found.iter_mut().find(|(known, _)| *known == v) {
                known.note.push_str(&format!(" and {note}"));
            } else if let Some(predicted) = self.predicted(v) {
                found.push((v, Winner { variant: self.variant(v), note, predicted }));
            }
        }
        found.into_iter().map(|(_, winner)| winner).collect()
    }

    /// A curve of each winner.
    pub(super) fn curves<C>(
        &self,
        curve: impl Fn(&[f64]) -> tailrank_metrics::Result<C>,
    ) -> Result<Vec<VariantCurve<'_, C>>> {
        let winners = self.winners().into_iter();
        let found = winners.map(|w| Ok(VariantCurve { variant: w.variant, curve: curve(w.predicted)? }));
        found.collect::<tailrank_metrics::Result<_>>().map_err(|e| self.failed(e))
    }

    /// Where events lie; none where no relevance is known.
    pub(super) fn events(&self) -> Result<Option<Vec<EventRange>>> {
        let Some(settings) = self.settings() else { return Ok(None) };
        let bounds = settings.relevance.as_ref().map(|phi| phi.event_bounds(settings.t_e));
        bounds.transpose().map_err(|e| self.failed(e))
    }

    /// What could not be computed for a figure of this task.
    pub(super) fn failed(&self, problem: MetricError) -> ReportError {
        crate::error::problem(self.name, &problem)
    }
}
