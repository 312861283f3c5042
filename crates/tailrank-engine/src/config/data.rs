//! `[data]` and `[target]`: where rows come from and what is predicted.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Problem;

/// Where the data comes from. Bundled sets are named (`tailrank list data`); files are given by path,
/// relative to the experiment file.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Data {
    /// Price series: one task per series and horizon.
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
            if matches!(source, SeriesSource::Wide(file) if file.symbols.as_ref().is_some_and(Vec::is_empty))
            {
                let message = "symbols = [] names no column; leave it out to take all";
                found.push(Problem::new(format!("data.series.{}", i + 1), message));
            }
        }
        found
    }
}

/// Price series of one file, or a bundled one.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "a series is a name, { name = …, file = … } with the keys of one series, or { wide = …, symbols = [ … ] } \
                 for a file with one column per symbol; a key of one form does not fit the other"
)]
pub enum SeriesSource {
    /// A bundled series, or a file whose columns are recognised.
    Name(String),
    /// A file with its columns named.
    File(SeriesFile),
    /// A file with one column per symbol.
    Wide(WideFile),
}

/// A file that holds a price series.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
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
    /// What to do with rows that have no price; refused if absent.
    #[serde(default)]
    pub missing: MissingRule,
}

/// A file that holds one price series per column, beside a date.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WideFile {
    /// CSV or Parquet, optionally `.gz`.
    pub wide: PathBuf,
    /// Columns to take, each a series of that name; all with numbers if absent. One may start late or end early.
    pub symbols: Option<Vec<String>>,
    /// Date column; recognised if absent.
    pub date: Option<String>,
    /// `day-first`, `month-first`, or a pattern such as `%d.%m.%Y`; recognised if absent.
    pub date_format: Option<String>,
    /// What to do with rows that have no price between a column's first and last; refused if absent.
    #[serde(default)]
    pub missing: MissingRule,
}

/// What to do with rows that have no price.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum MissingRule {
    /// Refuse the file and name the row.
    #[default]
    Refuse,
    /// Leave such rows out, with a warning.
    Drop,
}

/// A table with a target column.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum TableSource {
    /// A bundled table.
    Name(String),
    /// A file with its target named.
    File(TableFile),
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
    /// Column with the date or order of the rows: no input. Rows are taken in the order of the file.
    pub date: Option<String>,
}

/// What is predicted from what, for series.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Target {
    /// Days ahead h: the target is the h-day return R_h(t+h).
    pub horizons: Vec<u32>,
    /// How many past values R_h(t), R_h(t−1), … are inputs.
    pub lags: u32,
    /// Further inputs, each with its own look-back.
    pub inputs: Vec<InputSettings>,
}

/// An input beside the series' own returns.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum InputSettings {
    /// Returns of another series, matched by date.
    Returns {
        /// A series of this experiment, a bundled one, or a file.
        series: String,
        /// Days a return spans; the task's own horizon if absent.
        horizon: Option<u32>,
        /// How many past returns; as many as the task's own if absent.
        lags: Option<u32>,
    },
    /// Relative change of the volume from one day to the next.
    Volume {
        /// How many past changes.
        lags: u32,
    },
    /// Distance of the price from its mean over the last days.
    Average {
        /// Days averaged, today included.
        window: u32,
    },
}

impl Default for Target {
    fn default() -> Self {
        Self { horizons: vec![1], lags: 24, inputs: Vec::new() }
    }
}

impl Target {
    /// What is wrong with these settings; they matter where there are series.
    pub(crate) fn problems(&self, data: &Data) -> Vec<Problem> {
        if self.horizons.is_empty() && !data.series.is_empty() {
            let message = "names no horizon; give at least one, such as [1]";
            return vec![Problem::new("target.horizons", message)];
        }
        Vec::new()
    }
}
