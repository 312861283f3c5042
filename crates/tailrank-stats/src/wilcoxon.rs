//! Wilcoxon's signed-rank test for paired scores: exact also with ties and zeros.
//!
//! The exact method gives every sign to the ranks at hand, ties included (the conditional null distribution, as exactRankTests'
//! shift algorithm); R falls back to the normal approximation there and SciPy applies the untied distribution.

use crate::{
    distribution::{normal_lower, normal_upper},
    error::{Result, StatsError, check_pair},
    ranking::Ranked,
    test_result::{Alternative, TestResult},
};

const TEST: &str = "Wilcoxon's signed-rank test";
/// Up to here `Auto` is exact; the work grows with n³.
const EXACT_BY_DEFAULT: usize = 200;
/// Up to here the exact method is offered.
const EXACT_LIMIT: usize = 2000;

/// What becomes of pairs without a difference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ZeroMethod {
    /// Dropped before ranking (Wilcoxon; R).
    #[default]
    Wilcox,
    /// Ranked, then dropped (Pratt 1959).
    Pratt,
    /// Ranked, and their ranks shared between both signs.
    Split,
}

/// How to find the p value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WilcoxonMethod {
    /// Exact up to 200 differences, then approximate with the continuity correction.
    #[default]
    Auto,
    /// All signs of the ranks at hand, ties included.
    Exact,
    /// The normal approximation with tie-corrected variance.
    Asymptotic,
    /// The same with half a unit of continuity correction.
    AsymptoticContinuity,
}

/// The signed ranks of paired differences x − y.
#[derive(Clone, Debug, PartialEq)]
pub struct SignedRanks {
    /// Sum of the ranks of positive differences (R's V).
    pub plus: f64,
    /// Sum of the ranks of negative differences.
    pub minus: f64,
    /// Differences that were not zero.
    pub nonzero: usize,
    /// Differences that were zero.
    pub zeros: usize,
    /// Cases that were ranked.
    ranked: usize,
    /// Ranks of the differences that are not zero.
    ranks: Vec<f64>,
    /// Σ(t³−t) over the ties that count in the variance.
    tie_sum: f64,
    zero_method: ZeroMethod,
}

impl SignedRanks {
    /// Ranks |x − y|.
    pub fn new(x: &[f64], y: &[f64], zero_method: ZeroMethod) -> Result<Self> {
        check_pair(x, y, TEST, 1)?;
        let mut differences: Vec<f64> = x.iter().zip(y).map(|(a, b)| a - b).collect();
        let zeros = differences.iter().filter(|d| **d == 0.0).count();
        let nonzero = differences.len() - zeros;
        if zero_method == ZeroMethod::Wilcox {
            differences.retain(|d| *d != 0.0);
        }
        if nonzero == 0 {
            let fix = "x and y are equal everywhere; there is no difference to test";
            return Err(StatsError::TooFew { name: "x - y", rows: 0, test: TEST, needed: 1, fix });
        }
        let magnitudes: Vec<f64> = differences.iter().map(|d| d.abs()).collect();
        let ranked = Ranked::ascending(&magnitudes);
        let sum_where = |keep: fn(f64) -> bool| {
            differences.iter().zip(&ranked.ranks).filter(|(d, _)| keep(**d)).map(|(_, r)| r).sum::<f64>()
        };
        let (mut plus, mut minus) = (sum_where(|d| d > 0.0), sum_where(|d| d < 0.0));
        let mut tie_sum = ranked.tie_sum();
        let z = zeros as f64;
        match zero_method {
            ZeroMethod::Wilcox => {}
            // The zeros are the first group of ties; Pratt takes their part out of the variance as a whole.
            ZeroMethod::Pratt => tie_sum -= z * z * z - z,
            ZeroMethod::Split => {
                let half = 0.5 * sum_where(|d| d == 0.0);
                plus += half;
                minus += half;
            }
        }
        let ranks =
            differences.iter().zip(&ranked.ranks).filter(|(d, _)| **d != 0.0).map(|(_, r)| *r).collect();
        Ok(Self { plus, minus, nonzero, zeros, ranked: differences.len(), ranks, tie_sum, zero_method })
    }

