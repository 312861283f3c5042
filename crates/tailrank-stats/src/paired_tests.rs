//! Tests of paired scores: signs, signed ranks, t, and t corrected for repeated cross-validation.
//!
//! Wilcoxon's exact method gives every sign to the ranks at hand, ties included (the conditional null
//! distribution, as exactRankTests' shift algorithm); R falls back to the normal approximation there and
//! SciPy applies the untied distribution.

use std::sync::OnceLock;

use crate::{
    distribution::{binomial_half_upper, normal_lower, normal_upper, student_upper},
    error::{Result, check_count, check_pair, check_setting, check_spread},
    interval::mean_and_variance,
    ranking::Ranked,
    test_result::{Alternative, TestResult},
};

const SIGN: &str = "Sign test";
const WILCOXON: &str = "Wilcoxon's signed-rank test";
const PAIRED: &str = "Paired t test";
const CORRECTED: &str = "Corrected resampled t test";
/// Up to here `Auto` is exact; the work grows with n³.
const EXACT_BY_DEFAULT: usize = 200;

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
    check_pair(x, y, SIGN, 1)?;
    let above = x.iter().zip(y).filter(|(a, b)| a > b).count() as u64;
    let below = x.iter().zip(y).filter(|(a, b)| a < b).count() as u64;
    let n = above + below;
    let fix = "x and y are equal everywhere; there is no difference to test";
    check_count("x - y", n as usize, SIGN, 1, fix)?;
    let p_value = alternative.p_value(binomial_half_upper(below, n), binomial_half_upper(above, n));
    let answer = TestResult::new(SIGN, "exact", above as f64, p_value, alternative, n as usize);
    Ok(TestResult { estimate: Some(above as f64 / n as f64), ..answer })
}

/// How to find the p value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WilcoxonMethod {
    /// All signs of the ranks at hand, ties included, up to 200 differences; then the approximation.
    #[default]
    Auto,
    /// The normal approximation with tie-corrected variance and half a unit of continuity correction.
    Asymptotic,
}

/// The signed ranks of paired differences x − y that are not zero, which are dropped before ranking (as in
/// R).
struct SignedRanks {
    /// Sum of the ranks of positive differences (R's V).
    plus: f64,
    ranked: Ranked,
}

impl SignedRanks {
    fn new(x: &[f64], y: &[f64]) -> Result<Self> {
        check_pair(x, y, WILCOXON, 1)?;
        let differences: Vec<f64> = x.iter().zip(y).map(|(a, b)| a - b).filter(|d| *d != 0.0).collect();
        let fix = "x and y are equal everywhere; there is no difference to test";
        check_count("x - y", differences.len(), WILCOXON, 1, fix)?;
        let magnitudes: Vec<f64> = differences.iter().map(|d| d.abs()).collect();
        let ranked = Ranked::ascending(&magnitudes);
        let plus = differences.iter().zip(&ranked.ranks).filter(|(d, _)| **d > 0.0).map(|(_, r)| r).sum();
        Ok(Self { plus, ranked })
    }

    /// Lower and upper tail of the sum of positive ranks over all 2ⁿ signs, each with the observed sum
    /// included.
    fn exact_tails(&self) -> (f64, f64) {
        let ranks = &self.ranked.ranks;
        // The distribution is symmetric: both tails are sums from the thin end, so each keeps its digits.
        let ends = |at: usize, total: usize, below: &[f64]| (below[at], below[total - at]);
        if self.ranked.tie_sum() == 0.0 {
            let n = ranks.len();
            return ends(self.plus as usize, n * (n + 1) / 2, untied(n));
        }
        // Twice the ranks are whole numbers.
        let doubled: Vec<usize> = ranks.iter().map(|r| (2.0 * r) as usize).collect();
        ends((2.0 * self.plus).round() as usize, doubled.iter().sum(), &signed_sum_distribution(&doubled))
    }

