//! Intervals over a few independent clusters, such as the effects of one method on unrelated data sets.

use crate::{
    distribution::{binomial_half_upper, student_upper_quantile},
    error::{Result, StatsError, check_count, check_finite, check_open_unit},
    interval::Interval,
    t_test::mean_and_variance,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shuffle::Uniform;

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
}
