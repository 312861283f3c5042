//! What every series goes through on load: cells to values, order, duplicates.

use std::ops::RangeInclusive;

use jiff::civil::Date;

use super::{Missing, PriceSeries, SeriesOptions};
use crate::{
    Loaded, Result, Warning,
    date::{Dates, read_dates},
    file::{Column, Source, is_missing},
};

const DATE_FIX: &str = "write dates as 2008-07-11, or give the setting `date_format`";

/// The dates of every row, `None` where the cell is empty; an unreadable one is an error.
pub(super) fn dates(
    source: &Source<'_>,
    column: Column,
    name: &str,
    options: &SeriesOptions,
) -> Result<Vec<Option<Date>>> {
    let found = match &column {
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
        Dates::Unreadable(row) => {
            error(row, "is not a date, or not written like the dates above it", DATE_FIX)
        }
        Dates::Ambiguous(row) => error(
            row,
            "may be day first or month first",
            "say which: date_format = \"day-first\" or \"month-first\"",
        ),
    }
}

/// The numbers of every row, NaN where missing.
pub(super) fn numbers(source: &Source<'_>, column: Column, name: &str) -> Result<Vec<f64>> {
    match &column {
        Column::Numbers(values) => Ok(values.clone()),
        _ => (0..column.len())
            .map(|row| {
                let text = column.text(row);
                let cell = text.trim();
                if is_missing(cell) {
                    return Ok(f64::NAN);
                }
                cell.parse::<f64>().map_err(|_| {
                    let fix = "write numbers with a point and without thousands separators";
                    source.value_error(row, name, text.clone(), "is not a number", fix)
                })
            })
            .collect(),
    }
}

/// The first price that is infinite, zero or negative. A missing one (NaN) passes.
pub(super) fn refuse_impossible(source: &Source<'_>, name: &str, prices: &[f64]) -> Result<()> {
    match prices.iter().position(|p| p.is_infinite() || *p <= 0.0) {
        Some(row) => {
            let fix = "returns need prices above zero; correct or drop the row";
            Err(source.value_error(row, name, prices[row].to_string(), "is not a price above zero", fix))
        }
        None => Ok(()),
    }
}

/// One session as it stands in the file.
#[derive(Clone, Copy)]
struct Session {
    row: usize,
    date: Date,
    price: f64,
    volume: f64,
}

/// Takes the rows dated `listed` (both ends included): drops or refuses missing prices, sorts by date, drops
/// equal duplicates. A row without date and price is a blank line.
pub(super) fn series(
    source: &Source<'_>,
    (date_column, price_column): (&str, &str),
    name: String,
    dates: &[Option<Date>],
    prices: &[f64],
    volumes: Option<&[f64]>,
    listed: RangeInclusive<Date>,
    options: &SeriesOptions,
) -> Result<Loaded<PriceSeries>> {
    let mut warnings = Vec::new();
    refuse_impossible(source, price_column, prices)?;
    if let Some(row) = (0..dates.len()).find(|row| dates[*row].is_none() && !prices[*row].is_nan()) {
        return Err(source.value_error(row, date_column, String::new(), "is not a date", DATE_FIX));
    }
    let rows = || (0..dates.len()).filter(|row| dates[*row].is_some_and(|d| listed.contains(&d)));
    if let Some(first) = rows().find(|row| prices[*row].is_nan()) {
        match options.missing {
            Missing::Refuse => {
                let fix = "fill the gap, or set missing = \"drop\" to leave such rows out";
                return Err(source.value_error(first, price_column, String::new(), "is no price", fix));
            }
            Missing::Drop => warnings.push(Warning::MissingDropped {
                file: source.file.clone(),
                column: price_column.to_owned(),
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
    drop_duplicates(source, price_column, &mut sessions, &mut warnings)?;
    let dates = sessions.iter().map(|s| s.date).collect();
    let prices = sessions.iter().map(|s| s.price).collect();
    let volumes = volumes.map(|_| sessions.iter().map(|s| s.volume).collect());
    Ok(Loaded { value: PriceSeries::new(name, dates, prices, volumes)?, warnings })
}

fn drop_duplicates(
    source: &Source<'_>,
    price_column: &str,
    sessions: &mut Vec<Session>,
    warnings: &mut Vec<Warning>,
) -> Result<()> {
    let mut kept = 0;
    for i in 0..sessions.len() {
        let next = sessions[i];
        if kept > 0 && sessions[kept - 1].date == next.date {
            let first = sessions[kept - 1];
            let same_volume = first.volume == next.volume || (first.volume.is_nan() && next.volume.is_nan());
            if first.price != next.price || !same_volume {
                let problem = format!(
                    "is the second value for {}, row {} has {}",
                    next.date,
                    first.row + 1,
                    if first.price == next.price { "another volume".into() } else { first.price.to_string() }
                );
                let fix = "keep one row per date";
                return Err(source.value_error(
                    next.row,
                    price_column,
                    next.price.to_string(),
                    &problem,
                    fix,
                ));
            }
            warnings.push(Warning::DuplicateDropped {
                file: source.file.clone(),
                row: next.row + 1,
                date: next.date,
            });
        } else {
            sessions[kept] = next;
            kept += 1;
        }
    }
    sessions.truncate(kept);
    Ok(())
}
