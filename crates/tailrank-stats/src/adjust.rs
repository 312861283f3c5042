//! p values adjusted for the number of tests: of any tests (Holm, Benjamini & Hochberg), and of many models
//! that share their draws (Romano & Wolf 2005, 2016).

use crate::{
    draws::Draws,
    error::{Result, StatsError, check_columns, check_finite, check_setting},
};

/// A correction for multiple tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Correction {
    /// Holm (1979), step-down: safe under any dependence.
    Holm,
    /// Benjamini & Hochberg (1995): the false discovery rate, independent or positively dependent tests.
    BenjaminiHochberg,
}

/// Adjusted p values, in the order given.
///
/// ```
/// use tailrank_stats::{Correction, adjust};
///
/// assert_eq!(adjust(&[0.01, 0.04, 0.03], Correction::Holm)?, [0.03, 0.06, 0.06]);
/// # Ok::<(), tailrank_stats::StatsError>(())
/// ```
pub fn adjust(p_values: &[f64], correction: Correction) -> Result<Vec<f64>> {
    if !p_values.is_empty() {
        check_finite("p_values", p_values)?;
    }
    for &p in p_values {
        check_setting((0.0..=1.0).contains(&p), "p_values", p, "p values lie between 0 and 1")?;
    }
    let m = p_values.len();
    let mut order: Vec<usize> = (0..m).collect();
    order.sort_by(|&i, &j| p_values[i].total_cmp(&p_values[j]));
    let count = m as f64;
    let mut out = vec![0.0; m];
    match correction {
        Correction::Holm => {
            let mut highest = 0.0f64;
            for (i, &place) in order.iter().enumerate() {
                highest = highest.max(p_values[place] * (count - i as f64));
                out[place] = highest.min(1.0);
            }
        }
        Correction::BenjaminiHochberg => {
            let mut lowest = f64::INFINITY;
            for (i, &place) in order.iter().enumerate().rev() {
                lowest = lowest.min(p_values[place] * (count / (i + 1) as f64));
                out[place] = lowest.min(1.0);
            }
        }
    }
    Ok(out)
}

/// Each model's p value, adjusted so that the chance of a single false rejection among all models is at most
/// the level.
///
/// `statistics` holds one studentised gain per model, larger is better; `null` holds the same statistics on
/// every draw with their means taken out, one column per model. The model with the largest statistic is held
/// against the largest of all models on each draw, the second against the largest of the remaining models,
/// and so on: p = (1 + draws at least as large) / (1 + draws), never below that of the model before (Romano &
/// Wolf 2016, algorithm 3.1).
///
/// ```
/// use tailrank_stats::{Draws, romano_wolf};
///
/// let null = Draws::from_columns(&[vec![0.1, 2.5, -0.3], vec![1.0, 0.2, -1.0]])?;
/// assert_eq!(romano_wolf(&[2.0, 0.9], &null)?, [0.5, 0.5]);
/// # Ok::<(), tailrank_stats::StatsError>(())
/// ```
pub fn romano_wolf(statistics: &[f64], null: &Draws) -> Result<Vec<f64>> {
    check_columns("statistics", &[statistics], "the draws", null.columns())?;
    let mut order: Vec<usize> = (0..statistics.len()).collect();
    order.sort_by(|&a, &b| statistics[a].total_cmp(&statistics[b]));
    // From the smallest statistic upwards, so that `maxima` always holds the models not yet rejected.
    let mut maxima = vec![f64::NEG_INFINITY; null.draws()];
    let mut p_values = vec![1.0; statistics.len()];
    for &model in &order {
        maxima.iter_mut().zip(null.column(model)).for_each(|(m, &v)| *m = m.max(v));
        let reached = maxima.iter().filter(|&&m| m >= statistics[model]).count();
        p_values[model] = (1 + reached) as f64 / (1 + null.draws()) as f64;
    }
    let mut before: f64 = 0.0;
    for &model in order.iter().rev() {
        before = before.max(p_values[model]);
        p_values[model] = before;
    }
    Ok(p_values)
}

/// Each model's own p for "not better than the benchmark", adjusted for all of them by [`romano_wolf`].
///
/// `gains` are in any measure (positive is better than the benchmark), `draws` their values on resamples;
/// undefined scores must be filled before the benchmark's are subtracted. Gains are divided by their standard
/// errors over the draws. A model without a gain has p = 1.
///
/// So many draws cannot tell how small a p is that few of them reach: where at most `few` do, p becomes
/// `tail` of the model's place and its studentised gain, times the number of models (Bonferroni), if that is
/// smaller. The tail is [`sign_flip_bound`] where units are independent, and
/// [`student_upper`](crate::student_upper) where slow waves make the error.
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

