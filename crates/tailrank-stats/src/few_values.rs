//! Intervals of a mean or median over few values: independent clusters, such as the effects of one method on unrelated data sets, and
//! runs over random divisions, which tell what other training rows would have given as well.

use crate::{
    distribution::{binomial_half_upper, student_upper_quantile},
    error::{Result, StatsError, check_count, check_finite, check_open_unit, check_rows, check_setting},
    interval::{Interval, mean_and_variance},
};

/// Fewest clusters with an interval. Of five, even their whole range holds the median in only 1 − 2·2⁻⁵ = 94 % of samples.
pub const FEWEST_CLUSTERS: usize = 6;

/// What an interval over clusters assumes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClusterMethod {
    /// Student's interval of the mean: values that are roughly normal.
    T,
    /// The interval of the median that inverts the sign test: no assumption beyond independence. Between order statistics it takes
    /// the narrowest that keeps the level.
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
    check_finite("clusters", values)?;
    let n = values.len();
    let (name, test) = ("clusters", "an interval over clusters");
    check_count(name, n, test, FEWEST_CLUSTERS, "add tasks that share neither rows nor dates")?;
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
/// `values` holds one value a run (fold of a repeat): the mean loss of its test rows, or the [`pseudo_values`] of a pooled measure.
/// Runs share training rows, so the variance of their mean is s²·(1/J + n_test/n_train) for J runs; the quantile is that of
/// Student's distribution with J − 1 degrees of freedom. For random divisions alone: windows of a series are not exchangeable.
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
/// For a mean over folds of equal size they are the folds' own means; for F and other ratios they are the folds' linear parts.
pub fn pseudo_values(pooled: f64, without: &[f64]) -> Vec<f64> {
    let folds = without.len() as f64;
    without.iter().map(|rest| folds * pooled - (folds - 1.0) * rest).collect()
}

#[cfg(test)]
mod tests {
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

    /// Both hold the centre of a symmetric distribution in 95 % of samples, the sign interval in no fewer for any shape.
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

    /// Five folds of 100 rows, models that learn a mean: intervals of the squared error hold the method's expected error in at least
    /// 90 % of worlds.
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
