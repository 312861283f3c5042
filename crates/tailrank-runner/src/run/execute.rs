//! Decides what a run has to fit, and has it fitted.

use std::{
    collections::HashSet,
    ffi::OsString,
    sync::Arc,
    time::{Duration, Instant},
};

use tailrank_experiment::plan::Plan;
use tailrank_models::Cancel;

use super::{
    isolate::Isolation,
    session::Session,
    stored::{Work, interrupted_cells},
};
use crate::{
    EngineError, Result,
    programs::{Host, RealHost, Workplace},
    status,
    store::{Event, Store, absolute, host_name},
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
    /// A program, with its arguments, that calls [`fit_one_cell`](super::fit_one_cell), or
    /// [`supervise`](crate::programs::supervise) with what follows `--`: cells in processes of their own run
    /// in it, and so do commands.
    pub cell_program: Option<Vec<OsString>>,
    /// The machine that programs and cells in processes of their own run on.
    pub host: Arc<dyn Host>,
}

impl Default for RunOptions {
    fn default() -> Self {
        Self { jobs: 1, retry_failed: false, only: None, cell_program: None, host: Arc::new(RealHost) }
    }
}

impl RunOptions {
    /// Where the programs of a plan run, and how.
    pub(super) fn workplace(&self, plan: &Plan, cancel: &Cancel) -> Workplace {
        Workplace {
            folder: absolute(&plan.base),
            supervisor: self.cell_program.clone().filter(|_| cfg!(unix)).unwrap_or_default(),
            interrupt: cancel.clone(),
            host: Arc::clone(&self.host),
            scratch: None,
            memory_mb: None,
        }
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
    /// Cells that were being fitted when an earlier session was lost: fitted last, in processes of their own
    /// if possible.
    pub suspects: usize,
}

/// Fits every cell of the plan that the store does not have.
///
/// # Errors
/// `Interrupted` when `cancel` fired: finished cells are kept. A failure of the store or the machine fires
/// `cancel` and ends the run as well; a failure of a model never does.
pub fn run(
    plan: &Arc<Plan>,
    store: &Store<'_>,
    options: &RunOptions,
    cancel: &Cancel,
    observer: &mut dyn Observer,
) -> Result<RunSummary> {
    let limits = &plan.experiment.limits;
    let workplace = options.workplace(plan, cancel);
    let has_program = !workplace.supervisor.is_empty();
    if limits.isolate && !has_program {
        return Err(EngineError::NoCellProgram);
    }
    let apart = |held_to_memory| Isolation { memory_mb: limits.memory_mb, held_to_memory };
    status::list_plan(plan, store)?;
    let Work { finished, todo, damaged } = Work::of(plan, store, options)?;
    let is_complete = todo.is_empty();
    if !store.is_worker() {
        // What is stored already can be scored under any limit; fits are not begun that the rest of the run
        // has no room for. A worker of many only fits.
        let forecast = plan.peak_bytes();
        if !is_complete && forecast > limits.memory_bytes() {
            let (forecast_mb, limit_mb) = (forecast.div_ceil(1 << 20), limits.memory_mb);
            return Err(EngineError::Memory { forecast_mb, limit_mb });
        }
        store.invalidate_if_stale(&plan.input_digest(), !is_complete)?;
    } else if !is_complete {
        store.remove_derived()?;
    }
    let interrupted = if is_complete { HashSet::new() } else { interrupted_cells(store)? };
    let is_suspect = |c: &usize| !limits.isolate && interrupted.contains(plan.cells[*c].key.as_str());
    let (suspects, sound): (Vec<usize>, Vec<usize>) = todo.into_iter().partition(is_suspect);
    let wanted = finished.len() + sound.len() + suspects.len();
    let (cells, reused) = (plan.cells.len(), finished.len());
    let mut summary = RunSummary { cells, reused, fitted: 0, damaged, suspects: suspects.len() };
    let (host, process) = (host_name(), store.process().to_owned());
    store.events().append(Event::Opened { cells, finished: reused, host, process })?;
    observer.planned(plan, &finished);

    let mut session = Session {
        plan,
        store,
        jobs: options.jobs,
        workplace: Workplace {
            scratch: Some(store.scratch().to_owned()),
            memory_mb: limits.held_to_mb(),
            ..workplace
        },
        heard: Instant::now(),
        cancel,
        observer,
    };
    // A cell that ends its process must not keep the others from being fitted. Its memory is not limited
    // there: a cell that only ran beside it must give what it would have given.
    let batches =
        [(sound, limits.isolate.then(|| apart(true))), (suspects, has_program.then(|| apart(false)))];
    let outcome =
        batches.iter().try_for_each(|(cells, isolation)| session.fit(cells, *isolation, &mut summary));
    // An interrupt may meet the last running cells: nothing waits any more, but they were not finished.
    let outcome = match outcome {
        Ok(()) if summary.fitted + summary.reused < wanted => Err(EngineError::Interrupted),
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
pub(super) const GRACE: Duration = Duration::from_millis(1200);
