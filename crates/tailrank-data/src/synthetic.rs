//! Seeded series that behave like quotes: clustered volatility, heavy tails, jumps.

use jiff::civil::{Date, Weekday};
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
use rand_distr::{Distribution, StandardNormal, StandardUniform, StudentT};

use crate::{DataError, PriceSeries, Result};

/// A GARCH(1,1) process with Student-t shocks and rare jumps.
///
/// Daily log return r(t) = drift + σ(t)·z + jump, σ²(t+1) = ω + α·(σ(t)·z)² + β·σ²(t), z of unit variance.
///
/// ```
/// use tailrank_data::synthetic::Synthetic;
/// let a = Synthetic::default().series("A", 250, 7)?;
/// assert_eq!(a, Synthetic::default().series("A", 250, 7)?);
/// assert_ne!(a.prices(), Synthetic::default().series("A", 250, 8)?.prices());
/// # Ok::<(), tailrank_data::DataError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Synthetic {
    /// Mean daily log return.
    pub drift: f64,
    /// ω, the base variance.
    pub omega: f64,
    /// α, the weight of yesterday's shock.
    pub alpha: f64,
    /// β, the weight of yesterday's variance.
    pub beta: f64,
    /// Degrees of freedom of the shocks, above 2.
    pub degrees: f64,
    /// Chance of a jump per session.
    pub jump_rate: f64,
    /// Standard deviation of a jump.
    pub jump_size: f64,
    /// Price before the first session.
    pub start: f64,
    /// Earliest first session; weekends are skipped.
    pub first: Date,
}

impl Default for Synthetic {
    /// About 1.5 % a day, with tails like a single stock's.
    fn default() -> Self {
        Self {
            drift: 2e-4,
            omega: 4.5e-6,
            alpha: 0.06,
            beta: 0.92,
            degrees: 5.0,
            jump_rate: 0.004,
            jump_size: 0.05,
            start: 100.0,
            first: Date::constant(1970, 1, 2),
        }
    }
}

impl Synthetic {
    /// Draws `sessions` prices and volumes on weekdays.
    pub fn series(&self, name: &str, sessions: usize, seed: u64) -> Result<PriceSeries> {
        let shocks = self.checked()?;
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        // E z² = ν/(ν−2) for Student's t.
        let unit = ((self.degrees - 2.0) / self.degrees).sqrt();
        let mut variance = self.omega / (1.0 - self.alpha - self.beta);
        let (mut log_price, mut date) = (self.start.ln(), self.first);
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
            let jump = if chance < self.jump_rate { self.jump_size * size } else { 0.0 };
            variance = self.omega + self.alpha * shock * shock + self.beta * variance;
            // A price stays a price whatever the draws: within e^±300 and half a log unit a day.
            log_price = (log_price + (self.drift + shock + jump).clamp(-0.5, 0.5)).clamp(-300.0, 300.0);
            prices.push(log_price.exp());
            volumes.push((1e6 * (0.3 * busy + 20.0 * (shock + jump).abs()).exp()).round());
        }
        PriceSeries::new(name, dates, prices, Some(volumes))
    }

    fn checked(&self) -> Result<StudentT<f64>> {
        let bad = |name, value: f64, expected: &str| DataError::Setting {
            name,
            value: value.to_string(),
            expected: expected.into(),
        };
        for (name, value) in [("omega", self.omega), ("start", self.start)] {
            if !(value > 0.0 && value.is_finite()) {
                return Err(bad(name, value, "above 0"));
            }
        }
        for (name, value) in [("alpha", self.alpha), ("beta", self.beta), ("jump_size", self.jump_size)] {
            if !(value >= 0.0 && value.is_finite()) {
                return Err(bad(name, value, "0 or above"));
            }
        }
        if self.alpha + self.beta >= 1.0 {
            return Err(bad("alpha + beta", self.alpha + self.beta, "below 1, or variance has no mean"));
        }
        if !(0.0..=1.0).contains(&self.jump_rate) {
            return Err(bad("jump_rate", self.jump_rate, "0 … 1"));
        }
        if !self.drift.is_finite() {
            return Err(bad("drift", self.drift, "a finite number"));
        }
        if !(self.degrees > 2.0 && self.degrees.is_finite()) {
            return Err(bad("degrees", self.degrees, "above 2, or shocks have no variance"));
        }
        StudentT::new(self.degrees).map_err(|_| bad("degrees", self.degrees, "above 2"))
    }
}

fn next_day(date: Date) -> Result<Date> {
    date.tomorrow().map_err(|_| DataError::Setting {
        name: "sessions",
        value: "past the year 9999".into(),
        expected: "fewer sessions or an earlier first day".into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::returns;

    #[test]
    fn tails_are_heavy_and_volatility_clusters() {
        let series = Synthetic::default().series("S", 20_000, 3).unwrap();
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

    #[test]
    fn settings_outside_their_range_are_named() {
        let explosive = Synthetic { alpha: 0.5, beta: 0.6, ..Synthetic::default() };
        assert!(explosive.series("S", 10, 1).unwrap_err().to_string().contains("alpha + beta = 1.1"));
        let no_variance = Synthetic { degrees: 2.0, ..Synthetic::default() };
        assert!(no_variance.series("S", 10, 1).is_err());
    }
}
