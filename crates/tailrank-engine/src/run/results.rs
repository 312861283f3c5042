//! What a run found: everything derived from the stored predictions, and the tables it is written to.

use std::{
    collections::{BTreeMap, HashSet},
    path::PathBuf,
};

use rayon::prelude::*;
use tailrank_data::frame;
use tailrank_metrics::MetricError;
use tailrank_models::Cancel;

use super::{cell_file::CellVariant, resolve::read_files};
use crate::{
    EngineError, Result,
    plan::{Cell, Plan, Task},
    score::{
        self, AcrossTasks, Predictions, Regret, Selection, TaskScores, TaskTruth, TradingRow, VariantName,
        VariantStatus, Verdict,
    },
    store::{Basis, CellKey, RECORD, Store, TableRecord},
};

/// What a run found.
pub struct Results {
    /// What all of it was made from.
    pub basis: Basis,
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
    /// What choosing on validation rows gives on the test; empty without such rows.
    pub selection: Vec<Selection>,
}

impl Results {
    /// Fits of variants on tasks that are not stored.
    pub fn missing(&self) -> usize {
        let statuses = self.scores.iter().flat_map(|task| &task.status);
        statuses.filter(|status| matches!(status, VariantStatus::Missing)).count()
    }

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
    results_unless(&Cancel::default(), plan, store)
}

/// [`results`], given up with [`EngineError::Interrupted`] once `cancel` is set: before the next task, and at the end.
pub fn results_unless(cancel: &Cancel, plan: &Plan, store: &Store<'_>) -> Result<Results> {
    let index = StoredPredictions::list(plan, store)?;
    // Tasks side by side, put together in their order.
    let scored: Vec<Result<ScoredTask>> = (0..plan.tasks.len())
        .into_par_iter()
        .map(|t| going_on(cancel).and_then(|()| score_task(plan, &index, t)))
        .collect();
    let mut scores = Vec::with_capacity(plan.tasks.len());
    let (mut trading, mut selection) = (Vec::new(), Vec::new());
    for task in scored {
        let task = task?;
        scores.push(task.scores);
        selection.extend(task.selection);
        trading.extend(task.trading);
    }
    let compare = &plan.experiment.compare;
    let verdicts = score::compare_tasks(&scores, &plan.pairs, compare, plan.experiment.seed);
    going_on(cancel)?;
    Ok(Results {
        basis: plan.basis(),
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
        verdicts,
        regrets: score::regrets(&scores),
        across: score::across_tasks(&scores, compare.alpha),
        trading,
        selection,
        scores,
    })
}

fn going_on(cancel: &Cancel) -> Result<()> {
    if cancel.is_cancelled() { Err(EngineError::Interrupted) } else { Ok(()) }
}

/// What one task's predictions say.
struct ScoredTask {
    scores: TaskScores,
    selection: Vec<Selection>,
    trading: Vec<TradingRow>,
}

fn score_task(plan: &Plan, index: &StoredPredictions<'_>, t: usize) -> Result<ScoredTask> {
    let task = &plan.tasks[t];
    let parts = truths(plan, task, Role::Test)?;
    let validation = truths(plan, task, Role::Validation)?;
    let failed = |e: MetricError| in_task(task, &e);
    let scorer_of =
        |rows| score::TaskScorer::new(rows, &plan.rules.measures, plan.variants.len()).map_err(failed);
    let mut scorer = scorer_of(&parts)?;
    let mut chooser = if validation.is_empty() { None } else { Some(scorer_of(&validation)?) };
    for cells in index.groups[t].values() {
        for (variant, loaded) in index.load(cells)? {
            scorer.add(variant, &loaded.test).map_err(failed)?;
            if let Some(chooser) = &mut chooser {
                chooser.add(variant, &loaded.validation).map_err(failed)?;
            }
        }
    }
    let scores = scorer.finish();
    let selection = chooser.map(|c| score::selections(t, &c.finish(), &scores)).unwrap_or_default();
    let mut trading = Vec::new();
    if plan.rules.trading.is_some() && parts.len() == 1 {
        let best = scores.measures.iter().filter_map(|&m| score::best_variant(&scores, m));
        let traded = index.only(t, best)?;
        trading.extend(score::trading_rows(t, &parts, &scores, &traded).map_err(failed)?);
    }
    Ok(ScoredTask { scores, selection, trading })
}

/// Writes every table as CSV and Parquet. Tables of an earlier state that are no longer made are removed.
pub fn write_results(results: &Results, store: &Store<'_>) -> Result<()> {
    store.write_derived(&table_files(results)?)
}

/// The bytes of every table, by file name: `scores.csv`, `scores.parquet` and so on; the record of them all comes last.
pub fn table_files(results: &Results) -> Result<Vec<(String, Vec<u8>)>> {
    let r = results;
    let tables = score::tables(
        &r.tasks,
        &r.variants,
        &r.scores,
        &r.verdicts,
        &r.regrets,
        &r.across,
        &r.trading,
        &r.selection,
    );
    let internal = |e| EngineError::internal("tables", e);
    let mut files = Vec::new();
    for (name, columns) in tables {
        let table = score::frame(columns)?;
        files.push((format!("{name}.csv"), frame::to_csv(&table).map_err(internal)?));
        files.push((format!("{name}.parquet"), frame::to_parquet(&table, &[]).map_err(internal)?));
    }
    let record = TableRecord::new(&results.basis, results.missing(), &files).to_bytes()?;
    files.push((RECORD.to_owned(), record));
    Ok(files)
}

