//! One cut in time: train before it, test after it; a second cut sets rows apart that choose models.

use std::fmt;

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use toml::Value;

use super::{Rows, Scheme, Split, SplitRows, scheme::problems_of};
use crate::{DataError, Result};

/// Train before a day, test from it on.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ByDate {
    /// First day of the test period.
    pub at: Day,
    /// First day that is not tested any more; the data's end if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<Day>,
    /// First day of the period that models are chosen by, before the test.
    pub validation_at: Option<Day>,
}

impl Scheme for ByDate {
    fn problems(&self) -> Vec<(&'static str, String)> {
        let Self { at, until, validation_at } = self;
        let told = |day: &Option<Day>| day.map_or_else(String::new, |day| day.to_string());
        let after = format!("{} must be a day after at = {at}", told(until));
        let before = format!("{} must be a day before at = {at}", told(validation_at));
        problems_of([
            ("until", until.is_none_or(|day| *at < day), after),
            ("validation_at", validation_at.is_none_or(|day| day < *at), before),
        ])
    }

    fn draw(&self, rows: &SplitRows<'_>) -> Result<Vec<Split>> {
        let at = self.at;
        let description = match self.validation_at {
            None => format!("train before {at}, test from there"),
            Some(day) => format!("train before {day}, validate before {at}, test from there"),
        };
        let test = first_row(rows, at.0)?;
        let validation = self.validation_at.map(|day| first_row(rows, day.0)).transpose()?;
        let mut split = cut(rows, description, validation, test);
        if let Some(until) = self.until
            && !split.test.is_empty()
        {
            split.test = (test..first_row(rows, until.0)?).into();
            if split.test.is_empty() {
                return Err(DataError::Scheme(format!("until = {until} leaves no row to test on")));
            }
        }
        Ok(vec![split])
    }

    fn pooled(&self) -> bool {
        true
    }
}

/// Train on the first share of the rows.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ByFraction {
    /// Share of rows that train, from the front.
    pub train: f64,
    /// Share of rows after the training rows that models are chosen by, before the test.
    pub validation: Option<f64>,
}

impl Scheme for ByFraction {
    fn problems(&self) -> Vec<(&'static str, String)> {
        let is_share = |share: f64| share > 0.0 && share < 1.0;
        let between = "must lie above 0 and below 1";
        let Self { train, validation } = *self;
        let share = validation.unwrap_or(0.1);
        let both = train + share;
        let known = validation.is_none() || !is_share(train) || !is_share(share);
        let none_left = format!("train + validation = {both} leave no row to test on");
        problems_of([
            ("train", is_share(train), format!("{train} {between}, such as 0.7")),
            ("validation", is_share(share), format!("{share} {between}, such as 0.1")),
            ("validation", known || both < 1.0, none_left),
        ])
    }

    fn draw(&self, rows: &SplitRows<'_>) -> Result<Vec<Split>> {
        let train = self.train;
        let first = row_at(rows, train);
        Ok(vec![match self.validation {
            None => cut(rows, format!("train on the first {train} of rows"), None, first),
            Some(share) => {
                let description = format!("train on the first {train} of rows, validate on the next {share}");
                cut(rows, description, Some(first), row_at(rows, train + share))
            }
        }])
    }

    fn pooled(&self) -> bool {
        true
    }
}

/// The test begins at row `test`; before it, rows from `validation` on choose models.
fn cut(rows: &SplitRows<'_>, description: String, validation: Option<usize>, test: usize) -> Split {
    let validating = validation.map(|from| Rows::from(from..test));
    Split {
        validation: validating,
        ..Split::new(description, 0..validation.unwrap_or(test), test..rows.len())
    }
}

/// The first row whose origin is on or after `day`.
fn first_row(rows: &SplitRows<'_>, day: Date) -> Result<usize> {
    let expected = "these rows have no dates; split by kind = \"fraction\" or \"kfold\"";
    let dates = rows.timeline.origin_dates().ok_or_else(|| DataError::setting("at", day, expected))?;
    Ok(dates.partition_point(|d| *d < day))
}

/// The first row behind a share of the rows.
fn row_at(rows: &SplitRows<'_>, share: f64) -> usize {
    // 0.57 of 100 rows is 57, though the product is a hair less. It stays below the number of rows, so the cast cannot
    // lose anything but the fraction.
    let row = (share * rows.len() as f64 * (1.0 + 4.0 * f64::EPSILON)).floor() as usize;
    rows.timeline.between_dates(row)
}

/// A day: `"1990-01-31"`, or TOML's own date without the quotes.
///
/// ```
/// use tailrank_data::Day;
/// let table: std::collections::HashMap<String, Day> = toml::from_str("a = \"1990-01-31\"\nb = 1990-01-31").unwrap();
/// assert_eq!(table["a"], table["b"]);
/// assert_eq!(table["a"].to_string(), "1990-01-31");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, JsonSchema)]
pub struct Day(#[schemars(with = "String")] pub Date);

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for Day {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Day {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let text = match Value::deserialize(deserializer)? {
            Value::String(text) => text,
            Value::Datetime(day) => day.to_string(),
            other => return Err(D::Error::custom(format!("{other} is not a date such as \"1990-01-31\""))),
        };
        let wrong = |_| D::Error::custom(format!("\"{text}\" is not a valid date; write it as YYYY-MM-DD"));
        text.parse().map(Self).map_err(wrong)
    }
}
