//! Sums of products of all columns in one pass over the rows.
//!
//! Rows are taken in blocks that stay in the first-level cache. Every block's sums begin at zero and run over
//! its rows one after another, each step one fused multiply-add; then they are added to those of the blocks
//! before: one order, whatever the processor.

use crate::{
    TrainSet,
    linalg::{LANES, vectorised},
};

/// Rows of a block: 12 kB for 22 columns.
const BLOCK: usize = 64;
/// A tile of sums: two vectors by six columns fill the registers.
const HEIGHT: usize = 2 * LANES;
const WIDTH: usize = 6;
/// Rows of the sample whose mean is taken off.
const SAMPLE: usize = 1024;

/// Σ wᵢ aᵢ bᵢ over the rows for every pair of columns: the inputs and the target, each minus its shift, and a
/// column of ones.
pub(super) struct Moments {
    /// Subtracted from the inputs and the target, so that little cancels when the means are taken out of the
    /// sums.
    pub(super) shifts: Vec<f64>,
    stride: usize,
    /// `sums[j * stride + i]`, of use for i ≤ j.
    sums: Vec<f64>,
}

impl Moments {
    pub(super) fn new(train: TrainSet<'_>) -> Self {
        let shifts = sample_means(train);
        let columns = shifts.len() + 1;
        let stride = columns.next_multiple_of(HEIGHT);
        let mut moments = Self { shifts, stride, sums: vec![0.0; stride * columns] };
        vectorised!(moments.add(train));
        moments
    }

    /// Σ wᵢ aᵢ bᵢ for the shifted columns `i` ≤ `j`; the last but one is the target, the last one is 1.
    pub(super) fn at(&self, i: usize, j: usize) -> f64 {
        self.sums[j * self.stride + i]
    }

    /// Adds every row, block by block.
    #[inline(always)]
    fn add(&mut self, train: TrainSet<'_>) {
        let Self { shifts, stride, sums } = self;
        let (columns, stride) = (shifts.len() + 1, *stride);
        let mut block = vec![0.0; BLOCK * stride];
        for from in (0..train.y.len()).step_by(BLOCK) {
            let rows = BLOCK.min(train.y.len() - from);
            let block = &mut block[..rows * stride];
            for (i, row) in (from..).zip(block.chunks_exact_mut(stride)) {
                shifted(train, i, shifts, row);
            }
            for first in (0..columns).step_by(HEIGHT) {
                for j in (first..columns).step_by(WIDTH) {
                    let sums = &mut sums[j * stride..];
                    match columns - j {
                        1 => add_tile::<1>(block, stride, first, j, sums),
                        2 => add_tile::<2>(block, stride, first, j, sums),
                        3 => add_tile::<3>(block, stride, first, j, sums),
                        4 => add_tile::<4>(block, stride, first, j, sums),
                        5 => add_tile::<5>(block, stride, first, j, sums),
                        _ => add_tile::<WIDTH>(block, stride, first, j, sums),
                    }
                }
            }
        }
    }
}

/// Means of the inputs and the target over rows spread evenly.
fn sample_means(train: TrainSet<'_>) -> Vec<f64> {
    let rows = train.y.len();
    let count = rows.clamp(1, SAMPLE);
    let mut sums = vec![0.0; train.x.cols() + 1];
    for i in (0..count).map(|k| k * rows / count) {
        let values = train.x.row(i).iter().chain([&train.y[i]]);
        sums.iter_mut().zip(values).for_each(|(sum, v)| *sum += v);
    }
    sums.iter().map(|sum| sum / count as f64).collect()
}

/// Row `i` minus the shifts, then 1, all times the root of its weight.
#[inline(always)]
fn shifted(train: TrainSet<'_>, i: usize, shifts: &[f64], row: &mut [f64]) {
    let (x, inputs) = (train.x.row(i), train.x.cols());
    for ((cell, v), shift) in row.iter_mut().zip(x).zip(shifts) {
        *cell = v - shift;
    }
    row[inputs] = train.y[i] - shifts[inputs];
    row[inputs + 1] = 1.0;
    if let Some(weights) = train.weights {
        let root = weights[i].sqrt();
        row[..inputs + 2].iter_mut().for_each(|v| *v *= root);
    }
}

/// Columns from `first` on by the `N` from `j` on.
#[inline(always)]
fn add_tile<const N: usize>(block: &[f64], stride: usize, first: usize, j: usize, sums: &mut [f64]) {
    let mut tile = [[0.0; HEIGHT]; N];
    for row in block.chunks_exact(stride) {
        let (left, right) = (&row[first..first + HEIGHT], &row[j..j + N]);
        for q in 0..N {
            for i in 0..HEIGHT {
                tile[q][i] = left[i].mul_add(right[q], tile[q][i]);
            }
        }
    }
    for (q, tile) in tile.iter().enumerate() {
        sums[q * stride + first..][..HEIGHT].iter_mut().zip(tile).for_each(|(sum, v)| *sum += v);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Matrix;

    #[test]
    fn every_shape_equals_the_plain_loop_to_the_bit() {
        for (rows, inputs) in [(1, 1), (63, 6), (64, 7), (65, 8), (200, 13), (129, 20), (70, 31)] {
            let value = |i: usize, j: usize| ((i * 31 + j * 17 + i * j * 7) % 97) as f64 / 11.0 - 3.0;
            let x = Matrix::new(
                rows,
                inputs,
                (0..rows * inputs).map(|k| value(k / inputs, k % inputs)).collect(),
            );
            let (x, y) = (x.unwrap(), (0..rows).map(|i| value(i, 99)).collect::<Vec<_>>());
            let weights: Vec<f64> = (0..rows).map(|i| value(i, 7).abs() + 0.1).collect();
            for weights in [None, Some(&weights[..])] {
                let train = TrainSet { x: x.view(), y: &y, weights };
                let moments = Moments::new(train);
                let at = |i: usize, j: usize| {
                    let root = weights.map_or(1.0, |w| w[i].sqrt());
                    let value = match j {
                        _ if j < inputs => x.view().at(i, j) - moments.shifts[j],
                        _ if j == inputs => y[i] - moments.shifts[j],
                        _ => 1.0,
                    };
                    value * root
                };
                for j in 0..inputs + 2 {
                    for k in 0..=j {
                        let mut want = 0.0;
                        for from in (0..rows).step_by(BLOCK) {
                            let block = from..rows.min(from + BLOCK);
                            want += block.fold(0.0, |sum, i| at(i, k).mul_add(at(i, j), sum));
                        }
                        assert_eq!(moments.at(k, j).to_bits(), f64::to_bits(want), "{rows} {inputs} {k} {j}");
                    }
                }
            }
        }
    }
}
