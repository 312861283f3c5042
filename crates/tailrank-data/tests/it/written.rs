//! Files as strangers write them: letters, numbers, headers, dates, layouts.

use proptest::prelude::*;
use tailrank_data::{
    Date, DateFormat, Domain, Frequency, Loaded, Missing, NumberFormat, OpenFile, PriceSeries, SeriesOptions,
    TableOptions, Warning,
    frame::{self, Column, Frame},
    read_series_bytes, read_table_bytes,
};

fn series(bytes: &[u8]) -> Loaded<PriceSeries> {
    read_series_bytes("S.csv", bytes, &SeriesOptions::default()).unwrap()
}

fn refused(bytes: &[u8]) -> String {
    read_series_bytes("S.csv", bytes, &SeriesOptions::default()).unwrap_err().to_string()
}

fn day(d: i8) -> Date {
    Date::constant(2008, 7, d)
}

fn numbers(columns: &[&str], format: NumberFormat) -> Warning {
    let columns = columns.iter().map(|c| (*c).to_owned()).collect();
    Warning::NumbersWritten { file: "S.csv".into(), columns, format }
}

#[test]
fn numbers_of_a_german_spreadsheet() {
    let csv = "Datum;Schlusskurs;Volumen\n10.07.2008;1.051,50;1.234\n11.07.2008;999,00;12.345\n14.07.2008;1.000,25;2.345\n";
    let loaded = series(csv.as_bytes());
    assert_eq!(loaded.value.dates(), [day(10), day(11), day(14)]);
    assert_eq!(loaded.value.prices(), [1051.5, 999.0, 1000.25]);
    assert_eq!(loaded.value.volumes(), Some(&[1234.0, 12345.0, 2345.0][..]));
    assert_eq!(loaded.warnings, [numbers(&["Schlusskurs", "Volumen"], NumberFormat::Comma)]);
    assert_eq!(
        loaded.warnings[0].to_string(),
        "S.csv: numbers with a decimal comma were read in \"Schlusskurs\", \"Volumen\""
    );
}

#[test]
fn marks_for_thousands_of_an_english_one() {
    let loaded = series(b"Date,Close\n2008-07-10,\"1,051.5\"\n2008-07-11,\"1,052\"\n");
    assert_eq!(loaded.value.prices(), [1051.5, 1052.0]);
    assert_eq!(loaded.warnings, [numbers(&["Close"], NumberFormat::Point)]);
    // A comma between cells speaks for marks, a semicolon for decimals, and a tab for neither.
    assert_eq!(series(b"Date,Close\n2008-07-10,\"1,234\"\n").value.prices(), [1234.0]);
    assert_eq!(series(b"Date;Close\n2008-07-10;1,234\n").value.prices(), [1.234]);
    assert_eq!(
        refused(b"Date\tClose\n2008-07-10\t1,234\n"),
        "S.csv: row 1, column \"Close\": \"1,234\" may have a decimal comma or a mark for thousands; \
         say with decimal which it is, comma or point"
    );
    let told = |format| {
        let options = SeriesOptions { numbers: format, ..Default::default() };
        read_series_bytes("S.csv", b"Date\tClose\n2008-07-10\t1,234\n", &options).unwrap().value.prices()[0]
    };
    assert_eq!((told(NumberFormat::Comma), told(NumberFormat::Point)), (1.234, 1234.0));
    // Points without decimal commas beside them stay decimal points.
    let plain = series(b"Date;Close\n2008-07-10;1.234\n");
    assert_eq!((plain.value.prices(), plain.warnings), (&[1.234][..], vec![]));
    assert_eq!(
        refused(b"Date;Close\n2008-07-10;51,5\n2008-07-11;about\n"),
        "S.csv: row 1, column \"Close\": \"51,5\" is not a number; write numbers with a point and without thousands separators"
    );
}

