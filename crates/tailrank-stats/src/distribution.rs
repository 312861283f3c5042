//! Tails of the normal, t, F, χ² and binomial(½) distributions.
//!
//! `statrs` serves the χ² tail (12 digits against R). Its error function keeps 10 digits only, its t tail
//! loses 8 of 16 digits near zero (it passes `1 − x` where `x` is known) and its incomplete beta function
//! loses digits from about 10⁴ degrees of freedom on (log-gamma differences). So the normal tail is `libm`'s
//! `erfc`, and the incomplete beta function is written here, with the leading factor in Loader's saddle-point
//! form (Loader 2000, *Fast and accurate computation of binomial probabilities*), which cancels nothing.

use std::f64::consts::{PI, SQRT_2};

/// P(Z > z) of the standard normal distribution.
pub(crate) fn normal_upper(z: f64) -> f64 {
    0.5 * libm::erfc(z / SQRT_2)
}

/// P(Z ≤ z) of the standard normal distribution.
pub(crate) fn normal_lower(z: f64) -> f64 {
    normal_upper(-z)
}

/// Density of the standard normal distribution.
pub(crate) fn normal_density(z: f64) -> f64 {
    (-0.5 * z * z).exp() / (2.0 * PI).sqrt()
}

/// The z with P(Z > z) = `upper`, for 0 < `upper` < 1.
pub(crate) fn normal_upper_quantile(upper: f64) -> f64 {
    // statrs' rational approximation (about 9 digits) starts Halley's iteration, which triples them each
    // step.
    let mut z = SQRT_2 * statrs::function::erf::erfc_inv(2.0 * upper);
    for _ in 0..3 {
        let density = normal_density(z);
        if density == 0.0 {
            break;
        }
        let u = (normal_upper(z) - upper) / density;
        z += u / (1.0 - 0.5 * z * u);
    }
    z
}

/// P(T > t) of Student's distribution with `df` degrees of freedom.
pub fn student_upper(t: f64, df: f64) -> f64 {
    if t.is_infinite() {
        return if t > 0.0 { 0.0 } else { 1.0 };
    }
    let (x, y) = if t.abs() > df {
        let r = df / t / t;
        (r / (1.0 + r), 1.0 / (1.0 + r))
    } else {
        let r = t / df * t;
        (1.0 / (1.0 + r), r / (1.0 + r))
    };
    let (beyond, within) = beta_tails(0.5 * df, 0.5, x, y);
    // Half of the smaller tail keeps its digits on either side of zero.
    match (t > 0.0, beyond < 0.5) {
        (true, true) => 0.5 * beyond,
        (true, false) => 0.5 - 0.5 * within,
        (false, true) => 1.0 - 0.5 * beyond,
        (false, false) => 0.5 + 0.5 * within,
    }
}

