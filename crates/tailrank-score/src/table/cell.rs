//! What stands in a table: values, or why there is none, and what stands out.

use tailrank_metrics::Score;

/// A value, or why there is none.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Words from a user's file or of ours: escaped by every printer.
    Text(String),
    /// A number.
    Number(f64),
    /// No value, and why; the reason may be empty.
    Undefined(&'static str),
}

impl From<f64> for Value {
    fn from(value: f64) -> Self {
        if value.is_finite() { Self::Number(value) } else { Self::Undefined("") }
    }
}

impl From<usize> for Value {
    fn from(value: usize) -> Self {
        Self::Number(value as f64)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Score> for Value {
    fn from(score: Score) -> Self {
        match score {
            Score::Value(v) => v.into(),
            Score::Undefined(why) => Self::Undefined(why.reason()),
        }
    }
}

impl<V: Into<Value>> From<Option<V>> for Value {
    fn from(value: Option<V>) -> Self {
        value.map_or(Self::Undefined(""), Into::into)
    }
}

/// What stands out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mark {
    /// Nothing.
    #[default]
    None,
    /// The best of its column.
    Best,
    /// The second of its column.
    Second,
}

/// A cell of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// What it holds.
    pub value: Value,
    /// Best, second or neither.
    pub mark: Mark,
    /// Whether a test says so; the table's notes name the test.
    pub significant: bool,
}

impl<V: Into<Value>> From<V> for Cell {
    fn from(value: V) -> Self {
        Self { value: value.into(), mark: Mark::None, significant: false }
    }
}
