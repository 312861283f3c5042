//! Sums over parallel slices, vectorised, with the same bits on every processor.
//!
//! Terms go to eight fixed lanes and lanes are added up every few hundred cases. The order of additions is
//! therefore fixed whatever vectors the processor has, and the rounding error stays near that of pairwise
//! summation.

use pulp::{Arch, Simd, WithSimd};

const LANES: usize = 8;
/// Cases after which the lanes are emptied into the total.
pub(crate) const BLOCK: usize = 64 * LANES;

/// The sums of the K numbers that `term` gives for each case. The slices must be equally long; the shortest
/// counts.
#[inline(always)]
pub(crate) fn lane_sums<const I: usize, const K: usize>(
    inputs: [&[f64]; I],
    term: impl Fn([f64; I]) -> [f64; K],
) -> [f64; K] {
    Arch::new().dispatch(Sums { inputs, term })
}

/// The work as a type of its own: the call of a closure may stay out of line, and then it is compiled without
/// the processor's wide vectors.
struct Sums<'a, const I: usize, F> {
    inputs: [&'a [f64]; I],
    term: F,
}

impl<const I: usize, const K: usize, F: Fn([f64; I]) -> [f64; K]> WithSimd for Sums<'_, I, F> {
    type Output = [f64; K];

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> [f64; K] {
        let n = self.inputs.iter().map(|s| s.len()).min().unwrap_or(0);
        let mut total = [0.0; K];
        let mut start = 0;
        while start < n {
            let end = n.min(start + BLOCK);
            let sums = block_sums(self.inputs.map(|s| &s[start..end]), &self.term);
            for k in 0..K {
                total[k] += sums[k];
            }
            start = end;
        }
        total
    }
}

/// The K numbers of each case written down: `write(k, start, values)` gets those of number k from case
/// `start` on.
#[inline(always)]
pub(crate) fn lane_columns<const I: usize, const K: usize>(
    inputs: [&[f64]; I],
    term: impl Fn([f64; I]) -> [f64; K],
    mut write: impl FnMut(usize, usize, &[f64]),
) {
    let n = inputs.iter().map(|s| s.len()).min().unwrap_or(0);
    let mut start = 0;
    while start < n {
        let end = n.min(start + BLOCK);
        let terms = Arch::new().dispatch(Block { inputs: inputs.map(|s| &s[start..end]), term: &term });
        for (k, values) in terms.iter().enumerate() {
            write(k, start, &values[..end - start]);
        }
        start = end;
    }
}

struct Block<'a, const I: usize, F> {
    inputs: [&'a [f64]; I],
    term: &'a F,
}

impl<const I: usize, const K: usize, F: Fn([f64; I]) -> [f64; K]> WithSimd for Block<'_, I, F> {
    type Output = [[f64; BLOCK]; K];

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Self::Output {
        block_terms(self.inputs, self.term)
    }
}

/// Terms of a few cases are first written down and then added, each in a plain loop of its own: both
/// vectorise, and what is written stays in the nearest cache.
#[inline(always)]
fn block_sums<const I: usize, const K: usize>(
    block: [&[f64]; I],
    term: &impl Fn([f64; I]) -> [f64; K],
) -> [f64; K] {
    const FEW: usize = 8 * LANES;
    let n = block[0].len();
    let block = block.map(|s| &s[..n]);
    let mut lanes = [[0.0; LANES]; K];
    let mut start = 0;
    while start < n {
        let end = n.min(start + FEW);
        // Beyond the last case the terms are zeros, which change no sum.
        let terms = block_terms::<I, K, FEW>(block.map(|s| &s[start..end]), term);
        for k in 0..K {
            for chunk in terms[k].as_chunks::<LANES>().0 {
                for lane in 0..LANES {
                    lanes[k][lane] += chunk[lane];
                }
            }
        }
        start = end;
    }
    lanes.map(|l| ((l[0] + l[4]) + (l[2] + l[6])) + ((l[1] + l[5]) + (l[3] + l[7])))
}

#[inline(always)]
fn block_terms<const I: usize, const K: usize, const N: usize>(
    block: [&[f64]; I],
    term: &impl Fn([f64; I]) -> [f64; K],
) -> [[f64; N]; K] {
    let n = block[0].len().min(N);
    // Told that all slices have this length, the compiler drops the checks inside the loop.
    let block = block.map(|s| &s[..n]);
    let mut terms = [[0.0; N]; K];
    for i in 0..n {
        let values = term(std::array::from_fn(|input| block[input][i]));
        for k in 0..K {
            terms[k][i] = values[k];
        }
    }
    terms
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_counts_once() {
        for n in [0_usize, 1, 7, 8, 9, 1023, 1024, 1025, 5000] {
            let a: Vec<f64> = (0..n).map(|i| i as f64).collect();
            let [sum, squares, ones] = lane_sums([&a, &a], |[x, y]| [x, x * y, 1.0]);
            let n = n as f64;
            assert_eq!(ones, n);
            assert_eq!(sum, n * (n - 1.0) / 2.0);
            assert_eq!(squares, (n - 1.0) * n * (2.0 * n - 1.0) / 6.0);
        }
    }
}
