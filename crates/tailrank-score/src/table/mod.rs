//! Tables of results as values. A column is declared once, with its name, its heading, how it is written and
//! what it means; every printer (terminal, CSV, Parquet, JSON, Markdown, LaTeX, HTML) takes it from there.
//!
//! ```
//! use tailrank_score::table::{Format, Table};
//!
//! let table = Table::of([2.0_f64, 3.0])
//!     .column(Format::Count, "n", ("n", "the number"), |n| *n)
//!     .column(Format::Number, "square", "n²", |n| n * n)
//!     .means("the number times itself")
//!     .titled("squares", "Numbers and their squares");
//! assert_eq!(table.columns[1].heading, "n²");
//! assert_eq!(table.print(1, 1), "9.00");
//! ```

use tailrank_data::frame::{self, Frame};
use tailrank_metrics::{Better, Score};

use crate::{EngineError, Result, text};

/// A table of results.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Its name in files: letters, digits, underscores and hyphens.
    pub id: String,
    /// One sentence above it.
    pub caption: String,
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows, one cell per column.
    pub rows: Vec<Vec<Cell>>,
    /// What is to be known of it, below.
    pub notes: Vec<String>,
}

impl Table {
    /// One row per item; its columns are declared one by one.
    pub fn of<T>(items: impl IntoIterator<Item = T>) -> TableOf<T> {
        TableOf::new(items)
    }

    /// Adds a note.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Places of the columns that people see.
    pub fn for_people(&self) -> Vec<usize> {
        (0..self.columns.len()).filter(|&c| self.columns[c].audience != Audience::Files).collect()
    }

    /// Places of the columns that files hold.
    pub fn for_files(&self) -> Vec<usize> {
        (0..self.columns.len()).filter(|&c| self.columns[c].audience != Audience::People).collect()
    }

    /// The place of a column.
    pub fn place(&self, id: &str) -> Option<usize> {
        self.columns.iter().position(|c| c.id == id)
    }

    /// The rows in which the key columns hold these words, without those columns; named after the words.
    #[must_use]
    pub fn part(&self, keys: &[(&str, &str)]) -> Self {
        let places: Vec<(usize, &str)> =
            keys.iter().filter_map(|(id, word)| Some((self.place(id)?, *word))).collect();
        let is_wanted = |row: &&Vec<Cell>| {
            places.iter().all(|&(c, word)| matches!(&row[c].value, Value::Text(t) if t == word))
        };
        let (ids, words): (Vec<&str>, Vec<String>) = keys.iter().map(|(id, word)| (*id, slug(word))).unzip();
        let part = Self {
            id: format!("{}-{}", self.id, words.join("-")),
            caption: self.caption.clone(),
            columns: self.columns.clone(),
            rows: self.rows.iter().filter(is_wanted).cloned().collect(),
            notes: self.notes.clone(),
        };
        part.without(&ids)
    }

    /// The table without some columns.
    #[must_use]
    pub fn without(mut self, ids: &[&str]) -> Self {
        for c in (0..self.columns.len()).rev().filter(|&c| ids.contains(&self.columns[c].id.as_str())) {
            self.rows.iter_mut().for_each(|row| drop(row.remove(c)));
        }
        self.columns.retain(|c| !ids.contains(&c.id.as_str()));
        self
    }

    /// Marks the best and the second of every column that has a good end; equals share their mark.
    pub fn mark_best(&mut self) {
        for c in 0..self.columns.len() {
            let Some(better) = self.columns[c].better else { continue };
            let value = |row: &Vec<Cell>| match row[c].value {
                Value::Number(v) => Some(v),
                _ => None,
            };
            let mut values: Vec<f64> = self.rows.iter().filter_map(value).collect();
            values.sort_by(f64::total_cmp);
            values.dedup();
            if better == Better::Higher {
                values.reverse();
            }
            // A column in which all are equal has no best.
            let [best, second, ..] = values[..] else { continue };
            for row in &mut self.rows {
                row[c].mark = match value(row) {
                    Some(v) if v == best => Mark::Best,
                    Some(v) if v == second => Mark::Second,
                    _ => continue,
                };
            }
        }
    }

    /// What a cell says to people, as plain text.
    pub fn print(&self, row: usize, column: usize) -> String {
        match &self.rows[row][column].value {
            Value::Text(t) => t.clone(),
            Value::Number(v) => self.columns[column].format.print(*v),
            Value::Undefined(_) => text::DASH.to_owned(),
        }
    }

