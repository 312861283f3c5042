//! A session at work: fits cells and stores them as they end.

use std::{
    collections::HashSet,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use tailrank_experiment::{
    families::{ProgramFiles, Tracker},
    plan::{Cell, Plan},
};
use tailrank_models::Cancel;

use super::{
    batch::{Batch, EndedCell},
    execute::{CellReport, Observer, RunSummary},
    fit::{fit_cell, is_complete, variants_of},
    isolate::Isolation,
    schedule::{Capacity, Job, JobEnd, Step, run_jobs},
    stored::WantedLimits,
};
use crate::store::cell_file::CellVariant;
use crate::{
    EngineError, Result,
    programs::Workplace,
    store::{CellLocks, Event, Store},
};

/// How often a session that waits for the cells of another looks again.
const LOOK: Duration = Duration::from_millis(50);

/// A session at work.
pub(super) struct Session<'a, 'd> {
    pub(super) plan: &'a Arc<Plan>,
    pub(super) store: &'a Store<'d>,
    pub(super) capacity: Capacity,
    pub(super) limits: WantedLimits,
    pub(super) workplace: Workplace,
    /// Begin at the other end: runs of one folder in the same order would wait for each other at every cell.
    pub(super) backwards: bool,
    /// Whether another run of this folder is known to be at work, which may store cells meanwhile.
    pub(super) company: bool,
    /// How long the log of events is by what this session wrote: a longer one tells of company.
    pub(super) log_bytes: u64,
    /// The cells that this session is at, for others to see.
    pub(super) claims: CellLocks,
    pub(super) cancel: &'a Cancel,
    pub(super) observer: &'a mut dyn Observer,
}

impl Session<'_, '_> {
    /// Fits cells, given by their places in the plan. Those that another session is at come last: they are
    /// stored by then, or free again.
    pub(super) fn fit(
        &mut self,
        cells: &[usize],
        isolation: Option<&Isolation>,
        summary: &mut RunSummary,
    ) -> Result<()> {
        let mut open = cells.to_vec();
        loop {
            open = self.fit_free(open, isolation.cloned(), summary)?;
            if open.is_empty() {
                return Ok(());
            }
            while !open.iter().any(|&c| self.claims.is_free(&self.plan.cells[c].key)) {
                if self.cancel.is_cancelled() {
                    return Err(EngineError::Interrupted);
                }
                thread::sleep(LOOK);
            }
        }
    }

    /// Fits the cells that no other session is at; returns those that one is.
    fn fit_free(
        &mut self,
        mut cells: Vec<usize>,
        isolation: Option<Isolation>,
        summary: &mut RunSummary,
    ) -> Result<Vec<usize>> {
        let (plan, store) = (self.plan, self.store);
        let sign = if self.backwards { -1.0 } else { 1.0 };
        if self.backwards {
            cells.reverse();
        }
        let cost = |c: &usize| &plan.cells[*c].cost;
        let jobs: Vec<Job> =
            cells.iter().map(|c| Job { seconds: sign * cost(c).cpu_seconds, bytes: cost(c).bytes }).collect();
        // Another run of the same folder is at a cell, or has stored it since this one looked.
        let passed_over: Arc<Vec<AtomicBool>> =
            Arc::new(cells.iter().map(|_| AtomicBool::new(false)).collect());
        let work = {
            // A cell's own limit must not depend on how many run beside it, or results would depend on
            // `jobs`.
            let (plan, cells, memory) = (Arc::clone(plan), cells.clone(), self.capacity.bytes);
            let (workplace, passed_over) = (self.workplace.clone(), Arc::clone(&passed_over));
            Arc::new(move |job: usize, cancel: &Cancel| {
                if passed_over[job].load(Ordering::Relaxed) {
                    return None;
                }
                let cell = &plan.cells[cells[job]];
                Some(fit_cell(&plan, cell, memory, isolation.as_ref(), &workplace, cancel))
            })
        };
        let (capacity, cancel) = (self.capacity.clone(), self.cancel);
        let mut batch = Batch::default();
        let mut taken: HashSet<usize> = HashSet::new();
        let on_step = |step: Step<Option<Vec<CellVariant>>>| match step {
            Step::Started(job) => {
                let cell = &plan.cells[cells[job]];
                if !self.claims.claim(&cell.key) {
                    passed_over[job].store(true, Ordering::Relaxed);
                    taken.insert(cells[job]);
                    return Ok(());
                }
                self.observer.started(plan, cells[job]);
                // A worker's cells are its own. Listing a folder of cells for each of very many would take
                // most of the time.
                self.company |= !store.is_worker() && store.events().bytes() != self.log_bytes;
                if self.company && store.has_cell(&cell.key)? {
                    passed_over[job].store(true, Ordering::Relaxed);
                    return Ok(());
                }
                store.events().append(Event::Started { cell: cell.key.as_str().to_owned() })?;
                self.log_bytes = store.events().bytes();
                Ok(())
            }
            Step::Ended(job, _, _) if taken.contains(&cells[job]) => Ok(()),
            Step::Ended(job, JobEnd::Done(None), elapsed) => {
                summary.reused += 1;
                self.claims.release(&plan.cells[cells[job]].key);
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
                if let Some(problem) = variants.iter().find_map(CellVariant::system_error) {
                    let problem = problem.to_owned();
                    return Err(EngineError::Machine { cell: name_of(plan, cell), problem });
                }
                if let Some(file) = changed_since_planned(plan, cell) {
                    return Err(EngineError::ProgramChanged { cell: name_of(plan, cell), file });
                }
                batch.add(EndedCell::new(plan, cells[job], variants, self.limits, elapsed)?);
                if batch.is_due() { self.store(&mut batch, summary) } else { Ok(()) }
            }
            Step::Waiting => self.store(&mut batch, summary),
        };
        let outcome = run_jobs(&jobs, &capacity, cancel, work, on_step);
        // Whatever ended the session, cells that are done are kept; the first error is the one to report.
        let stored = self.store(&mut batch, summary);
        outcome.and(stored)?;
        // In the order of the plan again, whichever end was begun at.
        let mut left: Vec<usize> = taken.into_iter().collect();
        left.sort_unstable();
        Ok(left)
    }

    /// Stores what is in a batch, and says so once it is durable.
    fn store(&mut self, batch: &mut Batch, summary: &mut RunSummary) -> Result<()> {
        if batch.is_empty() {
            return Ok(());
        }
        let (plan, store) = (self.plan, self.store);
        self.company |= !store.is_worker() && store.events().bytes() != self.log_bytes;
        let ended = batch.store(plan, store)?;
        self.log_bytes = store.events().bytes();
        for report in ended {
            self.claims.release(&plan.cells[report.cell].key);
            summary.fitted += 1;
            self.observer.ended(plan, &report);
        }
        Ok(())
    }
}

/// A file of a cell's command that was edited after planning, when the cell's key was made from its content.
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

/// Task and model of a cell, for a message.
fn name_of(plan: &Plan, cell: &Cell) -> String {
    let first = &plan.variants[cell.variants[0]];
    let model = if cell.variants.len() == 1 { &first.label } else { &first.group };
    format!("{model} on {}", plan.tasks[cell.task].name)
}
