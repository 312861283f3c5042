//! The model confidence set of Hansen, Lunde & Nason (2011, *Econometrica* 79:453–497).

use crate::{
    cosine_variance::{Rescaling, Waves, error_of_waves},
    draws::Draws,
    error::{Result, StatsError, check_columns, check_count, check_lengths},
    ranking::Better,
    resamples::Resamples,
};

const TEST: &str = "the model confidence set";
/// The share of the models left that T_max eliminates together, one in so many: fewer than twice as many go
/// one by one.
const BATCHES: usize = 64;

/// Which models cannot be told from the best, at every level at once.
#[derive(Clone, Debug, PartialEq)]
pub struct ConfidenceSet {
    /// Models in the order of elimination, the worst first; the last could not be eliminated.
    pub order: Vec<usize>,
    /// The MCS p value of each model, by its number: it belongs to the set at level 1 − α if p ≥ α.
    pub p_values: Vec<f64>,
}

impl ConfidenceSet {
    /// Models of the set at a level such as 0.9, by number.
    pub fn members(&self, level: f64) -> Vec<usize> {
        // A hair for 1 − level, which is not exact.
        (0..self.p_values.len()).filter(|&i| self.p_values[i] >= 1.0 - level - 1e-12).collect()
    }
}

/// The confidence set of models by their mean losses (lower is better), one column of per-case losses per
/// model.
///
/// The statistic is T_max (HLN11, section 3.1.2): the largest t of a difference to the mean of the models
/// left.
///
/// p values are the shares of draws whose statistic exceeds the observed one, made monotone over the
/// elimination. Models with identical losses stand or fall together; models that are all equal have p = 1.
///
/// ```
/// use tailrank_stats::{Resamples, confidence_set};
///
/// let wave = |shift: f64, i: u32| shift + (f64::from(i) * 1.7 + shift * 30.0).sin().abs();
/// let losses: Vec<Vec<f64>> = [0.0, 0.02, 0.9].map(|s| (0..100).map(|i| wave(s, i)).collect()).into();
/// let resamples = Resamples::stationary(100, 3.0, 1000, 1)?;
/// let set = confidence_set(&losses, &resamples)?;
/// assert_eq!(set.members(0.9), [0, 1]);
/// assert_eq!(set.order[0], 2);
/// # Ok::<(), tailrank_stats::StatsError>(())
/// ```
pub fn confidence_set<C: AsRef<[f64]>>(losses: &[C], resamples: &Resamples) -> Result<ConfidenceSet> {
    check_columns("losses", losses, "the resamples", resamples.case_count())?;
    let n = resamples.case_count() as f64;
    let means: Vec<f64> = losses.iter().map(|c| c.as_ref().iter().sum::<f64>() / n).collect();
    confidence_set_of_scores(&means, &resamples.means(losses)?, Better::Lower)
}

/// The confidence set by any measure: from the scores and their values on resamples (one column per model).
///
/// This is HLN11 with the statistic recomputed on each resample instead of a mean of losses. Undefined scores
/// must be filled first.
pub fn confidence_set_of_scores(scores: &[f64], draws: &Draws, better: Better) -> Result<ConfidenceSet> {
    Ok(Input::new(scores, draws, better, None)?.by_max(BATCHES))
}

/// The confidence set by T_max of scores on a series, whose blocks may be too short for its slow waves.
///
/// `waves` are those of each score ([`long_run_waves`](crate::long_run_waves)). A model's standard error is
/// never below that over the waves of its difference to the mean of the models left.
pub fn confidence_set_in_series(
    scores: &[f64],
    draws: &Draws,
    waves: &[Waves],
    rescaling: &Rescaling,
    better: Better,
) -> Result<ConfidenceSet> {
    check_lengths("waves", waves.len(), "scores", scores.len())?;
    Ok(Input::new(scores, draws, better, Some((waves, rescaling)))?.by_max(BATCHES))
}

