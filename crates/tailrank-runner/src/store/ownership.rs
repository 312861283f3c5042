//! Whose a file is: nothing is ever removed or replaced but what a record of ours names, with the content it
//! had when it was written.
//!
//! What was edited since is set aside, and what others put beside it stays where it is.

use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    path::Path,
};

use serde::{Deserialize, Serialize};
use tailrank_experiment::digest::digest;

use super::disk::Disk;

/// Name of the record in a folder that is all ours, such as a report's.
pub const FILE_RECORD: &str = "files.json";

/// Who writes such records: another tool may use the same name.
const MAKER: &str = "tailrank";

/// The files of a folder that are ours, with their checksums.
///
/// ```
/// use tailrank_runner::store::{FileRecord, Ownership};
///
/// let mut record = FileRecord::default();
/// record.add("scores.csv", b"mad\n0.5\n");
/// assert_eq!(record.owner_of("scores.csv", b"mad\n0.5\n"), Ownership::Ours);
/// assert_eq!(record.owner_of("scores.csv", b"mad\n0.4\n"), Ownership::Edited);
/// assert_eq!(record.owner_of("notes.csv", b"dear diary"), Ownership::Foreign);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileRecord {
    /// Checksums by name. There are several while a file is being replaced: whichever of them a crash leaves
    /// is ours.
    files: BTreeMap<String, BTreeSet<String>>,
}

/// Whose a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ownership {
    /// As we wrote it.
    Ours,
    /// Ours by name, with another content.
    Edited,
    /// Somebody else's.
    Foreign,
}

#[derive(Serialize, Deserialize)]
struct Written {
    made_by: String,
    files: BTreeMap<String, BTreeSet<String>>,
}

impl FileRecord {
    /// Adds a file with its content.
    pub fn add(&mut self, name: &str, bytes: &[u8]) {
        self.add_sum(name, digest(bytes));
    }

    pub(super) fn add_sum(&mut self, name: &str, sum: String) {
        self.files.entry(name.to_owned()).or_default().insert(sum);
    }

    /// Whose the file of this name and content is.
    pub fn owner_of(&self, name: &str, bytes: &[u8]) -> Ownership {
        match self.files.get(name) {
            None => Ownership::Foreign,
            Some(sums) if sums.contains(&digest(bytes)) => Ownership::Ours,
            Some(_) => Ownership::Edited,
        }
    }

    /// The names of the files.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// The record as the bytes of its file.
    pub fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let written = Written { made_by: MAKER.to_owned(), files: self.files.clone() };
        let mut text = serde_json::to_vec_pretty(&written)?;
        text.push(b'\n');
        Ok(text)
    }

    /// A record from the bytes of its file; none if they are not one.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let Written { made_by, files } = serde_json::from_slice(bytes).ok()?;
        (made_by == MAKER).then_some(Self { files })
    }

    /// The record at `path`; none where it is missing or unreadable.
    pub fn read(disk: &dyn Disk, path: &Path) -> io::Result<Option<Self>> {
        match disk.read(path) {
            Ok(bytes) => Ok(Self::parse(&bytes)),
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(e) => Err(e),
        }
    }
}

/// What an edited or foreign file is called where it is set aside: its content is part of the name, so that
/// nothing set aside before is ever replaced by anything else.
pub fn quarantine_name(name: &str, bytes: &[u8]) -> String {
    format!("{}.{}", &digest(bytes)[..8], name.replace(['/', '\\'], "-"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_comes_back_and_another_tools_file_is_none() {
        let mut record = FileRecord::default();
        record.add("a.csv", b"1");
        record.add("a.csv", b"2");
        record.add("tasks/1.js", b"x");
        let bytes = record.to_bytes().unwrap();
        assert_eq!(FileRecord::parse(&bytes), Some(record.clone()));
        assert_eq!(record.owner_of("a.csv", b"1"), Ownership::Ours);
        assert_eq!(record.owner_of("a.csv", b"2"), Ownership::Ours);
        let foreign = String::from_utf8(bytes).unwrap().replace(MAKER, "webpack");
        assert_eq!(FileRecord::parse(foreign.as_bytes()), None);
        assert_eq!(FileRecord::parse(br#"{ "files": {} }"#), None);
    }

    #[test]
    fn what_is_set_aside_never_meets_another_content() {
        assert_ne!(quarantine_name("a.csv", b"1"), quarantine_name("a.csv", b"2"));
        assert!(quarantine_name("tasks/1.js", b"1").ends_with(".tasks-1.js"));
    }
}
