//! Sharpe ratios of a strategy's returns: standard error under dependence, and what remains after many
//! trials; long-run variances (HAC), the standard errors of means of series that depend on their past.

use crate::{
    distribution::{normal_lower, normal_upper_quantile},
    error::{Result, StatsError, check_finite, check_rows, check_setting, check_spread},
};

const TEST: &str = "a Sharpe ratio";
const EULER_GAMMA: f64 = 0.577_215_664_901_532_9;

/// A Sharpe ratio per period (not annualised) and its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sharpe {
    /// Mean over standard deviation (n − 1).
    pub ratio: f64,
    /// Standard error that allows for autocorrelation, volatility clusters, skewness and heavy tails.
    pub standard_error: f64,
    /// Periods.
    pub n: usize,
}

/// The Sharpe ratio of returns in time order with a HAC standard error.
///
/// By the delta method the ratio errs as the mean of ψ = z − ½·SR·(z² − 1), z the standardised return (Lo
/// 2002; Ledoit & Wolf 2008); the error is that of ψ's mean. Multiply both by √(periods a year) to annualise.
///
/// ```
/// use tailrank_stats::{Hac, sharpe_ratio};
///
/// let returns: Vec<f64> = (0..250).map(|i| 0.001 + 0.01 * (f64::from(i) * 2.3).sin()).collect();
/// let sharpe = sharpe_ratio(&returns, Hac::NeweyWest)?;
/// assert!(sharpe.ratio > 0.1 && sharpe.standard_error < 0.1);
/// # Ok::<(), tailrank_stats::StatsError>(())
/// ```
pub fn sharpe_ratio(returns: &[f64], hac: Hac) -> Result<Sharpe> {
    check_rows("returns", returns.len(), TEST, 10)?;
    let moments = Moments::of(returns)?;
    let n = returns.len();
    let ratio = moments.ratio * ((n - 1) as f64 / n as f64).sqrt();
    let influence: Vec<f64> = returns
        .iter()
        .map(|r| {
            let z = (r - moments.mean) / moments.deviation;
            z - 0.5 * moments.ratio * (z * z - 1.0)
        })
        .collect();
    let standard_error = (long_run_variance(&influence, hac)? / n as f64).sqrt();
    Ok(Sharpe { ratio, standard_error, n })
}

/// The probability that the true Sharpe ratio exceeds `benchmark` (Bailey & López de Prado 2012), both per
/// period.
///
/// Skewness and kurtosis of the returns enter its standard error; dependence in time does not
/// ([`sharpe_ratio`] allows for it).
pub fn probabilistic_sharpe(returns: &[f64], benchmark: f64) -> Result<f64> {
    check_rows("returns", returns.len(), TEST, 10)?;
    let m = Moments::of(returns)?;
    let spread = 1.0 - m.skewness * m.ratio + (m.kurtosis - 1.0) / 4.0 * m.ratio * m.ratio;
    if spread <= 0.0 {
        let reason = "skewness and kurtosis are too extreme for its normal approximation";
        return Err(StatsError::Degenerate { what: "a probabilistic Sharpe ratio", reason });
    }
    Ok(normal_lower((m.ratio - benchmark) * (returns.len() as f64 - 1.0).sqrt() / spread.sqrt()))
}

/// The answer of [`deflated_sharpe`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DeflatedSharpe {
    /// Probability that the true Sharpe ratio exceeds what the best of so many trials shows by luck.
    pub probability: f64,
    /// That luck: the expected largest Sharpe ratio of trials without skill.
    pub by_luck: f64,
}

/// The deflated Sharpe ratio (Bailey & López de Prado 2014): the probabilistic one against the expected best
/// of `trials`.
///
/// `variance` is the variance (n − 1) of the trials' Sharpe ratios per period. Trials are taken as
/// independent; variants that trade alike count for fewer, so that the answer is then too strict.
pub fn deflated_sharpe(returns: &[f64], trials: usize, variance: f64) -> Result<DeflatedSharpe> {
    check_setting(trials > 0, "trials", 0.0, "count the trials, the one at hand included")?;
    let expected = "the variance of the trials' Sharpe ratios is finite and not negative";
    check_setting(variance >= 0.0 && variance.is_finite(), "variance", variance, expected)?;
    let by_luck = variance.sqrt() * expected_largest(trials as f64);
    Ok(DeflatedSharpe { probability: probabilistic_sharpe(returns, by_luck)?, by_luck })
}

/// The expected largest of k standard normal values, by extreme-value theory; 0 for a single one.
fn expected_largest(k: f64) -> f64 {
    if k <= 1.0 {
        return 0.0;
    }
    (1.0 - EULER_GAMMA) * normal_upper_quantile(1.0 / k)
        + EULER_GAMMA * normal_upper_quantile(1.0 / (k * std::f64::consts::E))
}

/// Moments as Bailey & López de Prado use them: deviation by n, skewness and kurtosis (not excess) without
/// bias.
struct Moments {
    mean: f64,
    deviation: f64,
    ratio: f64,
    skewness: f64,
    kurtosis: f64,
}

impl Moments {
    fn of(returns: &[f64]) -> Result<Self> {
        check_finite("returns", returns)?;
        let n = returns.len() as f64;
        let mean = returns.iter().sum::<f64>() / n;
        let central = |power: i32| returns.iter().map(|r| (r - mean).powi(power)).sum::<f64>() / n;
        let variance = central(2);
        let fix = "the returns are all equal; a strategy that never trades has no Sharpe ratio";
        check_spread(variance.sqrt(), mean, "returns", TEST, fix)?;
        let deviation = variance.sqrt();
        let skewness = central(3) / deviation.powi(3) * (n * (n - 1.0)).sqrt() / (n - 2.0);
        let excess = (n - 1.0) / ((n - 2.0) * (n - 3.0))
            * ((n + 1.0) * central(4) / (variance * variance) - 3.0 * (n - 1.0));
        Ok(Self { mean, deviation, ratio: mean / deviation, skewness, kurtosis: excess + 3.0 })
    }
}

const LONG_RUN: &str = "a long-run variance";

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
    check_rows("series", series.len(), LONG_RUN, 10)?;
    check_finite("series", series)?;
    let n = series.len();
    let count = n as f64;
    let mean = series.iter().sum::<f64>() / count;
    let x: Vec<f64> = series.iter().map(|v| v - mean).collect();
    let covariance = |lag: usize| x[lag..].iter().zip(&x).map(|(a, b)| a * b).sum::<f64>() / count;
    let variance = covariance(0);
    let fix = "all values are equal; there is no spread to measure";
    check_spread(variance.sqrt(), mean, "series", LONG_RUN, fix)?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_returns_are_enough() {
        let returns = [0.1, -0.2, 0.3, 0.0, 0.2, -0.1, 0.4, 0.1, 0.0, 0.2];
        assert!(sharpe_ratio(&returns, Hac::NeweyWest).is_ok());
        let error = sharpe_ratio(&returns[..9], Hac::NeweyWest).unwrap_err();
        assert!(matches!(error, StatsError::TooFew { rows: 9, needed: 10, .. }), "{error:?}");
    }
}
