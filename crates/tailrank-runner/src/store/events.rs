//! The append-only log of what happened in a run, one JSON object a line.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::*;

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
        /// The machine.
        host: String,
        /// The process, told from others of its number.
        process: String,
    },
    /// A cell's fit begins.
    Started {
        /// The cell's key.
        cell: String,
    },
    /// The session is still at work.
    Alive,
    /// A cell was fitted and its file is in place.
    Stored {
        /// The cell's key.
        cell: String,
        /// Variants that failed in it.
        failed: usize,
        /// Why the first of them failed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
        /// How long the fit took, in microseconds; none in logs of earlier versions.
        #[serde(default)]
        micros: Option<u64>,
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

/// An event with its time and the process it happened in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogEntry {
    /// Milliseconds since 1970.
    pub at_ms: u64,
    /// The process.
    pub pid: u32,
    /// What happened.
    #[serde(flatten)]
    pub event: Event,
}

/// How often a session at work says so.
pub(crate) const ALIVE: Duration = Duration::from_secs(300);

/// Now, in milliseconds since 1970.
pub(crate) fn now_ms() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_millis());
    now.try_into().unwrap_or(u64::MAX)
}

/// The log file.
#[derive(Clone)]
pub struct EventLog<'d> {
    pub(super) disk: &'d dyn Disk,
    pub(super) path: PathBuf,
}

impl EventLog<'_> {
    /// Adds one event.
    pub fn append(&self, event: Event) -> Result<()> {
        // A newline on both sides: a line torn by a crash spoils only itself.
        let mut text = vec![b'\n'];
        add_json_line(&mut text, &LogEntry { at_ms: now_ms(), pid: std::process::id(), event })?;
        self.disk.append(&self.path, &text).map_err(|e| EngineError::io("write", &self.path, e))
    }

    /// Every event that can be read; torn lines are skipped.
    pub fn read(&self) -> Result<Vec<Event>> {
        Ok(self.entries()?.into_iter().map(|entry| entry.event).collect())
    }

    /// Every event that can be read, with its time and process.
    pub fn entries(&self) -> Result<Vec<LogEntry>> {
        let bytes = read_if_there(self.disk, &self.path)?.unwrap_or_default();
        Ok(bytes.split(|b| *b == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect())
    }
}
