//! Intervals of scores from their values on resamples.

use crate::{
    distribution::{normal_lower, normal_upper_quantile},
    error::{Result, StatsError, check_count, check_open_unit},
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
    /// `"percentile"`, `"BCa"`, `"rescaled"`, or what an interval without draws rests on.
    pub method: &'static str,
    /// Draws on which the score was defined; clusters or folds where nothing was drawn.
    pub defined: usize,
    /// All draws, clusters or folds.
    pub draws: usize,
}

/// The percentile interval of a score from its values on the draws.
///
/// Draws on which it is undefined (NaN) are left out and counted.
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

/// Efron's (1987) bias-corrected and accelerated interval, with the acceleration that the draws show: a sixth of their
/// skewness, which is the jackknife's for a mean.
///
/// Percentile intervals of losses that rest on a few large errors are too short on the side where the errors lie. Where all draws
/// lie on one side of the score, it is the percentile interval.
///
/// ```
/// use tailrank_stats::{Resamples, accelerated_interval, percentile_interval};
///
/// let losses: Vec<f64> = (0..60).map(|i| f64::from(i % 12 / 11 * 40 + i % 5)).collect();
/// let means = Resamples::cases(60, 2000, 1)?.means(&[&losses])?;
/// let mean = losses.iter().sum::<f64>() / 60.0;
/// let accelerated = accelerated_interval(mean, means.column(0), 0.95)?;
/// assert!(accelerated.upper > percentile_interval(mean, means.column(0), 0.95)?.upper);
/// # Ok::<(), tailrank_stats::StatsError>(())
/// ```
pub fn accelerated_interval(estimate: f64, values: &[f64], level: f64) -> Result<Interval> {
    let (sorted, skewness) = (defined_sorted(estimate, values, level)?, skewness(values));
    let tail = 0.5 * (1.0 - level);
    let (method, ends) = match bias(estimate, &sorted) {
        Some(bias) if skewness.is_finite() => ("BCa", bca_ends(bias, skewness / 6.0, level)),
        _ => ("percentile", [tail, 1.0 - tail]),
    };
    Ok(interval(estimate, &sorted, values.len(), level, method, ends))
}

/// The skewness of the values that are defined; NaN where all are equal.
pub fn skewness(values: &[f64]) -> f64 {
    let defined = || values.iter().filter(|v| !v.is_nan());
    let count = defined().count() as f64;
    let mean = defined().sum::<f64>() / count;
    let power = |p: i32| defined().map(|v| (v - mean).powi(p)).sum::<f64>() / count;
    power(3) / power(2).powf(1.5)
}

/// How far the estimate lies from the middle of the draws, in standard deviations; none where all lie on one side of it.
fn bias(estimate: f64, sorted: &[f64]) -> Option<f64> {
    // Ties with the estimate count by half.
    let below = sorted.iter().map(|&v| f64::from(v < estimate) + 0.5 * f64::from(v == estimate)).sum::<f64>();
    let share = below / sorted.len() as f64;
    (share > 0.0 && share < 1.0).then(|| normal_upper_quantile(1.0 - share))
}