/// Losses of the models and the errors of their resampled values, one column per model.
struct Input<'a> {
    losses: Vec<f64>,
    errors: Vec<Vec<f64>>,
    /// How the models move with the slow waves of a series.
    waves: Option<(&'a [Waves], &'a Rescaling)>,
    tiny: f64,
}

impl<'a> Input<'a> {
    fn new(
        scores: &[f64],
        draws: &Draws,
        better: Better,
        waves: Option<(&'a [Waves], &'a Rescaling)>,
    ) -> Result<Self> {
        check_columns("scores", &[scores], "the draws", draws.columns())?;
        draws.check_finite("resampled scores")?;
        let k = scores.len();
        check_count("scores", k, TEST, 2, "one model is the best of one; give two or more")?;
        let sign = if better == Better::Higher { -1.0 } else { 1.0 };
        let losses: Vec<f64> = scores.iter().map(|s| sign * s).collect();
        let of_model = |(column, s): (&[f64], &f64)| column.iter().map(|v| sign * (v - s)).collect();
        let errors: Vec<Vec<f64>> = draws.iter().zip(scores).map(of_model).collect();
        let squares: f64 = errors.iter().flatten().map(|e| e * e).sum();
        let spread = (squares / (k * draws.draws()) as f64).sqrt();
        let size = losses.iter().fold(0.0f64, |m, v| m.max(v.abs()));
        if spread <= 1e-14 * size || spread == 0.0 {
            let fix = "no draw changes any score: the losses are constant, or the draws are all alike";
            return Err(StatsError::Constant { name: "resampled scores", test: TEST, fix });
        }
        // Differences below this are rounding: the models are the same.
        Ok(Self { losses, errors, waves, tiny: (1e-12 * spread).max(8.0 * f64::EPSILON * size) })
    }

    /// A difference over its standard error. Without spread, equal models are equal and others differ for
    /// certain.
    fn t(&self, difference: f64, error: f64) -> f64 {
        if error > self.tiny {
            difference / error
        } else if difference.abs() <= self.tiny {
            0.0
        } else {
            difference * f64::INFINITY
        }
    }

    /// T_max: the mean over the models left, and so every statistic, changes with each elimination.
    ///
    /// Of more than a hundred models the worst few are eliminated together, so that the work grows with k and
    /// not with k². The p value of each is the share of draws whose largest statistic exceeds its own, the
    /// ones eliminated beside it counted: no smaller than that of the largest alone, and what the stepwise
    /// test of Romano & Wolf (2005) gives.
    fn by_max(&self, batches: usize) -> ConfidenceSet {
        let mut left: Vec<usize> = (0..self.losses.len()).collect();
        let mut set = ConfidenceSet { order: Vec::new(), p_values: vec![1.0; left.len()] };
        let mut highest = 0.0f64;
        let draws = self.errors[0].len();
        let (mut average, mut maxima) = (vec![0.0; draws], vec![0.0f64; draws]);
        while left.len() > 1 {
            let count = left.len() as f64;
            average.fill(0.0);
            for &i in &left {
                average.iter_mut().zip(&self.errors[i]).for_each(|(sum, e)| *sum += e);
            }
            average.iter_mut().for_each(|sum| *sum /= count);
            let mean = left.iter().map(|&i| self.losses[i]).sum::<f64>() / count;
            let mean_wave = |j: usize| match self.waves {
                Some((waves, _)) => left.iter().map(|&i| waves[i][j]).sum::<f64>() / count,
                None => 0.0,
            };
            let mean_wave: Waves = std::array::from_fn(mean_wave);
            // By how much the error over the draws of a model's difference to the mean is too small.
            let factor = |(waves, rescaling): (&[Waves], &Rescaling), i: usize, error: f64| {
                let difference: Waves = std::array::from_fn(|j| waves[i][j] - mean_wave[j]);
                rescaling.factor(error, error_of_waves(&difference))
            };
            maxima.fill(f64::NEG_INFINITY);
            let mut observed = Vec::with_capacity(left.len());
            for &i in &left {
                let error = root_mean_square(&self.errors[i], &average);
                let factor = self.waves.map_or(1.0, |waves| factor(waves, i, error));
                observed.push((self.t(self.losses[i] - mean, factor * error), i));
                if error > self.tiny {
                    for ((m, e), a) in maxima.iter_mut().zip(&self.errors[i]).zip(&average) {
                        *m = m.max((e - a) / error);
                    }
                }
            }
            observed.sort_by(|a, b| b.0.total_cmp(&a.0));
            if observed[0].0 <= 0.0 {
                break; // all that are left are equal
            }
            // Equal ones go together, and what is no worse than the mean stays.
            let last = observed[(left.len() / batches).max(1) - 1].0.max(f64::MIN_POSITIVE);
            let out = observed.iter().take_while(|(t, _)| *t >= last).count();
            for &(t, model) in &observed[..out] {
                highest = highest.max(share_above(&maxima, t));
                set.p_values[model] = highest;
                set.order.push(model);
            }
            left = observed.split_off(out).into_iter().map(|(_, i)| i).collect();
            left.sort_unstable();
        }
        // Those that remain come last, with p = 1.
        set.order.extend(left);
        set
    }
}

