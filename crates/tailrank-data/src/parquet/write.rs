//! Tables as Parquet: one row group, plain values, no statistics and nothing that differs from run to run, so that equal tables give
//! equal bytes (Apache Parquet format 2, Thrift compact protocol).

use super::{
    MAGIC, codec,
    page::{PLAIN, RLE},
    thrift::{BINARY, Compact, I32, I64, STRUCT},
};
use crate::{DataError, Result};

/// The cells of a column.
#[derive(Clone, Copy)]
pub(crate) enum Cells<'a> {
    /// Numbers as they are.
    Numbers(&'a [f64]),
    /// Numbers, where NaN is a missing value.
    Optional(&'a [f64]),
    Integers(&'a [i64]),
    Texts(&'a [String]),
}

/// Whether pages are packed.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Packing {
    /// One page a column, as it is.
    None,
    /// LZ4 for columns that become shorter by it: predictions hardly do, repeated text does.
    Lz4,
}

/// Rows of a packed page.
const PAGE: usize = 1 << 20;

impl Cells<'_> {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Numbers(v) | Self::Optional(v) => v.len(),
            Self::Integers(v) => v.len(),
            Self::Texts(v) => v.len(),
        }
    }

    /// The format's number of the type.
    fn physical(&self) -> i64 {
        match self {
            Self::Numbers(_) | Self::Optional(_) => 5,
            Self::Integers(_) => 2,
            Self::Texts(_) => 6,
        }
    }

    fn part(&self, rows: std::ops::Range<usize>) -> Self {
        match self {
            Self::Numbers(v) => Self::Numbers(&v[rows]),
            Self::Optional(v) => Self::Optional(&v[rows]),
            Self::Integers(v) => Self::Integers(&v[rows]),
            Self::Texts(v) => Self::Texts(&v[rows]),
        }
    }

    /// What a page of these cells holds.
    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::Numbers(v) => v.iter().for_each(|v| out.extend_from_slice(&v.to_le_bytes())),
            Self::Integers(v) => v.iter().for_each(|v| out.extend_from_slice(&v.to_le_bytes())),
            Self::Optional(v) => {
                write_presence(v, out);
                v.iter().filter(|v| !v.is_nan()).for_each(|v| out.extend_from_slice(&v.to_le_bytes()));
            }
            Self::Texts(v) => {
                for text in *v {
                    out.extend_from_slice(&(text.len() as u32).to_le_bytes());
                    out.extend_from_slice(text.as_bytes());
                }
            }
        }
    }
}

/// Levels of one bit: one run if no value is missing, else packed in groups of eight.
fn write_presence(values: &[f64], out: &mut Vec<u8>) {
    let mut levels = Vec::new();
    if values.iter().any(|v| v.is_nan()) {
        Compact::new(&mut levels).varint((values.len().div_ceil(8) as u64) << 1 | 1);
        let bits =
            |group: &[f64]| group.iter().enumerate().map(|(i, v)| u8::from(!v.is_nan()) << i).sum::<u8>();
        levels.extend(values.chunks(8).map(bits));
    } else if !values.is_empty() {
        Compact::new(&mut levels).varint((values.len() as u64) << 1);
        levels.push(1);
    }
    out.extend_from_slice(&(levels.len() as u32).to_le_bytes());
    out.extend(levels);
}

/// Where a column stands.
struct Place {
    start: usize,
    /// Bytes with the pages' headers.
    size: usize,
    unpacked: usize,
    codec: i64,
}

