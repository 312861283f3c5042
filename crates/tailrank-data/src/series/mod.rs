//! Series of prices or other values: read from files, checked, sorted by time.

mod append;
mod check;
mod columns;
mod read;

use std::sync::Arc;

use jiff::civil::{Date, DateTime};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{DataError, DateFormat, Frequency, NumberFormat, Result, date::frequency};

pub(crate) use columns::{DATE, PRICE, SYMBOL, VOLUME, is_known};
pub use read::read_series_bytes;
pub(crate) use read::{each_series, long_series, single_series, wide_series};

/// Which columns hold what, and how strict to be.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SeriesOptions {
    /// Date column; by default one named like a date.
    pub date: Option<String>,
    /// Price column; by default `Adj Close`, then `Close`, then the only other column.
    pub price: Option<String>,
    /// Column that says which series a row belongs to, in a file of several; by default one named like a symbol.
    pub symbol: Option<String>,
    /// Which volumes are read.
    pub volume: Volume,
    /// How dates are written.
    pub date_format: DateFormat,
    /// How numbers are written.
    pub numbers: NumberFormat,
    /// Which values a series may have.
    pub domain: Domain,
    /// What to do with rows that have no price.
    pub missing: Missing,
    /// Largest size of a file, also once unpacked; by default [`DEFAULT_MAX_BYTES`](crate::DEFAULT_MAX_BYTES).
    pub max_bytes: Option<u64>,
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

/// Which values a series may have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Domain {
    /// Numbers above zero: prices, of which returns can be taken.
    #[default]
    Positive,
    /// Any finite numbers: rates, rain, load, temperatures.
    Real,
}

impl Domain {
    /// Whether a value may be in a series of this kind.
    pub fn holds(self, value: f64) -> bool {
        value.is_finite() && (self == Self::Real || value > 0.0)
    }

    /// What is wrong with a value that it does not hold.
    fn problem(self) -> &'static str {
        match self {
            Self::Positive => "is not a price above zero",
            Self::Real => "is not a finite number",
        }
    }
}

/// What to do with rows that have no price (of a series) or no target (of a table).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Missing {
    /// An error that names the row.
    #[default]
    Refuse,
    /// Drop the row, with a warning.
    Drop,
}

/// Values of one symbol in order of time, every one finite; above zero unless they were read as [`Domain::Real`].
#[derive(Clone, Debug, PartialEq)]
pub struct PriceSeries {
    name: String,
    dates: Vec<Date>,
    /// Where several rows share a day; else the days say it all.
    times: Option<Vec<DateTime>>,
    /// Shared with the embeddings of the series.
    pub(crate) prices: Arc<[f64]>,
    volumes: Option<Vec<f64>>,
    /// The column of a file that the prices were read from.
    column: Option<String>,
}

impl PriceSeries {
    /// Takes parallel vectors of days and prices above zero; a missing volume is NaN.
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
        Self::checked(name.into(), dates, None, prices, volumes, Domain::Positive)
    }

    /// As [`PriceSeries::new`], for values that may be zero or negative.
    ///
    /// ```
    /// use tailrank_data::{Date, PriceSeries};
    /// let days = vec![Date::constant(2008, 7, 10), Date::constant(2008, 7, 11)];
    /// let rain = PriceSeries::of_values("rain", days, vec![0.0, 12.5])?;
    /// assert!(!rain.is_positive());
    /// # Ok::<(), tailrank_data::DataError>(())
    /// ```
    pub fn of_values(name: impl Into<String>, dates: Vec<Date>, values: Vec<f64>) -> Result<Self> {
        Self::checked(name.into(), dates, None, values, None, Domain::Real)
    }

    /// As [`PriceSeries::of_values`], with times of day: a day may come more than once. Days are those of the times
    /// unless `dates` says otherwise, as for times in UTC of a market elsewhere.
    pub fn at_times(
        name: impl Into<String>,
        times: Vec<DateTime>,
        dates: Option<Vec<Date>>,
        values: Vec<f64>,
        volumes: Option<Vec<f64>>,
    ) -> Result<Self> {
        let dates = dates.unwrap_or_else(|| times.iter().map(|time| time.date()).collect());
        Self::checked(name.into(), dates, Some(times), values, volumes, Domain::Real)
    }

    fn checked(
        name: String,
        dates: Vec<Date>,
        times: Option<Vec<DateTime>>,
        prices: Vec<f64>,
        volumes: Option<Vec<f64>>,
        domain: Domain,
    ) -> Result<Self> {
        let rows = [volumes.as_ref().map(Vec::len), times.as_ref().map(Vec::len), Some(prices.len())];
        if rows.iter().flatten().any(|rows| *rows != dates.len()) {
            let value = format!("{} values for {} dates", prices.len(), dates.len());
            return Err(DataError::setting("prices", value, "one price (and volume and time) per date"));
        }
        let out_of_order = |i: &usize| match &times {
            Some(times) => times[*i] <= times[i - 1] || dates[*i] < dates[i - 1],
            None => dates[*i] <= dates[i - 1],
        };
        if let Some(row) = (1..dates.len()).find(out_of_order) {
            let fix = "sort the rows and keep one per date";
            let value = times.as_ref().map_or(dates[row].to_string(), |times| times[row].to_string());
            return Err(DataError::value(&name, row, "date", value, "is not after the date above it", fix));
        }
        if let Some(row) = prices.iter().position(|p| !domain.holds(*p)) {
            let (value, fix) = (prices[row].to_string(), "correct or drop the row");
            return Err(DataError::value(&name, row, "price", value, domain.problem(), fix));
        }
        Ok(Self { name, dates, times, prices: prices.into(), volumes, column: None })
    }

    /// The symbol.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The column of the file that its values were read from; none for values that come from memory.
    pub fn column(&self) -> Option<&str> {
        self.column.as_deref()
    }

    /// The day of each session, ascending; with [`PriceSeries::times`], a day may come more than once.
    pub fn dates(&self) -> &[Date] {
        &self.dates
    }

    /// The times of sessions of which several share a day.
    pub fn times(&self) -> Option<&[DateTime]> {
        self.times.as_deref()
    }

    /// How far apart sessions usually are.
    pub fn frequency(&self) -> Frequency {
        if self.times.is_some() { Frequency::Intraday } else { frequency(&self.dates) }
    }

    /// Whether every value is above zero, so that returns can be taken of them.
    pub fn is_positive(&self) -> bool {
        self.prices.iter().all(|p| *p > 0.0)
    }

    /// How many sessions are known at `session` of `other`: those up to its time. A day's value is known when the day
    /// is over, so it counts for the same day only where the other has no times of day either.
    pub(crate) fn known_at(&self, other: &Self, session: usize) -> usize {
        let day = other.dates[session];
        match (&self.times, &other.times) {
            (Some(mine), Some(theirs)) => mine.partition_point(|time| *time <= theirs[session]),
            (None, Some(_)) => self.dates.partition_point(|d| *d < day),
            (Some(_) | None, None) => self.dates.partition_point(|d| *d <= day),
        }
    }

    /// The price (or other value) of each session.
    pub fn prices(&self) -> &[f64] {
        &self.prices
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
}
