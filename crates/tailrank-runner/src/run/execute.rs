//! Decides what a run has to fit, has it fitted, and stores the cells as they end.

use std::ffi::OsString;

use tailrank_experiment::families::{ProgramFiles, Tracker};

use super::*;
use crate::{
    programs::{Host, RealHost},
    store::{ALIVE, absolute},
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
    let mut workplace = options.workplace(plan, cancel);
    let has_program = !workplace.supervisor.is_empty();
    if limits.isolate && !has_program {
        return Err(EngineError::NoCellProgram);
    }
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
    let (cells, reused) = (plan.cells.len(), finished.len());
    let mut summary = RunSummary { cells, reused, fitted: 0, damaged, suspects: suspects.len() };
    let (host, process) = (host_name(), store.process().to_owned());
    store.events().append(Event::Opened { cells, finished: reused, host, process })?;
    observer.planned(plan, &finished);

    workplace.scratch = Some(store.scratch().to_owned());
    workplace.memory_mb = limits.held_to_mb();
    let mut session =
        Session { plan, store, jobs: options.jobs, workplace, heard: Instant::now(), cancel, observer };
    // A cell that ends its process must not keep the others from being fitted. Its memory is not limited
    // there: a cell that only ran beside it must give what it would have given.
    let within = limits.isolate.then_some(Isolation { held_to_memory: true });
    let batches = [(sound, within), (suspects, has_program.then_some(Isolation { held_to_memory: false }))];
    let outcome =
        batches.iter().try_for_each(|(cells, isolation)| session.fit(cells, *isolation, &mut summary));
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

/// A session at work.
struct Session<'a, 'd> {
    plan: &'a Arc<Plan>,
    store: &'a Store<'d>,
    /// Cells at the same time.
    jobs: usize,
    workplace: Workplace,
    /// When it last said that it lives: a long fit is told from a lost worker.
    heard: Instant,
    cancel: &'a Cancel,
    observer: &'a mut dyn Observer,
}

impl Session<'_, '_> {
    /// Fits cells, given by their places in the plan. Another session of the folder may fit the same ones, to
    /// the same bytes.
    fn fit(&mut self, cells: &[usize], isolation: Option<Isolation>, summary: &mut RunSummary) -> Result<()> {
        let (plan, store, cancel) = (self.plan, self.store, self.cancel);
        let limits = &plan.experiment.limits;
        let (bytes, timeout) = (limits.memory_bytes(), limits.cell_timeout());
        let capacity = Capacity { jobs: self.jobs, bytes, timeout, grace: GRACE };
        let costs: Vec<Cost> = cells.iter().map(|c| plan.cells[*c].cost).collect();
        let fit = {
            let (plan, cells, workplace) = (Arc::clone(plan), cells.to_vec(), self.workplace.clone());
            move |job: usize, cancel: &Cancel| {
                fit_cell(&plan, &plan.cells[cells[job]], isolation, &workplace, cancel)
            }
        };
        let on_step = |step: Step<Vec<CellVariant>>| match step {
            Step::Waiting if self.heard.elapsed() >= ALIVE => {
                self.heard = Instant::now();
                store.events().append(Event::Alive)
            }
            Step::Waiting => Ok(()),
            Step::Started(job) => {
                let cell = &plan.cells[cells[job]];
                self.observer.started(plan, cells[job]);
                store.events().append(Event::Started { cell: cell.key.as_str().to_owned() })
            }
            Step::Ended(job, end, elapsed) => {
                let cell = &plan.cells[cells[job]];
                let variants = variants_of(cell, end);
                // A cell that was stopped by the user is not finished: it is fitted again next time. Only one
                // whose variants all have predictions counts then: a signal to all processes of a run ends
                // fits in many ways, and a failure that is a model's own comes again.
                if cancel.is_cancelled() && variants.iter().any(|v| v.outcome.is_err()) {
                    return Err(EngineError::Interrupted);
                }
                if let Some(problem) = variants.iter().find_map(CellVariant::system_error) {
                    let problem = problem.to_owned();
                    return Err(EngineError::Machine { cell: name_of(plan, cell), problem });
                }
                if let Some(file) = changed_since_planned(plan, cell) {
                    return Err(EngineError::ProgramChanged { cell: name_of(plan, cell), file });
                }
                let report = self.store(cells[job], variants, elapsed)?;
                summary.fitted += 1;
                self.observer.ended(plan, &report);
                Ok(())
            }
        };
        run_jobs(&costs, &capacity, cancel, Arc::new(fit), on_step)
    }

    /// Stores the cell at a place in the plan, with what became of its variants; returns what to tell of it.
    fn store(&self, place: usize, mut variants: Vec<CellVariant>, elapsed: Duration) -> Result<CellReport> {
        let (plan, store) = (self.plan, self.store);
        let (cell, limits) = (&plan.cells[place], &plan.experiment.limits);
        for failure in variants.iter_mut().filter_map(|v| v.outcome.as_mut().err()) {
            failure.limit_ms = limits.cell_ms().filter(|_| failure.kind == FailureKind::Timeout);
            failure.limit_mb = match failure.kind {
                FailureKind::Memory => limits.held_to_mb(),
                FailureKind::Refused => Some(limits.memory_mb),
                _ => None,
            };
        }
        let rows = plan.tasks[cell.task].predicted_rows(cell.split);
        store.write_cell(&cell.key, &cell_file::encode(&cell.key, rows, &variants)?)?;
        let failures = || variants.iter().filter_map(|v| v.outcome.as_ref().err());
        let (failed, reason) = (failures().count(), failures().next().map(|f| f.reason.clone()));
        let key = cell.key.as_str();
        let micros = u64::try_from(elapsed.as_micros()).ok();
        store.events().append(Event::Stored {
            cell: key.to_owned(),
            failed,
            reason: reason.clone(),
            micros,
        })?;
        Ok(CellReport { cell: place, elapsed, failed, reason })
    }
}

/// A file of a cell's command that was edited since the plan was made: the cell's key was made from what
/// stood in it then.
fn changed_since_planned(plan: &Plan, cell: &Cell) -> Option<String> {
    let known = ProgramFiles::new();
    let tracker = Tracker::new(&plan.base, &known);
    cell.variants.iter().map(|&v| &plan.variants[v]).find_map(|variant| {
        let planned = &variant.program_files;
        if planned.is_empty() {
            return None;
        }
        let now = tracker.of(&plan.experiment.grid(variant.grid)?.program()?, &variant.params);
        let mut names = planned.keys().chain(now.keys());
        names.find(|name| planned.get(*name) != now.get(*name)).cloned()
    })
}
