//! What a page is about: a run with its stored predictions, or a table of predictions made elsewhere.

use tailrank_data::{Dataset, Date};
use tailrank_experiment::{config::Compare, plan::Plan, rules::ScoringRules};
use tailrank_metrics::{Measure, Settings};
use tailrank_runner::store::Store;
use tailrank_score::{
    external::PredictionTable,
    score::{Results, TaskId},
};

use crate::{
    TaskPages,
    claims::{Claim, PaperFigure},
};

/// What a page is made from.
#[derive(Clone, Copy)]
pub struct PageInput<'a> {
    /// What the page is called.
    pub name: &'a str,
    /// A sentence below the name, or nothing.
    pub title: &'a str,
    /// Names the randomness behind p-values.
    pub seed: u64,
    /// What was found.
    pub results: &'a Results,
    /// What the tasks were scored by.
    pub rules: &'a ScoringRules,
    /// Pairs of measures whose rankings were compared.
    pub pairs: &'a [(Measure, Measure)],
    /// How.
    pub compare: &'a Compare,
    /// What a study's paper says beside what was found; empty outside studies.
    pub claims: &'a [Claim],
    /// The paper's figures; empty outside studies.
    pub paper_figures: &'a [PaperFigure],
    /// Which tasks get a page of their own.
    pub pages: &'a TaskPages,
    /// Where the predictions come from.
    pub origin: Origin<'a>,
}

/// Where the predictions of a page come from.
#[derive(Clone, Copy)]
pub enum Origin<'a> {
    /// A run.
    Run {
        /// What was run.
        plan: &'a Plan,
        /// Where the predictions are.
        store: &'a Store<'a>,
        /// Whether the page stands in the run's own folder, which has the result tables beside it.
        is_own: bool,
    },
    /// Predictions made elsewhere.
    Table {
        /// The predictions, task by task.
        tables: &'a [PredictionTable],
        /// The measures' settings of each task.
        settings: &'a [Settings],
        /// Steps that a prediction looks ahead, for rows in the order of time.
        horizon: Option<usize>,
        /// The command that makes the page again.
        command: &'a str,
    },
}

impl<'a> PageInput<'a> {
    /// A run, what was found, and where its predictions are.
    pub fn of_run(plan: &'a Plan, results: &'a Results, store: &'a Store<'a>) -> Self {
        Self {
            name: &plan.experiment.name,
            title: &plan.experiment.title,
            seed: plan.experiment.seed,
            results,
            rules: &plan.rules,
            pairs: &plan.pairs,
            compare: &plan.experiment.compare,
            claims: &[],
            paper_figures: &[],
            pages: &TaskPages::Chosen,
            origin: Origin::Run { plan, store, is_own: false },
        }
    }

    /// The run, where there is one.
    pub(crate) fn run(&self) -> Option<(&'a Plan, &'a Store<'a>)> {
        match self.origin {
            Origin::Run { plan, store, .. } => Some((plan, store)),
            Origin::Table { .. } => None,
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
            Origin::Table { tables, .. } => tables[task].dates.clone()?,
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
