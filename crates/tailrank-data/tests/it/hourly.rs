//! Hourly data as people write them: with 24:00, shuffled, over a change of the clocks, with a zone. The rows
//! and events are those of the clean file.

use jiff::{Timestamp, ToSpan, civil::DateTime, tz::TimeZone};
use tailrank_data::{PriceSeries, SeriesOptions, Transform, read_series_bytes};

const HOURS: i64 = 24 * 60;

/// Hours from ten days before the clocks of Berlin are put forward.
fn instants() -> Vec<Timestamp> {
    let first: Timestamp = "2019-03-20T23:00:00Z".parse().unwrap();
    (0..HOURS).map(|hour| first + hour.hours()).collect()
}

fn value(row: usize) -> f64 {
    100.0 + ((row * 7919) % 1009) as f64 / 10.0
}

fn read(file: &str, rows: impl Iterator<Item = (String, f64)>) -> PriceSeries {
    let body: String = rows.map(|(time, value)| format!("{time},{value}\n")).collect();
    let read = read_series_bytes(file, format!("time,load\n{body}").as_bytes(), &SeriesOptions::default());
    read.unwrap_or_else(|e| panic!("{file}: {e}")).value
}

/// Changes of at least 60 from one hour to the next.
fn events(series: &PriceSeries) -> usize {
    Transform::Difference.of(series.prices(), 1).iter().filter(|change| change.abs() >= 60.0).count()
}

fn utc(instant: Timestamp) -> DateTime {
    instant.to_zoned(TimeZone::UTC).datetime()
}

#[test]
fn however_hours_are_written_rows_and_events_are_the_same() {
    let instants = instants();
    let rows = || instants.iter().copied().enumerate();
    let clean = read("clean.csv", rows().map(|(i, t)| (utc(t).to_string(), value(i))));
    assert_eq!((clean.len(), clean.prices()[7]), (HOURS as usize, value(7)));
    assert!(events(&clean) > 100);
    let midnight = |t: DateTime| match t.hour() {
        0 => format!("{} 24:00", t.date().yesterday().unwrap()),
        _ => t.strftime("%Y-%m-%d %H:%M").to_string(),
    };
    let berlin = TimeZone::get("Europe/Berlin").unwrap();
    let there = |t: Timestamp| t.to_zoned(berlin.clone());
    let mut shuffled: Vec<(usize, Timestamp)> = rows().collect();
    shuffled.sort_by_key(|(i, _)| i * 7919 % 1447);
    let files = [
        read("midnight.csv", rows().map(|(i, t)| (midnight(utc(t)), value(i)))),
        read("shuffled.csv", shuffled.iter().map(|(i, t)| (midnight(utc(*t)), value(*i)))),
        read("utc.csv", rows().map(|(i, t)| (t.to_string(), value(i)))),
        read(
            "offset.csv",
            rows().map(|(i, t)| (there(t).strftime("%Y-%m-%dT%H:%M:%S%:z").to_string(), value(i))),
        ),
        read(
            "place.csv",
            rows().map(|(i, t)| (there(t).strftime("%Y-%m-%d %H:%M Europe/Berlin").to_string(), value(i))),
        ),
        read(
            "shuffled_offset.csv",
            shuffled.iter().map(|(i, t)| (there(*t).strftime("%Y-%m-%dT%H:%M:%S%:z").to_string(), value(*i))),
        ),
    ];
    for series in &files {
        assert_eq!(series.prices(), clean.prices(), "{}", series.name());
        assert_eq!(events(series), events(&clean), "{}", series.name());
    }
}

#[test]
fn hours_that_no_clock_shows_are_refused() {
    for (clock, problem) in
        [("25:00", "no clock shows"), ("16:61", "no clock shows"), ("10:00 Mars/Base", "zone")]
    {
        let text = format!("time,load\n2019-03-01 09:00,1\n2019-03-01 {clock},2\n");
        let said =
            read_series_bytes("t.csv", text.as_bytes(), &SeriesOptions::default()).unwrap_err().to_string();
        assert!(said.contains(problem) && said.contains("row 2"), "{said}");
    }
}
