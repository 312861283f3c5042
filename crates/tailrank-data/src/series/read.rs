//! From a file to checked series.

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
    path::Path,
};

use jiff::civil::Date;
use rayon::prelude::*;

use super::{
    PriceSeries, SeriesOptions, check,
    columns::{SeriesColumns, date_column, long_columns, series_columns, symbol_columns, time_column},
};
use crate::{
    DataError, Loaded, Result, Warning,
    date::Stamp,
    file::{As, Column, Source, is_missing, looks_like_number},
    names::{listed as listed_names, nearest, quoted},
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

/// Reads a file of several series one below the other, such as `symbol,date,price`; no `symbols` means all of them, in
/// the order in which they begin.
///
/// ```
/// use tailrank_data::{SeriesOptions, read_long_bytes};
/// let csv = b"symbol,date,price\nKO,2008-07-10,51\nPEP,2008-07-10,66\nKO,2008-07-11,51.5\n";
/// let both = read_long_bytes("prices.csv", csv, &[], &SeriesOptions::default())?.value;
/// assert_eq!((both[0].name(), both[0].prices()), ("KO", &[51.0, 51.5][..]));
/// assert_eq!(both[1].name(), "PEP");
/// # Ok::<(), tailrank_data::DataError>(())
/// ```
pub fn read_long(path: &Path, symbols: &[&str], options: &SeriesOptions) -> Result<Loaded<Vec<PriceSeries>>> {
    long(&Source::open(path, options.max_bytes)?, symbols, options)
}

/// As [`read_long`], from memory.
pub fn read_long_bytes(
    file: &str,
    bytes: &[u8],
    symbols: &[&str],
    options: &SeriesOptions,
) -> Result<Loaded<Vec<PriceSeries>>> {
    long(&Source::from_bytes(file.to_owned(), Cow::Borrowed(bytes), options.max_bytes)?, symbols, options)
}

/// The columns of a file of one series, or of several one below the other.
struct Read {
    at: SeriesColumns,
    dates: Vec<Option<Stamp>>,
    prices: Vec<f64>,
    volumes: Option<Vec<f64>>,
    symbols: Option<Column>,
}

impl Read {
    fn new(
        source: &Source<'_>,
        at: SeriesColumns,
        options: &SeriesOptions,
        warnings: &mut Vec<Warning>,
    ) -> Result<Self> {
        let mut wanted = vec![(at.date, As::Date), (at.price, As::Number)];
        wanted.extend(at.volume.map(|v| (v, As::Number)));
        wanted.extend(at.time.map(|t| (t, As::Text)));
        wanted.extend(at.symbol.map(|s| (s, As::Text)));
        let mut columns = source.read(&wanted, options.numbers, warnings)?.into_iter();
        let mut next = || columns.next().ok_or_else(|| empty(source));
        let mut dates = check::dates(source, &next()?, at.date, &options.date_format)?;
        let prices = check::numbers(source, next()?, at.price, options)?;
        let volumes = match at.volume {
            Some(v) => Some(check::numbers(source, next()?, v, options)?),
            None => None,
        };
        if let Some(time) = at.time {
            check::with_times(source, &mut dates, &next()?, time)?;
        }
        let symbols = at.symbol.map(|_| next()).transpose()?;
        if dates.iter().all(Option::is_none) && prices.iter().all(|p| p.is_nan()) {
            return Err(empty(source));
        }
        Ok(Self { at, dates, prices, volumes, symbols })
    }

    /// The series of these rows.
    fn series(
        &self,
        source: &Source<'_>,
        name: String,
        rows: &[usize],
        options: &SeriesOptions,
    ) -> Result<Loaded<PriceSeries>> {
        let read = check::Columns {
            name,
            date: self.at.date,
            price: self.at.price,
            rows,
            dates: &self.dates,
            prices: &self.prices,
            volumes: self.volumes.as_deref(),
        };
        check::series(source, &read, Date::MIN..=Date::MAX, options)
    }

    /// Symbols in the order in which they begin, each with its rows. Blank lines belong to none.
    fn groups(&self) -> Vec<(String, Vec<usize>)> {
        let mut groups: Vec<(String, Vec<usize>)> = Vec::new();
        let mut places: HashMap<String, usize> = HashMap::new();
        for row in 0..self.dates.len() {
            let cell = self.symbols.as_ref().map(|s| s.cell(row)).unwrap_or_default();
            let symbol = cell.trim();
            if symbol.is_empty() && self.dates[row].is_none() && self.prices[row].is_nan() {
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

fn one(source: &Source<'_>, options: &SeriesOptions) -> Result<Loaded<PriceSeries>> {
    let mut warnings = source.notes.clone();
    let at = series_columns(source, options, &mut warnings)?;
    let read = Read::new(source, at, options, &mut warnings)?;
    if let Some(symbol) = read.at.symbol {
        let groups = read.groups();
        if groups.len() > 1 {
            let names: Vec<&str> = groups.iter().map(|(name, _)| name.as_str()).collect();
            return Err(DataError::File {
                file: source.file.clone(),
                problem: format!(
                    "holds {} series one below the other (column {}: {})",
                    groups.len(),
                    quoted(&source.names[symbol]),
                    listed_names(&names)
                ),
                fix: "read it as a `long` file".into(),
            });
        }
    }
    let rows: Vec<usize> = (0..read.dates.len()).collect();
    let series = read.series(source, symbol_of(&source.file), &rows, options)?;
    warnings.extend(series.warnings);
    Ok(Loaded { value: series.value, warnings })
}

fn long(source: &Source<'_>, symbols: &[&str], options: &SeriesOptions) -> Result<Loaded<Vec<PriceSeries>>> {
    let mut all = Loaded { value: Vec::new(), warnings: source.notes.clone() };
    let at = long_columns(source, options, &mut all.warnings)?;
    let read = Read::new(source, at, options, &mut all.warnings)?;
    let mut groups = read.groups();
    if !symbols.is_empty() {
        let mut chosen = Vec::new();
        let places: HashMap<&str, usize> =
            groups.iter().enumerate().map(|(place, (name, _))| (name.as_str(), place)).collect();
        for wanted in symbols {
            let Some(place) = places.get(wanted).copied() else {
                let has: Vec<String> = groups.iter().map(|(name, _)| name.clone()).collect();
                return Err(DataError::UnknownSymbol {
                    file: source.file.clone(),
                    symbol: (*wanted).to_owned(),
                    nearest: nearest(wanted, &has),
                    has,
                });
            };
            chosen.push(groups[place].clone());
        }
        groups = chosen;
    }
    if let Some((_, rows)) = groups.iter().find(|(name, _)| name.is_empty()) {
        let column = &source.names[read.at.symbol.unwrap_or(0)];
        let fix = "name the series of every row";
        return Err(source.value_error(rows[0], column, String::new(), "is not a symbol", fix));
    }
    let mut warnings = Vec::new();
    for (name, rows) in groups {
        let series = read.series(source, name, &rows, options)?;
        warnings.extend(series.warnings);
        all.value.push(series.value);
    }
    all.warnings.extend(once(warnings));
    Ok(all)
}

/// What concerns every series of a file is told once.
fn once(warnings: Vec<Warning>) -> impl Iterator<Item = Warning> {
    let mut told = HashSet::new();
    warnings.into_iter().filter(move |warning| told.insert(warning.clone()))
}

fn many(source: &Source<'_>, symbols: &[&str], options: &SeriesOptions) -> Result<Loaded<Vec<PriceSeries>>> {
    let mut all = Loaded { value: Vec::new(), warnings: source.notes.clone() };
    let date = date_column(source, options, &mut all.warnings)?;
    let time = time_column(source, date);
    let at = symbol_columns(source, date, symbols)?;
    let mut wanted = vec![(date, As::Date)];
    wanted.extend(time.map(|t| (t, As::Text)));
    wanted.extend(at.iter().map(|i| (*i, As::Number)));
    let mut columns = source.read(&wanted, options.numbers, &mut all.warnings)?.into_iter();
    let first = columns.next().ok_or_else(|| empty(source))?;
    let mut dates = check::dates(source, &first, date, &options.date_format)?;
    if let Some((time, times)) = time.and_then(|time| Some((time, columns.next()?))) {
        check::with_times(source, &mut dates, &times, time)?;
    }
    if dates.iter().all(Option::is_none) {
        return Err(empty(source));
    }
    let rows: Vec<usize> = (0..dates.len()).collect();
    let mut warnings = Vec::new();
    for (price, column) in at.into_iter().zip(columns) {
        let name = &source.names[price];
        // Unasked, a column of names or remarks beside the prices is not a symbol.
        if symbols.is_empty() && !has_number(&column) {
            warnings.push(Warning::NotNumeric { file: source.file.clone(), column: name.clone() });
            continue;
        }
        let prices = check::numbers(source, column, price, options)?;
        let Some((from, to)) = listed(&dates, &prices) else {
            let problem = format!("column {} has no price", quoted(name));
            let fix = "leave it out of `symbols`".to_owned();
            return Err(DataError::File { file: source.file.clone(), problem, fix });
        };
        let days = || dates.iter().flatten().map(|stamp| stamp.date);
        let (leading, trailing) = (days().filter(|d| *d < from).count(), days().filter(|d| *d > to).count());
        if leading + trailing > 0 {
            warnings.push(Warning::Trimmed {
                file: source.file.clone(),
                column: name.clone(),
                leading,
                trailing,
            });
        }
        let name = name.clone();
        let read =
            check::Columns { name, date, price, rows: &rows, dates: &dates, prices: &prices, volumes: None };
        let series = check::series(source, &read, from..=to, options)?;
        warnings.extend(series.warnings);
        all.value.push(series.value);
    }
    all.warnings.extend(once(warnings));
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
        text => (0..text.len()).any(|row| {
            let cell = text.cell(row);
            !is_missing(cell.trim()) && looks_like_number(&cell)
        }),
    }
}

/// First and last date with a price.
fn listed(dates: &[Option<Stamp>], prices: &[f64]) -> Option<(Date, Date)> {
    let dated = |(stamp, _): (&Option<Stamp>, &f64)| stamp.map(|stamp| stamp.date);
    let with_price = || dates.iter().zip(prices).filter(|(_, p)| !p.is_nan()).filter_map(dated);
    Some((with_price().min()?, with_price().max()?))
}

fn empty(source: &Source<'_>) -> DataError {
    DataError::File {
        file: source.file.clone(),
        problem: "has no rows below the header".into(),
        fix: "give at least as many sessions as lags and horizon need".into(),
    }
}
