//! Everything that programs and cells in processes of their own ask of the machine fails once: the run ends
//! with a message, stores no row, and goes on once the machine is well.

use std::{
    fs, io,
    path::Path,
    process::{Child, Command},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use tailrank_experiment::{EngineError, plan::Plan};
use tailrank_models::Cancel;
use tailrank_runner::{
    programs::{Host, RealHost},
    run::{self, RunOptions},
    store::{Store, disk::Disk},
};
use tailrank_score::score;
use tempfile::TempDir;

use crate::lab::{FRAME, Lab, Unsynced, outputs, stored};

const PROGRAM: &str = r#"
[data]
tables = [{ name = "a", file = "a.csv", target = "y" }]
[[models]]
family = "command"
command = ["sh", "model.sh", "{out}", "{test}", "{id}"]
grid = { id = [1, 2] }
[[models]]
family = "debug"
"#;

const MODEL: &str = "(echo prediction; tail -n +2 \"$2\" | while read -r l; do echo \"$3\"; done) > \"$1\"\n";

#[derive(Debug)]
struct FaultyHost {
    fail_at: usize,
    calls: AtomicUsize,
}

impl FaultyHost {
    fn new(fail_at: usize) -> Self {
        Self { fail_at, calls: AtomicUsize::new(0) }
    }

    /// ENOSPC for files, EAGAIN for processes.
    fn turn(&self, errno: i32) -> io::Result<()> {
        match self.calls.fetch_add(1, Ordering::Relaxed) == self.fail_at {
            true => Err(io::Error::from_raw_os_error(errno)),
            false => Ok(()),
        }
    }
}

impl Host for FaultyHost {
    fn folder(&self, parent: Option<&Path>, prefix: &str) -> io::Result<TempDir> {
        self.turn(28).and_then(|()| RealHost.folder(parent, prefix))
    }
    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        if let Err(e) = self.turn(28) {
            RealHost.write(path, &bytes[..bytes.len() / 2])?;
            return Err(e);
        }
        RealHost.write(path, bytes)
    }
    fn read(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        self.turn(5).and_then(|()| RealHost.read(path, most))
    }
    fn spawn(&self, command: &mut Command) -> io::Result<Child> {
        self.turn(11).and_then(|()| RealHost.spawn(command))
    }
}

fn fit(plan: &Arc<Plan>, root: &Path, host: Arc<FaultyHost>, disk: &dyn Disk) -> Result<(), EngineError> {
    let store = Store::open(disk, root, &plan.text, &plan.experiment.name)?;
    let options = RunOptions { host, ..RunOptions::default() };
    run::run(plan, &store, &options, &Cancel::default(), &mut ())?;
    score::write_results(&score::results(plan, &store)?, &store)
}

#[test]
fn every_fault_of_the_machine_ends_the_run_and_is_no_row() {
    let lab = Lab::new();
    lab.write("model.sh", MODEL);
    let plan = lab.plan(&format!("{FRAME}{PROGRAM}"));
    let counting = Arc::new(FaultyHost::new(usize::MAX));
    fit(&plan, &lab.path("clean"), Arc::clone(&counting), &Unsynced).unwrap();
    let expected = outputs(&lab.path("clean"));
    let calls = counting.calls.load(Ordering::Relaxed);
    // A folder, two files, a process and an answer, for each of two variants.
    assert_eq!(calls, 10);
    for n in 0..calls {
        let root = lab.path(&format!("run-{n}"));
        let failed = fit(&plan, &root, Arc::new(FaultyHost::new(n)), &Unsynced);
        assert!(matches!(failed, Err(EngineError::Machine { .. })), "call {n}: {failed:?}");
        let said = failed.unwrap_err().to_string();
        assert!(said.contains("run the same command again"), "{said}");
        assert!(stored(&root).len() < 3, "call {n}: a row was stored");
        fit(&plan, &root, Arc::new(FaultyHost::new(usize::MAX)), &Unsynced).unwrap();
        assert!(outputs(&root) == expected, "call {n}: other bytes");
    }
}

/// A program that fails for want of room fails in its own words.
#[test]
fn a_program_without_room_is_no_row() {
    let lab = Lab::new();
    lab.write("model.sh", "echo 'No space left on device' >&2; exit 1\n");
    let plan = lab.plan(&format!("{FRAME}{PROGRAM}"));
    // Folder, train, test, spawn, and then the look for room.
    let failed = fit(&plan, &lab.path("full"), Arc::new(FaultyHost::new(4)), &Unsynced);
    assert!(matches!(failed, Err(EngineError::Machine { .. })), "{failed:?}");
    fit(&plan, &lab.path("room"), Arc::new(FaultyHost::new(usize::MAX)), &Unsynced).unwrap();
    let scores = fs::read_to_string(lab.path("room/results/scores.csv")).unwrap();
    assert!(scores.contains("No space left"), "with room it is the program's own end: {scores}");
    // It filled the disk itself: once its files are gone there is room.
    lab.write("model.sh", "head -c 200000 /dev/zero > \"$(dirname \"$1\")/core\"; echo full >&2; exit 1\n");
    let plan = lab.plan(&format!("{FRAME}{PROGRAM}"));
    fit(&plan, &lab.path("filled"), Arc::new(FaultyHost::new(4)), &Unsynced).unwrap();
    assert_eq!(stored(&lab.path("filled")).len(), 3);
}
