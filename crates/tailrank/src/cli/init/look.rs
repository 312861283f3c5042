//! What a file is: one series, several below or beside each other, or a table.

use std::path::Path;

use tailrank_data::{
    ColumnKind, ColumnProfile, DateFormat, Domain, Missing, NumberFormat, PriceSeries, Profile,
    SeriesOptions, Suspicion, Volume, read_long, read_series, read_wide,
};

/// A file and what the user said of it.
pub(super) struct Look<'a> {
    pub(super) path: &'a Path,
    pub(super) profile: &'a Profile,
    pub(super) numbers: NumberFormat,
    pub(super) date_format: DateFormat,
    pub(super) date_format_text: Option<String>,
    pub(super) target: Option<&'a str>,
    pub(super) horizons: &'a [u32],
    pub(super) ignore: &'a [String],
}

/// What is made of a file.
pub(super) enum Shape {
    Series(SeriesLook),
    Table,
}

/// How series stand in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    One,
    Wide,
    Long,
}

/// The series of a file, as they were read.
pub(super) struct SeriesLook {
    pub(super) layout: Layout,
    pub(super) series: Vec<PriceSeries>,
    pub(super) date: String,
    /// The column of values; none in a wide file.
    pub(super) value: Option<String>,
    /// The column that names the series of a long file.
    pub(super) symbol: Option<String>,
    /// Rows without a value are dropped.
    pub(super) drops: bool,
    /// The values are prices by the names of their columns.
    pub(super) priced: bool,
}

