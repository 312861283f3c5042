//! What every series goes through on load: cells to values, order, duplicates.

use std::ops::RangeInclusive;

use jiff::civil::{Date, DateTime, Time};

use super::{Domain, Missing, PriceSeries, SeriesOptions};
use crate::{
    DateFormat, Loaded, Result, Warning,
    date::{ClockFault, Dates, Stamp, clock_fault, read_clock, read_dates},
    file::{Column, Source, is_missing},
};

const DATE_FIX: &str = "write dates as 2008-07-11, or give the setting `date_format` (option --date-format)";

/// The dates of every row, `None` where the cell is empty; an unreadable one is an error.
pub(crate) fn dates(
    source: &Source<'_>,
    column: &Column,
    at: usize,
    format: &DateFormat,
) -> Result<Vec<Option<Stamp>>> {
    format.check()?;
    let name = &source.names[at];
    let found = match column {
        Column::Stamps(stamps) => Dates::Read(stamps.clone()),
        Column::Text(text) => read_dates(format, || text.iter()),
        // Dates such as 20080711 may be stored as whole numbers.
        Column::Numbers(_) => {
            let cells: Vec<String> = (0..column.len()).map(|i| column.text(i)).collect();
            read_dates(format, || cells.iter().map(String::as_str))
        }
    };
    let error = |row: usize, problem: &str, fix: &str| {
        Err(source.value_error(row, name, column.text(row), problem, fix))
    };
    match found {
        Dates::Read(dates) => Ok(dates),
        Dates::Unreadable(row) => {
            if let Some((problem, fix)) = clock_fault(&column.cell(row)).map(ClockFault::words) {
                return error(row, problem, fix);
            }
            let is_first = (0..row).all(|above| column.text(above).trim().is_empty());
            error(row, unreadable(format, is_first), DATE_FIX)
        }
        Dates::Ambiguous(row) => error(
            row,
            "may be day first or month first",
            "say which: date_format = \"day-first\" or \"month-first\"",
        ),
    }
}

/// Puts times of day that have a column of their own beside their days. A column in which no cell is a time of day is something else.
pub(super) fn with_times(
    source: &Source<'_>,
    dates: &mut [Option<Stamp>],
    times: &Column,
    at: usize,
) -> Result<()> {
    let rows = || (0..times.len().min(dates.len())).filter(|row| !is_missing(times.cell(*row).trim()));
    if !rows().any(|row| read_clock(&times.cell(row)).is_ok()) {
        return Ok(());
    }
    let read: Vec<_> = rows().map(|row| (row, read_clock(&times.cell(row)))).collect();
    for (row, clock) in read {
        let Some(stamp) = dates[row].filter(|stamp| stamp.time.is_none()) else { continue };
        let clock = clock.map_err(|fault| {
            let (problem, fix) = fault.words();
            source.value_error(row, &source.names[at], times.text(row), problem, fix)
        })?;
        dates[row] = clock.on(stamp.date);
    }
    Ok(())
}

fn unreadable(format: &DateFormat, is_first: bool) -> &'static str {
    match format {
        DateFormat::Auto if is_first => "is not a date",
        DateFormat::Auto => "is not a date, or not written like the dates above it",
        _ => "is not a date written as `date_format` says",
    }
}

/// The numbers of every row, NaN where missing.
pub(super) fn numbers(
    source: &Source<'_>,
    column: Column,
    at: usize,
    options: &SeriesOptions,
) -> Result<Vec<f64>> {
    let column = match column {
        Column::Numbers(values) => return Ok(values),
        other => other,
    };
    let number = |row: usize| {
        let text = column.cell(row);
        match text.trim() {
            cell if is_missing(cell) => Ok(f64::NAN),
            cell => options.numbers.parse(cell).ok_or(()).map_err(|_| {
                let fix = "write numbers with a point and without thousands separators";
                source.value_error(row, &source.names[at], text.clone().into_owned(), "is not a number", fix)
            }),
        }
    };
    (0..column.len()).map(number).collect()
}

/// One session as it stands in the file.
#[derive(Clone, Copy)]
struct Session {
    row: usize,
    stamp: Stamp,
    price: f64,
    volume: f64,
}

/// The columns of one series as they were read.
pub(super) struct Columns<'a> {
    /// The symbol.
    pub(super) name: String,
    /// Where the date stands in the file.
    pub(super) date: usize,
    /// Where the price stands in the file.
    pub(super) price: usize,
    /// The series' rows (from 0) in the file.
    pub(super) rows: &'a [usize],
    pub(super) dates: &'a [Option<Stamp>],
    pub(super) prices: &'a [f64],
    pub(super) volumes: Option<&'a [f64]>,
}

