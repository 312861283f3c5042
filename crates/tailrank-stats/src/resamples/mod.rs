//! Resamples of cases that all variants of a task share.

mod sums;

use crate::{
    error::{Result, check_draws, check_lengths, check_rows, check_setting},
    shuffle::Uniform,
};

use sums::SumFormula;
pub(crate) use sums::slices;

const TEST: &str = "a bootstrap";
/// Below this a resample says little about the population; see Efron & Tibshirani (1993), ch. 6.
const FEWEST: usize = 10;

/// The draws of a bootstrap: which cases, how often, in each of B resamples.
///
/// A value holds how to draw, not the draws (B × n numbers would be 800 MB at n = 100,000): draw `b` comes
/// from its own random stream, is made when asked for, and is the same whenever and wherever it is made. All
/// variants of a task take the same value, so that their scores can be compared draw by draw.
///
/// ```
/// use tailrank_stats::Resamples;
///
/// let resamples = Resamples::stationary(200, 5.0, 1000, 42)?;
/// let losses: Vec<f64> = (0..200).map(|i| f64::from(i % 7)).collect();
/// let sums = resamples.sums(&[&losses])?;
/// assert_eq!((sums.draws(), sums.columns()), (1000, 1));
/// let by_hand: f64 = resamples.rows(3).iter().map(|&i| losses[i as usize]).sum();
/// assert_eq!(sums.column(0)[3], by_hand);
/// # Ok::<(), tailrank_stats::StatsError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Resamples {
    cases: usize,
    draws: usize,
    mean_block: f64,
    seed: u64,
    scheme: Scheme,
    formula: SumFormula,
}

#[derive(Clone, Debug, PartialEq)]
enum Scheme {
    Stationary,
    /// The rows of each group.
    Grouped(Vec<Vec<u32>>),
    Given(Vec<u32>),
}

impl Resamples {
    /// Stationary bootstrap (Politis & Romano 1994): blocks of geometric length with the given mean, on a
    /// circle.
    ///
    /// For series; see [`crate::automatic_block_length`]. A mean block of 1 draws single cases. Losses on
    /// returns inherit their slow waves of volatility, which the automatic rule misses in part: intervals of
    /// mean losses are then too narrow, and [`crate::Rescaling`] mends them.
    pub fn stationary(cases: usize, mean_block: f64, draws: usize, seed: u64) -> Result<Self> {
        Self::new(cases, mean_block, draws, seed, Scheme::Stationary)
    }

    /// Independent cases, each drawn with equal chance.
    pub fn cases(cases: usize, draws: usize, seed: u64) -> Result<Self> {
        Self::new(cases, 1.0, draws, seed, Scheme::Stationary)
    }

    /// Independent cases within groups (folds, strata): every draw has as many cases of each group as the
    /// data.
    ///
    /// `groups` gives the group of each case by any label.
    pub fn grouped(groups: &[usize], draws: usize, seed: u64) -> Result<Self> {
        Self::new(groups.len(), 1.0, draws, seed, Scheme::Grouped(rows_of_groups(groups)))
    }

    /// Draws made elsewhere, row numbers from 0; all of the same length as the data.
    pub fn from_rows(cases: usize, draws: &[Vec<u32>]) -> Result<Self> {
        for draw in draws {
            check_lengths("a draw", draw.len(), "the data", cases)?;
        }
        for &row in draws.iter().flatten() {
            let expected = "rows are counted from 0 and lie below the number of cases";
            check_setting((row as usize) < cases, "row", f64::from(row), expected)?;
        }
        Self::new(cases, 1.0, draws.len(), 0, Scheme::Given(draws.concat()))
    }

    fn new(cases: usize, mean_block: f64, draws: usize, seed: u64, scheme: Scheme) -> Result<Self> {
        check_rows("the data", cases, TEST, FEWEST)?;
        let expected = "row numbers have 32 bits; give fewer cases";
        check_setting(cases <= u32::MAX as usize, "cases", cases as f64, expected)?;
        let is_block = mean_block >= 1.0 && mean_block <= cases as f64;
        let expected = "choose a block length from 1 to the number of cases";
        check_setting(is_block, "block", mean_block, expected)?;
        check_draws(draws)?;
        let mut resamples = Self { cases, draws, mean_block, seed, scheme, formula: SumFormula::default() };
        resamples.formula = SumFormula::of(&resamples.counts(0));
        Ok(resamples)
    }

