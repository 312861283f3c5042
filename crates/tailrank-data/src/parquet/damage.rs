//! Files damaged by hand, one for every count that a file may get wrong: each is an error that names the file, the column and what
//! is wrong, before any memory is asked for.

use super::{
    MAGIC,
    page::*,
    thrift::{BINARY, Compact, I32, I64, STRUCT},
};
use crate::frame;

const INT64: i64 = 2;
const DOUBLE: i64 = 5;
const TEXT: i64 = 6;
const ROWS: usize = 3;
/// 2^61 as a run of values 1.
const ABSURD_RUN: [u8; 10] = [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x40, 1];

/// A page with its header: a dictionary (7) or data (5), so many values, so encoded, said to unpack to so many bytes.
fn page(kind: i16, values: i64, encoding: i64, unpacked: i64, bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut t = Compact::new(&mut out);
    t.int(1, if kind == 7 { 2 } else { 0 }, I32);
    t.int(2, unpacked, I32);
    t.int(3, bytes.len() as i64, I32);
    t.begin(kind);
    t.int(1, values, I32);
    t.int(2, encoding, I32);
    if kind == 5 {
        t.int(3, RLE, I32);
        t.int(4, RLE, I32);
    }
    t.end();
    t.stop();
    out.extend_from_slice(bytes);
    out
}

/// A page of data of the second version, with `levels` before its values.
fn second(levels: &[u8], said: i64, bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut t = Compact::new(&mut out);
    let size = (levels.len() + bytes.len()) as i64;
    t.int(1, 3, I32);
    t.int(2, size, I32);
    t.int(3, size, I32);
    t.begin(8);
    t.int(1, ROWS as i64, I32);
    t.int(2, 0, I32);
    t.int(3, ROWS as i64, I32);
    t.int(4, PLAIN, I32);
    t.int(5, said, I32);
    t.int(6, 0, I32);
    t.end();
    t.stop();
    out.extend_from_slice(levels);
    out.extend_from_slice(bytes);
    out
}

fn data(encoding: i64, bytes: &[u8]) -> Vec<u8> {
    page(5, ROWS as i64, encoding, bytes.len() as i64, bytes)
}

fn dictionary(values: i64, bytes: &[u8]) -> Vec<u8> {
    page(7, values, PLAIN, bytes.len() as i64, bytes)
}

/// A file of one column `x`.
fn file(physical: i64, optional: bool, codec: i64, pages: &[Vec<u8>]) -> Vec<u8> {
    let mut file = MAGIC.to_vec();
    file.extend(pages.concat());
    let start = file.len();
    let mut t = Compact::new(&mut file);
    t.int(1, 1, I32);
    t.list(2, STRUCT, 2);
    t.element(|t| {
        t.bytes(4, b"schema");
        t.int(5, 1, I32);
    });
    t.element(|t| {
        t.int(1, physical, I32);
        t.int(3, i64::from(optional), I32);
        t.bytes(4, b"x");
        if physical == TEXT {
            t.int(6, 0, I32);
        }
    });
    t.int(3, ROWS as i64, I64);
    t.list(4, STRUCT, 1);
    t.element(|t| {
        t.list(1, STRUCT, 1);
        t.element(|t| {
            t.int(2, 4, I64);
            t.begin(3);
            t.int(1, physical, I32);
            t.list(2, I32, 0);
            t.list(3, BINARY, 1);
            t.item(b"x");
            t.int(4, codec, I32);
            t.int(5, ROWS as i64, I64);
            t.int(6, 0, I64);
            t.int(7, 0, I64);
            t.int(9, 4, I64);
            t.end();
        });
        t.int(2, 0, I64);
        t.int(3, ROWS as i64, I64);
    });
    t.stop();
    let length = (file.len() - start) as u32;
    file.extend_from_slice(&length.to_le_bytes());
    file.extend_from_slice(MAGIC);
    file
}

fn said(file: &[u8]) -> String {
    frame::read("t.parquet", file).map_or_else(|e| e.to_string(), |frame| format!("{:?}", frame.column("x")))
}

