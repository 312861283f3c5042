//! Columns of numbers as the bytes of a file (Apache Parquet format 2, Thrift compact protocol).

use polars_parquet_format::{
    ColumnChunk, ColumnMetaData, CompressionCodec, DataPageHeader, Encoding, FieldRepetitionType,
    FileMetaData, KeyValue, PageHeader, PageType, RowGroup, SchemaElement, Type,
    thrift::protocol::TCompactOutputProtocol,
};

use super::MAGIC;
use crate::{DataError, Result};

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
