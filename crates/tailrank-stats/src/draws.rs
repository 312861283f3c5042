//! A table of resampled values: one row per draw, one column per variant or term.

use crate::error::{Result, StatsError, check_columns};

/// Values of several columns (variants, terms) on the same draws; stored column by column.
///
/// NaN stands for a score that is undefined on a draw. What that means differs by question: ranks put it last
/// ([`crate::best_shares`]), intervals leave the draw out and count it ([`crate::percentile_interval`]), confidence sets
/// refuse it. [`Draws::fill_undefined`] settles it once for all of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Draws {
    draws: usize,
    values: Vec<f64>,
}

impl Draws {
    /// From columns of equal length; each column holds one value per draw.
    pub fn from_columns(columns: &[Vec<f64>]) -> Result<Self> {
        let draws = columns.first().map_or(0, Vec::len);
        if draws == 0 {
            let fix = "draw at least once, usually 1000 times";
            return Err(StatsError::TooFew {
                name: "draws",
                rows: 0,
                test: "a resampled table",
                needed: 1,
                fix,
            });
        }
        if let Some(other) = columns.iter().find(|c| c.len() != draws) {
            let (left, right) = (other.len(), draws);
            return Err(StatsError::LengthMismatch {
                left_name: "a column",
                left,
                right_name: "column 1",
                right,
            });
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

    /// Puts `value` wherever a score is undefined (NaN): F of a resample without signals counts as 0, for instance.
    #[must_use]
    pub fn fill_undefined(mut self, value: f64) -> Self {
        self.values.iter_mut().filter(|v| v.is_nan()).for_each(|v| *v = value);
        self
    }

    /// Every column minus column `base`, draw by draw: the differences to a winner or a baseline.
    ///
    /// ```
    /// use tailrank_stats::Draws;
    ///
    /// let scores = Draws::from_columns(&[vec![0.5, 0.25], vec![0.75, 0.0]])?;
    /// assert_eq!(scores.minus_column(0).column(1), [0.25, -0.25]);
    /// # Ok::<(), tailrank_stats::StatsError>(())
    /// ```
    pub fn minus_column(&self, base: usize) -> Self {
        let base = self.column(base).to_vec();
        let values = self.iter().flat_map(|c| c.iter().zip(&base).map(|(a, b)| a - b)).collect();
        Self { draws: self.draws, values }
    }

    pub(crate) fn check_finite(&self, name: &'static str) -> Result<()> {
        check_columns(name, &self.iter().collect::<Vec<_>>(), name, self.draws)
    }
}
