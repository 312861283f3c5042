//! Intervals of scores from their values on resamples.

use crate::{
    distribution::{normal_lower, normal_upper_quantile},
    draws::Draws,
    error::{Result, StatsError, check_columns, check_open_unit},
    resamples::Resamples,
    t_test::mean_and_variance,
};

const TEST: &str = "a bootstrap interval";

/// An interval of a score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The score of the data themselves.
    pub estimate: f64,
    /// Lower end.
    pub lower: f64,
    /// Upper end.
    pub upper: f64,
    /// Standard deviation over the draws; where an interval was rescaled, the error over slow waves.
    pub standard_error: f64,
    /// Coverage asked for, such as 0.95.
    pub level: f64,
    /// `"percentile"`, `"percentile, rescaled"`, `"BCa"`, or what an interval without draws rests on.
    pub method: &'static str,
    /// Draws on which the score was defined; clusters or folds where nothing was drawn.
    pub defined: usize,
    /// All draws, clusters or folds.
    pub draws: usize,
}

/// The percentile interval of a score from its values on the draws.
///
/// Draws on which it is undefined (NaN) are left out and counted; see [`Draws::fill_undefined`].
///
/// ```
/// use tailrank_stats::{Resamples, percentile_interval};
///
/// let gains = [0.2, 0.4, -0.1, 0.3, 0.5, 0.1, 0.3, 0.0, 0.4, 0.2];
/// let means = Resamples::stationary(10, 2.0, 2000, 1)?.means(&[gains])?;
/// let interval = percentile_interval(0.23, means.column(0), 0.95)?;
/// assert!(interval.lower > 0.0 && interval.upper < 0.4);
/// # Ok::<(), tailrank_stats::StatsError>(())
/// ```
pub fn percentile_interval(estimate: f64, values: &[f64], level: f64) -> Result<Interval> {
    let sorted = defined_sorted(estimate, values, level)?;
    let tail = 0.5 * (1.0 - level);
    Ok(interval(estimate, &sorted, values.len(), level, "percentile", [tail, 1.0 - tail]))
}

/// The percentile interval of a difference between two columns, draw by draw.
pub fn difference_interval(
    estimate: f64,
    draws: &Draws,
    left: usize,
    right: usize,
    level: f64,
) -> Result<Interval> {
    let differences: Vec<f64> =
        draws.column(left).iter().zip(draws.column(right)).map(|(a, b)| a - b).collect();
    percentile_interval(estimate, &differences, level)
}

/// Efron's (1987) bias-corrected and accelerated interval.
///
/// `jackknife` holds the score without each case (or block of cases); see [`jackknife_scores`].
pub fn bca_interval(estimate: f64, values: &[f64], jackknife: &[f64], level: f64) -> Result<Interval> {
    let sorted = defined_sorted(estimate, values, level)?;
    check_columns("jackknife", &[jackknife], "jackknife", jackknife.len())?;
    let undefined = |reason| StatsError::Degenerate { what: "a BCa interval", reason };
    // Ties with the estimate count by half.
    let below = sorted.iter().map(|&v| f64::from(v < estimate) + 0.5 * f64::from(v == estimate)).sum::<f64>();
    let share = below / sorted.len() as f64;
    if share <= 0.0 || share >= 1.0 {
        let reason = "all resampled scores lie on one side of the score itself; use the percentile interval";
        return Err(undefined(reason));
    }
    let bias = normal_upper_quantile(1.0 - share);
    let mean = jackknife.iter().sum::<f64>() / jackknife.len() as f64;
    let power = |p: i32| jackknife.iter().map(|v| (mean - v).powi(p)).sum::<f64>();
    let spread = power(2);
    if spread.sqrt() <= 1e-14 * mean.abs() || spread == 0.0 {
        return Err(undefined("no case changes the score; use the percentile interval"));
    }
    let acceleration = power(3) / (6.0 * spread.powf(1.5));
    let tail = 0.5 * (1.0 - level);
    let place = |z: f64| {
        let shifted = bias + z;
        normal_lower(bias + shifted / (1.0 - acceleration * shifted))
    };
    let z = normal_upper_quantile(tail);
    Ok(interval(estimate, &sorted, values.len(), level, "BCa", [place(-z), place(z)]))
}

