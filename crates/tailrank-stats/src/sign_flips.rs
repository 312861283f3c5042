//! Flipped signs, which take the side out of predictions and leave their size.

use crate::{
    error::{Result, check_draws, check_rows, check_setting},
    shuffle::Uniform,
};

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
}
