//! Parquet by the writers people use (made by `scripts/fixtures/parquet.py`), and damaged.

use std::{fs, path::PathBuf};

use tailrank_data::{
    Date, PriceSeries, SeriesOptions, TableOptions,
    frame::{self, Column, Frame},
    read_series_bytes, read_table_bytes,
};

use super::quiet_readers;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/parquet")
}

fn fixture(name: &str) -> Vec<u8> {
    fs::read(folder().join(name)).unwrap()
}

fn day(d: i8) -> Date {
    Date::constant(2008, 7, d)
}

/// Equal to the bit, and missing where the other is.
fn same(a: &Column, b: &Column) -> bool {
    match (a, b) {
        (Column::Real(a), Column::Real(b)) => {
            let pairs = a.iter().zip(b);
            a.len() == b.len()
                && pairs.into_iter().all(|(a, b)| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan())
        }
        _ => a == b,
    }
}

/// Every file against what its writer says it holds: types, codecs, encodings, versions of pages, many pages,
/// missing values.
#[test]
fn files_of_other_writers_hold_what_they_should() {
    let mut read = 0;
    for entry in fs::read_dir(folder()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let Some((table, writer)) = name.strip_suffix(".parquet").and_then(|stem| stem.split_once('.'))
        else {
            continue;
        };
        let expected = frame::read("t.csv", &fixture(&format!("{table}.csv"))).unwrap();
        // Decimals in split bytes are what polars does not read.
        if (table, writer) == ("decimals", "split") {
            let said = frame::read(&name, &fixture(&name)).unwrap_err().to_string();
            assert!(said.ends_with("write it with plain encodings, or save it as CSV"), "{said}");
            continue;
        }
        // Nor times of 96 bits in the plain pages that fastparquet writes.
        if writer == "int96" {
            let said = frame::read(&name, &fixture(&name)).unwrap_err().to_string();
            assert!(said.contains("column \"Date\"") && said.contains("write the file again"), "{said}");
            continue;
        }
        let found = frame::read(&name, &fixture(&name)).unwrap();
        assert_eq!((found.width(), found.height()), (expected.width(), expected.height()), "{name}");
        for (column, values) in expected.columns() {
            let Some(other) = found.column(column) else { panic!("{name}: no column {column}") };
            // A column of texts may hold nothing but missing values.
            assert!(same(other, values), "{table} by {writer}, {column}: {other:?}, not {values:?}");
        }
        read += 1;
    }
    assert_eq!(read, 18);
}

fn series(file: &str, date: &str, price: &str) -> Result<PriceSeries, String> {
    let options = SeriesOptions { date: Some(date.into()), price: Some(price.into()), ..Default::default() };
    read_series_bytes("S.parquet", &fixture(file), &options)
        .map(|loaded| loaded.value)
        .map_err(|e| e.to_string())
}

#[test]
fn dates_times_or_text() {
    for date in ["date", "ms", "us", "ns", "text", "whole"] {
        let series = series("dates.parquet", date, "Close").unwrap();
        assert_eq!((series.dates(), series.prices()), (&[day(10), day(11)][..], &[50.0, 52.0][..]), "{date}");
    }
    assert_eq!(series("dates.parquet", "date", "Close16").unwrap().prices(), [50.0, 52.0]);
    let message = series("dates.parquet", "date", "Gap").unwrap_err();
    assert!(message.contains("row 2, column \"Gap\": \"\" is not a price"), "{message}");
}

/// Midnight somewhere is another day in UTC; the day meant is the one of the place.
#[test]
fn times_are_those_of_their_zone() {
    for zone in ["UTC", "Europe/Berlin", "America/New_York", "+02:00"] {
        let series = series("zones.parquet", zone, "Close").unwrap();
        assert_eq!((series.dates(), series.times()), (&[day(10), day(11)][..], None), "{zone}");
    }
    assert_eq!(
        series("zones.parquet", "mars", "Close").unwrap_err(),
        "S.parquet: column \"mars\" has times in the zone \"Mars/Olympus\", which is not known; store its times in UTC or \
         without a zone"
    );
    let hourly = series("zones.parquet", "hourly", "Close").unwrap();
    assert_eq!(hourly.times().map(|t| t[0]), Some(day(10).at(2, 0, 0, 0)));
}

