//! Which of many models are better than a benchmark: the stepwise test of Romano & Wolf (2005) on one set of resamples.

use crate::{
    adjust::romano_wolf,
    draws::Draws,
    error::{Result, StatsError, check_columns},
};

/// Each model's own p for "not better than the benchmark", adjusted for all of them by [`romano_wolf`].
///
/// `gains` are in any measure (positive is better than the benchmark), `draws` their values on resamples; undefined scores must be
/// filled before the benchmark's are subtracted. Gains are divided by their standard errors over the draws. A model without a gain
/// has p = 1.
///
/// So many draws cannot tell how small a p is that few of them reach: where at most `few` do, p becomes `tail` of the model's place and
/// its studentised gain, times the number of models (Bonferroni), if that is smaller. The tail is [`sign_flip_bound`] where units are
/// independent, and [`student_upper`](crate::student_upper) where slow waves make the error.
///
/// ```
/// use tailrank_stats::{Resamples, student_upper, superiority_p_values};
///
/// let wave = |f: f64, shift: f64| (0..200).map(|i| shift + (f64::from(i) * f).sin()).collect::<Vec<_>>();
/// let gains = [wave(1.3, 0.4), wave(1.7, -0.05)];
/// let draws = Resamples::stationary(200, 4.0, 1000, 3)?.means(&gains)?;
/// let means = gains.map(|g| g.iter().sum::<f64>() / 200.0);
/// let p_values = superiority_p_values(&means, &draws, 0, |_, t| student_upper(t, 12.0))?;
/// assert!(p_values[0] < 0.05 && p_values[1] > 0.5);
/// # Ok::<(), tailrank_stats::StatsError>(())
/// ```
pub fn superiority_p_values(
    gains: &[f64],
    draws: &Draws,
    few: usize,
    mut tail: impl FnMut(usize, f64) -> f64,
) -> Result<Vec<f64>> {
    let (mut p_values, variances) = by_draws(gains, draws)?;
    let small = (1 + few) as f64 / (1 + draws.draws()) as f64;
    let models = gains.len() as f64;
    for (j, p) in p_values.iter_mut().enumerate() {
        if *p <= small && variances[j] > 0.0 {
            *p = p.min(models * tail(j, gains[j] / variances[j].sqrt()));
        }
    }
    Ok(p_values)
}

/// An upper bound of how often the sum of `values` is at least `sum` when the sign of each is drawn at random.
///
/// Chernoff's bound, exp(Σ ln cosh(λ·value) − λ·sum) at its lowest over λ: it holds at any depth and for any values. Student's
/// tail of differences that rest on few hits is a third of the truth at 10⁻³. Where two models are equal, both signs of the
/// difference of a unit are as likely.
///
/// ```
/// // Ten units of one size, all on one side: 2⁻¹⁰; eight of ten: 56/1024, and at most 0.145.
/// assert!((tailrank_stats::sign_flip_bound(&[1.0; 10], 10.0) * 1024.0 - 1.0).abs() < 1e-3);
/// assert!((tailrank_stats::sign_flip_bound(&[1.0; 10], 6.0) - 0.145).abs() < 1e-3);
/// ```
pub fn sign_flip_bound(values: &[f64], sum: f64) -> f64 {
    let squares: f64 = values.iter().map(|v| v * v).sum();
    let (mut tilt, mut least) = (sum / squares, 1.0);
    // A tilt of each step gives a bound; Newton's steps towards the best one come from below and never go past it.
    while tilt > 0.0 && tilt.is_finite() {
        let (mut log, mut mean, mut variance) = (-tilt * sum, 0.0, 0.0);
        for size in values.iter().map(|v| v.abs()) {
            let other = (-2.0 * tilt * size).exp();
            let share = (1.0 - other) / (1.0 + other);
            log += tilt * size + (0.5 * (1.0 + other)).ln();
            mean += size * share;
            variance += size * size * (1.0 - share * share);
        }
        let bound = log.exp();
        let is_settled = bound.is_nan() || bound > 0.999 * least;
        least = bound.min(least);
        // So small a p is small enough after any correction.
        if is_settled || bound < 1e-12 {
            break;
        }
        tilt += (sum - mean) / variance;
    }
    least
}