    /// Number of draws B.
    pub fn draws(&self) -> usize {
        self.draws
    }

    /// Number of cases n, in the data and in each draw.
    pub fn case_count(&self) -> usize {
        self.cases
    }

    /// The rows of a draw, in the order drawn, counted from 0.
    pub fn rows(&self, draw: usize) -> Vec<u32> {
        let mut rows = Vec::with_capacity(self.cases);
        self.visit(draw, |row| rows.push(row));
        rows
    }

    /// How often each case stands in a draw.
    pub fn counts(&self, draw: usize) -> Vec<u32> {
        let mut counts = vec![0; self.cases];
        self.add_counts(draw, &mut counts);
        counts
    }

    fn add_counts(&self, draw: usize, counts: &mut [u32]) {
        self.visit(draw, |row| counts[row as usize] += 1);
    }

    fn visit(&self, draw: usize, mut visit: impl FnMut(u32)) {
        let n = self.cases;
        let mut random = Uniform::stream(self.seed, draw as u64);
        match &self.scheme {
            Scheme::Given(rows) => rows[draw * n..(draw + 1) * n].iter().for_each(|&row| visit(row)),
            Scheme::Grouped(groups) => {
                for rows in groups {
                    for _ in rows {
                        visit(rows[random.below(rows.len() as u64) as usize]);
                    }
                }
            }
            Scheme::Stationary => {
                let new_block = 1.0 / self.mean_block;
                let mut at = 0;
                for i in 0..n {
                    at = if i == 0 || new_block == 1.0 || random.unit() < new_block {
                        random.below(n as u64) as usize
                    } else if at + 1 == n {
                        0
                    } else {
                        at + 1
                    };
                    visit(at as u32);
                }
            }
        }
    }
}

/// The rows of each group, groups in the order of their labels.
fn rows_of_groups(groups: &[usize]) -> Vec<Vec<u32>> {
    let mut rows = std::collections::BTreeMap::<usize, Vec<u32>>::new();
    for (row, &group) in groups.iter().enumerate() {
        rows.entry(group).or_default().push(row as u32);
    }
    rows.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_have_their_mean_length_and_cover_the_series() {
        let (n, mean_block, draws) = (500, 8.0, 400);
        let resamples = Resamples::stationary(n, mean_block, draws, 5).unwrap();
        let (mut breaks, mut counts) = (0, vec![0u32; n]);
        for draw in 0..draws {
            let rows = resamples.rows(draw);
            breaks += rows.windows(2).filter(|w| w[1] as usize != (w[0] as usize + 1) % n).count();
            resamples.add_counts(draw, &mut counts);
        }
        let length = (draws * (n - 1)) as f64 / breaks as f64;
        assert!((length / mean_block - 1.0).abs() < 0.02, "mean block {length}");
        // Every row is drawn 400 times on average, in blocks: the spread is about √(400·15).
        assert!(counts.iter().all(|&c| (f64::from(c) - 400.0).abs() < 6.0 * (400.0f64 * 15.0).sqrt()));
    }

    #[test]
    fn groups_keep_their_sizes() {
        let groups: Vec<usize> = (0..60).map(|i| [7, 2, 2, 9][i % 4]).collect();
        let resamples = Resamples::grouped(&groups, 30, 1).unwrap();
        for draw in 0..30 {
            let drawn: Vec<usize> = resamples.rows(draw).iter().map(|&r| groups[r as usize]).collect();
            for (label, size) in [(2, 30), (7, 15), (9, 15)] {
                assert_eq!(drawn.iter().filter(|&&g| g == label).count(), size);
            }
        }
        assert_ne!(resamples.rows(0), resamples.rows(1));
    }

    #[test]
    fn a_draw_is_the_same_whenever_it_is_made() {
        let resamples = Resamples::cases(40, 10, 8).unwrap();
        let last = resamples.rows(9);
        assert!((0..10).all(|b| resamples.rows(b).len() == 40));
        assert_eq!(resamples.rows(9), last);
        assert_ne!(resamples.rows(9), Resamples::cases(40, 10, 9).unwrap().rows(9));
    }
}
