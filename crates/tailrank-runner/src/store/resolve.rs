//! Which file of a cell counts, where two workers ended it differently: one rule for running and for scoring.

use tailrank_experiment::plan::{Cell, Plan};

use super::{cell_file::CellVariant, *};

/// A whole file of a cell, with what it holds.
pub struct CellContent<'f> {
    /// Where it is.
    pub path: &'f Path,
    /// What came of its variants, in the order of the cell.
    pub variants: Vec<CellVariant>,
}

/// What the files of one cell are worth.
#[derive(Default)]
pub struct CellFiles<'f> {
    /// The whole ones, the one that counts first.
    pub whole: Vec<CellContent<'f>>,
    /// Files that were damaged and are set aside.
    pub damaged: usize,
}

/// Reads all files of a cell. The file with the fewest fits stopped by a limit counts, because a slow,
/// suspended or smaller machine stops fits that succeed elsewhere; among equals the first by name, so that
/// running and scoring agree.
pub fn read_files<'f>(
    plan: &Plan,
    cell: &Cell,
    files: &'f [PathBuf],
    store: &Store<'_>,
) -> Result<CellFiles<'f>> {
    let rows = plan.tasks[cell.task].predicted_rows(cell.split);
    let mut found = CellFiles::default();
    for path in files {
        let Some(bytes) = store.read_cell(path)? else {
            found.damaged += 1;
            continue;
        };
        match cell_file::decode_for(&bytes, &cell.key, rows, &cell.params) {
            Ok(variants) => found.whole.push(CellContent { path, variants }),
            Err(reason) => {
                store.set_aside(path, &reason)?;
                found.damaged += 1;
            }
        }
    }
    let stopped = |file: &CellContent<'_>| file.variants.iter().filter(|v| v.stopped_by_limit()).count();
    found.whole.sort_by_key(|file| (stopped(file), file.path));
    Ok(found)
}
