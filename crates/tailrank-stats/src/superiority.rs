//! Is any of many models better than a benchmark? Hansen's (2005) test of superior predictive ability and the stepwise test of
//! Romano & Wolf (2005), on one set of resamples.

use crate::{
    adjust::romano_wolf,
    distribution::student_upper,
    draws::Draws,
    error::{Result, StatsError, check_columns},
    resamples::Resamples,
};

const TEST: &str = "a test of superiority";

/// How models worse than the benchmark enter the null distribution (Hansen 2005, section 3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Recentring {
    /// Worse models keep their bad mean: a lower bound of p.
    Lower,
    /// Only models that are clearly worse do: Hansen's consistent p.
    #[default]
    Consistent,
    /// No model does: White's choice, an upper bound of p.
    Upper,
}

/// The answer of [`SuperiorityTest::spa`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spa {
    /// The largest gain, in standard errors; never below 0.
    pub statistic: f64,
    /// The model with the largest gain.
    pub best: usize,
    /// p value with worse models left where they are.
    pub p_lower: f64,
    /// Hansen's p value.
    pub p_consistent: f64,
    /// p value with every model recentred.
    pub p_upper: f64,
}

/// Gains of models over a benchmark and their resampled values.
///
/// ```
/// use tailrank_stats::{Recentring, Resamples, SuperiorityTest};
///
/// let wave = |f: f64, shift: f64| (0..200).map(|i| shift + (f64::from(i) * f).sin()).collect::<Vec<_>>();
/// let (benchmark, models) = (wave(1.1, 1.0), [wave(1.3, 0.6), wave(1.7, 1.05)]);
/// let resamples = Resamples::stationary(200, 4.0, 1000, 3)?;
/// let test = SuperiorityTest::from_losses(&benchmark, &models, &resamples)?;
/// let spa = test.spa();
/// assert!(spa.best == 0 && spa.p_consistent < 0.01);
/// assert!(test.adjusted_p_values(Recentring::Consistent)?[0] < 0.05);
/// # Ok::<(), tailrank_stats::StatsError>(())
/// ```
#[derive(Clone, Debug)]
pub struct SuperiorityTest {
    gains: Vec<f64>,
    /// Variance of each gain.
    variances: Vec<f64>,
    draws: Draws,
    cases: usize,
}

impl SuperiorityTest {
    /// From per-case losses (lower is better) of a benchmark and of models.
    ///
    /// Standard errors are those of the stationary bootstrap with the resamples' mean block, as Hansen (2005) estimates them.
    pub fn from_losses<C: AsRef<[f64]>>(
        benchmark: &[f64],
        models: &[C],
        resamples: &Resamples,
    ) -> Result<Self> {
        let n = resamples.case_count();
        check_columns("benchmark", &[benchmark], "the resamples", n)?;
        check_columns("models", models, "the resamples", n)?;
        let differences: Vec<Vec<f64>> =
            models.iter().map(|m| benchmark.iter().zip(m.as_ref()).map(|(b, l)| b - l).collect()).collect();
        let gains = differences.iter().map(|d| d.iter().sum::<f64>() / n as f64).collect();
        let variances = differences
            .iter()
            .map(|d| stationary_variance(d.iter().copied(), resamples.mean_block()).max(0.0) / n as f64)
            .collect();
        Self::new(gains, variances, resamples.means(&differences)?, n)
    }

    /// From gains in any measure (positive is better than the benchmark) and their values on resamples of `cases` cases.
    ///
    /// Standard errors are those over the draws. Undefined scores must be filled before the benchmark's are subtracted.
    pub fn from_gains(gains: &[f64], draws: &Draws, cases: usize) -> Result<Self> {
        check_columns("gains", &[gains], "the draws", draws.columns())?;
        draws.check_finite("resampled gains")?;
        let mean_square = |(column, gain): (&[f64], &f64)| {
            column.iter().map(|v| (v - gain).powi(2)).sum::<f64>() / column.len() as f64
        };
        let variances = draws.iter().zip(gains).map(mean_square).collect();
        Self::new(gains.to_vec(), variances, draws.clone(), cases)
    }

