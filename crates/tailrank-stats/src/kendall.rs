//! Kendall's rank correlation τ-b and its tests (Kendall 1938, 1970).

use std::f64::consts::PI;

use crate::{
    distribution::{normal_lower, normal_upper},
    error::{Result, StatsError, check_pair},
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
/// Without ties the exact null distribution serves any n. The statistic is T, the concordant pairs, for the
/// exact method, otherwise z.
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

// The exact null distribution of Kendall's count of concordant pairs, without ties, for any n.
//
// Under the null the count T is a sum of independent uniform variables on {0, …, i−1}, i = 1 … n, so its
// generating function is Π (1−eⁱᶻ)/(i(1−eᶻ)). Small n convolves the uniforms. Large n integrates the
// generating function along the line through its saddle point (Daniels 1954): the trapezoidal rule on a
// periodic integrand is exact but for aliasing, which the step makes smaller than the rounding, so the tail
// keeps its relative precision at a cost of O(n) instead of O(n³).

/// Up to n·t of this size the uniforms are convolved; the integral needs many factors for its integrand to
/// decay.
const CONVOLVE_UP_TO: u64 = 1_000_000;

/// P(T ≤ `t`), T the number of concordant pairs of `n` untied cases under independence.
///
/// ```
/// // One of 4! = 24 orders has no concordant pair.
/// assert!((tailrank_stats::kendall_null_cdf(4, 0) - 1.0 / 24.0).abs() < 1e-16);
/// ```
pub fn kendall_null_cdf(n: usize, t: u64) -> f64 {
    let pairs = n as u64 * (n as u64).saturating_sub(1) / 2;
    if t >= pairs {
        return 1.0;
    }
    if t > (pairs - 1) / 2 {
        return 1.0 - kendall_null_cdf(n, pairs - t - 1);
    }
    if n as u64 * t <= CONVOLVE_UP_TO {
        convolved_lower_tail(n, t as usize)
    } else {
        integrated_lower_tail(n, t)
    }
}

/// P(T ≤ t) by convolution, keeping the counts 0 … t only.
fn convolved_lower_tail(n: usize, t: usize) -> f64 {
    let mut probability = vec![0.0; t + 1];
    probability[0] = 1.0;
    let mut reach = 0;
    for i in 2..=n {
        // Each new value is a sliding sum of i old ones over i. Adding them anew in blocks would
        // cost O(n) more; the sliding sum is safe here because below the mode it never shrinks.
        reach = (reach + i - 1).min(t);
        let old = probability.clone();
        let mut window = 0.0;
        for k in 0..=reach {
            window += old[k];
            if k >= i {
                window -= old[k - i];
            }
            probability[k] = window / i as f64;
        }
    }
    probability.iter().sum()
}

/// P(T ≤ t), t at most the mean, by the inversion integral ∫ exp(K(z) − zt)/(1−eᶻ) dθ/2π, z = c + iθ, c < 0.
fn integrated_lower_tail(n: usize, t: u64) -> f64 {
    let cumulant = Cumulant::new(n);
    let below_mean = cumulant.mean - t as f64;
    let sd = cumulant.variance.sqrt();
    // At the mean the saddle point meets the pole at 0: two standard units beside it both stay tame.
    let c = cumulant.saddle(below_mean).min(-2.0 / sd);
    let peak = cumulant.centred((c, 0.0)).0 + c * below_mean;
    if peak < -760.0 {
        return 0.0; // the tail is below the smallest number
    }
    // Aliases lie at multiples of 24 standard deviations: below e⁻³⁷ of the tail even where |c|·sd is
    // largest, 38.
    let points = (24.0 * sd).ceil();
    let mut sum = 0.0;
    let mut quiet = 0;
    let mut k = 0.0;
    while quiet < 4 && k <= points / 2.0 {
        let z = (c, 2.0 * PI * k / points);
        let (re, im) = cumulant.centred(z);
        let size = (re + c * below_mean - peak).exp();
        let angle = im + z.1 * below_mean;
        // 1/(1−eᶻ) with 1−eᶻ = 1 − eᶜ(cos θ + i sin θ)
        let half = (0.5 * z.1).sin();
        let (dr, di) = (-c.exp_m1() + 2.0 * c.exp() * half * half, -c.exp() * z.1.sin());
        let norm = dr * dr + di * di;
        let term = size * (angle.cos() * dr + angle.sin() * di) / norm;
        // The integrand is even in θ: each point but the first counts twice.
        sum += if k == 0.0 { term } else { 2.0 * term };
        quiet = if size / norm.sqrt() < 1e-18 * sum.abs() { quiet + 1 } else { 0 };
        k += 1.0;
    }
    (sum / points * peak.exp()).clamp(0.0, 1.0)
}

/// The cumulant generating function of T, centred at its mean.
struct Cumulant {
    n: usize,
    mean: f64,
    variance: f64,
    /// ζ(2k)/k · (−1)ᵏ⁺¹ · Σᵢ ((i/n)²ᵏ − n⁻²ᵏ), k = 1, 2, …
    coefficients: Vec<f64>,
    zeta_over_k: Vec<f64>,
}

impl Cumulant {
    fn new(n: usize) -> Self {
        const TERMS: usize = 18;
        let zeta_over_k: Vec<f64> = (1..=TERMS)
            .map(|k| {
                let zeta = match k {
                    1 => PI * PI / 6.0,
                    2 => PI.powi(4) / 90.0,
                    3 => PI.powi(6) / 945.0,
                    k => (1..=200).rev().map(|m| f64::from(m).powi(-2 * k as i32)).sum::<f64>(),
                };
                if k % 2 == 1 { zeta / k as f64 } else { -zeta / k as f64 }
            })
            .collect();
        let mut power_sums = [0.0; TERMS];
        for i in 1..=n {
            let square = (i as f64 / n as f64).powi(2);
            let mut power = 1.0;
            for sum in &mut power_sums {
                power *= square;
                *sum += power;
            }
        }
        let coefficients = (0..TERMS)
            .map(|k| zeta_over_k[k] * (power_sums[k] - (n as f64).powi(1 - 2 * (k as i32 + 1))))
            .collect();
        let m = n as f64;
        let mean = m * (m - 1.0) / 4.0;
        let variance = m * (m - 1.0) * (2.0 * m + 5.0) / 72.0;
        Self { n, mean, variance, coefficients, zeta_over_k }
    }

    /// ln E exp(z(T − mean)) = Σᵢ ln[ sinh(iz/2) / (i·sinh(z/2)) ].
    fn centred(&self, z: (f64, f64)) -> (f64, f64) {
        let n = self.n as f64;
        let reach = n * z.0.hypot(z.1);
        if reach <= 2.0 {
            // All factors at once, by ln(sinh v / v) = Σ (−1)ᵏ⁺¹ ζ(2k)/k (v/π)²ᵏ and power sums of i.
            return even_series(&self.coefficients, (n * z.0 / (2.0 * PI), n * z.1 / (2.0 * PI)));
        }
        let one = self.log_sinh_ratio((0.5 * z.0, 0.5 * z.1));
        let (mut re, mut im) = (-n * one.0, -n * one.1);
        for i in 1..=self.n {
            let w = 0.5 * i as f64;
            let factor = self.log_sinh_ratio((w * z.0, w * z.1));
            re += factor.0;
            im += factor.1;
        }
        (re, im)
    }

    /// ln(sinh v / v).
    fn log_sinh_ratio(&self, v: (f64, f64)) -> (f64, f64) {
        if v.0 * v.0 + v.1 * v.1 <= 1.0 {
            return even_series(&self.zeta_over_k, (v.0 / PI, v.1 / PI));
        }
        // The function is even, so the real part may be taken positive: ln(sinh v) = v + ln((1 − e⁻²ᵛ)/2).
        let (a, b) = if v.0 < 0.0 { (-v.0, -v.1) } else { v };
        let shrink = (-2.0 * a).exp();
        let (r, i) = (1.0 - shrink * (2.0 * b).cos(), shrink * (2.0 * b).sin());
        (a + 0.5 * ((r * r + i * i) / (4.0 * (a * a + b * b))).ln(), b + i.atan2(r) - b.atan2(a))
    }

    /// The c < 0 near K′(c) = −`below_mean`, by Newton's method; any c would do, the saddle keeps the
    /// integrand narrow.
    fn saddle(&self, below_mean: f64) -> f64 {
        let mut c = -below_mean / self.variance;
        for _ in 0..30 {
            if c == 0.0 {
                break;
            }
            let n = self.n as f64;
            let (mut slope, mut curvature) =
                (below_mean - 0.5 * n * langevin(0.5 * c).0, -0.25 * n * langevin(0.5 * c).1);
            for i in 1..=self.n {
                let w = 0.5 * i as f64;
                let (value, derivative) = langevin(w * c);
                slope += w * value;
                curvature += w * w * derivative;
            }
            let step = slope / curvature;
            c = (c - step).min(0.1 * c);
            if step.abs() < 1e-3 * c.abs() {
                break;
            }
        }
        c
    }
}

/// Σ aₖ (u²)ᵏ, k = 1, 2, …, for complex u, by Horner's rule.
fn even_series(coefficients: &[f64], u: (f64, f64)) -> (f64, f64) {
    let (sr, si) = (u.0 * u.0 - u.1 * u.1, 2.0 * u.0 * u.1);
    coefficients.iter().rev().fold((0.0, 0.0), |(re, im), a| {
        let re = re + a;
        (re * sr - im * si, re * si + im * sr)
    })
}

/// L(v) = coth v − 1/v and its derivative.
fn langevin(v: f64) -> (f64, f64) {
    if v.abs() < 0.02 {
        let s = v * v;
        return (v / 3.0 - v * s / 45.0, 1.0 / 3.0 - s / 15.0);
    }
    let sinh = v.clamp(-350.0, 350.0).sinh();
    (1.0 / v.tanh() - 1.0 / v, 1.0 / (v * v) - 1.0 / (sinh * sinh))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integral_equals_convolution_in_every_tail() {
        let mut compared = 0;
        for n in [170usize, 300, 450] {
            let mean = n as f64 * (n as f64 - 1.0) / 4.0;
            let sd = Cumulant::new(n).variance.sqrt();
            for distance in [0.0, 0.01, 0.3, 1.0, 2.0, 3.0, 5.0, 8.0, 12.0, 20.0, 30.0] {
                let t = (mean - distance * sd).floor().max(0.0) as usize;
                if (n * t) as u64 <= CONVOLVE_UP_TO {
                    continue;
                }
                let (a, b) = (convolved_lower_tail(n, t), integrated_lower_tail(n, t as u64));
                assert!((a - b).abs() <= 1e-12 * a, "n {n}, t {t}: {a:e} against {b:e}");
                compared += 1;
            }
        }
        assert_eq!(compared, 27);
    }

    #[test]
    fn probabilities_sum_to_one() {
        for n in [2usize, 3, 10, 40] {
            let pairs = (n * (n - 1) / 2) as u64;
            let mut total = 0.0;
            for t in 0..=pairs {
                let below = if t == 0 { 0.0 } else { kendall_null_cdf(n, t - 1) };
                let mass = kendall_null_cdf(n, t) - below;
                assert!(mass > -1e-15, "n {n} t {t}");
                total += mass;
            }
            assert!((total - 1.0).abs() < 1e-13);
        }
    }

    #[test]
    fn a_million_cases_approach_the_normal_distribution() {
        let n = 1_000_000usize;
        let cumulant = Cumulant::new(n);
        let t = (cumulant.mean - 3.0 * cumulant.variance.sqrt()).floor() as u64;
        let z = (t as f64 + 0.5 - cumulant.mean) / cumulant.variance.sqrt();
        let normal = crate::distribution::normal_lower(z);
        assert!((kendall_null_cdf(n, t) / normal - 1.0).abs() < 1e-4);
    }

    /// All 24 orders of four cases have 0 to 6 concordant pairs, 1, 3, 5, 6, 5, 3 and 1 times: mean 3,
    /// variance 52/24.
    #[test]
    fn moments_of_four_cases_by_hand() {
        let cumulant = Cumulant::new(4);
        assert!((cumulant.mean - 3.0).abs() < 1e-15 && (cumulant.variance - 52.0 / 24.0).abs() < 1e-15);
    }
}
