//! How often a variant, or a group of variants, is the best, and between which ranks it stands.

use crate::{
    draws::Draws,
    error::{Result, check_lengths, check_open_unit},
    ranking::{Better, Ranked, place},
};

/// The share of draws on which each column is the best: P(best).
///
/// Columns tied for the best share the draw equally. An undefined score (NaN) stands behind every defined one, and ties with
/// other undefined ones. The shares sum to 1.
///
/// ```
/// use tailrank_stats::{Better, Draws, best_shares};
///
/// let f = Draws::from_columns(&[vec![0.3, 0.5, f64::NAN, 0.1], vec![0.2, 0.5, 0.1, 0.4]])?;
/// assert_eq!(best_shares(&f, Better::Higher), [0.375, 0.625]);
/// # Ok::<(), tailrank_stats::StatsError>(())
/// ```
pub fn best_shares(draws: &Draws, better: Better) -> Vec<f64> {
    let mut best = vec![(u64::MAX, 0u32); draws.draws()];
    for column in draws.iter() {
        for (best, &score) in best.iter_mut().zip(column) {
            let place = place(score, better);
            *best = match place.cmp(&best.0) {
                std::cmp::Ordering::Less => (place, 1),
                std::cmp::Ordering::Equal => (place, best.1 + 1),
                std::cmp::Ordering::Greater => *best,
            };
        }
    }
    let share = |column: &[f64]| {
        let wins = column.iter().zip(&best).filter(|(score, best)| place(**score, better) == best.0);
        // From 0: the sum of nothing is −0 otherwise.
        wins.fold(0.0, |sum, (_, best)| sum + 1.0 / f64::from(best.1)) / draws.draws() as f64
    };
    draws.iter().map(share).collect()
}

/// P(best) of groups (families): the sum over their members, groups numbered from 0.
pub fn group_best_shares(shares: &[f64], groups: &[usize]) -> Result<Vec<f64>> {
    check_lengths("shares", shares.len(), "groups", groups.len())?;
    let mut sums = vec![0.0; groups.iter().max().map_or(0, |g| g + 1)];
    for (share, &group) in shares.iter().zip(groups) {
        sums[group] += share;
    }
    Ok(sums)
}

/// Between which ranks a column stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankInterval {
    /// Best rank of the interval.
    pub lower: f64,
    /// Middle rank over the draws.
    pub median: f64,
    /// Worst rank of the interval.
    pub upper: f64,
}

/// Central intervals of each column's rank (1 is the best); ties share the average rank, undefined scores stand last.
///
/// Ends are ranks that occurred (the quantile is the inverse of the distribution, without interpolation).
pub fn rank_intervals(draws: &Draws, better: Better, level: f64) -> Result<Vec<RankInterval>> {
    check_open_unit("level", level)?;
    let (count, columns) = (draws.draws(), draws.columns());
    let mut ranks = vec![0.0; count * columns];
    for draw in 0..count {
        let ranked = Ranked::of((0..columns).map(|c| place(draws.value(c, draw), better)));
        for (column, rank) in ranked.ranks.into_iter().enumerate() {
            ranks[column * count + draw] = rank;
        }
    }
    let tail = 0.5 * (1.0 - level);
    // The smallest rank whose share reaches p; a hair is left for p·B that is whole but for rounding.
    let at = |p: f64| ((p * count as f64 - 1e-9).ceil() as usize).clamp(1, count) - 1;
    let intervals = ranks.chunks_exact_mut(count).map(|own| {
        own.sort_unstable_by(f64::total_cmp);
        RankInterval { lower: own[at(tail)], median: own[at(0.5)], upper: own[at(1.0 - tail)] }
    });
    Ok(intervals.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_variants_and_families() {
        let nan = f64::NAN;
        let draws = Draws::from_columns(&[
            vec![1.0, 2.0, nan, -0.0],
            vec![1.0, 3.0, nan, 0.0],
            vec![4.0, 1.0, nan, nan],
        ])
        .unwrap();
        let lower = best_shares(&draws, Better::Lower);
        let third = 1.0 / 3.0;
        let expected = [(0.5 + third + 0.5) / 4.0, (0.5 + third + 0.5) / 4.0, (1.0 + third) / 4.0];
        assert!(lower.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15), "{lower:?}");
        let never = Draws::from_columns(&[vec![1.0], vec![2.0]]).unwrap();
        assert!(best_shares(&never, Better::Lower)[1].is_sign_positive());
        let families = group_best_shares(&lower, &[1, 0, 1]).unwrap();
        assert!((families[0] - expected[1]).abs() < 1e-15);
        assert!((families[0] + families[1] - 1.0).abs() < 1e-15);
    }

    #[test]
    fn rank_intervals_are_ranks_that_occurred() {
        // Column 0 is best on 15 draws of 20 and last on 5; column 2 is undefined on 10.
        let columns = [
            (0..20).map(|i| if i < 15 { 0.9 } else { 0.0 }).collect::<Vec<_>>(),
            vec![0.5; 20],
            (0..20).map(|i| if i % 2 == 0 { f64::NAN } else { 0.4 }).collect(),
        ];
        let draws = Draws::from_columns(&columns).unwrap();
        let intervals = rank_intervals(&draws, Better::Higher, 0.9).unwrap();
        assert_eq!(intervals[0], RankInterval { lower: 1.0, median: 1.0, upper: 3.0 });
        assert_eq!(intervals[1], RankInterval { lower: 1.0, median: 2.0, upper: 2.0 });
        // Defined 0.4: third behind 0.9, 0.5 on draws below 15, second on 15, 17 and 19; undefined: last always.
        assert_eq!(intervals[2], RankInterval { lower: 2.0, median: 3.0, upper: 3.0 });
        let narrow = rank_intervals(&draws, Better::Higher, 0.2).unwrap();
        assert_eq!(narrow[0], RankInterval { lower: 1.0, median: 1.0, upper: 1.0 });
    }
}
