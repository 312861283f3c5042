//! Fits the cells that are not stored yet.

use std::{collections::HashSet, ffi::OsString, path::PathBuf, sync::Arc, time::Duration};

use rayon::prelude::*;
use tailrank_models::{Cancel, Family, FitContext, MatrixView, Params, TrainSet, fit_grid};

use super::{
    cell_file::{self, CellVariant, MEMORY, TIMEOUT},
    chosen::read_files,
    isolate::{self, CellRows, Isolation},
    schedule::{Capacity, Job, JobEnd, Step, run_jobs},
};
use crate::{
    EngineError, Result,
    plan::{Cell, Plan},
    status,
    store::{CellKey, Event, Store, Timing, host_name},
};

/// What a run may use.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Cells at the same time.
    pub jobs: usize,
    /// Fit failed cells again instead of keeping their failure.
    pub retry_failed: bool,
    /// The cells to fit, by place in the plan; all of them if absent.
    pub only: Option<Vec<usize>>,
    /// A program, with its arguments, that calls [`fit_one_cell`](super::fit_one_cell): what `limits.isolate` runs.
    pub cell_program: Option<Vec<OsString>>,
}

impl Default for RunOptions {
    fn default() -> Self {
        Self { jobs: 1, retry_failed: false, only: None, cell_program: None }
    }
}

/// How a cell ended, for progress.
#[derive(Clone, Debug)]
pub struct CellReport {
    /// Place of the cell in the plan.
    pub cell: usize,
    /// Time its fit took.
    pub elapsed: Duration,
    /// Variants that failed, with the first reason.
    pub failed: usize,
    /// The first reason.
    pub reason: Option<String>,
}

/// Told of everything while a run works; every method may be left as it is.
pub trait Observer {
    /// Cells of the plan, and which of them are finished already.
    fn planned(&mut self, _plan: &Plan, _finished: &[usize]) {}
    /// A cell starts.
    fn started(&mut self, _plan: &Plan, _cell: usize) {}
    /// A cell ended and is stored.
    fn ended(&mut self, _plan: &Plan, _report: &CellReport) {}
}

impl Observer for () {}

/// What a run did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunSummary {
    /// Cells in the plan.
    pub cells: usize,
    /// Cells that were stored before, or are the same as another of the plan.
    pub reused: usize,
    /// Cells fitted now.
    pub fitted: usize,
    /// Damaged files set aside.
    pub damaged: usize,
}