/// An upper bound of how often the sum of `values` is at least `sum` when the sign of each is drawn at
/// random.
///
/// Chernoff's bound, exp(Σ ln cosh(λ·value) − λ·sum) at its lowest over λ: it holds at any depth and for any
/// values. Student's tail of differences that rest on few hits is a third of the truth at 10⁻³. Where two
/// models are equal, both signs of the difference of a unit are as likely.
///
/// ```
/// // Ten units of one size, all on one side: 2⁻¹⁰; eight of ten: 56/1024, and at most 0.145.
/// assert!((tailrank_stats::sign_flip_bound(&[1.0; 10], 10.0) * 1024.0 - 1.0).abs() < 1e-3);
/// assert!((tailrank_stats::sign_flip_bound(&[1.0; 10], 6.0) - 0.145).abs() < 1e-3);
/// ```
pub fn sign_flip_bound(values: &[f64], sum: f64) -> f64 {
    let squares: f64 = values.iter().map(|v| v * v).sum();
    let (mut tilt, mut least) = (sum / squares, 1.0);
    // A tilt of each step gives a bound; Newton's steps towards the best one come from below and never go
    // past it.
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
    use crate::{distribution::normal_upper_quantile, shuffle::Uniform};

    /// Algorithm 3.1 of Romano & Wolf (2016) as it is written there, every step with the maxima of the models
    /// left.
    fn as_published(statistics: &[f64], null: &Draws) -> Vec<f64> {
        let mut order: Vec<usize> = (0..statistics.len()).collect();
        order.sort_by(|&a, &b| statistics[b].total_cmp(&statistics[a]));
        let mut p = vec![0.0; statistics.len()];
        for step in 0..order.len() {
            let largest = |draw: usize| {
                order[step..].iter().map(|&j| null.column(j)[draw]).fold(f64::NEG_INFINITY, f64::max)
            };
            let reached = (0..null.draws()).filter(|&d| largest(d) >= statistics[order[step]]).count();
            p[order[step]] = (reached + 1) as f64 / (null.draws() + 1) as f64;
            if step > 0 {
                p[order[step]] = f64::max(p[order[step]], p[order[step - 1]]);
            }
        }
        p
    }

    fn normal(random: &mut Uniform) -> f64 {
        normal_upper_quantile(random.unit().max(1e-15))
    }

    /// Statistics of models that share two fifths of their variance, of the data and on `draws` draws.
    fn world(random: &mut Uniform, means: &[f64], draws: usize) -> (Vec<f64>, Draws) {
        let mut correlated = |means: &[f64]| -> Vec<f64> {
            let common = normal(random);
            means.iter().map(|m| m + 0.4f64.sqrt() * common + 0.6f64.sqrt() * normal(random)).collect()
        };
        let observed = correlated(means);
        let zeros = vec![0.0; means.len()];
        let rows: Vec<Vec<f64>> = (0..draws).map(|_| correlated(&zeros)).collect();
        let columns: Vec<Vec<f64>> =
            (0..means.len()).map(|j| rows.iter().map(|row| row[j]).collect()).collect();
        (observed, Draws::from_columns(&columns).unwrap())
    }

    #[test]
    fn p_values_are_those_of_the_published_algorithm() {
        let mut random = Uniform::seeded(4);
        for means in [&[0.0; 7][..], &[3.0, 0.0, 2.0, -1.0, 2.0], &[1.5]] {
            let (observed, null) = world(&mut random, means, 199);
            assert_eq!(romano_wolf(&observed, &null).unwrap(), as_published(&observed, &null));
        }
    }

    /// Eight models of which three are better: a false one is found in at most 5 % of worlds (± three
    /// standard errors of 1,500), and steps find more true ones than the first step's bound alone would.
    #[test]
    fn a_false_model_is_found_in_one_world_of_twenty() {
        let means = [4.0, 3.5, 3.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        let mut random = Uniform::seeded(9);
        let (mut wrong, mut wrong_without_gains) = (0, 0);
        for _ in 0..1500 {
            let (observed, null) = world(&mut random, &means, 199);
            let p = romano_wolf(&observed, &null).unwrap();
            wrong += usize::from(p[3..].iter().any(|&p| p <= 0.05));
            let (observed, null) = world(&mut random, &[0.0; 8], 199);
            let p = romano_wolf(&observed, &null).unwrap();
            wrong_without_gains += usize::from(p.iter().any(|&p| p <= 0.05));
        }
        for share in [wrong, wrong_without_gains].map(|count| count as f64 / 1500.0) {
            assert!((0.033..0.067).contains(&share), "{share}");
        }
    }

    #[test]
    fn bad_statistics_are_refused() {
        let null = Draws::from_columns(&[vec![0.0, 1.0]]).unwrap();
        assert!(romano_wolf(&[1.0, 2.0], &null).is_err());
        assert!(romano_wolf(&[f64::NAN], &null).is_err());
    }
}

#[cfg(test)]
mod tests_of_superiority {
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

    /// The exact shares of all 2¹² signs lie below. Chernoff's bound exceeds a tail by about √(2π) times its
    /// z, here 4 at most.
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
