//! Grows one tree.

use std::{collections::BTreeMap, ops::Range};

use super::{
    Settings,
    bins::MAX_BINS,
    split::{self, Rules, Split},
    tally::Tally,
};
use crate::tree::{self, Tree};

/// The rows of one tree, and how it may grow on them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows<'a, T> {
    /// Row after row.
    pub(super) bins: &'a [u8],
    /// Bins of every input.
    pub(super) counts: &'a [usize],
    pub(super) words: &'a [T],
    pub(super) rules: Rules,
    pub(super) settings: Settings,
    /// Histograms kept for subtraction; beyond that they are counted again from the rows.
    pub(super) histograms: usize,
}

impl<T: Tally> Rows<'_, T> {
    fn may_split(&self, leaf: &Leaf<T>, depth: usize) -> bool {
        let mass = leaf.all.sums(self.rules.format).mass;
        depth < self.settings.max_depth && leaf.rows.len() > 1 && mass >= 2.0 * self.rules.least_mass
    }
}

/// A finished leaf: its node, its rows as a part of [`Grower::rows`], and their sums.
#[derive(Clone, Debug)]
pub(super) struct Leaf<T> {
    pub(super) node: usize,
    pub(super) rows: Range<usize>,
    pub(super) all: T,
}

/// A leaf that can be split.
struct Open<T> {
    leaf: Leaf<T>,
    depth: usize,
    split: Split<T>,
    histogram: Option<Histogram<T>>,
}

/// Memory that serves one tree after another.
#[derive(Default)]
pub(super) struct Grower<T: Tally> {
    pub(super) tree: Tree<u8>,
    /// Row numbers, those of a leaf beside each other.
    pub(super) rows: Vec<u32>,
    pub(super) leaves: Vec<Leaf<T>>,
    /// By gain, as bits in the order of numbers above 0, then rank: the last is split next.
    open: BTreeMap<(u64, i64), Open<T>>,
    right: Vec<u32>,
    spare: Vec<Histogram<T>>,
    /// Histograms held by open leaves.
    held: usize,
}

impl<T: Tally> Grower<T> {
    /// Grows a tree on all of `data`: its questions in `tree`, its leaves in `leaves`.
    pub(super) fn grow(&mut self, data: Rows<'_, T>) {
        let rows = data.words.len();
        self.tree.reset();
        self.leaves.clear();
        self.rows.clear();
        self.rows.extend(0..rows as u32);
        self.right.resize(rows, 0);
        let all = data.words.iter().fold(T::default(), |sum, w| sum.plus(*w));
        let root = Leaf { node: 0, rows: 0..rows, all };
        if data.settings.max_leaves > 1 && data.may_split(&root, 0) {
            let histogram = self.count(&root, data);
            self.consider(root, 0, histogram, data);
        } else {
            self.leaves.push(root);
        }
        while self.leaves.len() + self.open.len() < data.settings.max_leaves {
            let Some((_, next)) = self.open.pop_last() else { break };
            self.held -= usize::from(next.histogram.is_some());
            self.split(next, data);
        }
        for open in std::mem::take(&mut self.open).into_values() {
            self.leaves.push(open.leaf);
            self.spare.extend(open.histogram);
        }
        self.held = 0;
    }

    /// Adds every leaf's value to its rows.
    pub(super) fn add_to_members(&self, out: &mut [f64]) {
        for leaf in &self.leaves {
            let value = self.tree.value(leaf.node);
            self.rows[leaf.rows.clone()].iter().for_each(|&row| out[row as usize] += value);
        }
    }