/// Fits every cell of the plan that the store does not have.
///
/// # Errors
/// `Interrupted` when `cancel` fired: finished cells are kept. A failure of the store fires `cancel` and ends the run as
/// well; a failure of a model never does.
pub fn run(
    plan: &Arc<Plan>,
    store: &Store<'_>,
    options: &RunOptions,
    cancel: &Cancel,
    observer: &mut dyn Observer,
) -> Result<RunSummary> {
    let limits = &plan.experiment.limits;
    let timeout = limits.cell_timeout();
    let wanted_limits = WantedLimits {
        ms: timeout.map(|t| t.as_millis().try_into().unwrap_or(u64::MAX)),
        mb: limits.isolate.then_some(limits.memory_mb),
    };
    let isolation = match (limits.isolate, &options.cell_program) {
        (false, _) => None,
        (true, None) => return Err(EngineError::NoCellProgram),
        (true, Some(program)) => Some(Isolation {
            program: program.clone(),
            memory_mb: limits.memory_mb,
            grace: GRACE.mul_f64(0.75),
            interrupt: cancel.clone(),
        }),
    };
    status::list_plan(plan, store)?;
    let mut wanted: Vec<usize> = options.only.clone().unwrap_or_else(|| (0..plan.cells.len()).collect());
    wanted.sort_unstable();
    wanted.dedup();
    let Stored { mut finished, damaged } =
        stored_cells(plan, &wanted, store, options.retry_failed, wanted_limits)?;
    let mut known: HashSet<&CellKey> = finished.iter().map(|&c| &plan.cells[c].key).collect();
    let mut todo = Vec::new();
    let stored: HashSet<usize> = finished.iter().copied().collect();
    for &c in wanted.iter().filter(|c| !stored.contains(c)) {
        // Two tasks of the same data have the same cells: one fit serves both.
        if known.insert(&plan.cells[c].key) { todo.push(c) } else { finished.push(c) }
    }
    finished.sort_unstable();
    let mut summary = RunSummary { cells: plan.cells.len(), reused: finished.len(), fitted: 0, damaged };
    store.timings().open()?;
    store.events().append(Event::Opened {
        cells: plan.cells.len(),
        finished: finished.len(),
        host: host_name(),
    })?;
    observer.planned(plan, &finished);

    let capacity = Capacity { jobs: options.jobs, bytes: limits.memory_bytes(), timeout, grace: GRACE };
    let jobs: Vec<Job> = todo
        .iter()
        .map(|&c| Job { seconds: plan.cells[c].cost.cpu_seconds, bytes: plan.cells[c].cost.bytes })
        .collect();
    let work = {
        // A cell's own limit must not depend on how many run beside it, or results would depend on `jobs`.
        let (plan, todo, memory) = (Arc::clone(plan), todo.clone(), capacity.bytes);
        Arc::new(move |job: usize, cancel: &Cancel| {
            fit_cell(&plan, &plan.cells[todo[job]], memory, isolation.as_ref(), cancel)
        })
    };
    let on_step = |step: Step<Vec<CellVariant>>| match step {
        Step::Started(job) => {
            observer.started(plan, todo[job]);
            store.events().append(Event::Started { cell: plan.cells[todo[job]].key.as_str().to_owned() })
        }
        Step::Ended(job, end, elapsed) => {
            let cell = &plan.cells[todo[job]];
            // A cell that was stopped by the user is not finished: it is fitted again next time.
            if cancel.is_cancelled() && !matches!(&end, JobEnd::Done(v) if is_complete(v)) {
                return Ok(());
            }
            let mut variants = variants_of(cell, end);
            for failure in variants.iter_mut().filter_map(|v| v.outcome.as_mut().err()) {
                failure.limit_ms = wanted_limits.ms.filter(|_| failure.kind == TIMEOUT);
                failure.limit_mb = wanted_limits.mb.filter(|_| failure.kind == MEMORY);
            }
            let rows = plan.tasks[cell.task].predicted_rows(cell.split);
            store.write_cell(&cell.key, &cell_file::encode(rows, &variants)?)?;
            let failed = variants.iter().filter(|v| v.outcome.is_err()).count();
            let reason = variants.iter().find_map(|v| v.outcome.as_ref().err().map(|f| f.reason.clone()));
            store.events().append(Event::Stored {
                cell: cell.key.as_str().to_owned(),
                failed,
                reason: reason.clone(),
            })?;
            store.timings().append(&Timing {
                cell: cell.key.as_str(),
                task: &plan.tasks[cell.task].name,
                family: cell.family.name(),
                seconds: elapsed.as_secs_f64(),
            })?;
            summary.fitted += 1;
            observer.ended(plan, &CellReport { cell: todo[job], elapsed, failed, reason });
            Ok(())
        }
    };
    let outcome = store.events().alive_during(|| run_jobs(&jobs, &capacity, cancel, work, on_step));
    // An interrupt may meet the last running cells: nothing waits any more, but they were not finished.
    let outcome = match outcome {
        Ok(()) if summary.fitted < todo.len() => Err(EngineError::Interrupted),
        other => other,
    };
    let ending = match &outcome {
        Ok(()) => "finished",
        Err(EngineError::Interrupted) => "interrupted",
        Err(_) => "failed",
    };
    // The run's own error is the one to report.
    let logged = store.events().append(Event::Closed { outcome: ending.to_owned() });
    outcome?;
    logged?;
    Ok(summary)
}

/// Time a cell gets to notice that it should stop, before it is given up.
const GRACE: Duration = Duration::from_secs(2);

/// The limits of this session; a cell that failed at other ones is fitted again.
#[derive(Clone, Copy)]
struct WantedLimits {
    ms: Option<u64>,
    mb: Option<usize>,
}

struct Stored {
    /// Places in the plan of cells whose files are in place, whole and readable.
    finished: Vec<usize>,
    /// Damaged files that were set aside.
    damaged: usize,
}

/// Looks at every stored cell that is wanted; what cannot be used is set aside.
fn stored_cells(
    plan: &Plan,
    wanted: &[usize],
    store: &Store<'_>,
    retry_failed: bool,
    limits: WantedLimits,
) -> Result<Stored> {
    let files = store.files()?;
    // Two tasks of the same data share a cell, which is looked at once.
    let mut seen: HashSet<&CellKey> = HashSet::new();
    let distinct: Vec<&Cell> =
        wanted.iter().map(|&c| &plan.cells[c]).filter(|c| seen.insert(&c.key)).collect();
    let looked: Vec<Result<Look>> = distinct
        .par_iter()
        .map(|cell| match files.get(&cell.key) {
            Some(files) => look(plan, cell, files, store, retry_failed, limits),
            None => Ok(Look::default()),
        })
        .collect();
    let (mut whole, mut damaged) = (HashSet::new(), 0);
    for (cell, look) in distinct.into_iter().zip(looked) {
        let look = look?;
        damaged += look.damaged;
        if look.whole {
            whole.insert(&cell.key);
        }
    }
    let finished = wanted.iter().copied().filter(|&c| whole.contains(&plan.cells[c].key)).collect();
    Ok(Stored { finished, damaged })
}

