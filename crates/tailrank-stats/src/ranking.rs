//! Ranks with ties shared (average rank), a direction, and undefined scores last; how often a variant is the
//! best.

use std::cmp::Ordering;

use tailrank_metrics::MetricError;

use crate::{
    draws::Draws,
    error::{Result, check_finite, check_lengths, check_open_unit, check_rows},
};

pub use tailrank_metrics::Better;

/// Ranks from 1 for the smallest value; tied values share the average of their places.
///
/// ```
/// let ranks = tailrank_stats::average_ranks(&[0.3, 0.1, 0.3, 0.9])?;
/// assert_eq!(ranks, [2.5, 1.0, 2.5, 4.0]);
/// # Ok::<(), tailrank_stats::StatsError>(())
/// ```
pub fn average_ranks(values: &[f64]) -> Result<Vec<f64>> {
    check_rows("values", values.len(), "ranking", 1)?;
    check_finite("values", values)?;
    Ok(Ranked::ascending(values).ranks)
}

/// Ranks from 1 for the best score. Undefined scores (`None`) stand behind every defined one and share one
/// rank.
///
/// ```
/// use tailrank_stats::{Better, rank_scores};
///
/// let f = [Some(0.4), None, Some(0.7), None];
/// assert_eq!(rank_scores(&f, Better::Higher)?, [2.0, 3.5, 1.0, 3.5]);
/// # Ok::<(), tailrank_stats::StatsError>(())
/// ```
pub fn rank_scores(scores: &[Option<f64>], better: Better) -> Result<Vec<f64>> {
    check_rows("scores", scores.len(), "ranking", 1)?;
    if let Some(i) = scores.iter().position(|s| s.is_some_and(|v| !v.is_finite())) {
        let value = scores[i].unwrap_or(f64::NAN);
        return Err(MetricError::NonFinite { name: "scores", row: i + 1, value }.into());
    }
    Ok(Ranked::of(scores.iter().map(|score| place(score.unwrap_or(f64::NAN), better))).ranks)
}

/// A whole number that is smaller for better scores and largest for undefined ones (NaN).
pub(crate) fn place(score: f64, better: Better) -> u64 {
    match better {
        _ if score.is_nan() => u64::MAX,
        Better::Lower => sort_key(score),
        Better::Higher => !sort_key(score),
    }
}

/// Orders finite values; 0.0 and −0.0 are equal.
pub(crate) fn compare(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b).unwrap_or(Ordering::Equal)
}

/// A whole number that sorts as the finite value does, both zeros alike; integers sort faster than floats.
///
/// It is above 0 and below `u64::MAX` for every finite value.
pub(crate) fn sort_key(value: f64) -> u64 {
    let bits = (value + 0.0).to_bits(); // −0.0 + 0.0 = 0.0
    if bits >> 63 == 0 { bits | 1 << 63 } else { !bits }
}

/// Average ranks and the sizes of the groups of ties (groups of one included, in rank order).
#[derive(Clone, Debug)]
pub(crate) struct Ranked {
    pub(crate) ranks: Vec<f64>,
    pub(crate) groups: Vec<usize>,
}

impl Ranked {
    /// Ranks items by their keys, smallest first.
    pub(crate) fn of(keys: impl Iterator<Item = u64>) -> Self {
        let mut sorted: Vec<(u64, usize)> = keys.enumerate().map(|(i, key)| (key, i)).collect();
        sorted.sort_unstable();
        let mut ranks = vec![0.0; sorted.len()];
        let mut groups = Vec::new();
        let mut start = 0;
        for group in sorted.chunk_by(|a, b| a.0 == b.0) {
            // Places start+1 … start+size have the mean start + (size+1)/2.
            let rank = start as f64 + (group.len() as f64 + 1.0) / 2.0;
            for &(_, i) in group {
                ranks[i] = rank;
            }
            start += group.len();
            groups.push(group.len());
        }
        Self { ranks, groups }
    }

    /// Ranks finite values, smallest first.
    pub(crate) fn ascending(values: &[f64]) -> Self {
        Self::of(values.iter().map(|&v| sort_key(v)))
    }

    /// Whether any two values are tied.
    pub(crate) fn has_ties(&self) -> bool {
        self.groups.len() < self.ranks.len()
    }

    /// Σ (t³ − t) over the groups of ties.
    pub(crate) fn tie_sum(&self) -> f64 {
        self.groups.iter().map(|&t| t as f64).map(|t| t * t * t - t).sum()
    }

    /// 2·rank − (n+1): the centred ranks as whole numbers, so that sums of their products are exact.
    pub(crate) fn centred_doubled(&self) -> Vec<i64> {
        let centre = self.ranks.len() as i64 + 1;
        self.ranks.iter().map(|r| (2.0 * r) as i64 - centre).collect()
    }
}

/// The share of draws on which each column is the best: P(best).
///
/// Columns tied for the best share the draw equally. An undefined score (NaN) stands behind every defined
/// one, and ties with other undefined ones. The shares sum to 1.
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RankInterval {
    /// Best rank of the interval.
    pub lower: f64,
    /// Middle rank over the draws.
    pub median: f64,
    /// Worst rank of the interval.
    pub upper: f64,
}

/// Central intervals of each column's rank (1 is the best); ties share the average rank, undefined scores
/// stand last.
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
        // Defined 0.4: third behind 0.9, 0.5 on draws below 15, second on 15, 17 and 19; undefined: last
        // always.
        assert_eq!(intervals[2], RankInterval { lower: 2.0, median: 3.0, upper: 3.0 });
        let narrow = rank_intervals(&draws, Better::Higher, 0.2).unwrap();
        assert_eq!(narrow[0], RankInterval { lower: 1.0, median: 1.0, upper: 1.0 });
    }
}
