//! Every call to the disk fails once: the run ends with a clear error, loses nothing, and goes on once the
//! disk is well.

use std::{
    io,
    path::{Path, PathBuf},
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use tailrank_experiment::EngineError;
use tailrank_runner::store::disk::{Disk, RealDisk};

use crate::lab::{FRAME, Lab, SIX, Unsynced, cell_files, outputs, part, stored, whole, write_page};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    /// Half of the bytes arrive, then an error.
    Short,
    /// Nothing arrives, for one of [`REASONS`].
    Refused,
}

/// EIO, EACCES, EMFILE, ENOSPC, EROFS and EDQUOT, one after the other.
const REASONS: [i32; 6] = [5, 13, 24, 28, 30, 122];

struct FaultyDisk {
    fail_at: usize,
    fault: Fault,
    calls: AtomicUsize,
    failed: Mutex<Option<(&'static str, PathBuf)>>,
    /// The disk stays full: every later call that needs room fails too.
    lasting: bool,
}

impl FaultyDisk {
    fn new(fail_at: usize, fault: Fault) -> Self {
        Self { fail_at, fault, calls: AtomicUsize::new(0), failed: Mutex::new(None), lasting: false }
    }

    fn turn(&self, call: &'static str, path: &Path) -> io::Result<()> {
        let number = self.calls.fetch_add(1, Ordering::Relaxed);
        let needs_room = ["append", "create_dir", "write"].contains(&call);
        if number != self.fail_at && !(self.lasting && needs_room && number > self.fail_at) {
            return Ok(());
        }
        self.failed.lock().unwrap().get_or_insert_with(|| (call, path.to_owned()));
        Err(match self.fault {
            Fault::Short => io::ErrorKind::WriteZero.into(),
            // A disk that stays full says so.
            Fault::Refused if self.lasting => io::Error::from_raw_os_error(28),
            Fault::Refused => io::Error::from_raw_os_error(REASONS[number % REASONS.len()]),
        })
    }

    /// On a short write, half of the bytes are there all the same.
    fn half<'a>(&self, turn: &io::Result<()>, bytes: &'a [u8]) -> Option<&'a [u8]> {
        (turn.is_err() && self.fault == Fault::Short).then(|| &bytes[..bytes.len() / 2])
    }
}

impl Disk for FaultyDisk {
    fn create_dir(&self, path: &Path) -> io::Result<()> {
        self.turn("create_dir", path).and_then(|()| RealDisk.create_dir(path))
    }
    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let turn = self.turn("write", path);
        if let Some(half) = self.half(&turn, bytes) {
            RealDisk.write(path, half)?;
        }
        turn.and_then(|()| RealDisk.write(path, bytes))
    }
    fn sync_file(&self, path: &Path) -> io::Result<()> {
        self.turn("sync_file", path)
    }
    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        self.turn("sync_dir", path)
    }
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.turn("rename", to).and_then(|()| RealDisk.rename(from, to))
    }
    fn append(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let turn = self.turn("append", path);
        if let Some(half) = self.half(&turn, bytes) {
            RealDisk.append(path, half)?;
        }
        turn.and_then(|()| RealDisk.append(path, bytes))
    }
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.turn("read", path).and_then(|()| RealDisk.read(path))
    }
    fn list(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        self.turn("list", path).and_then(|()| RealDisk.list(path))
    }
    fn remove_folder(&self, path: &Path) -> io::Result<()> {
        self.turn("remove_folder", path).and_then(|()| RealDisk.remove_folder(path))
    }
}

/// A folder of outputs before it takes its place, the one that stood there, or files on their way.
fn is_on_its_way(path: &Path) -> bool {
    path.file_name().unwrap().to_str().unwrap().starts_with(".re")
        || path.parent().unwrap().ends_with("log/tmp")
}

