//! Parquet files damaged by hand, one for every count that a file may get wrong: each is an error that names
//! the file and the column.

use polars_parquet_format::{
    ColumnChunk, ColumnMetaData, CompressionCodec, DataPageHeader, DataPageHeaderV2, DictionaryPageHeader,
    Encoding, FieldRepetitionType, FileMetaData, PageHeader, PageType, RowGroup, SchemaElement, Type,
    thrift::protocol::TCompactOutputProtocol,
};

use crate::{frame, plain_parquet::MAGIC};

/// The format's numbers of encodings.
const PLAIN: i32 = 0;
const RLE: i32 = 3;
const DELTA_BINARY_PACKED: i32 = 5;
const DELTA_LENGTH_BYTE_ARRAY: i32 = 6;
const DELTA_BYTE_ARRAY: i32 = 7;
const RLE_DICTIONARY: i32 = 8;
const BYTE_STREAM_SPLIT: i32 = 9;

const INT64: i32 = 2;
const DOUBLE: i32 = 5;
const TEXT: i32 = 6;
const ROWS: i32 = 3;
/// 2^61 as a run of values 1.
const ABSURD_RUN: [u8; 10] = [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x40, 1];

fn with_header(header: &PageHeader, bytes: &[&[u8]]) -> Vec<u8> {
    let mut out = Vec::new();
    header.write_to_out_protocol(&mut TCompactOutputProtocol::new(&mut out)).unwrap();
    [out, bytes.concat()].concat()
}

/// A page of so many values, so encoded, said to unpack to so many bytes.
fn page(values: i32, encoding: i32, unpacked: i32, bytes: &[u8]) -> Vec<u8> {
    let rle = Encoding(RLE);
    let data = DataPageHeader::new(values, Encoding(encoding), rle, rle, None);
    let size = bytes.len() as i32;
    with_header(&PageHeader::new(PageType(0), unpacked, size, None, data, None, None, None), &[bytes])
}

/// A page of data of the second version, with `levels` before its values.
fn second(levels: &[u8], said: i32, bytes: &[u8]) -> Vec<u8> {
    let data = DataPageHeaderV2::new(ROWS, 0, ROWS, Encoding(PLAIN), said, 0, None, None);
    let size = (levels.len() + bytes.len()) as i32;
    with_header(&PageHeader::new(PageType(3), size, size, None, None, None, None, data), &[levels, bytes])
}

fn data(encoding: i32, bytes: &[u8]) -> Vec<u8> {
    page(ROWS, encoding, bytes.len() as i32, bytes)
}

fn dictionary(values: i32, bytes: &[u8]) -> Vec<u8> {
    let words = DictionaryPageHeader::new(values, Encoding(PLAIN), None);
    let size = bytes.len() as i32;
    with_header(&PageHeader::new(PageType(2), size, size, None, None, None, words, None), &[bytes])
}

/// A file of one column `x`.
fn file(physical: i32, optional: bool, codec: i32, pages: &[Vec<u8>]) -> Vec<u8> {
    let mut file = MAGIC.to_vec();
    file.extend(pages.concat());
    let (start, rows) = (file.len(), i64::from(ROWS));
    let size = start as i64 - 4;
    let root = SchemaElement::new(None, None, None, "schema".into(), 1, None, None, None, None, None);
    let column = SchemaElement {
        type_: Some(Type(physical)),
        repetition_type: Some(FieldRepetitionType(i32::from(optional))),
        name: "x".into(),
        num_children: None,
        converted_type: (physical == TEXT).then_some(polars_parquet_format::ConvertedType::UTF8),
        ..root.clone()
    };
    let (data, dictionary) = match pages {
        [dictionary, _] => (4 + dictionary.len() as i64, Some(4)),
        _ => (4, None),
    };
    let meta = ColumnMetaData {
        type_: Type(physical),
        encodings: Vec::new(),
        path_in_schema: vec!["x".into()],
        codec: CompressionCodec(codec),
        num_values: rows,
        total_uncompressed_size: size,
        total_compressed_size: size,
        key_value_metadata: None,
        data_page_offset: data,
        index_page_offset: None,
        dictionary_page_offset: dictionary,
        statistics: None,
        encoding_stats: None,
        bloom_filter_offset: None,
        bloom_filter_length: None,
        size_statistics: None,
    };
    let chunk = ColumnChunk::new(None, 4, meta, None, None, None, None, None, None);
    let group = RowGroup::new(vec![chunk], 0, rows, None, None, None, None);
    let footer = FileMetaData::new(1, vec![root, column], rows, vec![group], None, None, None, None, None);
    footer.write_to_out_protocol(&mut TCompactOutputProtocol::new(&mut file)).unwrap();
    let length = (file.len() - start) as u32;
    file.extend_from_slice(&length.to_le_bytes());
    file.extend_from_slice(MAGIC);
    file
}

