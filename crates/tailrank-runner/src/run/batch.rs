//! Cells that ended and are not stored yet. A cell is said to be stored once a loss of power cannot take it;
//! where cells end faster than a disk can promise that of each, several share the wait.

use std::time::{Duration, Instant};

use tailrank_experiment::{digest::CellKey, plan::Plan};

use super::{execute::CellReport, stored::WantedLimits};
use crate::store::cell_file::{self, CellVariant, FailureKind};
use crate::{
    Result,
    store::{Event, Store, Timing},
};

/// A cell whose fit took this long is stored at once: it would be missed.
const DEAR: Duration = Duration::from_millis(20);

/// No cell waits longer than this for others.
const LONGEST: Duration = Duration::from_millis(100);

/// Cells and bytes that wait at most.
const MOST_CELLS: usize = 256;
const MOST_BYTES: usize = 8 << 20;

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
}

/// Cells that wait to be stored together.
#[derive(Default)]
pub(super) struct Batch {
    cells: Vec<EndedCell>,
    bytes: usize,
    /// When the first of them came.
    since: Option<Instant>,
}

impl Batch {
    /// Takes a cell.
    pub(super) fn add(&mut self, cell: EndedCell) {
        self.bytes += cell.file.len();
        self.since.get_or_insert_with(Instant::now);
        self.cells.push(cell);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// Whether it should wait no longer.
    pub(super) fn is_due(&self) -> bool {
        self.cells.len() >= MOST_CELLS
            || self.bytes >= MOST_BYTES
            || self.since.is_some_and(|since| since.elapsed() >= LONGEST)
            || self.cells.last().is_some_and(|cell| cell.report.elapsed >= DEAR)
    }

    /// Stores all of it, and empties it; returns what to tell of each cell.
    pub(super) fn store(&mut self, plan: &Plan, store: &Store<'_>) -> Result<Vec<CellReport>> {
        let cells = std::mem::take(self).cells;
        let key = |cell: &EndedCell| -> &CellKey { &plan.cells[cell.report.cell].key };
        let files: Vec<(&CellKey, &[u8])> = cells.iter().map(|c| (key(c), c.file.as_slice())).collect();
        store.write_cells(&files)?;
        store.events().append_all(cells.iter().map(|c| Event::Stored {
            cell: key(c).as_str().to_owned(),
            failed: c.report.failed,
            reason: c.report.reason.clone(),
        }))?;
        store.timings().append(cells.iter().map(|c| {
            let cell = &plan.cells[c.report.cell];
            Timing {
                cell: cell.key.as_str(),
                task: &plan.tasks[cell.task].name,
                family: cell.family.name(),
                seconds: c.report.elapsed.as_secs_f64(),
            }
        }))?;
        Ok(cells.into_iter().map(|c| c.report).collect())
    }
}
