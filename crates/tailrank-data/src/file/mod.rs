//! A file of columns: CSV, Parquet or Arrow IPC, plain or gzipped, told apart by their first bytes.

mod binary;
mod bytes;
mod cells;
mod claims;
mod column;
mod csv;
mod guard;
mod head;
mod ipc_claims;
mod joined;
mod kept;
mod large;
mod number;
mod other;
mod polars_column;
#[cfg(test)]
mod tests;
mod text;

use std::{
    collections::HashMap,
    fs::File,
    io::{Read, Seek},
    path::Path,
    sync::{Arc, Mutex},
};

use bytes::Bytes;
pub(crate) use column::{Column, ReadAs, Texts, is_missing};
use csv::Body;
use flate2::read::MultiGzDecoder;
pub use joined::ROW_ORDER;
use kept::Kept;
use large::LargeText;
pub use number::NumberFormat;
pub(crate) use number::looks_like_number;

use crate::{DataError, Result, Warning, names::quoted, plain_parquet::MAGIC};

/// One GiB: more than any daily history, less than a decompression bomb.
pub const DEFAULT_MAX_BYTES: u64 = 1 << 30;

/// What is wrong with a file that ends behind its header.
pub(crate) const NO_ROWS: &str = "has no rows below the header";

/// A file with its column names; all but large files of text are in memory as a whole.
pub(crate) struct Source {
    pub(crate) file: String,
    /// Names of the file's own columns, then of those that are put together from them.
    pub(crate) names: Vec<String>,
    joined: Vec<joined::Joined>,
    places: HashMap<String, usize>,
    /// What the user should know about how the file was read.
    pub(crate) notes: Vec<Warning>,
    content: Content,
    kept: Kept,
}

enum Content {
    Csv(csv::Layout, String),
    LargeCsv(csv::Layout, LargeText),
    Binary(binary::Layout, Bytes),
}

impl Source {
    /// Reads `path`; neither the file nor what it unpacks to may exceed `max_bytes`.
    pub(crate) fn open(path: &Path, max_bytes: impl Into<Option<u64>>) -> Result<Self> {
        let max_bytes = max_bytes.into().unwrap_or(DEFAULT_MAX_BYTES);
        let file = path.display().to_string();
        let io = |e: std::io::Error| {
            DataError::file(&file, format!("cannot be read ({e})"), "check the path and its permissions")
        };
        let mut opened = File::open(path).map_err(io)?;
        let size = opened.metadata().map_err(io)?.len();
        if let Some(text) = LargeText::of(&file, &opened).filter(|_| size <= max_bytes)
            && let Ok(layout) = csv::Layout::of(&file, &text.head)
        {
            let names = layout.names.clone();
            return Self::of_columns(&file, names, Content::LargeCsv(layout, text), None);
        }
        opened.rewind().map_err(io)?;
        let (mut start, metadata) = ([0; MAGIC.len()], opened.metadata().map_err(io)?);
        if metadata.is_file() && size <= max_bytes && opened.read_exact(&mut start).is_ok() && start == *MAGIC
        {
            return Self::parquet(&file, Bytes::Stored(Mutex::new(opened), metadata), max_bytes);
        }
        opened.rewind().map_err(io)?;
        let mut bytes = Vec::with_capacity(usize::try_from(size.min(max_bytes)).unwrap_or(0) + 1);
        opened.take(max_bytes.saturating_add(1)).read_to_end(&mut bytes).map_err(io)?;
        if bytes.len() as u64 > max_bytes {
            return Err(too_large(&file, max_bytes));
        }
        Self::from_bytes(&file, bytes, max_bytes)
    }

    pub(crate) fn from_bytes(
        file: &str,
        bytes: impl Into<Vec<u8>>,
        max_bytes: impl Into<Option<u64>>,
    ) -> Result<Self> {
        let (mut bytes, max_bytes) = (bytes.into(), max_bytes.into().unwrap_or(DEFAULT_MAX_BYTES));
        if bytes.starts_with(&[0x1f, 0x8b]) {
            bytes = inflate(file, &bytes, max_bytes)?;
        }
        if bytes.starts_with(MAGIC) {
            return Self::parquet(file, Bytes::Held(bytes), max_bytes);
        }
        if bytes.starts_with(ipc_claims::MAGIC) {
            let layout = binary::Layout::of_ipc(file, &bytes, max_bytes)?;
            let names = layout.names();
            let content = Content::Binary(layout, Bytes::Held(bytes));
            return Self::of_columns(file, names, content, None);
        }
        other::refuse(file, &bytes)?;
        let (mut text, encoding) = text::decode(file, bytes)?;
        // Old spreadsheets end lines by a carriage return alone.
        if !text.contains('\n') {
            text = text.replace('\r', "\n");
        }
        let text = head::by_blanks(&text).unwrap_or(text);
        let layout = csv::Layout::of(file, &text)?;
        let note = encoding.map(|encoding| Warning::Encoded { file: file.to_owned(), encoding });
        Self::of_columns(file, layout.names.clone(), Content::Csv(layout, text), note)
    }

    fn parquet(file: &str, bytes: Bytes, max_bytes: u64) -> Result<Self> {
        let layout = binary::Layout::of_parquet(file, &bytes, max_bytes)?;
        Self::of_columns(file, layout.names(), Content::Binary(layout, bytes), None)
    }