    /// z of the normal approximation, corrected for continuity towards the alternative.
    fn z(&self, alternative: Alternative) -> f64 {
        let n = self.ranked.ranks.len() as f64;
        let variance = n * (n + 1.0) * (2.0 * n + 1.0);
        let sd = ((variance - 0.5 * self.ranked.tie_sum()) / 24.0).sqrt();
        let deviation = self.plus - n * (n + 1.0) / 4.0;
        (deviation - alternative.continuity(deviation)) / sd
    }
}

/// The distribution for the ranks 1, …, n, kept: the pairs of a study ask for the same n again and again.
fn untied(n: usize) -> &'static [f64] {
    static KEPT: [OnceLock<Vec<f64>>; EXACT_BY_DEFAULT + 1] =
        [const { OnceLock::new() }; EXACT_BY_DEFAULT + 1];
    KEPT[n].get_or_init(|| signed_sum_distribution(&(1..=n).collect::<Vec<_>>()))
}

/// P(Σ of a random half of the numbers ≤ s) for s = 0, 1, …
fn signed_sum_distribution(numbers: &[usize]) -> Vec<f64> {
    let total: usize = numbers.iter().sum();
    let mut probability = vec![0.0; total + 1];
    probability[0] = 1.0;
    let mut reach = 0;
    for &number in numbers {
        reach += number;
        for s in (0..=reach).rev() {
            let from = if s >= number { probability[s - number] } else { 0.0 };
            probability[s] = 0.5 * (probability[s] + from);
        }
    }
    let mut below = 0.0;
    for p in &mut probability {
        below += *p;
        *p = below;
    }
    probability
}

/// Tests that paired differences x − y are symmetric about zero. The statistic is V, the rank sum of the
/// positive ones.
///
/// ```
/// use tailrank_stats::{Alternative, WilcoxonMethod, wilcoxon_signed_rank};
///
/// let (x, y) = ([1.0, 2.0, 3.0, 5.0, 6.0], [2.0, 4.0, 6.0, 9.0, 11.0]);
/// let answer = wilcoxon_signed_rank(&x, &y, WilcoxonMethod::Auto, Alternative::TwoSided)?;
/// assert_eq!((answer.statistic, answer.p_value), (0.0, 2.0 / 32.0));
/// # Ok::<(), tailrank_stats::StatsError>(())
/// ```
pub fn wilcoxon_signed_rank(
    x: &[f64],
    y: &[f64],
    method: WilcoxonMethod,
    alternative: Alternative,
) -> Result<TestResult> {
    let ranks = SignedRanks::new(x, y)?;
    let n = ranks.ranked.ranks.len();
    let (name, (lower, upper)) = if method == WilcoxonMethod::Auto && n <= EXACT_BY_DEFAULT {
        ("exact", ranks.exact_tails())
    } else {
        let z = ranks.z(alternative);
        ("asymptotic, continuity-corrected", (normal_lower(z), normal_upper(z)))
    };
    let p_value = alternative.p_value(lower, upper);
    Ok(TestResult::new(WILCOXON, name, ranks.plus, p_value, alternative, n))
}

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

/// Nadeau and Bengio's t (2003): the runs of a resampling scheme share training rows, so the variance of
/// their mean is s²·(1/J + n_test/n_train).
///
/// `x` and `y` hold one score per run (fold or repetition), `train` and `test` the rows of one run. For
/// 10-fold cross-validation repeated r times J = 10·r and n_test/n_train = 1/9.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The kept distribution has the bits of the general one, for which ranks are doubled.
    #[test]
    fn untied_ranks_have_the_distribution_of_any_ranks() {
        for n in [1, 2, 7, 40, EXACT_BY_DEFAULT] {
            let general = signed_sum_distribution(&(1..=n).map(|rank| 2 * rank).collect::<Vec<_>>());
            assert!(general.iter().step_by(2).eq(untied(n)), "{n}");
        }
    }
}
