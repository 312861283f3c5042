//! Wilcoxon's signed-rank test for paired scores: exact also with ties and zeros.
//!
//! The exact method gives every sign to the ranks at hand, ties included (the conditional null distribution, as exactRankTests'
//! shift algorithm); R falls back to the normal approximation there and SciPy applies the untied distribution.

use crate::{
    distribution::{normal_lower, normal_upper},
    error::{Result, check_count, check_pair},
    ranking::Ranked,
    test_result::{Alternative, TestResult},
};

const TEST: &str = "Wilcoxon's signed-rank test";
/// Up to here `Auto` is exact; the work grows with n³.
const EXACT_BY_DEFAULT: usize = 200;
/// How to find the p value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WilcoxonMethod {
    /// All signs of the ranks at hand, ties included, up to 200 differences; then the approximation.
    #[default]
    Auto,
    /// The normal approximation with tie-corrected variance and half a unit of continuity correction.
    Asymptotic,
}

/// The signed ranks of paired differences x − y that are not zero, which are dropped before ranking (as in R).
struct SignedRanks {
    /// Sum of the ranks of positive differences (R's V).
    plus: f64,
    ranked: Ranked,
}

impl SignedRanks {
    fn new(x: &[f64], y: &[f64]) -> Result<Self> {
        check_pair(x, y, TEST, 1)?;
        let differences: Vec<f64> = x.iter().zip(y).map(|(a, b)| a - b).filter(|d| *d != 0.0).collect();
        let fix = "x and y are equal everywhere; there is no difference to test";
        check_count("x - y", differences.len(), TEST, 1, fix)?;
        let magnitudes: Vec<f64> = differences.iter().map(|d| d.abs()).collect();
        let ranked = Ranked::ascending(&magnitudes);
        let plus = differences.iter().zip(&ranked.ranks).filter(|(d, _)| **d > 0.0).map(|(_, r)| r).sum();
        Ok(Self { plus, ranked })
    }

    /// Lower and upper tail of the sum of positive ranks over all 2ⁿ signs, each with the observed sum included.
    fn exact_tails(&self) -> (f64, f64) {
        // Twice the ranks are whole numbers.
        let doubled: Vec<usize> = self.ranked.ranks.iter().map(|r| (2.0 * r) as usize).collect();
        let at = (2.0 * self.plus).round() as usize;
        let total: usize = doubled.iter().sum();
        let probability = signed_sum_distribution(&doubled);
        // The distribution is symmetric: both tails are sums from the thin end, so each keeps its digits.
        let tail = |end: usize| probability[..=end].iter().sum::<f64>();
        (tail(at), tail(total - at))
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

/// P(Σ of a random half of the numbers = s) for s = 0, 1, …
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
    probability
}

/// Tests that paired differences x − y are symmetric about zero. The statistic is V, the rank sum of the positive ones.
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
    Ok(TestResult::new(TEST, name, ranks.plus, p_value, alternative, n))
}
