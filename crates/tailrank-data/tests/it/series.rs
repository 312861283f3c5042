//! Series from the files people have.

use std::io::Write;

use flate2::{Compression, write::GzEncoder};
use tailrank_data::{
    DataError, Date, DateFormat, Missing, OpenFile, PriceSeries, SeriesOptions, Volume, Warning,
    read_series_bytes,
};

fn read(csv: &str) -> tailrank_data::Loaded<PriceSeries> {
    read_series_bytes("S.csv", csv.as_bytes(), &SeriesOptions::default()).unwrap()
}

fn day(d: i8) -> Date {
    Date::constant(2008, 7, d)
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn yahoo_takes_the_adjusted_close_unless_told() {
    let csv =
        "Date,Open,High,Low,Close,Adj Close,Volume\n2008-07-10,1,1,1,50,25,1000\n2008-07-11,1,1,1,52,26,\n";
    let series = read(csv).value;
    assert_eq!(series.name(), "S");
    assert_eq!(series.prices(), [25.0, 26.0]);
    assert_eq!(series.volumes().unwrap()[0], 1000.0);
    assert!(series.volumes().unwrap()[1].is_nan());
    let close = SeriesOptions { price: Some("Close".into()), ..Default::default() };
    assert_eq!(read_series_bytes("S.csv", csv.as_bytes(), &close).unwrap().value.prices(), [50.0, 52.0]);
}

#[test]
fn stooq_in_both_its_forms() {
    let web = "Date,Open,High,Low,Close,Volume\n2008-07-10,1,1,1,50,1000\n2008-07-11,1,1,1,52,900\n";
    let bulk = "<TICKER>,<PER>,<DATE>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<VOL>,<OPENINT>\n\
                KO.US,D,20080710,000000,1,1,1,50,1000,0\nKO.US,D,20080711,000000,1,1,1,52,900,0\n";
    let (web, bulk) = (read(web).value, read(bulk).value);
    assert_eq!((web.dates(), web.prices(), web.volumes()), (bulk.dates(), bulk.prices(), bulk.volumes()));
    assert_eq!(bulk.volumes(), Some(&[1000.0, 900.0][..]));
}

#[test]
fn names_signs_and_line_ends_of_many_kinds() {
    for csv in [
        "date;price\r\n10.07.2008;50\r\n11.07.2008;52\r\n13.07.2008;53\r\n",
        "\u{feff}Date\tClose\n2008-07-10\t50\n2008-07-11\t52\n2008-07-13\t53",
        ",KO\n2008-07-10,50\n2008-07-11,52\n2008-07-13,53\n",
        "\"Date\",\"Close\"\n\"2008-07-10\",\"50\"\n\"2008-07-11\",\"52\"\n\"2008-07-13\",\"53\"\n",
        "timestamp,close\n2008-07-10 00:00:00-04:00, 50\n2008-07-11 00:00:00-04:00, 52 \n2008-07-13 00:00:00-04:00,53\n",
        "Date,Close\n\"Jul 10, 2008\",50\n\"Jul 11, 2008\",52\n\"Jul 13, 2008\",53\n",
        "Date,Close\n\n2008-07-10,50\n\n2008-07-11,52\n2008-07-13,53\n\n",
        "Date,Close\r2008-07-10,50\r2008-07-11,52\r2008-07-13,53\r",
        "Date,Close,,\n2008-07-10,50,,\n2008-07-11,52,,\n2008-07-13,53,,\n",
        "Date,Close,Note\n2008-07-10,50,5\" x\n2008-07-11,52,b\n2008-07-13,53,6\" y\n",
        "\"Date\",\"Note\",\"Close\"\r\n\"2008-07-10\",\"two\r\nlines\",\"50\"\r\n2008-07-11,,52\r\n2008-07-13,\"\"\"\",\"53\"\r\n",
        "Date;Close\n10.07.2008 16:00;50\n11.07.2008 16:00;52\n13.07.2008 16:00;53\n",
    ] {
        let series = read(csv).value;
        assert_eq!(series.dates(), [day(10), day(11), day(13)], "{csv:?}");
        assert_eq!(series.prices(), [50.0, 52.0, 53.0], "{csv:?}");
    }
}

#[test]
fn the_user_names_columns_and_the_form_of_dates() {
    let csv = "when,bid,ask\n01/02/2008,1,2\n01/03/2008,3,4\n";
    let options = SeriesOptions {
        date: Some("when".into()),
        price: Some("ask".into()),
        date_format: DateFormat::DayFirst,
        ..Default::default()
    };
    let series = read_series_bytes("S.csv", csv.as_bytes(), &options).unwrap().value;
    assert_eq!(series.dates(), [Date::constant(2008, 2, 1), Date::constant(2008, 3, 1)]);
    assert_eq!(series.prices(), [2.0, 4.0]);
    let typo = SeriesOptions { price: Some("aks".into()), ..options };
    let message = read_series_bytes("S.csv", csv.as_bytes(), &typo).unwrap_err().to_string();
    assert_eq!(
        message,
        "S.csv: no column \"aks\"; did you mean \"ask\"? There is \"when\", \"bid\", \"ask\""
    );
}

#[test]
fn bytes_that_are_no_text_may_stand_in_a_column_that_nobody_reads() {
    let csv = b"Date,Close,Note\n2008-07-10,50,caf\xe9\n2008-07-11,52,\xff\xfe\n";
    assert_eq!(read_series_bytes("S.csv", csv, &SeriesOptions::default()).unwrap().value.len(), 2);
}

#[test]
fn volumes_in_words_are_no_concern_of_prices() {
    let csv = b"Date,Price,Vol.\n2008-07-10,50,20.33M\n2008-07-11,52,\"2,033,000\"\n";
    let options = SeriesOptions { volume: Volume::Ignored, ..Default::default() };
    let series = read_series_bytes("S.csv", csv, &options).unwrap().value;
    assert_eq!((series.prices(), series.volumes()), (&[50.0, 52.0][..], None));
    let named = SeriesOptions { volume: Volume::Column("Vol.".into()), ..Default::default() };
    assert!(read_series_bytes("S.csv", csv, &named).is_err());
}

#[test]
fn columns_that_read_alike_are_told() {
    let loaded = read("Date,Close,close\n2008-07-10,50,1\n");
    assert_eq!(loaded.value.prices(), [50.0]);
    assert_eq!(
        loaded.warnings[0].to_string(),
        "S.csv: columns \"Close\" and \"close\" read alike; the first was taken"
    );
}

#[test]
fn unsorted_rows_are_sorted_and_equal_duplicates_dropped_with_a_word() {
    let loaded = read("Date,Close\n2008-07-11,52\n2008-07-10,50\n2008-07-11,52\n");
    assert_eq!(loaded.value.dates(), [day(10), day(11)]);
    assert_eq!(
        loaded.warnings,
        [
            Warning::Sorted { file: "S.csv".into(), row: 2, date: day(10) },
            Warning::DuplicateDropped { file: "S.csv".into(), rows: 1, row: 3, date: day(11) },
        ]
    );
    assert_eq!(
        loaded.warnings[0].to_string(),
        "S.csv: row 2 (2008-07-10) is older than the row above it; rows were sorted by date"
    );
}

#[test]
fn a_day_told_twice_must_tell_the_same() {
    let rows = |second: &str| format!("Date,Close,Volume\n2008-07-10,50,1000\n{second}\n2008-07-11,52,900\n");
    let loaded = read(&rows("2008-07-10,50,1000"));
    assert_eq!((loaded.value.prices(), loaded.warnings.len()), (&[50.0, 52.0][..], 1));
    let refused = |second: &str| {
        read_series_bytes("S.csv", rows(second).as_bytes(), &SeriesOptions::default())
            .unwrap_err()
            .to_string()
    };
    for (second, expected) in [
        ("2008-07-10,50,999", "is the second value for 2008-07-10, row 1 has another volume"),
        ("2008-07-10,50,", "is the second value for 2008-07-10, row 1 has another volume"),
        ("2008-07-10,51,1000", "is the second value for 2008-07-10, row 1 has 50"),
    ] {
        assert!(refused(second).contains(expected), "{}", refused(second));
    }
    let missing = "Date,Close,Volume\n2008-07-10,50,\n2008-07-10,50,\n2008-07-11,52,900\n";
    assert_eq!(read(missing).value.prices(), [50.0, 52.0]);
}

/// One row in ten more than there are days is taken for a mistake, two in ten for a series within the day.
#[test]
fn times_of_day_count_where_many_days_come_more_than_once() {
    let csv = |twice: i8| {
        let row = |d: i8, h: i8| format!("2008-07-{d:02} {h:02}:00,{}\n", 10 * d + h);
        let rows: String =
            (1..=10).map(|d| row(d, 9) + &if d <= twice { row(d, 17) } else { String::new() }).collect();
        format!("Date,Close\n{rows}")
    };
    assert_eq!(read(&csv(0)).value.times(), None);
    let message =
        read_series_bytes("S.csv", csv(1).as_bytes(), &SeriesOptions::default()).unwrap_err().to_string();
    assert!(
        message.contains("row 2, column \"Close\": \"27\" is the second value for 2008-07-01"),
        "{message}"
    );
    let hourly = read(&csv(2)).value;
    assert_eq!((hourly.len(), hourly.times().map(<[_]>::len)), (12, Some(12)));
    assert_eq!(hourly.prices()[..3], [19.0, 27.0, 29.0]);
}

#[test]
fn vectors_that_do_not_fit_together_are_refused() {
    let days = || vec![day(10), day(11), day(14)];
    let at = |d: i8, h: i8| day(d).at(h, 0, 0, 0);
    let told = |series: Result<PriceSeries, DataError>| series.unwrap_err().to_string();
    let lengths = "is not allowed: one price (and volume and time) per date";
    assert!(told(PriceSeries::new("S", days(), vec![1.0; 2], None)).contains(lengths));
    assert!(told(PriceSeries::new("S", days(), vec![1.0; 3], Some(vec![1.0; 4]))).contains(lengths));
    let hours = || vec![at(10, 9), at(10, 17), at(11, 9)];
    let at_times = |times, dates| PriceSeries::at_times("S", times, dates, vec![1.0; 3], None);
    assert!(told(PriceSeries::at_times("S", hours(), None, vec![1.0; 2], None)).contains(lengths));
    assert!(told(at_times(hours(), Some(vec![day(10); 2]))).contains(lengths));
    assert!(at_times(hours(), None).is_ok());

    let order = |row: usize, value: &str| {
        format!(
            "S: row {row}, column \"date\": \"{value}\" is not after the date above it; sort the rows and keep one per date"
        )
    };
    for (dates, row, value) in [
        (vec![day(11), day(10), day(14)], 2, "2008-07-10"),
        (vec![day(10), day(10), day(14)], 2, "2008-07-10"),
        (vec![day(10), day(14), day(11)], 3, "2008-07-11"),
    ] {
        assert_eq!(told(PriceSeries::new("S", dates, vec![1.0; 3], None)), order(row, value));
    }
    // Times ascend strictly; the days a market gives them may repeat, but not go back.
    let twice = vec![at(10, 9), at(10, 9), at(11, 9)];
    assert_eq!(told(at_times(twice, None)), order(2, "2008-07-10T09:00:00"));
    let back = Some(vec![day(11), day(10), day(11)]);
    assert_eq!(told(at_times(hours(), back)), order(2, "2008-07-10T17:00:00"));
    assert!(at_times(hours(), Some(vec![day(10), day(11), day(11)])).is_ok());
}

#[test]
fn rows_without_a_price_can_be_dropped() {
    let csv = b"Date,Close\n2008-07-09,49\n2008-07-10,null\n2008-07-11,52\n";
    let options = SeriesOptions { missing: Missing::Drop, ..Default::default() };
    let loaded = read_series_bytes("S.csv", csv, &options).unwrap();
    assert_eq!(loaded.value.prices(), [49.0, 52.0]);
    let word = Warning::MissingDropped { file: "S.csv".into(), column: "Close".into(), rows: 1, first: 2 };
    assert_eq!(loaded.warnings, [word]);
}

#[test]
fn numbers_are_read_to_the_last_bit() {
    let texts = [
        "0.1",
        "5.752243",
        "1e-3",
        "123456789.123456789",
        "2.2250738585072014e-308",
        "1.7976931348623157e308",
    ];
    let mut csv = String::from("Date,Close\n");
    for (d, text) in (1..).zip(texts) {
        csv += &format!("2008-07-{d:02},{text}\n");
    }
    let expected: Vec<f64> = texts.iter().map(|t| t.parse().unwrap()).collect();
    assert_eq!(read(&csv).value.prices(), expected);
}

#[test]
fn gzip_is_unpacked_up_to_a_limit() {
    let csv = b"Date,Close\n2008-07-10,50\n2008-07-11,52\n";
    let packed = gzip(csv);
    assert_eq!(read_series_bytes("S.csv.gz", &packed, &SeriesOptions::default()).unwrap().value.len(), 2);
    let bomb = gzip(&vec![b'0'; 50_000_000]);
    assert!(bomb.len() < 100_000);
    let options = SeriesOptions { max_bytes: Some(1_000_000), ..Default::default() };
    let message = read_series_bytes("S.csv.gz", &bomb, &options).unwrap_err().to_string();
    assert!(message.contains("is larger than 1000000 bytes once unpacked"), "{message}");
    // Two gzip members one after the other are one file.
    let halves = [gzip(&csv[..20]), gzip(&csv[20..])].concat();
    assert_eq!(read_series_bytes("S.csv.gz", &halves, &SeriesOptions::default()).unwrap().value.len(), 2);
}

#[test]
fn wide_files_give_one_series_per_column() {
    let csv = "Date,A,B\n2008-07-09,1,\n2008-07-10,2,20\n2008-07-11,,21\n";
    let loaded = OpenFile::of_bytes("w.csv", csv.as_bytes(), None)
        .and_then(|file| file.wide(&[], &SeriesOptions::default()))
        .unwrap();
    let names: Vec<&str> = loaded.value.iter().map(PriceSeries::name).collect();
    assert_eq!(names, ["A", "B"]);
    assert_eq!(loaded.value[0].dates(), [day(9), day(10)]);
    assert_eq!(loaded.value[1].prices(), [20.0, 21.0]);
    let trimmed = |column: &str, leading, trailing| Warning::Trimmed {
        file: "w.csv".into(),
        column: column.into(),
        leading,
        trailing,
    };
    assert_eq!(loaded.warnings, [trimmed("A", 0, 1), trimmed("B", 1, 0)]);
    let gap = "Date,A\n2008-07-09,1\n2008-07-10,\n2008-07-11,3\n";
    let message = OpenFile::of_bytes("w.csv", gap.as_bytes(), None)
        .and_then(|file| file.wide(&[], &SeriesOptions::default()))
        .unwrap_err()
        .to_string();
    assert!(message.contains("row 2, column \"A\": \"\" is not a price"), "{message}");
    let unknown = OpenFile::of_bytes("w.csv", csv.as_bytes(), None)
        .and_then(|file| file.wide(&["C"], &SeriesOptions::default()))
        .unwrap_err();
    assert!(matches!(unknown, DataError::Unknown { what: "column", .. }));
    let words = "Date,A,Note\n2008-07-09,1,x\n";
    let loaded = OpenFile::of_bytes("w.csv", words.as_bytes(), None)
        .and_then(|file| file.wide(&[], &SeriesOptions::default()))
        .unwrap();
    assert_eq!(loaded.value.len(), 1);
    assert_eq!(loaded.warnings, [Warning::NotNumeric { file: "w.csv".into(), column: "Note".into() }]);
    let bad = "Date,A,B\n2008-07-08,1,1\n2008-07-09,1,x\n";
    let message = OpenFile::of_bytes("w.csv", bad.as_bytes(), None)
        .and_then(|file| file.wide(&[], &SeriesOptions::default()))
        .unwrap_err()
        .to_string();
    assert!(message.contains("row 2, column \"B\": \"x\" is not a number"), "{message}");
}

#[test]
fn files_are_opened_by_path() {
    let folder = tempfile::tempdir().unwrap();
    let paths: Vec<_> = (0..9)
        .map(|i| {
            let path = folder.path().join(format!("S{i}.csv"));
            std::fs::write(&path, format!("Date,Close\n2008-07-10,{}\n", i + 1)).unwrap();
            path
        })
        .collect();
    for (i, path) in paths.iter().enumerate() {
        let series =
            OpenFile::once(path, None).and_then(|file| file.series(&SeriesOptions::default())).unwrap().value;
        assert_eq!((series.name(), series.prices()[0]), (format!("S{i}").as_str(), (i + 1) as f64));
    }
    let missing = folder.path().join("none.csv");
    let message = OpenFile::once(&missing, None)
        .and_then(|file| file.series(&SeriesOptions::default()))
        .unwrap_err()
        .to_string();
    assert!(
        message.contains("none.csv: cannot be read (") && message.contains("check the path"),
        "{message}"
    );
    assert!(
        OpenFile::once(&paths[0], None).and_then(|file| file.wide(&[], &SeriesOptions::default())).is_ok()
    );
}
