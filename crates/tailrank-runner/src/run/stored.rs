//! Which cells of a plan are stored, whole and still wanted.

use std::{collections::HashSet, path::PathBuf};

use rayon::prelude::*;
use tailrank_experiment::{
    config::Limits,
    digest::CellKey,
    plan::{Cell, Plan},
};

use crate::store::cell_file::{CellVariant, FailureKind};
use crate::{
    Result,
    store::{Store, read_files},
};

/// The limits of this session; a cell that failed at other ones is fitted again.
#[derive(Clone, Copy)]
pub(super) struct WantedLimits {
    pub(super) ms: Option<u64>,
    /// What a fit may use.
    pub(super) mb: usize,
    /// What the system holds a fit to, if it does.
    pub(super) held_to_mb: Option<usize>,
}

impl WantedLimits {
    pub(super) fn of(limits: &Limits) -> Self {
        Self {
            ms: limits.cell_timeout().map(|t| t.as_millis().try_into().unwrap_or(u64::MAX)),
            mb: limits.memory_mb,
            held_to_mb: limits.isolate.then_some(limits.memory_mb),
        }
    }
}

pub(super) struct Stored {
    /// Places in the plan of cells whose files are in place, whole and readable.
    pub(super) finished: Vec<usize>,
    /// Damaged files that were set aside.
    pub(super) damaged: usize,
}

/// Looks at every stored cell that is wanted; what cannot be used is set aside.
pub(super) fn stored_cells(
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

/// Cells of the plan that are not stored, or not whole. Every file is read: a name proves nothing.
pub fn missing_cells(plan: &Plan, store: &Store<'_>) -> Result<usize> {
    let files = store.files()?;
    let is_missing = |cell: &Cell| {
        let Some(files) = files.get(&cell.key) else { return Ok(true) };
        Ok(read_files(plan, cell, files, store)?.whole.is_empty())
    };
    let missing: Vec<bool> = plan.cells.par_iter().map(is_missing).collect::<Result<_>>()?;
    Ok(missing.into_iter().filter(|missing| *missing).count())
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
    } else if failures().any(|f| f.kind == FailureKind::Timeout && f.limit_ms != limits.ms) {
        Some("it was stopped at another time limit")
    } else if failures().any(|f| f.kind == FailureKind::Memory && f.limit_mb != limits.held_to_mb) {
        Some("it failed at another memory limit")
    } else if failures().any(|f| f.kind == FailureKind::Refused && f.limit_mb.is_none_or(|mb| mb < limits.mb))
    {
        Some("it was refused at a smaller memory limit")
    } else {
        None
    }
}
