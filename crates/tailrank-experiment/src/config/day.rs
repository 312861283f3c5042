//! A day as an experiment file writes it.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use tailrank_data::Date;

/// A day: `"1990-01-31"`, or TOML's own date without the quotes.
///
/// ```
/// use tailrank_experiment::config::Day;
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
        deserializer.deserialize_any(DayVisitor)
    }
}

struct DayVisitor;

impl<'de> de::Visitor<'de> for DayVisitor {
    type Value = Day;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a date such as \"1990-01-31\"")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Day, E> {
        let wrong = |_| E::custom(format!("\"{text}\" is not a valid date; write it as YYYY-MM-DD"));
        text.parse().map(Day).map_err(wrong)
    }

    /// TOML hands its own dates over as a map with one entry.
    fn visit_map<A: de::MapAccess<'de>>(self, mut map: A) -> Result<Day, A::Error> {
        match map.next_entry::<de::IgnoredAny, String>()? {
            Some((_, text)) => self.visit_str(&text),
            None => Err(de::Error::invalid_type(de::Unexpected::Map, &self)),
        }
    }
}
