//! The box plots that decide which values are extreme: Tukey's, the medcouple-adjusted one, and PR09's
//! fences.

use super::medcouple::medcouple;
use crate::{
    MetricError, Result,
    error::{check_finite, check_setting},
};

/// Which box plot decides what an outlier is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BoxPlot {
    /// Tukey's: fences at the hinges ± coef · spread; control points at the whiskers (uba, UBL, IRon
    /// `asym = FALSE`).
    #[default]
    Plain,
    /// Hubert & Vandervieren's, skewed by the medcouple; control points at the fences (IRon's default).
    Adjusted,
}

/// What a box plot says about a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoxStats {
    /// Smallest value.
    pub min: f64,
    /// Lower hinge.
    pub lower_hinge: f64,
    /// Median.
    pub median: f64,
    /// Upper hinge.
    pub upper_hinge: f64,
    /// Largest value.
    pub max: f64,
    /// Values below this are outliers.
    pub lower_fence: f64,
    /// Values above this are outliers.
    pub upper_fence: f64,
    /// Smallest value that is no outlier.
    pub lower_whisker: f64,
    /// Largest value that is no outlier.
    pub upper_whisker: f64,
}

impl BoxStats {
    /// Box plot statistics of `values`; `coef` is the length of the whiskers in hinge spreads (usually 1.5).
    ///
    /// ```
    /// use tailrank_metrics::relevance::{BoxPlot, BoxStats};
    /// let stats = BoxStats::new(&[1.0, 2.0, 3.0, 4.0, 5.0, 60.0], 1.5, BoxPlot::Plain)?;
    /// assert_eq!((stats.median, stats.upper_whisker, stats.max), (3.5, 5.0, 60.0));
    /// # Ok::<(), tailrank_metrics::MetricError>(())
    /// ```
    pub fn new(values: &[f64], coef: f64, kind: BoxPlot) -> Result<Self> {
        check_finite("targets", values)?;
        let is_allowed = coef >= 0.0 && coef.is_finite();
        check_setting(is_allowed, "coef", coef, "the whisker length coef must be 0 or more")?;
        let mut sorted = values.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let n = sorted.len();
        // Tukey's five numbers as R's fivenum: a half position is the mean of its two neighbours.
        let at = |position: f64| {
            let below = position.floor() as usize;
            let above = position.ceil() as usize;
            0.5 * (sorted[below - 1] + sorted[above - 1])
        };
        let quarter = ((n as f64 + 3.0) / 2.0).floor() / 2.0;
        let (lower_hinge, upper_hinge) = (at(quarter), at(n as f64 + 1.0 - quarter));
        let median = at((n as f64 + 1.0) / 2.0);
        let spread = upper_hinge - lower_hinge;
        let (lower_coef, upper_coef) = match kind {
            BoxPlot::Plain => (coef, coef),
            // Hubert & Vandervieren's exponents −4 and 3, which change places for a left skew.
            BoxPlot::Adjusted => match medcouple(&sorted) {
                mc if mc >= 0.0 => (coef * (-4.0 * mc).exp(), coef * (3.0 * mc).exp()),
                mc => (coef * (-3.0 * mc).exp(), coef * (4.0 * mc).exp()),
            },
        };
        let lower_fence = lower_hinge - lower_coef * spread;
        let upper_fence = upper_hinge + upper_coef * spread;
        let first = sorted.partition_point(|&v| v < lower_fence);
        let last = sorted.partition_point(|&v| v <= upper_fence);
        Ok(Self {
            min: sorted[0],
            lower_hinge,
            median,
            upper_hinge,
            max: sorted[n - 1],
            lower_fence,
            upper_fence,
            lower_whisker: sorted[first.min(n - 1)],
            upper_whisker: sorted[last.max(1) - 1],
        })
    }
}

/// PR09's automatic centres: Q1 − 1.5·IQR and Q3 + 1.5·IQR with quantiles of type 7.
pub(super) fn pr09_fences(values: &[f64]) -> Result<(f64, f64)> {
    check_finite("targets", values)?;
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    refuse_constant(sorted[0], sorted[sorted.len() - 1])?;
    let quantile = |p: f64| {
        let position = p * (sorted.len() - 1) as f64;
        let below = position.floor() as usize;
        let above = (below + 1).min(sorted.len() - 1);
        sorted[below] + (position - below as f64) * (sorted[above] - sorted[below])
    };
    let (q1, q3) = (quantile(0.25), quantile(0.75));
    Ok((q1 - 1.5 * (q3 - q1), q3 + 1.5 * (q3 - q1)))
}

pub(super) fn refuse_constant(min: f64, max: f64) -> Result<()> {
    if min == max {
        let fix =
            "give the relevance function by hand (`range`, `table` or sigmoid centres) or use other data";
        return Err(MetricError::no_relevance(format!("every target equals {min}"), fix));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// R: `quantile(c(1, 1, 1, 5), c(0.25, 0.75))` is 1 and 2.
    #[test]
    fn one_other_value_is_enough_for_fences() {
        assert_eq!(pr09_fences(&[1.0, 5.0, 1.0, 1.0]).unwrap(), (-0.5, 3.5));
        assert_eq!(pr09_fences(&[1.0, -3.0, 1.0, 1.0]).unwrap(), (-1.5, 2.5));
        let error = pr09_fences(&[1.0; 4]).unwrap_err().to_string();
        assert!(error.contains("every target equals 1;"), "{error}");
    }

    /// R: `boxplot.stats(3)$stats` is 3 throughout.
    #[test]
    fn one_value_is_its_own_box() {
        let stats = BoxStats::new(&[3.0], 1.5, BoxPlot::Plain).unwrap();
        assert_eq!((stats.lower_whisker, stats.median, stats.upper_whisker), (3.0, 3.0, 3.0));
    }
}
