//! From a file to checked series.

use std::{
    collections::{HashMap, HashSet},
    ops::RangeInclusive,
};

use jiff::civil::Date;

use super::{
    PriceSeries, SeriesOptions,
    check::Columns,
    columns::{SeriesColumns, date_column, long_columns, series_columns, symbol_columns, time_column},
};
use crate::{
    DataError, Loaded, Result, Warning,
    date::Stamp,
    file::{Column, NO_ROWS, ReadAs, Source, is_missing, looks_like_number},
    names::{listed, quoted},
    symbol_of,
};

type Several = Result<Loaded<Vec<PriceSeries>>>;

/// Reads one symbol from CSV, Parquet or Arrow IPC, plain or gzipped; `file` serves for messages and for the
/// name, without extensions.
///
/// ```
/// use tailrank_data::{SeriesOptions, read_series_bytes};
/// let csv = b"Date,Close\n2008-07-10,51.0\n2008-07-11,51.5\n";
/// let ko = read_series_bytes("KO.csv", csv, &SeriesOptions::default())?.value;
/// assert_eq!(ko.prices(), [51.0, 51.5]);
/// # Ok::<(), tailrank_data::DataError>(())
/// ```
pub fn read_series_bytes(file: &str, bytes: &[u8], options: &SeriesOptions) -> Result<Loaded<PriceSeries>> {
    single_series(&Source::from_bytes(file, bytes, options.max_bytes)?, options)
}

const ALL_DAYS: RangeInclusive<Date> = Date::MIN..=Date::MAX;

/// The columns of a file of one series, or of several one below the other.
struct Read {
    columns: Columns,
    /// Where the symbols stand in the file, and which they are.
    symbols: Option<(usize, Column)>,
}

impl Read {
    fn new(
        source: &Source,
        at: &SeriesColumns,
        options: &SeriesOptions,
        warnings: &mut Vec<Warning>,
    ) -> Result<Self> {
        let mut wanted = vec![(at.date, ReadAs::Date), (at.price, ReadAs::Number)];
        wanted.extend(at.volume.map(|v| (v, ReadAs::Number)));
        wanted.extend(at.time.map(|t| (t, ReadAs::Text)));
        wanted.extend(at.symbol.map(|s| (s, ReadAs::Text)));
        let mut columns = source.read(&wanted, options.numbers, warnings)?.into_iter();
        let mut next = || columns.next().ok_or_else(|| empty(source));
        let mut dates = source.dates(&next()?, at.date, &options.date_format)?;
        let prices = source.numbers(next()?, at.price, options.numbers)?;
        let volumes = at.volume.map(|v| source.numbers(next()?, v, options.numbers)).transpose()?;
        if let Some(time) = at.time {
            source.with_times(&mut dates, &next()?, time)?;
        }
        let symbols = at.symbol.map(|at| Ok((at, next()?))).transpose()?;
        if dates.iter().all(Option::is_none) && prices.iter().all(|p| p.is_nan()) {
            return Err(empty(source));
        }
        Ok(Self { columns: Columns { date: at.date, price: at.price, dates, prices, volumes }, symbols })
    }

    /// Symbols in the order in which they begin, each with its rows. Blank lines belong to none.
    fn groups(&self) -> Vec<(String, Vec<usize>)> {
        let mut groups: Vec<(String, Vec<usize>)> = Vec::new();
        let mut places: HashMap<String, usize> = HashMap::new();
        let Columns { dates, prices, .. } = &self.columns;
        for row in 0..dates.len() {
            let cell = self.symbols.as_ref().map(|(_, s)| s.cell(row)).unwrap_or_default();
            let symbol = cell.trim();
            if symbol.is_empty() && dates[row].is_none() && prices[row].is_nan() {
                continue;
            }
            let place = *places.entry(symbol.to_owned()).or_insert_with(|| {
                groups.push((symbol.to_owned(), Vec::new()));
                groups.len() - 1
            });
            groups[place].1.push(row);
        }
        groups
    }
}

pub(crate) fn single_series(source: &Source, options: &SeriesOptions) -> Result<Loaded<PriceSeries>> {
    let mut warnings = source.notes.clone();
    let at = series_columns(source, options, &mut warnings)?;
    let read = Read::new(source, &at, options, &mut warnings)?;
    if let Some(symbol) = at.symbol {
        let groups = read.groups();
        if groups.len() > 1 {
            let names: Vec<&str> = groups.iter().map(|(name, _)| name.as_str()).collect();
            let column = quoted(&source.names[symbol]);
            let problem = format!(
                "holds {} series one below the other (column {column}: {})",
                groups.len(),
                listed(&names)
            );
            return Err(source.refused(problem, "read it as a `long` file"));
        }
    }
    let rows: Vec<usize> = (0..read.columns.dates.len()).collect();
    let series = read.columns.series(source, symbol_of(&source.file), &rows, ALL_DAYS, options)?;
    warnings.extend(series.warnings);
    Ok(Loaded { value: series.value, warnings })
}

