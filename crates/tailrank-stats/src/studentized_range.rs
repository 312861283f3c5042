//! The studentized range distribution at infinite degrees of freedom, which Nemenyi's test needs.
//!
//! No crate offers it. P(Q ≤ q) = k ∫ φ(z) [Φ(z) − Φ(z−q)]ᵏ⁻¹ dz; the integrand is smooth and dies out as a Gaussian does, where
//! the trapezoidal rule converges faster than any power of its step.

use crate::{
    distribution::{normal_density, normal_lower},
    error::{Result, check_open_unit, check_setting},
};

/// A step of 1/16 leaves the error at rounding for k up to thousands; tests halve it.
const STEP: f64 = 1.0 / 16.0;

/// P(Q > q) for the range of k standard normal values, with relative precision in the tail.
///
/// ```
/// // Two values differ by more than 1.96·√2 with probability 5 %.
/// let p = tailrank_stats::studentized_range_upper(1.959963984540054 * 2f64.sqrt(), 2)?;
/// assert!((p - 0.05).abs() < 1e-15);
/// # Ok::<(), tailrank_stats::StatsError>(())
/// ```
pub fn studentized_range_upper(q: f64, k: usize) -> Result<f64> {
    check_groups(k)?;
    check_setting(!q.is_nan(), "q", q, "give a number from 0 up")?;
    Ok(upper(q, k, STEP))
}

/// The q with P(Q > q) = `alpha`: the critical value of the range of k standard normal values.
pub fn studentized_range_quantile(alpha: f64, k: usize) -> Result<f64> {
    check_groups(k)?;
    check_open_unit("alpha", alpha)?;
    // The upper tail falls from 1 at 0; Newton's method on its logarithm inside a bracket that always halves.
    let (mut low, mut high) = (0.0, 8.0);
    while upper(high, k, STEP) > alpha && high < 100.0 {
        (low, high) = (high, 2.0 * high);
    }
    let mut q = 0.5 * (low + high);
    for _ in 0..200 {
        let tail = upper(q, k, STEP);
        if tail > alpha {
            low = q;
        } else {
            high = q;
        }
        let step = (tail / alpha).ln() * tail / density(q, k);
        if step.abs() <= 1e-8 * q {
            // Newton's steps square the error: after this one it is below rounding.
            return Ok(q + step);
        }
        let newton = q + step;
        q = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
    }
    Ok(q)
}

fn check_groups(k: usize) -> Result<()> {
    check_setting(k >= 2, "k", k as f64, "compare at least 2 models")
}

fn upper(q: f64, k: usize, step: f64) -> f64 {
    if q <= 0.0 {
        return 1.0;
    }
    let others = k as f64 - 1.0;
    // 1 = k ∫ φ Φᵏ⁻¹, so the upper tail is the integral of a difference that keeps its digits.
    let integrand = |z: f64| {
        let all = normal_lower(z);
        let far = normal_lower(z - q);
        if all == 0.0 || far == 0.0 {
            return 0.0;
        }
        let missing = if far >= all { 1.0 } else { -(others * (-far / all).ln_1p()).exp_m1() };
        normal_density(z) * (others * all.ln()).exp() * missing
    };
    (k as f64 * trapezoid(q, step, integrand)).min(1.0)
}

fn density(q: f64, k: usize) -> f64 {
    let (k, fewer) = (k as f64, k as f64 - 2.0);
    k * (k - 1.0)
        * trapezoid(q, STEP, |z| {
            let between = normal_lower(z) - normal_lower(z - q);
            normal_density(z) * normal_density(z - q) * between.max(0.0).powf(fewer)
        })
}

/// ∫ f over z from −9 to max(q, 0) + 9, outside of which every φ here is below 10⁻¹⁸ of its peak.
fn trapezoid(q: f64, step: f64, f: impl Fn(f64) -> f64) -> f64 {
    let (from, to) = ((-9.0 / step) as i64, ((q.min(60.0) + 9.0) / step) as i64);
    (from..=to).map(|i| f(i as f64 * step)).sum::<f64>() * step
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_the_step_changes_nothing() {
        for k in [2, 3, 10, 57, 100, 1000] {
            for q in [0.1, 0.5, 1.0, 2.0, 3.5, 5.0, 8.0, 12.0, 25.0] {
                let (coarse, fine) = (upper(q, k, STEP), upper(q, k, 0.5 * STEP));
                assert!((coarse - fine).abs() <= 2e-14 * fine, "k {k} q {q}: {coarse:e} {fine:e}");
            }
        }
    }

    #[test]
    fn two_groups_are_a_normal_difference() {
        for q in [0.2, 1.0, 3.0, 7.0, 15.0] {
            let exact = 2.0 * crate::distribution::normal_upper(q / 2f64.sqrt());
            assert!((upper(q, 2, STEP) - exact).abs() <= 1e-13 * exact, "q {q}");
        }
    }

    #[test]
    fn quantile_inverts_the_tail() {
        for k in [2, 5, 57, 400] {
            for alpha in [0.9, 0.5, 0.1, 0.05, 0.01, 1e-6, 1e-12] {
                let q = studentized_range_quantile(alpha, k).unwrap();
                assert!((upper(q, k, STEP) / alpha - 1.0).abs() < 1e-12, "k {k} alpha {alpha}");
            }
        }
    }

    /// The range of two or more values is above any number that rounding cannot tell from 0.
    #[test]
    fn a_range_is_surely_above_almost_nothing() {
        for k in [2, 5] {
            let p = studentized_range_upper(1e-20, k).unwrap();
            assert!((p - 1.0).abs() < 1e-12, "k {k}: {p}");
        }
    }
}
