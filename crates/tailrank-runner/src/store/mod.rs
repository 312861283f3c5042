//! The store of a run: one file per finished cell, named by what it was made from and by its own checksum.
//!
//! ```text
//! <run>/run.json                         format, experiment checksum
//! <run>/experiment.toml                  the exact text the run was made from
//! <run>/results/cells/ab/<key>.<sum>.parquet
//! <run>/results/*.csv, *.parquet         derived tables, rewritten from the cells
//! <run>/results/tables.json              which cells they were made from, and their checksums
//! <run>/log/                             events, timings, origin of the data, damaged and temporary files
//! <run>/log/derived.json                 which files under results/ are ours, with their checksums
//! <run>/log/set-aside/                   files that were in the way and are not ours to remove
//! <run>/log/workers/                     events and timings of workers that share the run, one pair of files each
//! ```
//! A cell's key hashes everything its predictions depend on, so a changed parameter never meets an old
//! result. Its name also carries the checksum of its content: a damaged file is seen before it is read, and
//! two workers that fit the same cell alike write the same name. Everything under `results/` is the same byte
//! for byte however often the run was stopped.

mod alive;

pub mod cell_file;
mod cells;
mod claims;
mod derived;
pub mod disk;
mod events;
mod folder;
mod inside;
mod manifest;
mod origin;
mod ownership;
mod processor;
mod resolve;
mod scratch;
mod stale;
mod timings;
mod worker;

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError, atomic::AtomicBool},
};

pub(crate) use claims::CellLocks;
pub use derived::{RECORD, TableRecord};
use disk::{Disk, write_atomically};
pub(crate) use events::{ALIVE, now_ms};
pub use events::{Event, EventLog, LogEntry};
pub use manifest::Manifest;
pub use origin::{Origin, check_origin};
pub use ownership::{FILE_RECORD, FileRecord, Ownership, quarantine_name};
pub use processor::processor;
pub(crate) use processor::rounding_class;
pub use resolve::{CellContent, CellFiles, read_files};
pub use scratch::{is_left_over, unique_name};
pub(crate) use scratch::{process_name, scratch_name};
pub use timings::{Timing, TimingLog};
pub(crate) use worker::SlurmTask;
pub use worker::{host_name, process_lives, worker_name};

use tailrank_experiment::digest::{CellKey, digest, is_digest};

use crate::{EngineError, Result};

const SHARD_DIGITS: usize = 2;

/// A run's folder.
pub struct Store<'d> {
    disk: &'d dyn Disk,
    root: PathBuf,
    /// Name of this worker, when several share the run.
    worker: Option<String>,
    /// Shards this session knows to be durable.
    shards: Mutex<BTreeSet<String>>,
    /// Whether one sync of the whole file system takes longer than one of each file.
    syncs_one_by_one: AtomicBool,
    /// What a user should be told.
    notices: Mutex<Vec<String>>,
    /// Shows that this process lives, once it writes to the run.
    alive: Option<alive::Alive>,
}

impl<'d> Store<'d> {
    /// Opens a run's folder, creating it if needed, and records the experiment it belongs to.
    ///
    /// ```
    /// use tailrank_experiment::digest::CellKey;
    /// use tailrank_runner::store::{Store, disk::RealDisk};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let store = Store::open(&RealDisk, &folder.path().join("run"), "name = \"t\"\n", "t")?;
    /// let key = CellKey::of("everything that the predictions depend on");
    /// let file = store.write_cell(&key, b"predictions")?;
    /// assert!(store.finished()?.contains(&key));
    /// // A damaged file is set aside, and its cell is fitted again.
    /// std::fs::write(&file, "predictiens")?;
    /// assert_eq!(store.read_cell(&file)?, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `NotARun` when the folder holds anything but a run of this experiment: nothing is written then.
    pub fn open(disk: &'d dyn Disk, root: &Path, experiment: &str, name: &str) -> Result<Self> {
        let mut store = Self::at(disk, root);
        folder::check(&store)?;
        manifest::check(&store, name)?;
        // Nothing but the place for files on their way stands before `run.json`.
        store.create_folder(&store.scratch())?;
        manifest::record(&store, experiment, name)?;
        for folder in [store.cells(), store.damaged()] {
            store.create_folder(&folder)?;
        }
        for folder in [store.results(), root.to_owned()] {
            disk.sync_dir(&folder).map_err(|e| EngineError::io("sync", &folder, e))?;
        }
        store.alive = Some(alive::Alive::new(&store.scratch()));
        store.tidy_scratch()?;
        Ok(store)
    }

    /// Opens a folder that an earlier run made; returns it with the text of its experiment.
    pub fn open_existing(disk: &'d dyn Disk, root: &Path) -> Result<(Self, String)> {
        let store = Self::at(disk, root);
        let experiment = manifest::recall(&store)?;
        Ok((store, experiment))
    }

    fn at(disk: &'d dyn Disk, root: &Path) -> Self {
        Self {
            disk,
            root: root.to_owned(),
            worker: None,
            shards: Mutex::default(),
            syncs_one_by_one: AtomicBool::new(false),
            notices: Mutex::default(),
            alive: None,
        }
    }

