//! Columns, declared once: name, heading, how values are written, what they mean, and who they are for.

use tailrank_metrics::Better;

use super::{Cell, Table};
use crate::text;

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
    pub(super) fn new(items: impl IntoIterator<Item = T>) -> Self {
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
