//! The automatic block length of block bootstraps: Politis & White (2004), with the correction of Patton,
//! Politis & White (2009).

use crate::error::{Result, check_finite, check_rows, check_spread};

const TEST: &str = "automatic block length";

/// The mean block of the stationary bootstrap that minimises the error of its variance of the mean, at least
/// 1.
///
/// As in R's `np::b.star` and Python's `arch`, the first of five quiet lags (m̂ + 1 in PW04's notation) sets
/// the bandwidth, and the largest lag looked at does if no five are quiet. Autocorrelations are scaled as in
/// `arch`, so that lengths agree with it; lengths below 1 become 1.
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
    let n = series.len();
    let count = n as f64;
    let mean = series.iter().sum::<f64>() / count;
    let x: Vec<f64> = series.iter().map(|v| v - mean).collect();
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let variance = product(&x, &x) / count;
    check_spread(variance.sqrt(), mean, "series", TEST, "a constant series needs no bootstrap")?;
    // Footnote c of PW04: K_N = max(5, log10 N) lags below 2·√(log10 N / N) end the search.
    let quiet_lags = (count.log10() as usize).max(5);
    let most = (count.sqrt().ceil() as usize + quiet_lags).min(n - 2);
    let bound = 2.0 * (count.log10() / count).sqrt();
    let products: Vec<f64> = (0..=most).map(|lag| product(&x[lag..], &x)).collect();
    let quiet = |lag: usize| {
        let (late, early) = (&x[lag + 1..], &x[..n - lag - 1]);
        products[lag].abs() / (product(late, late) * product(early, early)).sqrt() < bound
    };
    let first_quiet = (1..=most.saturating_sub(quiet_lags)).find(|&m| (m..m + quiet_lags).all(quiet));
    let bandwidth = first_quiet.map_or(most, |m| (2 * m).min(most));

    // The flat-top window of Politis & Romano (1995).
    let window = |lag: usize| (2.0 * (1.0 - lag as f64 / bandwidth as f64)).clamp(0.0, 1.0);
    let (mut slope, mut spectrum) = (0.0, variance);
    for lag in 1..=bandwidth {
        let c = 2.0 * window(lag) * products[lag] / count;
        slope += lag as f64 * c;
        spectrum += c;
    }
    // PPW09: b = (2G²/D)^⅓ N^⅓ with D = 2·g(0)² for the stationary bootstrap.
    let longest = (3.0 * count.sqrt()).min(count / 3.0).ceil();
    let length = (2.0 * slope * slope / (2.0 * spectrum * spectrum) * count).cbrt();
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
