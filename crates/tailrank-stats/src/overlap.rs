//! How far two rankings share their top.

use crate::error::{Result, check_open_unit, check_pair, check_setting};

/// What the first k places of two rankings share.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TopOverlap {
    /// Places looked at.
    pub k: usize,
    /// Items shared; with ties across place k, their expected number when ties are broken at random.
    pub shared: f64,
    /// `shared / k`.
    pub fraction: f64,
    /// Items (rows from 0) whose rank is at most k in both.
    pub items: Vec<usize>,
}

/// Overlap of the k best of two rank vectors (1 is best).
///
/// ```
/// let by_mad = [1.0, 2.0, 3.0, 4.0];
/// let by_f = [2.0, 4.0, 1.0, 3.0];
/// let top = tailrank_stats::top_k_overlap(&by_mad, &by_f, 2)?;
/// assert_eq!((top.shared, top.items), (1.0, vec![0]));
/// # Ok::<(), tailrank_stats::StatsError>(())
/// ```
pub fn top_k_overlap(ranks_a: &[f64], ranks_b: &[f64], k: usize) -> Result<TopOverlap> {
    check_pair(ranks_a, ranks_b, "top-k overlap", 1)?;
    let expected = "choose k from 1 to the number of items";
    check_setting((1..=ranks_a.len()).contains(&k), "k", k as f64, expected)?;
    let (a, b) = (Spans::of(ranks_a), Spans::of(ranks_b));
    let shared = (0..ranks_a.len()).map(|i| a.share_within(i, k) * b.share_within(i, k)).sum::<f64>();
    let inside = |i: &usize| ranks_a[*i] <= k as f64 && ranks_b[*i] <= k as f64;
    let items = (0..ranks_a.len()).filter(inside).collect();
    Ok(TopOverlap { k, shared, fraction: shared / k as f64, items })
}

/// Rank-biased overlap of two rank vectors over the same items (1 is best), ties allowed (Webber, Moffat &
/// Zobel 2010, eq. 32).
///
/// `persistence` p is the chance of looking one place further. Tied items share their places: the overlap at
/// each depth is its expectation when ties are broken at random (the variant RBOᵃ of Corsi & Urbano 2024).
///
/// ```
/// let rbo = tailrank_stats::rank_biased_overlap(&[1.0, 2.0, 3.0], &[1.0, 3.0, 2.0], 0.9)?;
/// assert!((rbo - 0.955).abs() < 1e-12);
/// # Ok::<(), tailrank_stats::StatsError>(())
/// ```
pub fn rank_biased_overlap(ranks_a: &[f64], ranks_b: &[f64], persistence: f64) -> Result<f64> {
    check_open_unit("persistence", persistence)?;
    check_pair(ranks_a, ranks_b, "rank-biased overlap", 1)?;
    let (a, b) = (Spans::of(ranks_a), Spans::of(ranks_b));
    let n = ranks_a.len();
    // Only items whose group spans depth d change their share there; the others' sum is carried along.
    let mut current = vec![0.0; n];
    let (mut overlap, mut sum, mut weight) = (0.0, 0.0, 1.0);
    for d in 1..=n {
        for &i in a.around(d).iter().chain(b.around(d)) {
            let share = a.share_within(i, d) * b.share_within(i, d);
            overlap += share - current[i];
            current[i] = share;
        }
        weight *= persistence;
        sum += overlap / d as f64 * weight;
    }
    Ok((1.0 - persistence) / persistence * sum + overlap / n as f64 * weight)
}

/// The places that each item of a ranking may stand on.
struct Spans {
    order: Vec<usize>,
    /// Per item: first place (from 0) and size of its group of ties.
    span: Vec<(usize, usize)>,
}

impl Spans {
    fn of(ranks: &[f64]) -> Self {
        let mut order: Vec<usize> = (0..ranks.len()).collect();
        order.sort_by(|&i, &j| ranks[i].total_cmp(&ranks[j]));
        let mut span = vec![(0, 0); ranks.len()];
        let mut start = 0;
        for group in order.chunk_by(|&i, &j| ranks[i] == ranks[j]) {
            for &i in group {
                span[i] = (start, group.len());
            }
            start += group.len();
        }
        Self { order, span }
    }

    /// Chance that the item stands on one of the first `depth` places.
    fn share_within(&self, item: usize, depth: usize) -> f64 {
        let (start, size) = self.span[item];
        depth.saturating_sub(start).min(size) as f64 / size as f64
    }

    /// The items of the group that covers place `depth` (from 1).
    fn around(&self, depth: usize) -> &[usize] {
        let (start, size) = self.span[self.order[depth - 1]];
        &self.order[start..start + size]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tied_items_take_the_mean_of_their_orders() {
        let rbo = |a: &[f64]| rank_biased_overlap(a, &[3.0, 1.0, 2.0, 4.0], 0.9).unwrap();
        let mean = 0.5 * (rbo(&[1.0, 2.0, 3.0, 4.0]) + rbo(&[2.0, 1.0, 3.0, 4.0]));
        assert!((rbo(&[1.5, 1.5, 3.0, 4.0]) - mean).abs() < 1e-15);
        assert!((rbo(&[3.0, 1.0, 2.0, 4.0]) - 1.0).abs() < 1e-15);
    }

    #[test]
    fn ties_across_the_cut_count_by_expectation() {
        let a = [1.0, 2.5, 2.5, 4.0];
        let b = [1.0, 2.0, 3.0, 4.0];
        let top = top_k_overlap(&a, &b, 2).unwrap();
        assert_eq!((top.shared, top.fraction, top.items), (1.5, 0.75, vec![0]));
    }
}
