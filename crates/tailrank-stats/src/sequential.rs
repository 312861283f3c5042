//! Monte Carlo p values that go on drawing only where they are small (Besag & Clifford 1991).

use crate::error::{Result, check_draws};

/// When drawing under the null hypothesis ends: after a look that finds enough draws as large as the observed
/// statistic, or with the last draw allowed.
///
/// Besag & Clifford look after every draw; here looks come after `first`, 2·`first`, 4·`first`, … draws, so
/// that a p value that is not small has the precision of all `first` draws. With r of B draws at least as
/// large as observed, p = (1 + r)/(1 + B). It is valid at every level α: let B be the first look with (1 +
/// enough)/(1 + B) ≤ α. No look before it stops with p ≤ α, and to go on from it or to stop there with p ≤ α
/// both need 1 + r ≤ α·(1 + B), which has probability α or less where the observed statistic and its draws
/// are exchangeable.
///
/// ```
/// use tailrank_stats::SequentialDraws;
///
/// let plan = SequentialDraws::new(1000, 40_000)?;
/// assert_eq!(plan.next(1000, 480), None); // p is near one half: more draws change nothing
/// assert_eq!(plan.next(1000, 0), Some(2000));
/// assert_eq!(plan.next(32_000, 3), Some(40_000));
/// assert_eq!(plan.next(40_000, 0), None);
/// assert!(SequentialDraws::p_value(0, 40_000) < 0.05 / 1000.0);
/// # Ok::<(), tailrank_stats::StatsError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SequentialDraws {
    first: usize,
    most: usize,
}

impl SequentialDraws {
    /// Draws as large as the observed statistic after which p is known well enough: its relative error is
    /// then about 1/√10.
    pub const ENOUGH: usize = 10;

    /// `first` draws in any case, `most` where p stays near its bound.
    pub fn new(first: usize, most: usize) -> Result<Self> {
        check_draws(first)?;
        Ok(Self { first, most: most.max(first) })
    }

    /// Draws at the first look.
    pub fn first(&self) -> usize {
        self.first
    }

    /// Draws to have at the next look when `reached` of `draws` were at least as large as observed; none
    /// where drawing ends.
    pub fn next(&self, draws: usize, reached: usize) -> Option<usize> {
        (reached < Self::ENOUGH && draws < self.most).then(|| (2 * draws).clamp(self.first, self.most))
    }

    /// (1 + reached)/(1 + draws): never zero (Phipson & Smyth 2010).
    pub fn p_value(reached: usize, draws: usize) -> f64 {
        (1 + reached) as f64 / (1 + draws) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shuffle::Uniform;

    /// p and the draws made for an observed value against uniform draws.
    fn sequential(plan: SequentialDraws, observed: f64, random: &mut Uniform) -> (f64, usize) {
        let (mut draws, mut reached, mut goal) = (0, 0, Some(plan.first()));
        while let Some(next) = goal {
            while draws < next {
                reached += usize::from(random.unit() >= observed);
                draws += 1;
            }
            goal = plan.next(draws, reached);
        }
        (SequentialDraws::p_value(reached, draws), draws)
    }

    /// Without an effect p is at most α in a share α of worlds, also at levels that the first look cannot
    /// reach.
    #[test]
    fn p_values_are_valid_at_every_level() {
        let plan = SequentialDraws::new(99, 1599).unwrap();
        let mut random = Uniform::seeded(5);
        let worlds = 40_000;
        let mut all = Vec::with_capacity(worlds);
        let mut drawn = 0;
        for _ in 0..worlds {
            let observed = random.unit();
            let (p, draws) = sequential(plan, observed, &mut random);
            all.push(p);
            drawn += draws;
        }
        for level in [0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.2, 0.5] {
            let share = all.iter().filter(|&&p| p <= level).count() as f64 / worlds as f64;
            let error = (level * (1.0 - level) / worlds as f64).sqrt();
            assert!(share < level + 4.0 * error, "level {level}: {share}");
            // Nor is it far below: the p values are not conservative.
            assert!(share > 0.8 * level - 4.0 * error, "level {level}: {share}");
        }
        // A tenth of the worlds goes on, so that the price is near that of the first look.
        assert!((drawn as f64) < 3.0 * 99.0 * worlds as f64, "{drawn}");
    }

    #[test]
    fn a_perfect_model_is_drawn_to_the_end() {
        let plan = SequentialDraws::new(1000, 40_000).unwrap();
        let (p, draws) = sequential(plan, 1.5, &mut Uniform::seeded(1));
        assert_eq!(draws, 40_000);
        assert!(p < 0.05 / 1000.0);
        assert!(SequentialDraws::new(0, 5).is_err());
        assert_eq!(SequentialDraws::new(10, 5).unwrap().next(10, 0), None);
    }
}
