//! Columns of numbers as the bytes of a file (Apache Parquet format 2, Thrift compact protocol).

use super::{
    DOUBLE, MAGIC,
    thrift::{BINARY, Compact, I32, I64, STRUCT},
};
use crate::{DataError, Result};

/// The format's numbers of two encodings.
const PLAIN: i64 = 0;
const RLE: i64 = 3;

/// Columns of equal length as the bytes of a Parquet file.
///
/// ```
/// use tailrank_data::plain_parquet::{read, write};
/// let bytes = write(&[("a", &[1.0, 2.5])], &[("key", "note")])?;
/// assert_eq!(read(&bytes).unwrap().columns, [("a".to_owned(), vec![1.0, 2.5])]);
/// # Ok::<(), tailrank_data::DataError>(())
/// ```
///
/// # Errors
/// When columns differ in length or are longer than a page may be.
pub fn write(columns: &[(&str, &[f64])], notes: &[(&str, &str)]) -> Result<Vec<u8>> {
    let rows = columns.first().map_or(0, |(_, values)| values.len());
    if columns.iter().any(|(_, values)| values.len() != rows) {
        return Err(refused("its columns differ in length", "give equal columns"));
    }
    if i32::try_from(rows * 8).is_err() {
        return Err(refused(
            "a column is longer than a page may be",
            "give columns of at most 268435455 numbers",
        ));
    }
    let mut file = Vec::with_capacity(512 + columns.len() * (rows * 8 + 128));
    file.extend_from_slice(MAGIC);
    let mut places = Vec::with_capacity(columns.len());
    for (_, values) in columns {
        let start = file.len();
        page_header(rows, &mut file);
        values.iter().for_each(|v| file.extend_from_slice(&v.to_le_bytes()));
        places.push(start..file.len());
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

fn page_header(rows: usize, file: &mut Vec<u8>) {
    let mut t = Compact::new(file);
    t.int(1, 0, I32); // a data page
    t.int(2, rows as i64 * 8, I32);
    t.int(3, rows as i64 * 8, I32);
    t.begin(5);
    t.int(1, rows as i64, I32);
    t.int(2, PLAIN, I32);
    t.int(3, RLE, I32); // levels, of which required columns have none
    t.int(4, RLE, I32);
    t.end();
    t.stop();
}

fn footer(
    columns: &[(&str, &[f64])],
    rows: usize,
    places: &[std::ops::Range<usize>],
    notes: &[(&str, &str)],
) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(256 + columns.len() * 96);
    let mut t = Compact::new(&mut bytes);
    t.int(1, 1, I32); // version
    t.list(2, STRUCT, columns.len() + 1);
    t.element(|t| {
        t.bytes(4, b"schema");
        t.int(5, columns.len() as i64, I32);
    });
    for (name, _) in columns {
        t.element(|t| {
            t.int(1, DOUBLE, I32);
            t.int(3, 0, I32); // required
            t.bytes(4, name.as_bytes());
        });
    }
    t.int(3, rows as i64, I64);
    let groups = usize::from(!columns.is_empty());
    t.list(4, STRUCT, groups);
    if groups == 1 {
        t.element(|t| {
            t.list(1, STRUCT, columns.len());
            for ((name, _), place) in columns.iter().zip(places) {
                t.element(|t| column_chunk(t, name, rows, place));
            }
            t.int(2, places.iter().map(|place| place.len() as i64).sum(), I64);
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

fn column_chunk(t: &mut Compact<'_>, name: &str, rows: usize, place: &std::ops::Range<usize>) {
    t.int(2, place.start as i64, I64);
    t.begin(3);
    t.int(1, DOUBLE, I32);
    t.list(2, I32, 1);
    t.varint((PLAIN as u64) << 1);
    t.list(3, BINARY, 1);
    t.item(name.as_bytes());
    t.int(4, 0, I32); // not packed
    t.int(5, rows as i64, I64);
    t.int(6, place.len() as i64, I64);
    t.int(7, place.len() as i64, I64);
    t.int(9, place.start as i64, I64);
    t.end();
}
