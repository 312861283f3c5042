//! Kendall's rank correlation τ-b and its tests (Kendall 1938, 1970).

use crate::{
    distribution::{normal_lower, normal_upper},
    error::{Result, StatsError, check_pair},
    kendall_null::kendall_null_cdf,
    pair_counts::{PairCounts, pairs_within},
    test_result::{Alternative, TestResult},
};

const TEST: &str = "Kendall's rank correlation";

/// How to find the p value of a rank correlation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CorrelationMethod {
    /// Exact where there are no ties, asymptotic otherwise.
    #[default]
    Auto,
    /// The normal (Kendall) or t (Spearman) approximation, with the variance corrected for ties.
    Asymptotic,
}

/// Kendall's τ-b in O(n log n).
///
/// ```
/// let tau = tailrank_stats::kendall_tau(&[1.0, 2.0, 3.0, 4.0], &[1.0, 3.0, 2.0, 4.0])?;
/// assert!((tau - 2.0 / 3.0).abs() < 1e-15);
/// # Ok::<(), tailrank_stats::StatsError>(())
/// ```
pub fn kendall_tau(x: &[f64], y: &[f64]) -> Result<f64> {
    Ok(tau_b(&counted(x, y)?))
}

/// Tests τ-b = 0.
///
/// Without ties the exact null distribution serves any n. The statistic is T, the concordant pairs, for the exact
/// method, otherwise z.
///
/// ```
/// use tailrank_stats::{Alternative, CorrelationMethod, kendall_test};
///
/// let mad = [1.0, 2.0, 3.0, 4.0, 5.0];
/// let f = [5.0, 4.0, 3.0, 1.0, 2.0];
/// let answer = kendall_test(&mad, &f, CorrelationMethod::Auto, Alternative::TwoSided)?;
/// assert_eq!((answer.method, answer.statistic), ("exact", 1.0));
/// assert!((answer.p_value - 1.0 / 12.0).abs() < 1e-15);
/// # Ok::<(), tailrank_stats::StatsError>(())
/// ```
pub fn kendall_test(
    x: &[f64],
    y: &[f64],
    method: CorrelationMethod,
    alternative: Alternative,
) -> Result<TestResult> {
    let pairs = counted(x, y)?;
    let (method, statistic, p_value) = if method == CorrelationMethod::Auto && !pairs.has_ties() {
        let concordant = pairs.concordant();
        let lower = kendall_null_cdf(pairs.n, concordant);
        // T is symmetric, so the upper tail is the lower tail of the discordant pairs and keeps its digits.
        let upper = kendall_null_cdf(pairs.n, pairs.all() - concordant);
        ("exact", concordant as f64, alternative.p_value(lower, upper))
    } else {
        let z = pairs.s as f64 / variance(&pairs).sqrt();
        ("asymptotic", z, alternative.p_value(normal_lower(z), normal_upper(z)))
    };
    let answer = TestResult::new(TEST, method, statistic, p_value, alternative, pairs.n);
    Ok(TestResult { estimate: Some(tau_b(&pairs)), ..answer })
}

fn counted(x: &[f64], y: &[f64]) -> Result<PairCounts> {
    check_pair(x, y, TEST, 2)?;
    let pairs = PairCounts::of(x, y);
    for (name, classes) in [("x", pairs.classes_x), ("y", pairs.classes_y)] {
        if classes < 2 {
            let fix = "leave it out, or compare scores that differ";
            return Err(StatsError::Constant { name, test: TEST, fix });
        }
    }
    Ok(pairs)
}

fn tau_b(pairs: &PairCounts) -> f64 {
    let untied_x = (pairs.all() - pairs_within(&pairs.ties_x)) as f64;
    let untied_y = (pairs.all() - pairs_within(&pairs.ties_y)) as f64;
    let scale = if untied_x == untied_y { untied_x } else { untied_x.sqrt() * untied_y.sqrt() };
    (pairs.s as f64 / scale).clamp(-1.0, 1.0)
}

/// Variance of S under independence, corrected for ties (Kendall 1970, §4.9).
fn variance(pairs: &PairCounts) -> f64 {
    let n = pairs.n as f64;
    let over = |ties: &[u64], f: fn(f64) -> f64| ties.iter().map(|&t| f(t as f64)).sum::<f64>();
    let third = |t: f64| t * (t - 1.0) * (2.0 * t + 5.0);
    let first = |t: f64| t * (t - 1.0);
    let second = |t: f64| t * (t - 1.0) * (t - 2.0);
    let (tx, ty) = (&pairs.ties_x, &pairs.ties_y);
    let mut variance = (third(n) - over(tx, third) - over(ty, third)) / 18.0;
    variance += over(tx, first) * over(ty, first) / (2.0 * n * (n - 1.0));
    if n > 2.0 {
        variance += over(tx, second) * over(ty, second) / (9.0 * n * (n - 1.0) * (n - 2.0));
    }
    variance
}
