//! t tests: paired, and the corrected resampled test for repeated cross-validation.

use crate::{
    distribution::student_upper,
    error::{Result, check_pair, check_setting, check_spread},
    test_result::{Alternative, TestResult},
};

const PAIRED: &str = "Paired t test";
const CORRECTED: &str = "Corrected resampled t test";

/// Student's t on the paired differences x − y.
///
/// ```
/// use tailrank_stats::{Alternative, paired_t};
///
/// let answer = paired_t(&[1.0, 3.0, 2.0], &[0.0, 1.0, 1.5], Alternative::TwoSided)?;
/// assert!((answer.statistic - 2.645751311064591).abs() < 1e-12);
/// # Ok::<(), tailrank_stats::StatsError>(())
/// ```
pub fn paired_t(x: &[f64], y: &[f64], alternative: Alternative) -> Result<TestResult> {
    let (mean, variance) = paired_differences(x, y, PAIRED)?;
    let n = x.len() as f64;
    let t = ratio(mean, variance / n, "x - y", PAIRED)?;
    Ok(answer(PAIRED, t, mean, n - 1.0, alternative, x.len()))
}

/// Nadeau and Bengio's t (2003): the runs of a resampling scheme share training rows, so the variance of their mean is
/// s²·(1/J + n_test/n_train).
///
/// `x` and `y` hold one score per run (fold or repetition), `train` and `test` the rows of one run. For 10-fold cross-validation repeated
/// r times J = 10·r and n_test/n_train = 1/9.
///
/// ```
/// use tailrank_stats::{Alternative, corrected_resampled_t, paired_t};
///
/// let (x, y) = ([0.81, 0.84, 0.79, 0.83], [0.80, 0.81, 0.79, 0.80]);
/// let plain = paired_t(&x, &y, Alternative::TwoSided)?;
/// let corrected = corrected_resampled_t(&x, &y, 900, 100, Alternative::TwoSided)?;
/// assert!(corrected.p_value > plain.p_value);
/// # Ok::<(), tailrank_stats::StatsError>(())
/// ```
pub fn corrected_resampled_t(
    x: &[f64],
    y: &[f64],
    train: usize,
    test: usize,
    alternative: Alternative,
) -> Result<TestResult> {
    for (name, rows) in [("train", train), ("test", test)] {
        check_setting(rows > 0, name, 0.0, "give the number of rows in one run, at least 1")?;
    }
    let (mean, variance) = paired_differences(x, y, CORRECTED)?;
    let runs = x.len() as f64;
    let t = ratio(mean, variance * (1.0 / runs + test as f64 / train as f64), "x - y", CORRECTED)?;
    Ok(answer(CORRECTED, t, mean, runs - 1.0, alternative, x.len()))
}

fn paired_differences(x: &[f64], y: &[f64], test: &'static str) -> Result<(f64, f64)> {
    check_pair(x, y, test, 2)?;
    let differences: Vec<f64> = x.iter().zip(y).map(|(a, b)| a - b).collect();
    Ok(mean_and_variance(&differences))
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

/// mean/√variance, refused when the spread is only the rounding of equal values.
fn ratio(mean: f64, variance: f64, name: &'static str, test: &'static str) -> Result<f64> {
    let error = variance.max(0.0).sqrt();
    let fix = "all differences are equal; there is no spread to measure against";
    check_spread(error, mean, name, test, fix)?;
    Ok(mean / error)
}

fn answer(test: &'static str, t: f64, mean: f64, df: f64, alternative: Alternative, n: usize) -> TestResult {
    let p_value = alternative.p_value(student_upper(-t, df), student_upper(t, df));
    let answer = TestResult::new(test, "t distribution", t, p_value, alternative, n);
    TestResult { estimate: Some(mean), df: Some(df), ..answer }
}
