//! What is derived from the cells: the tables, with a record of what they were made from, and the page.
//!
//! `results/tables.json` is written after the tables and removed before they change. Tables without it, or
//! that do not match it, are not read. `log/derived.json` names every table that is ours, before it
//! is written: whatever a crash leaves is known, and a file that others put in the same folder is never
//! touched.

use std::{collections::BTreeMap, path::Path};

use serde::{Deserialize, Serialize};
use tailrank_experiment::{digest::digest, plan::InputDigest};

use super::{
    FileRecord, Ownership, Store,
    disk::Disk,
    inside::inside,
    ownership::{FILE_RECORD, quarantine_name},
};
use crate::{EngineError, Result};

/// Name of the record.
pub const RECORD: &str = "tables.json";

/// What a page of an earlier version holds, which has no record of its files.
const GENERATOR_META: &str = "<meta name=\"generator\" content=\"tailrank\">";

/// What tables were made from, and what is in them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableRecord {
    /// What they were made from.
    #[serde(flatten)]
    pub inputs: InputDigest,
    /// Fits that were not stored when they were made.
    #[serde(default)]
    pub missing: usize,
    /// Checksums by file name.
    pub files: BTreeMap<String, String>,
}

impl TableRecord {
    /// Of tables that were made from `inputs` while fits were `missing`.
    pub fn new(inputs: &InputDigest, missing: usize, files: &[(String, Vec<u8>)]) -> Self {
        let files = files.iter().map(|(name, bytes)| (name.clone(), digest(bytes))).collect();
        Self { inputs: inputs.clone(), missing, files }
    }

    /// As the bytes of its file.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let mut text = serde_json::to_vec_pretty(self).map_err(|e| EngineError::internal(RECORD, e))?;
        text.push(b'\n');
        Ok(text)
    }

    /// The record in a folder of tables; none where it is missing or unreadable.
    pub fn read(disk: &dyn Disk, folder: &Path) -> Result<Option<Self>> {
        let path = folder.join(RECORD);
        match disk.read(&path) {
            Ok(bytes) => Ok(serde_json::from_slice(&bytes).ok()),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(e) => Err(EngineError::io("read", &path, e)),
        }
    }

    /// Whether these are the bytes that were written.
    pub fn checksum_matches(&self, name: &str, bytes: &[u8]) -> bool {
        self.files.get(name).is_some_and(|sum| *sum == digest(bytes))
    }
}

