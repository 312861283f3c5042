//! What every series goes through on load: cells to values, order, duplicates.

use std::ops::RangeInclusive;

use jiff::civil::{Date, DateTime, Time};

use super::{Domain, Missing, PriceSeries, SeriesOptions};
use crate::{
    DateFormat, Loaded, NumberFormat, Result, Warning,
    date::{Dates, Stamp, clock_fault, read_clock, read_dates},
    file::{Column, Source, is_missing},
};

const DATE_FIX: &str = "write dates as 2008-07-11, or give the setting `date_format` (option --date-format)";

impl Source {
    /// The dates of every row, `None` where the cell is empty; an unreadable one is an error.
    pub(crate) fn dates(&self, cells: &Column, at: usize, format: &DateFormat) -> Result<Vec<Option<Stamp>>> {
        format.check()?;
        let name = &self.names[at];
        let found = match cells {
            Column::Stamps(stamps) => Dates::Read(stamps.clone()),
            Column::Text(text) => read_dates(format, || text.iter()),
            // Dates such as 20080711 may be stored as whole numbers.
            Column::Numbers(_) => {
                let texts: Vec<String> = (0..cells.len()).map(|i| cells.text(i)).collect();
                read_dates(format, || texts.iter().map(String::as_str))
            }
        };
        let error = |row: usize, problem: &str, fix: &str| {
            Err(self.value_error(row, name, cells.text(row), problem, fix))
        };
        match found {
            Dates::Read(dates) => Ok(dates),
            Dates::Unreadable(row) => {
                if let Some((problem, fix)) = clock_fault(&cells.cell(row)) {
                    return error(row, problem, fix);
                }
                let is_first = (0..row).all(|above| cells.text(above).trim().is_empty());
                let problem = match format {
                    DateFormat::Auto if is_first => "is not a date",
                    DateFormat::Auto => "is not a date, or not written like the dates above it",
                    _ => "is not a date written as `date_format` says",
                };
                error(row, problem, DATE_FIX)
            }
            Dates::Ambiguous(row) => {
                let fix = "say which: date_format = \"day-first\" or \"month-first\"";
                error(row, "may be day first or month first", fix)
            }
        }
    }

    /// Puts times of day that have a column of their own beside their days. A column in which no cell is a
    /// time of day is something else.
    pub(super) fn with_times(&self, dates: &mut [Option<Stamp>], times: &Column, at: usize) -> Result<()> {
        let rows = || (0..times.len().min(dates.len())).filter(|row| !is_missing(times.cell(*row).trim()));
        if !rows().any(|row| read_clock(&times.cell(row)).is_ok()) {
            return Ok(());
        }
        let read: Vec<_> = rows().map(|row| (row, read_clock(&times.cell(row)))).collect();
        for (row, clock) in read {
            let Some(stamp) = dates[row].filter(|stamp| stamp.time.is_none()) else { continue };
            let clock = clock.map_err(|(problem, fix)| {
                self.value_error(row, &self.names[at], times.text(row), problem, fix)
            })?;
            dates[row] = clock.on(stamp.date);
        }
        Ok(())
    }

    /// The numbers of every row, NaN where missing.
    pub(super) fn numbers(&self, column: Column, at: usize, format: NumberFormat) -> Result<Vec<f64>> {
        if let Column::Numbers(values) = column {
            return Ok(values);
        }
        let number = |row: usize| {
            let text = column.cell(row);
            if is_missing(text.trim()) {
                return Ok(f64::NAN);
            }
            let fix = "write numbers with a point and without thousands separators";
            let error = || self.value_error(row, &self.names[at], column.text(row), "is not a number", fix);
            format.parse(text.trim()).ok_or_else(error)
        };
        (0..column.len()).map(number).collect()
    }
}

/// One session as it stands in the file.
#[derive(Clone, Copy)]
struct Session {
    row: usize,
    stamp: Stamp,
    price: f64,
    volume: f64,
}

/// The columns of a file as they were read.
pub(super) struct Columns {
    /// Where the date stands in the file.
    pub(super) date: usize,
    /// Where the price stands in the file.
    pub(super) price: usize,
    pub(super) dates: Vec<Option<Stamp>>,
    pub(super) prices: Vec<f64>,
    pub(super) volumes: Option<Vec<f64>>,
}