#[test]
fn every_call_may_fail_once() {
    let lab = Lab::new();
    let plan = lab.six();
    let counting = FaultyDisk::new(usize::MAX, Fault::Short);
    whole(&plan, &lab.path("clean"), &counting, 1).unwrap();
    let expected = outputs(&lab.path("clean"));
    let calls = counting.calls.load(Ordering::Relaxed);
    assert!(calls > 80, "{calls} calls are too few to have gone through the whole road");

    let mut kinds = std::collections::BTreeSet::new();
    for (n, fault) in (0..calls).flat_map(|n| [(n, Fault::Short), (n, Fault::Refused)]) {
        let root = lab.path(&format!("run-{n}-{fault:?}"));
        let disk = FaultyDisk::new(n, fault);
        let error = whole(&plan, &root, &disk, 1).err();
        let (call, path) = disk.failed.lock().unwrap().clone().unwrap();
        kinds.insert(call);
        if call == "remove_folder" && is_on_its_way(&path) {
            assert!(error.is_none(), "what is left is removed by the next run: {error:?}");
            whole(&plan, &root, &Unsynced, 1).unwrap();
            continue;
        }
        let Some(EngineError::Io { path: named, .. }) = &error else {
            panic!("call {n} ({call} {}): {error:?}", path.display());
        };
        let text = error.as_ref().unwrap().to_string();
        let reason = match fault {
            Fault::Short => io::ErrorKind::WriteZero.to_string(),
            Fault::Refused => io::Error::from_raw_os_error(REASONS[n % REASONS.len()]).to_string(),
        };
        assert!(named.starts_with(&root) && text.starts_with("cannot ") && text.ends_with(&reason), "{text}");

        // Nothing half-written is in place, and what was stored is.
        let before = cell_files(&root);
        if root.join("experiment.toml").exists() {
            assert!(before.len() >= stored(&root).len(), "call {n} ({call}): a stored cell is lost");
        }
        let (summary, _) = whole(&plan, &root, &Unsynced, 1).unwrap();
        let counts = (summary.damaged, summary.reused, summary.fitted);
        assert_eq!(counts, (0, before.len(), plan.cells.len() - before.len()), "call {n} ({call})");
        assert!(outputs(&root) == expected, "call {n} ({call} {}): other bytes", path.display());
        std::fs::remove_dir_all(&root).unwrap();
    }
    let all =
        ["append", "create_dir", "list", "read", "remove_folder", "rename", "sync_dir", "sync_file", "write"];
    assert_eq!(kinds.into_iter().collect::<Vec<_>>(), all);
}

/// What a state of a run goes through when it is opened again: the road has other calls than a first run's.
fn every_call_of(
    prepare: impl Fn(&Lab, &Path) -> std::sync::Arc<tailrank_experiment::plan::Plan>,
    lasting: bool,
) {
    let lab = Lab::new();
    let clean = lab.path("clean");
    let plan = prepare(&lab, &clean);
    let counting = FaultyDisk::new(usize::MAX, Fault::Refused);
    whole(&plan, &clean, &counting, 1).unwrap();
    let expected = outputs(&clean);
    let calls = counting.calls.load(Ordering::Relaxed);
    for n in 0..calls {
        let root = lab.path(&format!("run-{n}"));
        let plan = prepare(&lab, &root);
        let before = cell_files(&root);
        let disk = FaultyDisk { lasting, ..FaultyDisk::new(n, Fault::Refused) };
        let error = whole(&plan, &root, &disk, 1).err();
        let failed = disk.failed.lock().unwrap().clone();
        assert!(failed.is_some(), "call {n} of {calls} never came");
        // What removes leftovers may fail in silence: they are harmless.
        let harmless = matches!(&failed, Some(("remove_folder", path)) if is_on_its_way(path));
        let named = matches!(&error, Some(EngineError::Io { .. }));
        assert!(named || (error.is_none() && harmless), "call {n} {failed:?}: {error:?}");
        let kept = cell_files(&root);
        let whole_before = before.iter().filter(|(_, bytes)| bytes.len() > 4);
        assert!(
            whole_before.clone().all(|(file, bytes)| kept.get(file) == Some(bytes)),
            "call {n}: a cell is lost"
        );
        whole(&plan, &root, &Unsynced, 1).unwrap();
        assert!(outputs(&root) == expected, "call {n} {failed:?}: other bytes");
        std::fs::remove_dir_all(&root).unwrap();
    }
}

#[test]
fn every_call_of_a_resumed_run_may_fail() {
    every_call_of(
        |lab, root| {
            let plan = lab.six();
            part(&plan, root, vec![0, 3]).unwrap();
            plan
        },
        false,
    );
}

#[test]
fn every_call_of_a_run_with_a_damaged_cell_may_fail() {
    every_call_of(
        |lab, root| {
            let plan = lab.six();
            whole(&plan, root, &Unsynced, 1).unwrap();
            let file = cell_files(root).into_keys().next().unwrap();
            std::fs::write(root.join("cells").join(file), "PAR1").unwrap();
            plan
        },
        false,
    );
}

#[test]
fn every_call_of_a_changed_experiment_may_fail() {
    every_call_of(
        |lab, root| {
            whole(&lab.six(), root, &Unsynced, 1).unwrap();
            write_page(root);
            let one = SIX.replace(", { name = \"b\", file = \"b.csv\", target = \"y\" }", "");
            lab.plan(&format!("{FRAME}{one}"))
        },
        false,
    );
}

#[test]
fn a_disk_may_stay_full_from_any_call_on() {
    every_call_of(|lab, _| lab.six(), true);
}