#[test]
fn utf_16_and_windows_letters_are_read_and_told() {
    let text = "Date;Clôture\r\n10/07/2008;51,5\r\n14/07/2008;52,0\r\n";
    let utf16: Vec<u8> =
        [0xfeffu16].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let latin: Vec<u8> = text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    for (bytes, encoding) in [(utf16, "UTF-16"), (latin, "Windows-1252 (Latin-1)")] {
        let loaded = series(&bytes);
        assert_eq!(loaded.value.prices(), [51.5, 52.0]);
        assert_eq!(loaded.value.dates(), [day(10), day(14)]);
        let told = Warning::Encoded { file: "S.csv".into(), encoding };
        assert_eq!(loaded.warnings, [told, numbers(&["Clôture"], NumberFormat::Comma)]);
    }
    let told = Warning::Encoded { file: "S.csv".into(), encoding: "Windows-1252 (Latin-1)" };
    assert_eq!(told.to_string(), "S.csv: it is not UTF-8 and was read as Windows-1252 (Latin-1)");
    let levels =
        read_table_bytes("t.csv", b"ort,y\nZ\xfcrich,1\nK\xf6ln,2\n", &TableOptions::new("y")).unwrap();
    let names = tailrank_data::Encoder::fit(&levels.value, 0..2).unwrap().names().to_vec();
    assert_eq!(names, ["ort=Köln", "ort=Zürich"]);
}

#[test]
fn headers_of_four_languages_and_of_fred() {
    for header in [
        "Fecha,Cierre",
        "Fecha,Último",
        "Datum,Schluss",
        "Datum,Kurs",
        "date,clôture",
        "Date,Dernier",
        "observation_date,DGS10",
        "DATE,UNRATE",
        "Date,Open,High,Low,Close*,Adj Close**",
        "TIME_PERIOD,OBS_VALUE",
    ] {
        let columns = header.split(',').count();
        let row = |day: &str, price: &str| format!("{day}{}\n", format!(",{price}").repeat(columns - 1));
        let csv = format!("{header}\n{}{}", row("2008-07-10", "50"), row("2008-07-11", "52"));
        assert_eq!(series(csv.as_bytes()).value.prices(), [50.0, 52.0], "{header}");
    }
}

#[test]
fn freds_point_is_a_missing_value() {
    let csv = b"observation_date,DGS10\n1962-01-02,4.06\n1962-01-03,.\n1962-01-04,3.99\n";
    assert_eq!(
        refused(csv),
        "S.csv: row 2, column \"DGS10\": \".\" is not a price; fill the gap, or set missing = \"drop\" to leave such rows out"
    );
    let options = SeriesOptions { missing: Missing::Drop, ..Default::default() };
    let loaded = read_series_bytes("S.csv", csv, &options).unwrap();
    assert_eq!(loaded.value.prices(), [4.06, 3.99]);
    assert_eq!(loaded.warnings[0].to_string(), "S.csv: row 2 has no \"DGS10\" and was dropped");
}

#[test]
fn months_quarters_weeks_years_and_seconds() {
    for (csv, frequency, second) in [
        ("month,close\n2008-01,1\n2008-02,2\n2008-03,3\n", Frequency::Monthly, Date::constant(2008, 2, 1)),
        ("Date,Close\nJan 2008,1\nFeb 2008,2\nMar 2008,3\n", Frequency::Monthly, Date::constant(2008, 2, 1)),
        ("TIME,Value\n2008M01,1\n2008M02,2\n2008M03,3\n", Frequency::Monthly, Date::constant(2008, 2, 1)),
        ("date,close\n2008Q1,1\n2008Q2,2\n2008Q3,3\n", Frequency::Quarterly, Date::constant(2008, 4, 1)),
        ("date,close\n2008-W01,1\n2008-W02,2\n2008-W03,3\n", Frequency::Weekly, Date::constant(2008, 1, 7)),
        ("year,close\n2007,1\n2008,2\n2009,3\n", Frequency::Yearly, Date::constant(2008, 1, 1)),
        (
            "timestamp,close\n1215648000,1\n1215734400,2\n1215820800,3\n",
            Frequency::Daily,
            Date::constant(2008, 7, 11),
        ),
    ] {
        let loaded = series(csv.as_bytes());
        assert_eq!(loaded.value.frequency(), frequency, "{csv}");
        assert_eq!(loaded.value.dates()[1], second, "{csv}");
        assert_eq!(loaded.value.times(), None);
    }
}

