//! Columns as they were found in a file.

use std::borrow::Cow;

use crate::date::Stamp;

/// How a column should be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ReadAs {
    /// Numbers if every cell with a value is one; words for "missing" count as none.
    Number,
    /// As `Number`, but only an empty cell is missing and numbers have a point: what programs write.
    Plain,
    Text,
    Date,
}

/// A column as it was found: text, if it was asked for as numbers and a cell is not one.
#[derive(Clone)]
pub(crate) enum Column {
    /// Missing is NaN.
    Numbers(Vec<f64>),
    Text(Texts),
    Stamps(Vec<Option<Stamp>>),
}

impl Column {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Numbers(v) => v.len(),
            Self::Text(v) => v.len(),
            Self::Stamps(v) => v.len(),
        }
    }

    /// The cell of `row` (from 0) as text.
    pub(crate) fn cell(&self, row: usize) -> Cow<'_, str> {
        match self {
            Self::Numbers(v) if v[row].is_nan() => Cow::Borrowed(""),
            Self::Numbers(v) => Cow::Owned(v[row].to_string()),
            Self::Text(v) => Cow::Borrowed(v.get(row)),
            Self::Stamps(v) => Cow::Owned(v[row].map(|s| s.to_string()).unwrap_or_default()),
        }
    }

    /// As [`Column::cell`], for messages.
    pub(crate) fn text(&self, row: usize) -> String {
        self.cell(row).into_owned()
    }
}

/// Texts one after the other in one piece of memory.
#[derive(Clone, Default)]
pub(crate) struct Texts {
    text: String,
    ends: Vec<usize>,
}

impl Texts {
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn get(&self, row: usize) -> &str {
        let start = row.checked_sub(1).map_or(0, |above| self.ends[above]);
        &self.text[start..self.ends[row]]
    }

    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        (0..self.len()).map(|row| self.get(row))
    }
}

impl<S: AsRef<str>> Extend<S> for Texts {
    fn extend<I: IntoIterator<Item = S>>(&mut self, cells: I) {
        for cell in cells {
            self.text.push_str(cell.as_ref());
            self.ends.push(self.text.len());
        }
    }
}

impl<S: AsRef<str>> FromIterator<S> for Texts {
    fn from_iter<I: IntoIterator<Item = S>>(cells: I) -> Self {
        let mut texts = Self::default();
        texts.extend(cells);
        texts
    }
}

/// Texts that mean "no value here".
pub(crate) fn is_missing(text: &str) -> bool {
    ["", "?", ".", "-", "NA", "N/A", "n/a", "na", "NaN", "nan", "NULL", "null", "None", "#N/A"]
        .contains(&text)
}
