//! What the tables of a run are made from, and whether that is what the run's folder stands for now: several
//! sessions of one folder may have other settings or data, and the last that was opened decides.

use std::{
    fs::{File, TryLockError},
    path::PathBuf,
    thread,
    time::{Duration, Instant},
};

use tailrank_experiment::{
    config::Experiment,
    plan::{InputDigest, settings_digest},
};

use super::Store;
use crate::{EngineError, Result};

/// The file that is locked while what is derived changes: the first that a session makes.
pub(super) const DERIVED_LOCK: &str = "log/derived.lock";

/// How long a session waits while another writes tables.
const PATIENCE: Duration = Duration::from_secs(60);

/// Held while what is derived changes; the system gives it back when the process ends.
pub(super) struct DerivedLock {
    _file: Option<File>,
}

impl Store<'_> {
    /// Records what the folder stands for. Tables and page that were made from other inputs go, and so do all
    /// when cells are still `to_fit`: a session that ends early must not leave them.
    ///
    /// # Errors
    /// `Superseded` when another session has recorded another experiment since this one opened the folder.
    pub(crate) fn invalidate_if_stale(&self, inputs: &InputDigest, to_fit: bool) -> Result<()> {
        let _lock = self.lock_derived()?;
        if self.is_of_another_experiment(inputs)? {
            return Err(self.superseded());
        }
        if to_fit || self.tables_inputs()?.as_ref() != Some(inputs) {
            self.clear_derived()?;
        }
        let mut text =
            serde_json::to_vec_pretty(inputs).map_err(|e| EngineError::internal("state.json", e))?;
        text.push(b'\n');
        self.replace(&self.state_path(), &text)
    }

    /// Whether the folder still stands for what tables or a page were made from.
    ///
    /// # Errors
    /// `Superseded` when a session with other settings, data or programs has taken the folder over.
    pub fn check_inputs(&self, inputs: &InputDigest) -> Result<()> {
        let state: Option<InputDigest> =
            self.read(&self.state_path())?.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let is_other =
            state.is_some_and(|state| state != *inputs) || self.is_of_another_experiment(inputs)?;
        if is_other { Err(self.superseded()) } else { Ok(()) }
    }

    fn is_of_another_experiment(&self, inputs: &InputDigest) -> Result<bool> {
        let text =
            self.read(&self.root.join("experiment.toml"))?.and_then(|bytes| String::from_utf8(bytes).ok());
        let stored = text.and_then(|text| Experiment::parse(&text).ok());
        Ok(stored.is_some_and(|experiment| settings_digest(&experiment) != inputs.settings))
    }

    fn superseded(&self) -> EngineError {
        EngineError::Superseded { path: self.root.clone() }
    }

    /// Waits until no other session changes what is derived. Where the file system knows no locks, nobody
    /// waits.
    pub(super) fn lock_derived(&self) -> Result<DerivedLock> {
        let path = self.root.join(DERIVED_LOCK);
        let Ok(file) = File::options().create(true).truncate(false).write(true).open(&path) else {
            return Ok(DerivedLock { _file: None });
        };
        let asked = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(DerivedLock { _file: Some(file) }),
                Err(TryLockError::WouldBlock) if asked.elapsed() < PATIENCE => {
                    thread::sleep(Duration::from_millis(10));
                }
                Err(TryLockError::WouldBlock) => {
                    let source = std::io::Error::new(
                        std::io::ErrorKind::WouldBlock,
                        "another process has been writing the tables of this run for a minute; end it or \
                         wait for it",
                    );
                    return Err(EngineError::io("lock", &path, source));
                }
                Err(TryLockError::Error(_)) => return Ok(DerivedLock { _file: None }),
            }
        }
    }

    fn state_path(&self) -> PathBuf {
        self.root.join("log/state.json")
    }
}