    /// The table as named columns of full precision, for CSV and Parquet: undefined is a missing value.
    pub fn frame(&self) -> Result<Frame> {
        let column = |c: usize| {
            let cells = self.rows.iter().map(|row| &row[c].value);
            if self.columns[c].format.is_text() {
                let words = cells.map(|v| match v {
                    Value::Text(t) => t.clone(),
                    Value::Number(v) => v.to_string(),
                    Value::Undefined(_) => String::new(),
                });
                frame::Column::Text(words.collect())
            } else {
                let numbers = cells.map(|v| if let Value::Number(v) = v { *v } else { f64::NAN });
                frame::Column::Real(numbers.collect())
            }
        };
        let columns = self.for_files().into_iter().map(|c| (self.columns[c].id.clone(), column(c))).collect();
        Frame::new(columns).map_err(|e| EngineError::internal("tables", e))
    }

    /// The rows as JSON objects of full precision: undefined is null.
    pub fn json(&self) -> serde_json::Value {
        let places = self.for_files();
        let row = |row: &Vec<Cell>| {
            let pairs = places.iter().map(|&c| {
                let value = match &row[c].value {
                    Value::Text(t) => t.as_str().into(),
                    Value::Number(v) if self.columns[c].format == Format::Count && v.fract() == 0.0 => {
                        serde_json::Value::from(*v as i64)
                    }
                    Value::Number(v) => (*v).into(),
                    Value::Undefined(_) => serde_json::Value::Null,
                };
                (self.columns[c].id.clone(), value)
            });
            serde_json::Value::Object(pairs.collect())
        };
        self.rows.iter().map(row).collect()
    }
}

/// A file name's part from any name: letters and digits of ASCII, the rest hyphens; never empty, never a
/// path.
pub fn slug(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars().take(60) {
        if c.is_ascii_alphanumeric() {
            out.push(c.to_ascii_lowercase());
        } else if !out.ends_with('-') {
            out.push('-');
        }
    }
    let out = out.trim_matches('-');
    if out.is_empty() { "unnamed".to_owned() } else { out.to_owned() }
}

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

/// How the values of a column are written for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A name, on one line.
    Name,
    /// Sentences, which may wrap.
    Prose,
    /// Three significant digits.
    Number,
    /// A whole number.
    Count,
    /// Two decimals.
    Correlation,
    /// A share in percent.
    Percent,
    /// A p-value.
    P,
}

impl Format {
    /// Whether the column holds words.
    pub fn is_text(self) -> bool {
        matches!(self, Self::Name | Self::Prose)
    }

    /// A number as people read it, with an ASCII minus.
    pub fn print(self, value: f64) -> String {
        match self {
            Self::Name | Self::Prose | Self::Number => text::digits(value),
            // Ranks and shared places may be halves.
            Self::Count if value.fract() == 0.0 => format!("{value:.0}"),
            Self::Count => text::digits(value),
            Self::Correlation => text::two_decimals(value),
            Self::Percent => text::percent(value),
            Self::P => text::p_value(value),
        }
    }
}

/// Who a column is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Audience {
    /// Every printer.
    #[default]
    All,
    /// CSV, Parquet and JSON: details that would crowd a page.
    Files,
    /// Terminal, page, Markdown and LaTeX: a short form of columns that files hold one by one.
    People,
}

/// A column, declared once.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Its name in files.
    pub id: String,
    /// What stands above it for people.
    pub heading: String,
    /// How its values are written.
    pub format: Format,
    /// Which end is the good one, where there is one.
    pub better: Option<Better>,
    /// What it means, in a phrase.
    pub meaning: String,
    /// Who it is for.
    pub audience: Audience,
}

/// What stands above a column for people, with what it means; a longer meaning follows in [`TableOf::means`].
pub struct Heading {
    text: String,
    meaning: String,
}

impl From<&str> for Heading {
    fn from(text: &str) -> Self {
        (text, "").into()
    }
}

impl From<String> for Heading {
    fn from(text: String) -> Self {
        (text, "").into()
    }
}

impl<T: Into<String>, M: Into<String>> From<(T, M)> for Heading {
    fn from((text, meaning): (T, M)) -> Self {
        Self { text: text.into(), meaning: meaning.into() }
    }
}

/// A table as it is declared: one row per item, column after column.
pub struct TableOf<T> {
    items: Vec<T>,
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
}

impl<T> TableOf<T> {
    fn new(items: impl IntoIterator<Item = T>) -> Self {
        let items: Vec<T> = items.into_iter().collect();
        Self { columns: Vec::new(), rows: vec![Vec::new(); items.len()], items }
    }

