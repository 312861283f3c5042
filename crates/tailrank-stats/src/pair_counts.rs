//! Concordant, discordant and tied pairs in O(n log n): Knight's merge sort (1966).

use crate::ranking::sort_key;

/// How the n(n−1)/2 pairs of cases agree.
#[derive(Clone, Debug)]
pub(crate) struct PairCounts {
    pub(crate) n: usize,
    /// Concordant minus discordant pairs (Kendall's S).
    pub(crate) s: i64,
    /// Pairs untied in both.
    pub(crate) untied: u64,
    /// Sizes of the groups of ties in x, groups of one left out.
    pub(crate) ties_x: Vec<u64>,
    /// The same in y.
    pub(crate) ties_y: Vec<u64>,
    /// Different values in x.
    pub(crate) classes_x: usize,
    /// Different values in y.
    pub(crate) classes_y: usize,
}

/// Pairs within groups of the given sizes.
pub(crate) fn pairs_within(groups: &[u64]) -> u64 {
    groups.iter().map(|t| t * (t - 1) / 2).sum()
}

impl PairCounts {
    /// Counts the pairs of finite, parallel vectors.
    pub(crate) fn of(x: &[f64], y: &[f64]) -> Self {
        let n = x.len();
        let mut order: Vec<(u64, u64)> = x.iter().zip(y).map(|(&a, &b)| (sort_key(a), sort_key(b))).collect();
        order.sort_unstable();
        let (joint_ties, _) = ties(&order, |a, b| a == b);
        let (ties_x, classes_x) = ties(&order, |a, b| a.0 == b.0);
        let mut keys: Vec<u64> = order.iter().map(|&(_, b)| b).collect();
        drop(order);
        let discordant = sort_counting_inversions(&mut keys, &mut vec![0; n]);
        let (ties_y, classes_y) = ties(&keys, |a, b| a == b);
        let all = n as u64 * (n as u64).saturating_sub(1) / 2;
        let untied = all + pairs_within(&joint_ties) - pairs_within(&ties_x) - pairs_within(&ties_y);
        let s = untied as i64 - 2 * discordant as i64;
        Self { n, s, untied, ties_x, ties_y, classes_x, classes_y }
    }

    /// All pairs, n(n−1)/2.
    pub(crate) fn all(&self) -> u64 {
        self.n as u64 * (self.n as u64).saturating_sub(1) / 2
    }

    /// Concordant pairs.
    pub(crate) fn concordant(&self) -> u64 {
        (self.untied as i64 + self.s) as u64 / 2
    }

    /// Whether any pair is tied in x or in y.
    pub(crate) fn has_ties(&self) -> bool {
        !(self.ties_x.is_empty() && self.ties_y.is_empty())
    }
}

/// Sizes of the groups of two or more in sorted items, and the number of all groups.
fn ties<T>(sorted: &[T], is_same: impl Fn(&T, &T) -> bool) -> (Vec<u64>, usize) {
    let sizes = || sorted.chunk_by(&is_same).map(|group| group.len() as u64);
    (sizes().filter(|&size| size > 1).collect(), sizes().count())
}

/// Sorts `values` and returns the number of pairs i < j with values\[i\] > values\[j\].
///
/// `scratch` has the length of `values`.
pub(crate) fn sort_counting_inversions<T: Copy + Ord>(values: &mut [T], scratch: &mut [T]) -> u64 {
    const RUN: usize = 16;
    let mut inversions = 0;
    for run in values.chunks_mut(RUN) {
        for i in 1..run.len() {
            let moving = run[i];
            let mut hole = i;
            while hole > 0 && run[hole - 1] > moving {
                run[hole] = run[hole - 1];
                hole -= 1;
            }
            run[hole] = moving;
            inversions += (i - hole) as u64;
        }
    }
    let (mut from, mut to) = (values, scratch);
    let mut width = RUN;
    let mut swapped = false;
    while width < from.len() {
        for (source, target) in from.chunks(2 * width).zip(to.chunks_mut(2 * width)) {
            let (left, right) = source.split_at(width.min(source.len()));
            inversions += merge(left, right, target);
        }
        std::mem::swap(&mut from, &mut to);
        swapped = !swapped;
        width *= 2;
    }
    if swapped {
        to.copy_from_slice(from);
    }
    inversions
}

/// Merges two sorted runs into `target` and counts the pairs that change places.
fn merge<T: Copy + Ord>(left: &[T], right: &[T], target: &mut [T]) -> u64 {
    let (mut i, mut j, mut inversions) = (0, 0, 0u64);
    for slot in target.iter_mut() {
        if i == left.len() {
            *slot = right[j];
            j += 1;
        } else if j == right.len() {
            *slot = left[i];
            i += 1;
        } else {
            // Branch-free choice: random data would mispredict every other comparison.
            let take_right = right[j] < left[i];
            *slot = if take_right { right[j] } else { left[i] };
            inversions += if take_right { (left.len() - i) as u64 } else { 0 };
            j += usize::from(take_right);
            i += usize::from(!take_right);
        }
    }
    inversions
}
