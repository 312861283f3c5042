//! A session at work: fits cells and stores them as they end.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use tailrank_experiment::{
    families::{ProgramFiles, Tracker},
    plan::{Cell, Plan},
};
use tailrank_models::{Cancel, Cost};

use super::{
    execute::{CellReport, GRACE, Observer, RunSummary},
    fit::{fit_cell, is_complete, variants_of},
    isolate::Isolation,
    schedule::{Capacity, Step, run_jobs},
};
use crate::{
    EngineError, Result,
    programs::Workplace,
    store::{
        ALIVE, Event, Store,
        cell_file::{self, CellVariant, FailureKind},
    },
};

/// A session at work.
pub(super) struct Session<'a, 'd> {
    pub(super) plan: &'a Arc<Plan>,
    pub(super) store: &'a Store<'d>,
    /// Cells at the same time.
    pub(super) jobs: usize,
    pub(super) workplace: Workplace,
    /// When it last said that it lives: a long fit is told from a lost worker.
    pub(super) heard: Instant,
    pub(super) cancel: &'a Cancel,
    pub(super) observer: &'a mut dyn Observer,
}

impl Session<'_, '_> {
    /// Fits cells, given by their places in the plan. Another session of the folder may fit the same ones, to
    /// the same bytes.
    pub(super) fn fit(
        &mut self,
        cells: &[usize],
        isolation: Option<Isolation>,
        summary: &mut RunSummary,
    ) -> Result<()> {
        let (plan, store, cancel) = (self.plan, self.store, self.cancel);
        let limits = &plan.experiment.limits;
        let capacity = Capacity {
            jobs: self.jobs,
            bytes: limits.memory_bytes(),
            timeout: limits.cell_timeout(),
            grace: GRACE,
        };
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
                // A cell that was stopped by the user is not finished: it is fitted again next time.
                if cancel.is_cancelled() && !is_complete(&variants) {
                    return Ok(());
                }
                if let Some(problem) = variants.iter().find_map(CellVariant::system_error) {
                    let problem = problem.to_owned();
                    return Err(EngineError::Machine { cell: name_of(plan, cell), problem });
                }
                if let Some(file) = changed_since_planned(plan, cell) {
                    return Err(EngineError::ProgramChanged { cell: name_of(plan, cell), file });
                }
                let report = store_cell(plan, cells[job], variants, elapsed, store)?;
                summary.fitted += 1;
                self.observer.ended(plan, &report);
                Ok(())
            }
        };
        run_jobs(&costs, &capacity, cancel, Arc::new(fit), on_step)
    }
}

/// Stores the cell at a place in the plan, with what became of its variants; returns what to tell of it.
fn store_cell(
    plan: &Plan,
    place: usize,
    mut variants: Vec<CellVariant>,
    elapsed: Duration,
    store: &Store<'_>,
) -> Result<CellReport> {
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
    store.events().append(Event::Stored { cell: key.to_owned(), failed, reason: reason.clone(), micros })?;
    Ok(CellReport { cell: place, elapsed, failed, reason })
}

/// A file of a cell's command that was edited since the plan was made: the cell's key was made from what stood
/// in it then.
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