/// The predictions of every variant on one task. For several tasks, list once: [`StoredPredictions`].
pub fn load_predictions(plan: &Plan, task: usize, store: &Store<'_>) -> Result<Vec<Predictions>> {
    StoredPredictions::list(plan, store)?.of_task(task)
}

/// The stored cells of a plan by task and group: the cells of one group hold the same variants, split after split.
pub struct StoredPredictions<'a> {
    plan: &'a Plan,
    store: &'a Store<'a>,
    files: BTreeMap<CellKey, Vec<PathBuf>>,
    /// Cells of every task, by the first variant of their group.
    groups: Vec<BTreeMap<usize, Vec<&'a Cell>>>,
}

impl<'a> StoredPredictions<'a> {
    /// Lists the store; predictions are read task by task.
    pub fn list(plan: &'a Plan, store: &'a Store<'a>) -> Result<Self> {
        let mut groups = vec![BTreeMap::new(); plan.tasks.len()];
        for cell in &plan.cells {
            let Some(&first) = cell.variants.first() else { continue };
            let of_group: &mut Vec<&Cell> = groups[cell.task].entry(first).or_default();
            of_group.push(cell);
        }
        Ok(Self { plan, store, files: store.files()?, groups })
    }

    /// The predictions of every variant on one task.
    pub fn of_task(&self, task: usize) -> Result<Vec<Predictions>> {
        self.only(task, 0..self.plan.variants.len())
    }

    /// The predictions of the variants of one group.
    fn load(&self, cells: &[&Cell]) -> Result<Vec<(usize, Loaded)>> {
        let Some(first) = cells.first() else { return Ok(Vec::new()) };
        let task = &self.plan.tasks[first.task];
        let mut fits: Vec<Vec<Option<CellVariant>>> =
            vec![vec![None; task.splits.len()]; first.variants.len()];
        for cell in cells {
            let Some(files) = self.files.get(&cell.key) else { continue };
            let Some(counts) = read_files(self.plan, cell, files, self.store)?.whole.into_iter().next()
            else {
                continue;
            };
            for (of_variant, found) in fits.iter_mut().zip(counts.variants) {
                of_variant[cell.split] = Some(found);
            }
        }
        let gathered = fits.iter().map(|of_variant| Loaded {
            test: gather(task, of_variant, Role::Test),
            validation: gather(task, of_variant, Role::Validation),
        });
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
            for (variant, loaded) in self.load(cells)? {
                if wanted.contains(&variant) {
                    found[variant] = loaded.test;
                }
            }
        }
        Ok(found)
    }
}

/// Which rows of a split are scored.
#[derive(Clone, Copy, PartialEq)]
enum Role {
    /// To judge by.
    Test,
    /// To choose by.
    Validation,
}

/// A variant's predictions for the rows of either role.
struct Loaded {
    test: Predictions,
    validation: Predictions,
}

/// A variant's fits on all splits of a task as the parts that are scored.
fn gather(task: &Task, fits: &[Option<CellVariant>], role: Role) -> Predictions {
    let none = |status| Predictions { status, parts: Vec::new() };
    let mut status = VariantStatus::Fine;
    let mut predictions: Vec<&[f64]> = Vec::with_capacity(fits.len());
    for (s, fit) in fits.iter().enumerate() {
        match fit.as_ref().map(|f| &f.outcome) {
            Some(Ok(fit)) => {
                if !fit.converged {
                    status = VariantStatus::NotConverged;
                }
                // A cell predicts the test rows of its split, then the validation rows.
                let (test, validation) = fit.predictions.split_at(task.splits[s].test.len());
                predictions.push(if role == Role::Test { test } else { validation });
            }
            Some(Err(failure)) => {
                let reason = match fits.len() {
                    1 => failure.reason.clone(),
                    _ => format!("split {}: {}", s + 1, failure.reason),
                };
                return none(VariantStatus::Failed { reason });
            }
            None => return none(VariantStatus::Missing),
        }
    }
    let of_part = |splits: &Vec<usize>| splits.iter().flat_map(|&s| predictions[s]).copied().collect();
    Predictions { status, parts: task.parts().iter().map(of_part).collect() }
}

/// True values and measure settings of every part of a task; φ is fitted on the training rows of the part's first split,
/// also where validation rows are scored. Empty where a task has no such rows.
fn truths(plan: &Plan, task: &Task, role: Role) -> Result<Vec<TaskTruth>> {
    if role == Role::Validation && task.splits.iter().any(|s| s.validation.is_none()) {
        return Ok(Vec::new());
    }
    let targets = |split: usize| match role {
        Role::Test => task.test_targets(split),
        Role::Validation => task.validation_targets(split).unwrap_or_default(),
    };
    task.parts()
        .iter()
        .map(|splits| {
            let train = task.train_targets(splits[0]);
            let settings =
                plan.rules.for_task(&task.relevance, &train, task.horizon).map_err(|e| in_task(task, &e))?;
            Ok(TaskTruth { truth: splits.iter().flat_map(|&s| targets(s)).collect(), settings })
        })
        .collect()
}

fn in_task(task: &Task, error: &dyn std::fmt::Display) -> EngineError {
    EngineError::Score { task: task.name.clone(), problem: error.to_string() }
}
