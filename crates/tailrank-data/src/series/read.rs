//! From a file to checked series.

use std::{borrow::Cow, path::Path};

use jiff::civil::Date;
use rayon::prelude::*;

use super::{
    PriceSeries, SeriesOptions, check,
    columns::{date_column, series_columns, symbol_columns},
};
use crate::{
    DataError, Loaded, Result, Warning,
    file::{As, Column, Source},
    names::quoted,
    symbol_of,
};

/// Reads one symbol from CSV or Parquet, plain or gzipped. Its name is the file's, without extensions.
///
/// ```no_run
/// use tailrank_data::{SeriesOptions, read_series};
/// let loaded = read_series("BA.csv".as_ref(), &SeriesOptions::default())?;
/// for warning in &loaded.warnings {
///     eprintln!("{warning}");
/// }
/// println!("{}: {} sessions", loaded.value.name(), loaded.value.len());
/// # Ok::<(), tailrank_data::DataError>(())
/// ```
pub fn read_series(path: &Path, options: &SeriesOptions) -> Result<Loaded<PriceSeries>> {
    one(&Source::open(path, options.max_bytes)?, options)
}

/// As [`read_series`], from memory; `file` serves for messages and for the name.
///
/// ```
/// use tailrank_data::{SeriesOptions, read_series_bytes};
/// let csv = b"Date,Close\n2008-07-10,51.0\n2008-07-11,51.5\n";
/// let ko = read_series_bytes("KO.csv", csv, &SeriesOptions::default())?.value;
/// assert_eq!(ko.prices(), [51.0, 51.5]);
/// # Ok::<(), tailrank_data::DataError>(())
/// ```
pub fn read_series_bytes(file: &str, bytes: &[u8], options: &SeriesOptions) -> Result<Loaded<PriceSeries>> {
    one(&Source::from_bytes(file.to_owned(), Cow::Borrowed(bytes), options.max_bytes)?, options)
}

/// Reads many files at once; answers come in the order of `paths`.
pub fn read_many<P: AsRef<Path> + Sync>(
    paths: &[P],
    options: &SeriesOptions,
) -> Vec<Result<Loaded<PriceSeries>>> {
    paths.par_iter().map(|p| read_series(p.as_ref(), options)).collect()
}

/// Reads a file with one column per symbol; no `symbols` means every column with numbers but the date.
///
/// A column may start late and end early, with a warning; a gap inside it is an error, as in a file of its own.
pub fn read_wide(path: &Path, symbols: &[&str], options: &SeriesOptions) -> Result<Loaded<Vec<PriceSeries>>> {
    many(&Source::open(path, options.max_bytes)?, symbols, options)
}

/// As [`read_wide`], from memory.
pub fn read_wide_bytes(
    file: &str,
    bytes: &[u8],
    symbols: &[&str],
    options: &SeriesOptions,
) -> Result<Loaded<Vec<PriceSeries>>> {
    many(&Source::from_bytes(file.to_owned(), Cow::Borrowed(bytes), options.max_bytes)?, symbols, options)
}

fn one(source: &Source<'_>, options: &SeriesOptions) -> Result<Loaded<PriceSeries>> {
    let mut warnings = Vec::new();
    let at = series_columns(source, options, &mut warnings)?;
    let mut wanted = vec![(at.date, As::Date), (at.price, As::Number)];
    wanted.extend(at.volume.map(|v| (v, As::Number)));
    let mut columns = source.read(&wanted)?.into_iter();
    let mut next = || columns.next().ok_or_else(|| empty(source));
    let dates = check::dates(source, &next()?, at.date, options)?;
    let prices = check::numbers(source, next()?, at.price)?;
    let volumes = match at.volume {
        Some(v) => Some(check::numbers(source, next()?, v)?),
        None => None,
    };
    if dates.iter().all(Option::is_none) && prices.iter().all(|p| p.is_nan()) {
        return Err(empty(source));
    }
    let read = check::Columns {
        name: symbol_of(&source.file),
        date: at.date,
        price: at.price,
        dates: &dates,
        prices: &prices,
        volumes: volumes.as_deref(),
    };
    let series = check::series(source, &read, Date::MIN..=Date::MAX, options)?;
    warnings.extend(series.warnings);
    Ok(Loaded { value: series.value, warnings })
}

fn many(source: &Source<'_>, symbols: &[&str], options: &SeriesOptions) -> Result<Loaded<Vec<PriceSeries>>> {
    let mut all = Loaded { value: Vec::new(), warnings: Vec::new() };
    let date = date_column(source, options, &mut all.warnings)?;
    let at = symbol_columns(source, date, symbols)?;
    let wanted: Vec<(usize, As)> =
        std::iter::once((date, As::Date)).chain(at.iter().map(|i| (*i, As::Number))).collect();
    let mut columns = source.read(&wanted)?.into_iter();
    let first = columns.next().ok_or_else(|| empty(source))?;
    let dates = check::dates(source, &first, date, options)?;
    if dates.iter().all(Option::is_none) {
        return Err(empty(source));
    }
    for (price, column) in at.into_iter().zip(columns) {
        let name = &source.names[price];
        // Unasked, a column of names or remarks beside the prices is no symbol.
        if symbols.is_empty() && !has_number(&column) {
            all.warnings.push(Warning::NotNumeric { file: source.file.clone(), column: name.clone() });
            continue;
        }
        let prices = check::numbers(source, column, price)?;
        let Some((from, to)) = listed(&dates, &prices) else {
            let problem = format!("column {} has no price", quoted(name));
            let fix = "leave it out of `symbols`".to_owned();
            return Err(DataError::File { file: source.file.clone(), problem, fix });
        };
        let leading = dates.iter().flatten().filter(|d| **d < from).count();
        let trailing = dates.iter().flatten().filter(|d| **d > to).count();
        if leading + trailing > 0 {
            all.warnings.push(Warning::Trimmed {
                file: source.file.clone(),
                column: name.clone(),
                leading,
                trailing,
            });
        }
        let name = name.clone();
        let read = check::Columns { name, date, price, dates: &dates, prices: &prices, volumes: None };
        let series = check::series(source, &read, from..=to, options)?;
        // Unsorted rows concern every column and are told once.
        for warning in series.warnings {
            if !all.warnings.contains(&warning) {
                all.warnings.push(warning);
            }
        }
        all.value.push(series.value);
    }
    if all.value.is_empty() {
        return Err(DataError::File {
            file: source.file.clone(),
            problem: "no column beside the date holds numbers".into(),
            fix: "give one column of prices per symbol".into(),
        });
    }
    Ok(all)
}

fn has_number(column: &Column) -> bool {
    match column {
        Column::Numbers(values) => values.iter().any(|v| !v.is_nan()),
        text => (0..text.len()).any(|row| text.cell(row).trim().parse::<f64>().is_ok_and(|v| !v.is_nan())),
    }
}

/// First and last date with a price.
fn listed(dates: &[Option<Date>], prices: &[f64]) -> Option<(Date, Date)> {
    let with_price = || dates.iter().zip(prices).filter(|(_, p)| !p.is_nan()).filter_map(|(d, _)| *d);
    Some((with_price().min()?, with_price().max()?))
}

fn empty(source: &Source<'_>) -> DataError {
    DataError::File {
        file: source.file.clone(),
        problem: "has no rows below the header".into(),
        fix: "give at least as many sessions as lags and horizon need".into(),
    }
}