fn is_refused(file: &[u8], problem: &str) {
    assert_eq!(
        said(file),
        format!(
            "t.parquet: cannot be read as Parquet (column \"x\": {problem}); write the file again with the program it comes from"
        )
    );
}

fn numbers() -> Vec<u8> {
    [1.0f64, 2.0, 3.0].iter().flat_map(|v| v.to_le_bytes()).collect()
}

fn texts(lengths: [u32; ROWS]) -> Vec<u8> {
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
    // An index of pages between them is passed over.
    let mut index = plain.clone();
    index[1] = 2;
    assert_eq!(said(&file(DOUBLE, false, 0, &[index, plain])), three);
}

#[test]
fn runs_of_levels() {
    let claim = "a run claims 2305843009213693952 values where 3 are left";
    is_refused(&file(DOUBLE, true, 0, &[data(PLAIN, &levels(&ABSURD_RUN, &numbers()))]), claim);
    is_refused(&file(DOUBLE, true, 0, &[second(&ABSURD_RUN, 10, &numbers())]), claim);
    is_refused(&file(DOUBLE, true, 0, &[data(PLAIN, &levels(&[6, 2], &numbers()))]), "a level is above 1");
    is_refused(&file(DOUBLE, true, 0, &[data(PLAIN, &levels(&[4, 1], &numbers()))]), "a run is cut short");
    is_refused(
        &file(DOUBLE, true, 0, &[data(PLAIN, &[0xff, 0xff, 0xff, 0xff, 6, 1])]),
        "levels are cut short",
    );
    is_refused(&file(DOUBLE, true, 0, &[second(&[6, 1], 1 << 30, &numbers())]), "levels are cut short");
    is_refused(&file(DOUBLE, true, 0, &[second(&[6, 1], -1, &numbers())]), "a page claims -1 values");
}

#[test]
fn places_in_a_dictionary() {
    let with =
        |places: &[u8]| file(DOUBLE, false, 0, &[dictionary(3, &numbers()), data(RLE_DICTIONARY, places)]);
    let absurd = [&[1][..], &ABSURD_RUN].concat();
    is_refused(&with(&absurd), "a run claims 2305843009213693952 values where 3 are left");
    is_refused(&with(&[2, 6, 3]), "a value is not in the dictionary");
    is_refused(&with(&[33, 6, 0, 0, 0, 0, 0]), "its places have 33 bits");
    is_refused(&with(&[]), "places are cut short");
    is_refused(&file(DOUBLE, false, 0, &[data(RLE_DICTIONARY, &[0, 6])]), "a value is not in the dictionary");
    for claim in [4, i64::from(i32::MAX)] {
        is_refused(&file(DOUBLE, false, 0, &[dictionary(claim, &numbers())]), "values are cut short");
        is_refused(&file(TEXT, false, 0, &[dictionary(claim, &texts([1; 3]))]), "texts are cut short");
    }
}

