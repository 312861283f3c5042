//! Intervals for the score of a method over random divisions: what other training rows would have given as well.

use crate::{
    distribution::student_upper_quantile,
    error::{Result, check_finite, check_open_unit, check_rows, check_setting},
    interval::Interval,
    t_test::mean_and_variance,
};

const TEST: &str = "an interval over folds";

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
    check_rows("runs", values.len(), TEST, 3)?;
    check_finite("runs", values)?;
    for (name, rows) in [("train", train), ("test", test)] {
        check_setting(rows > 0, name, 0.0, "give the number of rows in one run, at least 1")?;
    }
    let runs = values.len() as f64;
    let (estimate, variance) = mean_and_variance(values);
    let standard_error = (variance.max(0.0) * (1.0 / runs + test as f64 / train as f64)).sqrt();
    let reach = student_upper_quantile(0.5 * (1.0 - level), runs - 1.0) * standard_error;
    Ok(Interval {
        estimate,
        lower: estimate - reach,
        upper: estimate + reach,
        standard_error,
        level,
        method: "corrected over folds",
        defined: values.len(),
        draws: values.len(),
    })
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