/// The score without each block of `block` consecutive cases, from per-case terms and their finishing function.
///
/// A block of 1 is the ordinary jackknife; series need the block length of their bootstrap. One pass: every term's total minus
/// the block's.
pub fn jackknife_scores<C: AsRef<[f64]>>(
    terms: &[C],
    block: usize,
    mut finish: impl FnMut(&[f64]) -> f64,
) -> Result<Vec<f64>> {
    let n = terms.first().map_or(0, |t| t.as_ref().len());
    check_columns("terms", terms, "column 1", n)?;
    if block == 0 || 2 * block > n {
        let expected = "choose a block from 1 to half the number of cases";
        return Err(StatsError::Parameter { name: "block", value: block as f64, expected });
    }
    let totals: Vec<f64> = terms.iter().map(|t| t.as_ref().iter().sum()).collect();
    let mut rest = totals.clone();
    let scores = (0..n).step_by(block).map(|start| {
        let end = (start + block).min(n);
        for ((rest, total), term) in rest.iter_mut().zip(&totals).zip(terms) {
            *rest = total - term.as_ref()[start..end].iter().sum::<f64>();
        }
        finish(&rest)
    });
    Ok(scores.collect())
}

/// A percentile interval for any statistic of cases, one call per draw: the slow road, for medians and the like.
///
/// `statistic` gets the rows of a resample, so that it can pick the same rows from several columns. It answers `None` where it is
/// undefined.
pub fn resampled_interval(
    resamples: &Resamples,
    level: f64,
    mut statistic: impl FnMut(&[u32]) -> Option<f64>,
) -> Result<Interval> {
    let rows: Vec<u32> = (0..resamples.case_count() as u32).collect();
    let mut value = |rows: &[u32]| statistic(rows).unwrap_or(f64::NAN);
    let estimate = value(&rows);
    let values: Vec<f64> = (0..resamples.draws()).map(|draw| value(&resamples.rows(draw))).collect();
    percentile_interval(estimate, &values, level)
}

fn defined_sorted(estimate: f64, values: &[f64], level: f64) -> Result<Vec<f64>> {
    check_open_unit("level", level)?;
    if estimate.is_nan() {
        let reason = "the score of the data themselves is undefined";
        return Err(StatsError::Degenerate { what: TEST, reason });
    }
    let mut sorted: Vec<f64> = values.iter().copied().filter(|v| !v.is_nan()).collect();
    if let Some(row) = values.iter().position(|v| v.is_infinite()) {
        return Err(StatsError::NonFinite { name: "resampled scores", row: row + 1, value: values[row] });
    }
    let fix = "the score is undefined on nearly all draws; draw more, or say what undefined counts as";
    if sorted.len() < 2 {
        let rows = sorted.len();
        return Err(StatsError::TooFew { name: "resampled scores", rows, test: TEST, needed: 2, fix });
    }
    sorted.sort_unstable_by(f64::total_cmp);
    Ok(sorted)
}

fn interval(
    estimate: f64,
    sorted: &[f64],
    draws: usize,
    level: f64,
    method: &'static str,
    ends: [f64; 2],
) -> Interval {
    let [lower, upper] = ends.map(|p| quantile(sorted, p));
    let standard_error = mean_and_variance(sorted).1.max(0.0).sqrt();
    Interval { estimate, lower, upper, standard_error, level, method, defined: sorted.len(), draws }
}