impl Columns {
    /// The series of those of the rows `all` (from 0) that are dated `listed` (both ends included): drops or
    /// refuses missing prices, sorts by time, drops equal duplicates. A row without date and price is a blank
    /// line.
    pub(super) fn series(
        &self,
        source: &Source,
        name: String,
        all: &[usize],
        listed: RangeInclusive<Date>,
        options: &SeriesOptions,
    ) -> Result<Loaded<PriceSeries>> {
        let Self { dates, prices, volumes, .. } = self;
        let mut warnings = Vec::new();
        let outside = |row: &&usize| !prices[**row].is_nan() && !options.domain.holds(prices[**row]);
        if let Some(row) = all.iter().find(outside) {
            let fix = match options.domain {
                Domain::Positive => {
                    "returns need prices above zero; correct or drop the row, or predict differences or levels \
                     (target.kind), which may have any values"
                }
                Domain::Real => "correct or drop the row",
            };
            return Err(source.cell_error(*row, self.price, options.domain.problem(), fix));
        }
        if let Some(row) = all.iter().find(|row| dates[**row].is_none() && !prices[**row].is_nan()) {
            return Err(source.cell_error(*row, self.date, "is not a date", DATE_FIX));
        }
        let inside = |row: &usize| dates[*row].is_some_and(|stamp| listed.contains(&stamp.date));
        let rows = || all.iter().copied().filter(inside);
        if let Some(first) = rows().find(|row| prices[*row].is_nan()) {
            if options.missing == Missing::Refuse {
                let fix = "fill the gap, or set missing = \"drop\" to leave such rows out";
                return Err(source.cell_error(first, self.price, "is not a price", fix));
            }
            let (file, column) = (source.file.clone(), source.names[self.price].clone());
            let rows = rows().filter(|row| prices[*row].is_nan()).count();
            warnings.push(Warning::MissingDropped { file, column, rows, first: first + 1 });
        }
        let session = |row: usize| {
            let volume = volumes.as_ref().map_or(f64::NAN, |v| v[row]);
            dates[row].map(|stamp| Session { row, stamp, price: prices[row], volume })
        };
        let mut sessions: Vec<Session> =
            rows().filter(|row| !prices[*row].is_nan()).filter_map(session).collect();
        let clock = Clock::of(&sessions);
        let time = |session: &Session| clock.time(session.stamp);
        if let Some(i) = (1..sessions.len()).find(|i| time(&sessions[*i]) < time(&sessions[i - 1])) {
            let Session { row, stamp, .. } = sessions[i];
            warnings.push(Warning::Sorted { file: source.file.clone(), row: row + 1, date: stamp.date });
            sessions.sort_by_key(time);
        }
        let sessions = without_duplicates(source, self.price, clock, sessions, &mut warnings)?;
        let dates = sessions.iter().map(|s| s.stamp.date).collect();
        let prices = sessions.iter().map(|s| s.price).collect();
        let volumes = volumes.as_ref().map(|_| sessions.iter().map(|s| s.volume).collect());
        let times = (clock != Clock::Days).then(|| sessions.iter().map(time).collect());
        let mut value = PriceSeries::checked(name, dates, times, prices, volumes, options.domain)?;
        value.column = Some(source.names[self.price].clone());
        Ok(Loaded { value, warnings })
    }
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

    fn time(self, stamp: Stamp) -> DateTime {
        match self {
            Self::Days => stamp.date.to_datetime(Time::midnight()),
            Self::Shown => stamp.shown(),
            Self::Instants => stamp.instant(),
        }
    }

    fn show(self, stamp: Stamp) -> String {
        if self == Self::Days { stamp.date.to_string() } else { stamp.to_string() }
    }
}

/// Sessions of which the later of two equal ones is left out; two that differ are an error.
fn without_duplicates(
    source: &Source,
    price: usize,
    clock: Clock,
    sessions: Vec<Session>,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<Session>> {
    let (mut kept, mut dropped): (Vec<Session>, Vec<Session>) =
        (Vec::with_capacity(sessions.len()), Vec::new());
    for next in sessions {
        let same = |first: &&Session| clock.time(first.stamp) == clock.time(next.stamp);
        let Some(first) = kept.last().filter(same) else {
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
            let (at, row) = (clock.show(next.stamp), first.row + 1);
            let problem = format!("is the second value for {at}, row {row} has {other}");
            return Err(source.cell_error(next.row, price, &problem, "keep one row per date"));
        }
        dropped.push(next);
    }
    if let Some(first) = dropped.first() {
        let (file, rows, row, date) = (source.file.clone(), dropped.len(), first.row + 1, first.stamp.date);
        warnings.push(Warning::DuplicateDropped { file, rows, row, date });
    }
    Ok(kept)
}
