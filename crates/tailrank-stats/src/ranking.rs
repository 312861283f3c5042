//! Ranks with ties shared (average rank), a direction, and undefined scores last.

use std::cmp::Ordering;

use crate::error::{Result, StatsError, check_finite, check_rows};
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

/// Ranks from 1 for the best score. Undefined scores (`None`) stand behind every defined one and share one rank.
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
        return Err(StatsError::NonFinite { name: "scores", row: i + 1, value });
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