#[test]
fn rows_that_share_a_day_are_told_apart_by_their_time() {
    let stooq = "<TICKER>,<PER>,<DATE>,<TIME>,<CLOSE>\nKO,60,20080710,153000,1\nKO,60,20080710,163000,2\nKO,60,20080711,153000,3\n";
    let one = "Datetime,Close\n2008-07-10 16:30:00-04:00,2\n2008-07-10 15:30:00-04:00,1\n2008-07-11 15:30:00-04:00,3\n";
    for csv in [stooq, one] {
        let series = series(csv.as_bytes()).value;
        assert_eq!(series.frequency(), Frequency::Intraday);
        let expected = [day(10).at(15, 30, 0, 0), day(10).at(16, 30, 0, 0), day(11).at(15, 30, 0, 0)];
        assert_eq!(series.times(), Some(&expected[..]));
        assert_eq!(series.dates(), [day(10), day(10), day(11)]);
        assert_eq!(series.prices(), [1.0, 2.0, 3.0]);
    }
    // When clocks are put back, an hour comes twice: UTC tells which is first.
    let back = b"t,Close\n2008-11-02 01:30-04:00,1\n2008-11-02 01:30-05:00,2\n2008-11-02 02:30-05:00,3\n";
    let options = SeriesOptions { date: Some("t".into()), ..Default::default() };
    let twice = read_series_bytes("S.csv", back, &options).unwrap().value;
    assert_eq!(twice.times().map(|t| t[1]), Some(Date::constant(2008, 11, 2).at(6, 30, 0, 0)));
    // A closing time, even one that moves, makes daily rows no finer.
    let daily = series(b"Date,Close\n2008-07-10 20:00:00,1\n2008-07-11 21:00:00,2\n").value;
    assert_eq!((daily.times(), daily.len()), (None, 2));
    assert_eq!(
        refused(b"Datetime,Close\n2008-07-10 15:30,1\n2008-07-10 16:30,2\n2008-07-10 16:30,3\n"),
        "S.csv: row 3, column \"Close\": \"3\" is the second value for 2008-07-10 16:30:00, row 2 has 2; keep one row per date"
    );
}

#[test]
fn several_series_one_below_the_other() {
    let csv = b"symbol,date,price,volume\nKO,2008-07-11,52,9\nPEP,2008-07-10,60,8\nKO,2008-07-10,50,7\n\nPEP,2008-07-11,61,6\n";
    let loaded = OpenFile::of_bytes("l.csv", csv, None)
        .and_then(|file| file.long(&[], &SeriesOptions::default()))
        .unwrap();
    let found: Vec<(&str, &[f64])> = loaded.value.iter().map(|s| (s.name(), s.prices())).collect();
    assert_eq!(found, [("KO", &[50.0, 52.0][..]), ("PEP", &[60.0, 61.0])]);
    assert_eq!(loaded.value[0].volumes(), Some(&[7.0, 9.0][..]));
    assert_eq!(loaded.warnings, [Warning::Sorted { file: "l.csv".into(), row: 3, date: day(10) }]);
    let chosen = OpenFile::of_bytes("l.csv", csv, None)
        .and_then(|file| file.long(&["PEP"], &SeriesOptions::default()))
        .unwrap()
        .value;
    assert_eq!((chosen.len(), chosen[0].name()), (1, "PEP"));
    let refused = |csv: &[u8], symbols: &[&str]| {
        OpenFile::of_bytes("l.csv", csv, None)
            .and_then(|file| file.long(symbols, &SeriesOptions::default()))
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        refused(csv, &["PEPS"]),
        "l.csv: no series \"PEPS\"; did you mean \"PEP\"? There is \"KO\", \"PEP\""
    );
    assert_eq!(
        refused(b"symbol,date,price\nKO,2008-07-10,1\n,2008-07-11,2\n", &[]),
        "l.csv: row 2, column \"symbol\": \"\" is not a symbol; name the series of every row"
    );
    assert_eq!(
        refused(b"which,date,price\nKO,2008-07-10,1\n", &[]),
        "l.csv: no column looks like the symbol (there is \"which\", \"date\", \"price\"); name it in the setting `symbol`"
    );
    let named = SeriesOptions { symbol: Some("which".into()), ..Default::default() };
    assert!(
        OpenFile::of_bytes("l.csv", b"which,date,price\nKO,2008-07-10,1\n", None)
            .and_then(|file| file.long(&[], &named))
            .is_ok()
    );
    let alone = read_series_bytes("l.csv", csv, &SeriesOptions::default()).unwrap_err().to_string();
    assert_eq!(
        alone,
        "l.csv: holds 2 series one below the other (column \"symbol\": \"KO\", \"PEP\"); read it as a `long` file"
    );
}

