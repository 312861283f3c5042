//! What earlier sessions left: which cells of a plan are stored, whole and still wanted, and which were being
//! fitted when a session was lost.

use std::collections::BTreeSet;

use rayon::prelude::*;
use tailrank_experiment::config::Limits;

use super::*;
use crate::store::now_ms;

/// What there is to do, by places in the plan.
pub(super) struct Work {
    /// Cells that are stored, or the same as another that is.
    pub(super) finished: Vec<usize>,
    /// Cells to fit, each key once.
    pub(super) todo: Vec<usize>,
    /// Damaged files set aside.
    pub(super) damaged: usize,
}

impl Work {
    /// Looks at every stored cell that is wanted; what cannot be used is set aside.
    pub(super) fn of(plan: &Plan, store: &Store<'_>, options: &RunOptions) -> Result<Self> {
        let files = store.files()?;
        let wanted: BTreeSet<usize> = options
            .only
            .as_ref()
            .map_or_else(|| (0..plan.cells.len()).collect(), |c| c.iter().copied().collect());
        // Two tasks of the same data have the same cells: one look, and one fit, serves both.
        let mut seen: HashSet<&CellKey> = HashSet::new();
        let distinct: Vec<&Cell> =
            wanted.iter().map(|&c| &plan.cells[c]).filter(|c| seen.insert(&c.key)).collect();
        let look = |cell: &&Cell| -> Result<(bool, usize)> {
            let found = store.read_files(plan, cell, &files)?;
            let mut is_stored = false;
            for file in &found.whole {
                let reason = match is_stored {
                    true => Some("another file of the same cell counts"),
                    false => unwanted(&file.variants, options.retry_failed, &plan.experiment.limits),
                };
                match reason {
                    Some(reason) => store.set_aside(file.path, reason)?,
                    None => is_stored = true,
                }
            }
            Ok((is_stored, found.damaged))
        };
        let looked: Vec<(bool, usize)> = distinct.par_iter().map(look).collect::<Result<_>>()?;
        let damaged = looked.iter().map(|(_, damaged)| damaged).sum();
        let stored = distinct.iter().zip(&looked).filter(|(_, (is_stored, _))| *is_stored);
        let mut known: HashSet<&CellKey> = stored.map(|(cell, _)| &cell.key).collect();
        let (todo, finished) = wanted.into_iter().partition(|&c| known.insert(&plan.cells[c].key));
        Ok(Self { finished, todo, damaged })
    }
}

/// Cells of the plan that are not stored, or not whole. Every file is read: a name proves nothing.
pub fn missing_cells(plan: &Plan, store: &Store<'_>) -> Result<usize> {
    let files = store.files()?;
    let is_missing = |cell: &Cell| Ok(store.read_files(plan, cell, &files)?.whole.is_empty());
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

/// Keys of the cells that were being fitted when a session was lost: one that aborts takes the whole process
/// with it, and would do so again every time. Most only ran beside it; nobody can tell which. To be asked
/// before this session has opened the run.
pub(super) fn interrupted_cells(store: &Store<'_>) -> Result<HashSet<String>> {
    let now = now_ms();
    let mut found = HashSet::new();
    for (worker, log) in store.all_events()? {
        for session in status::open_sessions(worker.as_deref(), &log.entries()?) {
            // An open session of this process's number was another process.
            let is_namesake = session.pid == std::process::id() && session.host == host_name();
            let lives = store.process_is_running(&session.process);
            if lives == Some(false) || (lives.is_none() && is_namesake) || session.is_lost(now, lives) {
                found.extend(session.running.into_keys());
            }
        }
    }
    Ok(found)
}
