//! What a page is about: a run with its stored predictions, or a table of predictions made elsewhere.

use tailrank_data::{Dataset, Date};
use tailrank_experiment::{config::Compare, plan::Plan, rules::ScoringRules};
use tailrank_metrics::{Measure, Settings};
use tailrank_runner::store::Store;
use tailrank_score::{
    external::PredictionTable,
    score::{Results, TaskId},
};

use crate::{Source, TaskPages, claims::Claim};

/// Predictions made elsewhere, scored: what the same page is made from without a run.
#[derive(Clone, Copy)]
pub struct TableSource<'a> {
    /// What the page is called.
    pub name: &'a str,
    /// The predictions, task by task.
    pub tables: &'a [PredictionTable],
    /// The measures' settings of each task.
    pub settings: &'a [Settings],
    /// What the tasks were scored by.
    pub rules: &'a ScoringRules,
    /// Pairs of measures whose rankings were compared.
    pub pairs: &'a [(Measure, Measure)],
    /// How.
    pub compare: &'a Compare,
    /// Steps that a prediction looks ahead, for rows in the order of time.
    pub horizon: Option<usize>,
    /// What was found.
    pub results: &'a Results,
    /// Names the randomness behind p-values.
    pub seed: u64,
    /// The command that makes the page again.
    pub command: &'a str,
    /// Which tasks get a page of their own.
    pub pages: &'a TaskPages,
}

/// Where predictions come from.
#[derive(Clone, Copy)]
pub(crate) enum Origin<'a> {
    Run { plan: &'a Plan, store: &'a Store<'a> },
    Table(&'a TableSource<'a>),
}

/// What a page is about.
#[derive(Clone, Copy)]
pub(crate) struct Subject<'a> {
    pub(crate) name: &'a str,
    pub(crate) title: &'a str,
    pub(crate) seed: u64,
    pub(crate) results: &'a Results,
    pub(crate) rules: &'a ScoringRules,
    pub(crate) pairs: &'a [(Measure, Measure)],
    pub(crate) compare: &'a Compare,
    pub(crate) claims: &'a [Claim],
    pub(crate) origin: Origin<'a>,
    /// Which tasks get a page of their own.
    pub(crate) pages: &'a TaskPages,
    /// Whether this is the page of a run's own folder, which has the result tables beside it.
    pub(crate) has_results_beside: bool,
}

impl<'a> Subject<'a> {
    pub(crate) fn of_run(source: &Source<'a>) -> Self {
        let experiment = &source.plan.experiment;
        Self {
            name: &experiment.name,
            title: &experiment.title,
            seed: experiment.seed,
            results: source.results,
            rules: &source.plan.rules,
            pairs: &source.plan.pairs,
            compare: &experiment.compare,
            claims: source.claims,
            origin: Origin::Run { plan: source.plan, store: source.store },
            pages: source.pages,
            has_results_beside: false,
        }
    }

    pub(crate) fn of_table(source: &'a TableSource<'a>) -> Self {
        Self {
            name: source.name,
            title: "",
            seed: source.seed,
            results: source.results,
            rules: source.rules,
            pairs: source.pairs,
            compare: source.compare,
            claims: &[],
            origin: Origin::Table(source),
            pages: source.pages,
            has_results_beside: false,
        }
    }

    /// The run, where there is one.
    pub(crate) fn run(&self) -> Option<(&'a Plan, &'a Store<'a>)> {
        match self.origin {
            Origin::Run { plan, store } => Some((plan, store)),
            Origin::Table(_) => None,
        }
    }

    /// First and last day of a task's test, where its rows have dates.
    pub(crate) fn period(&self, task: TaskId) -> Option<(Date, Date)> {
        let dates: Vec<Date> = match self.origin {
            Origin::Run { plan, .. } => {
                let task = &plan.tasks[task];
                let Dataset::Series(series) = &*task.data else { return None };
                task.splits.iter().flat_map(|s| s.test.iter()).map(|row| series.origin_date(row)).collect()
            }
            Origin::Table(table) => table.tables[task].dates.clone()?,
        };
        Some((*dates.iter().min()?, *dates.iter().max()?))
    }

    /// What counts of events are set in proportion to.
    pub(crate) fn rate(&self, task: TaskId) -> Rate {
        let scores = &self.results.scores[task];
        let repeats = scores.repeats.max(1) as f64;
        let days =
            || self.period(task).and_then(|(a, b)| a.until(b).ok()).map(|span| f64::from(span.get_days()));
        match scores.years.or_else(|| days().map(|d| d / 365.25)) {
            // Below a year, counts of a year would be made up.
            Some(years) if years >= 1.0 => Rate { factor: 1.0 / (years * repeats), unit: "a year" },
            _ => Rate { factor: 1000.0 / (scores.cases.max(1) as f64 * repeats), unit: "per 1,000 cases" },
        }
    }
}

/// Turns a count over the whole test into one that can be held against others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    /// What a count is multiplied by.
    pub factor: f64,
    /// `a year` or `per 1,000 cases`.
    pub unit: &'static str,
}
