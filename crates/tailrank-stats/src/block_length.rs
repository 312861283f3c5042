//! The automatic block length of the stationary bootstrap: Politis & White (2004), with the correction of Patton, Politis & White (2009).

use crate::error::{Result, StatsError, check_finite, check_rows};

const TEST: &str = "automatic block length";

/// The mean block length that minimises the error of the bootstrap variance of the mean, at least 1.
///
/// ```
/// // Values that alternate at random need no blocks; a slow wave needs long ones.
/// let wave: Vec<f64> = (0..400).map(|i| (f64::from(i) / 15.0).sin()).collect();
/// assert!(tailrank_stats::automatic_block_length(&wave)? > 10.0);
/// # Ok::<(), tailrank_stats::StatsError>(())
/// ```
pub fn automatic_block_length(series: &[f64]) -> Result<f64> {
    check_rows("series", series.len(), TEST, 10)?;
    check_finite("series", series)?;
    let n = series.len() as f64;
    let mean = series.iter().sum::<f64>() / n;
    let centred: Vec<f64> = series.iter().map(|v| v - mean).collect();
    let covariance = |lag: usize| centred[lag..].iter().zip(&centred).map(|(a, b)| a * b).sum::<f64>() / n;
    let variance = covariance(0);
    if variance.sqrt() <= 10.0 * f64::EPSILON * mean.abs() || variance == 0.0 {
        let fix = "a constant series needs no bootstrap";
        return Err(StatsError::Constant { name: "series", test: TEST, fix });
    }
    // Footnote c of PW04: K_N = max(5, √log10 N) lags below 2·√(log10 N / N) end the search.
    let quiet_lags = n.log10().sqrt().ceil().max(5.0) as usize;
    let most = (n.sqrt().ceil() as usize + quiet_lags).min(series.len() - 1);
    let bound = 2.0 * (n.log10() / n).sqrt();
    let covariances: Vec<f64> = (0..=most).map(covariance).collect();
    let quiet = |lag: usize| (covariances[lag] / variance).abs() < bound;
    let last_loud = (0..=most.saturating_sub(quiet_lags)).find(|m| (m + 1..=m + quiet_lags).all(quiet));
    // Without a quiet stretch, the largest lag that still correlates.
    let last_loud = last_loud.or_else(|| (1..=most).rev().find(|&lag| !quiet(lag))).unwrap_or(1);
    let bandwidth = (2 * last_loud.max(1)).min(most);

    // The flat-top window of Politis & Romano (1995).
    let window = |lag: usize| (2.0 * (1.0 - lag as f64 / bandwidth as f64)).clamp(0.0, 1.0);
    let weighted = (1..=bandwidth).map(|lag| (lag, window(lag) * covariances[lag]));
    let (mut slope, mut spectrum) = (0.0, variance);
    for (lag, c) in weighted {
        slope += 2.0 * lag as f64 * c;
        spectrum += 2.0 * c;
    }
    // PPW09: D = 2·g(0)² for the stationary bootstrap; b = (2G²/D)^⅓ N^⅓.
    let ratio = slope * slope / (spectrum * spectrum);
    let longest = (3.0 * n.sqrt()).min(n / 3.0).ceil();
    let length = (ratio * n).cbrt();
    Ok(if length.is_finite() { length.clamp(1.0, longest) } else { longest })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{distribution::normal_upper_quantile, shuffle::Uniform};

    /// For an AR(1) with coefficient ρ the best length is (2ρ/(1−ρ²))^⅔ N^⅓.
    #[test]
    fn long_autoregressions_get_their_theoretical_length() {
        let n = 200_000;
        for rho in [0.3f64, 0.7] {
            let mut random = Uniform::seeded(11);
            let mut value = 0.0;
            let series: Vec<f64> = (0..n)
                .map(|_| {
                    value = rho * value + normal_upper_quantile(random.unit().max(1e-12));
                    value
                })
                .collect();
            let expected = (2.0 * rho / (1.0 - rho * rho)).powf(2.0 / 3.0) * f64::from(n).cbrt();
            let got = automatic_block_length(&series).unwrap();
            assert!((got / expected - 1.0).abs() < 0.1, "rho {rho}: {got} against {expected}");
        }
    }
}
