//! A file of columns: CSV or Parquet, plain or gzipped, told apart by their first bytes.
//!
//! polars reads both; nothing of it leaves this crate.

mod believable;
mod csv;
mod parquet;
mod quotes;

use std::{borrow::Cow, fs::File, io::Read, path::Path};

use flate2::read::MultiGzDecoder;
use jiff::civil::Date;
pub(crate) use parquet::reader_of;
use polars::prelude::StringChunked;

use crate::{
    DataError, Result,
    names::{nearest, quoted, shortened},
};

/// One GiB: more than any daily history, less than a decompression bomb.
pub const DEFAULT_MAX_BYTES: u64 = 1 << 30;

/// How a column should be read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum As {
    Number,
    Text,
    Date,
}

/// A column as it was found. A CSV column asked for as numbers comes back as text if one cell is not a number.
pub(crate) enum Column {
    /// Missing is NaN.
    Numbers(Vec<f64>),
    Text(StringChunked),
    Dates(Vec<Option<Date>>),
}

impl Column {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Numbers(v) => v.len(),
            Self::Text(v) => v.len(),
            Self::Dates(v) => v.len(),
        }
    }

    /// The cell of `row` (from 0) as text.
    pub(crate) fn cell(&self, row: usize) -> Cow<'_, str> {
        match self {
            Self::Numbers(v) if v[row].is_nan() => Cow::Borrowed(""),
            Self::Numbers(v) => Cow::Owned(v[row].to_string()),
            Self::Text(v) => Cow::Borrowed(v.get(row).unwrap_or_default()),
            Self::Dates(v) => Cow::Owned(v[row].map(|d| d.to_string()).unwrap_or_default()),
        }
    }

    /// As [`Column::cell`], for messages.
    pub(crate) fn text(&self, row: usize) -> String {
        self.cell(row).into_owned()
    }

    /// The first text cell that `fits`, from 0.
    fn find(&self, fits: impl Fn(&str) -> bool) -> Option<usize> {
        match self {
            Self::Text(v) => v.iter().position(|cell| fits(cell.unwrap_or_default())),
            Self::Numbers(_) | Self::Dates(_) => None,
        }
    }
}

/// A whole file in memory with its column names.
pub(crate) struct Source<'a> {
    pub(crate) file: String,
    pub(crate) names: Vec<String>,
    bytes: Cow<'a, [u8]>,
    layout: Layout,
}

enum Layout {
    Csv(csv::Layout),
    Parquet(parquet::Layout),
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
        let bytes = with_line_feeds(bytes);
        let (names, layout) = if bytes.starts_with(b"PAR1") {
            let layout = parquet::Layout::of(&file, &bytes, max_bytes)?;
            (layout.names(), Layout::Parquet(layout))
        } else {
            let (names, layout) = csv::Layout::of(&file, &bytes)?;
            (names, Layout::Csv(layout))
        };
        if let Some(twice) = names.iter().enumerate().find(|(i, n)| names[..*i].contains(n)) {
            return Err(DataError::File {
                file,
                problem: format!("two columns are named {}", quoted(twice.1)),
                fix: "give every column its own name".into(),
            });
        }
        Ok(Self { file, names, bytes, layout })
    }

    /// Where `name` stands among the columns.
    pub(crate) fn position(&self, name: &str) -> Result<usize> {
        self.names.iter().position(|n| n == name).ok_or_else(|| self.unknown(name))
    }

    pub(crate) fn unknown(&self, name: &str) -> DataError {
        DataError::UnknownColumn {
            file: self.file.clone(),
            column: name.to_owned(),
            nearest: nearest(name, &self.names),
            has: self.names.clone(),
        }
    }

    /// Reads the wanted columns, in the order asked.
    pub(crate) fn read(&self, wanted: &[(usize, As)]) -> Result<Vec<Column>> {
        match &self.layout {
            Layout::Csv(layout) => layout.read(&self.file, &self.bytes, &self.names, wanted),
            Layout::Parquet(layout) => layout.read(&self.file, &self.bytes, wanted),
        }
    }

    /// The cell of `row` (from 0) as the file has it, for messages.
    pub(crate) fn own_text(&self, row: usize, column: usize) -> String {
        let read = self.read(&[(column, As::Text)]).ok();
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
fn with_line_feeds(bytes: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    if bytes.starts_with(b"PAR1") || bytes.contains(&b'\n') || !bytes.contains(&b'\r') {
        return bytes;
    }
    let mut bytes = bytes.into_owned();
    bytes.iter_mut().filter(|b| **b == b'\r').for_each(|b| *b = b'\n');
    Cow::Owned(bytes)
}

fn inflate(file: &str, packed: &[u8], max_bytes: u64) -> Result<Vec<u8>> {
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

/// Runs a polars reader; a panic inside it (damaged files can cause one) becomes an error like any other.
pub(crate) fn guarded<T>(
    file: &str,
    kind: &str,
    read: impl FnOnce() -> polars::prelude::PolarsResult<T>,
) -> Result<T> {
    let problem = match std::panic::catch_unwind(std::panic::AssertUnwindSafe(read)) {
        Ok(Ok(value)) => return Ok(value),
        Ok(Err(e)) => shortened(e.to_string().lines().next().unwrap_or_default()),
        Err(_) => "the reader gave up".to_owned(),
    };
    Err(DataError::File {
        file: file.to_owned(),
        problem: format!("cannot be read as {kind} ({problem})"),
        fix: "write the file again with the program it comes from".into(),
    })
}

/// Texts that mean "no value here".
pub(crate) fn is_missing(text: &str) -> bool {
    matches!(
        text,
        "" | "?"
            | "."
            | "-"
            | "NA"
            | "N/A"
            | "n/a"
            | "na"
            | "NaN"
            | "nan"
            | "NULL"
            | "null"
            | "None"
            | "#N/A"
    )
}
