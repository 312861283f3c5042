//! `[data]`: where rows come from.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tailrank_data::{LabelSpan, Missing, NumberFormat};

use super::{Problem, is_default};

/// Where the data comes from. Bundled sets are named (`tailrank list data`); files are given by path,
/// relative to the experiment file.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Data {
    /// Series of prices or other values: one task per series and horizon.
    #[serde(default)]
    pub series: Vec<SeriesSource>,
    /// Tables with a target column: one task per table.
    #[serde(default)]
    pub tables: Vec<TableSource>,
    /// Largest size of a data file, also once unpacked; 1 GiB if absent.
    pub max_bytes: Option<u64>,
}

impl Data {
    /// What is wrong with these settings before any file is opened.
    pub(crate) fn problems(&self) -> Vec<Problem> {
        let mut found = Vec::new();
        if self.series.is_empty() && self.tables.is_empty() {
            let message = "names no data; add series = [\"KO\"] or tables (`tailrank list data`)";
            found.push(Problem::new("data", message));
        }
        for (i, source) in self.series.iter().enumerate() {
            let (symbols, what) = match source {
                SeriesSource::Wide(file) => (&file.symbols, "column"),
                SeriesSource::Long(file) => (&file.symbols, "series"),
                SeriesSource::Name(_) | SeriesSource::File(_) => continue,
            };
            if symbols.as_ref().is_some_and(Vec::is_empty) {
                let message = format!("symbols = [] names no {what}; leave it out to take all");
                found.push(Problem::new(format!("data.series.{}", i + 1), message));
            }
        }
        for (i, source) in self.tables.iter().enumerate() {
            let TableSource::File(file) = source else { continue };
            let mut add = |key: &str, message: String| {
                found.push(Problem::new(format!("data.tables.{}.{key}", i + 1), message));
            };
            if let (Some(date), Some(time)) = (&file.date, &file.time) {
                add("time", format!("date = {date:?} and time = {time:?} say the same; give one of them"));
            }
            if let Some(LabelSpanSetting::Days(text)) =
                file.label_span.as_ref().filter(|span| span.span().is_none())
            {
                add("label_span", format!("{text:?} is not a span; give rows, such as 20, or \"30 days\""));
            }
            if file.entity.is_some() && file.entity == file.group {
                add(
                    "group",
                    "is the same column as entity; an entity is seen at many times, a group is kept whole"
                        .into(),
                );
            }
        }
        found
    }
}

/// Price series of one file, or a bundled one.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "a series is a name, { name = …, file = … } with the keys of one series, { wide = …, symbols \
                 = [ … ] } for a file with one column per symbol, or { long = …, symbols = [ … ] } for a \
                 file with one series below the other; a key of one form does not fit the others"
)]
pub enum SeriesSource {
    /// A bundled series, or a file whose columns are recognised.
    Name(String),
    /// A file with its columns named.
    File(SeriesFile),
    /// A file with one column per symbol.
    Wide(WideFile),
    /// A file with one series below the other.
    Long(LongFile),
}

/// A file that holds a price series.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SeriesFile {
    /// Name of the series in tables and figures.
    pub name: String,
    /// CSV or Parquet, optionally `.gz`.
    pub file: PathBuf,
    /// Price column; recognised from the usual names if absent (adjusted close first).
    pub price: Option<String>,
    /// Volume column, for inputs of kind `volume`; recognised if absent.
    pub volume: Option<String>,
    /// Date column; recognised if absent.
    pub date: Option<String>,
    /// `day-first`, `month-first`, or a pattern such as `%d.%m.%Y`; recognised if absent.
    pub date_format: Option<String>,
    /// `point` or `comma`: the decimal sign, where the file itself does not tell; the other sign may mark
    /// thousands.
    #[serde(default, skip_serializing_if = "is_default")]
    pub decimal: NumberFormat,
    /// What to do with rows that have no price; refused if absent.
    #[serde(default)]
    pub missing: Missing,
}

/// A file that holds one price series per column, beside a date.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WideFile {
    /// CSV or Parquet, optionally `.gz`.
    pub wide: PathBuf,
    /// Columns to take, each a series of that name; all with numbers if absent. One may start late or end
    /// early.
    pub symbols: Option<Vec<String>>,
    /// Date column; recognised if absent.
    pub date: Option<String>,
    /// `day-first`, `month-first`, or a pattern such as `%d.%m.%Y`; recognised if absent.
    pub date_format: Option<String>,
    /// `point` or `comma`: the decimal sign, where the file itself does not tell; the other sign may mark
    /// thousands.
    #[serde(default, skip_serializing_if = "is_default")]
    pub decimal: NumberFormat,
    /// What to do with rows that have no price between a column's first and last; refused if absent.
    #[serde(default)]
    pub missing: Missing,
}