#[test]
fn a_wide_file_lists_some_late() {
    let csv = b"Datum;A;B\n09.07.2008;1,5;\n10.07.2008;2,5;NA\n14.07.2008;3,5;7,25\n";
    let loaded = OpenFile::of_bytes("S.csv", csv, None)
        .and_then(|file| file.wide(&[], &SeriesOptions::default()))
        .unwrap();
    assert_eq!(loaded.value[1].prices(), [7.25]);
    let trimmed = Warning::Trimmed { file: "S.csv".into(), column: "B".into(), leading: 2, trailing: 0 };
    assert_eq!(loaded.warnings, [numbers(&["A", "B"], NumberFormat::Comma), trimmed]);
}

#[test]
fn values_that_are_not_prices() {
    let csv = b"date,rain\n2008-07-09,0\n2008-07-10,-1.5\n2008-07-11,12\n";
    assert_eq!(
        refused(csv),
        "S.csv: row 1, column \"rain\": \"0\" is not a price above zero; returns need prices above zero; correct or drop \
         the row, or predict differences or levels (target.kind), which may have any values"
    );
    let options = SeriesOptions { domain: Domain::Real, ..Default::default() };
    let read = |csv: &[u8]| read_series_bytes("S.csv", csv, &options);
    assert_eq!(read(csv).unwrap().value.prices(), [0.0, -1.5, 12.0]);
    assert_eq!(
        read(b"date,rain\n2008-07-09,inf\n").unwrap_err().to_string(),
        "S.csv: row 1, column \"rain\": \"inf\" is not a finite number; correct or drop the row"
    );
}

#[test]
fn other_kinds_of_file_are_refused_by_name() {
    for (bytes, expected) in [
        (&b"PK\x03\x04\x14\x00"[..], "S.csv: is a zip file; unpack it and take the file inside"),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1",
            "S.csv: is an old Excel workbook (.xls); open it in Excel, choose File > Save As and the type \"CSV UTF-8 (Comma delimited)\", and take that file",
        ),
        (b"BZh91AY", "S.csv: is packed with bzip2; unpack it, or pack it with gzip"),
        (b"<!DOCTYPE html>\n<html>", "S.csv: is a web page or XML, not a table; download the file itself"),
        (b"[{\"Date\": 1}]", "S.csv: is JSON; write the table as CSV or Parquet"),
        (b"a\x00\x01\x02", "S.csv: holds bytes that no text has; give CSV (also gzipped) or Parquet"),
    ] {
        assert_eq!(refused(bytes), expected);
    }
}

#[test]
fn a_first_line_may_name_the_separator() {
    let loaded = series(b"sep=;\r\nDate;Close\r\n2008-07-10;51,5\r\n");
    assert_eq!(loaded.value.prices(), [51.5]);
}

#[test]
fn three_lines_of_header() {
    let one = b"Price,Close,Volume\nTicker,KO,KO\nDate,,\n2008-07-10,50,9\n2008-07-11,52,8\n";
    let loaded = series(one);
    assert_eq!((loaded.value.prices(), loaded.value.dates()), (&[50.0, 52.0][..], &[day(10), day(11)][..]));
    assert_eq!(loaded.value.volumes(), Some(&[9.0, 8.0][..]));
    let two = b"Price,Close,Close\nTicker,KO,PEP\nDate,,\n2008-07-10,50,60\n2008-07-11,x,61\n";
    let options = SeriesOptions::default();
    let wide = OpenFile::of_bytes("S.csv", two, None)
        .and_then(|file| file.wide(&["Close PEP"], &options))
        .unwrap()
        .value;
    assert_eq!((wide[0].name(), wide[0].prices()), ("Close PEP", &[60.0, 61.0][..]));
    let message = OpenFile::of_bytes("S.csv", two, None)
        .and_then(|file| file.wide(&["Close KO"], &options))
        .unwrap_err()
        .to_string();
    assert!(message.contains("row 2, column \"Close KO\": \"x\" is not a number"), "{message}");
}

/// The bytes of `text` in each encoding that can hold it.
fn encoded(text: &str) -> Vec<Vec<u8>> {
    let units = |mark: bool| mark.then_some(0xfeffu16).into_iter().chain(text.encode_utf16());
    let latin: Option<Vec<u8>> = text.chars().map(|c| u8::try_from(u32::from(c)).ok()).collect();
    let latin = latin.filter(|bytes| bytes.iter().all(|b| !(0x80..=0x9f).contains(b)));
    let mut all = vec![
        text.as_bytes().to_vec(),
        units(true).flat_map(u16::to_le_bytes).collect(),
        units(true).flat_map(u16::to_be_bytes).collect(),
        units(false).flat_map(u16::to_le_bytes).collect(),
    ];
    all.extend(latin);
    all
}