/// Named columns of equal length as the bytes of a file, with notes in its key-value metadata.
pub(crate) fn write(
    columns: &[(&str, Cells<'_>)],
    notes: &[(&str, &str)],
    packing: Packing,
) -> Result<Vec<u8>> {
    let rows = columns.first().map_or(0, |(_, cells)| cells.len());
    if columns.iter().any(|(_, cells)| cells.len() != rows) {
        return Err(refused("its columns differ in length", "give equal columns"));
    }
    let mut file = Vec::with_capacity(512 + columns.len() * (rows * 8 + 128));
    file.extend_from_slice(MAGIC);
    let mut places = Vec::with_capacity(columns.len());
    for (_, cells) in columns {
        places.push(write_column(*cells, packing, &mut file)?);
    }
    let footer = footer(columns, rows, &places, notes);
    file.extend_from_slice(&footer);
    file.extend_from_slice(&(footer.len() as u32).to_le_bytes());
    file.extend_from_slice(MAGIC);
    Ok(file)
}

fn refused(problem: &str, fix: &str) -> DataError {
    DataError::File { file: "frame".to_owned(), problem: problem.to_owned(), fix: fix.to_owned() }
}

fn write_column(cells: Cells<'_>, packing: Packing, file: &mut Vec<u8>) -> Result<Place> {
    let start = file.len();
    let page = if packing == Packing::None { cells.len().max(1) } else { PAGE };
    let (mut pages, mut packed) = (Vec::new(), Vec::new());
    // A column without rows has one page without values.
    for first in (0..cells.len().max(1)).step_by(page) {
        let part = cells.part(first..cells.len().min(first + page));
        let mut bytes = Vec::new();
        part.write(&mut bytes);
        if i32::try_from(bytes.len()).is_err() {
            return Err(refused(
                "a column is longer than a page may be",
                "give columns of at most 268435455 numbers",
            ));
        }
        if packing == Packing::Lz4 {
            packed.push(codec::pack(&bytes));
        }
        pages.push((part.len(), bytes));
    }
    let size = |pages: &mut dyn Iterator<Item = usize>| pages.sum::<usize>();
    let plain = size(&mut pages.iter().map(|(_, bytes)| bytes.len()));
    let is_packed = packing == Packing::Lz4 && size(&mut packed.iter().map(Vec::len)) < plain;
    let mut headers = 0;
    for (i, (rows, bytes)) in pages.iter().enumerate() {
        let stored = if is_packed { &packed[i] } else { bytes };
        let before = file.len();
        page_header(*rows, bytes.len(), stored.len(), file);
        headers += file.len() - before;
        file.extend_from_slice(stored);
    }
    let codec = if is_packed { codec::LZ4 } else { 0 };
    Ok(Place { start, size: file.len() - start, unpacked: plain + headers, codec })
}

fn page_header(rows: usize, plain: usize, stored: usize, file: &mut Vec<u8>) {
    let mut t = Compact::new(file);
    t.int(1, 0, I32); // a data page
    t.int(2, plain as i64, I32);
    t.int(3, stored as i64, I32);
    t.begin(5);
    t.int(1, rows as i64, I32);
    t.int(2, PLAIN, I32);
    t.int(3, RLE, I32); // levels, of which required columns have none
    t.int(4, RLE, I32);
    t.end();
    t.stop();
}

fn footer(columns: &[(&str, Cells<'_>)], rows: usize, places: &[Place], notes: &[(&str, &str)]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(256 + columns.len() * 96);
    let mut t = Compact::new(&mut bytes);
    t.int(1, 1, I32); // version
    t.list(2, STRUCT, columns.len() + 1);
    t.element(|t| {
        t.bytes(4, b"schema");
        t.int(5, columns.len() as i64, I32);
    });
    for (name, cells) in columns {
        t.element(|t| {
            t.int(1, cells.physical(), I32);
            t.int(3, i64::from(matches!(cells, Cells::Optional(_))), I32);
            t.bytes(4, name.as_bytes());
            if matches!(cells, Cells::Texts(_)) {
                t.int(6, 0, I32); // UTF-8, for old readers
                t.begin(10);
                t.begin(1); // a string
                t.end();
                t.end();
            }
        });
    }
    t.int(3, rows as i64, I64);
    let groups = usize::from(!columns.is_empty());
    t.list(4, STRUCT, groups);
    if groups == 1 {
        t.element(|t| {
            t.list(1, STRUCT, columns.len());
            for ((name, cells), place) in columns.iter().zip(places) {
                t.element(|t| column_chunk(t, name, *cells, place));
            }
            t.int(2, places.iter().map(|place| place.unpacked as i64).sum(), I64);
            t.int(3, rows as i64, I64);
        });
    }
    t.list(5, STRUCT, notes.len());
    for (key, note) in notes {
        t.element(|t| {
            t.bytes(1, key.as_bytes());
            t.bytes(2, note.as_bytes());
        });
    }
    t.bytes(6, b"tailrank");
    t.stop();
    bytes
}

fn column_chunk(t: &mut Compact<'_>, name: &str, cells: Cells<'_>, place: &Place) {
    t.int(2, place.start as i64, I64);
    t.begin(3);
    t.int(1, cells.physical(), I32);
    let encodings: &[i64] = if matches!(cells, Cells::Optional(_)) { &[PLAIN, RLE] } else { &[PLAIN] };
    t.list(2, I32, encodings.len());
    encodings.iter().for_each(|encoding| t.varint((*encoding as u64) << 1));
    t.list(3, BINARY, 1);
    t.item(name.as_bytes());
    t.int(4, place.codec, I32);
    t.int(5, cells.len() as i64, I64);
    t.int(6, place.unpacked as i64, I64);
    t.int(7, place.size as i64, I64);
    t.int(9, place.start as i64, I64);
    t.end();
}