    fn split(&mut self, parent: Open<T>, data: Rows<'_, T>) {
        let (at, depth) = (parent.split, parent.depth + 1);
        let (Range { start, end }, inputs) = (parent.leaf.rows, data.counts.len());
        // Rows that go left stand before those that go right, each in their order.
        let goes_left = |row: u32| data.bins[row as usize * inputs + at.input] <= at.bin;
        let middle = start + tree::partition(&mut self.rows[start..end], &mut self.right, goes_left);
        let node = self.tree.split(parent.leaf.node, at.input, at.bin);
        let left = Leaf { node, rows: start..middle, all: at.left };
        let right = Leaf { node: node + 1, rows: middle..end, all: parent.leaf.all.minus(at.left) };
        // Nothing is counted for children that will never be split.
        let last = self.leaves.len() + self.open.len() + 2 >= data.settings.max_leaves;
        let (few, many) = if left.rows.len() <= right.rows.len() { (left, right) } else { (right, left) };
        let split_few = !last && data.may_split(&few, depth);
        let split_many = !last && data.may_split(&many, depth);
        let count_few = split_few || (split_many && parent.histogram.is_some());
        let of_few = count_few.then(|| self.count(&few, data));
        let mut of_many = parent.histogram;
        if split_many {
            match (&mut of_many, &of_few) {
                (Some(parent), Some(few)) => subtract(parent, few, data.counts),
                _ => of_many = Some(self.count(&many, data)),
            }
        }
        for (leaf, splits, histogram) in [(few, split_few, of_few), (many, split_many, of_many)] {
            match histogram {
                Some(histogram) if splits => self.consider(leaf, depth, histogram, data),
                histogram => {
                    self.spare.extend(histogram);
                    self.leaves.push(leaf);
                }
            }
        }
    }

    /// Puts a leaf among the open ones if a cut gains anything.
    fn consider(&mut self, leaf: Leaf<T>, depth: usize, histogram: Histogram<T>, data: Rows<'_, T>) {
        let Some(split) = split::best(&histogram, data.counts, leaf.all, data.rules) else {
            self.spare.push(histogram);
            self.leaves.push(leaf);
            return;
        };
        let keep = self.held < data.histograms;
        let histogram = if keep {
            self.held += 1;
            Some(histogram)
        } else {
            self.spare.push(histogram);
            None
        };
        // Without a limit on leaves the order changes nothing, and going down first keeps few histograms.
        let age = leaf.node as i64;
        let (gain, rank) = match (data.settings.max_leaves == usize::MAX, data.settings.best_first) {
            (true, _) => (0.0_f64, age),
            (false, true) => (split.gain, -age),
            (false, false) => (0.0, -age),
        };
        self.open.insert((gain.to_bits(), rank), Open { leaf, depth, split, histogram });
    }

    /// The histogram of a leaf, from its rows.
    fn count(&mut self, leaf: &Leaf<T>, data: Rows<'_, T>) -> Histogram<T> {
        let mut histogram = self.spare.pop().unwrap_or_default();
        histogram.resize(data.counts.len(), [T::default(); MAX_BINS]);
        fill(&mut histogram, data.bins, &self.rows[leaf.rows.clone()], data.words);
        histogram
    }
}

/// Additions of one parallel task, about a millisecond.
const CELLS_PER_TASK: usize = 1 << 20;

/// One array of sums per input.
pub(super) type Histogram<T> = Vec<[T; MAX_BINS]>;

/// Adds `rows` of the binned matrix to an empty histogram.
///
/// A row's bins lie beside each other and every input has its own array, so neighbouring additions never wait
/// for one another. Bytes index arrays of 256: no index needs a check.
pub(super) fn fill<T: Tally>(histogram: &mut [[T; MAX_BINS]], bins: &[u8], rows: &[u32], words: &[T]) {
    let inputs = histogram.len();
    histogram.iter_mut().for_each(|h| h.fill(T::default()));
    if rows.len().saturating_mul(inputs) > CELLS_PER_TASK && rayon::current_num_threads() > 1 {
        // Integers add up to the same in any order.
        let (front, back) = rows.split_at(rows.len() / 2);
        let mut other = vec![[T::default(); MAX_BINS]; inputs];
        rayon::join(|| fill(histogram, bins, front, words), || fill(&mut other, bins, back, words));
        for (sum, more) in histogram.iter_mut().flatten().zip(other.iter().flatten()) {
            *sum = sum.plus(*more);
        }
        return;
    }
    for &row in rows {
        let (row, word) = (row as usize, words[row as usize]);
        for (sums, &bin) in histogram.iter_mut().zip(&bins[row * inputs..][..inputs]) {
            let sum = &mut sums[usize::from(bin)];
            *sum = sum.plus(word);
        }
    }
}

/// Takes one child's rows away from the parent's: what is left are the other child's, exactly.
pub(super) fn subtract<T: Tally>(parent: &mut [[T; MAX_BINS]], child: &[[T; MAX_BINS]], counts: &[usize]) {
    for ((parent, child), &bins) in parent.iter_mut().zip(child).zip(counts) {
        for (p, c) in parent[..bins].iter_mut().zip(&child[..bins]) {
            *p = p.minus(*c);
        }
    }
}
