//! The letters of a text file: UTF-8, UTF-16 or Windows-1252, told apart by looking.

use crate::{DataError, Result};

const UTF_16: &str = "UTF-16";
const WINDOWS_1252: &str = "Windows-1252 (Latin-1)";

/// The text without a byte order mark, and what it was written in if not UTF-8. Parts of a UTF-8 file that
/// are damaged become U+FFFD: they may stand in columns that nobody reads.
pub(super) fn decode(file: &str, mut bytes: Vec<u8>) -> Result<(String, Option<&'static str>)> {
    const MARK: &[u8] = b"\xef\xbb\xbf";
    if let Some(little) = utf16(&bytes) {
        let unit =
            |pair: &[u8; 2]| if little { u16::from_le_bytes(*pair) } else { u16::from_be_bytes(*pair) };
        let units: Vec<u16> = bytes.as_chunks().0.iter().map(unit).collect();
        let text = String::from_utf16_lossy(&units).trim_start_matches('\u{feff}').to_owned();
        return Ok((text, Some(UTF_16)));
    }
    if bytes.starts_with(MARK) {
        bytes.drain(..MARK.len());
    }
    let fix = "give CSV (also gzipped) or Parquet";
    let not_text = || Err(DataError::file(file, "holds bytes that no text has", fix));
    // A stray one may stand in a name; a file full of them is something else.
    let head = &bytes[..bytes.len().min(1000)];
    if head.iter().filter(|b| **b < b' ' && !b"\t\n\r".contains(b)).count() * 10 > head.len() {
        return not_text();
    }
    let bytes = match String::from_utf8(bytes) {
        Ok(text) => return Ok((text, None)),
        Err(error) => error.into_bytes(),
    };
    if bytes.contains(&0) {
        return not_text();
    }
    let (mut whole, mut broken) = (0usize, 0usize);
    for chunk in bytes.utf8_chunks() {
        whole += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        broken += usize::from(!chunk.invalid().is_empty());
    }
    if whole > broken {
        return Ok((String::from_utf8_lossy(&bytes).into_owned(), None));
    }
    Ok((bytes.into_iter().map(windows_1252).collect(), Some(WINDOWS_1252)))
}

/// Whether it is UTF-16, and if so whether little-endian: by its mark, or because two plain letters begin it.
fn utf16(bytes: &[u8]) -> Option<bool> {
    match bytes {
        [0xff, 0xfe, ..] => Some(true),
        [0xfe, 0xff, ..] => Some(false),
        [a, 0, b, 0, ..] if *a != 0 && *b != 0 => Some(true),
        [0, a, 0, b, ..] if *a != 0 && *b != 0 => Some(false),
        _ => None,
    }
}

/// The letter of one byte (WHATWG Encoding, index windows-1252).
fn windows_1252(byte: u8) -> char {
    const HIGH: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
        '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
    ];
    match byte {
        0x80..=0x9f => HIGH[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(bytes: &[u8]) -> (String, Option<&'static str>) {
        decode("t", bytes.to_vec()).unwrap()
    }

    fn utf16_bytes(text: &str, little: bool) -> Vec<u8> {
        text.encode_utf16().flat_map(|u| if little { u.to_le_bytes() } else { u.to_be_bytes() }).collect()
    }

    #[test]
    fn each_encoding_is_recognised() {
        for text in ["Date;Clôture\n", "x", "größe,日本 😀"] {
            assert_eq!(decoded(text.as_bytes()), (text.to_owned(), None));
            assert_eq!(decoded(format!("\u{feff}{text}").as_bytes()), (text.to_owned(), None));
            for little in [true, false] {
                let marked = utf16_bytes(&format!("\u{feff}{text}"), little);
                assert_eq!(decoded(&marked), (text.to_owned(), Some(UTF_16)));
            }
        }
        let unmarked = utf16_bytes("Date;Clôture\n", true);
        assert_eq!(decoded(&unmarked), ("Date;Clôture\n".to_owned(), Some(UTF_16)));
        let euro = ("Größe in €\n".to_owned(), Some(WINDOWS_1252));
        assert_eq!(decoded(b"Gr\xf6\xdfe in \x80\n"), euro);
    }

    #[test]
    fn one_damaged_letter_does_not_turn_utf8_into_latin_1() {
        let (text, encoding) = decoded(b"Z\xc3\xbcrich,caf\xc3\xa9,b\xff\n");
        assert_eq!((text.as_str(), encoding), ("Zürich,café,b\u{fffd}\n", None));
    }

    #[test]
    fn bytes_that_no_text_has_are_refused() {
        let message = decode("t.bin", b"ab\x00\x01cd".to_vec()).unwrap_err().to_string();
        assert_eq!(message, "t.bin: holds bytes that no text has; give CSV (also gzipped) or Parquet");
        assert!(decode("t.bin", b"name,value\nb\x00c,1 caf\xe9\n".to_vec()).is_err());
        assert_eq!(decoded(b"name,value\nb\x00c,1\n"), ("name,value\nb\0c,1\n".to_owned(), None));
    }
}
