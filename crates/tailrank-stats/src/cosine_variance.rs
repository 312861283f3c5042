//! Standard errors that see slow waves: equal-weighted cosines (Müller 2007; Lazarus, Lewis, Stock & Watson
//! 2018).
//!
//! Losses on returns inherit the volatility's slow waves. Each lag's autocorrelation is too small to be seen,
//! but they add up, and rules that choose blocks or bandwidths by single lags (Politis & White 2004, Newey &
//! West 1994) leave most of the sum out. A cosine that turns j times half around in the whole period has the
//! waves' full weight: with x̄ the mean of n cases, √2·Σ cos(πj(i − ½)/n)·xᵢ has the variance of Σxᵢ, and the
//! mean square of the first [`COSINES`] of them estimates it with as many degrees of freedom.

use std::f64::consts::{PI, SQRT_2};

use crate::{
    distribution::{normal_upper_quantile, student_upper_quantile},
    error::{Result, check_columns, check_open_unit, check_rows},
    interval::Interval,
    resamples::slices,
};

const TEST: &str = "a standard error over slow waves";

/// Cosines behind a standard error, and its degrees of freedom.
///
/// More see only faster waves, fewer need wider intervals. How often intervals with 12 hold the truth on
/// autoregressions, GARCH and series that had no part in the choice stands in `results/calibration/`.
pub const COSINES: usize = 12;

/// How far sums are moved to see how a score follows them; small against their spread, large against
/// rounding.
const STEP: f64 = 1.0 / 1024.0;

/// How far a score moves with each slow wave of its terms; their mean square is its variance.
pub type Waves = [f64; COSINES];

/// How scores that are functions of sums of per-case terms in time order move with each cosine.
///
/// `finish` writes `scores` scores from the sums of all terms. A score that is undefined near the sums of the
/// data gets NaN. The waves of a difference of two scores are the differences of their waves.
pub fn long_run_waves<C: AsRef<[f64]>>(
    terms: &[C],
    scores: usize,
    mut finish: impl FnMut(&[f64], &mut [f64]),
) -> Result<Vec<Waves>> {
    let terms = slices(terms);
    let n = terms.first().map_or(0, |t| t.len());
    check_columns("terms", &terms, "column 1", n)?;
    check_rows("terms", n, TEST, 2 * COSINES)?;
    let sums = wave_sums(&terms);
    let (mut up, mut down) = (vec![0.0; scores], vec![0.0; scores]);
    let mut waves = vec![[0.0; COSINES]; scores];
    for j in 0..COSINES {
        let moved =
            |sign: f64| -> Vec<f64> { sums.iter().map(|(whole, w)| whole + sign * STEP * w[j]).collect() };
        finish(&moved(1.0), &mut up);
        finish(&moved(-1.0), &mut down);
        for (wave, (up, down)) in waves.iter_mut().zip(up.iter().zip(&down)) {
            wave[j] = (up - down) / (2.0 * STEP);
        }
    }
    Ok(waves)
}

/// The sum of each column, and its sums with each cosine as weights.
fn wave_sums(terms: &[&[f64]]) -> Vec<(f64, Waves)> {
    let n = terms.first().map_or(0, |t| t.len());
    let cosine = |j: usize, i: usize| SQRT_2 * (PI * (j + 1) as f64 * (i as f64 + 0.5) / n as f64).cos();
    let cosines: Vec<Waves> = (0..n).map(|i| std::array::from_fn(|j| cosine(j, i))).collect();
    let of_column = |term: &&[f64]| {
        let mut sums = [0.0; COSINES];
        for (value, cosines) in term.iter().zip(&cosines) {
            for (sum, cosine) in sums.iter_mut().zip(cosines) {
                *sum += value * cosine;
            }
        }
        (term.iter().sum(), sums)
    };
    terms.iter().map(of_column).collect()
}

/// The standard error behind some waves.
pub fn error_of_waves(waves: &Waves) -> f64 {
    (waves.iter().map(|w| w * w).sum::<f64>() / COSINES as f64).sqrt()
}

/// The first cosines, which persistent waves weigh most on.
pub const SLOWEST: usize = 6;

/// For intervals and tests: the standard error of all [`COSINES`] with as many degrees of freedom, or that of
/// the six slowest where these ask for more at 1.25 %. Waves that last a tenth of the period have lost a
/// third of their variance at the twelfth cosine.
pub fn cautious_error(waves: &Waves) -> (f64, f64) {
    // Student's quantiles at .9875 with 6 and 12 degrees of freedom: 2.9687 and 2.5600.
    const RATIO: f64 = 2.968_7 / 2.560_0;
    let slowest = (waves[..SLOWEST].iter().map(|w| w * w).sum::<f64>() / SLOWEST as f64).sqrt();
    let all = error_of_waves(waves);
    if slowest * RATIO > all { (slowest, SLOWEST as f64) } else { (all, COSINES as f64) }
}