/// Takes the rows dated `listed` (both ends included): drops or refuses missing prices, sorts by time, drops
/// equal duplicates. A row without date and price is a blank line.
pub(super) fn series(
    source: &Source<'_>,
    read: &Columns<'_>,
    listed: RangeInclusive<Date>,
    options: &SeriesOptions,
) -> Result<Loaded<PriceSeries>> {
    let &Columns { rows: all, dates, prices, volumes, .. } = read;
    let mut warnings = Vec::new();
    let refuse = |row: usize, column: usize, problem: &str, fix: &str| {
        Err(source.value_error(row, &source.names[column], source.own_text(row, column), problem, fix))
    };
    let outside = |row: &&usize| !prices[**row].is_nan() && !options.domain.holds(prices[**row]);
    if let Some(row) = all.iter().find(outside) {
        let (problem, fix) = match options.domain {
            Domain::Positive => (
                "is not a price above zero",
                "returns need prices above zero; correct or drop the row, or predict differences or levels \
                 (target.kind), which may have any values",
            ),
            Domain::Real => ("is not a finite number", "correct or drop the row"),
        };
        return refuse(*row, read.price, problem, fix);
    }
    if let Some(row) = all.iter().find(|row| dates[**row].is_none() && !prices[**row].is_nan()) {
        return refuse(*row, read.date, "is not a date", DATE_FIX);
    }
    let rows = || {
        let inside = |row: &usize| dates[*row].is_some_and(|stamp| listed.contains(&stamp.date));
        all.iter().copied().filter(inside)
    };
    if let Some(first) = rows().find(|row| prices[*row].is_nan()) {
        match options.missing {
            Missing::Refuse => {
                let fix = "fill the gap, or set missing = \"drop\" to leave such rows out";
                return refuse(first, read.price, "is not a price", fix);
            }
            Missing::Drop => warnings.push(Warning::MissingDropped {
                file: source.file.clone(),
                column: source.names[read.price].clone(),
                rows: rows().filter(|row| prices[*row].is_nan()).count(),
                first: first + 1,
            }),
        }
    }
    let mut sessions: Vec<Session> = rows()
        .filter(|row| !prices[*row].is_nan())
        .filter_map(|row| {
            let volume = volumes.map_or(f64::NAN, |v| v[row]);
            dates[row].map(|stamp| Session { row, stamp, price: prices[row], volume })
        })
        .collect();
    let clock = Clock::of(&sessions);
    let time = |session: &Session| clock.time(session.stamp);
    if let Some(i) = (1..sessions.len()).find(|i| time(&sessions[*i]) < time(&sessions[i - 1])) {
        let Session { row, stamp, .. } = sessions[i];
        warnings.push(Warning::Sorted { file: source.file.clone(), row: row + 1, date: stamp.date });
        sessions.sort_by_key(time);
    }
    drop_duplicates(source, read.price, clock, &mut sessions, &mut warnings)?;
    let dates = sessions.iter().map(|s| s.stamp.date).collect();
    let prices = sessions.iter().map(|s| s.price).collect();
    let volumes = volumes.map(|_| sessions.iter().map(|s| s.volume).collect());
    let times = clock.is_intraday().then(|| sessions.iter().map(time).collect());
    let value = PriceSeries::checked(read.name.clone(), dates, times, prices, volumes, options.domain)?;
    Ok(Loaded { value: value.read_from(&source.names[read.price]), warnings })
}

/// What tells the sessions of a series apart.
#[derive(Clone, Copy, PartialEq)]
enum Clock {
    /// Their days: times of day are those of the closing, whatever they are.
    Days,
    /// Days and times as written.
    Shown,
    /// Days and times in UTC, because clocks were put forward and back.
    Instants,
}

impl Clock {
    fn of(sessions: &[Session]) -> Self {
        let mut days: Vec<Date> = sessions.iter().map(|s| s.stamp.date).collect();
        days.sort_unstable();
        days.dedup();
        let mut shown: Vec<DateTime> = sessions.iter().map(|s| s.stamp.shown()).collect();
        shown.sort_unstable();
        shown.dedup();
        // A few days that come twice are a mistake that is better told.
        if shown.len() * 10 <= days.len() * 11 {
            return Self::Days;
        }
        let offset = |s: &Session| s.stamp.offset;
        let constant =
            sessions.first().is_none_or(|first| sessions.iter().all(|s| offset(s) == offset(first)));
        if constant { Self::Shown } else { Self::Instants }
    }

    fn is_intraday(self) -> bool {
        self != Self::Days
    }

    fn time(self, stamp: Stamp) -> DateTime {
        match self {
            Self::Days => stamp.date.to_datetime(Time::midnight()),
            Self::Shown => stamp.shown(),
            Self::Instants => stamp.instant(),
        }
    }

    fn show(self, stamp: Stamp) -> String {
        if self.is_intraday() { stamp.to_string() } else { stamp.date.to_string() }
    }
}

fn drop_duplicates(
    source: &Source<'_>,
    price: usize,
    clock: Clock,
    sessions: &mut Vec<Session>,
    warnings: &mut Vec<Warning>,
) -> Result<()> {
    let mut kept: Vec<Session> = Vec::with_capacity(sessions.len());
    let mut dropped: Option<(usize, Session)> = None;
    for next in sessions.iter().copied() {
        let same = |first: &Session| clock.time(first.stamp) == clock.time(next.stamp);
        let Some(first) = kept.last().copied().filter(same) else {
            kept.push(next);
            continue;
        };
        let same_volume = first.volume == next.volume || (first.volume.is_nan() && next.volume.is_nan());
        if first.price != next.price || !same_volume {
            let other = if first.price == next.price {
                "another volume".to_owned()
            } else {
                source.own_text(first.row, price)
            };
            let problem = format!(
                "is the second value for {}, row {} has {other}",
                clock.show(next.stamp),
                first.row + 1
            );
            let text = source.own_text(next.row, price);
            return Err(source.value_error(
                next.row,
                &source.names[price],
                text,
                &problem,
                "keep one row per date",
            ));
        }
        dropped = Some((dropped.map_or(0, |(rows, _)| rows) + 1, dropped.map_or(next, |(_, first)| first)));
    }
    if let Some((rows, first)) = dropped {
        let (file, row, date) = (source.file.clone(), first.row + 1, first.stamp.date);
        warnings.push(Warning::DuplicateDropped { file, rows, row, date });
    }
    *sessions = kept;
    Ok(())
}
