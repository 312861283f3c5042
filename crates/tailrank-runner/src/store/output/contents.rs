//! `files.json`: what a folder of outputs was made from, and its files with their checksums.

use std::{collections::BTreeMap, io, path::Path};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tailrank_experiment::{digest::digest, plan::InputDigest};

use crate::store::disk::{Disk, NOT_REGULAR};

/// Name of the record in a folder of outputs.
pub const CONTENTS: &str = "files.json";

/// Who writes such records: another tool may use the same name.
const MAKER: &str = "tailrank";

/// What kind of outputs a folder holds: only one of the same kind takes its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutputKind {
    /// Tables of a run.
    Tables,
    /// A page.
    Report,
    /// A study's claims and figures.
    Study,
}

/// What a folder of outputs holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contents {
    #[serde(default)]
    made_by: String,
    #[serde(default)]
    kind: Option<OutputKind>,
    /// What it was made from.
    #[serde(flatten)]
    pub inputs: InputDigest,
    /// Fits that were not stored when it was made.
    #[serde(default)]
    pub missing: usize,
    /// Checksums by the names of its files.
    pub(super) files: BTreeMap<String, String>,
}

impl Contents {
    /// Of a folder that was made from this.
    pub fn of(kind: OutputKind, inputs: &InputDigest, missing: usize) -> Self {
        let (made_by, files) = (MAKER.to_owned(), BTreeMap::new());
        Self { made_by, kind: Some(kind), inputs: inputs.clone(), missing, files }
    }

    /// Adds a file.
    pub fn add(&mut self, name: &str, bytes: &[u8]) {
        self.files.insert(name.to_owned(), digest(bytes));
    }

    /// Whether these are the bytes that were written.
    pub fn checksum_matches(&self, name: &str, bytes: &[u8]) -> bool {
        self.files.get(name).is_some_and(|sum| *sum == digest(bytes))
    }

    /// The record as the bytes of its file.
    pub fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let mut text = serde_json::to_vec_pretty(self)?;
        text.push(b'\n');
        Ok(text)
    }

    /// A record from the bytes of its file; none if they are not one.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok()
    }

    /// The record of a folder; none where it is missing, damaged or another tool's.
    pub fn read(disk: &dyn Disk, folder: &Path) -> io::Result<Option<Self>> {
        match disk.read(&folder.join(CONTENTS)) {
            Ok(bytes) => Ok(Self::parse(&bytes).filter(|contents| contents.made_by == MAKER)),
            Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | NOT_REGULAR) => Ok(None),
            Err(e) => Err(e),
        }
    }
}

/// What a page holds, also one whose record is gone.
const GENERATOR: &str = "<meta name=\"generator\" content=\"tailrank\">";

/// Whether outputs of this kind may stand in a folder: it is missing or empty, or holds such outputs already.
pub fn is_free_for(disk: &dyn Disk, folder: &Path, kind: OutputKind) -> io::Result<bool> {
    // Another process may put its folder there after the first look.
    Ok(is_ours(disk, folder, kind)? || disk.list(folder)?.is_empty() || is_ours(disk, folder, kind)?)
}

/// Whether a folder holds outputs of this kind of ours, whatever became of them since: also by a record of another version.
pub fn is_ours(disk: &dyn Disk, folder: &Path, kind: OutputKind) -> io::Result<bool> {
    let read = |name: &str| match disk.read(&folder.join(name)) {
        Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | NOT_REGULAR) => Ok(String::new()),
        Err(e) => Err(e),
    };
    let record: Value = serde_json::from_str(&read(CONTENTS)?).unwrap_or_default();
    let is_recorded = record["made_by"] == MAKER && record["kind"] == serde_json::to_value(kind)?;
    Ok(is_recorded || (kind == OutputKind::Report && read("index.html")?.contains(GENERATOR)))
}
