//! Price series: read from files, checked, sorted by date.

mod check;
mod columns;
mod read;

use std::sync::Arc;

use jiff::civil::Date;

use crate::{DataError, DateFormat, Result, file::DEFAULT_MAX_BYTES};

pub use read::{read_many, read_series, read_series_bytes, read_wide, read_wide_bytes};

/// Which columns hold what, and how strict to be.
#[derive(Clone, Debug, PartialEq)]
pub struct SeriesOptions {
    /// Date column; by default one named like a date.
    pub date: Option<String>,
    /// Price column; by default `Adj Close`, then `Close`, then the only other column.
    pub price: Option<String>,
    /// Which volumes are read.
    pub volume: Volume,
    /// How dates are written.
    pub date_format: DateFormat,
    /// What to do with rows that have no price.
    pub missing: Missing,
    /// Largest size of a file, also once unpacked.
    pub max_bytes: u64,
}

impl Default for SeriesOptions {
    fn default() -> Self {
        Self {
            date: None,
            price: None,
            volume: Volume::default(),
            date_format: DateFormat::default(),
            missing: Missing::default(),
            max_bytes: DEFAULT_MAX_BYTES,
        }
    }
}

/// Which volumes are read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Volume {
    /// None, so that a volume written in words does not stand in the way of the prices.
    Ignored,
    /// A column named `Volume` or `Vol`, if there is one.
    #[default]
    Known,
    /// The column of this name.
    Column(String),
}

/// What to do with rows that have no price.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Missing {
    /// An error that names the row.
    #[default]
    Refuse,
    /// Drop the row, with a warning.
    Drop,
}

/// Prices of one symbol: dates strictly ascending, every price finite and above zero.
#[derive(Clone, Debug, PartialEq)]
pub struct PriceSeries {
    name: String,
    dates: Vec<Date>,
    /// Shared with the embeddings of the series.
    prices: Arc<[f64]>,
    volumes: Option<Vec<f64>>,
}

impl PriceSeries {
    /// Takes parallel vectors; a missing volume is NaN.
    ///
    /// ```
    /// use tailrank_data::{Date, PriceSeries};
    /// let days = vec![Date::constant(2008, 7, 10), Date::constant(2008, 7, 11)];
    /// let series = PriceSeries::new("KO", days.clone(), vec![51.0, 51.5], None)?;
    /// assert_eq!(series.len(), 2);
    /// assert!(PriceSeries::new("KO", days, vec![51.0, 0.0], None).is_err());
    /// # Ok::<(), tailrank_data::DataError>(())
    /// ```
    pub fn new(
        name: impl Into<String>,
        dates: Vec<Date>,
        prices: Vec<f64>,
        volumes: Option<Vec<f64>>,
    ) -> Result<Self> {
        let name = name.into();
        let parallel = volumes.as_ref().is_none_or(|v| v.len() == dates.len());
        if dates.len() != prices.len() || !parallel {
            return Err(DataError::Setting {
                name: "prices",
                value: format!("{} values for {} dates", prices.len(), dates.len()),
                expected: "one price (and volume) per date".into(),
            });
        }
        let bad = |row: usize, column: &str, value: String, problem: &str, fix: &str| DataError::Value {
            file: name.clone(),
            row: row + 1,
            column: column.to_owned(),
            value,
            problem: problem.into(),
            fix: fix.into(),
        };
        if let Some(row) = (1..dates.len()).find(|i| dates[*i] <= dates[i - 1]) {
            let fix = "sort the rows and keep one per date";
            return Err(bad(row, "date", dates[row].to_string(), "is not after the date above it", fix));
        }
        if let Some(row) = prices.iter().position(|p| !(p.is_finite() && *p > 0.0)) {
            return Err(bad(
                row,
                "price",
                prices[row].to_string(),
                "is not a price above zero",
                "correct or drop the row",
            ));
        }
        Ok(Self { name, dates, prices: prices.into(), volumes })
    }

    /// The symbol.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The sessions, ascending.
    pub fn dates(&self) -> &[Date] {
        &self.dates
    }

    /// The price of each session.
    pub fn prices(&self) -> &[f64] {
        &self.prices
    }

    /// The same prices, shared.
    pub(crate) fn shared_prices(&self) -> Arc<[f64]> {
        Arc::clone(&self.prices)
    }

    /// The volume of each session, NaN where missing, if the file has volumes.
    pub fn volumes(&self) -> Option<&[f64]> {
        self.volumes.as_deref()
    }

    /// Number of sessions.
    pub fn len(&self) -> usize {
        self.dates.len()
    }

    /// Whether there is no session.
    pub fn is_empty(&self) -> bool {
        self.dates.is_empty()
    }

    /// The same series under another name.
    pub fn renamed(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// The sessions from `first` to `last`, both included.
    pub fn between(&self, first: Date, last: Date) -> Self {
        let from = self.dates.partition_point(|d| *d < first);
        let to = self.dates.partition_point(|d| *d <= last).max(from);
        Self {
            name: self.name.clone(),
            dates: self.dates[from..to].to_vec(),
            prices: self.prices[from..to].into(),
            volumes: self.volumes.as_ref().map(|v| v[from..to].to_vec()),
        }
    }
}
