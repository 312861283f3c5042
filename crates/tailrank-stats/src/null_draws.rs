//! Ways to take the skill out of predictions and leave everything else: shifts in time, flipped signs.
//!
//! Each is a value that holds how to draw; draw `b` is the same whenever it is made, and all variants use the same one.

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
    /// Random shifts for test blocks of these lengths, none within `excluded` of zero (lags + horizon, so that no prediction meets
    /// a truth it could know).
    ///
    /// With one block that has no more admissible shifts than `draws`, each of them is drawn once, in random order, and there are fewer
    /// draws.
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

/// Signs of the predictions flipped by blocks of consecutive cases: is the side right, or only the size?
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignFlips {
    cases: usize,
    block: usize,
    draws: usize,
    seed: u64,
}

impl SignFlips {
    /// Every block of `block` cases keeps or changes its sign with equal chance.
    pub fn new(cases: usize, block: usize, draws: usize, seed: u64) -> Result<Self> {
        check_draws(draws)?;
        check_rows("cases", cases, "sign flips", 10)?;
        let expected = "choose a block from 1 to half the number of cases";
        check_setting(block > 0 && 2 * block <= cases, "block", block as f64, expected)?;
        Ok(Self { cases, block, draws, seed })
    }

    /// Number of draws.
    pub fn draws(&self) -> usize {
        self.draws
    }

    /// Whether the sign of each case's prediction is flipped.
    pub fn flips(&self, draw: usize) -> Vec<bool> {
        let mut random = Uniform::stream(self.seed, draw as u64);
        // Where the first block ends is drawn too, so that no boundary is special.
        let first = 1 + random.below(self.block as u64) as usize;
        let mut flips = Vec::with_capacity(self.cases);
        let mut end = first;
        while flips.len() < self.cases {
            let is_flipped = random.below(2) != 0;
            flips.resize(end.min(self.cases), is_flipped);
            end += self.block;
        }
        flips
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

    #[test]
    fn signs_change_between_blocks_only() {
        let flips = SignFlips::new(50, 7, 400, 1).unwrap();
        let mut sums = [0.0; 50];
        for draw in 0..400 {
            let signs: Vec<f64> = flips.flips(draw).iter().map(|&f| if f { -1.0 } else { 1.0 }).collect();
            assert!(signs.len() == 50 && signs.iter().all(|s| s.abs() == 1.0));
            let changes: Vec<usize> = (1..50).filter(|&i| signs[i] != signs[i - 1]).collect();
            assert!(changes.windows(2).all(|w| (w[1] - w[0]) % 7 == 0), "{changes:?}");
            sums.iter_mut().zip(&signs).for_each(|(sum, s)| *sum += s);
        }
        assert!(sums.iter().all(|s: &f64| s.abs() < 5.0 * 20.0), "{sums:?}");
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
