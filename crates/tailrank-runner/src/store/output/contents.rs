//! `files.json`: what a folder of outputs was made from, and its files with their checksums.

use super::*;

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
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        json_text(self)
    }

    /// A record from the bytes of its file; none if they are not one.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok()
    }

    /// The record of a folder; none where it is missing, damaged or another tool's.
    pub fn read(disk: &dyn Disk, folder: &Path) -> io::Result<Option<Self>> {
        Ok(Self::parse(&read(disk, &folder.join(CONTENTS))?).filter(|contents| contents.made_by == MAKER))
    }
}

/// A file's bytes; none where there is no such file, or something else in its place.
fn read(disk: &dyn Disk, path: &Path) -> io::Result<Vec<u8>> {
    match disk.read(path) {
        Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | NOT_REGULAR) => Ok(Vec::new()),
        bytes => bytes,
    }
}

/// What a page holds, also one whose record is gone.
pub const GENERATOR: &str = "<meta name=\"generator\" content=\"tailrank\">";

/// Whether outputs of this kind may stand in a folder, to be asked before hours of work: it is missing or
/// empty, or holds such outputs already.
///
/// # Errors
/// `Occupied` when it holds anything else.
pub fn check_free_for(disk: &dyn Disk, folder: &Path, kind: OutputKind) -> Result<()> {
    let is_empty = || Ok(disk.list(folder).map_err(|e| EngineError::io("list", folder, e))?.is_empty());
    // Another process may put its folder there after the first look.
    if is_ours(disk, folder, kind)? || is_empty()? || is_ours(disk, folder, kind)? {
        return Ok(());
    }
    let what = match kind {
        OutputKind::Tables => "tables",
        OutputKind::Report => "report",
        OutputKind::Study => "study of tailrank",
    };
    Err(EngineError::Occupied { path: folder.to_owned(), what })
}

/// Whether a folder holds outputs of this kind of ours, whatever became of them since: also by a record of
/// another version.
pub fn is_ours(disk: &dyn Disk, folder: &Path, kind: OutputKind) -> Result<bool> {
    let read = |name: &str| {
        let path = folder.join(name);
        read(disk, &path).map_err(|e| EngineError::io("read", &path, e))
    };
    let record: Value = serde_json::from_slice(&read(CONTENTS)?).unwrap_or_default();
    let is_kind = OutputKind::deserialize(&record["kind"]).is_ok_and(|found| found == kind);
    let is_page = || Ok(String::from_utf8_lossy(&read("index.html")?).contains(GENERATOR));
    Ok((record["made_by"] == MAKER && is_kind) || (kind == OutputKind::Report && is_page()?))
}
