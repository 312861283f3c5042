//! Seeded series that behave like quotes: clustered volatility, heavy tails, jumps.

use jiff::civil::{Date, Weekday};
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
use rand_distr::{Distribution, StandardNormal, StandardUniform, StudentT};

use crate::{DataError, PriceSeries, Result};

/// Mean daily log return.
const DRIFT: f64 = 2e-4;
/// ω, the base variance; with α and β about 1.5 % a day.
const OMEGA: f64 = 4.5e-6;
/// α, the weight of yesterday's shock.
const ALPHA: f64 = 0.06;
/// β, the weight of yesterday's variance.
const BETA: f64 = 0.92;
/// ν, the degrees of freedom of the shocks: tails like a single stock's.
const DEGREES: f64 = 5.0;
/// Chance of a jump per session, and its standard deviation.
const JUMP: (f64, f64) = (0.004, 0.05);

/// Draws `sessions` prices and volumes on weekdays from a GARCH(1,1) process with Student-t shocks and rare
/// jumps.
///
/// Daily log return r(t) = drift + σ(t)·z + jump, σ²(t+1) = ω + α·(σ(t)·z)² + β·σ²(t), z of unit variance.
///
/// ```
/// use tailrank_data::synthetic;
/// let a = synthetic::series("A", 250, 7)?;
/// assert_eq!(a, synthetic::series("A", 250, 7)?);
/// assert_ne!(a.prices(), synthetic::series("A", 250, 8)?.prices());
/// # Ok::<(), tailrank_data::DataError>(())
/// ```
pub fn series(name: &str, sessions: usize, seed: u64) -> Result<PriceSeries> {
    let shocks = StudentT::new(DEGREES).map_err(|_| DataError::setting("degrees", DEGREES, "above 2"))?;
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    // E z² = ν/(ν−2) for Student's t.
    let unit = ((DEGREES - 2.0) / DEGREES).sqrt();
    let mut variance = OMEGA / (1.0 - ALPHA - BETA);
    let (mut log_price, mut date) = (100f64.ln(), Date::constant(1970, 1, 2));
    let mut dates = Vec::with_capacity(sessions);
    let (mut prices, mut volumes) = (Vec::with_capacity(sessions), Vec::with_capacity(sessions));
    for _ in 0..sessions {
        while matches!(date.weekday(), Weekday::Saturday | Weekday::Sunday) {
            date = next_day(date)?;
        }
        dates.push(date);
        date = next_day(date)?;
        let shock = variance.sqrt() * unit * shocks.sample(&mut rng);
        let chance: f64 = StandardUniform.sample(&mut rng);
        let size: f64 = StandardNormal.sample(&mut rng);
        let busy: f64 = StandardNormal.sample(&mut rng);
        let jump = if chance < JUMP.0 { JUMP.1 * size } else { 0.0 };
        variance = OMEGA + ALPHA * shock * shock + BETA * variance;
        // A price stays a price whatever the draws: within e^±300 and half a log unit a day.
        log_price = (log_price + (DRIFT + shock + jump).clamp(-0.5, 0.5)).clamp(-300.0, 300.0);
        prices.push(log_price.exp());
        volumes.push((1e6 * (0.3 * busy + 20.0 * (shock + jump).abs()).exp()).round());
    }
    PriceSeries::new(name, dates, prices, Some(volumes))
}

fn next_day(date: Date) -> Result<Date> {
    let expected = "fewer sessions or an earlier first day";
    date.tomorrow().map_err(|_| DataError::setting("sessions", "past the year 9999", expected))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::returns;

    #[test]
    fn tails_are_heavy_and_volatility_clusters() {
        let series = series("S", 20_000, 3).unwrap();
        let r = returns(series.prices(), 1);
        let n = r.len() as f64;
        let mean = r.iter().sum::<f64>() / n;
        let moment = |k: i32| r.iter().map(|v| (v - mean).powi(k)).sum::<f64>() / n;
        assert!((0.012..0.022).contains(&moment(2).sqrt()), "sd {}", moment(2).sqrt());
        assert!(moment(4) / moment(2).powi(2) > 5.0, "kurtosis {}", moment(4) / moment(2).powi(2));
        let size: Vec<f64> = r.iter().map(|v| v.abs()).collect();
        let size_mean = size.iter().sum::<f64>() / n;
        let lagged: f64 = size.windows(2).map(|w| (w[0] - size_mean) * (w[1] - size_mean)).sum();
        let spread: f64 = size.iter().map(|v| (v - size_mean).powi(2)).sum();
        assert!(lagged / spread > 0.05, "autocorrelation of size {}", lagged / spread);
        assert!(series.dates().iter().all(|d| !matches!(d.weekday(), Weekday::Saturday | Weekday::Sunday)));
    }
}
