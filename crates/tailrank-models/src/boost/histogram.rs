//! Sums of a node's rows by input and bin.

use super::{bins::MAX_BINS, tally::Tally};

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
