//! Sums of a node's rows by input and bin.

use super::{
    bins::MOST,
    tally::{Sum, Tally},
};

/// Additions of one parallel task, about a millisecond.
const CELLS_PER_TASK: usize = 1 << 20;

/// One array of sums per input.
pub(super) type Histogram<T> = Vec<[T; MOST]>;

/// Adds `rows` of the binned matrix to an empty histogram; `word` gives what a row adds.
///
/// A row's bins lie beside each other and every input has its own array, so neighbouring additions never wait
/// for one another. Bytes index arrays of 256: no index needs a check.
pub(super) fn fill<T: Sum>(
    histogram: &mut [[T; MOST]],
    bins: &[u8],
    rows: &[u32],
    word: &(impl Fn(usize) -> T + Sync),
) {
    let inputs = histogram.len();
    histogram.iter_mut().for_each(|h| h.fill(T::default()));
    if rows.len().saturating_mul(inputs) > CELLS_PER_TASK && rayon::current_num_threads() > 1 {
        // Integers add up to the same in any order.
        let (front, back) = rows.split_at(rows.len() / 2);
        let mut other = vec![[T::default(); MOST]; inputs];
        rayon::join(|| fill(histogram, bins, front, word), || fill(&mut other, bins, back, word));
        for (sum, more) in histogram.iter_mut().flatten().zip(other.iter().flatten()) {
            *sum = sum.plus(*more);
        }
        return;
    }
    for &row in rows {
        let (row, word) = (row as usize, word(row as usize));
        for (sums, &bin) in histogram.iter_mut().zip(&bins[row * inputs..][..inputs]) {
            let sum = &mut sums[usize::from(bin)];
            *sum = sum.plus(word);
        }
    }
}

/// What is the same at the roots of all trees that grow on the same rows and inputs: their masses.
#[derive(Default)]
pub(super) struct Root<T: Tally> {
    masses: Vec<[T; MOST]>,
    gradients: Vec<[T::Gradient; MOST]>,
}

impl<T: Tally> Root<T> {
    /// The masses hold no longer.
    pub(super) fn forget(&mut self) {
        self.masses.clear();
    }

    /// Adds all rows to an empty histogram. From the second tree on only the gradients are summed: where they
    /// have a word of their own, half the memory.
    pub(super) fn fill(&mut self, histogram: &mut [[T; MOST]], bins: &[u8], rows: &[u32], words: &[T]) {
        if T::SHARES_A_WORD || self.masses.len() != histogram.len() {
            fill(histogram, bins, rows, &|row| words[row]);
            if !T::SHARES_A_WORD {
                self.masses.clear();
                self.masses.extend(histogram.iter().map(|sums| sums.map(T::without_gradient)));
            }
            return;
        }
        self.gradients.resize(histogram.len(), [T::Gradient::default(); MOST]);
        fill(&mut self.gradients, bins, rows, &|row| words[row].gradient());
        // Input by input: flattened, the loop is not one of vectors.
        for ((cells, gradients), masses) in histogram.iter_mut().zip(&self.gradients).zip(&self.masses) {
            for ((cell, gradient), mass) in cells.iter_mut().zip(gradients).zip(masses) {
                *cell = mass.with_gradient(*gradient);
            }
        }
    }
}

/// Takes one child's rows away from the parent's: what is left are the other child's, exactly.
pub(super) fn take_away<T: Tally>(parent: &mut [[T; MOST]], child: &[[T; MOST]], counts: &[usize]) {
    for ((parent, child), &bins) in parent.iter_mut().zip(child).zip(counts) {
        for (p, c) in parent[..bins].iter_mut().zip(&child[..bins]) {
            *p = p.minus(*c);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boost::{mass::Mass, tally::Pair};

    #[test]
    fn a_root_with_known_masses_has_the_sums_of_all_rows() {
        let (rows, inputs) = (700, 3);
        let bins: Vec<u8> = (0..rows * inputs).map(|k| (k * k * 7 % 253) as u8).collect();
        let weights: Vec<f64> = (0..rows).map(|i| 0.3 + (i % 17) as f64).collect();
        let (mass, all) = (Mass::new(Some(&weights), rows).unwrap(), (0..rows as u32).collect::<Vec<_>>());
        let mut root = Root::<Pair>::default();
        let mut words = Vec::new();
        for tree in 1..4 {
            let gradients: Vec<f64> = (0..rows).map(|i| ((i * tree) % 31) as f64 / 8.0 - 1.7).collect();
            Pair::encode(&gradients, 2.3, &mass, &mut words);
            let (mut got, mut want) =
                (vec![[Pair::default(); MOST]; inputs], vec![[Pair::default(); MOST]; inputs]);
            root.fill(&mut got, &bins, &all, &words);
            fill(&mut want, &bins, &all, &|row| words[row]);
            assert_eq!(got, want, "tree {tree}");
            assert_ne!(got[0][usize::from(bins[0])], Pair::default());
        }
        // Other rows have other masses.
        root.forget();
        let (mut got, mut want) =
            (vec![[Pair::default(); MOST]; inputs], vec![[Pair::default(); MOST]; inputs]);
        root.fill(&mut got, &bins, &all[..500], &words);
        fill(&mut want, &bins, &all[..500], &|row| words[row]);
        assert_eq!(got, want);
    }
}
