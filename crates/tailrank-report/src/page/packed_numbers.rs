//! A task's numbers in few bytes, which the page unpacks to the very bits of the run; and bytes as a script.
//!
//! Columns of doubles are laid out byte by byte (all first bytes, then all second …), which leaves deflate
//! the signs, exponents and leading digits that neighbours share; a column that stands there already is not
//! laid down twice. The bytes become a script as text in UTF-16, 15 bits to a letter: 7 % more than the
//! bytes, where base64 in UTF-8 takes 33 %.

use std::io::Write;

use flate2::{Compression, GzBuilder};
use indexmap::IndexSet;

use crate::{Result, error::problem};

/// Columns of equally many doubles, by their bits; each stands once.
#[derive(Default)]
pub(super) struct Columns(IndexSet<Vec<u64>>);

impl Columns {
    /// Adds a column; returns its place.
    pub(super) fn add(&mut self, column: &[f64]) -> usize {
        self.0.insert_full(column.iter().map(|v| v.to_bits()).collect()).0
    }

    /// All values, byte by byte.
    fn transposed(&self) -> Vec<u8> {
        (0..8).flat_map(|byte| self.0.iter().flatten().map(move |v| v.to_le_bytes()[byte])).collect()
    }
}

/// The parts one after the other, packed as every browser since 2023 unpacks them. Without a time, so that
/// the same page has the same bytes.
pub(super) fn gzip(parts: &[&[u8]], level: Compression) -> Result<Vec<u8>> {
    let failed = |e: std::io::Error| problem("page", &e);
    let mut encoder = GzBuilder::new().mtime(0).write(Vec::new(), level);
    for part in parts {
        encoder.write_all(part).map_err(failed)?;
    }
    encoder.finish().map_err(failed)
}

/// The length of the text, the text, and the columns, as gzip.
pub(super) fn pack(text: &str, columns: &Columns) -> Result<Vec<u8>> {
    // Texts of 4 GB are not written: their figures alone would be refused long before.
    let length = u32::try_from(text.len()).unwrap_or(u32::MAX).to_le_bytes();
    gzip(&[&length, text.as_bytes(), &columns.transposed()], Compression::default())
}

/// The first of the 32,768 letters that stand for 15 bits: none of them is special to a script, a surrogate
/// or changed by any editor's rules.
const FIRST_LETTER: u16 = 0x4000;

/// A script that calls a function with the number of bytes and the letters that hold them, after what `call`
/// opens: in UTF-16, which its first two bytes tell every browser.
pub(super) fn script(call: &str, bytes: &[u8]) -> Vec<u8> {
    let mut units: Vec<u16> = vec![0xFEFF];
    units.extend(format!("{call}{}, \"", bytes.len()).encode_utf16());
    let (mut bits, mut held) = (0_u32, 0);
    for &byte in bytes {
        bits = (bits << 8) | u32::from(byte);
        held += 8;
        if held >= 15 {
            held -= 15;
            units.push(FIRST_LETTER + ((bits >> held) & 0x7FFF) as u16);
        }
    }
    if held > 0 {
        units.push(FIRST_LETTER + ((bits << (15 - held)) & 0x7FFF) as u16);
    }
    units.extend("\");\n".encode_utf16());
    units.iter().flat_map(|unit| unit.to_le_bytes()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the page does: letters to bytes.
    fn letters(script: &[u8], length: usize) -> Vec<u8> {
        let units: Vec<u16> = script.chunks_exact(2).map(|b| u16::from_le_bytes([b[0], b[1]])).collect();
        assert_eq!(units[0], 0xFEFF);
        let (mut bits, mut held, mut out) = (0_u32, 0, Vec::new());
        for unit in units.iter().filter(|&&u| (FIRST_LETTER..FIRST_LETTER + 0x8000).contains(&u)) {
            bits = (bits << 15) | u32::from(unit - FIRST_LETTER);
            held += 15;
            while held >= 8 {
                held -= 8;
                out.push((bits >> held) as u8);
            }
        }
        out.truncate(length);
        out
    }

    #[test]
    fn letters_hold_the_bytes() {
        for length in 0..70_usize {
            let bytes: Vec<u8> = (0..length).map(|i| (i * 151 + 7) as u8).collect();
            let script = script("f(", &bytes);
            assert_eq!(letters(&script, length), bytes, "{length}");
        }
    }

    #[test]
    fn a_column_stands_once() {
        let mut columns = Columns::default();
        let places =
            [vec![1.0, 2.0], vec![0.0, 0.0], vec![1.0, 2.0], vec![-0.0, 0.0]].map(|c| columns.add(&c));
        assert_eq!(places, [0, 1, 0, 2], "a zero of the other sign is another bit");
        let bytes = columns.transposed();
        assert_eq!(bytes.len(), 3 * 2 * 8);
        assert_eq!(bytes[7 * 6..], [0x3F, 0x40, 0, 0, 0x80, 0], "the last bytes: signs and exponents");
    }
}