fn share_above(values: &[f64], statistic: f64) -> f64 {
    values.iter().filter(|&&v| v > statistic).count() as f64 / values.len() as f64
}

/// √ mean (aᵢ − bᵢ)², summed in eight lanes.
fn root_mean_square(a: &[f64], b: &[f64]) -> f64 {
    let mut lanes = [0.0; 8];
    let ((a8, a_rest), (b8, b_rest)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    for (x, y) in a8.iter().zip(b8) {
        for lane in 0..8 {
            let d = x[lane] - y[lane];
            lanes[lane] += d * d;
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(x, y)| (x - y) * (x - y)).sum();
    ((lanes.iter().sum::<f64>() + rest) / a.len() as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cosine_variance::COSINES;
    use crate::shuffle::Uniform;

    fn noise(n: usize, seed: u64, shift: f64) -> Vec<f64> {
        let mut random = Uniform::seeded(seed);
        (0..n).map(|_| random.unit() + shift).collect()
    }

    #[test]
    fn twins_stand_or_fall_together() {
        let n = 200;
        let (good, bad) = (noise(n, 1, 0.0), noise(n, 2, 0.4));
        let losses = [bad.clone(), good.clone(), bad.clone(), good.clone(), good, bad];
        let resamples = Resamples::cases(n, 500, 4).unwrap();
        let set = confidence_set(&losses, &resamples).unwrap();
        assert_eq!(set.members(0.9), [1, 3, 4]);
        assert_eq!(set.p_values, [0.0, 1.0, 0.0, 1.0, 1.0, 0.0]);
    }

    #[test]
    fn a_constant_gap_is_certain_and_a_copy_is_equal() {
        let n = 120;
        let good = noise(n, 3, 0.0);
        let worse: Vec<f64> = good.iter().map(|v| v + 0.25).collect();
        let resamples = Resamples::stationary(n, 4.0, 300, 4).unwrap();
        let set = confidence_set(&[worse, good.clone()], &resamples).unwrap();
        assert_eq!((set.order, set.p_values), (vec![0, 1], vec![0.0, 1.0]));
        // The mean of seven equal numbers is not always that number.
        let set = confidence_set(&vec![good; 7], &resamples).unwrap();
        assert_eq!(set.p_values, [1.0; 7]);
    }

    /// Beside the elimination one by one of Hansen, Lunde & Nason.
    #[test]
    fn many_models_are_eliminated_together_with_nearly_the_same_answer() {
        let (n, k) = (300, 400);
        let common = noise(n, 99, 0.0);
        let losses: Vec<Vec<f64>> = (0..k)
            .map(|m| {
                let own = noise(n, 100 + m, 0.0006 * m as f64);
                own.iter().zip(&common).map(|(a, b)| a + b).collect()
            })
            .collect();
        let resamples = Resamples::cases(n, 500, 4).unwrap();
        let means: Vec<f64> = losses.iter().map(|l| l.iter().sum::<f64>() / n as f64).collect();
        let draws = resamples.means(&losses).unwrap();
        let input = Input::new(&means, &draws, Better::Lower, None).unwrap();
        let [together, singly] = [BATCHES, usize::MAX].map(|batches| input.by_max(batches).p_values);
        assert!(together.iter().zip(&singly).all(|(a, b)| (a - b).abs() <= 0.05), "{together:?}\n{singly:?}");
        let members = |p: &[f64]| p.iter().filter(|p| **p >= 0.1).count();
        let (set, exact) = (members(&together), members(&singly));
        assert!(exact > 20 && exact < 380 && set.abs_diff(exact) <= exact / 50 + 1, "{set} beside {exact}");
        assert_eq!(confidence_set(&losses, &resamples).unwrap().p_values, together);
        // Up to twice the number of batches there is no difference.
        let few = Input::new(
            &means[..127],
            &Draws::from_columns(&draws.iter().take(127).map(<[f64]>::to_vec).collect::<Vec<_>>()).unwrap(),
            Better::Lower,
            None,
        )
        .unwrap();
        assert_eq!(few.by_max(BATCHES), few.by_max(usize::MAX));
    }

    #[test]
    fn slow_waves_keep_models_that_short_blocks_would_drop() {
        // The second model is worse by three standard errors of the draws, and by one of the waves.
        let draws = Draws::from_columns(&[
            (0..400).map(|i| 1.0 + 0.1 * (f64::from(i) * 0.7).sin()).collect::<Vec<_>>(),
            (0..400).map(|i| 1.3 + 0.1 * (f64::from(i) * 1.9).cos()).collect(),
        ])
        .unwrap();
        let rescaling = Rescaling::new(0.95).unwrap();
        let set = |wave: f64| {
            let waves = [[wave; COSINES], [-wave; COSINES]];
            confidence_set_in_series(&[1.0, 1.3], &draws, &waves, &rescaling, Better::Lower).unwrap().p_values
        };
        let plain = confidence_set_of_scores(&[1.0, 1.3], &draws, Better::Lower).unwrap();
        assert_eq!(plain.p_values, [1.0, 0.0]);
        // Small waves, and none that are known, change nothing.
        assert_eq!(set(0.01), plain.p_values);
        assert_eq!(set(f64::NAN), plain.p_values);
        let kept = set(0.3);
        assert!(kept[0] == 1.0 && kept[1] > 0.1, "{kept:?}");
        let short = confidence_set_in_series(&[1.0, 1.3], &draws, &[], &rescaling, Better::Lower);
        assert!(matches!(short, Err(StatsError::Input(_))));
    }

    #[test]
    fn higher_is_better_mirrors_lower_is_better() {
        let losses = [noise(90, 5, 0.05), noise(90, 6, 0.0), noise(90, 7, 0.1)];
        let gains = losses.clone().map(|l| l.into_iter().map(|v| -v).collect::<Vec<_>>());
        let resamples = Resamples::cases(90, 400, 4).unwrap();
        let mean =
            |columns: &[Vec<f64>]| columns.iter().map(|c| c.iter().sum::<f64>() / 90.0).collect::<Vec<_>>();
        let lower = confidence_set(&losses, &resamples).unwrap();
        let draws = resamples.means(&gains).unwrap();
        let higher = confidence_set_of_scores(&mean(&gains), &draws, Better::Higher).unwrap();
        assert_eq!(lower, higher);
    }
}
