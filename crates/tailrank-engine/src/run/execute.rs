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

use rayon::prelude::*;
use tailrank_models::{Cancel, Family, FitContext, MatrixView, Params, TrainSet, fit_grid};

use super::{
    cell_file::{self, CellVariant, MEMORY, TIMEOUT},
    chosen::read_files,
    earlier::Others,
    isolate::{self, CellRows, Isolation},
    schedule::{Capacity, Job, JobEnd, Step, run_jobs},
};
use crate::{
    EngineError, Result,
    config::family_of,
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
    let backwards = others.company && !store.is_worker();
    let mut session =
        Session { plan, store, capacity, limits: wanted_limits, workplace, backwards, cancel, observer };
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
                // A worker's cells are its own.
                if !store.is_worker() && store.has_cell(&cell.key)? {
                    stored_since[job].store(true, Ordering::Relaxed);
                    return Ok(());
                }
                store.events().append(Event::Started { cell: cell.key.as_str().to_owned() })
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
                let (failed, reason) = store_cell(plan, store, cell, variants, self.limits, elapsed)?;
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
    let grid = &plan.experiment.models[plan.variants[cell.variants[0]].grid];
    if let Some(isolation) = isolation {
        let rows = CellRows {
            cols,
            train: &data.train.inputs,
            targets: &data.train.targets,
            test: &data.test.inputs,
            test_rows: data.test.targets.len(),
        };
        let timeout = plan.experiment.limits.cell_timeout();
        return isolate::fit(isolation, grid, workplace, &cell.params, &rows, cell.seed, timeout, cancel);
    }
    // Only now is it known where programs run.
    let family = match cell.family.name() {
        "command" => family_of(grid, workplace.clone()),
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
            fit_rows(&*family, TrainSet { x, y: &data.train.targets }, test, &cell.params, &context)
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

fn variants_of(cell: &Cell, end: JobEnd<Option<Vec<CellVariant>>>) -> Vec<CellVariant> {
    let failed = |kind: &str, reason: &str| {
        cell.params.iter().map(|p| CellVariant::failed(p.to_string(), kind, reason)).collect()
    };
    match end {
        JobEnd::Done(variants) => variants.unwrap_or_default(),
        JobEnd::Panicked(message) => failed("panic", &format!("panicked: {message}")),
        JobEnd::Hung => failed(TIMEOUT, "passed the time limit and did not stop"),
    }
}

/// Whether no variant was stopped halfway.
fn is_complete(variants: &[CellVariant]) -> bool {
    !variants.iter().any(CellVariant::timed_out)
}
