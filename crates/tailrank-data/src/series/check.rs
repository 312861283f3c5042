//! What every series goes through on load: cells to values, order, duplicates.

use std::ops::RangeInclusive;

use jiff::civil::Date;

use super::{Missing, PriceSeries, SeriesOptions};
use crate::{
    DateFormat, Loaded, Result, Warning,
    date::{Dates, read_dates},
    file::{Column, Source, is_missing},
};

const DATE_FIX: &str = "write dates as 2008-07-11, or give the setting `date_format`";

/// The dates of every row, `None` where the cell is empty; an unreadable one is an error.
pub(super) fn dates(
    source: &Source<'_>,
    column: &Column,
    at: usize,
    options: &SeriesOptions,
) -> Result<Vec<Option<Date>>> {
    options.date_format.check()?;
    let name = &source.names[at];
    let found = match column {
        Column::Dates(dates) => Dates::Read(dates.clone()),
        Column::Text(text) => read_dates(&options.date_format, || text.iter().map(Option::unwrap_or_default)),
        // Dates such as 20080711 may be stored as whole numbers.
        Column::Numbers(_) => {
            let cells: Vec<String> = (0..column.len()).map(|i| column.text(i)).collect();
            read_dates(&options.date_format, || cells.iter().map(String::as_str))
        }
    };
    let error = |row: usize, problem: &str, fix: &str| {
        Err(source.value_error(row, name, column.text(row), problem, fix))
    };
    match found {
        Dates::Read(dates) => Ok(dates),
        Dates::Unreadable(row) => error(row, unreadable(&options.date_format), DATE_FIX),
        Dates::Ambiguous(row) => error(
            row,
            "may be day first or month first",
            "say which: date_format = \"day-first\" or \"month-first\"",
        ),
    }
}

fn unreadable(format: &DateFormat) -> &'static str {
    match format {
        DateFormat::Auto => "is not a date, or not written like the dates above it",
        _ => "is not a date written as `date_format` says",
    }
}

/// The numbers of every row, NaN where missing.
pub(super) fn numbers(source: &Source<'_>, column: Column, at: usize) -> Result<Vec<f64>> {
    let column = match column {
        Column::Numbers(values) => return Ok(values),
        other => other,
    };
    let number = |row: usize| {
        let text = column.cell(row);
        match text.trim() {
            cell if is_missing(cell) => Ok(f64::NAN),
            cell => cell.parse().map_err(|_| {
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
    date: Date,
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
    pub(super) dates: &'a [Option<Date>],
    pub(super) prices: &'a [f64],
    pub(super) volumes: Option<&'a [f64]>,
}

/// Takes the rows dated `listed` (both ends included): drops or refuses missing prices, sorts by date, drops
/// equal duplicates. A row without date and price is a blank line.
pub(super) fn series(
    source: &Source<'_>,
    read: &Columns<'_>,
    listed: RangeInclusive<Date>,
    options: &SeriesOptions,
) -> Result<Loaded<PriceSeries>> {
    let &Columns { dates, prices, volumes, .. } = read;
    let mut warnings = Vec::new();
    let refuse = |row: usize, column: usize, problem: &str, fix: &str| {
        Err(source.value_error(row, &source.names[column], source.own_text(row, column), problem, fix))
    };
    if let Some(row) = prices.iter().position(|p| p.is_infinite() || *p <= 0.0) {
        let fix = "returns need prices above zero; correct or drop the row";
        return refuse(row, read.price, "is not a price above zero", fix);
    }
    if let Some(row) = (0..dates.len()).find(|row| dates[*row].is_none() && !prices[*row].is_nan()) {
        return refuse(row, read.date, "is not a date", DATE_FIX);
    }
    let rows = || (0..dates.len()).filter(|row| dates[*row].is_some_and(|d| listed.contains(&d)));
    if let Some(first) = rows().find(|row| prices[*row].is_nan()) {
        match options.missing {
            Missing::Refuse => {
                let fix = "fill the gap, or set missing = \"drop\" to leave such rows out";
                return refuse(first, read.price, "is no price", fix);
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
            dates[row].map(|date| Session { row, date, price: prices[row], volume })
        })
        .collect();
    if let Some(i) = (1..sessions.len()).find(|i| sessions[*i].date < sessions[i - 1].date) {
        let Session { row, date, .. } = sessions[i];
        warnings.push(Warning::Sorted { file: source.file.clone(), row: row + 1, date });
        sessions.sort_by_key(|s| s.date);
    }
    drop_duplicates(source, read.price, &mut sessions, &mut warnings)?;
    let dates = sessions.iter().map(|s| s.date).collect();
    let prices = sessions.iter().map(|s| s.price).collect();
    let volumes = volumes.map(|_| sessions.iter().map(|s| s.volume).collect());
    Ok(Loaded { value: PriceSeries::new(read.name.as_str(), dates, prices, volumes)?, warnings })
}

fn drop_duplicates(
    source: &Source<'_>,
    price: usize,
    sessions: &mut Vec<Session>,
    warnings: &mut Vec<Warning>,
) -> Result<()> {
    let mut kept: Vec<Session> = Vec::with_capacity(sessions.len());
    let mut dropped: Option<(usize, Session)> = None;
    for next in sessions.iter().copied() {
        let Some(first) = kept.last().copied().filter(|first| first.date == next.date) else {
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
            let problem = format!("is the second value for {}, row {} has {other}", next.date, first.row + 1);
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
        let (file, row, date) = (source.file.clone(), first.row + 1, first.date);
        warnings.push(Warning::DuplicateDropped { file, rows, row, date });
    }
    *sessions = kept;
    Ok(())
}
