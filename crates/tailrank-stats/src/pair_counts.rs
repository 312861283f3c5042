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
        let mut joint_ties = Vec::new();
        let mut ties_x = Vec::new();
        let (mut classes_x, mut run_x, mut run_joint) = (1, 1u64, 1u64);
        for pair in order.windows(2) {
            if pair[0] == pair[1] {
                run_joint += 1;
            } else {
                push_tie(&mut joint_ties, &mut run_joint);
            }
            if pair[0].0 == pair[1].0 {
                run_x += 1;
            } else {
                push_tie(&mut ties_x, &mut run_x);
                classes_x += 1;
            }
        }
        push_tie(&mut joint_ties, &mut run_joint);
        push_tie(&mut ties_x, &mut run_x);

        let mut keys: Vec<u64> = order.iter().map(|&(_, b)| b).collect();
        drop(order);
        let discordant = sort_counting_inversions(&mut keys, &mut vec![0; n]);
        let mut ties_y = Vec::new();
        let (mut classes_y, mut run_y) = (1, 1u64);
        for pair in keys.windows(2) {
            if pair[0] == pair[1] {
                run_y += 1;
            } else {
                push_tie(&mut ties_y, &mut run_y);
                classes_y += 1;
            }
        }
        push_tie(&mut ties_y, &mut run_y);

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

fn push_tie(ties: &mut Vec<u64>, run: &mut u64) {
    if *run > 1 {
        ties.push(*run);
    }
    *run = 1;
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