/// The adjusted p values of the draws alone, and the variance of each gain over them.
fn by_draws(gains: &[f64], draws: &Draws) -> Result<(Vec<f64>, Vec<f64>)> {
    check_columns("gains", &[gains], "the draws", draws.columns())?;
    draws.check_finite("resampled gains")?;
    let variance = |(column, &gain): (&[f64], &f64)| {
        let variance = column.iter().map(|v| (v - gain).powi(2)).sum::<f64>() / column.len() as f64;
        // Differences that are all alike leave a variance of rounding errors.
        if variance > (16.0 * f64::EPSILON * gain).powi(2) { variance } else { 0.0 }
    };
    let variances: Vec<f64> = draws.iter().zip(gains).map(variance).collect();
    if variances.iter().all(|&v| v == 0.0) {
        let fix = "every model differs from the benchmark by a constant; there is nothing to test";
        let (name, test) = ("benchmark - models", "a test of superiority");
        return Err(StatsError::Constant { name, test, fix });
    }
    let scaled = |j: usize, gain: f64| match variances[j] {
        variance if variance > 0.0 => gain / variance.sqrt(),
        // Without spread a gain is certain, and its resampled deviations are rounding.
        _ if gain == gains[j] && gain != 0.0 => gain * f64::INFINITY,
        _ => 0.0,
    };
    let observed: Vec<f64> = (0..gains.len()).map(|j| scaled(j, gains[j]).clamp(0.0, f64::MAX)).collect();
    let deviations = |(j, column): (usize, &[f64])| -> Vec<f64> {
        column.iter().map(|v| scaled(j, v - gains[j]).max(0.0)).collect()
    };
    let null: Vec<Vec<f64>> = draws.iter().enumerate().map(deviations).collect();
    Ok((romano_wolf(&observed, &Draws::from_columns(&null)?)?, variances))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distribution::student_upper;

    /// Gains far beyond all draws get the tail of their own t; others keep the p of the draws.
    #[test]
    fn a_p_at_its_bound_is_told_by_the_tail() {
        let waves: Vec<Vec<f64>> = [0.7, 1.3, 2.9]
            .iter()
            .map(|f| (0..400).map(|i| 0.1 * (f64::from(i) * f).sin()).collect())
            .collect();
        let gains = [1.0, 0.05, -0.2];
        let columns: Vec<Vec<f64>> =
            waves.iter().zip(gains).map(|(w, g)| w.iter().map(|v| v + g).collect()).collect();
        let draws = Draws::from_columns(&columns).unwrap();
        let (plain, variances) = by_draws(&gains, &draws).unwrap();
        let tail = superiority_p_values(&gains, &draws, 0, |_, t| student_upper(t, 12.0)).unwrap();
        assert_eq!(plain[0], 1.0 / 401.0);
        let t = 1.0 / variances[0].sqrt();
        assert!((tail[0] / (3.0 * student_upper(t, 12.0)) - 1.0).abs() < 1e-12 && tail[0] < 1e-6);
        assert_eq!(tail[1..], plain[1..]);
    }

    /// The exact shares of all 2¹² signs lie below. Chernoff's bound exceeds a tail by about √(2π) times its z, here 4 at most.
    #[test]
    fn flipped_signs_are_bounded() {
        let values: Vec<f64> = (0..12).map(|i| 0.2 + (f64::from(i) * 1.7).sin().powi(2)).collect();
        let sum_of = |signs: u32| -> f64 {
            let signed = |(i, v): (usize, &f64)| if signs >> i & 1 == 1 { *v } else { -v };
            values.iter().enumerate().map(signed).sum()
        };
        let whole: f64 = values.iter().sum();
        for part in [0.1, 0.4, 0.6, 0.8, 0.95, 1.0] {
            let sum = part * whole;
            let share = (0..1 << 12).filter(|&s| sum_of(s) >= sum - 1e-12).count() as f64 / 4096.0;
            let bound = sign_flip_bound(&values, sum);
            assert!(share <= bound * 1.001 && bound < 10.0 * share, "{part}: {share} {bound}");
        }
        assert_eq!([-0.5, 0.0, f64::NAN].map(|sum| sign_flip_bound(&values, sum)), [1.0; 3]);
        assert_eq!(sign_flip_bound(&[0.0; 3], 0.0), 1.0);
    }
}