    /// What a user should be told since the last call: files that are not of this run and were left or moved,
    /// each once.
    pub fn take_notices(&self) -> Vec<String> {
        std::mem::take(&mut *self.notices.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn notice(&self, text: String) {
        let mut notices = self.notices.lock().unwrap_or_else(PoisonError::into_inner);
        if !notices.contains(&text) {
            notices.push(text);
        }
    }

    /// The same store for one of several workers, with logs of its own: a shared file system may tear lines
    /// that two machines add to one file.
    pub fn as_worker(mut self, name: &str) -> Result<Self> {
        self.create_folder(&self.workers())?;
        self.worker = Some(name.to_owned());
        Ok(self)
    }

    /// Whether this is one of several workers.
    pub(crate) fn is_worker(&self) -> bool {
        self.worker.is_some()
    }

    /// Whether a file is there; it is not read.
    pub(crate) fn has(&self, path: &Path) -> Result<bool> {
        let folder = path.parent().unwrap_or(&self.root);
        Ok(self.list(folder)?.iter().any(|found| found == path))
    }

    /// Whether the process of this name, which worked on this run from this machine's name, is known to live
    /// or to be gone.
    pub(crate) fn process_is_running(&self, process: &str) -> Option<bool> {
        alive::process_is_running(&self.scratch(), process)
    }

    /// The run's folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Where derived tables go.
    pub fn results(&self) -> PathBuf {
        self.root.join("results")
    }

    /// The log of events.
    pub fn events(&self) -> EventLog<'d> {
        EventLog::new(self.disk, self.log_file("events.jsonl"))
    }

    /// The logs of events of all workers, by name; the run's own has none.
    pub fn all_events(&self) -> Result<Vec<(Option<String>, EventLog<'d>)>> {
        let logs = self.log_files("events.jsonl")?.into_iter();
        Ok(logs.map(|(worker, path)| (worker, EventLog::new(self.disk, path))).collect())
    }

    /// The log of timings.
    pub fn timings(&self) -> TimingLog<'d> {
        TimingLog::new(self.disk, self.log_file("timings.csv"))
    }

    /// The logs of timings of all workers.
    pub fn all_timings(&self) -> Result<Vec<TimingLog<'d>>> {
        let logs = self.log_files("timings.csv")?.into_iter();
        Ok(logs.map(|(_, path)| TimingLog::new(self.disk, path)).collect())
    }

    /// This worker's log of a kind.
    fn log_file(&self, kind: &str) -> PathBuf {
        match &self.worker {
            Some(worker) => self.workers().join(format!("{worker}.{kind}")),
            None => self.root.join("log").join(kind),
        }
    }

    fn log_files(&self, kind: &str) -> Result<Vec<(Option<String>, PathBuf)>> {
        let mut found = vec![(None, self.root.join("log").join(kind))];
        for path in self.list(&self.workers())? {
            let name = path.file_name().and_then(|n| n.to_str()).and_then(|n| n.strip_suffix(kind));
            if let Some(worker) = name.and_then(|n| n.strip_suffix('.')) {
                found.push((Some(worker.to_owned()), path));
            }
        }
        Ok(found)
    }

    /// The cells in place. Their content is not read.
    pub fn finished(&self) -> Result<BTreeSet<CellKey>> {
        Ok(self.files()?.into_keys().collect())
    }

    /// Every file of every cell, in order of their names. There are two of one cell where two workers fitted
    /// it and ended differently: one of them at a limit of time or memory, or on processors of different
    /// kinds, because the last digits of a support vector machine's matrix products depend on how many
    /// numbers a vector of the processor holds.
    pub fn files(&self) -> Result<BTreeMap<CellKey, Vec<PathBuf>>> {
        let mut found: BTreeMap<CellKey, Vec<PathBuf>> = BTreeMap::new();
        for shard in self.list(&self.cells())? {
            // Files among the shards are not cells.
            if shard.file_name().is_none_or(|n| n.len() != SHARD_DIGITS) {
                continue;
            }
            for path in self.list(&shard)? {
                if let Some((key, _)) = parse_name(&path) {
                    found.entry(key).or_default().push(path);
                }
            }
        }
        Ok(found)
    }

    /// Whether a cell is in place. Its content is not read.
    pub(crate) fn has_cell(&self, key: &CellKey) -> Result<bool> {
        let shard = self.cells().join(&key.as_str()[..SHARD_DIGITS]);
        Ok(self.list(&shard)?.iter().any(|path| parse_name(path).is_some_and(|(found, _)| found == *key)))
    }

    /// A cell's bytes, if its file is in place and whole. A damaged file is set aside and logged.
    pub fn read_cell(&self, path: &Path) -> Result<Option<Vec<u8>>> {
        let bytes = match self.disk.read(path) {
            Ok(bytes) => bytes,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(e) if e.kind() == disk::NOT_REGULAR => {
                self.set_aside(path, "it is not a regular file")?;
                return Ok(None);
            }
            Err(e) => return Err(EngineError::io("read", path, e)),
        };
        match parse_name(path) {
            Some((_, sum)) if sum == digest(&bytes) => Ok(Some(bytes)),
            _ => {
                self.set_aside(path, "its content does not match its checksum")?;
                Ok(None)
            }
        }
    }

    /// Replaces any file of the run in one step.
    pub fn write(&self, path: &Path, bytes: &[u8]) -> Result<()> {
        write_atomically(self.disk, &self.scratch(), path, bytes)
            .map_err(|e| EngineError::io("write", path, e))
    }

    /// Writes a file of the run unless it is there as it should be.
    pub(crate) fn replace(&self, path: &Path, bytes: &[u8]) -> Result<()> {
        if self.read(path)?.as_deref() == Some(bytes) { Ok(()) } else { self.write(path, bytes) }
    }

    /// Creates a folder of the run.
    pub(crate) fn create_folder(&self, path: &Path) -> Result<()> {
        self.disk.create_dir(path).map_err(|e| EngineError::io("create", path, e))
    }

    /// Moves a damaged file out of the way and logs it.
    pub fn set_aside(&self, path: &Path, reason: &str) -> Result<()> {
        let name = path.file_name().unwrap_or_default();
        let target = self.damaged().join(name);
        self.disk.create_dir(&self.damaged()).map_err(|e| EngineError::io("create", &self.damaged(), e))?;
        match self.disk.rename(path, &target) {
            Ok(()) => {}
            // Another worker was faster.
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            Err(e) => return Err(EngineError::io("move", path, e)),
        }
        let file = path.strip_prefix(&self.root).unwrap_or(path).display().to_string();
        self.events().append(Event::Damaged { file, reason: reason.to_owned() })
    }

    pub(crate) fn read(&self, path: &Path) -> Result<Option<Vec<u8>>> {
        match self.disk.read(path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(e) => Err(EngineError::io("read", path, e)),
        }
    }

    fn list(&self, folder: &Path) -> Result<Vec<PathBuf>> {
        self.disk.list(folder).map_err(|e| EngineError::io("list", folder, e))
    }

    fn cells(&self) -> PathBuf {
        self.root.join("results/cells")
    }

    fn scratch(&self) -> PathBuf {
        self.root.join("log/tmp")
    }

    fn workers(&self) -> PathBuf {
        self.root.join("log/workers")
    }

    fn damaged(&self) -> PathBuf {
        self.root.join("log/damaged")
    }
}

