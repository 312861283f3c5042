//! Intervals of scores: from their values on resamples, or over a few clusters or folds.

use tailrank_metrics::MetricError;

use crate::{
    Word,
    distribution::{binomial_half_upper, normal_lower, normal_upper_quantile, student_upper_quantile},
    error::{Result, StatsError, check_count, check_finite, check_open_unit, check_rows, check_setting},
};

const TEST: &str = "a bootstrap interval";

/// An interval of a score.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::read_word"))]
    pub method: Word,
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

/// Efron's (1987) bias-corrected and accelerated interval, with the acceleration that the draws show: a sixth
/// of their skewness, which is the jackknife's for a mean.
///
/// Percentile intervals of losses that rest on a few large errors are too short on the side where the errors
/// lie. Where all draws lie on one side of the score, it is the percentile interval.
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

/// How far the estimate lies from the middle of the draws, in standard deviations; none where all lie on one
/// side of it.
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
        let (name, value) = ("resampled scores", values[row]);
        return Err(MetricError::NonFinite { name, row: row + 1, value }.into());
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

// Intervals of a mean or median over few values: independent clusters, such as the effects of one method on
// unrelated data sets, and runs over random divisions, which tell what other training rows would have given
// as well.

/// Fewest clusters with an interval. Of five, even their whole range holds the median in only 1 − 2·2⁻⁵ = 94
/// % of samples.
pub const FEWEST_CLUSTERS: usize = 6;

/// What an interval over clusters assumes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClusterMethod {
    /// Student's interval of the mean: values that are roughly normal.
    T,
    /// The interval of the median that inverts the sign test: no assumption beyond independence. Between
    /// order statistics it takes the narrowest that keeps the level.
    Sign,
}

/// The interval of the mean or of the median over clusters, one value each; none below [`FEWEST_CLUSTERS`].
///
/// ```
/// use tailrank_stats::{ClusterMethod, cluster_interval};
///
/// let effects = [0.3, 0.1, 0.4, 0.2, 0.5, 0.25];
/// let median = cluster_interval(&effects, ClusterMethod::Sign, 0.95)?;
/// assert_eq!((median.lower, median.upper), (0.1, 0.5)); // the whole range holds it in 31 of 32 samples
/// assert!(cluster_interval(&effects[..5], ClusterMethod::T, 0.95).is_err());
/// # Ok::<(), tailrank_stats::StatsError>(())
/// ```
pub fn cluster_interval(values: &[f64], method: ClusterMethod, level: f64) -> Result<Interval> {
    check_open_unit("level", level)?;
    let n = values.len();
    let (name, test) = ("clusters", "an interval over clusters");
    check_count(name, n, test, FEWEST_CLUSTERS, "add tasks that share neither rows nor dates")?;
    check_finite(name, values)?;
    let (mean, variance) = mean_and_variance(values);
    let error = (variance.max(0.0) / n as f64).sqrt();
    let tail = 0.5 * (1.0 - level);
    let (estimate, lower, upper, name) = match method {
        ClusterMethod::T => {
            let reach = student_upper_quantile(tail, (n - 1) as f64) * error;
            (mean, mean - reach, mean + reach, "t over clusters")
        }
        ClusterMethod::Sign => {
            let mut sorted = values.to_vec();
            sorted.sort_unstable_by(f64::total_cmp);
            // P(median below the k-th smallest value) = P(fewer than k of n fair coins show heads).
            let outside = |k: usize| binomial_half_upper((n - k + 1) as u64, n as u64);
            let Some(k) = (1..=n / 2).rev().find(|&k| outside(k) <= tail) else {
                let (needed, fix) = (FEWEST_CLUSTERS, "add tasks, or ask for a lower level");
                return Err(StatsError::TooFew { name, rows: n, test, needed, fix });
            };
            let median = 0.5 * (sorted[(n - 1) / 2] + sorted[n / 2]);
            (median, sorted[k - 1], sorted[n - k], "sign over clusters")
        }
    };
    Ok(Interval { estimate, lower, upper, standard_error: error, level, method: name, defined: n, draws: n })
}

/// Nadeau & Bengio's (2003) interval of a mean over the runs of a resampling scheme.
///
/// `values` holds one value a run (fold of a repeat): the mean loss of its test rows, or the
/// [`pseudo_values`] of a pooled measure. Runs share training rows, so the variance of their mean is
/// s²·(1/J + n_test/n_train) for J runs; the quantile is that of Student's distribution with J − 1 degrees
/// of freedom. For random divisions alone: windows of a series are not exchangeable.
///
/// ```
/// use tailrank_stats::corrected_interval;
///
/// let losses = [1.1, 0.9, 1.3, 1.0, 1.2];
/// let interval = corrected_interval(&losses, 80, 20, 0.95)?;
/// assert!((interval.standard_error - (0.025f64 * (0.2 + 0.25)).sqrt()).abs() < 1e-12);
/// # Ok::<(), tailrank_stats::StatsError>(())
/// ```
pub fn corrected_interval(values: &[f64], train: usize, test: usize, level: f64) -> Result<Interval> {
    check_open_unit("level", level)?;
    let n = values.len();
    check_rows("runs", n, "an interval over folds", 3)?;
    check_finite("runs", values)?;
    for (name, rows) in [("train", train), ("test", test)] {
        check_setting(rows > 0, name, 0.0, "give the number of rows in one run, at least 1")?;
    }
    let runs = n as f64;
    let (estimate, variance) = mean_and_variance(values);
    let standard_error = (variance.max(0.0) * (1.0 / runs + test as f64 / train as f64)).sqrt();
    let reach = student_upper_quantile(0.5 * (1.0 - level), runs - 1.0) * standard_error;
    let (lower, upper, method) = (estimate - reach, estimate + reach, "corrected over folds");
    Ok(Interval { estimate, lower, upper, standard_error, level, method, defined: n, draws: n })
}

