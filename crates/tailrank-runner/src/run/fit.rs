//! Fits one cell, in this process or in one of its own.

use std::sync::Arc;

use tailrank_data::{Dataset, RawColumn as TableColumn, Rows};
use tailrank_experiment::plan::{Cell, Plan};
use tailrank_models::{
    Cancel, Family, FitContext, MatrixView, Params, RawColumn, RawInputs, RawValues, RowNames, TrainSet,
    fit_grid,
};

use super::{
    RunOptions,
    isolate::{self, Isolation},
    learning::RecipeInputs,
    schedule::JobEnd,
};
use crate::{
    EngineError, Result,
    programs::{CommandFamily, Workplace, numbered},
    store::cell_file::{CellFailure, CellFit, CellVariant, FailureKind},
};

/// Fits the one cell of a plan that is stored nowhere; the machine's own failures are told as such.
pub fn fit_alone(plan: &Plan, options: &RunOptions, cancel: &Cancel) -> Result<CellFit> {
    let Some(cell) = plan.cells.first() else {
        return Err(EngineError::internal("fit", "a plan without a cell"));
    };
    let workplace = options.workplace(plan, cancel);
    let fitted = fit_cell(plan, cell, None, &workplace, cancel).into_iter().next();
    if cancel.is_cancelled() {
        return Err(EngineError::Interrupted);
    }
    let name = format!("{} on {}", plan.variants[0].label, plan.tasks[cell.task].name);
    match fitted.map(|variant| variant.outcome) {
        Some(Ok(fit)) => Ok(fit),
        Some(Err(failure)) if failure.kind == FailureKind::System => {
            Err(EngineError::Machine { cell: name, problem: failure.reason })
        }
        Some(Err(failure)) => Err(EngineError::Fit { model: name, reason: failure.reason }),
        None => Err(EngineError::internal("fit", "a cell without a variant")),
    }
}

/// Fits a cell of a plan with whatever it needs around it.
pub(super) fn fit_cell(
    plan: &Plan,
    cell: &Cell,
    isolation: Option<Isolation>,
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
    let learning = RecipeInputs::of(plan, cell, &data);
    let variant = &plan.variants[cell.variants[0]];
    let Some(grid) = plan.experiment.grid(variant.grid) else {
        return all_failed(&cell.params, "the experiment has no such grid");
    };
    let (cols, test_rows) = (data.input_names.len(), data.test.targets.len());
    let rows =
        match CellRows::new(cols, &data.train.inputs, &data.train.targets, &data.test.inputs, test_rows) {
            Ok(rows) => rows,
            Err(e) => return all_failed(&cell.params, &e.to_string()),
        };
    // Rows that steps made are numbers and nothing else.
    let is_raw = cell.family.takes_raw() && learning.is_none();
    let raw = is_raw.then(|| Arc::new(raw_inputs(plan, cell, &rows, &data.input_names)));
    let names = RowNames { task: task.name.clone(), inputs: data.input_names.clone() };
    let program = grid.program();
    // A family of the library's user is in this program alone, and a program is a process of its own.
    if let Some(isolation) = isolation.filter(|_| !variant.own_family && program.is_none()) {
        return isolate::fit(isolation, workplace, grid, cell, &rows, names, learning, cancel);
    }
    // Only now is it known where programs run.
    let family: Arc<dyn Family> = match program {
        Some(program) => Arc::new(CommandFamily::new(program, workplace.clone())),
        None => Arc::clone(&cell.family),
    };
    let names = Some(Arc::new(names));
    // A cell's own limit must not depend on how many run beside it, or results would depend on `jobs`.
    let memory_bytes = plan.experiment.limits.memory_bytes();
    let context = FitContext { seed: cell.seed, memory_bytes, cancel: cancel.clone(), raw, names };
    fit_rows(&*family, learning.as_ref(), &rows, &cell.params, &context)
}

/// The inputs of a cell's rows as the data has them: the training rows, and the test rows with the validation
/// rows behind.
fn raw_inputs(plan: &Plan, cell: &Cell, rows: &CellRows<'_>, names: &[String]) -> RawInputs {
    let task = &plan.tasks[cell.task];
    let split = &task.splits[cell.split];
    let Dataset::Table(table) = &*task.data else {
        return numbered(rows.train.x, rows.test, names);
    };
    let of = |(name, column): (&str, TableColumn<'_>)| RawColumn {
        name: name.to_owned(),
        values: match column {
            TableColumn::Numbers(values) => RawValues::Numbers(values),
            TableColumn::Categories { codes, levels } => {
                RawValues::Categories { codes, levels: levels.into() }
            }
        },
    };
    let predicted = [&split.test].into_iter().chain(&split.validation).flat_map(Rows::iter).collect();
    let columns = |rows: Vec<usize>| table.raw_columns(rows).into_iter().map(of).collect();
    RawInputs { train: columns(split.train.iter().collect()), test: columns(predicted) }
}

/// Rows to learn from and rows to predict.
pub(super) struct CellRows<'a> {
    pub(super) train: TrainSet<'a>,
    pub(super) test: MatrixView<'a>,
}

impl<'a> CellRows<'a> {
    /// Rows of so many inputs.
    pub(super) fn new(
        cols: usize,
        train: &'a [f64],
        targets: &'a [f64],
        test: &'a [f64],
        test_rows: usize,
    ) -> tailrank_models::Result<Self> {
        let train = TrainSet::new(MatrixView::new(targets.len(), cols, train)?, targets);
        Ok(Self { train, test: MatrixView::new(test_rows, cols, test)? })
    }
}

/// Fits one cell: the same in this process and in one of its own.
pub(super) fn fit_rows(
    family: &dyn Family,
    learning: Option<&RecipeInputs>,
    rows: &CellRows<'_>,
    params: &[Params],
    context: &FitContext,
) -> Vec<CellVariant> {
    let answers = match learning {
        Some(learning) => learning.fit(family, rows.train, rows.test, params, context),
        None => fit_grid(family, rows.train, rows.test, params, context),
    };
    match answers {
        Ok(answers) => params.iter().zip(answers).map(|(p, a)| CellVariant::new(p, a)).collect(),
        Err(e) => all_failed(params, &e.to_string()),
    }
}

fn all_failed(params: &[Params], reason: &str) -> Vec<CellVariant> {
    CellVariant::all_failed(params, &CellFailure::new(FailureKind::Error, reason))
}

pub(super) fn variants_of(cell: &Cell, end: JobEnd<Vec<CellVariant>>) -> Vec<CellVariant> {
    let failure = match end {
        JobEnd::Done(variants) => return variants,
        JobEnd::Panicked(message) => CellFailure::panicked(&message),
        JobEnd::Hung => CellFailure::new(FailureKind::Timeout, "passed the time limit and did not stop"),
    };
    CellVariant::all_failed(&cell.params, &failure)
}

/// Whether every variant has predictions. Once a run is stopped only such cells count: a signal to all of its
/// processes ends fits in many ways, and a failure that is a model's own comes again.
pub(super) fn is_complete(variants: &[CellVariant]) -> bool {
    variants.iter().all(|v| v.outcome.is_ok())
}