    fn new(gains: Vec<f64>, variances: Vec<f64>, draws: Draws, cases: usize) -> Result<Self> {
        // Differences that are all alike leave a variance of rounding errors.
        let noise = |gain: f64| (16.0 * f64::EPSILON * gain).powi(2);
        let variances: Vec<f64> =
            variances.iter().zip(&gains).map(|(&v, &g)| if v > noise(g) { v } else { 0.0 }).collect();
        if variances.iter().all(|&v| v == 0.0) {
            let fix = "every model differs from the benchmark by a constant; there is nothing to test";
            return Err(StatsError::Constant { name: "benchmark - models", test: TEST, fix });
        }
        Ok(Self { gains, variances, draws, cases })
    }

    /// Mean gain of each model over the benchmark.
    pub fn gains(&self) -> &[f64] {
        &self.gains
    }

    /// Variance of each mean gain.
    pub fn variances(&self) -> &[f64] {
        &self.variances
    }

    /// Hansen's test: p values for "no model is better than the benchmark".
    pub fn spa(&self) -> Spa {
        let all: Vec<usize> = (0..self.gains.len()).collect();
        let (best, statistic) = all
            .iter()
            .map(|&j| (j, self.scaled(j, self.gains[j])))
            .fold((0, f64::NEG_INFINITY), |a, b| if b.1 > a.1 { b } else { a });
        let statistic = statistic.max(0.0);
        let p = |recentring| {
            let maxima = self.maxima(&all, recentring);
            maxima.iter().filter(|&&m| m > statistic).count() as f64 / maxima.len() as f64
        };
        Spa {
            statistic,
            best,
            p_lower: p(Recentring::Lower),
            p_consistent: p(Recentring::Consistent),
            p_upper: p(Recentring::Upper),
        }
    }

    /// Each model's own p for "not better than the benchmark", adjusted for all of them by [`romano_wolf`].
    ///
    /// [`Recentring::Upper`] is Romano & Wolf's test; [`Recentring::Consistent`] leaves clearly worse models out of the maxima
    /// (Hsu, Hsu & Kuan 2010). A model without a gain has p = 1, and no p is below 1 / (draws + 1).
    pub fn adjusted_p_values(&self, recentring: Recentring) -> Result<Vec<f64>> {
        let models = 0..self.gains.len();
        let observed: Vec<f64> =
            models.clone().map(|j| self.scaled(j, self.gains[j]).clamp(0.0, f64::MAX)).collect();
        let null: Vec<Vec<f64>> = models
            .map(|j| {
                let centre = self.centre(j, recentring);
                self.draws.column(j).iter().map(|v| self.scaled(j, v - centre).max(0.0)).collect()
            })
            .collect();
        romano_wolf(&observed, &Draws::from_columns(&null)?)
    }

    /// [`adjusted_p_values`](Self::adjusted_p_values) where as many draws cannot tell how small they are: a p at its bound becomes the
    /// tail of Student's distribution at the model's own gain, times the number of models (Bonferroni), where that is smaller still.
    ///
    /// `df` are the degrees of freedom of the standard errors. Above the bound nothing changes; below it the test is the studentised
    /// one, which holds its size where the gains are near normal.
    pub fn adjusted_p_values_with_tail(&self, recentring: Recentring, df: f64) -> Result<Vec<f64>> {
        let mut p_values = self.adjusted_p_values(recentring)?;
        let least = 1.0 / (1.0 + self.draws.draws() as f64);
        let models = self.gains.len() as f64;
        for (j, p) in p_values.iter_mut().enumerate() {
            if *p <= least && self.variances[j] > 0.0 {
                *p = p.min(models * student_upper(self.gains[j] / self.variances[j].sqrt(), df));
            }
        }
        Ok(p_values)
    }

    /// The largest recentred gain on each draw.
    fn maxima(&self, models: &[usize], recentring: Recentring) -> Vec<f64> {
        let mut maxima = vec![0.0f64; self.draws.draws()];
        for &j in models {
            let centre = self.centre(j, recentring);
            for (m, v) in maxima.iter_mut().zip(self.draws.column(j)) {
                *m = m.max(self.scaled(j, v - centre));
            }
        }
        maxima
    }

