//! Columns, declared once: name, heading, how values are written, what they mean, and who they are for.

use tailrank_metrics::Better;

use super::Cell;
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

/// A column with the way to fill it from one item of what the table lists.
pub struct ColumnOf<'a, T> {
    pub(super) column: Column,
    pub(super) value: Box<dyn Fn(&T) -> Cell + 'a>,
}

/// Declares a column: its name in files, its heading for people, how it is written, what it means, and its value.
pub fn column<'a, T, V: Into<Cell>>(
    id: impl Into<String>,
    heading: impl Into<String>,
    format: Format,
    meaning: impl Into<String>,
    value: impl Fn(&T) -> V + 'a,
) -> ColumnOf<'a, T> {
    ColumnOf {
        column: Column {
            id: id.into(),
            heading: heading.into(),
            format,
            better: None,
            meaning: meaning.into(),
            audience: Audience::All,
        },
        value: Box::new(move |item| value(item).into()),
    }
}

impl<T> ColumnOf<'_, T> {
    /// Says which end is the good one.
    #[must_use]
    pub fn better(mut self, better: Better) -> Self {
        self.column.better = Some(better);
        self
    }

    /// For CSV, Parquet and JSON only.
    #[must_use]
    pub fn for_files(mut self) -> Self {
        self.column.audience = Audience::Files;
        self
    }

    /// For people only.
    #[must_use]
    pub fn for_people(mut self) -> Self {
        self.column.audience = Audience::People;
        self
    }
}
