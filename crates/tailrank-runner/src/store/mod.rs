//! The store of a run: one file per finished cell, named by what it was made from and by its own checksum.
//!
//! ```text
//! <run>/run.json                         format, experiment checksum
//! <run>/experiment.toml                  the exact text the run was made from
//! <run>/cells/ab/<key>.<sum>.parquet
//! <run>/results/*.csv, *.parquet         tables, made from the cells and replaced as a whole
//! <run>/results/files.json               which cells they were made from, and their checksums
//! <run>/log/current.json                 what the folder stands for now
//! <run>/scored/<task>                    what shares found out about each task, for the process that gathers
//! <run>/log/                             events, timings, origin of the data, damaged and temporary files
//! <run>/log/set-aside/                   settings that were edited in the run's folder
//! <run>/log/workers/                     events and timings of workers that share the run, each its own
//! ```
//! A cell's key hashes everything its predictions depend on, so a changed parameter never meets an old
//! result. Its name also carries the checksum of its content: a damaged file is seen before it is read, and
//! two workers that fit the same cell alike write the same name. Cells and `results/` are the same byte for
//! byte however often the run was stopped.

pub mod cell_file;
mod cells;
mod current;
pub mod disk;
mod events;
mod folder;
mod inside;
mod lock;
mod manifest;
mod origin;
mod output;
mod scored;
mod scratch;
mod worker;

// What most files of this module are made from; they take it by `use super::*`.
use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tailrank_experiment::{
    digest::{CellKey, digest, is_digest},
    plan::InputDigest,
};

pub use cells::{CellContent, CellFiles, Files};
pub(crate) use disk::add_json_line;
use disk::{Disk, NOT_REGULAR, json_text, read_if_there};
pub(crate) use events::{ALIVE, now_ms};
pub use events::{Event, EventLog, LogEntry};
pub(crate) use inside::absolute;
use inside::{free_name, inside, parent};
use lock::{HeldFolder, open_lock, process_name, sweep};
pub use manifest::Manifest;
pub use origin::{Origin, check_origin};
pub use output::{CONTENTS, Contents, GENERATOR, Output, OutputKind, check_free_for, is_ours};
use scratch::SCRATCH;
pub(crate) use worker::SlurmTask;
pub use worker::{host_name, process_lives, worker_name};

use crate::{EngineError, Result};

/// Name of a log of events.
const EVENTS: &str = "events.jsonl";

// Folders of a run.
const CELLS: &str = "cells";
const DAMAGED: &str = "log/damaged";
const WORKERS: &str = "log/workers";
const SCORED: &str = "scored";

/// A run's folder.
pub struct Store<'d> {
    disk: &'d dyn Disk,
    root: PathBuf,
    /// Name of this worker, when several share the run.
    worker: Option<String>,
    /// What a user should be told.
    notices: Mutex<Vec<String>>,
    /// The folder of this process for files on their way, named after it.
    scratch: PathBuf,
    /// The same, once it writes to the run; shows that it lives.
    _held: Option<HeldFolder<'d>>,
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
        store._held = Some(store.open_scratch()?);
        manifest::record(&store, experiment, name)?;
        Ok(store)
    }

    /// Opens a folder that an earlier run made; returns it with the text of its experiment.
    pub fn open_existing(disk: &'d dyn Disk, root: &Path) -> Result<(Self, String)> {
        let store = Self::at(disk, root);
        folder::check_links(&store)?;
        let experiment = manifest::recall(&store)?;
        Ok((store, experiment))
    }

    fn at(disk: &'d dyn Disk, root: &Path) -> Self {
        Self {
            disk,
            root: root.to_owned(),
            worker: None,
            notices: Mutex::default(),
            scratch: absolute(&root.join(SCRATCH).join(process_name())),
            _held: None,
        }
    }

    /// What a user should be told since the last call: files that are not of this run and were left or moved,
    /// each once.
    pub fn take_notices(&self) -> Vec<String> {
        std::mem::take(&mut *self.notices.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn notice(&self, texts: impl IntoIterator<Item = String>) {
        let mut notices = self.notices.lock().unwrap_or_else(PoisonError::into_inner);
        for text in texts {
            if !notices.contains(&text) {
                notices.push(text);
            }
        }
    }

    /// The same store for one of several workers, with logs of its own: a shared file system may tear lines
    /// that two machines add to one file.
    pub fn as_worker(mut self, name: &str) -> Result<Self> {
        self.create_folder(&self.root.join(WORKERS))?;
        self.worker = Some(name.to_owned());
        Ok(self)
    }

    /// Whether this is one of several workers.
    pub(crate) fn is_worker(&self) -> bool {
        self.worker.is_some()
    }

    /// The run's folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Where derived tables go.
    pub fn results(&self) -> PathBuf {
        self.root.join("results")
    }

    /// This worker's log of events.
    pub fn events(&self) -> EventLog<'d> {
        self.log_of(self.worker.as_deref())
    }

    fn log_of(&self, worker: Option<&str>) -> EventLog<'d> {
        let path = match worker {
            Some(worker) => self.root.join(WORKERS).join(format!("{worker}.{EVENTS}")),
            None => self.root.join("log").join(EVENTS),
        };
        EventLog { disk: self.disk, path }
    }

    /// The logs of events of all workers, by name; the run's own has none.
    pub fn all_events(&self) -> Result<Vec<(Option<String>, EventLog<'d>)>> {
        let mut found = vec![(None, self.log_of(None))];
        for path in self.list(&self.root.join(WORKERS))? {
            let name = path.file_name().and_then(|n| n.to_str()).and_then(|n| n.strip_suffix(EVENTS));
            if let Some(worker) = name.and_then(|n| n.strip_suffix('.')) {
                found.push((Some(worker.to_owned()), self.log_of(Some(worker))));
            }
        }
        Ok(found)
    }

    /// Replaces any file of the run in one step, unless it is there as it should be.
    pub fn write(&self, path: &Path, bytes: &[u8]) -> Result<()> {
        if self.read(path)?.as_deref() == Some(bytes) {
            return Ok(());
        }
        self.write_atomically(path, bytes, true)
    }

    /// Creates a folder of the run.
    pub(crate) fn create_folder(&self, path: &Path) -> Result<()> {
        self.disk.create_dir(path).map_err(|e| EngineError::io("create", path, e))
    }

    /// Moves a file that is not ours to replace out of the way, and says so.
    fn keep_aside(&self, path: &Path, why: &str) -> Result<()> {
        if let Some(aside) = self.move_to(path, &self.root.join("log/set-aside"))? {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            self.notice([format!("{name} {why} and was moved to {}", aside.display())]);
        }
        Ok(())
    }

    /// Moves what stands at a path to a free name in a folder; none where another process was faster.
    fn move_to(&self, path: &Path, folder: &Path) -> Result<Option<PathBuf>> {
        self.create_folder(folder)?;
        let to = free_name(&folder.join(path.file_name().unwrap_or_default()));
        match self.disk.rename(path, &to) {
            Ok(()) => Ok(Some(to)),
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(e) => Err(EngineError::io("move", path, e)),
        }
    }

    pub(crate) fn read(&self, path: &Path) -> Result<Option<Vec<u8>>> {
        read_if_there(self.disk, path)
    }

    /// Why the folder is not opened.
    pub(crate) fn refuse(&self, reason: impl Into<String>) -> EngineError {
        EngineError::NotARun { path: self.root.clone(), reason: reason.into() }
    }

    fn list(&self, folder: &Path) -> Result<Vec<PathBuf>> {
        self.disk.list(folder).map_err(|e| EngineError::io("list", folder, e))
    }
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
