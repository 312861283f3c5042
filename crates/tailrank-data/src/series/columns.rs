//! Which column is the date, the price, the volume: Yahoo's names, Stooq's, or the user's.

use super::{SeriesOptions, Volume};
use crate::{
    DataError, Result, Warning,
    date::without_accents,
    file::Source,
    names::{listed, quoted},
};

/// Positions of the columns of one series.
pub(super) struct SeriesColumns {
    pub(super) date: usize,
    pub(super) price: usize,
    pub(super) volume: Option<usize>,
    /// Times of day, where they have a column of their own.
    pub(super) time: Option<usize>,
    /// Which series a row belongs to.
    pub(super) symbol: Option<usize>,
}

/// Names as they are compared: Stooq writes `<CLOSE>`, others `adj_close` or `AdjClose`; accents do not
/// count.
fn plain(name: &str) -> String {
    without_accents(name).chars().filter(|c| c.is_alphanumeric()).collect()
}

/// Known names in English, German, French, Spanish and of FRED, best first.
pub(crate) const DATE: &str = "date datetime timestamp observationdate datum fecha data dateheure fechahora zeitpunkt \
    zeitstempel day tag jour dia time zeit heure hora period timeperiod month monat year";
const TIME: &str = "time zeit uhrzeit heure hora";
pub(crate) const PRICE: &str = "adjclose adjustedclose cierreajustado close closingprice closeprice schlusskurs schluss \
    cloture coursdecloture cierre ultimo dernier letzter price last kurs cours precio preis prix value";
pub(crate) const VOLUME: &str = "volume vol volumen umsatz";
pub(crate) const SYMBOL: &str = "symbol ticker seriesid isin wkn";
/// Names that say which series a row belongs to in a file that is known to hold several.
const GROUP: &str = "instrument series name id country item";

/// Whether a column's name is among those known.
pub(crate) fn is_known(name: &str, names: &str) -> bool {
    let plain = plain(name);
    names.split(' ').any(|known| known == plain)
}

/// The first column with the best of `names`; another one that reads alike is told.
fn known(source: &Source, names: &str, warnings: &mut Vec<Warning>) -> Option<usize> {
    let plain: Vec<String> = source.own().iter().map(|name| plain(name)).collect();
    names.split(' ').find_map(|wanted| {
        let mut alike = (0..plain.len()).filter(|i| plain[*i] == wanted);
        let taken = alike.next()?;
        if let Some(other) = alike.next() {
            let (file, other) = (source.file.clone(), source.names[other].clone());
            warnings.push(Warning::AlikeColumns { file, taken: source.names[taken].clone(), other });
        }
        Some(taken)
    })
}

/// The date column: as named, or one with a known name, or a first column without a name.
pub(super) fn date_column(
    source: &Source,
    options: &SeriesOptions,
    warnings: &mut Vec<Warning>,
) -> Result<usize> {
    if let Some(name) = &options.date {
        return source.position(name);
    }
    known(source, DATE, warnings)
        // pandas writes an unnamed index.
        .or_else(|| source.names.first().filter(|n| n.is_empty()).map(|_| 0))
        .ok_or_else(|| cannot_tell(source, "date", source.own()))
}

/// A column with times of day beside the one with days, as Stooq writes.
pub(super) fn time_column(source: &Source, date: usize) -> Option<usize> {
    known(source, TIME, &mut Vec::new()).filter(|time| *time != date)
}

/// The column that says which series a row belongs to, if one has the name for it.
fn symbol_column(source: &Source, options: &SeriesOptions) -> Result<Option<usize>> {
    match &options.symbol {
        Some(name) => source.position(name).map(Some),
        None => Ok(known(source, SYMBOL, &mut Vec::new())),
    }
}

/// All columns of a file with several series, one below the other.
pub(super) fn long_columns(
    source: &Source,
    options: &SeriesOptions,
    warnings: &mut Vec<Warning>,
) -> Result<SeriesColumns> {
    let named = symbol_column(source, options)?.or_else(|| known(source, GROUP, &mut Vec::new()));
    let symbol = named.ok_or_else(|| cannot_tell(source, "symbol", source.own()))?;
    let told = SeriesOptions { symbol: Some(source.names[symbol].clone()), ..options.clone() };
    series_columns(source, &told, warnings)
}

/// All columns of a file with one series.
pub(super) fn series_columns(
    source: &Source,
    options: &SeriesOptions,
    warnings: &mut Vec<Warning>,
) -> Result<SeriesColumns> {
    let date = date_column(source, options, warnings)?;
    let by_name = known(source, VOLUME, &mut Vec::new());
    let time = time_column(source, date);
    let symbol = symbol_column(source, options)?.filter(|s| *s != date);
    let price = match &options.price {
        Some(name) => source.position(name)?,
        None => {
            let taken = [Some(date), by_name, time, symbol];
            let others: Vec<usize> = (0..source.own().len()).filter(|i| !taken.contains(&Some(*i))).collect();
            let by_name = known(source, PRICE, warnings).filter(|price| *price != date);
            match (by_name, &others[..]) {
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
        let problem = format!("column {} cannot be two things at once", quoted(&source.names[twice]));
        return Err(source.refused(problem, "name different columns for `date`, `price` and `volume`"));
    }
    let symbol = symbol.filter(|s| *s != price && Some(*s) != volume);
    Ok(SeriesColumns { date, price, volume, time: time.filter(|t| *t != price), symbol })
}

/// The price columns of a wide file: those named, or all but date and time.
pub(super) fn symbol_columns(source: &Source, date: usize, symbols: &[&str]) -> Result<Vec<usize>> {
    if symbols.is_empty() {
        let time = time_column(source, date);
        let all: Vec<usize> = (0..source.own().len()).filter(|i| *i != date && Some(*i) != time).collect();
        if all.is_empty() { Err(cannot_tell(source, "price", source.own())) } else { Ok(all) }
    } else {
        symbols.iter().map(|s| source.position(s)).collect()
    }
}

fn cannot_tell(source: &Source, what: &str, among: &[String]) -> DataError {
    let problem = format!("no column looks like the {what} (there is {})", listed(among));
    source.refused(problem, format!("name it in the setting `{what}`"))
}
