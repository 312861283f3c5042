//! How long each cell took, apart from results: times differ from run to run, results do not.

use std::path::PathBuf;

use super::disk::Disk;
use crate::{EngineError, Result};

const HEADING: &str = "cell,task,family,seconds\n";

/// The time of one fitted cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Timing<'a> {
    /// The cell's key.
    pub cell: &'a str,
    /// Name of its task.
    pub task: &'a str,
    /// Name of its family.
    pub family: &'a str,
    /// Seconds its fit took.
    pub seconds: f64,
}

/// `log/timings.csv`: one row per fitted cell, added to by every session.
pub struct TimingLog<'d> {
    disk: &'d dyn Disk,
    path: PathBuf,
}

impl<'d> TimingLog<'d> {
    /// A log at `path`.
    pub fn new(disk: &'d dyn Disk, path: PathBuf) -> Self {
        Self { disk, path }
    }

    /// Writes the heading of a new log, and ends a line that a crash left torn.
    pub fn open(&self) -> Result<()> {
        let bytes = match self.disk.read(&self.path) {
            Ok(bytes) => bytes,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Vec::new(),
            Err(e) => return Err(EngineError::io("read", &self.path, e)),
        };
        match bytes.last() {
            None => self.write(HEADING),
            Some(b'\n') => Ok(()),
            Some(_) => self.write("\n"),
        }
    }

    /// Adds a row.
    pub fn append(&self, timing: &Timing<'_>) -> Result<()> {
        let Timing { cell, task, family, seconds } = timing;
        self.write(&format!("{cell},{},{},{seconds:.6}\n", quoted(task), quoted(family)))
    }

    /// Seconds of every fit that can be read, with the key of its cell; torn rows are skipped.
    pub fn read(&self) -> Result<Vec<(String, f64)>> {
        let bytes = match self.disk.read(&self.path) {
            Ok(bytes) => bytes,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(e) => return Err(EngineError::io("read", &self.path, e)),
        };
        // Names in between may be quoted; a key and a number never are.
        let row = |line: &str| {
            let (cell, seconds) = (line.split_once(',')?.0, line.rsplit_once(',')?.1);
            Some((cell.to_owned(), seconds.parse().ok()?))
        };
        Ok(String::from_utf8_lossy(&bytes).lines().filter_map(row).collect())
    }

    fn write(&self, text: &str) -> Result<()> {
        self.disk.append(&self.path, text.as_bytes()).map_err(|e| EngineError::io("write", &self.path, e))
    }
}

fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