#[test]
fn what_is_not_read_is_named() {
    for (target, expected) in [
        ("list", "column \"list\" has the type list; store it as numbers or as text"),
        ("structure", "column \"structure\" has the type structure; store it as numbers or as text"),
        ("map", "column \"map\" has the type list; store it as numbers or as text"),
        ("binary", "column \"binary\" has the type binary; store it as numbers or as text"),
        ("uuid", "column \"uuid\" has the type binary; store it as numbers or as text"),
        ("duration", "column \"duration\" has the type duration; store it as numbers or as text"),
        ("clock", "column \"clock\" has the type time of day; store it as numbers or as text"),
        (
            "decimal",
            "column \"decimal\" has the type Decimal256; decimals of more than 38 digits are not read: store it as \
             floating-point numbers (double)",
        ),
    ] {
        let message = read_table_bytes("t.parquet", &fixture("refused.parquet"), &TableOptions::new(target));
        assert_eq!(message.unwrap_err().to_string(), format!("t.parquet: {expected}"));
    }
}

/// One long text that a dictionary repeats for every row, as text and as a category.
#[test]
fn repeated_text_counts_towards_the_limit() {
    for file in ["repeated_text.parquet", "repeated_category.parquet"] {
        let bytes = fixture(file);
        assert!(bytes.len() < 100_000);
        let options = |max_bytes| TableOptions { max_bytes: Some(max_bytes), ..TableOptions::new("y") };
        let message = read_table_bytes("t.parquet", &bytes, &options(5_000_000)).unwrap_err().to_string();
        assert!(message.contains("is larger than 5000000 bytes once unpacked"), "{message}");
        assert_eq!(read_table_bytes("t.parquet", &bytes, &options(20_000_000)).unwrap().value.rows(), 1000);
    }
}

/// Dates as text and prices.
fn two_hundred_days() -> Vec<u8> {
    let first = Date::constant(2008, 1, 1);
    let dates = first.series(jiff::Span::new().days(1)).take(200).map(|date| date.to_string()).collect();
    let close = (0..200).map(|i| 50.0 + f64::from(i)).collect();
    let columns = vec![("Date".to_owned(), Column::Text(dates)), ("Close".to_owned(), Column::Real(close))];
    frame::to_parquet(&Frame::new(columns).unwrap(), &[]).unwrap()
}

#[test]
fn damaged_parquet_is_an_error_never_a_crash() {
    let whole = two_hundred_days();
    assert_eq!(read_series_bytes("S.parquet", &whole, &SeriesOptions::default()).unwrap().value.len(), 200);
    for cut in [4, 8, whole.len() / 2, whole.len() - 1] {
        let message =
            read_series_bytes("S.parquet", &whole[..cut], &SeriesOptions::default()).unwrap_err().to_string();
        assert!(message.starts_with("S.parquet: cannot be read as Parquet"), "{message}");
    }
    let small = SeriesOptions { max_bytes: Some(1000), ..Default::default() };
    assert!(
        read_series_bytes("S.parquet", &whole, &small)
            .unwrap_err()
            .to_string()
            .contains("larger than 1000 bytes")
    );
}

/// Every byte of every file in turn: counts far beyond the file among them.
#[test]
fn no_damaged_byte_ends_the_process() {
    quiet_readers();
    let mut refused = 0;
    for name in [
        "daily.polars.parquet",
        "daily.pandas.parquet",
        "daily.fastparquet.parquet",
        "decimals.polars.parquet",
        "encodings.v1.parquet",
        "encodings.v2.parquet",
    ] {
        let whole = fixture(name);
        for place in 4..whole.len() - 4 {
            for byte in [0x00, 0x7f, 0x9c, 0xff] {
                let mut damaged = whole.clone();
                damaged[place] = byte;
                let options = TableOptions { max_bytes: Some(1 << 20), ..TableOptions::new("plain") };
                let _ = read_table_bytes("t.parquet", &damaged, &options);
                if let Err(error) = frame::read(name, &damaged) {
                    assert!(error.to_string().starts_with(name), "{error}");
                    refused += 1;
                }
            }
        }
    }
    assert!(refused > 10_000, "{refused}");
}
