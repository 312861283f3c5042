//! The stationary block bootstrap (Politis & Romano 1994): resamples of a series that keep its dependence in time.

use crate::{
    error::{Result, StatsError, check_open_unit, check_rows},
    shuffle::Uniform,
};

const TEST: &str = "the stationary bootstrap";

/// Settings of a bootstrap interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bootstrap {
    /// Mean block length, at least 1 (1 resamples single cases). See [`crate::automatic_block_length`].
    pub mean_block: f64,
    /// Resamples drawn.
    pub resamples: usize,
    /// Coverage of the interval, such as 0.95.
    pub level: f64,
    /// Seed of the resamples.
    pub seed: u64,
}

/// A percentile interval.
#[derive(Clone, Debug, PartialEq)]
pub struct BootstrapInterval {
    /// The statistic of the series itself.
    pub estimate: f64,
    /// Lower end.
    pub lower: f64,
    /// Upper end.
    pub upper: f64,
    /// Standard deviation over the resamples.
    pub standard_error: f64,
    /// Resamples on which the statistic was defined.
    pub defined: usize,
    /// The settings used.
    pub settings: Bootstrap,
    /// Cases of the series.
    pub n: usize,
}

/// A percentile interval for any statistic of `n` cases in time order.
///
/// `statistic` gets the rows of a resample, so that it can pick the same rows from several columns (losses of two models,
/// truth and prediction). It answers `None` where it is undefined, such as a precision without signals; those resamples are
/// left out and counted.
///
/// ```
/// use tailrank_stats::{Bootstrap, stationary_bootstrap};
///
/// let gains = [0.2, 0.4, -0.1, 0.3, 0.5, 0.1, 0.3, 0.0, 0.4, 0.2];
/// let settings = Bootstrap { mean_block: 2.0, resamples: 2000, level: 0.95, seed: 1 };
/// let mean = |rows: &[usize]| Some(rows.iter().map(|&i| gains[i]).sum::<f64>() / rows.len() as f64);
/// let interval = stationary_bootstrap(gains.len(), mean, settings)?;
/// assert!(interval.lower > 0.0 && interval.upper < 0.4);
/// # Ok::<(), tailrank_stats::StatsError>(())
/// ```
pub fn stationary_bootstrap(
    n: usize,
    mut statistic: impl FnMut(&[usize]) -> Option<f64>,
    settings: Bootstrap,
) -> Result<BootstrapInterval> {
    check_rows("series", n, TEST, 2)?;
    check_open_unit("level", settings.level)?;
    let mut resampler = Resampler::new(n, settings.mean_block, settings.seed)?;
    if settings.resamples < 2 {
        let (name, value) = ("resamples", settings.resamples as f64);
        return Err(StatsError::Parameter { name, value, expected: "draw at least 2, usually 1000 or more" });
    }
    let mut rows: Vec<usize> = (0..n).collect();
    let finite = |value: Option<f64>, row: usize| match value {
        Some(value) if !value.is_finite() => Err(StatsError::NonFinite { name: "the statistic", row, value }),
        other => Ok(other),
    };
    let undefined = |defined: usize| StatsError::TooFew {
        name: "the statistic",
        rows: defined,
        test: TEST,
        needed: 2,
        fix: "it is undefined on the series or on nearly all resamples; use longer blocks or more cases",
    };
    let estimate = finite(statistic(&rows), 0)?.ok_or_else(|| undefined(0))?;
    let mut values = Vec::with_capacity(settings.resamples);
    for resample in 0..settings.resamples {
        resampler.draw(&mut rows);
        values.extend(finite(statistic(&rows), resample + 1)?);
    }
    if values.len() < 2 {
        return Err(undefined(values.len()));
    }
    values.sort_by(f64::total_cmp);
    let tail = 0.5 * (1.0 - settings.level);
    Ok(BootstrapInterval {
        estimate,
        lower: quantile(&values, tail),
        upper: quantile(&values, 1.0 - tail),
        standard_error: crate::t_test::mean_and_variance(&values).1.max(0.0).sqrt(),
        defined: values.len(),
        settings,
        n,
    })
}

