//! What a run found: everything derived from the stored predictions, and the tables it is written to.

use std::{
    collections::{BTreeMap, HashSet},
    path::PathBuf,
};

use tailrank_data::frame;
use tailrank_metrics::MetricError;

use super::cell_file::{self, CellVariant};
use crate::{
    EngineError, Result,
    plan::{Cell, Plan, Task},
    score::{
        self, AcrossTasks, Predictions, Regret, TaskScores, TaskTruth, TradingRow, VariantName,
        VariantStatus, Verdict,
    },
    store::{CellKey, Store},
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

/// Derives everything from the stored predictions, cell by cell, so that memory stays flat as cells grow.
pub fn results(plan: &Plan, store: &Store<'_>) -> Result<Results> {
    let index = Index::new(plan, store)?;
    let mut scores = Vec::with_capacity(plan.tasks.len());
    let mut trading = Vec::new();
    for (t, task) in plan.tasks.iter().enumerate() {
        let parts = truths(plan, task)?;
        let failed = |e: MetricError| in_task(task, &e);
        let mut scorer =
            score::TaskScorer::new(&parts, &plan.rules.measures, plan.variants.len()).map_err(failed)?;
        for cells in index.groups[t].values() {
            for (variant, predictions) in index.load(cells)? {
                scorer.add(variant, &predictions).map_err(failed)?;
            }
        }
        let found = scorer.finish();
        if plan.rules.trading.is_some() && parts.len() == 1 {
            let traded =
                index.only(t, found.measures.iter().filter_map(|&m| score::best_variant(&found, m)))?;
            trading.extend(score::trading_rows(t, &parts, &found, &traded).map_err(failed)?);
        }
        scores.push(found);
    }
    let compare = &plan.experiment.compare;
    Ok(Results {
        tasks: plan.tasks.iter().map(|t| t.name.clone()).collect(),
        variants: plan
            .variants
            .iter()
            .map(|v| VariantName {
                label: v.label.clone(),
                group: v.group.clone(),
                params: v.params.to_string(),
            })
            .collect(),
        verdicts: score::compare_tasks(&scores, &plan.pairs, compare, plan.experiment.seed),
        regrets: score::regrets(&scores),
        across: score::across_tasks(&scores, compare.alpha),
        trading,
        scores,
    })
}

/// Writes every table as CSV and Parquet. Tables of an earlier state that are no longer made are removed.
pub fn write_results(results: &Results, store: &Store<'_>) -> Result<()> {
    let r = results;
    let tables =
        score::tables(&r.tasks, &r.variants, &r.scores, &r.verdicts, &r.regrets, &r.across, &r.trading);
    let made: Vec<&str> = tables.iter().map(|(name, _)| *name).collect();
    store.remove_tables(|name| !made.contains(&name))?;
    for (name, columns) in tables {
        let table = score::frame(columns)?;
        let internal = |e| EngineError::internal("tables", e);
        let folder = store.results();
        store.write(&folder.join(format!("{name}.csv")), &frame::to_csv(&table).map_err(internal)?)?;
        store.write(
            &folder.join(format!("{name}.parquet")),
            &frame::to_parquet(&table, &[]).map_err(internal)?,
        )?;
    }
    Ok(())
}

/// The predictions of every variant on one task.
pub fn load_predictions(plan: &Plan, task: usize, store: &Store<'_>) -> Result<Vec<Predictions>> {
    Index::new(plan, store)?.only(task, 0..plan.variants.len())
}

/// The stored cells of a plan by task and group: the cells of one group hold the same variants, split after split.
struct Index<'a> {
    plan: &'a Plan,
    store: &'a Store<'a>,
    files: BTreeMap<CellKey, PathBuf>,
    /// Cells of every task, by the first variant of their group.
    groups: Vec<BTreeMap<usize, Vec<&'a Cell>>>,
}

impl<'a> Index<'a> {
    fn new(plan: &'a Plan, store: &'a Store<'a>) -> Result<Self> {
        let mut groups = vec![BTreeMap::new(); plan.tasks.len()];
        for cell in &plan.cells {
            let Some(&first) = cell.variants.first() else { continue };
            let of_group: &mut Vec<&Cell> = groups[cell.task].entry(first).or_default();
            of_group.push(cell);
        }
        Ok(Self { plan, store, files: store.finished()?, groups })
    }

    /// The predictions of the variants of one group.
    fn load(&self, cells: &[&Cell]) -> Result<Vec<(usize, Predictions)>> {
        let Some(first) = cells.first() else { return Ok(Vec::new()) };
        let task = &self.plan.tasks[first.task];
        let mut fits: Vec<Vec<Option<CellVariant>>> =
            vec![vec![None; task.splits.len()]; first.variants.len()];
        for cell in cells {
            let Some(path) = self.files.get(&cell.key) else { continue };
            let Some(bytes) = self.store.read_cell(path)? else { continue };
            match cell_file::decode_for(&bytes, task.splits[cell.split].test.len(), &cell.params) {
                Ok(variants) => {
                    for (of_variant, found) in fits.iter_mut().zip(variants) {
                        of_variant[cell.split] = Some(found);
                    }
                }
                Err(reason) => self.store.set_aside(path, &reason)?,
            }
        }
        let parts = task.parts();
        let gathered = fits.into_iter().map(|of_variant| gather(of_variant, &parts));
        Ok(first.variants.iter().copied().zip(gathered).collect())
    }

    /// The predictions of some variants of a task; the others are missing.
    fn only(&self, task: usize, wanted: impl IntoIterator<Item = usize>) -> Result<Vec<Predictions>> {
        let wanted: HashSet<usize> = wanted.into_iter().collect();
        let missing = Predictions { status: VariantStatus::Missing, parts: Vec::new() };
        let mut found = vec![missing; self.plan.variants.len()];
        for cells in self.groups[task].values() {
            if cells.first().is_none_or(|c| !c.variants.iter().any(|v| wanted.contains(v))) {
                continue;
            }
            for (variant, predictions) in self.load(cells)? {
                if wanted.contains(&variant) {
                    found[variant] = predictions;
                }
            }
        }
        Ok(found)
    }
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
                let reason =
                    if many { format!("split {}: {}", s + 1, failure.reason) } else { failure.reason };
                return Predictions { status: VariantStatus::Failed { reason }, parts: Vec::new() };
            }
            None => return Predictions { status: VariantStatus::Missing, parts: Vec::new() },
        }
    }
    let parts = parts
        .iter()
        .map(|splits| splits.iter().flat_map(|&s| predictions[s].iter().copied()).collect())
        .collect();
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
