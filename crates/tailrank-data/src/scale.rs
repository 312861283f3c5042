//! Scaling fitted on training rows, applied to any, undone for predictions.

use crate::{DataError, Result};

/// How values are scaled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Scaling {
    /// To mean 0 and standard deviation 1 (divisor n − 1, as R's `scale`).
    #[default]
    Standardise,
    /// To the range 0 … 1.
    MinMax,
}

/// Centre and width of each column, from training rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Scaler {
    centre: Vec<f64>,
    width: Vec<f64>,
}

impl Scaler {
    /// Fits to a row-major matrix of `cols` columns. A constant column is only moved, not stretched.
    ///
    /// ```
    /// use tailrank_data::{Scaler, Scaling};
    /// let mut train = [1.0, 10.0, 3.0, 30.0];
    /// let scaler = Scaler::fit(Scaling::MinMax, &train, 2)?;
    /// scaler.apply(&mut train);
    /// assert_eq!(train, [0.0, 0.0, 1.0, 1.0]);
    /// # Ok::<(), tailrank_data::DataError>(())
    /// ```
    pub fn fit(scaling: Scaling, train: &[f64], cols: usize) -> Result<Self> {
        if cols == 0 || train.is_empty() || !train.len().is_multiple_of(cols) {
            return Err(DataError::Setting {
                name: "train",
                value: format!("{} values", train.len()),
                expected: format!("at least one whole row of {cols} columns"),
            });
        }
        let column = |j: usize| train.iter().skip(j).step_by(cols).copied();
        let (centre, width) = (0..cols)
            .map(|j| match scaling {
                Scaling::Standardise => mean_and_sd(column(j)),
                Scaling::MinMax => {
                    let low = column(j).fold(f64::INFINITY, f64::min);
                    let high = column(j).fold(f64::NEG_INFINITY, f64::max);
                    (low, high - low)
                }
            })
            .map(|(centre, width)| (centre, if width > 0.0 && width.is_finite() { width } else { 1.0 }))
            .unzip();
        Ok(Self { centre, width })
    }

    /// Scales rows in place.
    pub fn apply(&self, rows: &mut [f64]) {
        for row in rows.chunks_mut(self.centre.len()) {
            for (j, value) in row.iter_mut().enumerate() {
                *value = (*value - self.centre[j]) / self.width[j];
            }
        }
    }

    /// Undoes [`Scaler::apply`], such as for predictions of a scaled target.
    pub fn invert(&self, rows: &mut [f64]) {
        for row in rows.chunks_mut(self.centre.len()) {
            for (j, value) in row.iter_mut().enumerate() {
                *value = *value * self.width[j] + self.centre[j];
            }
        }
    }

    /// Centre of each column.
    pub fn centre(&self) -> &[f64] {
        &self.centre
    }

    /// Width of each column.
    pub fn width(&self) -> &[f64] {
        &self.width
    }
}

fn mean_and_sd(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let n = values.clone().count() as f64;
    let first = values.clone().sum::<f64>() / n;
    // A second pass corrects the mean's rounding, so that a constant column has exactly no spread.
    let mean = first + values.clone().map(|v| v - first).sum::<f64>() / n;
    let squares: f64 = values.map(|v| (v - mean) * (v - mean)).sum();
    let sd = if n > 1.0 { (squares / (n - 1.0)).sqrt() } else { 0.0 };
    // Spread below the rounding of the mean is no spread.
    (mean, if sd <= 4.0 * f64::EPSILON * mean.abs() { 0.0 } else { sd })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standardise_equals_r_scale() {
        // R: scale(c(1, 2, 4, 9)) has centre 4 and scale 3.559026.
        let mut values = [1.0, 2.0, 4.0, 9.0];
        let scaler = Scaler::fit(Scaling::Standardise, &values, 1).unwrap();
        assert_eq!(scaler.centre(), [4.0]);
        assert!((scaler.width()[0] - (38.0f64 / 3.0).sqrt()).abs() < 1e-15);
        scaler.apply(&mut values);
        scaler.invert(&mut values);
        for (a, b) in values.iter().zip([1.0, 2.0, 4.0, 9.0]) {
            assert!((a - b).abs() < 1e-14);
        }
    }

    /// Spread is small beside the mean's rounding or it is not: how small the numbers are does not matter.
    #[test]
    fn a_small_spread_of_small_numbers_is_a_spread() {
        let (low, high) = (1e-3, 1e-3 + 2e-14);
        let mut values = [low, high];
        Scaler::fit(Scaling::Standardise, &values, 1).unwrap().apply(&mut values);
        // Two values stand at ∓1/√2; their mean is rounded to 1e-5 of their distance.
        assert!(
            (values[0] + 0.5f64.sqrt()).abs() < 1e-4 && (values[1] - 0.5f64.sqrt()).abs() < 1e-4,
            "{values:?}"
        );
    }

    #[test]
    fn a_constant_column_is_not_stretched() {
        for scaling in [Scaling::Standardise, Scaling::MinMax] {
            let mut values = [0.1; 7];
            let scaler = Scaler::fit(scaling, &values, 1).unwrap();
            scaler.apply(&mut values);
            assert!(values.iter().all(|v| v.abs() < 1e-15), "{values:?}");
            assert_eq!(scaler.width(), [1.0]);
        }
        assert!(Scaler::fit(Scaling::MinMax, &[], 1).is_err());
        assert!(Scaler::fit(Scaling::MinMax, &[1.0, 2.0, 3.0], 2).is_err());
    }
}
