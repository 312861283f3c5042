//! Files of other kinds, known by their first bytes: what they are and what to do instead.

use crate::{DataError, Result, names::quoted};

/// First bytes, what such a file is, and what to do.
const OTHERS: [(&[u8], &str, &str); 8] = [
    (b"\xd0\xcf\x11\xe0", "is an old Excel workbook (.xls)", EXCEL),
    (b"\xfd7zXZ\x00", "is packed with xz", UNPACK),
    (b"BZh", "is packed with bzip2", UNPACK),
    (b"\x28\xb5\x2f\xfd", "is packed with zstd", UNPACK),
    (b"FEA1", "is a Feather file of version 1", FEATHER),
    (b"SQLite format 3\x00", "is an SQLite database", WRITE),
    (b"\x89HDF", "is an HDF5 file", WRITE),
    (b"%PDF", "is a PDF document", WRITE),
];
/// What only one kind of zip file has inside, what such a file is, and what to do. Names stand in a zip file
/// as they are.
const ZIPPED: [(&[u8], &str, &str); 5] = [
    (b"xl/workbook.", "is an Excel workbook", EXCEL),
    (b"application/vnd.oasis.opendocument.spreadsheet", "is a LibreOffice spreadsheet (.ods)", CALC),
    (b"Index/Tables/", "is a Numbers spreadsheet", NUMBERS),
    (b"Index/Document.iwa", "is a Numbers spreadsheet", NUMBERS),
    (b"Index.zip", "is a Numbers spreadsheet", NUMBERS),
];
const EXCEL: &str = "open it in Excel, choose File > Save As and the type \"CSV UTF-8 (Comma delimited)\", and take that file";
const CALC: &str =
    "open it in LibreOffice, choose File > Save As and the type \"Text CSV\", and take that file";
const NUMBERS: &str = "open it in Numbers, choose File > Export To > CSV, and take that file";
const FEATHER: &str = "write it as Feather of version 2, CSV or Parquet";
const UNPACK: &str = "unpack it, or pack it with gzip";
const WRITE: &str = "write the table as CSV or Parquet";

/// Refuses what is neither text nor Parquet by name.
pub(super) fn refuse(file: &str, bytes: &[u8]) -> Result<()> {
    let bad = |problem: &str, fix: &str| Err(DataError::file(file, problem, fix));
    if bytes.starts_with(b"PK\x03\x04") {
        let holds = |name: &[u8]| bytes.windows(name.len()).any(|part| part == name);
        if let Some((_, problem, fix)) = ZIPPED.iter().find(|(name, ..)| holds(name)) {
            return bad(problem, fix);
        }
        let first =
            first_name(bytes).map_or_else(String::new, |name| format!(" that begins with {}", quoted(&name)));
        return bad(&format!("is a zip file{first}"), "unpack it and take the file inside");
    }
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

/// The name of the first file of a zip file: its length stands at byte 26, itself at byte 30 (APPNOTE 4.3.7).
fn first_name(zip: &[u8]) -> Option<String> {
    let length = u16::from_le_bytes([*zip.get(26)?, *zip.get(27)?]);
    let name = String::from_utf8_lossy(zip.get(30..30 + usize::from(length))?).into_owned();
    (!name.is_empty() && !name.contains(char::is_control)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The head of a zip file whose files are these; what they hold is not looked at.
    fn zip(names: &[&str]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for name in names {
            bytes.extend(b"PK\x03\x04\x14\0\0\0\0\0");
            bytes.extend([0; 16]);
            bytes.extend((name.len() as u16).to_le_bytes());
            bytes.extend([0; 2]);
            bytes.extend(name.as_bytes());
        }
        bytes
    }

    fn said(bytes: &[u8]) -> String {
        refuse("f", bytes).unwrap_err().to_string()
    }

    #[test]
    fn every_spreadsheet_is_named_with_its_own_steps() {
        for (names, expected) in [
            (
                &["[Content_Types].xml", "xl/workbook.xml"][..],
                ["an Excel workbook;", "CSV UTF-8 (Comma delimited)"],
            ),
            (&["[Content_Types].xml", "xl/workbook.bin"], ["an Excel workbook;", "File > Save As"]),
            (
                &["mimetype", "application/vnd.oasis.opendocument.spreadsheet"],
                ["a LibreOffice spreadsheet (.ods);", "Text CSV"],
            ),
            (&["Index/Document.iwa", "preview.jpg"], ["a Numbers spreadsheet;", "Export To > CSV"]),
            (&["Index.zip"], ["a Numbers spreadsheet;", "Export To > CSV"]),
            (
                &["quotes/ba.csv"],
                ["a zip file that begins with \"quotes/ba.csv\";", "unpack it and take the file inside"],
            ),
        ] {
            let said = said(&zip(names));
            assert!(expected.iter().all(|part| said.contains(part)), "{names:?}: {said}");
        }
        assert!(said(b"\xd0\xcf\x11\xe0\xa1\xb1").contains("an old Excel workbook (.xls); open it in Excel"));
        assert!(said(b"PK\x03\x04").contains("is a zip file; unpack it"), "a cut file has no name");
    }
}
