//! Parquet of plain numbers: one row group, one uncompressed page a column, no statistics.
//!
//! A run writes and reads a small file for every cell, which needs none of the format's choices (encodings, statistics,
//! compression): `DOUBLE`, required, `PLAIN`. Any Parquet reader reads them.

mod write;

use polars_parquet_format::{
    ColumnChunk, CompressionCodec, Encoding, FieldRepetitionType, FileMetaData, PageHeader, PageType, Type,
    thrift::protocol::{ReadThrift, TCompactInputProtocol},
};
pub use write::write;

/// The first and last bytes of a file.
pub(crate) const MAGIC: &[u8; 4] = b"PAR1";

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
    let last = bytes.strip_prefix(MAGIC)?.strip_suffix(MAGIC).and_then(footer)?;
    let (footer, _): (FileMetaData, _) = structure(last)?;
    let rows = usize::try_from(footer.num_rows).ok()?;
    let mut found = Numbers::default();
    for note in footer.key_value_metadata? {
        found.notes.push((note.key, note.value?));
    }
    let chunks: &[ColumnChunk] = match &footer.row_groups[..] {
        [] => &[],
        [group] => &group.columns,
        _ => return None,
    };
    let elements = footer.schema.get(1..).filter(|elements| elements.len() == chunks.len())?;
    for (chunk, element) in chunks.iter().zip(elements) {
        let meta = chunk.meta_data.as_ref()?;
        let start = usize::try_from(meta.data_page_offset).ok()?;
        let (header, values): (PageHeader, _) = structure(bytes.get(start..)?)?;
        let page = header.data_page_header?;
        let is_plain = element.type_ == Some(Type::DOUBLE)
            && element.repetition_type == Some(FieldRepetitionType::REQUIRED)
            && meta.codec == CompressionCodec::UNCOMPRESSED
            && meta.num_values == footer.num_rows
            && header.type_ == PageType::DATA_PAGE
            && i64::from(page.num_values) == footer.num_rows
            && page.encoding == Encoding::PLAIN;
        if !is_plain {
            return None;
        }
        let words = values.get(..rows.checked_mul(8)?)?.as_chunks::<8>().0;
        found.columns.push((element.name.clone(), words.iter().map(|w| f64::from_le_bytes(*w)).collect()));
    }
    Some(found)
}

/// The last part of a file before its last bytes: its length stands behind it.
pub(crate) fn footer(body: &[u8]) -> Option<&[u8]> {
    let (rest, length) = body.split_last_chunk::<4>()?;
    rest.get(rest.len().checked_sub(u32::from_le_bytes(*length) as usize)?..)
}

/// A structure of the format's metadata and what follows it; none where it is damaged. No more room is made for what it announces than
/// polars makes.
pub(crate) fn structure<T: ReadThrift>(mut bytes: &[u8]) -> Option<(T, &[u8])> {
    let most = bytes.len().saturating_mul(2).saturating_add(1024);
    let found = T::read_from_in_protocol(&mut TCompactInputProtocol::new(&mut bytes, most)).ok()?;
    Some((found, bytes))
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