/// Draws the rows of stationary bootstrap resamples.
pub struct Resampler {
    n: usize,
    new_block: f64,
    random: Uniform,
}

impl Resampler {
    /// For series of `n` cases with blocks of geometric length and the given mean.
    pub fn new(n: usize, mean_block: f64, seed: u64) -> Result<Self> {
        check_rows("series", n, TEST, 1)?;
        if !(mean_block >= 1.0 && mean_block.is_finite()) {
            let expected = "choose a mean block length of 1 or more";
            return Err(StatsError::Parameter { name: "mean_block", value: mean_block, expected });
        }
        Ok(Self { n, new_block: 1.0 / mean_block, random: Uniform::seeded(seed) })
    }

    /// Fills `rows` with the next resample, rows counted from 0; the series is taken as a circle.
    pub fn draw(&mut self, rows: &mut [usize]) {
        let mut at = 0;
        for (i, row) in rows.iter_mut().enumerate() {
            at = if i == 0 || self.random.unit() < self.new_block {
                self.random.below(self.n as u64) as usize
            } else if at + 1 == self.n {
                0
            } else {
                at + 1
            };
            *row = at;
        }
    }
}

/// The quantile of sorted values, linear between order statistics (type 7).
fn quantile(sorted: &[f64], probability: f64) -> f64 {
    let place = probability * (sorted.len() - 1) as f64;
    let (below, above) = (place.floor() as usize, place.ceil() as usize);
    sorted[below] + (place - place.floor()) * (sorted[above] - sorted[below])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_have_their_mean_length_and_cover_the_series() {
        let (n, mean_block) = (500, 8.0);
        let mut resampler = Resampler::new(n, mean_block, 5).unwrap();
        let mut rows = vec![0; n];
        let (mut breaks, mut counts) = (0, vec![0u32; n]);
        for _ in 0..400 {
            resampler.draw(&mut rows);
            breaks += rows.windows(2).filter(|w| w[1] != (w[0] + 1) % n).count();
            rows.iter().for_each(|&r| counts[r] += 1);
        }
        let length = (400 * (n - 1)) as f64 / breaks as f64;
        assert!((length / mean_block - 1.0).abs() < 0.02, "mean block {length}");
        // Every row is drawn 400 times on average, in blocks: the spread is about √(400·15).
        assert!(counts.iter().all(|&c| (c as f64 - 400.0).abs() < 6.0 * (400.0f64 * 15.0).sqrt()));
    }

    #[test]
    fn variance_of_the_mean_is_politis_and_romanos() {
        // PR94 lemma 1: n·Var(mean*) = c₀ + 2Σ (circular autocovariance) × ((1−i/n)(1−p)ⁱ + (i/n)(1−p)ⁿ⁻ⁱ), less the boundary terms.
        let series: Vec<f64> = (0..60).map(|i| (f64::from(i) * 0.4).sin() + f64::from(i % 7) * 0.1).collect();
        let n = series.len();
        let mean = series.iter().sum::<f64>() / n as f64;
        let circular = |lag: usize| {
            (0..n).map(|i| (series[i] - mean) * (series[(i + lag) % n] - mean)).sum::<f64>() / n as f64
        };
        let keep = 1.0 - 1.0 / 5.0f64;
        let weight = |i: usize| 2.0 * (1.0 - i as f64 / n as f64) * keep.powi(i as i32);
        let variance = (circular(0) + (1..n).map(|i| weight(i) * circular(i)).sum::<f64>()) / n as f64;
        let statistic = |rows: &[usize]| Some(rows.iter().map(|&i| series[i]).sum::<f64>() / n as f64);
        let settings = Bootstrap { mean_block: 5.0, resamples: 40_000, level: 0.9, seed: 9 };
        let interval = stationary_bootstrap(n, statistic, settings).unwrap();
        assert!((interval.standard_error.powi(2) / variance - 1.0).abs() < 0.03);
        assert_eq!(interval, stationary_bootstrap(n, statistic, settings).unwrap());
    }
}
