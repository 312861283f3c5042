//! A table of resampled values: one row per draw, one column per variant or term.

use crate::error::{Result, check_columns, check_count, check_lengths};

/// Values of several columns (variants, terms) on the same draws; stored column by column.
///
/// NaN stands for a score that is undefined on a draw. What that means differs by question: ranks put it last
/// ([`crate::best_shares`]), intervals leave the draw out and count it ([`crate::percentile_interval`]),
/// confidence sets refuse it.
#[derive(Clone, Debug, PartialEq)]
pub struct Draws {
    draws: usize,
    values: Vec<f64>,
}

impl Draws {
    /// From columns of equal length; each column holds one value per draw.
    pub fn from_columns(columns: &[Vec<f64>]) -> Result<Self> {
        let draws = columns.first().map_or(0, Vec::len);
        check_count("draws", draws, "a resampled table", 1, "draw at least once, usually 1000 times")?;
        for column in columns {
            check_lengths("a column", column.len(), "column 1", draws)?;
        }
        Ok(Self { draws, values: columns.concat() })
    }

    pub(crate) fn from_values(draws: usize, values: Vec<f64>) -> Self {
        Self { draws, values }
    }

    /// Number of draws (rows).
    pub fn draws(&self) -> usize {
        self.draws
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.values.len() / self.draws
    }

    /// The values of one column, one per draw.
    pub fn column(&self, column: usize) -> &[f64] {
        &self.values[column * self.draws..(column + 1) * self.draws]
    }

    pub(crate) fn value(&self, column: usize, draw: usize) -> f64 {
        self.values[column * self.draws + draw]
    }

    /// All columns in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        self.values.chunks_exact(self.draws)
    }

    pub(crate) fn check_finite(&self, name: &'static str) -> Result<()> {
        check_columns(name, &self.iter().collect::<Vec<_>>(), name, self.draws)
    }
}
