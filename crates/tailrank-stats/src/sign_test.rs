//! The sign test: how often x is above y.

use crate::{
    distribution::binomial_half_upper,
    error::{Result, StatsError, check_pair},
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
    if n == 0 {
        let fix = "x and y are equal everywhere; there is no difference to test";
        return Err(StatsError::TooFew { name: "x - y", rows: 0, test: TEST, needed: 1, fix });
    }
    Ok(TestResult {
        test: TEST,
        method: "exact",
        statistic_name: "wins",
        statistic: above as f64,
        estimate: Some(above as f64 / n as f64),
        df: None,
        df2: None,
        p_value: alternative.p_value(binomial_half_upper(below, n), binomial_half_upper(above, n)),
        alternative,
        n: n as usize,
    })
}