#[test]
fn differences() {
    let with =
        |physical: i64, encoding: i64, bytes: &[u8]| file(physical, false, 0, &[data(encoding, bytes)]);
    let absurd = [&[128, 1, 4][..], &ABSURD_RUN[..9], &[0]].concat();
    is_refused(
        &with(INT64, DELTA_BINARY_PACKED, &absurd),
        "4611686018427387904 differences are announced where 3 are needed",
    );
    is_refused(&with(INT64, DELTA_BINARY_PACKED, &[128, 1, 0, 3, 0]), "differences come in 0 parts of 128");
    is_refused(
        &with(INT64, DELTA_BINARY_PACKED, &[128, 1, 4, 3, 0, 0, 65, 0, 0, 0]),
        "a difference has 65 bits",
    );
    is_refused(
        &with(INT64, DELTA_BINARY_PACKED, &[128, 1, 4, 3, 0, 0, 64, 0, 0, 0]),
        "packed numbers are cut short",
    );
    is_refused(
        &with(DOUBLE, DELTA_BINARY_PACKED, &[128, 1, 4, 3, 0]),
        "differences of what are not whole numbers",
    );
    // Lengths 2, 2, 2 of two letters; −1; 2^40.
    let lengths = |first: &[u8]| [&[128, 1, 4, 3][..], first, &[0, 0, 0, 0, 0]].concat();
    let few = [lengths(&[4]), b"ab".to_vec()].concat();
    is_refused(&with(TEXT, DELTA_LENGTH_BYTE_ARRAY, &few), "texts are cut short");
    is_refused(&with(TEXT, DELTA_LENGTH_BYTE_ARRAY, &lengths(&[1])), "a text has a negative length");
    let long = lengths(&[0x80, 0x80, 0x80, 0x80, 0x80, 0x40]);
    is_refused(&with(TEXT, DELTA_LENGTH_BYTE_ARRAY, &long), "texts are cut short");
    let shared = [lengths(&[2]), lengths(&[2]), b"abc".to_vec()].concat();
    is_refused(&with(TEXT, DELTA_BYTE_ARRAY, &shared), "a text shares more than the text before it has");
}

#[test]
fn values_themselves() {
    let with =
        |physical: i64, encoding: i64, bytes: &[u8]| file(physical, false, 0, &[data(encoding, bytes)]);
    is_refused(&with(DOUBLE, PLAIN, &numbers()[..23]), "values are cut short");
    is_refused(&with(DOUBLE, BYTE_STREAM_SPLIT, &numbers()[..23]), "values are cut short");
    is_refused(&with(DOUBLE, BYTE_STREAM_SPLIT, &[0; 32]), "values are cut short");
    is_refused(&with(TEXT, BYTE_STREAM_SPLIT, &[0; 32]), "texts are cut short");
    is_refused(&with(TEXT, PLAIN, &texts([1, 1, u32::MAX])), "texts are cut short");
    is_refused(&with(TEXT, PLAIN, &[1, 0, 0, 0, 0xff]), "row 1 is not text in UTF-8");
    is_refused(&with(DOUBLE, 4, &numbers()), "its values are encoded in a way that is not known (4)");
    is_refused(
        &with(0, RLE, &levels(&ABSURD_RUN, &[])),
        "a run claims 2305843009213693952 values where 3 are left",
    );
    is_refused(&with(0, PLAIN, &[]), "packed numbers are cut short");
}

#[test]
fn pages() {
    let page = |values: i64, unpacked: i64| page(5, values, PLAIN, unpacked, &numbers());
    is_refused(&file(DOUBLE, false, 0, &[page(4, 24)]), "a page claims 4 values where 3 are left");
    is_refused(&file(DOUBLE, false, 0, &[page(-1, 24)]), "a page claims -1 values");
    is_refused(&file(DOUBLE, false, 0, &[page(3, -24)]), "a page has no size");
    is_refused(&file(DOUBLE, false, 0, &[page(3, 25)]), "a page does not unpack to its size");
    is_refused(&file(DOUBLE, false, 0, &[page(2, 24)]), "a page has no size");
    is_refused(&file(DOUBLE, false, 0, &[]), "a page has no size");
    for (codec, name) in [(1, "Snappy"), (2, "gzip"), (4, "Brotli"), (6, "Zstandard"), (7, "LZ4")] {
        is_refused(&file(DOUBLE, false, codec, &[page(3, 1000)]), &format!("a page is not {name}"));
    }
    assert_eq!(
        said(&file(DOUBLE, false, 3, &[page(3, 24)])),
        "t.parquet: column \"x\" is packed with LZO; write it with Zstandard, Snappy, gzip or LZ4, or without compression"
    );
    // What a page claims to unpack to counts, whatever the metadata say.
    let large = said(&file(DOUBLE, false, 2, &[page(3, i64::from(i32::MAX))]));
    assert!(large.starts_with("t.parquet: is larger than 1073741824 bytes once unpacked; "), "{large}");
}
