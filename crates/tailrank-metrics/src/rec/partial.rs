//! Partial REC curves and partial Y CDFs (REC05 §4.1, §4.2): slices of the surface, drawn from the cases.

use super::curve::{RecError, StepCurve, errors};
use crate::error::{MetricError, Result};

/// The values v with `above` < v ≤ `up_to`; either end may be infinite.
///
/// Half-open intervals that meet share no value and leave none out, so slices add up to the whole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    above: f64,
    up_to: f64,
}

impl Interval {
    /// Every value.
    pub const ALL: Self = Self { above: f64::NEG_INFINITY, up_to: f64::INFINITY };

    /// `above` < v ≤ `up_to`.
    pub fn new(above: f64, up_to: f64) -> Result<Self> {
        if above.is_nan() || up_to.is_nan() || above >= up_to {
            let problem = format!("({above}, {up_to}] holds no value");
            return Err(MetricError::entry("interval", 0, problem, "give a lower end below the upper end"));
        }
        Ok(Self { above, up_to })
    }

    /// v ≤ `up_to`.
    pub fn at_most(up_to: f64) -> Result<Self> {
        Self::new(f64::NEG_INFINITY, up_to)
    }

    /// v > `above`.
    pub fn over(above: f64) -> Result<Self> {
        Self::new(above, f64::INFINITY)
    }

    /// Whether `value` lies in the interval.
    pub fn contains(self, value: f64) -> bool {
        self.above < value && value <= self.up_to
    }

    /// The open lower end.
    pub const fn above(self) -> f64 {
        self.above
    }

    /// The closed upper end.
    pub const fn up_to(self) -> f64 {
        self.up_to
    }
}

/// The partial REC curve P(ε ≤ e, y1 < Y ≤ y2) (REC05 eq. 3).
///
/// Its [`normalised`](StepCurve::normalised) form is P(ε ≤ e | y1 < Y ≤ y2).
///
/// ```
/// use tailrank_metrics::rec::{Interval, RecError, partial_rec_curve};
///
/// let (truth, predicted) = ([-0.03, 0.0, 0.01, 0.04], [-0.01, 0.0, 0.0, 0.03]);
/// let low = partial_rec_curve(&truth, &predicted, RecError::Absolute, Interval::at_most(-0.02)?)?;
/// assert_eq!(low.at(0.05), 0.25);
/// assert_eq!(low.normalised().map(|c| c.at(0.05)), Some(1.0));
/// # Ok::<(), tailrank_metrics::MetricError>(())
/// ```
pub fn partial_rec_curve(
    truth: &[f64],
    predicted: &[f64],
    error: RecError,
    targets: Interval,
) -> Result<StepCurve> {
    let errors = errors(truth, predicted, error)?;
    let inside = truth.iter().zip(&errors).filter(|&(&y, _)| targets.contains(y)).map(|(_, &e)| e);
    Ok(StepCurve::from_values(inside.collect(), truth.len() as u64))
}

/// The partial distribution of the target P(e1 < ε ≤ e2, Y ≤ y) (REC05 eq. 2): where errors of this size
/// occur.
///
/// An error of exactly zero belongs to [`Interval::at_most`] and to no interval that starts at zero.
pub fn partial_y_cdf(
    truth: &[f64],
    predicted: &[f64],
    error: RecError,
    error_range: Interval,
) -> Result<StepCurve> {
    let errors = errors(truth, predicted, error)?;
    let inside = truth.iter().zip(&errors).filter(|&(_, &e)| error_range.contains(e)).map(|(&y, _)| y);
    Ok(StepCurve::from_values(inside.collect(), truth.len() as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_interval_is_refused() {
        let err = Interval::new(1.0, 1.0).unwrap_err();
        assert_eq!(
            err.to_string(),
            "interval entry 1: (1, 1] holds no value; give a lower end below the upper end"
        );
        assert!(Interval::new(f64::NAN, 1.0).is_err());
    }

    #[test]
    fn zero_errors_are_small_errors() {
        let (y, z) = ([1.0, 2.0, 3.0], [1.0, 2.5, 1.0]);
        let small = partial_y_cdf(&y, &z, RecError::Absolute, Interval::at_most(0.5).unwrap()).unwrap();
        assert_eq!(small.corners().collect::<Vec<_>>(), [(1.0, 1.0 / 3.0), (2.0, 2.0 / 3.0)]);
        let nonzero = Interval::new(0.0, 0.5).unwrap();
        assert_eq!(partial_y_cdf(&y, &z, RecError::Absolute, nonzero).unwrap().cases(), 1);
    }

    #[test]
    fn a_range_without_cases_has_no_normalised_curve() {
        let range = Interval::over(10.0).unwrap();
        let curve = partial_rec_curve(&[1.0], &[2.0], RecError::Absolute, range).unwrap();
        assert_eq!((curve.cases(), curve.at(5.0), curve.area_over()), (0, 0.0, 0.0));
        assert!(curve.normalised().is_none());
    }
}