pub(crate) fn long_series(source: &Source, symbols: &[&str], options: &SeriesOptions) -> Several {
    let mut all = Loaded { value: Vec::new(), warnings: source.notes.clone() };
    let at = long_columns(source, options, &mut all.warnings)?;
    let read = Read::new(source, &at, options, &mut all.warnings)?;
    let mut groups = read.groups();
    if !symbols.is_empty() {
        let rows: HashMap<&str, &Vec<usize>> =
            groups.iter().map(|(name, rows)| (name.as_str(), rows)).collect();
        let unknown =
            |name: &str| source.unknown("series", name, groups.iter().map(|g| g.0.clone()).collect());
        let of = |name: &&str| match rows.get(name) {
            Some(rows) => Ok(((*name).to_owned(), (*rows).clone())),
            None => Err(unknown(name)),
        };
        groups = symbols.iter().map(of).collect::<Result<_>>()?;
    }
    if let Some((_, rows)) = groups.iter().find(|(name, _)| name.is_empty()) {
        let column = &source.names[at.symbol.unwrap_or(0)];
        let fix = "name the series of every row";
        return Err(source.value_error(rows[0], column, String::new(), "is not a symbol", fix));
    }
    let mut warnings = Vec::new();
    for (name, rows) in groups {
        let series = read.columns.series(source, name, &rows, ALL_DAYS, options)?;
        warnings.extend(series.warnings);
        all.value.push(series.value);
    }
    all.warnings.extend(distinct(warnings));
    Ok(all)
}

/// The series of a file that holds several one below the other, each read or refused by itself.
pub(crate) fn each_series(
    source: &Source,
    options: &SeriesOptions,
) -> Result<Vec<(String, Result<PriceSeries>)>> {
    let mut warnings = Vec::new();
    let at = long_columns(source, options, &mut warnings)?;
    let read = Read::new(source, &at, options, &mut warnings)?;
    let groups = read.groups().into_iter().filter(|(name, _)| !name.is_empty());
    let series = |(name, rows): (String, Vec<usize>)| {
        let found = read.columns.series(source, name.clone(), &rows, ALL_DAYS, options);
        (name, found.map(|loaded| loaded.value))
    };
    Ok(groups.map(series).collect())
}

/// What concerns every series of a file is told once.
fn distinct(warnings: Vec<Warning>) -> impl Iterator<Item = Warning> {
    let mut told = HashSet::new();
    warnings.into_iter().filter(move |warning| told.insert(warning.clone()))
}

pub(crate) fn wide_series(source: &Source, symbols: &[&str], options: &SeriesOptions) -> Several {
    let mut all = Loaded { value: Vec::new(), warnings: source.notes.clone() };
    let date = date_column(source, options, &mut all.warnings)?;
    let time = time_column(source, date);
    let at = symbol_columns(source, date, symbols)?;
    let mut wanted = vec![(date, ReadAs::Date)];
    wanted.extend(time.map(|t| (t, ReadAs::Text)));
    wanted.extend(at.iter().map(|i| (*i, ReadAs::Number)));
    let mut columns = source.read(&wanted, options.numbers, &mut all.warnings)?.into_iter();
    let first = columns.next().ok_or_else(|| empty(source))?;
    let mut dates = source.dates(&first, date, &options.date_format)?;
    if let Some((time, times)) = time.and_then(|time| Some((time, columns.next()?))) {
        source.with_times(&mut dates, &times, time)?;
    }
    if dates.iter().all(Option::is_none) {
        return Err(empty(source));
    }
    let rows: Vec<usize> = (0..dates.len()).collect();
    let mut read = Columns { date, price: date, dates, prices: Vec::new(), volumes: None };
    let mut warnings = Vec::new();
    for (price, column) in at.into_iter().zip(columns) {
        let name = &source.names[price];
        // Unasked, a column of names or remarks beside the prices is not a symbol.
        if symbols.is_empty() && !has_number(&column) {
            let (file, column, why) = (source.file.clone(), name.clone(), "has no number in it");
            warnings.push(Warning::LeftOut { file, column, why });
            continue;
        }
        (read.price, read.prices) = (price, source.numbers(column, price, options.numbers)?);
        let Some((from, to)) = dates_with_prices(&read.dates, &read.prices) else {
            let problem = format!("column {} has no price", quoted(name));
            return Err(source.refused(problem, "leave it out of `symbols`"));
        };
        let days = || read.dates.iter().flatten().map(|stamp| stamp.date);
        let (leading, trailing) = (days().filter(|d| *d < from).count(), days().filter(|d| *d > to).count());
        if leading + trailing > 0 {
            let (file, column) = (source.file.clone(), name.clone());
            warnings.push(Warning::Trimmed { file, column, leading, trailing });
        }
        let series = read.series(source, name.clone(), &rows, from..=to, options)?;
        warnings.extend(series.warnings);
        all.value.push(series.value);
    }
    all.warnings.extend(distinct(warnings));
    if all.value.is_empty() {
        let problem = "no column beside the date holds numbers";
        return Err(source.refused(problem, "give one column of prices per symbol"));
    }
    Ok(all)
}

fn has_number(column: &Column) -> bool {
    match column {
        Column::Numbers(values) => values.iter().any(|v| !v.is_nan()),
        text => (0..text.len()).any(|row| {
            let cell = text.cell(row);
            !is_missing(cell.trim()) && looks_like_number(&cell)
        }),
    }
}

/// First and last date with a price.
fn dates_with_prices(dates: &[Option<Stamp>], prices: &[f64]) -> Option<(Date, Date)> {
    let dated = |(stamp, _): (&Option<Stamp>, &f64)| stamp.map(|stamp| stamp.date);
    let with_price = || dates.iter().zip(prices).filter(|(_, p)| !p.is_nan()).filter_map(dated);
    Some((with_price().min()?, with_price().max()?))
}

fn empty(source: &Source) -> DataError {
    source.refused(NO_ROWS, "give at least as many sessions as lags and horizon need")
}