    /// What is taken from a model's resampled gain: Hansen's g.
    fn centre(&self, j: usize, recentring: Recentring) -> f64 {
        let gain = self.gains[j];
        match recentring {
            Recentring::Lower => gain.max(0.0),
            Recentring::Upper => gain,
            Recentring::Consistent => {
                let threshold = -(self.variances[j] * 2.0 * (self.cases as f64).ln().ln()).sqrt();
                if gain >= threshold { gain } else { 0.0 }
            }
        }
    }

    fn scaled(&self, j: usize, gain: f64) -> f64 {
        if self.variances[j] > 0.0 {
            return gain / self.variances[j].sqrt();
        }
        // Without spread a gain is certain, and its resampled deviations are rounding.
        if gain == self.gains[j] && gain != 0.0 { gain * f64::INFINITY } else { 0.0 }
    }
}

/// n·Var(mean*) under stationary resampling with the given mean block: Politis & Romano (1994), lemma 1.
///
/// With q = 1 − 1/block, deviations x from the mean and their circular autocovariances c it is c₀ + 2·Σⱼ (1 − j/n)·qʲ·cⱼ,
/// j = 1 … n − 1. (Hansen 2005 writes the same as a kernel over ordinary autocovariances.) Two geometric recursions over the circle
/// give the sum in one pass instead of n²/2 products.
fn stationary_variance(series: impl Iterator<Item = f64> + Clone, mean_block: f64) -> f64 {
    let n = series.clone().count();
    let count = n as f64;
    let mean = series.clone().sum::<f64>() / count;
    let x: Vec<f64> = series.map(|v| v - mean).collect();
    let squares: f64 = x.iter().map(|v| v * v).sum();
    let q = 1.0 - 1.0 / mean_block;
    let last = q.powi(n as i32);
    // plain = Σⱼ qʲ·x₋ⱼ and linear = Σⱼ j·qʲ·x₋ⱼ over the n − 1 predecessors on the circle of the case at hand.
    let (mut plain, mut linear) = (0.0, 0.0);
    let mut power = 1.0;
    for j in 1..n {
        power *= q;
        plain += power * x[n - j];
        linear += j as f64 * power * x[n - j];
    }
    let mut lagged = 0.0;
    for i in 0..n {
        lagged += x[i] * (plain - linear / count);
        let next = x[(i + 1) % n];
        linear = q * (x[i] + plain + linear) - count * last * next;
        plain = q * (x[i] + plain) - last * next;
    }
    (squares + 2.0 * lagged) / count
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
        let test = SuperiorityTest::from_gains(&gains, &draws, 100).unwrap();
        let plain = test.adjusted_p_values(Recentring::Upper).unwrap();
        let tail = test.adjusted_p_values_with_tail(Recentring::Upper, 12.0).unwrap();
        assert_eq!(plain[0], 1.0 / 401.0);
        let t = 1.0 / test.variances()[0].sqrt();
        assert!((tail[0] / (3.0 * student_upper(t, 12.0)) - 1.0).abs() < 1e-12 && tail[0] < 1e-6);
        assert_eq!(tail[1..], plain[1..]);
    }

    #[test]
    fn the_recursion_is_the_kernel_sum() {
        let x: Vec<f64> = (0..83).map(|i| (f64::from(i) * 0.7).sin() + f64::from(i % 5) * 0.3).collect();
        let n = x.len();
        let mean = x.iter().sum::<f64>() / n as f64;
        for block in [1.0, 1.5, 4.0, 30.0, 83.0] {
            let q: f64 = 1.0 - 1.0 / block;
            let covariance =
                |lag: usize| (lag..n).map(|i| (x[i] - mean) * (x[i - lag] - mean)).sum::<f64>() / n as f64;
            let kernel = |i: usize| {
                let share = i as f64 / n as f64;
                (1.0 - share) * q.powi(i as i32) + share * q.powi((n - i) as i32)
            };
            let expected = covariance(0) + (1..n).map(|i| 2.0 * kernel(i) * covariance(i)).sum::<f64>();
            let got = stationary_variance(x.iter().copied(), block);
            assert!((got - expected).abs() < 1e-13, "block {block}: {got} against {expected}");
        }
    }
}
