//! Two files of one cell: the one with fewer fits stopped by a limit counts, in running and in scoring,
//! whatever their names.

use std::{fs, path::PathBuf};

use tailrank_runner::store::{
    Store,
    cell_file::{
        self, CellFailure, CellVariant,
        FailureKind::{self, Memory, Timeout},
    },
    disk::RealDisk,
};
use tailrank_score::score::{self, TaskId};

use crate::lab::{Lab, Unsynced, outputs, whole};

/// A file of the same cell whose fits were stopped; its checksum, and so its name, is below or above the good
/// one's.
fn stopped(good: &PathBuf, kind: FailureKind, below: bool, store: &Store<'_>) -> PathBuf {
    let name = good.file_name().unwrap().to_str().unwrap();
    let key = store.files().unwrap().into_iter().find(|(_, files)| files.contains(good)).unwrap().0;
    let variants = cell_file::decode(&fs::read(good).unwrap()).unwrap().1;
    for attempt in 0.. {
        let stop = |v: &CellVariant| CellVariant {
            params: v.params.clone(),
            outcome: Err(CellFailure::new(kind, &format!("stopped {attempt}"))),
        };
        let bytes = cell_file::encode(&key, 1, &variants.iter().map(stop).collect::<Vec<_>>()).unwrap();
        let path = store.write_cell(&key, &bytes).unwrap();
        if (path.file_name().unwrap().to_str().unwrap() < name) == below {
            return path;
        }
        fs::remove_file(path).unwrap();
    }
    unreachable!("checksums fall on both sides");
}

#[test]
fn a_stopped_duplicate_changes_no_result() {
    for (kind, below) in [(Timeout, true), (Timeout, false), (Memory, true), (Memory, false)] {
        let lab = Lab::new();
        let plan = lab.six();
        let root = lab.path("run");
        whole(&plan, &root, &Unsynced, 1).unwrap();
        let expected = outputs(&root);
        let (store, _) = Store::open_existing(&RealDisk, &root).unwrap();
        let good = store.files().unwrap().remove(&plan.cells[0].key).unwrap().remove(0);
        let bad = stopped(&good, kind, below, &store);

        // Scoring alone takes the same file, and leaves both.
        assert_eq!(score::results(&plan, &store).unwrap().failures().count(), 0, "{kind:?} {below}");
        assert!(good.exists() && bad.exists());
        let (summary, results) = whole(&plan, &root, &Unsynced, 1).unwrap();
        assert_eq!((summary.fitted, summary.reused, summary.damaged), (0, 6, 0), "{kind:?} {below}");
        assert_eq!(results.failures().count(), 0, "{kind:?} {below}");
        assert!(outputs(&root) == expected, "{kind:?} {below}");
        assert!(root.join("log/damaged").join(bad.file_name().unwrap()).exists(), "{kind:?} {below}");
    }
}

#[test]
fn of_two_equals_the_first_by_name_counts() {
    let lab = Lab::new();
    let plan = lab.six();
    let root = lab.path("run");
    whole(&plan, &root, &Unsynced, 1).unwrap();
    let (store, _) = Store::open_existing(&RealDisk, &root).unwrap();
    let cell = &plan.cells[0];
    let good = store.files().unwrap().remove(&cell.key).unwrap().remove(0);
    // As on a processor with other vectors: the last digit differs.
    let mut variants = cell_file::decode(&fs::read(&good).unwrap()).unwrap().1;
    let fit = variants[0].outcome.as_mut().unwrap();
    fit.predictions[0] = fit.predictions[0].next_up();
    let rows = fit.predictions.len();
    let other = store.write_cell(&cell.key, &cell_file::encode(&cell.key, rows, &variants).unwrap()).unwrap();
    let (first, second) = if good < other { (good, other) } else { (other, good) };
    let first_fit = cell_file::decode(&fs::read(&first).unwrap()).unwrap().1.remove(0).outcome.unwrap();
    let loaded = || {
        score::load_predictions(&plan, TaskId(cell.task), &store).unwrap()[cell.variants[0]].parts[0].clone()
    };
    assert_eq!(loaded(), first_fit.predictions);
    whole(&plan, &root, &Unsynced, 1).unwrap();
    assert!(first.exists() && !second.exists());
    assert_eq!(loaded(), first_fit.predictions);
}