    fn of_columns(
        file: &str,
        mut names: Vec<String>,
        content: Content,
        note: Option<Warning>,
    ) -> Result<Self> {
        let mut places = HashMap::with_capacity(names.len());
        for (i, name) in names.iter().enumerate() {
            if places.insert(name.clone(), i).is_some() {
                let fix =
                    "give every column its own name, or add a line of names if the first line holds values";
                return Err(DataError::file(file, format!("two columns are named {}", quoted(name)), fix));
            }
        }
        let mut joined = joined::Joined::all(&names);
        joined.retain(|column| !places.contains_key(&column.name));
        for column in &joined {
            places.insert(column.name.clone(), names.len());
            names.push(column.name.clone());
        }
        let (kept, notes) = (Kept::default(), Vec::from_iter(note));
        Ok(Self { file: file.to_owned(), names, joined, places, notes, content, kept })
    }

    /// The same file, whose columns are kept for who asks for them again.
    pub(crate) fn keeping(self) -> Self {
        Self { kept: Kept::all(), ..self }
    }

    /// Where `name` stands among the columns.
    pub(crate) fn position(&self, name: &str) -> Result<usize> {
        self.places.get(name).copied().ok_or_else(|| self.unknown("column", name, self.own().to_vec()))
    }

    /// The error for a column or series that is not among those the file has.
    pub(crate) fn unknown(&self, what: &'static str, name: &str, has: Vec<String>) -> DataError {
        DataError::Unknown { file: Some(self.file.clone()), what, name: name.to_owned(), has }
    }

    /// The error for the file as a whole.
    pub(crate) fn refused(&self, problem: impl Into<String>, fix: impl Into<String>) -> DataError {
        DataError::file(&self.file, problem, fix)
    }

    /// Names of the columns that stand in the file.
    pub(crate) fn own(&self) -> &[String] {
        &self.names[..self.names.len() - self.joined.len()]
    }

    /// Where the dates stand that are put together from several columns, if names promise some.
    pub(crate) fn calendar(&self) -> Option<usize> {
        self.joined.iter().position(|column| column.is_calendar).map(|i| self.own().len() + i)
    }

    /// Reads the wanted columns, in the order asked; `notes` is told what is unusual about them.
    pub(crate) fn read(
        &self,
        wanted: &[(usize, ReadAs)],
        format: NumberFormat,
        notes: &mut Vec<Warning>,
    ) -> Result<Vec<Column>> {
        Ok(self.shared(wanted, format, notes)?.into_iter().map(Arc::unwrap_or_clone).collect())
    }

    /// As [`Source::read`], for who only looks at them.
    pub(crate) fn shared(
        &self,
        wanted: &[(usize, ReadAs)],
        format: NumberFormat,
        notes: &mut Vec<Warning>,
    ) -> Result<Vec<Arc<Column>>> {
        let joined = |i: usize| i.checked_sub(self.own().len()).and_then(|i| self.joined.get(i));
        let parts = |(i, kind): &(usize, ReadAs)| match joined(*i) {
            Some(column) => column.parts.iter().map(|part| (*part, ReadAs::Text)).collect(),
            None => vec![(*i, *kind)],
        };
        let own: Vec<(usize, ReadAs)> = wanted.iter().flat_map(parts).collect();
        let columns = match &self.content {
            Content::Csv(layout, text) => layout.read(&Body::Whole(text), &own, format, &self.kept, notes),
            Content::LargeCsv(layout, text) => {
                let told = notes.len();
                layout.read(&Body::Large(text), &own, format, &self.kept, notes).or_else(|_| {
                    notes.truncate(told);
                    let whole = text.whole(notes)?;
                    layout.read(&Body::Whole(whole), &own, format, &self.kept, notes)
                })
            }
            Content::Binary(layout, bytes) => layout.read(bytes, &own, &self.kept),
        };
        let mut columns = columns?.into_iter();
        let found = wanted.iter().filter_map(|(i, _)| match joined(*i) {
            Some(column) => {
                let parts: Vec<_> = columns.by_ref().take(column.parts.len()).collect();
                Some(Arc::new(column.of(&parts)))
            }
            None => columns.next(),
        });
        Ok(found.collect())
    }

    /// The cell of `row` (from 0) as the file has it, for messages.
    pub(crate) fn own_text(&self, row: usize, column: usize) -> String {
        let read = self.read(&[(column, ReadAs::Text)], NumberFormat::Auto, &mut Vec::new()).ok();
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
        DataError::value(&self.file, row, column, value, problem, fix)
    }

    /// As [`Source::value_error`], for a cell as the file has it.
    pub(crate) fn cell_error(&self, row: usize, column: usize, problem: &str, fix: &str) -> DataError {
        self.value_error(row, &self.names[column], self.own_text(row, column), problem, fix)
    }
}

/// What a gzip file holds.
pub(crate) fn inflate(file: &str, packed: &[u8], max_bytes: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = MultiGzDecoder::new(packed).take(max_bytes.saturating_add(1)).read_to_end(&mut bytes);
    read.map_err(|_| DataError::file(file, "is not a whole gzip file", "copy or download it again"))?;
    if bytes.len() as u64 > max_bytes { Err(too_large(file, max_bytes)) } else { Ok(bytes) }
}

fn too_large(file: &str, max_bytes: u64) -> DataError {
    let fix = "split it, or in an experiment raise data.max_bytes if it is meant to be that large";
    DataError::file(file, format!("is larger than {max_bytes} bytes once unpacked"), fix)
}
