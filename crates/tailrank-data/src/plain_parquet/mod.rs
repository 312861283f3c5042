//! Parquet of plain numbers: one row group, one uncompressed page a column, no statistics.
//!
//! A run writes and reads a small file for every cell, which needs none of the format's choices (encodings,
//! statistics, compression): `DOUBLE`, required, `PLAIN`. Any Parquet reader reads them.

use polars_parquet_format::{
    ColumnChunk, ColumnMetaData, CompressionCodec, DataPageHeader, Encoding, FieldRepetitionType,
    FileMetaData, KeyValue, PageHeader, PageType, RowGroup, SchemaElement, Type,
    thrift::protocol::{ReadThrift, TCompactInputProtocol, TCompactOutputProtocol},
};

use crate::{DataError, Result};

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

/// The numbers of a file that [`write()`] made; none for any other file, which a general reader may still
/// read.
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

/// A structure of the format's metadata and what follows it; none where it is damaged. For what it announces
/// no more room is made than twice the bytes that are there.
pub(crate) fn structure<T: ReadThrift>(mut bytes: &[u8]) -> Option<(T, &[u8])> {
    let most = bytes.len().saturating_mul(2).saturating_add(1024);
    let found = T::read_from_in_protocol(&mut TCompactInputProtocol::new(&mut bytes, most)).ok()?;
    Some((found, bytes))
}

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
    let refused = |problem: &str, fix: &str| DataError::file("frame", problem, fix);
    if columns.iter().any(|(_, values)| values.len() != rows) {
        return Err(refused("its columns differ in length", "give equal columns"));
    }
    let (Ok(count), Ok(size)) = (i32::try_from(rows), i32::try_from(rows * 8)) else {
        let fix = "give columns of at most 268435455 numbers";
        return Err(refused("a column is longer than a page may be", fix));
    };
    let failed = |e: polars_parquet_format::thrift::Error| refused(&e.to_string(), "free some memory");
    let mut file = Vec::with_capacity(512 + columns.len() * (rows * 8 + 128));
    file.extend_from_slice(MAGIC);
    let mut schema = vec![element(None, None, "schema", i32::try_from(columns.len()).ok())];
    let (mut chunks, mut stored) = (Vec::with_capacity(columns.len()), 0);
    for (name, values) in columns {
        let start = file.len() as i64;
        // Required columns have no levels, whose encoding is named all the same.
        let page = DataPageHeader::new(count, Encoding::PLAIN, Encoding::RLE, Encoding::RLE, None);
        let header = PageHeader::new(PageType::DATA_PAGE, size, size, None, page, None, None, None);
        header.write_to_out_protocol(&mut TCompactOutputProtocol::new(&mut file)).map_err(failed)?;
        values.iter().for_each(|v| file.extend_from_slice(&v.to_le_bytes()));
        schema.push(element(Some(Type::DOUBLE), Some(FieldRepetitionType::REQUIRED), name, None));
        let length = file.len() as i64 - start;
        stored += length;
        chunks.push(column_chunk(name, rows as i64, start, length));
    }
    let group = || RowGroup::new(chunks, stored, rows as i64, None, None, None, None);
    let groups = if columns.is_empty() { Vec::new() } else { vec![group()] };
    let note = |(key, note): &(&str, &str)| KeyValue::new((*key).to_owned(), (*note).to_owned());
    let notes: Vec<KeyValue> = notes.iter().map(note).collect();
    let by = "tailrank".to_owned();
    let footer = FileMetaData::new(1, schema, rows as i64, groups, notes, by, None, None, None);
    let start = file.len();
    footer.write_to_out_protocol(&mut TCompactOutputProtocol::new(&mut file)).map_err(failed)?;
    let length = (file.len() - start) as u32;
    file.extend_from_slice(&length.to_le_bytes());
    file.extend_from_slice(MAGIC);
    Ok(file)
}

fn element(
    kind: Option<Type>,
    repetition: Option<FieldRepetitionType>,
    name: &str,
    children: Option<i32>,
) -> SchemaElement {
    SchemaElement::new(kind, None, repetition, name.to_owned(), children, None, None, None, None, None)
}

/// A column of one page, which is not packed.
fn column_chunk(name: &str, rows: i64, start: i64, length: i64) -> ColumnChunk {
    let meta = ColumnMetaData {
        type_: Type::DOUBLE,
        encodings: vec![Encoding::PLAIN],
        path_in_schema: vec![name.to_owned()],
        codec: CompressionCodec::UNCOMPRESSED,
        num_values: rows,
        total_uncompressed_size: length,
        total_compressed_size: length,
        key_value_metadata: None,
        data_page_offset: start,
        index_page_offset: None,
        dictionary_page_offset: None,
        statistics: None,
        encoding_stats: None,
        bloom_filter_offset: None,
        bloom_filter_length: None,
        size_statistics: None,
    };
    ColumnChunk::new(None, start, meta, None, None, None, None, None, None)
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
