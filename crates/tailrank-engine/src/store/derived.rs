//! What is derived from the cells: the tables, with a record of what they were made from, and the page.
//!
//! `results/tables.json` is written after the tables and removed before they change. Tables without it, or that do not match it, are
//! believed by nobody.

use std::{collections::BTreeMap, path::Path};

use serde::{Deserialize, Serialize};

use super::{Store, digest, disk::Disk, scratch::unique_name};
use crate::{EngineError, Result};

/// Name of the record.
pub(crate) const RECORD: &str = "tables.json";

/// What tables were made from, and what is in them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TableRecord {
    /// Names the cells of the plan.
    pub(crate) cells: String,
    /// Checksums by file name.
    pub(crate) files: BTreeMap<String, String>,
}

impl TableRecord {
    pub(crate) fn new(cells: &str, files: &[(String, Vec<u8>)]) -> Self {
        let files = files.iter().map(|(name, bytes)| (name.clone(), digest(bytes))).collect();
        Self { cells: cells.to_owned(), files }
    }

    pub(crate) fn to_bytes(&self) -> Result<Vec<u8>> {
        let mut text = serde_json::to_vec_pretty(self).map_err(|e| EngineError::internal(RECORD, e))?;
        text.push(b'\n');
        Ok(text)
    }

    /// The record in a folder of tables; none where it is missing or unreadable.
    pub(crate) fn read(disk: &dyn Disk, folder: &Path) -> Result<Option<Self>> {
        let path = folder.join(RECORD);
        match disk.read(&path) {
            Ok(bytes) => Ok(serde_json::from_slice(&bytes).ok()),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(e) => Err(EngineError::io("read", &path, e)),
        }
    }

    /// Whether these are the bytes that were written.
    pub(crate) fn vouches_for(&self, name: &str, bytes: &[u8]) -> bool {
        self.files.get(name).is_some_and(|sum| *sum == digest(bytes))
    }
}

impl Store<'_> {
    /// Whether tables are there, whole and of one piece.
    pub(crate) fn has_tables(&self) -> Result<bool> {
        let listed = self.list(&self.results())?;
        let is_there = |name: &str| listed.iter().any(|path| path.ends_with(name));
        Ok(is_there("scores.csv") && is_there(RECORD))
    }

    /// Replaces the tables by these; their record must be the last.
    pub(crate) fn write_derived(&self, files: &[(String, Vec<u8>)]) -> Result<()> {
        self.remove(&self.results().join(RECORD))?;
        self.remove_tables(|name| !files.iter().any(|(file, _)| file == name))?;
        for (name, bytes) in files {
            self.write(&self.results().join(name), bytes)?;
        }
        Ok(())
    }

    /// Removes tables and page unless they were made from these cells: they would speak of another state of the run.
    pub(crate) fn keep_derived_of(&self, cells: &str) -> Result<()> {
        match TableRecord::read(self.disk, &self.results())? {
            Some(record) if record.cells == cells => Ok(()),
            _ => self.remove_derived(),
        }
    }

    /// Removes tables and page.
    pub(crate) fn remove_derived(&self) -> Result<()> {
        self.remove(&self.results().join(RECORD))?;
        self.remove_tables(|_| true)?;
        let page = self.root.join("report");
        if !self.list(&page)?.iter().any(|path| path.ends_with("index.html")) {
            return Ok(());
        }
        // Moved in one step: half a page would be taken for a folder of the user's, which no report replaces.
        let aside = self.scratch().join(unique_name());
        self.disk.rename(&page, &aside).map_err(|e| EngineError::io("move", &page, e))?;
        self.discard(&aside);
        Ok(())
    }

    fn remove_tables(&self, stale: impl Fn(&str) -> bool) -> Result<()> {
        for path in self.list(&self.results())? {
            let is_table = path.extension().is_some_and(|e| e == "csv" || e == "parquet");
            let name = path.file_name().and_then(|s| s.to_str()).unwrap_or_default();
            if is_table && stale(name) {
                self.remove(&path)?;
            }
        }
        Ok(())
    }

    /// Removes a file that may be gone already.
    fn remove(&self, path: &Path) -> Result<()> {
        match self.disk.remove(path) {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(EngineError::io("remove", path, e)),
            _ => Ok(()),
        }
    }
}
