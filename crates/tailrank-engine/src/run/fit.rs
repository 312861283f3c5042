//! Fits one cell, in this process or in one of its own.

use std::sync::Arc;

use tailrank_models::{Cancel, Family, FitContext, MatrixView, Params, TrainSet, fit_grid};

use super::{
    cell_file::{CellVariant, SYSTEM, TIMEOUT},
    isolate::{self, CellRows, Isolation},
    learning::Learning,
    schedule::JobEnd,
};
use crate::{
    families::{Families, Workplace, is_want_of_threads},
    plan::{Cell, Plan},
};

/// Fits a cell of a plan with whatever it needs around it.
pub(super) fn fit_cell(
    plan: &Plan,
    cell: &Cell,
    memory_bytes: usize,
    isolation: Option<&Isolation>,
    workplace: &Workplace,
    cancel: &Cancel,
) -> Vec<CellVariant> {
    let task = &plan.tasks[cell.task];
    let mut data = match task.data.prepare(&task.splits[cell.split]) {
        Ok(data) => data,
        Err(e) => return all_failed(&cell.params, &e.to_string()),
    };
    // One fit predicts both: the rows that judge, then the rows that choose.
    if let Some(validation) = data.validation.take() {
        data.test.inputs.extend(validation.inputs);
        data.test.targets.extend(validation.targets);
    }
    let cols = data.input_names.len();
    let learning = Learning::of(plan, cell, &data);
    let variant = &plan.variants[cell.variants[0]];
    let Some(grid) = plan.experiment.grid(variant.grid) else {
        return all_failed(&cell.params, "the experiment has no such grid");
    };
    // A family of the library's user is in this program alone.
    if let Some(isolation) = isolation.filter(|_| !variant.own_family) {
        let rows = CellRows {
            cols,
            train: &data.train.inputs,
            targets: &data.train.targets,
            test: &data.test.inputs,
            test_rows: data.test.targets.len(),
            learning: learning.as_ref(),
        };
        let timeout = plan.experiment.limits.cell_timeout();
        return isolate::fit(isolation, grid, workplace, &cell.params, &rows, cell.seed, timeout, cancel);
    }
    // Only now is it known where programs run.
    let family = match cell.family.name() {
        "command" => Families::built_in().of_grid(grid, workplace.clone()),
        _ => Ok(Arc::clone(&cell.family)),
    };
    let family = match family {
        Ok(family) => family,
        Err(e) => return all_failed(&cell.params, &e),
    };
    let context = FitContext { seed: cell.seed, memory_bytes, cancel: cancel.clone() };
    let views = MatrixView::new(data.train.targets.len(), cols, &data.train.inputs)
        .and_then(|x| Ok((x, MatrixView::new(data.test.targets.len(), cols, &data.test.inputs)?)));
    match views {
        Ok((x, test)) => {
            let train = TrainSet::new(x, &data.train.targets);
            fit_rows(&*family, learning.as_ref(), train, test, &cell.params, &context)
        }
        Err(e) => all_failed(&cell.params, &e.to_string()),
    }
}

/// Fits one cell: the same in this process and in one of its own.
pub(super) fn fit_rows(
    family: &dyn Family,
    learning: Option<&Learning>,
    train: TrainSet<'_>,
    test: MatrixView<'_>,
    params: &[Params],
    context: &FitContext,
) -> Vec<CellVariant> {
    let fitted = match learning {
        Some(learning) => learning.fit(family, train, test, params, context),
        None => fit_grid(family, train, test, params, context),
    };
    match fitted {
        Ok(answers) => params.iter().zip(answers).map(|(p, a)| CellVariant::new(p.to_string(), a)).collect(),
        Err(e) => all_failed(params, &e.to_string()),
    }
}

fn all_failed(params: &[Params], reason: &str) -> Vec<CellVariant> {
    params.iter().map(|p| CellVariant::failed(p.to_string(), "error", reason)).collect()
}

pub(super) fn variants_of(cell: &Cell, end: JobEnd<Option<Vec<CellVariant>>>) -> Vec<CellVariant> {
    let failed = |kind: &str, reason: &str| {
        cell.params.iter().map(|p| CellVariant::failed(p.to_string(), kind, reason)).collect()
    };
    match end {
        JobEnd::Done(variants) => variants.unwrap_or_default(),
        JobEnd::Panicked(message) if is_want_of_threads(&message) => failed(SYSTEM, &message),
        JobEnd::Panicked(message) => failed("panic", &format!("panicked: {message}")),
        JobEnd::Hung => failed(TIMEOUT, "passed the time limit and did not stop"),
    }
}

/// Whether every variant has predictions. Once a run is stopped only such cells count: a signal to all of its processes ends fits in many
/// ways, and a failure that is a model's own comes again.
pub(super) fn is_complete(variants: &[CellVariant]) -> bool {
    variants.iter().all(|v| v.outcome.is_ok())
}