/// Tukey's pseudo-values K·θ − (K − 1)·θ₋ₖ of a score pooled over K folds, from the scores without each fold.
///
/// For a mean over folds of equal size they are the folds' own means; for F and other ratios they are the
/// folds' linear parts.
pub fn pseudo_values(pooled: f64, without: &[f64]) -> Vec<f64> {
    let folds = without.len() as f64;
    without.iter().map(|rest| folds * pooled - (folds - 1.0) * rest).collect()
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

    /// A hundred draws on either side of the estimate and twenty at it: no bias, no acceleration, so the
    /// percentile interval.
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

    /// Python's `arch` with the jackknife's acceleration; `accelerated_interval` puts that of the draws in
    /// its place.
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

#[cfg(test)]
mod tests_of_few_values {
    use super::*;
    use crate::{distribution::normal_upper_quantile, shuffle::Uniform};

    /// R: t.test(c(.3, .1, .4, .2, .5, .25, -.1))$conf.int and the order statistics of qbinom(.025, 12, .5).
    #[test]
    fn intervals_are_those_of_the_tables() {
        let t = cluster_interval(&[0.3, 0.1, 0.4, 0.2, 0.5, 0.25, -0.1], ClusterMethod::T, 0.95).unwrap();
        let reach = 2.446_911_851_144_969 * 0.197_303_247_384_759_05 / 7f64.sqrt();
        assert!((t.estimate - 1.65 / 7.0).abs() < 1e-12);
        assert!((t.upper - t.estimate - reach).abs() < 1e-9 && (t.estimate - t.lower - reach).abs() < 1e-9);
        let twelve: Vec<f64> = (1..=12).map(f64::from).collect();
        let sign = cluster_interval(&twelve, ClusterMethod::Sign, 0.95).unwrap();
        // P(Bin(12, ½) ≤ 2) = .0193, ≤ 3: .0730, so the third smallest and the third largest.
        assert_eq!((sign.lower, sign.estimate, sign.upper), (3.0, 6.5, 10.0));
    }

    /// Both hold the centre of a symmetric distribution in 95 % of samples, the sign interval in no fewer for
    /// any shape.
    #[test]
    fn intervals_hold_the_truth_as_often_as_they_say() {
        let mut random = Uniform::seeded(8);
        for n in [6, 12] {
            let (mut t, mut sign) = (0, 0);
            for _ in 0..4000 {
                // A sum of uniforms is near normal; its cube is not, and keeps its median.
                let values: Vec<f64> =
                    (0..n).map(|_| (0..6).map(|_| random.unit() - 0.5).sum::<f64>()).collect();
                let cubes: Vec<f64> = values.iter().map(|v| v.powi(3)).collect();
                let holds = |i: Interval| usize::from(i.lower <= 0.0 && 0.0 <= i.upper);
                t += holds(cluster_interval(&values, ClusterMethod::T, 0.95).unwrap());
                sign += holds(cluster_interval(&cubes, ClusterMethod::Sign, 0.95).unwrap());
            }
            let share = |count: usize| count as f64 / 4000.0;
            assert!((0.935..0.965).contains(&share(t)), "t, {n}: {}", share(t));
            assert!((0.94..0.98).contains(&share(sign)), "sign, {n}: {}", share(sign));
        }
    }

    #[test]
    fn pseudo_values_of_a_mean_are_the_folds_means() {
        let folds = [1.0, 2.0, 6.0];
        let without: Vec<f64> = (0..3).map(|k| (9.0 - folds[k]) / 2.0).collect();
        for (pseudo, mean) in pseudo_values(3.0, &without).iter().zip(folds) {
            assert!((pseudo - mean).abs() < 1e-12);
        }
    }

    /// Five folds of 100 rows, models that learn a mean: intervals of the squared error hold the method's
    /// expected error in at least 90 % of worlds.
    #[test]
    fn intervals_hold_the_error_of_the_method() {
        let mut random = Uniform::seeded(2);
        let (n, folds, worlds) = (100, 5, 2000);
        // A mean of 80 training rows errs by 1/80, so that the expected loss is 1 + 1/80.
        let truth = 1.0 + 1.0 / 80.0;
        let mut held = 0;
        for _ in 0..worlds {
            let y: Vec<f64> = (0..n).map(|_| normal_upper_quantile(random.unit().max(1e-15))).collect();
            let total: f64 = y.iter().sum();
            let losses: Vec<f64> = y
                .chunks(n / folds)
                .map(|test| {
                    let learned = (total - test.iter().sum::<f64>()) / (n - test.len()) as f64;
                    test.iter().map(|v| (v - learned).powi(2)).sum::<f64>() / test.len() as f64
                })
                .collect();
            let interval = corrected_interval(&losses, 80, 20, 0.95).unwrap();
            held += usize::from(interval.lower <= truth && truth <= interval.upper);
        }
        let share = held as f64 / worlds as f64;
        assert!((0.9..0.995).contains(&share), "{share}");
        assert!(corrected_interval(&[1.0, 2.0], 80, 20, 0.95).is_err());
        assert!(corrected_interval(&[1.0, 2.0, 3.0], 80, 0, 0.95).is_err());
    }
}
