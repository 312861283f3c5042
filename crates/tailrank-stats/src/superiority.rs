//! Which of many models are better than a benchmark: the stepwise test of Romano & Wolf (2005) on one set of resamples.

use crate::{
    adjust::romano_wolf,
    distribution::student_upper,
    draws::Draws,
    error::{Result, StatsError, check_columns},
};

/// Each model's own p for "not better than the benchmark", adjusted for all of them by [`romano_wolf`].
///
/// `gains` are in any measure (positive is better than the benchmark), `draws` their values on resamples; undefined scores must be
/// filled before the benchmark's are subtracted. Gains are divided by their standard errors over the draws. A model without a gain
/// has p = 1.
///
/// So many draws cannot tell how small a p below 1 / (draws + 1) is: a p at this bound becomes the tail of Student's distribution at
/// the model's own gain, times the number of models (Bonferroni), where that is smaller still. `df` are the degrees of freedom of
/// the standard errors. Above the bound nothing changes; below it the test is the studentised one, which holds its size where the
/// gains are near normal.
///
/// ```
/// use tailrank_stats::{Resamples, superiority_p_values};
///
/// let wave = |f: f64, shift: f64| (0..200).map(|i| shift + (f64::from(i) * f).sin()).collect::<Vec<_>>();
/// let gains = [wave(1.3, 0.4), wave(1.7, -0.05)];
/// let draws = Resamples::stationary(200, 4.0, 1000, 3)?.means(&gains)?;
/// let means = gains.map(|g| g.iter().sum::<f64>() / 200.0);
/// let p_values = superiority_p_values(&means, &draws, 12.0)?;
/// assert!(p_values[0] < 0.05 && p_values[1] > 0.5);
/// # Ok::<(), tailrank_stats::StatsError>(())
/// ```
pub fn superiority_p_values(gains: &[f64], draws: &Draws, df: f64) -> Result<Vec<f64>> {
    let (mut p_values, variances) = by_draws(gains, draws)?;
    let least = 1.0 / (1.0 + draws.draws() as f64);
    let models = gains.len() as f64;
    for (j, p) in p_values.iter_mut().enumerate() {
        if *p <= least && variances[j] > 0.0 {
            *p = p.min(models * student_upper(gains[j] / variances[j].sqrt(), df));
        }
    }
    Ok(p_values)
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
        let tail = superiority_p_values(&gains, &draws, 12.0).unwrap();
        assert_eq!(plain[0], 1.0 / 401.0);
        let t = 1.0 / variances[0].sqrt();
        assert!((tail[0] / (3.0 * student_upper(t, 12.0)) - 1.0).abs() < 1e-12 && tail[0] < 1e-6);
        assert_eq!(tail[1..], plain[1..]);
    }
}