impl Store<'_> {
    /// Whether tables are there, whole and of one piece.
    pub fn has_tables(&self) -> Result<bool> {
        let listed = self.list(&self.results())?;
        let is_there = |name: &str| listed.iter().any(|path| path.ends_with(name));
        Ok(is_there("scores.csv") && is_there(RECORD))
    }

    /// Replaces the tables by these; their record must be the last. Tables that lack fits never take the
    /// place of richer ones.
    ///
    /// # Errors
    /// `Superseded` when the folder stands for something else by now.
    pub fn write_derived(&self, files: &[(String, Vec<u8>)]) -> Result<()> {
        let _lock = self.lock_derived()?;
        let new: Option<TableRecord> = files.last().and_then(|(_, bytes)| serde_json::from_slice(bytes).ok());
        let new = new.ok_or_else(|| EngineError::internal(RECORD, "tables without their record"))?;
        self.check_inputs(&new.inputs)?;
        let old = TableRecord::read(self.disk, &self.results())?;
        if let Some(old) = old.filter(|old| old.inputs == new.inputs && old.missing < new.missing)
            && self.are_whole(&old)?
        {
            let lost = new.missing - old.missing;
            self.notice(format!(
                "{lost} fits that the tables were made from are missing or damaged by now; the tables were \
                 left as they are"
            ));
            return Ok(());
        }
        let mut owned = self.owned_tables()?;
        for (name, bytes) in files {
            owned.add(name, bytes);
        }
        self.write_owned(&owned)?;
        self.clear_tables(&owned, files)?;
        for (name, bytes) in files {
            self.replace(&self.results().join(name), bytes)?;
        }
        let mut owned = FileRecord::default();
        for (name, bytes) in files {
            owned.add(name, bytes);
        }
        self.write_owned(&owned)
    }

    /// What the tables in place were made from.
    pub(super) fn tables_inputs(&self) -> Result<Option<InputDigest>> {
        Ok(TableRecord::read(self.disk, &self.results())?.map(|record| record.inputs))
    }

    /// Whether every table is there as its record says.
    fn are_whole(&self, record: &TableRecord) -> Result<bool> {
        for name in record.files.keys() {
            let Some(path) = inside(&self.results(), name) else { return Ok(false) };
            let bytes = self.read(&path)?;
            if !bytes.is_some_and(|bytes| record.checksum_matches(name, &bytes)) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Removes tables and pages of ours.
    pub(crate) fn remove_derived(&self) -> Result<()> {
        let _lock = self.lock_derived()?;
        self.clear_derived()
    }

    /// Removes tables and pages of ours, under the lock.
    pub(super) fn clear_derived(&self) -> Result<()> {
        self.clear_tables(&self.owned_tables()?, &[])?;
        // Reports under changed settings are of the same cells and data.
        for path in self.list(&self.root)? {
            let name = path.file_name().and_then(|n| n.to_str()).unwrap_or_default();
            // A link would lead out of the run.
            if is_page_name(name) && path.is_dir() && !path.is_symlink() {
                self.remove_page(&path)?;
            }
        }
        Ok(())
    }

    /// Removes the tables of ours that are not among `wanted`; their record goes first. What was edited is
    /// set aside, also where a wanted table is to stand; what others put here stays.
    fn clear_tables(&self, owned: &FileRecord, wanted: &[(String, Vec<u8>)]) -> Result<()> {
        let mut foreign = Vec::new();
        let mut entries = self.list(&self.results())?;
        entries.sort_by_key(|path| !path.ends_with(RECORD));
        for path in entries.iter().filter(|path| path.is_file() && !path.is_symlink()) {
            let Some(name) = path.file_name().and_then(|n| n.to_str()) else { continue };
            let Some(bytes) = self.read(path)? else { continue };
            let new = wanted.iter().find(|(file, _)| file == name).map(|(_, bytes)| bytes);
            if new == Some(&bytes) {
                continue;
            }
            let is_record = name == RECORD && serde_json::from_slice::<TableRecord>(&bytes).is_ok();
            match owned.owner_of(name, &bytes) {
                _ if is_record => self.remove(path)?,
                Ownership::Ours if new.is_some() => {}
                Ownership::Ours => self.remove(path)?,
                Ownership::Edited => self.keep_aside(path, &bytes, "was changed by hand")?,
                Ownership::Foreign if new.is_some() || name == RECORD => {
                    self.keep_aside(path, &bytes, "is not of this run")?;
                }
                Ownership::Foreign => foreign.push(name.to_owned()),
            }
        }
        self.notice_foreign("results", &foreign);
        Ok(())
    }

    /// Removes the page, file by file as its record names them, the record last. What is left is nobody's but
    /// the user's.
    fn remove_page(&self, page: &Path) -> Result<()> {
        let record_path = page.join(FILE_RECORD);
        let record = FileRecord::read(self.disk, &record_path)
            .map_err(|e| EngineError::io("read", &record_path, e))?;
        let Some(record) = record else { return self.remove_old_page(page) };
        let mut names: Vec<&str> = record.names().collect();
        names.sort_by_key(|name| (*name != "index.html", *name));
        for name in names {
            let Some(path) = inside(page, name) else {
                self.notice(format!(
                    "{} names {name:?}, which is not a file of the report; it was left alone",
                    record_path.display()
                ));
                continue;
            };
            let Some(bytes) = self.read(&path)? else { continue };
            match record.owner_of(name, &bytes) {
                Ownership::Ours => self.remove(&path)?,
                _ => self.keep_aside(&path, &bytes, "was changed by hand")?,
            }
        }
        let mut foreign = Vec::new();
        self.remove_empty_folders(page, "", &mut foreign)?;
        foreign.retain(|name| name != FILE_RECORD);
        if !foreign.is_empty() {
            // A record of nothing: the next report may stand here again.
            let nothing =
                FileRecord::default().to_bytes().map_err(|e| EngineError::internal(FILE_RECORD, e))?;
            self.write(&record_path, &nothing)?;
            let folder = page.file_name().unwrap_or_default().to_string_lossy();
            self.notice_foreign(&folder, &foreign);
            return Ok(());
        }
        self.remove(&record_path)?;
        let _ = self.disk.remove_empty_folder(page);
        Ok(())
    }

    /// A page of an earlier version has no record: it is set aside as a whole. A folder that is not a page
    /// stays.
    fn remove_old_page(&self, page: &Path) -> Result<()> {
        let Some(index) = self.read(&page.join("index.html"))? else { return Ok(()) };
        if !String::from_utf8_lossy(&index).contains(GENERATOR_META) {
            return Ok(());
        }
        let aside = self.aside(&format!("{}.report", super::scratch::unique_name()))?;
        self.disk.rename(page, &aside).map_err(|e| EngineError::io("move", page, e))?;
        self.notice(format!(
            "the report of an earlier version has no record of its files and was moved to {}",
            aside.display()
        ));
        Ok(())
    }

    /// Removes the folders in which nothing is left; collects the files that are.
    fn remove_empty_folders(&self, folder: &Path, name: &str, left: &mut Vec<String>) -> Result<()> {
        for path in self.list(folder)? {
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            let name = if name.is_empty() { file.into_owned() } else { format!("{name}/{file}") };
            if path.is_dir() && !path.is_symlink() {
                self.remove_empty_folders(&path, &name, left)?;
            } else {
                left.push(name);
            }
        }
        // One that holds anything is not removed.
        let _ = self.disk.remove_empty_folder(folder);
        Ok(())
    }

    /// Moves a file that is not ours to remove out of the way, and says so.
    pub(super) fn keep_aside(&self, path: &Path, bytes: &[u8], why: &str) -> Result<()> {
        let shown = path.strip_prefix(&self.root).unwrap_or(path).display().to_string();
        let aside = self.aside(&quarantine_name(&shown, bytes))?;
        match self.disk.rename(path, &aside) {
            Ok(()) => {}
            // Another process was faster.
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            Err(e) => return Err(EngineError::io("move", path, e)),
        }
        self.notice(format!("{shown} {why} and was moved to {}", aside.display()));
        Ok(())
    }

    fn aside(&self, name: &str) -> Result<std::path::PathBuf> {
        let folder = self.root.join("log/set-aside");
        self.create_folder(&folder)?;
        Ok(folder.join(name))
    }

    fn notice_foreign(&self, folder: &str, names: &[String]) {
        if !names.is_empty() {
            self.notice(format!(
                "{folder}/ holds files that are not of this run, left as they are: {}",
                listed(names)
            ));
        }
    }

    /// The tables that are ours: as their record says, and as it was meant to be when a session was stopped.
    fn owned_tables(&self) -> Result<FileRecord> {
        let path = self.owned_path();
        let mut owned = FileRecord::read(self.disk, &path)
            .map_err(|e| EngineError::io("read", &path, e))?
            .unwrap_or_default();
        if let Some(record) = TableRecord::read(self.disk, &self.results())? {
            for (name, sum) in record.files {
                owned.add_sum(&name, sum);
            }
        }
        Ok(owned)
    }

    fn write_owned(&self, owned: &FileRecord) -> Result<()> {
        let bytes = owned.to_bytes().map_err(|e| EngineError::internal("derived.json", e))?;
        self.replace(&self.owned_path(), &bytes)
    }

    fn owned_path(&self) -> std::path::PathBuf {
        self.root.join("log/derived.json")
    }

    /// Removes a file that may be gone already.
    fn remove(&self, path: &Path) -> Result<()> {
        match self.disk.remove(path) {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(EngineError::io("remove", path, e)),
            _ => Ok(()),
        }
    }
}

/// `report`, or `report-` and eight digits: a report under changed settings.
fn is_page_name(name: &str) -> bool {
    let is_hash = |rest: &str| rest.len() == 8 && rest.bytes().all(|b| b.is_ascii_hexdigit());
    name == "report" || name.strip_prefix("report-").is_some_and(|rest| rest == "incomplete" || is_hash(rest))
}

/// `a, b, c and 4 more`
pub(super) fn listed(names: &[String]) -> String {
    const SHOWN: usize = 3;
    let shown = names.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
