//! How far two rankings share their top, and which items move most.

use std::{collections::HashMap, hash::Hash};

use crate::error::{Result, StatsError, check_open_unit, check_pair, check_rows};

/// What the first k places of two rankings share.
#[derive(Clone, Debug, PartialEq)]
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
    if k == 0 || k > ranks_a.len() {
        let expected = "choose k from 1 to the number of items";
        return Err(StatsError::Parameter { name: "k", value: k as f64, expected });
    }
    let (a, b) = (Spans::of(ranks_a), Spans::of(ranks_b));
    let shared = (0..ranks_a.len()).map(|i| a.share_within(i, k) * b.share_within(i, k)).sum::<f64>();
    let inside = |i: &usize| ranks_a[*i] <= k as f64 && ranks_b[*i] <= k as f64;
    let items = (0..ranks_a.len()).filter(inside).collect();
    Ok(TopOverlap { k, shared, fraction: shared / k as f64, items })
}

/// Rank-biased overlap of two lists of distinct items, best first, extrapolated (Webber, Moffat & Zobel 2010, eq. 32).
///
/// The lists may differ in length and in items. `persistence` p is the chance of looking one place further.
///
/// ```
/// let rbo = tailrank_stats::rank_biased_overlap(&["a", "b", "c"], &["a", "c", "b"], 0.9)?;
/// assert!((rbo - 0.955).abs() < 1e-12);
/// # Ok::<(), tailrank_stats::StatsError>(())
/// ```
pub fn rank_biased_overlap<T: Eq + Hash>(a: &[T], b: &[T], persistence: f64) -> Result<f64> {
    check_open_unit("persistence", persistence)?;
    check_rows("a", a.len(), "rank-biased overlap", 1)?;
    check_rows("b", b.len(), "rank-biased overlap", 1)?;
    let (short, long) = if a.len() <= b.len() { (("a", a), b) } else { (("b", b), a) };
    let long_name = if short.0 == "a" { "b" } else { "a" };
    let short_places = places(short.0, short.1)?;
    let long_places = places(long_name, long)?;
    let (s, l, p) = (short.1.len(), long.len(), persistence);

    let mut overlap = 0usize; // X_d
    let mut overlap_at_s = 0usize; // X_s
    let (mut sum, mut weight) = (0.0, 1.0);
    for d in 1..=l {
        weight *= p;
        let new = &long[d - 1];
        overlap += usize::from(short_places.get(new).is_some_and(|&place| place <= d));
        if d <= s {
            // The item that is new in both lists at the same depth was counted just above.
            overlap += usize::from(long_places.get(&short.1[d - 1]).is_some_and(|&place| place < d));
            if d == s {
                overlap_at_s = overlap;
            }
        }
        sum += overlap as f64 / d as f64 * weight;
        if d > s {
            sum += overlap_at_s as f64 * (d - s) as f64 / (s * d) as f64 * weight;
        }
    }
    let tail = (overlap - overlap_at_s) as f64 / l as f64 + overlap_at_s as f64 / s as f64;
    Ok((1.0 - p) / p * sum + tail * weight)
}

/// Rank-biased overlap of two rank vectors over the same items (1 is best), ties allowed.
///
/// Tied items share their places: the overlap at each depth is its expectation when ties are broken at random
/// (the variant RBOᵃ of Corsi & Urbano 2024). Without ties it equals [`rank_biased_overlap`].
pub fn rank_biased_overlap_of_ranks(ranks_a: &[f64], ranks_b: &[f64], persistence: f64) -> Result<f64> {
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

/// An item and how its rank changes from one ranking to the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Mover {
    /// The item, as its row from 0.
    pub item: usize,
    /// Rank in the first ranking.
    pub from: f64,
    /// Rank in the second.
    pub to: f64,
}

impl Mover {
    /// Places gained (positive: better in the second ranking).
    pub fn gain(&self) -> f64 {
        self.from - self.to
    }
}

