//! Sums over parallel slices, vectorised, with the same bits on every processor.
//!
//! Terms go to eight fixed lanes and lanes are added up every thousand cases. The order of additions is therefore fixed
//! whatever vectors the processor has, and the rounding error stays near that of pairwise summation.

use pulp::Arch;

const LANES: usize = 8;
/// Cases after which the lanes are emptied into the total.
const BLOCK: usize = 128 * LANES;

/// The sums of the K numbers that `term` gives for each case. The slices must be equally long; the shortest counts.
#[inline(always)]
pub(crate) fn lane_sums<const I: usize, const K: usize>(
    inputs: [&[f64]; I],
    term: impl Fn([f64; I]) -> [f64; K],
) -> [f64; K] {
    Arch::new().dispatch(
        #[inline(always)]
        || {
            let n = inputs.iter().map(|s| s.len()).min().unwrap_or(0);
            let mut total = [0.0; K];
            let mut start = 0;
            while start < n {
                let end = n.min(start + BLOCK);
                let block: [&[f64]; I] = inputs.map(|s| &s[start..end]);
                let sums = block_sums(block, &term);
                for k in 0..K {
                    total[k] += sums[k];
                }
                start = end;
            }
            total
        },
    )
}

#[inline(always)]
fn block_sums<const I: usize, const K: usize>(
    block: [&[f64]; I],
    term: &impl Fn([f64; I]) -> [f64; K],
) -> [f64; K] {
    let mut lanes = [[0.0; LANES]; K];
    let (chunks, rest): ([&[[f64; LANES]]; I], [&[f64]; I]) =
        (block.map(|s| s.as_chunks().0), block.map(|s| s.as_chunks::<LANES>().1));
    let count = chunks[0].len();
    for c in 0..count {
        let case: [&[f64; LANES]; I] = std::array::from_fn(|i| &chunks[i][c]);
        for lane in 0..LANES {
            let terms = term(std::array::from_fn(|i| case[i][lane]));
            for k in 0..K {
                lanes[k][lane] += terms[k];
            }
        }
    }
    for lane in 0..rest[0].len() {
        let terms = term(std::array::from_fn(|i| rest[i][lane]));
        for k in 0..K {
            lanes[k][lane] += terms[k];
        }
    }
    lanes.map(|l| ((l[0] + l[4]) + (l[2] + l[6])) + ((l[1] + l[5]) + (l[3] + l[7])))
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
