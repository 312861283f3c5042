//! Which column is the date, the price, the volume: Yahoo's names, Stooq's, or the user's.

use super::SeriesOptions;
use crate::{DataError, Result, file::Source};

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

fn known(source: &Source<'_>, names: &[&str]) -> Option<usize> {
    names.iter().find_map(|wanted| source.names.iter().position(|n| plain(n) == *wanted))
}

/// The date column: as named, or one with a known name, or a first column without a name.
pub(super) fn date_column(source: &Source<'_>, options: &SeriesOptions) -> Result<usize> {
    if let Some(name) = &options.date {
        return source.position(name);
    }
    known(source, &DATE)
        // pandas writes an unnamed index.
        .or_else(|| source.names.first().filter(|n| n.is_empty()).map(|_| 0))
        .ok_or_else(|| cannot_tell(source, "date", &source.names))
}

/// All columns of a file with one series.
pub(super) fn series_columns(source: &Source<'_>, options: &SeriesOptions) -> Result<SeriesColumns> {
    let date = date_column(source, options)?;
    let volume = match &options.volume {
        Some(name) => Some(source.position(name)?),
        None => known(source, &VOLUME),
    };
    let price = match &options.price {
        Some(name) => source.position(name)?,
        None => {
            let others: Vec<usize> =
                (0..source.names.len()).filter(|i| *i != date && Some(*i) != volume).collect();
            match (known(source, &PRICE), &others[..]) {
                (Some(price), _) => price,
                (None, [only]) => *only,
                (None, others) => {
                    let names: Vec<String> = others.iter().map(|i| source.names[*i].clone()).collect();
                    return Err(cannot_tell(source, "price", &names));
                }
            }
        }
    };
    if price == date || Some(price) == volume || volume == Some(date) {
        return Err(DataError::File {
            file: source.file.clone(),
            problem: format!("column {:?} cannot be two things at once", source.names[price]),
            fix: "name different columns for date, price and volume".into(),
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

fn cannot_tell(source: &Source<'_>, what: &str, among: &[String]) -> DataError {
    let names = among.iter().map(|n| format!("{n:?}")).collect::<Vec<_>>().join(", ");
    DataError::File {
        file: source.file.clone(),
        problem: format!(
            "no column looks like the {what} (there is {})",
            if names.is_empty() { "none" } else { &names }
        ),
        fix: format!("name it in the setting `{what}`"),
    }
}