/// The `count` items whose ranks differ most, largest change first, equal changes in row order.
pub fn largest_movers(ranks_a: &[f64], ranks_b: &[f64], count: usize) -> Result<Vec<Mover>> {
    check_pair(ranks_a, ranks_b, "the largest movers", 1)?;
    let mut movers: Vec<Mover> = ranks_a
        .iter()
        .zip(ranks_b)
        .enumerate()
        .map(|(item, (&from, &to))| Mover { item, from, to })
        .collect();
    movers.sort_by(|p, q| q.gain().abs().total_cmp(&p.gain().abs()));
    movers.truncate(count);
    Ok(movers)
}

fn places<'a, T: Eq + Hash>(name: &'static str, items: &'a [T]) -> Result<HashMap<&'a T, usize>> {
    let mut places = HashMap::with_capacity(items.len());
    for (i, item) in items.iter().enumerate() {
        if let Some(first) = places.insert(item, i + 1) {
            return Err(StatsError::Repeated { name, row: i + 1, first });
        }
    }
    Ok(places)
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
    fn equal_lists_overlap_fully_and_disjoint_lists_not_at_all() {
        let a = [1, 2, 3, 4, 5];
        assert!((rank_biased_overlap(&a, &a, 0.9).unwrap() - 1.0).abs() < 1e-15);
        assert_eq!(rank_biased_overlap(&a, &[6, 7, 8], 0.9).unwrap(), 0.0);
    }

    #[test]
    fn uneven_lists_follow_equation_32() {
        // S = a b, L = a c b d: X = 1, 1, 2, 2 over depths 1 … 4, s = 2, l = 4, X_s = 1.
        let p: f64 = 0.8;
        let first = 1.0 * p + 0.5 * p * p + 2.0 / 3.0 * p.powi(3) + 0.5 * p.powi(4);
        let second = 1.0 * 1.0 / (2.0 * 3.0) * p.powi(3) + 1.0 * 2.0 / (2.0 * 4.0) * p.powi(4);
        let expected = (1.0 - p) / p * (first + second) + ((2.0 - 1.0) / 4.0 + 0.5) * p.powi(4);
        let got = rank_biased_overlap(&["a", "c", "b", "d"], &["a", "b"], p).unwrap();
        assert!((got - expected).abs() < 1e-15);
        let other_way = rank_biased_overlap(&["a", "b"], &["a", "c", "b", "d"], p).unwrap();
        assert_eq!(got, other_way);
    }

    #[test]
    fn rank_vectors_and_lists_agree_and_ties_average_their_orders() {
        let p = 0.9;
        let (a, b) = ([3.0, 1.0, 2.0, 4.0], [1.0, 2.0, 3.0, 4.0]);
        let lists = rank_biased_overlap(&[1, 2, 0, 3], &[0, 1, 2, 3], p).unwrap();
        assert!((rank_biased_overlap_of_ranks(&a, &b, p).unwrap() - lists).abs() < 1e-15);
        let tied = [1.5, 1.5, 3.0, 4.0];
        let mean = 0.5
            * (rank_biased_overlap(&[0, 1, 2, 3], &[1, 2, 0, 3], p).unwrap()
                + rank_biased_overlap(&[1, 0, 2, 3], &[1, 2, 0, 3], p).unwrap());
        assert!((rank_biased_overlap_of_ranks(&tied, &a, p).unwrap() - mean).abs() < 1e-15);
    }

    #[test]
    fn ties_across_the_cut_count_by_expectation() {
        let a = [1.0, 2.5, 2.5, 4.0];
        let b = [1.0, 2.0, 3.0, 4.0];
        let top = top_k_overlap(&a, &b, 2).unwrap();
        assert_eq!((top.shared, top.fraction, top.items), (1.5, 0.75, vec![0]));
    }

    #[test]
    fn movers_are_sorted_by_distance() {
        let movers = largest_movers(&[1.0, 2.0, 3.0], &[3.0, 2.0, 1.0], 2).unwrap();
        assert_eq!(movers.iter().map(|m| (m.item, m.gain())).collect::<Vec<_>>(), [(0, -2.0), (2, 2.0)]);
    }
}
