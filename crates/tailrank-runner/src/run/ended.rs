//! A cell that ended, and how it is stored.

use std::time::Duration;

use tailrank_experiment::plan::Plan;

use super::{execute::CellReport, stored::WantedLimits};
use crate::{
    Result,
    store::{
        Event, Store, Timing,
        cell_file::{self, CellVariant, FailureKind},
    },
};

/// A cell that ended, as its file will be.
pub(super) struct EndedCell {
    report: CellReport,
    file: Vec<u8>,
}

impl EndedCell {
    /// The cell at a place in the plan, with what became of its variants.
    pub(super) fn new(
        plan: &Plan,
        place: usize,
        mut variants: Vec<CellVariant>,
        limits: WantedLimits,
        elapsed: Duration,
    ) -> Result<Self> {
        let cell = &plan.cells[place];
        for failure in variants.iter_mut().filter_map(|v| v.outcome.as_mut().err()) {
            failure.limit_ms = limits.ms.filter(|_| failure.kind == FailureKind::Timeout);
            failure.limit_mb = match failure.kind {
                FailureKind::Memory => limits.held_to_mb,
                FailureKind::Refused => Some(limits.mb),
                _ => None,
            };
        }
        let rows = plan.tasks[cell.task].predicted_rows(cell.split);
        let failed = variants.iter().filter(|v| v.outcome.is_err()).count();
        let reason = variants.iter().find_map(|v| v.outcome.as_ref().err().map(|f| f.reason.clone()));
        let report = CellReport { cell: place, elapsed, failed, reason };
        Ok(Self { report, file: cell_file::encode(&cell.key, rows, &variants)? })
    }

    /// Stores it, and says so; returns what to tell of it.
    pub(super) fn store(self, plan: &Plan, store: &Store<'_>) -> Result<CellReport> {
        let cell = &plan.cells[self.report.cell];
        let report = self.report;
        store.write_cell(&cell.key, &self.file)?;
        store.events().append(Event::Stored {
            cell: cell.key.as_str().to_owned(),
            failed: report.failed,
            reason: report.reason.clone(),
        })?;
        store.timings().append(&Timing {
            cell: cell.key.as_str(),
            task: &plan.tasks[cell.task].name,
            family: cell.family.name(),
            seconds: report.elapsed.as_secs_f64(),
        })?;
        Ok(report)
    }
}
