//! Predictions read back from the store, put together as they are scored.

use std::collections::{BTreeMap, HashSet};

use super::{Predictions, TaskId, TaskTruth, VariantId, VariantStatus};
use crate::{
    EngineError, Result,
    plan::{Cell, Plan, Task},
    store::{Files, Store, cell_file::CellVariant},
};

/// The predictions of every variant on one task. For several tasks, list once: [`StoredPredictions`].
pub fn load_predictions(plan: &Plan, task: TaskId, store: &Store<'_>) -> Result<Vec<Predictions>> {
    StoredPredictions::list(plan, store)?.of_task(task)
}

/// The stored cells of a plan by task and group: the cells of one group hold the same variants, split after
/// split.
pub struct StoredPredictions<'a> {
    pub(super) plan: &'a Plan,
    pub(super) store: &'a Store<'a>,
    pub(super) files: Files,
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
    pub fn of_task(&self, task: TaskId) -> Result<Vec<Predictions>> {
        self.only(task, VariantId::all(self.plan.variants.len()))
    }

    /// The predictions of one variant on one task.
    pub fn of_variant(&self, task: TaskId, variant: VariantId) -> Result<Predictions> {
        Ok(self.only(task, [variant])?.swap_remove(variant.0))
    }

    /// Cells of one task, group by group.
    pub(super) fn groups(&self, task: TaskId) -> impl Iterator<Item = &[&'a Cell]> {
        self.groups[task].values().map(Vec::as_slice)
    }

    /// The predictions of the variants of one group.
    pub(super) fn load(&self, cells: &[&Cell]) -> Result<Vec<(VariantId, Loaded)>> {
        let Some(first) = cells.first() else { return Ok(Vec::new()) };
        let task = &self.plan.tasks[first.task];
        let mut fits: Vec<Vec<Option<CellVariant>>> =
            vec![vec![None; task.splits.len()]; first.variants.len()];
        for cell in cells {
            let found = self.store.read_files(self.plan, cell, &self.files)?;
            if let Some(counts) = found.whole.into_iter().next() {
                for (of_variant, found) in fits.iter_mut().zip(counts.variants) {
                    of_variant[cell.split] = Some(found);
                }
            }
        }
        let gathered = fits.iter().map(|of_variant| Loaded {
            test: gather(task, of_variant, Role::Test),
            validation: gather(task, of_variant, Role::Validation),
        });
        Ok(first.variants.iter().map(|&v| VariantId(v)).zip(gathered).collect())
    }

    /// The predictions of some variants of a task; the others are missing.
    pub(super) fn only(
        &self,
        task: TaskId,
        wanted: impl IntoIterator<Item = VariantId>,
    ) -> Result<Vec<Predictions>> {
        let wanted: HashSet<VariantId> = wanted.into_iter().collect();
        let mut found = vec![Predictions::missing(); self.plan.variants.len()];
        for cells in self.groups(task) {
            if cells.first().is_none_or(|c| !c.variants.iter().any(|&v| wanted.contains(&VariantId(v)))) {
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
pub(super) enum Role {
    /// To judge by.
    Test,
    /// To choose by.
    Validation,
}

/// A variant's predictions for the rows of either role.
pub(super) struct Loaded {
    pub(super) test: Predictions,
    pub(super) validation: Predictions,
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

/// True values and measure settings of every part of a task's test.
pub fn test_parts(plan: &Plan, task: &Task) -> Result<Vec<TaskTruth>> {
    truths(plan, task, Role::Test)
}

/// True values and measure settings of every part of a task; φ is fitted on the training rows of the part's
/// first split, also where validation rows are scored. Empty where a task has no such rows.
pub(super) fn truths(plan: &Plan, task: &Task, role: Role) -> Result<Vec<TaskTruth>> {
    if role == Role::Validation && task.splits.iter().any(|s| s.validation.is_none()) {
        return Ok(Vec::new());
    }
    let targets = task.data.targets();
    let rows_of = |split: usize| -> Vec<usize> {
        match role {
            Role::Test => task.splits[split].test.iter().collect(),
            Role::Validation => {
                task.splits[split].validation.iter().flat_map(tailrank_data::Rows::iter).collect()
            }
        }
    };
    task.parts()
        .iter()
        .enumerate()
        .map(|(part, splits)| {
            let train = task.train_targets(splits[0]);
            let settings =
                task.settings(&plan.rules, &train).map_err(|e| EngineError::score(&task.name, e))?;
            let rows: Vec<usize> = splits.iter().flat_map(|&s| rows_of(s)).collect();
            let truth = rows.iter().map(|&r| targets[r]).collect();
            Ok(TaskTruth { truth, settings, repeat: task.repeat_of(part), train: train.len(), rows })
        })
        .collect()
}
