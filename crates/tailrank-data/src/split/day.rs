//! A day as an experiment file writes it.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use toml::Value;

use crate::Date;

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
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Day {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = match Value::deserialize(deserializer)? {
            Value::String(text) => text,
            Value::Datetime(day) => day.to_string(),
            other => return Err(D::Error::custom(format!("{other} is not a date such as \"1990-01-31\""))),
        };
        let wrong = |_| D::Error::custom(format!("\"{text}\" is not a valid date; write it as YYYY-MM-DD"));
        text.parse().map(Self).map_err(wrong)
    }
}
