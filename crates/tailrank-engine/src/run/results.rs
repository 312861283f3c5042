//! What a run found: everything derived from the stored predictions, and the tables it is written to.

use tailrank_data::frame;

use super::cell_file::{self, CellVariant};
use crate::{
    EngineError, Result,
    plan::{Plan, Task},
    score::{
        self, AcrossTasks, Predictions, Regret, TaskScores, TaskTruth, TradingRow, VariantName, VariantStatus, Verdict,
    },
    store::Store,
};

/// What a run found.
pub struct Results {
    /// Names of the tasks.
    pub tasks: Vec<String>,
    /// Names of the variants.
    pub variants: Vec<VariantName>,
    /// Scores, task by task.
    pub scores: Vec<TaskScores>,
    /// Comparisons of rankings, pair by pair, task by task.
    pub verdicts: Vec<Verdict>,
    /// What choosing by one measure costs by another.
    pub regrets: Vec<Regret>,
    /// Ranks over all tasks.
    pub across: Vec<AcrossTasks>,
    /// The trading rule with each measure's best variant.
    pub trading: Vec<TradingRow>,
}

impl Results {
    /// Fits of variants on tasks that failed, with their reasons.
    pub fn failures(&self) -> impl Iterator<Item = (usize, usize, &str)> {
        self.scores.iter().enumerate().flat_map(|(t, s)| {
            s.status.iter().enumerate().filter_map(move |(v, status)| match status {
                VariantStatus::Failed { reason } => Some((t, v, reason.as_str())),
                _ => None,
            })
        })
    }
}

/// Derives everything from the stored predictions, task by task, so that memory stays flat as tasks grow.
pub fn results(plan: &Plan, store: &Store<'_>) -> Result<Results> {
    let files = store.finished()?;
    let mut scores = Vec::with_capacity(plan.tasks.len());
    let mut trading = Vec::new();
    for (t, task) in plan.tasks.iter().enumerate() {
        let parts = truths(plan, task)?;
        let predictions = load(plan, t, store, &files)?;
        let found = score::evaluate(&parts, &plan.rules.measures, &predictions).map_err(|e| in_task(task, &e))?;
        trading.extend(score::trading_rows(t, &parts, &found, &predictions).map_err(|e| in_task(task, &e))?);
        scores.push(found);
    }
    let compare = &plan.experiment.compare;
    Ok(Results {
        tasks: plan.tasks.iter().map(|t| t.name.clone()).collect(),
        variants: plan
            .variants
            .iter()
            .map(|v| VariantName { label: v.label.clone(), group: v.group.clone(), params: v.params.to_string() })
            .collect(),
        verdicts: score::compare_tasks(&scores, &plan.pairs, compare, plan.experiment.seed),
        regrets: score::regrets(&scores),
        across: score::across_tasks(&scores, compare.alpha),
        trading,
        scores,
    })
}

/// Writes every table as CSV and Parquet.
pub fn write_results(results: &Results, store: &Store<'_>) -> Result<()> {
    let r = results;
    let tables =
        score::tables(&r.tasks, &r.variants, &r.scores, &r.verdicts, &r.regrets, &r.across, &r.trading);
    for (name, columns) in tables {
        let table = score::frame(columns)?;
        let internal = |e| EngineError::internal("tables", e);
        let folder = store.results();
        store.write(&folder.join(format!("{name}.csv")), &frame::to_csv(&table).map_err(internal)?)?;
        store.write(&folder.join(format!("{name}.parquet")), &frame::to_parquet(&table, &[]).map_err(internal)?)?;
    }
    Ok(())
}

/// The predictions of every variant on one task.
pub fn load_predictions(plan: &Plan, task: usize, store: &Store<'_>) -> Result<Vec<Predictions>> {
    load(plan, task, store, &store.finished()?)
}

type Files = std::collections::BTreeMap<crate::store::CellKey, std::path::PathBuf>;

fn load(plan: &Plan, task: usize, store: &Store<'_>, files: &Files) -> Result<Vec<Predictions>> {
    let splits = plan.tasks[task].splits.len();
    // fits[variant][split]
    let mut fits: Vec<Vec<Option<CellVariant>>> = vec![vec![None; splits]; plan.variants.len()];
    for cell in plan.cells.iter().filter(|c| c.task == task) {
        let Some(path) = files.get(&cell.key) else { continue };
        let Some(bytes) = store.read_cell(path)? else { continue };
        let variants = match cell_file::decode(&bytes) {
            Ok(variants) => variants,
            Err(reason) => {
                store.set_aside(path, &reason)?;
                continue;
            }
        };
        for (&v, found) in cell.variants.iter().zip(variants) {
            fits[v][cell.split] = Some(found);
        }
    }
    let parts = plan.tasks[task].parts();
    Ok(fits.into_iter().map(|of_variant| gather(of_variant, &parts)).collect())
}

/// A variant's fits on all splits of a task as the parts that are scored.
fn gather(fits: Vec<Option<CellVariant>>, parts: &[Vec<usize>]) -> Predictions {
    let mut status = VariantStatus::Fine;
    let mut predictions: Vec<Vec<f64>> = Vec::with_capacity(fits.len());
    let many = fits.len() > 1;
    for (s, fit) in fits.into_iter().enumerate() {
        match fit.map(|f| f.outcome) {
            Some(Ok(fit)) => {
                if !fit.converged {
                    status = VariantStatus::NotConverged;
                }
                predictions.push(fit.predictions);
            }
            Some(Err(failure)) => {
                let reason = if many { format!("split {}: {}", s + 1, failure.reason) } else { failure.reason };
                return Predictions { status: VariantStatus::Failed { reason }, parts: Vec::new() };
            }
            None => return Predictions { status: VariantStatus::Missing, parts: Vec::new() },
        }
    }
    let parts =
        parts.iter().map(|splits| splits.iter().flat_map(|&s| predictions[s].iter().copied()).collect()).collect();
    Predictions { status, parts }
}

/// True values and measure settings of every part of a task; φ is fitted on the training rows of the part's first split.
fn truths(plan: &Plan, task: &Task) -> Result<Vec<TaskTruth>> {
    task.parts()
        .iter()
        .map(|splits| {
            let train = task.train_targets(splits[0]);
            let settings =
                plan.rules.for_task(&task.relevance, &train, task.horizon).map_err(|e| in_task(task, &e))?;
            Ok(TaskTruth { truth: splits.iter().flat_map(|&s| task.test_targets(s)).collect(), settings })
        })
        .collect()
}

fn in_task(task: &Task, error: &dyn std::fmt::Display) -> EngineError {
    EngineError::Score { task: task.name.clone(), problem: error.to_string() }
}
