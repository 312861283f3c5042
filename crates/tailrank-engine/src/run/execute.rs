//! Fits the cells that are not stored yet.

use std::{sync::Arc, time::Duration};

use tailrank_models::{Cancel, FitContext, MatrixView, TrainSet, fit_grid};

use super::{
    cell_file::{self, CellVariant},
    schedule::{Capacity, Job, JobEnd, Step, run_jobs},
};
use crate::{
    Result,
    plan::{Cell, Plan, Task},
    store::{Event, Store},
};

/// What a run may use.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Cells at the same time.
    pub jobs: usize,
    /// Fit failed cells again instead of keeping their failure.
    pub retry_failed: bool,
    /// Cells to leave alone, by place in the plan; used to run a part of a plan.
    pub only: Option<Vec<usize>>,
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
    /// Cells that were stored before.
    pub reused: usize,
    /// Cells fitted now.
    pub fitted: usize,
    /// Damaged files set aside.
    pub damaged: usize,
}

/// Fits every cell of the plan that the store does not have.
///
/// # Errors
/// `Interrupted` when `cancel` fired: finished cells are kept. A failure of the store ends the run as well; a failure of a
/// model never does.
pub fn run(
    plan: &Arc<Plan>,
    store: &Store<'_>,
    options: &RunOptions,
    cancel: &Cancel,
    observer: &mut dyn Observer,
) -> Result<RunSummary> {
    let (finished, damaged) = finished_cells(plan, store, options.retry_failed)?;
    let wanted = |c: &usize| options.only.as_ref().is_none_or(|only| only.contains(c));
    let todo: Vec<usize> = (0..plan.cells.len()).filter(|c| !finished.contains(c)).filter(wanted).collect();
    let mut summary =
        RunSummary { cells: plan.cells.len(), reused: finished.len(), fitted: 0, damaged };
    store.events().append(Event::Opened { cells: plan.cells.len(), finished: finished.len() })?;
    observer.planned(plan, &finished);

    let limits = &plan.experiment.limits;
    let timeout = limits.cell_seconds.map(Duration::from_secs_f64);
    let capacity = Capacity {
        jobs: options.jobs,
        bytes: limits.memory_mb << 20,
        timeout,
        grace: Duration::from_secs(2),
    };
    let jobs: Vec<Job> = todo
        .iter()
        .map(|&c| Job { seconds: plan.cells[c].cost.cpu_seconds, bytes: plan.cells[c].cost.bytes })
        .collect();
    let work = {
        let (plan, todo, memory) = (Arc::clone(plan), todo.clone(), capacity.bytes / options.jobs.max(1));
        Arc::new(move |job: usize, cancel: &Cancel| {
            let cell = &plan.cells[todo[job]];
            fit_cell(&plan.tasks[cell.task], cell, memory, cancel)
        })
    };
    let outcome = run_jobs(&jobs, &capacity, cancel, work, |step| match step {
        Step::Started(job) => {
            observer.started(plan, todo[job]);
            Ok(())
        }
        Step::Ended(job, end, elapsed) => {
            let cell = &plan.cells[todo[job]];
            // A cell that was stopped by the user is not finished: it is fitted again next time.
            if cancel.is_cancelled() && !matches!(&end, JobEnd::Done(v) if is_complete(v)) {
                return Ok(());
            }
            let variants = variants_of(cell, end);
            let rows = plan.tasks[cell.task].splits[cell.split].test.len();
            store.write_cell(&cell.key, &cell_file::encode(rows, &variants)?)?;
            let failed = variants.iter().filter(|v| v.outcome.is_err()).count();
            store.events().append(Event::Stored { cell: cell.key.as_str().to_owned(), failed })?;
            summary.fitted += 1;
            let reason = variants.iter().find_map(|v| v.outcome.as_ref().err().map(|f| f.reason.clone()));
            observer.ended(plan, &CellReport { cell: todo[job], elapsed, failed, reason });
            Ok(())
        }
    });
    let ending = match &outcome {
        Ok(()) => "finished",
        Err(crate::EngineError::Interrupted) => "interrupted",
        Err(_) => "failed",
    };
    // The run's own error is the one to report.
    let logged = store.events().append(Event::Closed { outcome: ending.to_owned() });
    outcome?;
    logged?;
    Ok(summary)
}

/// Cells whose files are in place, whole and readable; everything else is set aside.
fn finished_cells(plan: &Plan, store: &Store<'_>, retry_failed: bool) -> Result<(Vec<usize>, usize)> {
    let files = store.finished()?;
    let mut finished = Vec::new();
    let mut damaged = 0;
    for (c, cell) in plan.cells.iter().enumerate() {
        let Some(path) = files.get(&cell.key) else { continue };
        let Some(bytes) = store.read_cell(path)? else {
            damaged += 1;
            continue;
        };
        match cell_file::decode(&bytes) {
            Ok(variants) if retry_failed && variants.iter().any(|v| v.outcome.is_err()) => {
                store.set_aside(path, "it holds failures and --retry-failed was given")?;
            }
            Ok(_) => finished.push(c),
            Err(reason) => {
                store.set_aside(path, &reason)?;
                damaged += 1;
            }
        }
    }
    Ok((finished, damaged))
}

fn fit_cell(task: &Task, cell: &Cell, memory_bytes: usize, cancel: &Cancel) -> Vec<CellVariant> {
    let names = || cell.params.iter().map(ToString::to_string);
    let all_failed = |reason: &str| names().map(|p| CellVariant::failed(p, "error", reason)).collect();
    let data = match task.data.prepare(&task.splits[cell.split]) {
        Ok(data) => data,
        Err(e) => return all_failed(&e.to_string()),
    };
    let cols = data.input_names.len();
    let context = FitContext { seed: cell.seed, memory_bytes, cancel: cancel.clone() };
    let fitted = MatrixView::new(data.train.targets.len(), cols, &data.train.inputs).and_then(|x| {
        let test = MatrixView::new(data.test.targets.len(), cols, &data.test.inputs)?;
        fit_grid(&*cell.family, TrainSet { x, y: &data.train.targets }, test, &cell.params, &context)
    });
    match fitted {
        Ok(answers) => names().zip(answers).map(|(p, a)| CellVariant::new(p, a)).collect(),
        Err(e) => all_failed(&e.to_string()),
    }
}

fn variants_of(cell: &Cell, end: JobEnd<Vec<CellVariant>>) -> Vec<CellVariant> {
    let failed = |kind: &str, reason: &str| {
        cell.params.iter().map(|p| CellVariant::failed(p.to_string(), kind, reason)).collect()
    };
    match end {
        JobEnd::Done(variants) => variants,
        JobEnd::Panicked(message) => failed("panic", &format!("panicked: {message}")),
        JobEnd::Hung => failed("timeout", "passed the time limit and did not stop"),
    }
}

/// Whether no variant was stopped halfway.
fn is_complete(variants: &[CellVariant]) -> bool {
    !variants.iter().any(|v| v.outcome.as_ref().is_err_and(|f| f.kind == "timeout"))
}