/// The quantile of sorted values, linear between order statistics (type 7).
pub(crate) fn quantile(sorted: &[f64], probability: f64) -> f64 {
    let place = probability * (sorted.len() - 1) as f64;
    let (below, above) = (place.floor() as usize, place.ceil() as usize);
    sorted[below] + (place - place.floor()) * (sorted[above] - sorted[below])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variance_of_the_mean_is_politis_and_romanos() {
        // PR94 lemma 1: n·Var(mean*) = c₀ + 2Σ (1−i/n)(1−p)ⁱ cᵢ with circular autocovariances c.
        let series: Vec<f64> = (0..60).map(|i| (f64::from(i) * 0.4).sin() + f64::from(i % 7) * 0.1).collect();
        let n = series.len();
        let mean = series.iter().sum::<f64>() / n as f64;
        let circular = |lag: usize| {
            (0..n).map(|i| (series[i] - mean) * (series[(i + lag) % n] - mean)).sum::<f64>() / n as f64
        };
        let keep = 1.0 - 1.0 / 5.0f64;
        let weight = |i: usize| 2.0 * (1.0 - i as f64 / n as f64) * keep.powi(i as i32);
        let variance = (circular(0) + (1..n).map(|i| weight(i) * circular(i)).sum::<f64>()) / n as f64;
        let resamples = Resamples::stationary(n, 5.0, 40_000, 9).unwrap();
        let means = resamples.means(&[&series]).unwrap();
        let interval = percentile_interval(mean, means.column(0), 0.9).unwrap();
        assert!((interval.standard_error.powi(2) / variance - 1.0).abs() < 0.03);
        let statistic = |rows: &[u32]| Some(rows.iter().map(|&i| series[i as usize]).sum::<f64>() / n as f64);
        let slow = resampled_interval(&resamples, 0.9, statistic).unwrap();
        assert!((slow.lower - interval.lower).abs() < 1e-12 && (slow.upper - interval.upper).abs() < 1e-12);
    }

    #[test]
    fn undefined_draws_are_left_out_and_counted() {
        let values = [0.4, f64::NAN, 0.2, 0.6, f64::NAN];
        let interval = percentile_interval(0.4, &values, 0.5).unwrap();
        assert_eq!((interval.defined, interval.draws), (3, 5));
        assert!((interval.lower - 0.3).abs() < 1e-15 && (interval.upper - 0.5).abs() < 1e-15);
    }

    #[test]
    fn jackknife_leaves_blocks_out() {
        let terms = [[1.0, 2.0, 3.0, 4.0, 5.0], [1.0; 5]];
        let ratio = |s: &[f64]| s[0] / s[1];
        assert_eq!(jackknife_scores(&terms, 1, ratio).unwrap(), [3.5, 3.25, 3.0, 2.75, 2.5]);
        assert_eq!(jackknife_scores(&terms, 2, ratio).unwrap(), [4.0, 8.0 / 3.0, 2.5]);
    }

    /// A hundred draws on either side of the estimate and twenty at it: no bias, no acceleration, so the percentile interval.
    #[test]
    fn draws_equal_to_the_estimate_count_by_half() {
        let mut values: Vec<f64> = (-100..=100).map(f64::from).collect();
        values.extend([0.0; 20]);
        let jackknife: Vec<f64> = (-5..=5).map(f64::from).collect();
        let (bca, plain) = (
            bca_interval(0.0, &values, &jackknife, 0.9).unwrap(),
            percentile_interval(0.0, &values, 0.9).unwrap(),
        );
        assert!(
            (bca.lower - plain.lower).abs() < 1e-9 && (bca.upper - plain.upper).abs() < 1e-9,
            "{bca:?} {plain:?}"
        );
    }

    #[test]
    fn the_estimate_is_the_statistic_of_all_cases() {
        let resamples = Resamples::cases(10, 50, 1).unwrap();
        let values: Vec<f64> = (0..10).map(|i| 2.0_f64.powi(i)).collect();
        let sum = |rows: &[u32]| Some(rows.iter().map(|&r| values[r as usize]).sum::<f64>());
        assert_eq!(resampled_interval(&resamples, 0.9, sum).unwrap().estimate, 1023.0);
    }
}
