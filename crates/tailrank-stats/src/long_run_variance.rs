//! Long-run variances: standard errors of means of series that depend on their past (HAC).

use std::f64::consts::PI;

use crate::error::{Result, StatsError, check_finite, check_rows};

const TEST: &str = "a long-run variance";

/// How autocovariances are weighted, and how many count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Hac {
    /// Bartlett's weights with the automatic bandwidth of Newey & West (1994).
    #[default]
    NeweyWest,
    /// Bartlett's weights 1 − j/(lags + 1) for a given number of lags (Newey & West 1987).
    Lags(usize),
    /// The quadratic spectral kernel with the AR(1) bandwidth of Andrews (1991). Work grows with n².
    Andrews,
}

/// A long-run variance and how it was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LongRun {
    /// Σ of the weighted autocovariances: n·Var(mean).
    pub variance: f64,
    /// The bandwidth: lags for Bartlett's weights, Andrews's S for the quadratic spectral kernel.
    pub bandwidth: f64,
}

/// The long-run variance of a series around its mean.
pub fn long_run_variance(series: &[f64], hac: Hac) -> Result<LongRun> {
    check_rows("series", series.len(), TEST, 10)?;
    check_finite("series", series)?;
    let n = series.len();
    let count = n as f64;
    let mean = series.iter().sum::<f64>() / count;
    let x: Vec<f64> = series.iter().map(|v| v - mean).collect();
    let covariance = |lag: usize| x[lag..].iter().zip(&x).map(|(a, b)| a * b).sum::<f64>() / count;
    let variance = covariance(0);
    if variance.sqrt() <= 10.0 * f64::EPSILON * mean.abs() || variance == 0.0 {
        let fix = "all values are equal; there is no spread to measure";
        return Err(StatsError::Constant { name: "series", test: TEST, fix });
    }
    let bandwidth = match hac {
        Hac::Lags(lags) if lags >= n => {
            let expected = "choose fewer lags than cases";
            return Err(StatsError::Parameter { name: "lags", value: lags as f64, expected });
        }
        Hac::Lags(lags) => lags as f64,
        Hac::NeweyWest => newey_west_bandwidth(count, &covariance),
        Hac::Andrews => andrews_bandwidth(&x),
    };
    let weight = |lag: f64| match hac {
        Hac::Andrews => quadratic_spectral(lag / bandwidth),
        _ => (1.0 - lag / (bandwidth + 1.0)).max(0.0),
    };
    let last = match hac {
        Hac::Andrews if bandwidth > 0.0 => n - 1,
        Hac::Andrews => 0,
        _ => (bandwidth as usize).min(n - 1),
    };
    let lagged: f64 = (1..=last).map(|lag| weight(lag as f64) * covariance(lag)).sum();
    Ok(LongRun { variance: (variance + 2.0 * lagged).max(0.0), bandwidth })
}

/// The standard error of the mean of a series.
///
/// ```
/// use tailrank_stats::{Hac, hac_standard_error};
///
/// let slow: Vec<f64> = (0..300).map(|i| (f64::from(i) / 20.0).sin()).collect();
/// let naive = hac_standard_error(&slow, Hac::Lags(0))?;
/// assert!(hac_standard_error(&slow, Hac::NeweyWest)? > 2.0 * naive);
/// # Ok::<(), tailrank_stats::StatsError>(())
/// ```
pub fn hac_standard_error(series: &[f64], hac: Hac) -> Result<f64> {
    Ok((long_run_variance(series, hac)?.variance / series.len() as f64).sqrt())
}

/// Newey & West (1994), table II.B: 1.1447·((s₁/s₀)²·n)^⅓ with s from the first 4·(n/100)^(2/9) lags.
fn newey_west_bandwidth(n: f64, covariance: &dyn Fn(usize) -> f64) -> f64 {
    let lags = ((4.0 * (n / 100.0).powf(2.0 / 9.0)).ceil() as usize).min(n as usize - 1);
    let (mut s0, mut s1) = (covariance(0), 0.0);
    for lag in 1..=lags {
        let c = 2.0 * covariance(lag);
        s0 += c;
        s1 += lag as f64 * c;
    }
    let ratio = s1 / s0;
    let bandwidth = 1.1447 * (ratio * ratio * n).cbrt();
    if bandwidth.is_finite() { bandwidth.min(n - 1.0) } else { n - 1.0 }
}

/// Andrews (1991), eq. 6.2 and 6.4: 1.3221·(α(2)·n)^⅕ with α(2) = 4ρ²/(1 − ρ)⁴ of a fitted AR(1).
fn andrews_bandwidth(x: &[f64]) -> f64 {
    let n = x.len() as f64;
    let cross: f64 = x[1..].iter().zip(x).map(|(a, b)| a * b).sum();
    let square: f64 = x[..x.len() - 1].iter().map(|v| v * v).sum();
    // Andrews & Monahan (1992) keep ρ from the unit root.
    let rho = (cross / square).clamp(-0.97, 0.97);
    1.3221 * (4.0 * rho * rho / (1.0 - rho).powi(4) * n).powf(0.2)
}

/// 25/(12π²x²)·(sin(6πx/5)/(6πx/5) − cos(6πx/5)).
fn quadratic_spectral(x: f64) -> f64 {
    let z = 6.0 * PI * x / 5.0;
    // Where the difference cancels, its series.
    if z < 1e-3 {
        return 1.0 - z * z / 10.0;
    }
    3.0 / (z * z) * (z.sin() / z - z.cos())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Andrews (1991): the kernel is 1 at 0, and near it 1 − 18π²x²/125.
    #[test]
    fn the_quadratic_spectral_kernel_near_zero() {
        assert_eq!(quadratic_spectral(0.0), 1.0);
        // 18π²/125 = 1.42122303375686.
        assert!((1.0 - quadratic_spectral(1e-4) - 1.421_223e-8).abs() < 1e-13);
        assert!((1.0 - quadratic_spectral(1e-2) - 1.421_223e-4).abs() < 1e-7);
    }
}
