//! The model confidence set of Hansen, Lunde & Nason (2011, *Econometrica* 79:453–497).

use crate::{
    draws::Draws,
    error::{Result, StatsError, check_columns},
    ranking::Better,
    resamples::Resamples,
    slow_waves::{COSINES, Rescaling, Waves, error_of_waves},
};

const TEST: &str = "the model confidence set";
/// Most models for T_R, whose k(k−1)/2 standard errors are held at once (100 MB here).
const MOST_PAIRWISE: usize = 5000;
/// The share of the models left that T_max eliminates together, one in so many: fewer than twice as many go one by one.
const BATCHES: usize = 64;

/// The statistic by which models are told apart (HLN11, section 3.1.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SetStatistic {
    /// T_R: the largest t of a difference between two models. Work and memory grow with k². It tells more models apart, and
    /// drops a good one more often than it says when cases are few and tails heavy (`examples/calibration.rs`).
    #[default]
    Range,
    /// T_max: the largest t of a difference to the mean of the models left. Keeps its level better; sets are larger.
    Max,
}

/// Which models cannot be told from the best, at every level at once.
#[derive(Clone, Debug, PartialEq)]
pub struct ConfidenceSet {
    /// Models in the order of elimination, the worst first; the last could not be eliminated.
    pub order: Vec<usize>,
    /// The MCS p value of each model, by its number: it belongs to the set at level 1 − α if p ≥ α.
    pub p_values: Vec<f64>,
    /// The statistic used.
    pub statistic: SetStatistic,
}

impl ConfidenceSet {
    /// Models of the set at a level such as 0.9, by number.
    pub fn members(&self, level: f64) -> Vec<usize> {
        // A hair for 1 − level, which is not exact.
        (0..self.p_values.len()).filter(|&i| self.p_values[i] >= 1.0 - level - 1e-12).collect()
    }
}

/// The confidence set of models by their mean losses (lower is better), one column of per-case losses per model.
///
/// p values are the shares of draws whose statistic exceeds the observed one, made monotone over the elimination. Models with
/// identical losses stand or fall together; models that are all equal have p = 1.
///
/// ```
/// use tailrank_stats::{Resamples, SetStatistic, confidence_set};
///
/// let wave = |shift: f64, i: u32| shift + (f64::from(i) * 1.7 + shift * 30.0).sin().abs();
/// let losses: Vec<Vec<f64>> = [0.0, 0.02, 0.9].map(|s| (0..100).map(|i| wave(s, i)).collect()).into();
/// let resamples = Resamples::stationary(100, 3.0, 1000, 1)?;
/// let set = confidence_set(&losses, &resamples, SetStatistic::Range)?;
/// assert_eq!(set.members(0.9), [0, 1]);
/// assert_eq!(set.order[0], 2);
/// # Ok::<(), tailrank_stats::StatsError>(())
/// ```
pub fn confidence_set<C: AsRef<[f64]>>(
    losses: &[C],
    resamples: &Resamples,
    statistic: SetStatistic,
) -> Result<ConfidenceSet> {
    check_columns("losses", losses, "the resamples", resamples.case_count())?;
    let n = resamples.case_count() as f64;
    let means: Vec<f64> = losses.iter().map(|c| c.as_ref().iter().sum::<f64>() / n).collect();
    confidence_set_of_scores(&means, &resamples.means(losses)?, Better::Lower, statistic)
}

/// The confidence set by any measure: from the scores and their values on resamples (one column per model).
///
/// This is HLN11 with the statistic recomputed on each resample instead of a mean of losses. Undefined scores must be filled
/// first ([`Draws::fill_undefined`]).
pub fn confidence_set_of_scores(
    scores: &[f64],
    draws: &Draws,
    better: Better,
    statistic: SetStatistic,
) -> Result<ConfidenceSet> {
    if statistic == SetStatistic::Range && scores.len() > MOST_PAIRWISE {
        let expected = "T_R compares all pairs of up to 5000 models; ask for T_max";
        return Err(StatsError::Parameter { name: "models", value: scores.len() as f64, expected });
    }
    let input = Input::new(scores, draws, better, None)?;
    Ok(input.answer(statistic))
}