/// `<key>.<sum>.parquet`, both hexadecimal.
fn parse_name(path: &Path) -> Option<(CellKey, String)> {
    let name = path.file_name()?.to_str()?.strip_suffix(".parquet")?;
    let (key, sum) = name.split_once('.')?;
    Some((CellKey::parse(key)?, is_digest(sum).then(|| sum.to_owned())?))
}

#[cfg(test)]
mod tests {
    use super::{disk::RealDisk, *};

    fn open(root: &Path) -> Store<'static> {
        Store::open(&RealDisk, root, "name = \"t\"\n", "t").unwrap()
    }

    #[test]
    fn a_cell_comes_back_and_is_found() {
        let dir = tempfile::tempdir().unwrap();
        let store = open(dir.path());
        let key = CellKey::of("svm cost=1");
        let path = store.write_cell(&key, b"predictions").unwrap();
        assert_eq!(store.files().unwrap(), BTreeMap::from([(key.clone(), vec![path.clone()])]));
        assert_eq!(store.finished().unwrap(), BTreeSet::from([key]));
        assert_eq!(store.read_cell(&path).unwrap().as_deref(), Some(b"predictions".as_slice()));
    }

    #[test]
    fn every_flipped_bit_and_every_truncation_is_set_aside() {
        let dir = tempfile::tempdir().unwrap();
        let store = open(dir.path());
        let key = CellKey::of("cell");
        let good = b"some predictions".to_vec();
        let mut spoiled: Vec<Vec<u8>> = (0..good.len()).map(|n| good[..n].to_vec()).collect();
        for bit in 0..good.len() * 8 {
            let mut flipped = good.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            spoiled.push(flipped);
        }
        for bytes in spoiled {
            let path = store.write_cell(&key, &good).unwrap();
            std::fs::write(&path, &bytes).unwrap();
            assert_eq!(store.read_cell(&path).unwrap(), None);
            assert!(!path.exists());
            assert!(store.finished().unwrap().is_empty());
        }
        let damaged = store.events().read().unwrap();
        assert!(damaged.iter().all(|e| matches!(e, Event::Damaged { .. })));
        assert_eq!(damaged.len(), good.len() * 9);
    }

    #[test]
    fn a_torn_log_line_spoils_only_itself() {
        let dir = tempfile::tempdir().unwrap();
        let store = open(dir.path());
        let event = Event::Closed { outcome: "finished".to_owned() };
        store.events().append(event.clone()).unwrap();
        let path = dir.path().join("log/events.jsonl");
        RealDisk.append(&path, b"{\"at_ms\":12,\"eve").unwrap();
        store.events().append(event.clone()).unwrap();
        assert_eq!(store.events().read().unwrap(), [event.clone(), event]);
    }
}
