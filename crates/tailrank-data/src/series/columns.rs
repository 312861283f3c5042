//! Which column is the date, the price, the volume: Yahoo's names, Stooq's, or the user's.

use super::{SeriesOptions, Volume};
use crate::{DataError, Result, Warning, file::Source, names::quoted};

/// Positions of the columns of one series.
pub(super) struct SeriesColumns {
    pub(super) date: usize,
    pub(super) price: usize,
    pub(super) volume: Option<usize>,
}

/// Names as they are compared: Stooq writes `<CLOSE>`, others `adj_close` or `AdjClose`.
fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Known names, best first.
const DATE: [&str; 5] = ["date", "datetime", "timestamp", "day", "time"];
const PRICE: [&str; 6] = ["adjclose", "adjustedclose", "close", "closingprice", "price", "last"];
const VOLUME: [&str; 2] = ["volume", "vol"];

/// The first column with the best of `names`; another one that reads alike is told.
fn known(source: &Source<'_>, names: &[&str], warnings: &mut Vec<Warning>) -> Option<usize> {
    names.iter().find_map(|wanted| {
        let mut alike = (0..source.names.len()).filter(|i| plain(&source.names[*i]) == *wanted);
        let taken = alike.next()?;
        if let Some(other) = alike.next() {
            warnings.push(Warning::AlikeColumns {
                file: source.file.clone(),
                taken: source.names[taken].clone(),
                other: source.names[other].clone(),
            });
        }
        Some(taken)
    })
}

/// The date column: as named, or one with a known name, or a first column without a name.
pub(super) fn date_column(
    source: &Source<'_>,
    options: &SeriesOptions,
    warnings: &mut Vec<Warning>,
) -> Result<usize> {
    if let Some(name) = &options.date {
        return source.position(name);
    }
    known(source, &DATE, warnings)
        // pandas writes an unnamed index.
        .or_else(|| source.names.first().filter(|n| n.is_empty()).map(|_| 0))
        .ok_or_else(|| cannot_tell(source, "date", &source.names))
}

/// All columns of a file with one series.
pub(super) fn series_columns(
    source: &Source<'_>,
    options: &SeriesOptions,
    warnings: &mut Vec<Warning>,
) -> Result<SeriesColumns> {
    let date = date_column(source, options, warnings)?;
    let by_name = known(source, &VOLUME, &mut Vec::new());
    let price = match &options.price {
        Some(name) => source.position(name)?,
        None => {
            let others: Vec<usize> =
                (0..source.names.len()).filter(|i| *i != date && Some(*i) != by_name).collect();
            match (known(source, &PRICE, warnings), &others[..]) {
                (Some(price), _) => price,
                (None, [only]) => *only,
                (None, others) => {
                    let names: Vec<String> = others.iter().map(|i| source.names[*i].clone()).collect();
                    return Err(cannot_tell(source, "price", &names));
                }
            }
        }
    };
    let volume = match &options.volume {
        Volume::Ignored => None,
        Volume::Known => by_name.filter(|v| *v != price && *v != date),
        Volume::Column(name) => Some(source.position(name)?),
    };
    if price == date || volume.is_some_and(|v| v == price || v == date) {
        let twice = if price == date { price } else { volume.unwrap_or(price) };
        return Err(DataError::File {
            file: source.file.clone(),
            problem: format!("column {} cannot be two things at once", quoted(&source.names[twice])),
            fix: "name different columns for `date`, `price` and `volume`".into(),
        });
    }
    Ok(SeriesColumns { date, price, volume })
}

/// The price columns of a wide file: those named, or all but the date.
pub(super) fn symbol_columns(source: &Source<'_>, date: usize, symbols: &[&str]) -> Result<Vec<usize>> {
    if symbols.is_empty() {
        let all: Vec<usize> = (0..source.names.len()).filter(|i| *i != date).collect();
        if all.is_empty() { Err(cannot_tell(source, "price", &source.names)) } else { Ok(all) }
    } else {
        symbols.iter().map(|s| source.position(s)).collect()
    }
}

fn cannot_tell(source: &Source<'_>, what: &'static str, among: &[String]) -> DataError {
    DataError::NoColumn { file: source.file.clone(), what, has: among.to_vec() }
}