/// The confidence set by T_max of scores on a series, whose blocks may be too short for its slow waves.
///
/// `waves` are those of each score ([`long_run_waves`](crate::long_run_waves)). A model's standard error is never below that over
/// the waves of its difference to the mean of the models left.
pub fn confidence_set_in_series(
    scores: &[f64],
    draws: &Draws,
    waves: &[Waves],
    rescaling: &Rescaling,
    better: Better,
) -> Result<ConfidenceSet> {
    if waves.len() != scores.len() {
        let (left, right) = (waves.len(), scores.len());
        return Err(StatsError::LengthMismatch { left_name: "waves", left, right_name: "scores", right });
    }
    let input = Input::new(scores, draws, better, Some((waves, rescaling)))?;
    Ok(input.answer(SetStatistic::Max))
}

/// Losses of the models and the errors of their resampled values, one column per model.
struct Input<'a> {
    losses: Vec<f64>,
    errors: Vec<Vec<f64>>,
    /// How the models move with the slow waves of a series.
    waves: Option<(&'a [Waves], &'a Rescaling)>,
    tiny: f64,
}

/// Models eliminated together, and the p value of the test that did it; those that remain come last with p = 1.
type Steps = Vec<(Vec<usize>, f64)>;

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
        if k < 2 {
            let fix = "one model is the best of one; give two or more";
            return Err(StatsError::TooFew { name: "scores", rows: k, test: TEST, needed: 2, fix });
        }
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

    fn answer(&self, statistic: SetStatistic) -> ConfidenceSet {
        let k = self.losses.len();
        let steps = match statistic {
            SetStatistic::Range => by_range(self),
            SetStatistic::Max => by_max(self, BATCHES),
        };
        let (mut order, mut p_values) = (Vec::with_capacity(k), vec![0.0; k]);
        let mut highest = 0.0f64;
        for (models, p) in steps {
            highest = highest.max(p);
            for model in models {
                p_values[model] = highest;
                order.push(model);
            }
        }
        ConfidenceSet { order, p_values, statistic }
    }

    /// A difference over its standard error. Without spread, equal models are equal and others differ for certain.
    fn t(&self, difference: f64, error: f64) -> f64 {
        if error > self.tiny {
            difference / error
        } else if difference.abs() <= self.tiny {
            0.0
        } else {
            difference * f64::INFINITY
        }
    }
}

/// T_R. The order of elimination needs no draws, so it is found first; then models are put back from the last to the first,
/// and the maximum over pairs on each draw only grows by the pairs of the models put back: k²/2 · B operations in all.
fn by_range(input: &Input<'_>) -> Steps {
    let k = input.losses.len();
    let pair = |i: usize, j: usize| {
        let (low, high) = (i.min(j), i.max(j));
        high * (high - 1) / 2 + low
    };
    let mut errors = Vec::with_capacity(k * (k - 1) / 2);
    for high in 1..k {
        errors.extend((0..high).map(|low| root_mean_square(&input.errors[high], &input.errors[low])));
    }
    let t = |i: usize, j: usize| input.t(input.losses[i] - input.losses[j], errors[pair(i, j)]);

    let mut left: Vec<usize> = (0..k).collect();
    let mut eliminated: Vec<(Vec<usize>, f64)> = Vec::new();
    // The worst comparison of each model, and with whom.
    let worst_of = |i: usize, left: &[usize]| {
        let others = left.iter().filter(|&&j| j != i).map(|&j| (t(i, j), j));
        others.fold((f64::NEG_INFINITY, i), |a, b| if b.0 > a.0 { b } else { a })
    };
    let mut worst: Vec<(f64, usize)> = (0..k).map(|i| worst_of(i, &left)).collect();
    while left.len() > 1 {
        let statistic = left.iter().map(|&i| worst[i].0).fold(f64::NEG_INFINITY, f64::max);
        if statistic <= 0.0 {
            break; // all that are left are equal
        }
        let out: Vec<usize> = left.iter().copied().filter(|&i| worst[i].0 == statistic).collect();
        left.retain(|i| !out.contains(i));
        for &i in &left {
            if out.contains(&worst[i].1) {
                worst[i] = worst_of(i, &left);
            }
        }
        eliminated.push((out, statistic));
    }

    let mut steps: Steps = vec![(left.clone(), 1.0)];
    let mut maxima = vec![0.0f64; input.errors[0].len()];
    let mut back: Vec<usize> = Vec::with_capacity(k);
    let mut put_back = |models: &[usize], maxima: &mut [f64]| {
        for &i in models {
            for &j in &back {
                let error = errors[pair(i, j)];
                if error > input.tiny {
                    for ((m, a), b) in maxima.iter_mut().zip(&input.errors[i]).zip(&input.errors[j]) {
                        *m = m.max((a - b).abs() / error);
                    }
                }
            }
            back.push(i);
        }
    };
    put_back(&left, &mut maxima);
    for (models, statistic) in eliminated.into_iter().rev() {
        put_back(&models, &mut maxima);
        steps.push((models, share_above(&maxima, statistic)));
    }
    steps.reverse();
    steps
}

