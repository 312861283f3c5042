//! Long-run variances: standard errors of means of series that depend on their past (HAC).

use crate::error::{Result, check_finite, check_rows, check_setting, check_spread};

const TEST: &str = "a long-run variance";

/// How autocovariances are weighted, and how many count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Hac {
    /// Bartlett's weights with the automatic bandwidth of Newey & West (1994).
    #[default]
    NeweyWest,
    /// Bartlett's weights 1 − j/(lags + 1) for a given number of lags (Newey & West 1987).
    Lags(usize),
}

/// The long-run variance of a series around its mean: Σ of the weighted autocovariances, n·Var(mean).
pub fn long_run_variance(series: &[f64], hac: Hac) -> Result<f64> {
    check_rows("series", series.len(), TEST, 10)?;
    check_finite("series", series)?;
    let n = series.len();
    let count = n as f64;
    let mean = series.iter().sum::<f64>() / count;
    let x: Vec<f64> = series.iter().map(|v| v - mean).collect();
    let covariance = |lag: usize| x[lag..].iter().zip(&x).map(|(a, b)| a * b).sum::<f64>() / count;
    let variance = covariance(0);
    let fix = "all values are equal; there is no spread to measure";
    check_spread(variance.sqrt(), mean, "series", TEST, fix)?;
    let bandwidth = match hac {
        Hac::Lags(lags) => {
            check_setting(lags < n, "lags", lags as f64, "choose fewer lags than cases")?;
            lags as f64
        }
        Hac::NeweyWest => newey_west_bandwidth(count, &covariance),
    };
    let weight = |lag: f64| (1.0 - lag / (bandwidth + 1.0)).max(0.0);
    let last = (bandwidth as usize).min(n - 1);
    let lagged: f64 = (1..=last).map(|lag| weight(lag as f64) * covariance(lag)).sum();
    Ok((variance + 2.0 * lagged).max(0.0))
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