fn said(file: &[u8]) -> String {
    frame::read("t.parquet", file).map_or_else(|e| e.to_string(), |frame| format!("{:?}", frame.column("x")))
}

/// Refused in words that name file and column; what polars says of it is its own.
fn is_refused(file: &[u8]) {
    let said = said(file);
    assert!(
        said.starts_with("t.parquet: cannot be read as Parquet") && said.contains("column \"x\""),
        "{said}"
    );
}

/// An answer or a refusal, but no end of the process.
fn is_survived(file: &[u8]) {
    let said = said(file);
    assert!(said.starts_with("t.parquet: cannot be read as Parquet") || said.starts_with("Some("), "{said}");
}

fn numbers() -> Vec<u8> {
    [1.0f64, 2.0, 3.0].iter().flat_map(|v| v.to_le_bytes()).collect()
}

fn texts(lengths: [u32; 3]) -> Vec<u8> {
    lengths.iter().flat_map(|n| [n.to_le_bytes().as_slice(), b"a"].concat()).collect()
}

/// With their length before them.
fn levels(levels: &[u8], values: &[u8]) -> Vec<u8> {
    [&(levels.len() as u32).to_le_bytes(), levels, values].concat()
}

#[test]
fn what_is_whole_is_read() {
    let three = "Some(Real([1.0, 2.0, 3.0]))";
    let plain = data(PLAIN, &numbers());
    assert_eq!(said(&file(DOUBLE, false, 0, std::slice::from_ref(&plain))), three);
    assert_eq!(said(&file(DOUBLE, true, 0, &[data(PLAIN, &levels(&[6, 1], &numbers()))])), three);
    assert_eq!(said(&file(DOUBLE, true, 0, &[second(&[6, 1], 2, &numbers())])), three);
    assert_eq!(
        said(&file(
            DOUBLE,
            false,
            0,
            &[dictionary(3, &numbers()), data(RLE_DICTIONARY, &[2, 3, 0b10_0100, 0])]
        )),
        three
    );
    assert_eq!(
        said(&file(TEXT, false, 0, &[data(PLAIN, &texts([1; 3]))])),
        "Some(Text([\"a\", \"a\", \"a\"]))"
    );
}

#[test]
fn absurd_counts_are_refused() {
    let dictionary_of =
        |places: &[u8]| file(DOUBLE, false, 0, &[dictionary(3, &numbers()), data(RLE_DICTIONARY, places)]);
    let with =
        |physical: i32, encoding: i32, bytes: &[u8]| file(physical, false, 0, &[data(encoding, bytes)]);
    is_refused(&file(DOUBLE, true, 0, &[data(PLAIN, &[0xff, 0xff, 0xff, 0xff, 6, 1])]));
    is_refused(&file(DOUBLE, true, 0, &[second(&[6, 1], 1 << 30, &numbers())]));
    is_refused(&dictionary_of(&[2, 6, 3]));
    is_refused(&dictionary_of(&[]));
    for claim in [4, i32::MAX] {
        is_refused(&file(
            DOUBLE,
            false,
            0,
            &[dictionary(claim, &numbers()), data(RLE_DICTIONARY, &[2, 6, 0])],
        ));
        is_refused(&file(
            TEXT,
            false,
            0,
            &[dictionary(claim, &texts([1; 3])), data(RLE_DICTIONARY, &[2, 6, 0])],
        ));
    }
    is_refused(&with(DOUBLE, PLAIN, &numbers()[..23]));
    is_refused(&with(TEXT, PLAIN, &texts([1, 1, u32::MAX])));
    is_refused(&with(TEXT, PLAIN, &[1, 0, 0, 0, 0xff]));
    is_refused(&with(DOUBLE, 4, &numbers()));
    let page = |values: i32, unpacked: i32| page(values, PLAIN, unpacked, &numbers());
    for bad in [page(4, 24), page(-1, 24), page(3, -24), page(2, 24)] {
        is_refused(&file(DOUBLE, false, 0, &[bad]));
    }
    is_refused(&file(DOUBLE, false, 0, &[]));
    for codec in [1, 2, 4, 6, 7] {
        is_refused(&file(DOUBLE, false, codec, &[page(3, 1000)]));
    }
    assert_eq!(
        said(&file(DOUBLE, false, 3, &[page(3, 24)])),
        "t.parquet: column \"x\" is packed with LZO; write it with Zstandard, Snappy, gzip or LZ4, or without compression"
    );
    // What a page claims to unpack to counts, whatever the metadata say.
    let large = said(&file(DOUBLE, false, 2, &[page(3, i32::MAX)]));
    assert!(large.starts_with("t.parquet: is larger than 1073741824 bytes once unpacked; "), "{large}");
}