/// T_max: the mean over the models left, and so every statistic, changes with each elimination.
///
/// Of more than a hundred models the worst few are eliminated together, so that the work grows with k and not with k². The p value
/// of each is the share of draws whose largest statistic exceeds its own, the ones eliminated beside it counted: no smaller
/// than that of the largest alone, and what the stepwise test of Romano & Wolf (2005) gives.
fn by_max(input: &Input<'_>, batches: usize) -> Steps {
    let mut left: Vec<usize> = (0..input.losses.len()).collect();
    let mut steps = Steps::new();
    let draws = input.errors[0].len();
    let (mut average, mut maxima) = (vec![0.0; draws], vec![0.0f64; draws]);
    while left.len() > 1 {
        let count = left.len() as f64;
        average.fill(0.0);
        for &i in &left {
            average.iter_mut().zip(&input.errors[i]).for_each(|(sum, e)| *sum += e);
        }
        average.iter_mut().for_each(|sum| *sum /= count);
        let mean = left.iter().map(|&i| input.losses[i]).sum::<f64>() / count;
        let long_run = input.waves.map(|(waves, rescaling)| LongRun::new(waves, rescaling, &left));
        maxima.fill(f64::NEG_INFINITY);
        let mut observed = Vec::with_capacity(left.len());
        for &i in &left {
            let error = root_mean_square(&input.errors[i], &average);
            let factor = long_run.as_ref().map_or(1.0, |l| l.factor(i, error));
            observed.push((input.t(input.losses[i] - mean, factor * error), i));
            if error > input.tiny {
                for ((m, e), a) in maxima.iter_mut().zip(&input.errors[i]).zip(&average) {
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
        for equal in observed[..out].chunk_by(|a, b| a.0 == b.0) {
            steps.push((equal.iter().map(|(_, i)| *i).collect(), share_above(&maxima, equal[0].0)));
        }
        left = observed.split_off(out).into_iter().map(|(_, i)| i).collect();
        left.sort_unstable();
    }
    steps.push((left, 1.0));
    steps
}

/// The slow waves of models beside their mean.
struct LongRun<'a> {
    waves: &'a [Waves],
    rescaling: &'a Rescaling,
    mean: Waves,
}

impl<'a> LongRun<'a> {
    fn new(waves: &'a [Waves], rescaling: &'a Rescaling, left: &[usize]) -> Self {
        let mean = |j: usize| left.iter().map(|&i| waves[i][j]).sum::<f64>() / left.len() as f64;
        Self { waves, rescaling, mean: std::array::from_fn::<f64, COSINES, _>(mean) }
    }

    /// By how much the error over the draws of a model's difference to the mean is too small.
    fn factor(&self, model: usize, error: f64) -> f64 {
        let difference: Waves = std::array::from_fn(|j| self.waves[model][j] - self.mean[j]);
        self.rescaling.factor(error, error_of_waves(&difference))
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
    use crate::shuffle::Uniform;

    const BOTH: [SetStatistic; 2] = [SetStatistic::Range, SetStatistic::Max];

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
        for statistic in BOTH {
            let set = confidence_set(&losses, &resamples, statistic).unwrap();
            assert_eq!(set.members(0.9), [1, 3, 4], "{statistic:?}");
            assert_eq!(set.p_values, [0.0, 1.0, 0.0, 1.0, 1.0, 0.0], "{statistic:?}");
        }
    }

    #[test]
    fn a_constant_gap_is_certain_and_a_copy_is_equal() {
        let n = 120;
        let good = noise(n, 3, 0.0);
        let worse: Vec<f64> = good.iter().map(|v| v + 0.25).collect();
        let resamples = Resamples::stationary(n, 4.0, 300, 4).unwrap();
        for statistic in BOTH {
            let set = confidence_set(&[worse.clone(), good.clone()], &resamples, statistic).unwrap();
            assert_eq!((set.order, set.p_values), (vec![0, 1], vec![0.0, 1.0]), "{statistic:?}");
            // The mean of seven equal numbers is not always that number.
            let set = confidence_set(&vec![good.clone(); 7], &resamples, statistic).unwrap();
            assert_eq!(set.p_values, [1.0; 7], "{statistic:?}");
        }
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
        let p_of = |steps: Steps| {
            let (mut p, mut highest) = (vec![f64::NAN; losses.len()], 0.0f64);
            for (models, step) in steps {
                highest = highest.max(step);
                models.into_iter().for_each(|m| p[m] = highest);
            }
            p
        };
        let (together, singly) = (p_of(by_max(&input, BATCHES)), p_of(by_max(&input, usize::MAX)));
        assert!(together.iter().zip(&singly).all(|(a, b)| (a - b).abs() <= 0.05), "{together:?}\n{singly:?}");
        let members = |p: &[f64]| p.iter().filter(|p| **p >= 0.1).count();
        let (set, exact) = (members(&together), members(&singly));
        assert!(exact > 20 && exact < 380 && set.abs_diff(exact) <= exact / 50 + 1, "{set} beside {exact}");
        assert_eq!(confidence_set(&losses, &resamples, SetStatistic::Max).unwrap().p_values, together);
        // Up to twice the number of batches there is no difference.
        let few = Input::new(
            &means[..127],
            &Draws::from_columns(&draws.iter().take(127).map(<[f64]>::to_vec).collect::<Vec<_>>()).unwrap(),
            Better::Lower,
            None,
        )
        .unwrap();
        assert_eq!(by_max(&few, BATCHES), by_max(&few, usize::MAX));
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
        let plain = confidence_set_of_scores(&[1.0, 1.3], &draws, Better::Lower, SetStatistic::Max).unwrap();
        assert_eq!(plain.p_values, [1.0, 0.0]);
        // Small waves, and none that are known, change nothing.
        assert_eq!(set(0.01), plain.p_values);
        assert_eq!(set(f64::NAN), plain.p_values);
        let kept = set(0.3);
        assert!(kept[0] == 1.0 && kept[1] > 0.1, "{kept:?}");
        let short = confidence_set_in_series(&[1.0, 1.3], &draws, &[], &rescaling, Better::Lower);
        assert!(matches!(short, Err(StatsError::LengthMismatch { .. })));
    }

    #[test]
    fn higher_is_better_mirrors_lower_is_better() {
        let losses = [noise(90, 5, 0.05), noise(90, 6, 0.0), noise(90, 7, 0.1)];
        let gains = losses.clone().map(|l| l.into_iter().map(|v| -v).collect::<Vec<_>>());
        let resamples = Resamples::cases(90, 400, 4).unwrap();
        let mean =
            |columns: &[Vec<f64>]| columns.iter().map(|c| c.iter().sum::<f64>() / 90.0).collect::<Vec<_>>();
        for statistic in BOTH {
            let lower = confidence_set(&losses, &resamples, statistic).unwrap();
            let draws = resamples.means(&gains).unwrap();
            let higher = confidence_set_of_scores(&mean(&gains), &draws, Better::Higher, statistic).unwrap();
            assert_eq!(lower, higher);
        }
    }
}
