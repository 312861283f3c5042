//! Fits the cells that are not stored yet.

use std::{
    collections::HashSet,
    ffi::OsString,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use tailrank_models::Cancel;

use super::{
    cell_file::{self, CellVariant, MEMORY, TIMEOUT},
    earlier::Others,
    fit::{fit_cell, is_complete, variants_of},
    isolate::Isolation,
    schedule::{Capacity, Job, JobEnd, Step, run_jobs},
    stored::{Stored, WantedLimits, stored_cells},
};
use crate::{
    EngineError, Result,
    families::Workplace,
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
    /// A program, with its arguments, that calls [`fit_one_cell`](super::fit_one_cell), or
    /// [`supervise`](crate::families::supervise) with what follows `--`: cells in processes of their own run in it, and so do commands.
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
    /// Cells that were being fitted when an earlier session was lost: fitted last, in processes of their own if possible.
    pub suspects: usize,
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
    let apart = |held: bool| {
        options.cell_program.as_ref().map(|program| Isolation {
            program: program.clone(),
            memory_mb: limits.memory_mb,
            held_to_memory: held,
            grace: GRACE.mul_f64(0.75),
            interrupt: cancel.clone(),
        })
    };
    let isolation = if limits.isolate { Some(apart(true).ok_or(EngineError::NoCellProgram)?) } else { None };
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
    if todo.is_empty() {
        store.keep_derived_of(&plan.cells_digest())?;
    } else {
        // Tables and page speak of cells that are not there any more, or not yet: a run that ends early must not leave them.
        store.remove_derived()?;
    }
    let others = if todo.is_empty() { Others::default() } else { Others::of(store)? };
    let is_suspect = |c: &usize| !limits.isolate && others.suspects.contains(plan.cells[*c].key.as_str());
    let (suspects, sound): (Vec<usize>, Vec<usize>) = todo.iter().copied().partition(is_suspect);
    let mut summary = RunSummary {
        cells: plan.cells.len(),
        reused: finished.len(),
        fitted: 0,
        damaged,
        suspects: suspects.len(),
    };
    store.timings().open()?;
    store.events().append(Event::Opened {
        cells: plan.cells.len(),
        finished: finished.len(),
        host: host_name(),
    })?;
    observer.planned(plan, &finished);

    let capacity = Capacity { jobs: options.jobs, bytes: limits.memory_bytes(), timeout, grace: GRACE };
    let workplace = Workplace {
        folder: absolute(&plan.base),
        scratch: Some(store.scratch_folder()),
        supervisor: options.cell_program.clone().filter(|_| cfg!(unix)).unwrap_or_default(),
    };
    let company = others.company && !store.is_worker();
    let mut session = Session {
        plan,
        store,
        capacity,
        limits: wanted_limits,
        workplace,
        backwards: company,
        company,
        log_bytes: store.events().bytes(),
        cancel,
        observer,
    };
    // A cell that ends its process must not keep the others from being fitted. Its memory is not limited there: a cell that
    // only ran beside it must give what it would have given.
    let batches = [(sound, isolation), (suspects, apart(false))];
    let outcome = store.events().alive_during(|| {
        batches.into_iter().try_for_each(|(cells, isolation)| session.fit(&cells, isolation, &mut summary))
    });
    // An interrupt may meet the last running cells: nothing waits any more, but they were not finished.
    let outcome = match outcome {
        Ok(()) if summary.fitted + summary.reused < finished.len() + todo.len() => {
            Err(EngineError::Interrupted)
        }
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

/// A session at work.
struct Session<'a, 'd> {
    plan: &'a Arc<Plan>,
    store: &'a Store<'d>,
    capacity: Capacity,
    limits: WantedLimits,
    workplace: Workplace,
    /// Begin at the other end: two runs of one folder in the same order would fit every cell at the same time, twice.
    backwards: bool,
    /// Whether another run of this folder is known to be at work, which may store cells meanwhile.
    company: bool,
    /// How long the log of events is by what this session wrote: a longer one tells of company.
    log_bytes: u64,
    cancel: &'a Cancel,
    observer: &'a mut dyn Observer,
}

impl Session<'_, '_> {
    /// Fits cells, given by their places in the plan, and stores each as it ends.
    fn fit(&mut self, cells: &[usize], isolation: Option<Isolation>, summary: &mut RunSummary) -> Result<()> {
        let (plan, store) = (self.plan, self.store);
        let (sign, mut cells) = (if self.backwards { -1.0 } else { 1.0 }, cells.to_vec());
        if self.backwards {
            cells.reverse();
        }
        let cost = |c: &usize| &plan.cells[*c].cost;
        let jobs: Vec<Job> =
            cells.iter().map(|c| Job { seconds: sign * cost(c).cpu_seconds, bytes: cost(c).bytes }).collect();
        // Another run of the same folder may have stored a cell since this one looked.
        let stored_since: Arc<Vec<AtomicBool>> =
            Arc::new(cells.iter().map(|_| AtomicBool::new(false)).collect());
        let work = {
            // A cell's own limit must not depend on how many run beside it, or results would depend on `jobs`.
            let (plan, cells, memory) = (Arc::clone(plan), cells.clone(), self.capacity.bytes);
            let (workplace, stored_since) = (self.workplace.clone(), Arc::clone(&stored_since));
            Arc::new(move |job: usize, cancel: &Cancel| {
                if stored_since[job].load(Ordering::Relaxed) {
                    return None;
                }
                let cell = &plan.cells[cells[job]];
                Some(fit_cell(&plan, cell, memory, isolation.as_ref(), &workplace, cancel))
            })
        };
        let on_step = |step: Step<Option<Vec<CellVariant>>>| match step {
            Step::Started(job) => {
                let cell = &plan.cells[cells[job]];
                self.observer.started(plan, cells[job]);
                // A worker's cells are its own. Listing a folder of cells for each of very many would take most of the time.
                self.company |= !store.is_worker() && store.events().bytes() != self.log_bytes;
                if self.company && store.has_cell(&cell.key)? {
                    stored_since[job].store(true, Ordering::Relaxed);
                    return Ok(());
                }
                store.events().append(Event::Started { cell: cell.key.as_str().to_owned() })?;
                self.log_bytes = store.events().bytes();
                Ok(())
            }
            Step::Ended(job, JobEnd::Done(None), elapsed) => {
                summary.reused += 1;
                let report = CellReport { cell: cells[job], elapsed, failed: 0, reason: None };
                self.observer.ended(plan, &report);
                Ok(())
            }
            Step::Ended(job, end, elapsed) => {
                let cell = &plan.cells[cells[job]];
                let variants = variants_of(cell, end);
                // A cell that was stopped by the user is not finished: it is fitted again next time.
                if self.cancel.is_cancelled() && !is_complete(&variants) {
                    return Ok(());
                }
                self.company |= !store.is_worker() && store.events().bytes() != self.log_bytes;
                let (failed, reason) = store_cell(plan, store, cell, variants, self.limits, elapsed)?;
                self.log_bytes = store.events().bytes();
                summary.fitted += 1;
                self.observer.ended(plan, &CellReport { cell: cells[job], elapsed, failed, reason });
                Ok(())
            }
        };
        run_jobs(&jobs, &self.capacity, self.cancel, work, on_step)
    }
}

/// Stores a cell that ended; returns how many of its variants failed, and why the first did.
fn store_cell(
    plan: &Plan,
    store: &Store<'_>,
    cell: &Cell,
    mut variants: Vec<CellVariant>,
    limits: WantedLimits,
    elapsed: Duration,
) -> Result<(usize, Option<String>)> {
    for failure in variants.iter_mut().filter_map(|v| v.outcome.as_mut().err()) {
        failure.limit_ms = limits.ms.filter(|_| failure.kind == TIMEOUT);
        failure.limit_mb = limits.mb.filter(|_| failure.kind == MEMORY);
    }
    let rows = plan.tasks[cell.task].predicted_rows(cell.split);
    store.write_cell(&cell.key, &cell_file::encode(rows, &variants)?)?;
    let failed = variants.iter().filter(|v| v.outcome.is_err()).count();
    let reason = variants.iter().find_map(|v| v.outcome.as_ref().err().map(|f| f.reason.clone()));
    let key = cell.key.as_str().to_owned();
    store.events().append(Event::Stored { cell: key, failed, reason: reason.clone() })?;
    store.timings().append(&Timing {
        cell: cell.key.as_str(),
        task: &plan.tasks[cell.task].name,
        family: cell.family.name(),
        seconds: elapsed.as_secs_f64(),
    })?;
    Ok((failed, reason))
}

fn absolute(folder: &Path) -> PathBuf {
    // An empty path is the current folder, which `absolute` refuses to name.
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned())
}

/// Time a cell gets to notice that it should stop, before it is given up.
const GRACE: Duration = Duration::from_secs(2);