/// A file that holds several series one below the other, such as `symbol,date,price`.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LongFile {
    /// CSV or Parquet, optionally `.gz`.
    pub long: PathBuf,
    /// Series to take; all if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbols: Option<Vec<String>>,
    /// Column that says which series a row belongs to; recognised from the usual names if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol: Option<String>,
    /// Price column; recognised from the usual names if absent (adjusted close first).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price: Option<String>,
    /// Volume column, for inputs of kind `volume`; recognised if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub volume: Option<String>,
    /// Date column; recognised if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// `day-first`, `month-first`, or a pattern such as `%d.%m.%Y`; recognised if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date_format: Option<String>,
    /// `point` or `comma`: the decimal sign, where the file itself does not tell; the other sign may mark
    /// thousands.
    #[serde(default, skip_serializing_if = "is_default")]
    pub decimal: NumberFormat,
    /// What to do with rows that have no price; refused if absent.
    #[serde(default)]
    pub missing: Missing,
}

/// A table with a target column.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "a table is the name of a bundled one, or { name = \"mine\", file = \"mine.csv\", target = \
                 \"y\" }"
)]
pub enum TableSource {
    /// A bundled table.
    Name(String),
    /// A file with its target named.
    File(Box<TableFile>),
}

/// A file that holds a table.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TableFile {
    /// Name of the table in tables and figures.
    pub name: String,
    /// CSV or Parquet, optionally `.gz`.
    pub file: PathBuf,
    /// Column to predict.
    pub target: String,
    /// Columns to leave out, such as identifiers.
    #[serde(default)]
    pub ignore: Vec<String>,
    /// Columns that are categories though written as numbers.
    #[serde(default)]
    pub categorical: Vec<String>,
    /// Column that tells when rows were seen: no input. Rows are put in its order, so that a split by rows is
    /// one by time.
    pub date: Option<String>,
    /// The same as `date`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// Column that says what a row is about, such as a symbol, where several are seen on each date: no input
    /// unless it is listed under `categorical`. Dates are then drawn, shifted and cut whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entity: Option<String>,
    /// Column whose rows belong together, such as those of one patient: no input unless it is listed under
    /// `categorical`. A group is never on both sides of a split, and is drawn whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// How far ahead the target reaches: 20 for twenty rows of the entity (dates, where no entity is named),
    /// or "30 days". Rows whose target reaches into the test period are left out of training.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label_span: Option<LabelSpanSetting>,
    /// `day-first`, `month-first`, or a pattern such as `%d.%m.%Y`; recognised if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date_format: Option<String>,
    /// `point` or `comma`: the decimal sign, where the file itself does not tell; the other sign may mark
    /// thousands.
    #[serde(default, skip_serializing_if = "is_default")]
    pub decimal: NumberFormat,
    /// What to do with rows that have no target, or no date where rows have dates; refused if absent. A
    /// missing input is filled in by the median or the commonest level of the training rows.
    #[serde(default, skip_serializing_if = "is_default")]
    pub missing: Missing,
}

/// How far ahead of its row a target reaches.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(untagged, expecting = "label_span is a number of rows, such as 20, or of days, such as \"30 days\"")]
pub enum LabelSpanSetting {
    /// Rows of the same entity, or dates.
    Steps(u32),
    /// A number of days, as in `"30 days"`.
    Days(String),
}

impl LabelSpanSetting {
    /// The span, or none where the text is not a number of days.
    pub(crate) fn span(&self) -> Option<LabelSpan> {
        match self {
            Self::Steps(steps) => Some(LabelSpan::Steps(*steps as usize)),
            Self::Days(text) => {
                let number = text.trim().strip_suffix("days").or_else(|| text.trim().strip_suffix("day"))?;
                number.trim().parse().ok().map(LabelSpan::Days)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_is_a_number_of_rows_or_of_days() {
        let span = |text: &str| {
            toml::from_str::<TableFile>(&format!(
                "name = \"t\"\nfile = \"t.csv\"\ntarget = \"y\"\nlabel_span = {text}"
            ))
        };
        assert_eq!(span("20").unwrap().label_span.unwrap().span(), Some(LabelSpan::Steps(20)));
        assert_eq!(span("\"30 days\"").unwrap().label_span.unwrap().span(), Some(LabelSpan::Days(30)));
        assert_eq!(span("\"a month\"").unwrap().label_span.unwrap().span(), None);
        assert!(span("-1").is_err());
    }
}