/// Brings bootstrap intervals and tests to the errors that slow waves show, with the quantiles of Student's
/// distribution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rescaling {
    /// Student's quantile over the normal one.
    ratio: f64,
}

impl Rescaling {
    /// For intervals with this coverage, and tests at such levels.
    pub fn new(level: f64) -> Result<Self> {
        Self::with_df(level, COSINES as f64)
    }

    /// The same where standard errors have `df` degrees of freedom.
    pub fn with_df(level: f64, df: f64) -> Result<Self> {
        check_open_unit("level", level)?;
        let tail = 0.5 * (1.0 - level);
        Ok(Self { ratio: student_upper_quantile(tail, df) / normal_upper_quantile(tail) })
    }

    /// The interval, stretched or drawn together about its estimate to the half-width that Student's
    /// distribution gives `error`.
    ///
    /// Its skewness stays. An error that is undefined changes nothing. Whichever is the wider, the interval
    /// of the blocks or that of the waves, would be too wide where both are right: 99 % instead of 95 % on
    /// autoregressions.
    pub fn interval(&self, interval: Interval, error: f64) -> Interval {
        let factor = self.ratio * error / interval.standard_error;
        if !(factor.is_finite() && factor > 0.0) {
            return interval;
        }
        let moved = |end: f64| interval.estimate + factor * (end - interval.estimate);
        Interval {
            lower: moved(interval.lower),
            upper: moved(interval.upper),
            standard_error: error,
            method: "rescaled",
            ..interval
        }
    }

    /// By how much a standard error over draws is too small beside that of the waves; at least 1.
    pub(crate) fn factor(&self, spread: f64, error: f64) -> f64 {
        let factor = self.ratio * error / spread;
        if factor.is_finite() { factor.max(1.0) } else { 1.0 }
    }
}

/// Gives the draws of a score about its estimate the tails of Student's distribution with `df` degrees of
/// freedom, and the spread of `error` where that is the larger; an error that is undefined changes nothing of
/// the spread.
///
/// A test on such draws keeps its size at any depth of the tail where blocks were too short for slow waves,
/// or units are few.
pub fn student_draws(estimate: f64, draws: &mut [f64], error: f64, df: f64) {
    let count = draws.len() as f64;
    let spread = (draws.iter().map(|d| (d - estimate).powi(2)).sum::<f64>() / count).sqrt();
    if spread > 0.0 {
        let scale = error.max(spread);
        draws
            .iter_mut()
            .for_each(|d| *d = estimate + scale * student_of_normal((*d - estimate) / spread, df));
    }
}