    /// Lower and upper tail of the sum of positive ranks over all 2ⁿ signs, each with the observed sum included.
    fn exact_tails(&self) -> (f64, f64) {
        // Twice the ranks are whole numbers; half the zeros' share is the same on both sides and drops out.
        let doubled: Vec<usize> = self.ranks.iter().map(|r| (2.0 * r) as usize).collect();
        let shared = 0.5 * (self.plus + self.minus - self.ranks.iter().sum::<f64>());
        let at = (2.0 * (self.plus - shared)).round() as usize;
        let total: usize = doubled.iter().sum();
        let probability = signed_sum_distribution(&doubled);
        // The distribution is symmetric: both tails are sums from the thin end, so each keeps its digits.
        let tail = |end: usize| probability[..=end].iter().sum::<f64>();
        (tail(at), tail(total - at))
    }

    /// z of the normal approximation, corrected for continuity towards the alternative if one is given.
    fn z(&self, continuity: Option<Alternative>) -> f64 {
        let (n, z) = (self.ranked as f64, self.zeros as f64);
        let mut mean = n * (n + 1.0) / 4.0;
        let mut variance = n * (n + 1.0) * (2.0 * n + 1.0);
        if self.zero_method == ZeroMethod::Pratt {
            // Cureton (1967).
            mean -= z * (z + 1.0) / 4.0;
            variance -= z * (z + 1.0) * (2.0 * z + 1.0);
        }
        let sd = ((variance - 0.5 * self.tie_sum) / 24.0).sqrt();
        let deviation = self.plus - mean;
        (deviation - continuity.map_or(0.0, |alternative| alternative.continuity(deviation))) / sd
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

/// P(V ≤ v) of the signed-rank statistic of n untied differences (R's `psignrank`).
pub fn signed_rank_null_cdf(n: usize, v: usize) -> f64 {
    let ranks: Vec<usize> = (1..=n).collect();
    let total = n * (n + 1) / 2;
    if v >= total {
        return 1.0;
    }
    let probability = signed_sum_distribution(&ranks);
    if 2 * v >= total {
        return 1.0 - probability[..total - v].iter().sum::<f64>();
    }
    probability[..=v].iter().sum()
}

/// Tests that paired differences x − y are symmetric about zero. The statistic is V, the rank sum of the positive ones.
///
/// ```
/// use tailrank_stats::{Alternative, WilcoxonMethod, ZeroMethod, wilcoxon_signed_rank};
///
/// let (x, y) = ([1.0, 2.0, 3.0, 5.0, 6.0], [2.0, 4.0, 6.0, 9.0, 11.0]);
/// let answer = wilcoxon_signed_rank(&x, &y, ZeroMethod::Wilcox, WilcoxonMethod::Auto, Alternative::TwoSided)?;
/// assert_eq!((answer.statistic, answer.p_value), (0.0, 2.0 / 32.0));
/// # Ok::<(), tailrank_stats::StatsError>(())
/// ```
pub fn wilcoxon_signed_rank(
    x: &[f64],
    y: &[f64],
    zero_method: ZeroMethod,
    method: WilcoxonMethod,
    alternative: Alternative,
) -> Result<TestResult> {
    let ranks = SignedRanks::new(x, y, zero_method)?;
    let n = ranks.nonzero;
    let method = match method {
        WilcoxonMethod::Auto if n <= EXACT_BY_DEFAULT => WilcoxonMethod::Exact,
        WilcoxonMethod::Auto => WilcoxonMethod::AsymptoticContinuity,
        chosen => chosen,
    };
    let approximate = |continuity| {
        let z = ranks.z(continuity);
        alternative.p_value(normal_lower(z), normal_upper(z))
    };
    let (name, p_value) = match method {
        WilcoxonMethod::Exact | WilcoxonMethod::Auto => {
            if n > EXACT_LIMIT {
                return Err(StatsError::TooMany { name: "x - y", rows: n, test: TEST, limit: EXACT_LIMIT });
            }
            let (lower, upper) = ranks.exact_tails();
            ("exact", alternative.p_value(lower, upper))
        }
        WilcoxonMethod::Asymptotic => ("asymptotic", approximate(None)),
        WilcoxonMethod::AsymptoticContinuity => {
            ("asymptotic, continuity-corrected", approximate(Some(alternative)))
        }
    };
    Ok(TestResult {
        test: TEST,
        method: name,
        statistic_name: "V",
        statistic: ranks.plus,
        estimate: None,
        df: None,
        df2: None,
        p_value,
        alternative,
        n,
    })
}
