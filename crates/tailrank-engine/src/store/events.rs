//! The append-only log of what happened in a run, one JSON object a line.

use std::{
    path::PathBuf,
    time::{SystemTime, UNIX_EPOCH},
};

use serde::{Deserialize, Serialize};

use super::disk::Disk;
use crate::{EngineError, Result};

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// A session opened the run.
    Opened {
        /// Cells in the plan.
        cells: usize,
        /// Of these, finished before.
        finished: usize,
    },
    /// A cell was fitted and its file is in place.
    Stored {
        /// The cell's key.
        cell: String,
        /// Variants that failed in it.
        failed: usize,
    },
    /// A file did not match its checksum and was set aside.
    Damaged {
        /// File name, relative to the run.
        file: String,
        /// Why.
        reason: String,
    },
    /// A session ended.
    Closed {
        /// `finished`, `interrupted` or `failed`.
        outcome: String,
    },
}

#[derive(Serialize, Deserialize)]
struct Line {
    at_ms: u128,
    pid: u32,
    #[serde(flatten)]
    event: Event,
}

/// The log file.
pub struct EventLog<'d> {
    disk: &'d dyn Disk,
    path: PathBuf,
}

impl<'d> EventLog<'d> {
    /// A log at `path`.
    pub fn new(disk: &'d dyn Disk, path: PathBuf) -> Self {
        Self { disk, path }
    }

    /// Adds one event.
    pub fn append(&self, event: Event) -> Result<()> {
        let at_ms = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_millis());
        let line = Line { at_ms, pid: std::process::id(), event };
        let mut text = serde_json::to_string(&line).map_err(|e| EngineError::internal("events log", e))?;
        // A newline on both sides: a line torn by a crash spoils only itself.
        text.insert(0, '\n');
        text.push('\n');
        self.disk.append(&self.path, text.as_bytes()).map_err(|e| EngineError::io("write", &self.path, e))
    }

    /// Every event that can be read; torn lines are skipped.
    pub fn read(&self) -> Result<Vec<Event>> {
        let bytes = match self.disk.read(&self.path) {
            Ok(bytes) => bytes,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(e) => return Err(EngineError::io("read", &self.path, e)),
        };
        Ok(bytes
            .split(|b| *b == b'\n')
            .filter_map(|line| serde_json::from_slice::<Line>(line).ok())
            .map(|line| line.event)
            .collect())
    }
}
