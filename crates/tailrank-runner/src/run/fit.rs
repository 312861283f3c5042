//! Fits one cell, in this process or in one of its own.

use tailrank_data::{Dataset, Rows, Values};
use tailrank_experiment::config::ModelGrid;
use tailrank_models::{RawColumn, RawInputs, RawValues, RowNames, fit_grid};

use super::*;
use crate::programs::{CommandFamily, numbered};

/// Fits the one cell of a plan that is stored nowhere; the machine's own failures are told as such.
pub fn fit_alone(plan: &Plan, options: &RunOptions, cancel: &Cancel) -> Result<CellFit> {
    let cell = plan.cells.first().ok_or_else(|| EngineError::internal("fit", "a plan without a cell"))?;
    let fitted = fit_cell(plan, cell, None, &options.workplace(plan, cancel), cancel).pop();
    if cancel.is_cancelled() {
        return Err(EngineError::Interrupted);
    }
    let name = name_of(plan, cell);
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
    let held_to_memory = isolation.is_some_and(|isolation| isolation.held_to_memory);
    let work = match CellWork::of(plan, cell, held_to_memory) {
        Ok(work) => work,
        Err(reason) => return all_failed(&cell.params, &reason),
    };
    let program = work.grid.program();
    // A family of the library's user is in this program alone, and a program is a process of its own.
    if isolation.is_some() && !plan.variants[cell.variants[0]].own_family && program.is_none() {
        return isolate::fit(&work, cell, workplace, cancel);
    }
    // Only now is it known where programs run.
    let family: Arc<dyn Family> = match program {
        Some(program) => Arc::new(CommandFamily::new(program, workplace.clone())),
        None => Arc::clone(&cell.family),
    };
    // Rows that steps made are numbers and nothing else.
    let is_raw = cell.family.takes_raw() && work.learning.is_none();
    let raw = if is_raw { raw_inputs(plan, cell, &work) } else { None };
    work.fit(&*family, cell.seed, raw.map(Arc::new), cancel.clone())
}

/// The inputs of a cell's rows as the data has them: the training rows, and the test rows with the validation
/// rows behind.
fn raw_inputs(plan: &Plan, cell: &Cell, work: &CellWork) -> Option<RawInputs> {
    let task = &plan.tasks[cell.task];
    let split = &task.splits[cell.split];
    let Dataset::Table(table) = &*task.data else {
        let (train, test) = work.rows().ok()?;
        return Some(numbered(train.x, test, &work.inputs));
    };
    let of = |(name, values): (&str, Values)| RawColumn {
        name: name.to_owned(),
        values: match values {
            Values::Numeric(values) => RawValues::Numbers(values),
            Values::Categorical { codes, levels } => RawValues::Categories { codes, levels: levels.into() },
        },
    };
    let predicted = [&split.test].into_iter().chain(&split.validation).flat_map(Rows::iter).collect();
    let columns = |rows: Vec<usize>| table.raw_columns(rows).into_iter().map(of).collect();
    Some(RawInputs { train: columns(split.train.iter().collect()), test: columns(predicted) })
}

/// A cell with all that its fit needs: the same in this process and in one of its own.
#[derive(Serialize, Deserialize)]
pub(super) struct CellWork {
    pub(super) key: String,
    /// As text, because TOML's whole numbers end at 2^63.
    pub(super) seed: String,
    pub(super) memory_mb: usize,
    pub(super) held_to_memory: bool,
    pub(super) train_rows: usize,
    pub(super) test_rows: usize,
    pub(super) task: String,
    pub(super) inputs: Vec<String>,
    learning: Option<RecipeInputs>,
    pub(super) grid: ModelGrid,
    pub(super) variants: Vec<Params>,
    /// The rows, which are sent as they are.
    #[serde(skip)]
    pub(super) train: Vec<f64>,
    #[serde(skip)]
    pub(super) targets: Vec<f64>,
    #[serde(skip)]
    pub(super) test: Vec<f64>,
}

impl CellWork {
    /// The work of a planned cell; the reason if there is none.
    fn of(plan: &Plan, cell: &Cell, held_to_memory: bool) -> std::result::Result<Self, String> {
        let task = &plan.tasks[cell.task];
        let mut data = task.data.prepare(&task.splits[cell.split]).map_err(|e| e.to_string())?;
        // One fit predicts both: the rows that judge, then the rows that choose.
        if let Some(validation) = data.validation.take() {
            data.test.inputs.extend(validation.inputs);
            data.test.targets.extend(validation.targets);
        }
        let grid = plan.experiment.grid(plan.variants[cell.variants[0]].grid);
        Ok(Self {
            key: cell.key.as_str().to_owned(),
            seed: cell.seed.to_string(),
            // A cell's own limit must not depend on how many run beside it, or results would depend on
            // `jobs`.
            memory_mb: plan.experiment.limits.memory_mb,
            held_to_memory,
            train_rows: data.train.targets.len(),
            test_rows: data.test.targets.len(),
            task: task.name.clone(),
            learning: RecipeInputs::of(plan, cell, &data),
            inputs: data.input_names,
            grid: grid.ok_or("the experiment has no such grid")?.clone(),
            variants: cell.params.clone(),
            train: data.train.inputs,
            targets: data.train.targets,
            test: data.test.inputs,
        })
    }

    /// Rows to learn from and rows to predict.
    fn rows(&self) -> tailrank_models::Result<(TrainSet<'_>, MatrixView<'_>)> {
        let cols = self.inputs.len();
        let train = MatrixView::new(self.train_rows, cols, &self.train)?;
        Ok((TrainSet::new(train, &self.targets), MatrixView::new(self.test_rows, cols, &self.test)?))
    }

    /// Fits every variant.
    pub(super) fn fit(
        &self,
        family: &dyn Family,
        seed: u64,
        raw: Option<Arc<RawInputs>>,
        cancel: Cancel,
    ) -> Vec<CellVariant> {
        let names = Some(Arc::new(RowNames { task: self.task.clone(), inputs: self.inputs.clone() }));
        let memory_bytes = self.memory_mb.saturating_mul(1 << 20);
        let context = FitContext { seed, memory_bytes, cancel, raw, names };
        let answers = self.rows().and_then(|(train, test)| match &self.learning {
            Some(learning) => learning.with_steps(train, |recipe, steps| {
                recipe.fit_grid(family, steps, test, &self.variants, &context)
            }),
            None => fit_grid(family, train, test, &self.variants, &context),
        });
        match answers {
            Ok(answers) => self.variants.iter().zip(answers).map(|(p, a)| CellVariant::new(p, a)).collect(),
            Err(e) => all_failed(&self.variants, &e.to_string()),
        }
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

/// Task and model of a cell, for a message.
pub(super) fn name_of(plan: &Plan, cell: &Cell) -> String {
    let first = &plan.variants[cell.variants[0]];
    let model = if cell.variants.len() == 1 { &first.label } else { &first.group };
    format!("{model} on {}", plan.tasks[cell.task].name)
}