/// A number with digits in groups of three.
fn grouped(value: i64, decimals: u32, point: char, mark: char) -> String {
    let digits = (value.unsigned_abs() / 1000).to_string();
    let mut whole = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            whole.push(mark);
        }
        whole.push(digit);
    }
    let fraction = format!("{:03}", value.unsigned_abs() % 1000);
    let sign = if value < 0 { "-" } else { "" };
    format!("{sign}{whole}{point}{}", &fraction[..decimals as usize])
}

proptest! {
    /// However letters are encoded, the table is the same.
    #[test]
    fn letters_do_not_depend_on_their_encoding(levels in prop::collection::vec("[a-zàéüßñ]{1,6}", 2..20)) {
        let rows: String = levels.iter().enumerate().map(|(i, level)| format!("k{level},{i}\n")).collect();
        let text = format!("Größe,y\n{rows}");
        let read = |bytes: &[u8]| read_table_bytes("t.csv", bytes, &TableOptions::new("y")).unwrap().value;
        let first = read(text.as_bytes());
        for bytes in encoded(&text) {
            prop_assert_eq!(&read(&bytes), &first);
        }
    }

    /// However numbers are written, they are the same; two decimals leave no doubt.
    #[test]
    fn numbers_do_not_depend_on_their_marks(values in prop::collection::vec(-9_999_999_990i64..9_999_999_990, 1..20)) {
        let values: Vec<i64> = values.iter().map(|v| v - v % 10).collect();
        let expected: Vec<f64> = values.iter().map(|v| grouped(*v, 2, '.', '_').replace('_', "").parse().unwrap()).collect();
        for (separator, point, mark) in [(';', ',', '.'), ('\t', ',', ' '), (';', '.', ','), ('\t', '.', '\''), ('|', ',', '\u{a0}')] {
            let rows: String =
                values.iter().map(|v| format!("{}{separator}1\n", grouped(*v, 2, point, mark))).collect();
            let csv = format!("y{separator}x\n{rows}");
            let table = read_table_bytes("t.csv", csv.as_bytes(), &TableOptions::new("y")).unwrap().value;
            prop_assert_eq!(table.targets(), &expected[..], "{}", csv);
        }
    }

    /// What is written is read: text with separators and quotation marks, numbers to the last bit.
    #[test]
    fn a_frame_comes_back(rows in prop::collection::vec(("[a \",;\t|é.]{0,8}", any::<f64>()), 1..30)) {
        let texts: Vec<String> = rows.iter().map(|(text, _)| format!("k{text}")).collect();
        let numbers: Vec<f64> = rows.iter().map(|(_, number)| *number).collect();
        let columns = vec![("t, \"1\"".to_owned(), Column::Text(texts)), ("v".to_owned(), Column::Real(numbers))];
        let frame = Frame::new(columns).unwrap();
        let back = frame::read("t.csv", &frame::to_csv(&frame).unwrap()).unwrap();
        prop_assert_eq!(back.column_at(0), frame.column_at(0));
        let (Some(Column::Real(a)), Some(Column::Real(b))) = (back.column_at(1), frame.column_at(1)) else {
            return Err(TestCaseError::fail("numbers"));
        };
        prop_assert!(a.iter().zip(b).all(|(a, b)| a == b || a.is_nan() && b.is_nan()));
    }
}

#[test]
fn a_form_given_is_the_form_taken() {
    let options = SeriesOptions { date_format: DateFormat::from("epoch"), ..Default::default() };
    let read = read_series_bytes("S.csv", b"date,close\n1215648000,1\n", &options).unwrap().value;
    assert_eq!(read.dates(), [day(10)]);
    let message =
        read_series_bytes("S.csv", b"date,close\n2008-07-10,1\n", &options).unwrap_err().to_string();
    assert_eq!(
        message,
        "S.csv: row 1, column \"date\": \"2008-07-10\" is not a date written as `date_format` says; write dates as \
         2008-07-11, or give the setting `date_format` (option --date-format)"
    );
}