/// What the files of one cell are worth.
#[derive(Default)]
struct Look {
    whole: bool,
    damaged: usize,
}

fn look(
    plan: &Plan,
    cell: &Cell,
    files: &[PathBuf],
    store: &Store<'_>,
    retry_failed: bool,
    limits: WantedLimits,
) -> Result<Look> {
    let found = read_files(plan, cell, files, store)?;
    let mut look = Look { whole: false, damaged: found.damaged };
    for file in &found.whole {
        if look.whole {
            store.set_aside(file.path, "another file of the same cell counts")?;
            continue;
        }
        match unwanted(&file.variants, retry_failed, limits) {
            Some(reason) => store.set_aside(file.path, reason)?,
            None => look.whole = true,
        }
    }
    Ok(look)
}

/// Why a whole cell is fitted again all the same.
fn unwanted(variants: &[CellVariant], retry_failed: bool, limits: WantedLimits) -> Option<&'static str> {
    let failures = || variants.iter().filter_map(|v| v.outcome.as_ref().err());
    if retry_failed && failures().next().is_some() {
        Some("it holds failures, which are to be fitted again")
    } else if failures().any(|f| f.kind == TIMEOUT && f.limit_ms != limits.ms) {
        Some("it was stopped at another time limit")
    } else if failures().any(|f| f.kind == MEMORY && f.limit_mb != limits.mb) {
        Some("it failed at another memory limit")
    } else {
        None
    }
}

fn fit_cell(
    plan: &Plan,
    cell: &Cell,
    memory_bytes: usize,
    isolation: Option<&Isolation>,
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
    if let Some(isolation) = isolation {
        let rows = CellRows {
            cols,
            train: &data.train.inputs,
            targets: &data.train.targets,
            test: &data.test.inputs,
            test_rows: data.test.targets.len(),
        };
        let grid = &plan.experiment.models[plan.variants[cell.variants[0]].grid];
        let timeout = plan.experiment.limits.cell_timeout();
        return isolate::fit(isolation, grid, &cell.params, &rows, cell.seed, timeout, cancel);
    }
    let context = FitContext { seed: cell.seed, memory_bytes, cancel: cancel.clone() };
    let views = MatrixView::new(data.train.targets.len(), cols, &data.train.inputs)
        .and_then(|x| Ok((x, MatrixView::new(data.test.targets.len(), cols, &data.test.inputs)?)));
    match views {
        Ok((x, test)) => {
            fit_rows(&*cell.family, TrainSet { x, y: &data.train.targets }, test, &cell.params, &context)
        }
        Err(e) => all_failed(&cell.params, &e.to_string()),
    }
}

/// Fits one cell: the same in this process and in one of its own.
pub(super) fn fit_rows(
    family: &dyn Family,
    train: TrainSet<'_>,
    test: MatrixView<'_>,
    params: &[Params],
    context: &FitContext,
) -> Vec<CellVariant> {
    match fit_grid(family, train, test, params, context) {
        Ok(answers) => params.iter().zip(answers).map(|(p, a)| CellVariant::new(p.to_string(), a)).collect(),
        Err(e) => all_failed(params, &e.to_string()),
    }
}

fn all_failed(params: &[Params], reason: &str) -> Vec<CellVariant> {
    params.iter().map(|p| CellVariant::failed(p.to_string(), "error", reason)).collect()
}

fn variants_of(cell: &Cell, end: JobEnd<Vec<CellVariant>>) -> Vec<CellVariant> {
    let failed = |kind: &str, reason: &str| {
        cell.params.iter().map(|p| CellVariant::failed(p.to_string(), kind, reason)).collect()
    };
    match end {
        JobEnd::Done(variants) => variants,
        JobEnd::Panicked(message) => failed("panic", &format!("panicked: {message}")),
        JobEnd::Hung => failed(TIMEOUT, "passed the time limit and did not stop"),
    }
}

/// Whether no variant was stopped halfway.
fn is_complete(variants: &[CellVariant]) -> bool {
    !variants.iter().any(CellVariant::timed_out)
}
