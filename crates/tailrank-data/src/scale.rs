//! Scaling fitted on training rows, applied to any.

use crate::{DataError, Result};

/// Scales each column to the range 0 … 1 of the training rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Scaler {
    low: Vec<f64>,
    width: Vec<f64>,
}

impl Scaler {
    /// Fits to a row-major matrix of `cols` columns. A constant column is only moved, not stretched.
    ///
    /// ```
    /// use tailrank_data::Scaler;
    /// let mut train = [1.0, 10.0, 3.0, 30.0];
    /// let scaler = Scaler::fit(&train, 2)?;
    /// scaler.apply(&mut train);
    /// assert_eq!(train, [0.0, 0.0, 1.0, 1.0]);
    /// # Ok::<(), tailrank_data::DataError>(())
    /// ```
    pub fn fit(train: &[f64], cols: usize) -> Result<Self> {
        if cols == 0 || train.is_empty() || !train.len().is_multiple_of(cols) {
            let expected = format!("at least one whole row of {cols} columns");
            return Err(DataError::setting("train", format!("{} values", train.len()), expected));
        }
        let range = |j: usize| {
            let column = || train.iter().skip(j).step_by(cols).copied();
            let low = column().fold(f64::INFINITY, f64::min);
            let width = column().fold(f64::NEG_INFINITY, f64::max) - low;
            (low, if width > 0.0 && width.is_finite() { width } else { 1.0 })
        };
        let (low, width) = (0..cols).map(range).unzip();
        Ok(Self { low, width })
    }

    /// Scales rows in place.
    pub fn apply(&self, rows: &mut [f64]) {
        for row in rows.chunks_mut(self.low.len()) {
            for (j, value) in row.iter_mut().enumerate() {
                *value = (*value - self.low[j]) / self.width[j];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constant_column_is_not_stretched() {
        let mut values = [0.1; 7];
        let scaler = Scaler::fit(&values, 1).unwrap();
        scaler.apply(&mut values);
        assert!(values.iter().all(|v| v.abs() < 1e-15), "{values:?}");
        assert_eq!(scaler.width, [1.0]);
        assert!(Scaler::fit(&[], 1).is_err());
        assert!(Scaler::fit(&[1.0, 2.0, 3.0], 2).is_err());
    }
}