impl Look<'_> {
    /// What the file is; an error where the user asked for what it cannot be.
    pub(super) fn shape(&self) -> Result<Shape, String> {
        let profile = self.profile;
        if !profile.columns.is_empty() && profile.columns.iter().all(|c| c.name.trim().parse::<f64>().is_ok())
        {
            return Err(
                "its first line holds numbers, not names; add a line with the columns' names".to_owned()
            );
        }
        for name in self.target.into_iter().chain(self.ignore.iter().map(String::as_str)) {
            if profile.column(name).is_none() {
                let names: Vec<&str> = profile.columns.iter().map(|c| c.name.as_str()).collect();
                return Err(format!("no column is called '{name}'; there are {}", names.join(", ")));
            }
        }
        if let Some(target) = self.target.filter(|target| self.ignore.iter().any(|name| name == target)) {
            return Err(format!(
                "'{target}' is the column to predict; take it out of --ignore, or name another --target"
            ));
        }
        if self.target.is_some() && self.horizons.is_empty() {
            return Ok(Shape::Table);
        }
        let Some(time) = profile.time() else {
            return if self.horizons.is_empty() {
                Ok(Shape::Table)
            } else {
                Err("--horizon needs a series, and no column holds dates; leave it out for a table"
                    .to_owned())
            };
        };
        if let ColumnKind::Date { ambiguous: true, .. } = time.kind
            && self.date_format == DateFormat::Auto
            && self.written_format(time).is_none()
        {
            let example = time.examples.first().map_or("", String::as_str);
            return Err(format!(
                "column '{}': '{example}' may be day first or month first; say which: --date-format day-first or \
                 --date-format month-first",
                time.name
            ));
        }
        let found = match self.target {
            Some(target) => self.column_series(time, target)?,
            None => self.any_series(time)?,
        };
        match found {
            Some(series) => Ok(Shape::Series(series)),
            None if self.horizons.is_empty() => Ok(Shape::Table),
            None => {
                Err("--horizon needs a series; say which column it is to predict with --target".to_owned())
            }
        }
    }

    /// `day-first` or `month-first`, where the dates need it and their order or their points tell which.
    pub(super) fn written_format(&self, time: &ColumnProfile) -> Option<String> {
        if self.date_format_text.is_some() {
            return self.date_format_text.clone();
        }
        let ColumnKind::Date { format, ambiguous: true } = &time.kind else { return None };
        let points = time.examples.iter().all(|e| e.contains('.'));
        let ordered = time.order != tailrank_data::Order::None;
        match format {
            // 01.02.2008 is written where days come first.
            _ if points => Some("day-first".to_owned()),
            DateFormat::DayFirst if ordered => Some("day-first".to_owned()),
            DateFormat::MonthFirst if ordered => Some("month-first".to_owned()),
            _ => None,
        }
    }

    fn any_series(&self, time: &ColumnProfile) -> Result<Option<SeriesLook>, String> {
        let profile = self.profile;
        let values = self.values(time);
        if let Some(price) = profile.price().filter(|p| p.name != time.name) {
            let found = self.column_series(time, &price.name)?;
            // Prices of houses or cars have dates, too; those of a market stay near the last one.
            let beside = values.iter().any(|c| c.name != price.name && !of_a_market(&c.name));
            let walks = |s: &PriceSeries| autocorrelation(s.prices()) > CLOSE;
            return Ok(found.filter(|found| !beside || found.series.iter().all(walks)));
        }
        match &values[..] {
            [] => Ok(None),
            [only] => self.column_series(time, &only.name),
            several => Ok(self.wide(time, several)),
        }
    }

    /// Columns of numbers that may be values of a series.
    fn values(&self, time: &ColumnProfile) -> Vec<&ColumnProfile> {
        let symbol = self.profile.symbol().map(|c| c.name.as_str());
        let left_out = |c: &ColumnProfile| {
            let counts = matches!(c.suspicion, Some(Suspicion::RowNumber | Suspicion::Identifier));
            c.name == time.name || Some(c.name.as_str()) == symbol || counts || self.ignore.contains(&c.name)
        };
        let numbers: Vec<&ColumnProfile> =
            self.profile.columns.iter().filter(|c| c.is_number() && !left_out(c)).collect();
        let volume = self.profile.volume().map(|c| c.name.as_str());
        let without: Vec<&ColumnProfile> =
            numbers.iter().copied().filter(|c| Some(c.name.as_str()) != volume).collect();
        if without.is_empty() { numbers } else { without }
    }

    /// The series of one column: alone, or one below the other where dates repeat. An error where the file was meant so
    /// and cannot be read.
    fn column_series(&self, time: &ColumnProfile, value: &str) -> Result<Option<SeriesLook>, String> {
        let asked = self.target.is_some();
        let column = self.profile.column(value).filter(|c| c.is_number());
        let Some(column) = column else {
            return Err(format!("column '{value}' does not hold numbers; name another one with --target"));
        };
        let by_name = self.profile.price().is_some_and(|p| p.name == value && !generic(value));
        let ticker = is_ticker(value) && !time.name.eq_ignore_ascii_case("observation_date");
        let options = self.options(time, Some(value), column.missing > 0);
        let look = |layout, series: Vec<PriceSeries>, symbol| SeriesLook {
            layout,
            // Who asks for a column as it is gets it as it is.
            priced: (by_name || ticker) && (!asked || series.iter().all(PriceSeries::is_positive)),
            series,
            date: time.name.clone(),
            value: Some(value.to_owned()),
            symbol,
            drops: column.missing > 0,
        };
        let single = read_series(self.path, &options);
        if let Ok(one) = single {
            return Ok(Some(look(Layout::One, vec![one.value], None)));
        }
        let texts = self.profile.columns.iter().filter(|c| {
            c.kind == ColumnKind::Text && c.distinct > 1 && c.distinct * 5 <= self.profile.rows.max(1)
        });
        let named = self.profile.symbol().into_iter();
        for symbol in named.chain(texts) {
            let options = SeriesOptions { symbol: Some(symbol.name.clone()), ..options.clone() };
            if let Ok(many) = read_long(self.path, &[], &options) {
                return Ok(Some(look(Layout::Long, many.value, Some(symbol.name.clone()))));
            }
        }
        match single {
            // Dates that come twice may be those of a table, which is no mistake.
            Err(_) if !asked && time.distinct * 10 < 9 * self.profile.rows => Ok(None),
            Err(e) => Err(e.to_string()),
            Ok(_) => Ok(None),
        }
    }

    /// One series per column, if the columns look like prices of symbols: all above zero, close to the day before, and
    /// named in capitals.
    fn wide(&self, time: &ColumnProfile, values: &[&ColumnProfile]) -> Option<SeriesLook> {
        let ticker = |c: &&ColumnProfile| {
            let name = c.name.trim();
            let sign = |ch: char| ch.is_ascii_uppercase() || ch.is_ascii_digit() || "^.-=_".contains(ch);
            name.len() <= 8
                && name.chars().all(sign)
                && name.starts_with(|ch: char| ch.is_ascii_uppercase() || ch == '^')
        };
        if !values.iter().all(ticker) {
            return None;
        }
        let names: Vec<&str> = values.iter().map(|c| c.name.as_str()).collect();
        let gaps = |drops: bool| read_wide(self.path, &names, &self.options(time, None, drops));
        let (read, drops) = match gaps(false) {
            Ok(read) => (read, false),
            Err(_) => (gaps(true).ok()?, true),
        };
        let walks = |s: &PriceSeries| s.is_positive() && autocorrelation(s.prices()) > CLOSE;
        read.value.iter().all(walks).then(|| SeriesLook {
            layout: Layout::Wide,
            series: read.value,
            date: time.name.clone(),
            value: None,
            symbol: None,
            drops,
            priced: true,
        })
    }

    fn options(&self, time: &ColumnProfile, value: Option<&str>, drops: bool) -> SeriesOptions {
        SeriesOptions {
            date: Some(time.name.clone()),
            price: value.map(str::to_owned),
            volume: Volume::Ignored,
            date_format: self.written_format(time).as_deref().map_or(DateFormat::Auto, DateFormat::from),
            numbers: self.numbers,
            domain: Domain::Real,
            missing: if drops { Missing::Drop } else { Missing::Refuse },
            ..SeriesOptions::default()
        }
    }
}

