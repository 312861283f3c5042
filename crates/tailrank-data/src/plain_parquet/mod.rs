//! Parquet of plain numbers: one row group, one uncompressed page a column, no statistics.
//!
//! A run writes and reads a small file for every cell, which needs none of the format's choices (encodings, statistics,
//! compression): `DOUBLE`, required, `PLAIN`. Any Parquet reader reads them.

pub(crate) mod thrift;
mod write;

pub use write::write;

use thrift::Reader;

/// The first and last bytes of a file.
pub(crate) const MAGIC: &[u8; 4] = b"PAR1";

/// The format's number of the type.
const DOUBLE: i64 = 5;

/// Columns of numbers with their names, and notes from the file's key-value metadata.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Numbers {
    /// Named columns.
    pub columns: Vec<(String, Vec<f64>)>,
    /// Keys and their notes.
    pub notes: Vec<(String, String)>,
}

/// The numbers of a file that [`write()`] made; none for any other file, which a general reader may still read.
pub fn read(bytes: &[u8]) -> Option<Numbers> {
    let body = bytes.strip_prefix(MAGIC)?.strip_suffix(MAGIC)?;
    let (rest, length) = body.split_last_chunk::<4>()?;
    let start = rest.len().checked_sub(u32::from_le_bytes(*length) as usize)?;
    let footer = Reader::new(&rest[start..]).structure(0)?;
    let rows = usize::try_from(footer.int(3)?).ok()?;
    let schema = footer.list(2)?;
    let mut found = Numbers::default();
    for note in footer.list(5)? {
        found.notes.push((note.text(1)?, note.text(2)?));
    }
    let chunks = match footer.list(4)? {
        [] => &[],
        [group] => group.list(1)?,
        _ => return None,
    };
    if chunks.len() + 1 != schema.len() {
        return None;
    }
    for (chunk, element) in chunks.iter().zip(&schema[1..]) {
        let meta = chunk.field(3)?;
        let plain = element.int(1) == Some(DOUBLE)
            && element.int(3) == Some(0)
            && meta.int(4) == Some(0)
            && meta.int(5) == i64::try_from(rows).ok();
        if !plain {
            return None;
        }
        let start = usize::try_from(meta.int(9)?).ok()?;
        let mut reader = Reader::new(bytes.get(start..)?);
        let header = reader.structure(0)?;
        let page = header.field(5)?;
        if header.int(1) != Some(0) || page.int(1) != i64::try_from(rows).ok() || page.int(2) != Some(0) {
            return None;
        }
        let values = reader.take(rows.checked_mul(8)?)?;
        let words = values.as_chunks::<8>().0;
        found.columns.push((element.text(4)?, words.iter().map(|w| f64::from_le_bytes(*w)).collect()));
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame;

    fn sample(columns: usize, rows: usize) -> Vec<(String, Vec<f64>)> {
        let value = |c: usize, r: usize| (c * 1000 + r) as f64 * 0.1 - 3.0;
        (0..columns).map(|c| (format!("{c} cost=1, δ"), (0..rows).map(|r| value(c, r)).collect())).collect()
    }

    fn bytes_of(columns: &[(String, Vec<f64>)]) -> Vec<u8> {
        let views: Vec<(&str, &[f64])> = columns.iter().map(|(n, v)| (n.as_str(), v.as_slice())).collect();
        write(&views, &[("tailrank.cell", "{\"rows\": 3}")]).unwrap()
    }

    #[test]
    fn what_is_written_is_read_here_and_as_any_table() {
        for (columns, rows) in [(1, 1), (1, 1000), (14, 3), (15, 3), (57, 40)] {
            let columns = sample(columns, rows);
            let bytes = bytes_of(&columns);
            let found = read(&bytes).unwrap();
            assert_eq!(found.columns, columns);
            assert_eq!(found.notes, [("tailrank.cell".to_owned(), "{\"rows\": 3}".to_owned())]);
            let general = frame::read("t", &bytes).unwrap();
            for (name, values) in &columns {
                assert_eq!(general.column(name), Some(&frame::Column::Real(values.clone())));
            }
            let note = frame::parquet_note("t", &bytes, "tailrank.cell").unwrap();
            assert_eq!(note.as_deref(), Some("{\"rows\": 3}"));
        }
    }

    #[test]
    fn every_number_comes_back_to_the_bit() {
        let values = [0.0, -0.0, f64::MIN_POSITIVE, 5e-324, f64::MAX, f64::INFINITY, f64::NAN];
        let bytes = write(&[("x", &values)], &[]).unwrap();
        let back = &read(&bytes).unwrap().columns[0].1;
        assert!(back.iter().zip(values).all(|(a, b)| a.to_bits() == b.to_bits()));
    }

    #[test]
    fn a_file_without_columns_keeps_its_notes() {
        let found = read(&bytes_of(&[])).unwrap();
        assert!(found.columns.is_empty() && found.notes.len() == 1);
    }

    #[test]
    fn other_files_are_left_to_a_general_reader() {
        let frame = frame::Frame::new(vec![("x".to_owned(), frame::Column::Real(vec![1.0]))]).unwrap();
        assert_eq!(read(&frame::to_parquet(&frame, &[]).unwrap()), None);
        assert_eq!(read(b"PAR1PAR1"), None);
        assert_eq!(read(b""), None);
    }

    #[test]
    fn no_damage_makes_it_panic() {
        let good = bytes_of(&sample(3, 5));
        for n in 0..good.len() {
            let _ = read(&good[..n]);
            for bit in 0..8 {
                let mut bad = good.clone();
                bad[n] ^= 1 << bit;
                let _ = read(&bad);
            }
        }
    }

    #[test]
    fn columns_must_be_equal() {
        assert!(write(&[("a", &[1.0]), ("b", &[])], &[]).is_err());
    }
}