/// Student's value at the place of a normal one, by Cornish and Fisher's expansion (Abramowitz & Stegun 1964,
/// 26.7.5).
fn student_of_normal(z: f64, df: f64) -> f64 {
    let (z2, d) = (z * z, 1.0 / df);
    let first = (z2 + 1.0) / 4.0;
    let second = ((5.0 * z2 + 16.0) * z2 + 3.0) / 96.0;
    let third = (((3.0 * z2 + 19.0) * z2 + 17.0) * z2 - 15.0) / 384.0;
    z * (1.0 + d * (first + d * (second + d * third)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{error::StatsError, shuffle::Uniform};

    fn near(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() <= tolerance, "{a} against {b}");
    }

    fn autoregression(n: usize, rho: f64, seed: u64) -> Vec<f64> {
        let mut random = Uniform::seeded(seed);
        let mut value = 0.0;
        let mut next = || {
            value = rho * value + normal_upper_quantile(random.unit().max(1e-12));
            value
        };
        (0..n + 500).map(|_| next()).skip(500).collect()
    }

    #[test]
    fn quantiles_are_those_of_scipy() {
        near(student_upper_quantile(0.025, 12.0), 2.178_812_829_667_228, 1e-12);
        near(student_upper_quantile(0.05, 12.0), 1.782_287_555_649_319, 1e-12);
        near(Rescaling::new(0.95).unwrap().ratio, 2.178_812_829_667_228 / 1.959_963_984_540_054, 1e-12);
    }

    /// The variance of a mean of an AR(1) is σ²/(1 − ρ)²/n; the mean over many worlds shows it.
    #[test]
    fn errors_of_means_are_those_of_theory() {
        let (n, rho, worlds) = (1000, 0.8f64, 300);
        let mean = |s: &[f64], out: &mut [f64]| out[0] = s[0] / n as f64;
        let squares = (0..worlds).map(|w| {
            error_of_waves(&long_run_waves(&[autoregression(n, rho, w)], 1, mean).unwrap()[0]).powi(2)
        });
        let expected = 1.0 / (1.0 - rho).powi(2) / n as f64;
        // 300 values with 12 degrees of freedom each have a mean within 2.4 % (one standard error).
        near(squares.sum::<f64>() / worlds as f64 / expected, 1.0, 0.08);
    }

    /// By the delta method the ratio a/b errs as the mean of (a − r·b)/mean(b).
    #[test]
    fn a_ratio_errs_as_its_linear_part() {
        let a = autoregression(400, 0.5, 1);
        let b: Vec<f64> = autoregression(400, 0.3, 2).iter().map(|v| v + 9.0).collect();
        let (sum_a, sum_b): (f64, f64) = (a.iter().sum(), b.iter().sum());
        let ratio = sum_a / sum_b;
        let linear: Vec<f64> = a.iter().zip(&b).map(|(a, b)| (a - ratio * b) / sum_b).collect();
        let both = long_run_waves(&[&a, &b, &linear], 2, |s, out| {
            out[0] = s[0] / s[1];
            out[1] = s[2];
        });
        let both = both.unwrap();
        near(error_of_waves(&both[0]) / error_of_waves(&both[1]), 1.0, 1e-6);
    }

    #[test]
    fn intervals_take_the_error_of_the_waves() {
        let interval = Interval {
            estimate: 1.0,
            lower: 0.8,
            upper: 1.4,
            standard_error: 0.1,
            level: 0.95,
            method: "percentile",
            defined: 9,
            draws: 9,
        };
        let rescaling = Rescaling::new(0.95).unwrap();
        for (error, times) in [(0.2, 2.0), (0.05, 0.5)] {
            let moved = rescaling.interval(interval, error);
            near(moved.lower, 1.0 - 0.2 * times * rescaling.ratio, 1e-15);
            near(moved.upper, 1.0 + 0.4 * times * rescaling.ratio, 1e-15);
            assert_eq!((moved.standard_error, moved.method), (error, "rescaled"));
        }
        // Without waves, or without spread, the draws alone speak.
        assert_eq!(rescaling.interval(interval, f64::NAN), interval);
        assert_eq!(rescaling.interval(interval, 0.0), interval);
        let certain = Interval { lower: 1.0, upper: 1.0, standard_error: 0.0, ..interval };
        assert_eq!(rescaling.interval(certain, 1e-17), certain);
    }

    /// Normal draws get Student's quantiles: at .975, .995 and .9995 with 12 degrees of freedom 2.1788,
    /// 3.0545 and 4.3178.
    #[test]
    fn draws_get_the_tails_of_student() {
        for (upper, df) in [(0.025, 12.0), (0.005, 12.0), (0.000_5, 12.0), (0.01, 40.0)] {
            let z = normal_upper_quantile(upper);
            let t = student_upper_quantile(upper, df);
            near(student_of_normal(z, df) / t, 1.0, 2e-3);
            near(student_of_normal(-z, df), -student_of_normal(z, df), 0.0);
        }
        let draws = [0.8, 1.2, 0.9, 1.1];
        let spread = (0.1f64 / 4.0).sqrt();
        for (error, scale) in [(2.0 * spread, 2.0), (0.5 * spread, 1.0), (f64::NAN, 1.0)] {
            let mut moved = draws;
            student_draws(1.0, &mut moved, error, 12.0);
            for (m, d) in moved.iter().zip(draws) {
                near(m - 1.0, scale * spread * student_of_normal((d - 1.0) / spread, 12.0), 1e-14);
            }
        }
    }

    #[test]
    fn waves_of_a_difference_are_the_differences_of_waves() {
        let (a, b) = (autoregression(300, 0.5, 1), autoregression(300, 0.3, 2));
        let waves = long_run_waves(&[&a, &b], 3, |s, out| {
            out.copy_from_slice(&[s[0] / 300.0, s[1] / 300.0, (s[0] - s[1]) / 300.0]);
        });
        let waves = waves.unwrap();
        for j in 0..COSINES {
            near(waves[0][j] - waves[1][j], waves[2][j], 1e-9);
        }
    }

    #[test]
    fn too_few_cases_are_refused() {
        let error = long_run_waves(&[vec![1.0; 23]], 1, |_, _| {}).unwrap_err();
        assert!(matches!(error, StatsError::TooFew { needed: 24, .. }), "{error}");
        assert!(Rescaling::new(1.0).is_err());
    }
}
