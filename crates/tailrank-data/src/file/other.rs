//! Files of other kinds, known by their first bytes: what they are and what to do instead.

use crate::{DataError, Result};

/// First bytes, what such a file is, and what to do.
const OTHERS: [(&[u8], &str, &str); 9] = [
    (b"PK\x03\x04", "is an Excel workbook or another zip file", SAVE),
    (b"\xd0\xcf\x11\xe0", "is an old Excel workbook (.xls)", SAVE),
    (b"\xfd7zXZ\x00", "is packed with xz", UNPACK),
    (b"BZh", "is packed with bzip2", UNPACK),
    (b"\x28\xb5\x2f\xfd", "is packed with zstd", UNPACK),
    (b"ARROW1", "is an Arrow (Feather) file", WRITE),
    (b"SQLite format 3\x00", "is an SQLite database", WRITE),
    (b"\x89HDF", "is an HDF5 file", WRITE),
    (b"%PDF", "is a PDF document", WRITE),
];
const SAVE: &str = "open it and save the sheet as CSV (\"CSV UTF-8\" keeps every letter)";
const UNPACK: &str = "unpack it, or pack it with gzip";
const WRITE: &str = "write the table as CSV or Parquet";

/// Refuses what is neither text nor Parquet by name.
pub(super) fn refuse(file: &str, bytes: &[u8]) -> Result<()> {
    let bad = |problem: &str, fix: &str| {
        Err(DataError::File { file: file.to_owned(), problem: problem.to_owned(), fix: fix.to_owned() })
    };
    if let Some((_, problem, fix)) = OTHERS.iter().find(|(first, ..)| bytes.starts_with(first)) {
        return bad(problem, fix);
    }
    let head = bytes[..bytes.len().min(200)].trim_ascii_start().to_ascii_lowercase();
    if head.starts_with(b"<!doctype") || head.starts_with(b"<html") || head.starts_with(b"<?xml") {
        return bad("is a web page or XML, not a table", "download the file itself");
    }
    if head.starts_with(b"{\"") || head.starts_with(b"[{") || head.starts_with(b"{\n") {
        return bad("is JSON", WRITE);
    }
    Ok(())
}