/// The t with P(T > t) = `upper` below one half, by bisection.
pub(crate) fn student_upper_quantile(upper: f64, df: f64) -> f64 {
    let mut low = 0.0;
    let mut high = 1.0;
    while student_upper(high, df) > upper {
        high *= 2.0;
    }
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if student_upper(middle, df) > upper { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// P(F > f) of Fisher's distribution.
pub(crate) fn fisher_upper(f: f64, df1: f64, df2: f64) -> f64 {
    if f <= 0.0 {
        return 1.0;
    }
    if f.is_infinite() {
        return 0.0;
    }
    let total = df2 + df1 * f;
    beta_tails(0.5 * df2, 0.5 * df1, df2 / total, df1 * f / total).0
}

/// P(X > x) of the χ² distribution.
pub(crate) fn chi_squared_upper(x: f64, df: f64) -> f64 {
    if x <= 0.0 {
        return 1.0;
    }
    statrs::function::gamma::checked_gamma_ur(0.5 * df, 0.5 * x).unwrap_or(0.0)
}

/// P(X ≥ k) of the binomial distribution with n trials of probability ½.
pub(crate) fn binomial_half_upper(k: u64, n: u64) -> f64 {
    match k {
        0 => 1.0,
        k if k > n => 0.0,
        k => beta_tails(k as f64, (n - k + 1) as f64, 0.5, 0.5).0,
    }
}

/// The regularised incomplete beta function I_x(a, b) and its complement, with x + y = 1 both given.
fn beta_tails(a: f64, b: f64, x: f64, y: f64) -> (f64, f64) {
    if x <= 0.0 {
        return (0.0, 1.0);
    }
    if y <= 0.0 {
        return (1.0, 0.0);
    }
    let factor = beta_density_factor(a, b, x, y);
    if x < (a + 1.0) / (a + b + 2.0) {
        let lower = (factor * beta_continued_fraction(a, b, x, y)).min(1.0);
        (lower, 1.0 - lower)
    } else {
        let upper = (factor * beta_continued_fraction(b, a, y, x)).min(1.0);
        (1.0 - upper, upper)
    }
}

/// xᵃ yᵇ / B(a, b).
fn beta_density_factor(a: f64, b: f64, x: f64, y: f64) -> f64 {
    let n = a + b;
    let exponent =
        stirling_error(n) - stirling_error(a) - stirling_error(b) - deviance(a, n * x) - deviance(b, n * y);
    (a * b / (2.0 * PI * n)).sqrt() * exponent.exp()
}

/// ln Γ(z+1) − ln(√(2πz)·(z/e)ᶻ), the error of Stirling's formula.
fn stirling_error(z: f64) -> f64 {
    if z < 15.0 {
        return libm::lgamma(z + 1.0) - (z + 0.5) * z.ln() + z - 0.5 * (2.0 * PI).ln();
    }
    let w = 1.0 / (z * z);
    (1.0 / 12.0
        - w * (1.0 / 360.0
            - w * (1.0 / 1260.0 - w * (1.0 / 1680.0 - w * (1.0 / 1188.0 - w * 691.0 / 360_360.0)))))
        / z
}

/// a·ln(a/m) + m − a ≥ 0, without cancellation where m is close to a.
fn deviance(a: f64, m: f64) -> f64 {
    let u = (m - a) / a;
    if u.abs() > 0.2 {
        return a * (a / m).ln() + m - a;
    }
    // ln(1+u) = 2·artanh(v) with v = u/(2+u), and u − 2v = u·v.
    let v = u / (2.0 + u);
    let v2 = v * v;
    let (mut power, mut series, mut odd) = (v * v2, 0.0, 3.0);
    loop {
        let next = series + power / odd;
        if next == series {
            break;
        }
        series = next;
        power *= v2;
        odd += 2.0;
    }
    a * (u * v - 2.0 * series)
}

/// I_x(a, b)·B(a, b)/(xᵃ yᵇ) as a continued fraction, by Lentz's method.
///
/// This is the even part of DLMF 8.17.22, written in a·y − b·x as Didonato and Morris (1992) do:
/// the usual form subtracts from 1 a number that is 1 − O(1/a) for t with many degrees of freedom.
fn beta_continued_fraction(a: f64, b: f64, x: f64, y: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let away_from_zero = |v: f64| if v.abs() < TINY { TINY } else { v };
    let surplus = a * y - b * x + 1.0;
    let mut fraction = away_from_zero(a * surplus / (a + 1.0));
    let (mut c, mut d) = (fraction, 0.0);
    for m in 1..20_000 {
        let m = f64::from(m);
        let e = a + 2.0 * m;
        let numerator = (a + m - 1.0) * (a + b + m - 1.0) * m * (b - m) * x * x / ((e - 1.0) * (e - 1.0));
        let denominator = m + m * (b - m) * x / (e - 1.0) + (a + m) * (surplus + m * (1.0 + y)) / (e + 1.0);
        d = 1.0 / away_from_zero(denominator + numerator * d);
        c = away_from_zero(denominator + numerator / c);
        let step = c * d;
        fraction *= step;
        if (step - 1.0).abs() < 2.0 * f64::EPSILON {
            break;
        }
    }
    1.0 / fraction
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ln n! less Stirling's formula, in 60 digits: the series holds from 15 on, the logarithm of Γ below.
    #[test]
    fn stirlings_error_has_all_its_digits() {
        assert!((stirling_error(8.0) - 0.010_411_265_261_972_096).abs() < 4e-15);
        assert!((stirling_error(15.0) - 0.005_554_733_551_962_801).abs() < 1e-17);
        assert!((stirling_error(20.0) - 0.004_166_319_691_996_922).abs() < 1e-17);
    }

    #[test]
    fn tails_outside_their_range_are_zero_or_one() {
        assert_eq!([chi_squared_upper(0.0, 3.0), chi_squared_upper(-1.0, 3.0)], [1.0, 1.0]);
        assert_eq!([fisher_upper(0.0, 2.0, 5.0), fisher_upper(f64::INFINITY, 2.0, 5.0)], [1.0, 0.0]);
        assert_eq!([binomial_half_upper(0, 4), binomial_half_upper(5, 4)], [1.0, 0.0]);
        // All four heads.
        assert!((binomial_half_upper(4, 4) - 0.0625).abs() < 1e-16);
        // I_x(2, 3) = x²(6 − 8x + 3x²).
        for x in [0.0, 0.1, 0.3, 0.6, 0.9, 1.0] {
            let (lower, upper) = beta_tails(2.0, 3.0, x, 1.0 - x);
            let expected = x * x * (6.0 - 8.0 * x + 3.0 * x * x);
            assert!(
                (lower - expected).abs() < 1e-14 && (lower + upper - 1.0).abs() < 1e-15,
                "{x}: {lower} {upper}"
            );
        }
    }

    /// R 4.2.2: pnorm, pt, pf, pchisq, pbinom and qnorm with `lower.tail = FALSE`.
    #[test]
    fn tails_agree_with_r_to_twelve_digits() {
        let text = include_str!("../tests/fixtures/distribution_tails_R.csv");
        let mut rows = 0;
        for line in text.lines().skip(1) {
            let cells: Vec<&str> = line.split(',').collect();
            let number = |i: usize| cells[i].parse::<f64>().unwrap_or(f64::NAN);
            let (x, df1, df2, expected) = (number(1), number(2), number(3), number(4));
            let got = match cells[0] {
                "normal" => normal_upper(x),
                "t" => student_upper(x, df1),
                "F" => fisher_upper(x, df1, df2),
                "chisq" => chi_squared_upper(x, df1),
                "binomial_half" => binomial_half_upper(x as u64, df1 as u64),
                "normal_quantile" => normal_upper_quantile(x),
                other => panic!("unknown distribution {other}"),
            };
            // Exponents near 700 cost the leading factor 3 digits of 16; R loses the same.
            let tolerance = if cells[0] == "chisq" { 5e-12 } else { 1e-12 };
            let error = (got - expected).abs();
            assert!(error <= tolerance * expected.abs() || error < 1e-305, "{line}: got {got:e}");
            rows += 1;
        }
        assert_eq!(rows, 646);
    }

    #[test]
    fn tails_end_at_zero_and_one() {
        assert_eq!((student_upper(f64::INFINITY, 5.0), student_upper(f64::NEG_INFINITY, 5.0)), (0.0, 1.0));
        assert_eq!((fisher_upper(-1.0, 3.0, 10.0), fisher_upper(0.0, 3.0, 10.0)), (1.0, 1.0));
        assert_eq!(fisher_upper(f64::INFINITY, 3.0, 10.0), 0.0);
    }
}