/// Runs and differences that announce far more values than there are.
#[test]
fn absurd_runs_do_not_end_the_process() {
    let with =
        |physical: i32, encoding: i32, bytes: &[u8]| file(physical, false, 0, &[data(encoding, bytes)]);
    is_survived(&file(DOUBLE, true, 0, &[data(PLAIN, &levels(&ABSURD_RUN, &numbers()))]));
    is_survived(&file(DOUBLE, true, 0, &[second(&ABSURD_RUN, 10, &numbers())]));
    is_survived(&file(DOUBLE, true, 0, &[data(PLAIN, &levels(&[6, 2], &numbers()))]));
    is_survived(&file(DOUBLE, true, 0, &[data(PLAIN, &levels(&[4, 1], &numbers()))]));
    let places = [&[1][..], &ABSURD_RUN].concat();
    for places in [&places[..], &[33, 6, 0, 0, 0, 0, 0]] {
        is_survived(&file(DOUBLE, false, 0, &[dictionary(3, &numbers()), data(RLE_DICTIONARY, places)]));
    }
    let absurd = [&[128, 1, 4][..], &ABSURD_RUN[..9], &[0]].concat();
    for bytes in [&absurd[..], &[128, 1, 0, 3, 0], &[128, 1, 4, 3, 0, 0, 65, 0, 0, 0]] {
        is_survived(&with(INT64, DELTA_BINARY_PACKED, bytes));
    }
    for first in [&[4][..], &[1], &HUGE_LENGTH] {
        is_survived(&with(TEXT, DELTA_LENGTH_BYTE_ARRAY, &lengths(first)));
    }
    for first in [&[4][..], &[1]] {
        is_survived(&with_prefixes(first));
    }
    is_survived(&with(DOUBLE, BYTE_STREAM_SPLIT, &numbers()[..23]));
    is_survived(&with(0, RLE, &levels(&ABSURD_RUN, &[])));
    is_survived(&with(0, PLAIN, &[]));
}

/// A length of 2^40, as a zigzag number.
const HUGE_LENGTH: [u8; 6] = [0x80, 0x80, 0x80, 0x80, 0x80, 0x40];

/// Three lengths packed as differences, from this first one.
fn lengths(first: &[u8]) -> Vec<u8> {
    [&[128, 1, 4, 3][..], first, &[0, 0, 0, 0, 0]].concat()
}

fn with_prefixes(first: &[u8]) -> Vec<u8> {
    let bytes = [lengths(first), lengths(first), b"abc".to_vec()].concat();
    file(TEXT, false, 0, &[data(DELTA_BYTE_ARRAY, &bytes)])
}

/// polars makes room for the length of a shared prefix as the file claims it, so that it is refused before.
#[test]
fn an_absurd_prefix_does_not_end_the_process() {
    for codec in [0, 1] {
        let bytes = [lengths(&HUGE_LENGTH), lengths(&[2]), b"abc".to_vec()].concat();
        is_refused(&file(TEXT, false, codec, &[data(DELTA_BYTE_ARRAY, &bytes)]));
    }
    is_refused(&with_prefixes(&HUGE_LENGTH));
    // The first text shares nothing, the second one more than the first has.
    let shared = [128, 1, 4, 3, 0, 20, 0, 0, 0, 0];
    let bytes = [&shared[..], &lengths(&[2]), b"abc"].concat();
    is_refused(&file(TEXT, false, 0, &[data(DELTA_BYTE_ARRAY, &bytes)]));
}

/// Texts that share their beginnings are read, and missing ones beside them.
#[test]
fn shared_prefixes_are_read() {
    let bytes = [&[128, 1, 4, 3, 0, 2, 0, 0, 0, 0][..], &lengths(&[2]), b"abc"].concat();
    let three = "Some(Text([\"a\", \"ab\", \"abc\"]))";
    assert_eq!(said(&file(TEXT, false, 0, &[data(DELTA_BYTE_ARRAY, &bytes)])), three);
    assert_eq!(said(&file(TEXT, true, 0, &[data(DELTA_BYTE_ARRAY, &levels(&[6, 1], &bytes))])), three);
}
