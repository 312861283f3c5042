//! How the values of a series move, which tells prices from other values better than any name.

/// From this correlation with the value before on, values are predicted by their changes.
const CLOSE: f64 = 0.9;

/// From this correlation on, values that are named as prices move as prices may; a few dozen of a walk have no more.
const NEAR: f64 = 0.5;

/// Whether values are anything but noise around a level.
pub(super) fn is_slow(values: &[f64]) -> bool {
    autocorrelation(values) > NEAR
}

/// Whether values stay near the one before.
pub(super) fn is_persistent(values: &[f64]) -> bool {
    autocorrelation(values) > CLOSE
}

/// Whether values move as prices do: above zero, near the last one, and with relative changes that tell nothing of the next. Temperatures
/// come back and rivers go on.
pub(super) fn like_prices(values: &[f64]) -> bool {
    let changes: Vec<f64> = values.windows(2).map(|w| (w[1] / w[0]).ln()).collect();
    // Twice the standard error of a correlation of independent changes, and no less than markets show.
    let chance = (2.5 / (changes.len() as f64).sqrt()).max(0.15);
    values.iter().all(|v| *v > 0.0) && is_persistent(values) && autocorrelation(&changes).abs() < chance
}

/// The correlation of values with those before them.
fn autocorrelation(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let spread: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
    let shared: f64 = values.windows(2).map(|w| (w[0] - mean) * (w[1] - mean)).sum();
    if spread > 0.0 { shared / spread } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_moves_slowly_is_close_to_the_day_before() {
        let walk: Vec<f64> = (0..200).map(|i| f64::from(i) + f64::from(i % 3)).collect();
        assert!(is_persistent(&walk));
        let rain: Vec<f64> = (0..200).map(|i| f64::from(i * 7919 % 13)).collect();
        assert!(autocorrelation(&rain) < 0.5);
        assert_eq!(autocorrelation(&[2.0, 2.0]), 0.0);
    }

    #[test]
    fn prices_are_known_by_how_they_move() {
        let mut state = 1u64;
        let mut step = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as f64 / f64::from(1u32 << 31) - 0.5
        };
        let steps: Vec<f64> = (0..1000).map(|_| step()).collect();
        let sum = |change: &dyn Fn(usize) -> f64| {
            let mut log = 4.0;
            (0..1000)
                .map(|i| {
                    log += 0.03 * change(i);
                    f64::exp(log)
                })
                .collect::<Vec<f64>>()
        };
        assert!(like_prices(&sum(&|i| steps[i])));
        // A river rises for days; a warm day is followed by a cooler one around the season.
        assert!(!like_prices(&sum(&|i| steps[i] + steps[i.saturating_sub(1)])));
        let warmth = |i: usize| 60.0 + 25.0 * (i as f64 / 58.0).sin() + 8.0 * steps[i];
        assert!(!like_prices(&(0..1000).map(warmth).collect::<Vec<f64>>()));
        assert!(!like_prices(&(0..1000).map(|i| steps[i] - 1.0).collect::<Vec<f64>>()));
    }
}
