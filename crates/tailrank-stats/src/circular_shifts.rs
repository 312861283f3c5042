//! Circular shifts, which take the timing out of predictions and leave everything else.

use crate::{
    error::{Result, check_draws, check_rows, check_setting},
    shuffle::{Shuffle, Uniform},
};

/// Circular shifts of the predictions against the truth, within each test block.
///
/// They keep the distribution and the autocorrelation of both and break their timing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CircularShifts {
    blocks: Vec<usize>,
    excluded: usize,
    draws: usize,
    seed: u64,
    /// Every admissible shift in random order, where all are drawn.
    all: Option<Vec<usize>>,
}

impl CircularShifts {
    /// Random shifts for test blocks of these lengths, none within `excluded` of zero (lags + horizon, so
    /// that no prediction meets a truth it could know).
    ///
    /// With one block that has no more admissible shifts than `draws`, each of them is drawn once, in random
    /// order, and there are fewer draws.
    pub(crate) fn new(blocks: &[usize], excluded: usize, draws: usize, seed: u64) -> Result<Self> {
        check_draws(draws)?;
        check_rows("test blocks", blocks.len(), "circular shifts", 1)?;
        for &length in blocks {
            let expected = "every test block must be longer than twice the excluded shifts plus one";
            check_setting(length >= 2 * excluded + 2, "test block", length as f64, expected)?;
        }
        let admissible = blocks[0] - 2 * excluded - 1;
        let all = (blocks.len() == 1 && admissible <= draws).then(|| {
            let mut all: Vec<usize> = (excluded + 1..=excluded + admissible).collect();
            Shuffle::new(all.len()).apply(&mut Uniform::seeded(seed), &mut all);
            all
        });
        let draws = all.as_ref().map_or(draws, Vec::len);
        Ok(Self { blocks: blocks.to_vec(), excluded, draws, seed, all })
    }

    /// Number of draws.
    pub(crate) fn draws(&self) -> usize {
        self.draws
    }

    /// How many different combinations of admissible shifts there are.
    pub(crate) fn distinct(&self) -> f64 {
        self.blocks.iter().map(|length| (length - 2 * self.excluded - 1) as f64).product()
    }

    /// The shift of each block.
    pub(crate) fn shifts(&self, draw: usize) -> Vec<usize> {
        if let Some(all) = &self.all {
            return vec![all[draw]];
        }
        let mut random = Uniform::stream(self.seed, draw as u64);
        let shift = |&length: &usize| {
            self.excluded + 1 + random.below((length - 2 * self.excluded - 1) as u64) as usize
        };
        self.blocks.iter().map(shift).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifts_keep_their_distance_and_their_block() {
        let shifts = CircularShifts::new(&[40, 30], 5, 300, 2).unwrap();
        let mut seen = [vec![], vec![]];
        for draw in 0..300 {
            shifts.shifts(draw).iter().zip(&mut seen).for_each(|(s, seen)| seen.push(*s));
        }
        for (seen, last) in seen.iter_mut().zip([34, 24]) {
            seen.sort_unstable();
            seen.dedup();
            assert_eq!(*seen, (6..=last).collect::<Vec<_>>());
        }
    }

    #[test]
    fn few_shifts_are_taken_once_each() {
        let shifts = CircularShifts::new(&[20], 3, 1000, 2).unwrap();
        assert_eq!(shifts.draws(), 13);
        let mut drawn: Vec<usize> = (0..13).map(|d| shifts.shifts(d)[0]).collect();
        assert_ne!(drawn, (4..=16).collect::<Vec<_>>());
        drawn.sort_unstable();
        assert_eq!(drawn, (4..=16).collect::<Vec<_>>());
        assert!(CircularShifts::new(&[20, 7], 3, 1000, 2).is_err());
        assert_eq!(CircularShifts::new(&[8], 3, 1000, 2).unwrap().draws(), 1);
    }

    /// Of 12 shifts those from 3 to 9 stay two away from none: seven, each drawn once.
    #[test]
    fn as_many_draws_as_shifts_draw_each_once() {
        let shifts = CircularShifts::new(&[12], 2, 7, 1).unwrap();
        let mut drawn: Vec<usize> = (0..shifts.draws()).flat_map(|draw| shifts.shifts(draw)).collect();
        drawn.sort_unstable();
        assert_eq!(drawn, [3, 4, 5, 6, 7, 8, 9]);
    }
}