/// The places of the interval's ends among the draws (Efron 1987).
fn bca_ends(bias: f64, acceleration: f64, level: f64) -> [f64; 2] {
    let z = normal_upper_quantile(0.5 * (1.0 - level));
    // Beyond a quarter the formula turns back on itself.
    let acceleration = acceleration.clamp(-0.25, 0.25);
    let place = |z: f64| {
        let shifted = bias + z;
        normal_lower(bias + shifted / (1.0 - acceleration * shifted))
    };
    [place(-z), place(z)]
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
    check_count("resampled scores", sorted.len(), TEST, 2, fix)?;
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
fn quantile(sorted: &[f64], probability: f64) -> f64 {
    let place = probability * (sorted.len() - 1) as f64;
    let (below, above) = (place.floor() as usize, place.ceil() as usize);
    sorted[below] + (place - place.floor()) * (sorted[above] - sorted[below])
}

/// Mean and variance with divisor n − 1, in two passes.
pub(crate) fn mean_and_variance(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
    // Bailey's correction takes out what rounding of the mean leaves.
    let rest: f64 = values.iter().map(|v| v - mean).sum();
    (mean, (squares - rest * rest / n) / (n - 1.0))
}

/// Wilson's 95% interval of a share; NaN of nothing. Cases that overlap are counted as the fewer that do not.
///
/// ```
/// // R: prop.test(15, 50, correct = FALSE)$conf.int
/// let (lower, upper) = tailrank_stats::share_interval(15.0, 50.0);
/// assert!((lower - 0.191_035_535_008_809).abs() < 1e-13 && (upper - 0.437_503_504_644_534).abs() < 1e-13);
/// ```
pub fn share_interval(hits: f64, cases: f64) -> (f64, f64) {
    const Z: f64 = 1.959_963_984_540_054;
    let (share, z2) = (hits / cases, Z * Z / cases);
    let centre = (share + z2 / 2.0) / (1.0 + z2);
    let half = (share * (1.0 - share) / cases + z2 / (4.0 * cases)).sqrt() * Z / (1.0 + z2);
    (centre - half, centre + half)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resamples::Resamples;

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
    }

    #[test]
    fn undefined_draws_are_left_out_and_counted() {
        let values = [0.4, f64::NAN, 0.2, 0.6, f64::NAN];
        let interval = percentile_interval(0.4, &values, 0.5).unwrap();
        assert_eq!((interval.defined, interval.draws), (3, 5));
        assert!((interval.lower - 0.3).abs() < 1e-15 && (interval.upper - 0.5).abs() < 1e-15);
    }

    /// A hundred draws on either side of the estimate and twenty at it: no bias, no acceleration, so the percentile interval.
    #[test]
    fn draws_equal_to_the_estimate_count_by_half() {
        let mut values: Vec<f64> = (-100..=100).map(f64::from).collect();
        values.extend([0.0; 20]);
        let (bca, plain) = (
            accelerated_interval(0.0, &values, 0.9).unwrap(),
            percentile_interval(0.0, &values, 0.9).unwrap(),
        );
        assert!(
            (bca.lower - plain.lower).abs() < 1e-9 && (bca.upper - plain.upper).abs() < 1e-9,
            "{bca:?} {plain:?}"
        );
    }

    /// Python's `arch` with the jackknife's acceleration; `accelerated_interval` puts that of the draws in its place.
    #[test]
    fn ends_are_those_of_archs_bca_interval() {
        let cases: serde_json::Value =
            serde_json::from_str(include_str!("../tests/fixtures/bca_arch.json")).unwrap();
        let numbers = |v: &serde_json::Value| -> Vec<f64> {
            v.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
        };
        for case in cases["cases"].as_array().unwrap() {
            let (a, b) = (numbers(&case["a"]), numbers(&case["b"]));
            let is_ratio = case["statistic"] == "ratio";
            let of = |rows: &mut dyn Iterator<Item = usize>| {
                let sums =
                    rows.fold((0.0, 0.0), |s, i| (s.0 + a[i], s.1 + if is_ratio { b[i] } else { 1.0 }));
                sums.0 / sums.1
            };
            let estimate = of(&mut (0..a.len()));
            let draws = case["rows"].as_array().unwrap().iter();
            let mut values: Vec<f64> =
                draws.map(|draw| of(&mut numbers(draw).into_iter().map(|r| r as usize))).collect();
            values.sort_unstable_by(f64::total_cmp);
            let without: Vec<f64> =
                (0..a.len()).map(|left| of(&mut (0..a.len()).filter(|&i| i != left))).collect();
            let mean = without.iter().sum::<f64>() / without.len() as f64;
            let power = |p: i32| without.iter().map(|v| (mean - v).powi(p)).sum::<f64>();
            let acceleration = power(3) / (6.0 * power(2).powf(1.5));
            let level = case["level"].as_f64().unwrap();
            let ends = bca_ends(bias(estimate, &values).unwrap(), acceleration, level);
            for (end, expected) in ends.iter().zip(numbers(&case["bca"])) {
                assert!((quantile(&values, *end) - expected).abs() < 1e-12, "{case}");
            }
        }
    }
}