/// From this correlation with the day before on, values are predicted by their changes.
pub(super) const CLOSE: f64 = 0.9;

/// Columns that stand beside a closing price.
fn of_a_market(name: &str) -> bool {
    const NAMES: [&str; 18] = [
        "open",
        "high",
        "low",
        "close",
        "adj",
        "vol",
        "eroffnung",
        "eröffnung",
        "hoch",
        "tief",
        "schluss",
        "ouv",
        "haut",
        "bas",
        "apertura",
        "máximo",
        "mínimo",
        "openint",
    ];
    let name = name.to_lowercase();
    NAMES.iter().any(|known| name.contains(known))
}

/// Capitals alone, as symbols are written; FRED's names of rates have more letters, or digits.
fn is_ticker(name: &str) -> bool {
    (1..=5).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_uppercase())
}

/// A name that says nothing of a price.
fn generic(name: &str) -> bool {
    name.trim().eq_ignore_ascii_case("value")
}

/// The correlation of values with those before them.
pub(super) fn autocorrelation(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let spread: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
    let shared: f64 = values.windows(2).map(|w| (w[0] - mean) * (w[1] - mean)).sum();
    if spread > 0.0 { shared / spread } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_moves_slowly_is_close_to_the_day_before() {
        let walk: Vec<f64> = (0..200).map(|i| f64::from(i) + f64::from(i % 3)).collect();
        assert!(autocorrelation(&walk) > CLOSE);
        let rain: Vec<f64> = (0..200).map(|i| f64::from(i * 7919 % 13)).collect();
        assert!(autocorrelation(&rain) < 0.5);
        assert_eq!(autocorrelation(&[2.0, 2.0]), 0.0);
    }
}
