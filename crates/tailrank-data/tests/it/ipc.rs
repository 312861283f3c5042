//! Arrow IPC (Feather) files: what a frame holds comes back, and damage is an error.

use polars::prelude::{DataFrame, DataType, IpcCompression, IpcWriter, SerWriter, TimeUnit, TimeZone, df};
use tailrank_data::{
    Date, SeriesOptions, TableOptions,
    frame::{self, Column},
    read_series_bytes, read_table_bytes,
};

use super::quiet_readers;

/// Numbers, texts, categories, days and times, with gaps.
fn table() -> DataFrame {
    let rows = 40i32;
    let mut table = df!(
        "whole" => (0..rows).map(|i| (i % 7 != 0).then_some(i64::from(i))).collect::<Vec<_>>(),
        "real" => (0..rows).map(|i| f64::from(i) / 3.0).collect::<Vec<_>>(),
        "small" => (0..rows).map(|i| i as f32 / 4.0).collect::<Vec<_>>(),
        "text" => (0..rows).map(|i| (i % 5 != 0).then(|| format!("row {i} and more letters"))).collect::<Vec<_>>(),
        "level" => (0..rows).map(|i| ["low", "high"][i as usize % 2]).collect::<Vec<_>>(),
        "day" => (14_000..14_000 + rows).collect::<Vec<_>>(),
        "time" => (0..rows).map(|i| i64::from(i) * 3_600_000_000).collect::<Vec<_>>(),
        "yes" => (0..rows).map(|i| i % 2 == 0).collect::<Vec<_>>(),
    )
    .unwrap();
    for (name, kind) in [
        ("day", DataType::Date),
        ("time", DataType::Datetime(TimeUnit::Microseconds, Some(TimeZone::UTC))),
        ("level", DataType::from_categories(polars::prelude::Categories::global())),
    ] {
        let cast = table.column(name).unwrap().cast(&kind).unwrap();
        table.with_column(cast).unwrap();
    }
    table
}

fn written(compression: Option<IpcCompression>) -> Vec<u8> {
    let mut bytes = Vec::new();
    IpcWriter::new(&mut bytes).with_compression(compression).finish(&mut table()).unwrap();
    bytes
}

fn all() -> [Vec<u8>; 3] {
    [None, Some(IpcCompression::LZ4), Some(IpcCompression::ZSTD(Default::default()))].map(written)
}

#[test]
fn what_a_frame_holds_comes_back() {
    for bytes in all() {
        let back = frame::read("t.feather", &bytes).unwrap();
        let Some(Column::Real(whole)) = back.column("whole") else { panic!("whole is numbers") };
        assert!(whole.iter().enumerate().all(|(i, v)| if i % 7 == 0 { v.is_nan() } else { *v == i as f64 }));
        let reals = (0..40).map(|i| f64::from(i) / 3.0).collect();
        assert_eq!(back.column("real"), Some(&Column::Real(reals)));
        assert_eq!(back.column("small"), Some(&Column::Real((0..40).map(|i| f64::from(i) / 4.0).collect())));
        assert_eq!(back.column("yes"), Some(&Column::Real((0..40).map(|i| f64::from(1 - i % 2)).collect())));
        let Some(Column::Text(texts)) = back.column("text") else { panic!("text") };
        assert_eq!((texts[5].as_str(), texts[39].as_str()), ("", "row 39 and more letters"));
        let Some(Column::Text(levels)) = back.column("level") else { panic!("categories are text") };
        assert_eq!((levels[0].as_str(), levels[1].as_str()), ("low", "high"));
        let Some(Column::Text(days)) = back.column("day") else { panic!("days") };
        assert_eq!(days[1], "2008-05-02");
        let Some(Column::Text(times)) = back.column("time") else { panic!("times") };
        assert_eq!(times[25], "1970-01-02 01:00:00");
    }
}

#[test]
fn it_is_a_series_and_a_table_like_any_other() {
    let options =
        SeriesOptions { date: Some("day".into()), price: Some("small".into()), ..Default::default() };
    for bytes in all() {
        let mut rows = SeriesOptions { missing: tailrank_data::Missing::Drop, ..options.clone() };
        rows.domain = tailrank_data::Domain::Real;
        let series = read_series_bytes("S.feather", &bytes, &rows).unwrap().value;
        assert_eq!((series.dates()[0], series.len()), (Date::constant(2008, 5, 1), 40));
        let table = TableOptions { ignore: vec!["text".into(), "time".into()], ..TableOptions::new("real") };
        assert_eq!(read_table_bytes("T.feather", &bytes, &table).unwrap().value.rows(), 40);
    }
}

/// Every byte in turn: counts far beyond the file among them.
#[test]
fn no_damaged_byte_ends_the_process() {
    quiet_readers();
    let mut refused = 0;
    for whole in all() {
        for place in 6..whole.len() {
            for byte in [0x00, 0x7f, 0xff] {
                let mut damaged = whole.clone();
                damaged[place] = byte;
                if let Err(error) = frame::read("t.feather", &damaged) {
                    assert!(error.to_string().starts_with("t.feather"), "{error}");
                    refused += 1;
                }
            }
        }
        for cut in [6, 10, whole.len() / 2, whole.len() - 1] {
            let message = frame::read("t.feather", &whole[..cut]).unwrap_err().to_string();
            assert!(message.starts_with("t.feather: cannot be read as Arrow IPC (Feather)"), "{message}");
        }
    }
    assert!(refused > 1000, "{refused}");
}

#[test]
fn what_it_unpacks_to_is_limited() {
    for bytes in all() {
        let small = TableOptions { max_bytes: Some(2000), ..TableOptions::new("real") };
        let message = read_table_bytes("T.feather", &bytes, &small).unwrap_err().to_string();
        assert!(message.starts_with("T.feather: is larger than 2000 bytes once unpacked"), "{message}");
    }
}
