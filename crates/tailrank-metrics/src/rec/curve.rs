//! The REC curve and the step function that it, its partial forms and the partial Y CDFs share.

use crate::error::{MetricError, Result, check_pair};

/// The error whose distribution is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RecError {
    /// |ŷ − y|: the area over the curve is the MAD.
    #[default]
    Absolute,
    /// (ŷ − y)²: the area over the curve is the MSE.
    Squared,
}

impl RecError {
    /// The error of one prediction.
    #[inline]
    pub fn of(self, truth: f64, predicted: f64) -> f64 {
        let error = predicted - truth;
        match self {
            Self::Absolute => error.abs(),
            Self::Squared => error * error,
        }
    }
}

/// A right-continuous step function x ↦ #{values ≤ x} / total.
///
/// The counts are whole numbers, so partial curves add up to the whole exactly.
#[derive(Clone, Debug, PartialEq)]
pub struct StepCurve {
    /// Distinct values, ascending.
    x: Vec<f64>,
    /// How many values are at most `x`.
    count: Vec<u64>,
    /// What a probability of one stands for.
    total: u64,
}

impl StepCurve {
    /// The curve of `values` (any order, all finite), as a share of `total` cases.
    pub(super) fn from_values(mut values: Vec<f64>, total: u64) -> Self {
        values.sort_unstable_by(f64::total_cmp);
        let mut count: Vec<u64> = Vec::with_capacity(values.len());
        // Distinct values move to the front of the sorted ones; no second vector is needed.
        let mut distinct = 0;
        for i in 0..values.len() {
            if distinct > 0 && values[i] == values[distinct - 1] {
                count[distinct - 1] += 1;
            } else {
                values[distinct] = values[i];
                count.push(i as u64 + 1);
                distinct += 1;
            }
        }
        values.truncate(distinct);
        Self { x: values, count, total }
    }

    /// The height at `x`: P(value ≤ x).
    pub fn at(&self, x: f64) -> f64 {
        self.share(self.count_at(x))
    }

    /// The heights at many points, which may come in any order.
    pub fn at_points(&self, points: &[f64]) -> Vec<f64> {
        points.iter().map(|&x| self.at(x)).collect()
    }

    /// How many cases lie at or below `x`.
    pub fn count_at(&self, x: f64) -> u64 {
        match self.x.partition_point(|&v| v <= x) {
            0 => 0,
            k => self.count[k - 1],
        }
    }

    /// The corners (x, height at x), ascending in both.
    pub fn corners(&self) -> impl ExactSizeIterator<Item = (f64, f64)> + '_ {
        self.x.iter().zip(&self.count).map(|(&x, &c)| (x, self.share(c)))
    }

    /// Number of cases under the curve.
    pub fn cases(&self) -> u64 {
        self.count.last().copied().unwrap_or(0)
    }

    /// Number of cases that make up a height of one.
    pub const fn total(&self) -> u64 {
        self.total
    }

    /// The largest value, if there is any.
    pub fn largest(&self) -> Option<f64> {
        self.x.last().copied()
    }

    /// The smallest x at which the curve reaches height `p`; none if it never does.
    pub fn quantile(&self, p: f64) -> Option<f64> {
        let k = self.count.partition_point(|&c| self.share(c) < p);
        self.x.get(k).copied()
    }

    /// Area between the curve and its final height, from zero to the largest value.
    ///
    /// For a whole REC curve this is the mean error (Bi & Bennett 2003): MAD or MSE. For a partial curve it
    /// is the sum of the errors in the range over all cases; after [`normalised`](Self::normalised), their
    /// mean. Meant for errors, which start at zero.
    pub fn area_over(&self) -> f64 {
        self.largest().map_or(0.0, |end| self.area_over_to(end))
    }

    /// [`area_over`](Self::area_over) up to `limit`, to compare curves on one range of error.
    pub fn area_over_to(&self, limit: f64) -> f64 {
        let cases = self.cases();
        let (mut area, mut left, mut below) = (0.0, 0.0, 0);
        for (&x, &c) in self.x.iter().zip(&self.count) {
            if x >= limit {
                break;
            }
            area += (x - left) * self.share(cases - below);
            (left, below) = (x, c);
        }
        area + (self.largest().map_or(left, |end| end.min(limit)) - left).max(0.0) * self.share(cases - below)
    }

    /// The same curve with its own cases as the whole; none if it has no case.
    pub fn normalised(&self) -> Option<Self> {
        let cases = self.cases();
        (cases > 0).then(|| Self { total: cases, ..self.clone() })
    }

    pub(super) fn steps(&self) -> (&[f64], &[u64]) {
        (&self.x, &self.count)
    }

    pub(super) fn share(&self, count: u64) -> f64 {
        count as f64 / self.total as f64
    }
}

/// The REC curve P(ε ≤ e).
///
/// ```
/// use tailrank_metrics::rec::{RecError, rec_curve};
///
/// let curve = rec_curve(&[0.0, 0.0, 0.0, 0.0], &[0.1, -0.2, 0.2, 0.5], RecError::Absolute)?;
/// assert_eq!(curve.at_points(&[0.0, 0.1, 0.2, 1.0]), [0.0, 0.25, 0.75, 1.0]);
/// assert!((curve.area_over() - 0.25).abs() < 1e-15); // the mean absolute error
/// # Ok::<(), tailrank_metrics::MetricError>(())
/// ```
pub fn rec_curve(truth: &[f64], predicted: &[f64], error: RecError) -> Result<StepCurve> {
    let errors = errors(truth, predicted, error)?;
    let total = errors.len() as u64;
    Ok(StepCurve::from_values(errors, total))
}

/// The error of every case; an error that overflows is refused, since no curve can show it.
pub(super) fn errors(truth: &[f64], predicted: &[f64], error: RecError) -> Result<Vec<f64>> {
    check_pair(truth, predicted)?;
    let errors: Vec<f64> = truth.iter().zip(predicted).map(|(&y, &z)| error.of(y, z)).collect();
    match errors.iter().position(|e| !e.is_finite()) {
        Some(i) => Err(MetricError::NonFinite { name: "error", row: i + 1, value: errors[i] }),
        None => Ok(errors),
    }
}

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
    fn equal_errors_make_one_step() {
        let curve = rec_curve(&[1.0, 2.0, 3.0], &[2.0, 1.0, 3.0], RecError::Squared).unwrap();
        assert_eq!(curve.corners().collect::<Vec<_>>(), [(0.0, 1.0 / 3.0), (1.0, 1.0)]);
        assert_eq!(curve.quantile(0.5), Some(1.0));
        assert_eq!(curve.quantile(0.1), Some(0.0));
        assert_eq!(curve.quantile(1.1), None);
        assert_eq!(curve.at(-1.0), 0.0);
    }

    #[test]
    fn area_to_a_limit_stops_there() {
        let curve = rec_curve(&[0.0, 0.0], &[1.0, 3.0], RecError::Absolute).unwrap();
        assert_eq!(curve.area_over_to(0.5), 0.5);
        assert_eq!(curve.area_over_to(1.0), 1.0);
        assert_eq!(curve.area_over_to(2.0), 1.5);
        assert_eq!(curve.area_over_to(9.0), 2.0);
        assert_eq!(curve.area_over(), 2.0);
    }

    #[test]
    fn an_overflowing_error_is_named() {
        let err = rec_curve(&[0.0, 0.0], &[0.0, 1e200], RecError::Squared).unwrap_err();
        assert_eq!(
            err.to_string(),
            "error row 2 is inf: every value must be finite; drop or impute that case"
        );
    }
}

#[cfg(test)]
mod tests_of_partial {
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