    /// Adds a column: how it is written, its name in files, its heading for people (alone, or with what it
    /// means), and its value.
    #[must_use]
    pub fn column<V: Into<Cell>>(
        mut self,
        format: Format,
        id: impl Into<String>,
        heading: impl Into<Heading>,
        value: impl Fn(&T) -> V,
    ) -> Self {
        let (id, Heading { text: heading, meaning }) = (id.into(), heading.into());
        self.columns.push(Column { id, heading, format, better: None, meaning, audience: Audience::All });
        self.rows.iter_mut().zip(&self.items).for_each(|(row, item)| row.push(value(item).into()));
        self
    }

    /// Adds a column for CSV, Parquet and JSON only.
    #[must_use]
    pub fn file_column<V: Into<Cell>>(
        self,
        format: Format,
        id: impl Into<String>,
        heading: impl Into<Heading>,
        value: impl Fn(&T) -> V,
    ) -> Self {
        self.column(format, id, heading, value).audience(Audience::Files)
    }

    fn last(mut self, change: impl FnOnce(&mut Column)) -> Self {
        if let Some(last) = self.columns.last_mut() {
            change(last);
        }
        self
    }

    /// Says what the last column means, in a phrase that is too long for its heading.
    #[must_use]
    pub fn means(self, meaning: impl Into<String>) -> Self {
        self.last(|last| last.meaning = meaning.into())
    }

    /// Says which end of the last column is the good one.
    #[must_use]
    pub fn better(self, better: Better) -> Self {
        self.last(|last| last.better = Some(better))
    }

    /// Says who the last column is for.
    #[must_use]
    pub fn audience(self, audience: Audience) -> Self {
        self.last(|last| last.audience = audience)
    }

    /// The table: its name in files, and one sentence above it.
    pub fn titled(self, id: impl Into<String>, caption: impl Into<String>) -> Table {
        let (id, caption) = (id.into(), caption.into());
        Table { id, caption, columns: self.columns, rows: self.rows, notes: Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(values: &[Option<f64>], better: Better) -> Table {
        let x = Table::of(values.to_vec()).column(Format::Number, "x", "x", |v| *v).better(better);
        let mut table = x.titled("t", "");
        table.mark_best();
        table
    }

    #[test]
    fn best_and_second_follow_the_direction() {
        use Mark::{Best, None as No, Second};
        let marks = |table: Table| table.rows.iter().map(|r| r[0].mark).collect::<Vec<_>>();
        let five = [Some(2.0), None, Some(1.0), Some(1.0), Some(3.0)];
        assert_eq!(marks(numbers(&five, Better::Lower)), [Second, No, Best, Best, No]);
        assert_eq!(marks(numbers(&five, Better::Higher)), [Second, No, No, No, Best]);
        assert_eq!(marks(numbers(&[Some(2.0), Some(2.0)], Better::Higher)), [No, No]);
    }

    #[test]
    fn people_and_files_see_their_own_columns() {
        let table = Table::of([1_usize])
            .column(Format::Count, "a", "A", |n| *n)
            .file_column(Format::P, "b", "B", |_| 0.25)
            .column(Format::Name, "c", "C", |_| "1|2")
            .audience(Audience::People)
            .titled("t", "");
        assert_eq!((table.for_people(), table.for_files()), (vec![0, 2], vec![0, 1]));
        assert_eq!(table.json(), serde_json::json!([{ "a": 1, "b": 0.25 }]));
        assert_eq!(table.frame().unwrap().columns().len(), 2);
    }

    #[test]
    fn a_part_drops_its_key_columns() {
        let rows = [("x", 1.0), ("y", 2.0), ("x", 3.0)];
        let table = Table::of(rows)
            .column(Format::Name, "key", "key", |r| r.0)
            .column(Format::Number, "v", "v", |r| r.1)
            .titled("t", "");
        let part = table.part(&[("key", "x")]);
        assert_eq!((part.id.as_str(), part.columns.len(), part.rows.len()), ("t-x", 1, 2));
        assert_eq!((part.print(0, 0), part.print(1, 0)), ("1.00".to_owned(), "3.00".to_owned()));
    }

    #[test]
    fn names_of_files_are_harmless() {
        assert_eq!(slug("KO 3d"), "ko-3d");
        assert_eq!(slug("../../etc/passwd"), "etc-passwd");
        assert_eq!(slug("日本"), "unnamed");
    }
}
