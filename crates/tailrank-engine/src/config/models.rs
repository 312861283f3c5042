//! `[[models]]`: families and their grids.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A family with its grid of variants.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelGrid {
    /// The family; `tailrank list models` names all.
    pub family: String,
    /// Which implementation; the family's own solver by default.
    pub engine: Option<String>,
    /// Name in tables and figures, when one family appears twice.
    pub label: Option<String>,
    /// Parameters: single values, or lists that expand to all combinations, the first slowest.
    #[serde(default)]
    pub grid: IndexMap<String, GridValue>,
    /// Variants spelled out one by one, each on top of the grid's single values.
    #[serde(default)]
    pub variants: Vec<IndexMap<String, GridScalar>>,
    /// `command` only: the program and its arguments, with {train}, {test}, {out}, {seed} and parameters filled in. It runs in the
    /// folder of the experiment file. Its cells are fitted again when the program (if given with a path) or an argument that names
    /// a file, also behind `=`, has changed; files that these read in turn are named in `files`.
    #[serde(default)]
    pub command: Vec<String>,
    /// `command` only: the format of the files the program reads and writes.
    #[serde(default)]
    pub format: GridFormat,
    /// `command` only: files and folders that the program reads besides: its cells are fitted again when one has changed.
    #[serde(default)]
    pub files: Vec<String>,
    /// `command` only: environment variables that it depends on: its cells are fitted again when one has another value.
    #[serde(default)]
    pub env: Vec<String>,
}

/// File format between this program and a command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum GridFormat {
    /// Text with a heading.
    #[default]
    Csv,
    /// Apache Parquet.
    Parquet,
}

/// One value or a list of values.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum GridValue {
    /// The same for all variants.
    One(GridScalar),
    /// One variant for each.
    Many(Vec<GridScalar>),
}

/// A parameter value.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum GridScalar {
    /// true or false.
    Flag(bool),
    /// A whole number.
    Int(i64),
    /// A real number.
    Real(f64),
    /// A word.
    Text(String),
}
