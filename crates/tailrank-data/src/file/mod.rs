//! A file of columns: CSV, Parquet or Arrow IPC, plain or gzipped, told apart by their first bytes.

mod cells;
mod claims;
mod column;
mod csv;
mod decimal;
mod found;
mod guard;
mod ipc;
mod ipc_claims;
mod number;
mod other;
mod parquet;
mod text;

use std::{borrow::Cow, collections::HashMap, fs::File, io::Read, path::Path};

pub(crate) use column::{As, Column, Texts, is_missing};
use flate2::read::MultiGzDecoder;
pub use number::NumberFormat;
pub(crate) use number::looks_like_number;
pub(crate) use parquet::note_of;
pub use text::Encoding;

use crate::{
    DataError, Result, Warning,
    names::{nearest, quoted},
};

/// One GiB: more than any daily history, less than a decompression bomb.
pub const DEFAULT_MAX_BYTES: u64 = 1 << 30;

/// A whole file in memory with its column names.
pub(crate) struct Source<'a> {
    pub(crate) file: String,
    pub(crate) names: Vec<String>,
    places: HashMap<String, usize>,
    /// What the user should know about how the file was read.
    pub(crate) notes: Vec<Warning>,
    content: Content<'a>,
}

enum Content<'a> {
    Csv(csv::Layout, Cow<'a, str>),
    Parquet(parquet::Layout, Cow<'a, [u8]>),
    Ipc(ipc::Layout, Cow<'a, [u8]>),
}

impl Source<'static> {
    /// Reads `path`; neither the file nor what it unpacks to may exceed `max_bytes`.
    pub(crate) fn open(path: &Path, max_bytes: u64) -> Result<Self> {
        let file = path.display().to_string();
        let io = |e: std::io::Error| DataError::File {
            file: file.clone(),
            problem: format!("cannot be read ({e})"),
            fix: "check the path and its permissions".into(),
        };
        let opened = File::open(path).map_err(io)?;
        let size = opened.metadata().map_err(io)?.len();
        let mut bytes = Vec::with_capacity(usize::try_from(size.min(max_bytes)).unwrap_or(0) + 1);
        opened.take(max_bytes.saturating_add(1)).read_to_end(&mut bytes).map_err(io)?;
        if bytes.len() as u64 > max_bytes {
            return Err(too_large(&file, max_bytes));
        }
        Source::from_bytes(file, Cow::Owned(bytes), max_bytes)
    }
}

impl<'a> Source<'a> {
    pub(crate) fn from_bytes(file: String, bytes: Cow<'a, [u8]>, max_bytes: u64) -> Result<Self> {
        let bytes = if bytes.starts_with(&[0x1f, 0x8b]) {
            Cow::Owned(inflate(&file, &bytes, max_bytes)?)
        } else {
            bytes
        };
        let mut notes = Vec::new();
        let (names, content) = if bytes.starts_with(b"PAR1") {
            let layout = parquet::Layout::of(&file, &bytes, max_bytes)?;
            (layout.names(), Content::Parquet(layout, bytes))
        } else if bytes.starts_with(ipc_claims::MAGIC) {
            let layout = ipc::Layout::of(&file, &bytes, max_bytes)?;
            (layout.names(), Content::Ipc(layout, bytes))
        } else {
            other::refuse(&file, &bytes)?;
            let (text, encoding) = text::decode(&file, bytes)?;
            notes.extend(encoding.map(|encoding| Warning::Encoded { file: file.clone(), encoding }));
            let text = with_line_feeds(text);
            let (names, layout) = csv::Layout::of(&file, &text)?;
            (names, Content::Csv(layout, text))
        };
        let mut places = HashMap::with_capacity(names.len());
        for (i, name) in names.iter().enumerate() {
            if places.insert(name.clone(), i).is_some() {
                return Err(DataError::File {
                    file,
                    problem: format!("two columns are named {}", quoted(name)),
                    fix: "give every column its own name".into(),
                });
            }
        }
        Ok(Self { file, names, places, notes, content })
    }

    /// Where `name` stands among the columns.
    pub(crate) fn position(&self, name: &str) -> Result<usize> {
        self.places.get(name).copied().ok_or_else(|| self.unknown(name))
    }

    pub(crate) fn unknown(&self, name: &str) -> DataError {
        DataError::UnknownColumn {
            file: self.file.clone(),
            column: name.to_owned(),
            nearest: nearest(name, &self.names),
            has: self.names.clone(),
        }
    }

    /// Reads the wanted columns, in the order asked; `notes` is told what is unusual about them.
    pub(crate) fn read(
        &self,
        wanted: &[(usize, As)],
        format: NumberFormat,
        notes: &mut Vec<Warning>,
    ) -> Result<Vec<Column>> {
        match &self.content {
            Content::Csv(layout, text) => layout.read(&self.file, text, &self.names, wanted, format, notes),
            Content::Parquet(layout, bytes) => layout.read(&self.file, bytes, wanted),
            Content::Ipc(layout, bytes) => layout.read(&self.file, bytes, wanted),
        }
    }

    /// The cell of `row` (from 0) as the file has it, for messages.
    pub(crate) fn own_text(&self, row: usize, column: usize) -> String {
        let read = self.read(&[(column, As::Text)], NumberFormat::Auto, &mut Vec::new()).ok();
        read.and_then(|c| c.first().filter(|c| row < c.len()).map(|c| c.text(row))).unwrap_or_default()
    }

    /// The error for one cell; `row` counts from 0 here and from 1 in the message.
    pub(crate) fn value_error(
        &self,
        row: usize,
        column: &str,
        value: String,
        problem: &str,
        fix: &str,
    ) -> DataError {
        DataError::Value {
            file: self.file.clone(),
            row: row + 1,
            column: column.to_owned(),
            value,
            problem: problem.into(),
            fix: fix.into(),
        }
    }
}

/// Old spreadsheets end lines by a carriage return alone.
fn with_line_feeds(text: Cow<'_, str>) -> Cow<'_, str> {
    if text.contains('\n') || !text.contains('\r') { text } else { Cow::Owned(text.replace('\r', "\n")) }
}

/// What a gzip file holds.
pub(crate) fn inflate(file: &str, packed: &[u8], max_bytes: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    MultiGzDecoder::new(packed).take(max_bytes.saturating_add(1)).read_to_end(&mut bytes).map_err(|_| {
        DataError::File {
            file: file.to_owned(),
            problem: "is not a whole gzip file".into(),
            fix: "copy or download it again".into(),
        }
    })?;
    if bytes.len() as u64 > max_bytes { Err(too_large(file, max_bytes)) } else { Ok(bytes) }
}

fn too_large(file: &str, max_bytes: u64) -> DataError {
    DataError::File {
        file: file.to_owned(),
        problem: format!("is larger than {max_bytes} bytes once unpacked"),
        fix: "split it, or in an experiment raise data.max_bytes if it is meant to be that large".into(),
    }
}
