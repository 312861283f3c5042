//! How long each cell took, apart from results: times differ from run to run, results do not.

use std::path::PathBuf;

use super::disk::{Disk, read_if_there};
use crate::{EngineError, Result};

const HEADING: &str = "cell,task,family,seconds\n";

/// `log/timings.csv`: one row per fitted cell, added to by every session.
pub(crate) struct TimingLog<'d> {
    disk: &'d dyn Disk,
    path: PathBuf,
}

impl<'d> TimingLog<'d> {
    /// A log at `path`.
    pub(crate) fn new(disk: &'d dyn Disk, path: PathBuf) -> Self {
        Self { disk, path }
    }

    /// Writes the heading of a new log, and ends a line that a crash left torn.
    pub(crate) fn open(&self) -> Result<()> {
        match read_if_there(self.disk, &self.path)?.unwrap_or_default().last() {
            None => self.write(HEADING),
            Some(b'\n') => Ok(()),
            Some(_) => self.write("\n"),
        }
    }

    /// Adds the row of a fitted cell, given by its key.
    pub(crate) fn append(&self, cell: &str, task: &str, family: &str, seconds: f64) -> Result<()> {
        self.write(&format!("{cell},{},{},{seconds:.6}\n", quoted(task), quoted(family)))
    }

    /// Seconds of every fit that can be read, with the key of its cell; torn rows are skipped.
    pub(crate) fn read(&self) -> Result<Vec<(String, f64)>> {
        let bytes = read_if_there(self.disk, &self.path)?.unwrap_or_default();
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
