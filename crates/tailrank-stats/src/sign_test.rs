//! The sign test: how often x is above y.

use crate::{
    distribution::binomial_half_upper,
    error::{Result, check_count, check_pair},
    test_result::{Alternative, TestResult},
};

const TEST: &str = "Sign test";

/// Tests that x is above y as often as below, by the exact binomial distribution; equal pairs are left out.
///
/// ```
/// use tailrank_stats::{Alternative, sign_test};
///
/// let wins = sign_test(&[3.0, 4.0, 5.0, 6.0], &[1.0, 1.0, 1.0, 6.0], Alternative::TwoSided)?;
/// assert_eq!((wins.statistic, wins.n), (3.0, 3));
/// assert!((wins.p_value - 0.25).abs() < 1e-14);
/// # Ok::<(), tailrank_stats::StatsError>(())
/// ```
pub fn sign_test(x: &[f64], y: &[f64], alternative: Alternative) -> Result<TestResult> {
    check_pair(x, y, TEST, 1)?;
    let above = x.iter().zip(y).filter(|(a, b)| a > b).count() as u64;
    let below = x.iter().zip(y).filter(|(a, b)| a < b).count() as u64;
    let n = above + below;
    let fix = "x and y are equal everywhere; there is no difference to test";
    check_count("x - y", n as usize, TEST, 1, fix)?;
    let p_value = alternative.p_value(binomial_half_upper(below, n), binomial_half_upper(above, n));
    let answer = TestResult::new(TEST, "exact", above as f64, p_value, alternative, n as usize);
    Ok(TestResult { estimate: Some(above as f64 / n as f64), ..answer })
}
