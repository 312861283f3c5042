//! Which cells of a plan are stored, whole and still wanted.

use std::collections::HashSet;

use rayon::prelude::*;
use tailrank_experiment::{
    config::Limits,
    digest::CellKey,
    plan::{Cell, Plan},
};

use crate::{
    Result,
    store::{
        Store,
        cell_file::{CellVariant, FailureKind},
        read_files,
    },
};

/// Looks at every stored cell that is wanted; what cannot be used is set aside. Returns the keys of the cells
/// whose files are in place, whole and readable, and how many files were damaged.
pub(super) fn stored_cells<'p>(
    plan: &'p Plan,
    wanted: &[usize],
    store: &Store<'_>,
    retry_failed: bool,
) -> Result<(HashSet<&'p CellKey>, usize)> {
    let files = store.files()?;
    // Two tasks of the same data share a cell, which is looked at once.
    let mut seen: HashSet<&CellKey> = HashSet::new();
    let distinct: Vec<&Cell> =
        wanted.iter().map(|&c| &plan.cells[c]).filter(|c| seen.insert(&c.key)).collect();
    let look = |cell: &&'p Cell| -> Result<(Option<&'p CellKey>, usize)> {
        let Some(files) = files.get(&cell.key) else { return Ok((None, 0)) };
        let found = read_files(plan, cell, files, store)?;
        let mut whole = None;
        for file in &found.whole {
            let reason = match whole {
                Some(_) => Some("another file of the same cell counts"),
                None => unwanted(&file.variants, retry_failed, &plan.experiment.limits),
            };
            match reason {
                Some(reason) => store.set_aside(file.path, reason)?,
                None => whole = Some(&cell.key),
            }
        }
        Ok((whole, found.damaged))
    };
    let looked: Vec<(Option<&CellKey>, usize)> = distinct.par_iter().map(look).collect::<Result<_>>()?;
    let damaged = looked.iter().map(|(_, damaged)| damaged).sum();
    Ok((looked.into_iter().filter_map(|(whole, _)| whole).collect(), damaged))
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

/// Why a whole cell is fitted again all the same, such as one that failed at other limits.
fn unwanted(variants: &[CellVariant], retry_failed: bool, limits: &Limits) -> Option<&'static str> {
    variants.iter().filter_map(|v| v.outcome.as_ref().err()).find_map(|failure| match failure.kind {
        _ if retry_failed => Some("it holds failures, which are to be fitted again"),
        FailureKind::Timeout if failure.limit_ms != limits.cell_ms() => {
            Some("it was stopped at another time limit")
        }
        FailureKind::Memory if failure.limit_mb != limits.held_to_mb() => {
            Some("it failed at another memory limit")
        }
        FailureKind::Refused if failure.limit_mb.is_none_or(|mb| mb < limits.memory_mb) => {
            Some("it was refused at a smaller memory limit")
        }
        _ => None,
    })
}
