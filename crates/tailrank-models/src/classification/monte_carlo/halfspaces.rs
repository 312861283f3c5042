//! Many candidates against many rows at once.
//!
//! A row x is nearer to b than to a where x·(b − a) > (|b|² − |a|²)/2: every candidate is a half-space, and
//! classifying all rows by all candidates is a matrix product of which only the signs are counted. Rows are
//! kept class by class in tiles, so a confusion matrix is two counts. Sums run over the inputs in order in
//! every lane, so the answer has the same bits on any machine.

use tailrank_metrics::classification::BinaryCounts;

use super::Candidate;
use crate::{MatrixView, classification::ClassSet};

/// Rows and candidates per step: their products fill eight registers of four lanes.
const ROWS: usize = 8;
const CANDIDATES: usize = 4;

/// Squared distances closer than this share of the squared prototypes are equal: rounding must not decide a
/// tie.
const EQUAL: f64 = 1e-12;

/// Normal and offset of the half-space in which the positive prototype is nearer.
fn offset(candidate: Candidate<'_>) -> f64 {
    let (a, b) = (square(candidate.negative), square(candidate.positive));
    (b - a) / 2.0 + EQUAL * (1.0 + a + b)
}

fn square(v: &[f64]) -> f64 {
    v.iter().map(|v| v * v).sum()
}

/// Whether `row` is nearer to the positive prototype.
pub(super) fn nearer_to_positive(candidate: Candidate<'_>, row: &[f64]) -> bool {
    let normal = candidate.positive.iter().zip(candidate.negative).map(|(b, a)| b - a);
    row.iter().zip(normal).fold(0.0, |sum, (x, w)| sum + x * w) > offset(candidate)
}

/// The half-spaces of many candidates, interleaved in groups of [`CANDIDATES`].
#[derive(Clone, Debug)]
pub(super) struct Halfspaces {
    candidates: usize,
    inputs: usize,
    normals: Vec<f64>,
    /// Infinite where the last group is filled up.
    offsets: Vec<f64>,
}

impl Halfspaces {
    /// From prototypes, candidate after candidate: the negative, then the positive one.
    pub(super) fn new(prototypes: &[f64], inputs: usize) -> Self {
        let candidates = prototypes.len() / (2 * inputs);
        let filled = candidates.next_multiple_of(CANDIDATES);
        let (mut normals, mut offsets) = (vec![0.0; filled * inputs], vec![f64::INFINITY; filled]);
        for (i, pair) in prototypes.chunks_exact(2 * inputs).enumerate() {
            let (negative, positive) = pair.split_at(inputs);
            offsets[i] = offset(Candidate { negative, positive });
            let start = i / CANDIDATES * CANDIDATES * inputs + i % CANDIDATES;
            for (j, (b, a)) in positive.iter().zip(negative).enumerate() {
                normals[start + j * CANDIDATES] = b - a;
            }
        }
        Self { candidates, inputs, normals, offsets }
    }

    /// The confusion matrix of every candidate.
    pub(super) fn count(&self, rows: &RowTiles) -> Vec<BinaryCounts> {
        let [negative, positive] = [&rows.negative, &rows.positive];
        let (fp, tp) = (self.called_positive(negative), self.called_positive(positive));
        let counts = |(&fp, &tp): (&u64, &u64)| BinaryCounts {
            tp,
            fp,
            tn: negative.rows as u64 - fp,
            fn_: positive.rows as u64 - tp,
        };
        fp.iter().zip(&tp).take(self.candidates).map(counts).collect()
    }

    /// How many of the rows each candidate calls positive.
    fn called_positive(&self, rows: &Tiles) -> Vec<u64> {
        let mut called = vec![0; self.offsets.len()];
        pulp::Arch::new().dispatch(|| count_tiles(self, rows, &mut called));
        // The rows of zeros that fill up the last tile were counted too.
        let filling = (rows.values.len() / self.inputs.max(1) - rows.rows) as u64;
        for (called, offset) in called.iter_mut().zip(&self.offsets) {
            *called -= filling * u64::from(0.0 > *offset);
        }
        called
    }
}

#[inline(always)]
fn count_tiles(halfspaces: &Halfspaces, rows: &Tiles, called: &mut [u64]) {
    let width = halfspaces.inputs;
    let groups = halfspaces.normals.chunks_exact(CANDIDATES * width);
    let offsets = halfspaces.offsets.chunks_exact(CANDIDATES);
    for ((normals, offsets), called) in groups.zip(offsets).zip(called.chunks_exact_mut(CANDIDATES)) {
        for tile in rows.values.chunks_exact(ROWS * width) {
            let mut sums = [[0.0; ROWS]; CANDIDATES];
            for (x, w) in tile.chunks_exact(ROWS).zip(normals.chunks_exact(CANDIDATES)) {
                for c in 0..CANDIDATES {
                    for r in 0..ROWS {
                        sums[c][r] += x[r] * w[c];
                    }
                }
            }
            for c in 0..CANDIDATES {
                let mut positive = 0;
                for r in 0..ROWS {
                    positive += u64::from(sums[c][r] > offsets[c]);
                }
                called[c] += positive;
            }
        }
    }
}

/// Rows of both classes, in tiles.
pub(super) struct RowTiles {
    negative: Tiles,
    positive: Tiles,
}

/// Rows in tiles of [`ROWS`], inside a tile input after input; the last is filled up with zeros.
struct Tiles {
    rows: usize,
    values: Vec<f64>,
}

impl RowTiles {
    pub(super) fn new(set: ClassSet<'_>) -> Self {
        let [negative, positive] = set.rows_by_class().map(|rows| Tiles::new(set.x, &rows));
        Self { negative, positive }
    }
}

impl Tiles {
    fn new(x: MatrixView<'_>, rows: &[usize]) -> Self {
        let mut values = vec![0.0; rows.len().next_multiple_of(ROWS) * x.cols()];
        for (i, &row) in rows.iter().enumerate() {
            let start = i / ROWS * ROWS * x.cols() + i % ROWS;
            for (j, v) in x.row(row).iter().enumerate() {
                values[start + j * ROWS] = *v;
            }
        }
        Self { rows: rows.len(), values }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Matrix;

    /// Both Euclidean distances, as the paper words it.
    fn by_distance(candidate: Candidate<'_>, row: &[f64]) -> bool {
        let far = |p: &[f64]| p.iter().zip(row).map(|(p, x)| (x - p) * (x - p)).sum::<f64>().sqrt();
        far(candidate.negative) - far(candidate.positive) > 1e-12
    }

    #[test]
    fn counts_are_those_of_distances_in_every_shape() {
        // Twelfths make many exact ties, and sizes around the tiles leave every kind of filling.
        let mut state = 1_u64;
        let mut draw = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as f64 % 13.0 / 12.0
        };
        for (rows, inputs, candidates) in [(1, 1, 1), (7, 2, 3), (16, 3, 4), (41, 9, 9), (64, 19, 13)] {
            let x = Matrix::new(rows, inputs, (0..rows * inputs).map(|_| draw()).collect()).unwrap();
            let positive: Vec<bool> = (0..rows).map(|_| draw() < 0.4).collect();
            let prototypes: Vec<f64> = (0..candidates * 2 * inputs).map(|_| draw()).collect();
            let set = ClassSet { x: x.view(), positive: &positive };
            let counts = Halfspaces::new(&prototypes, inputs).count(&RowTiles::new(set));
            assert_eq!(counts.len(), candidates);
            for (pair, counts) in prototypes.chunks(2 * inputs).zip(counts) {
                let (negative, positive_prototype) = pair.split_at(inputs);
                let candidate = Candidate { negative, positive: positive_prototype };
                let near: Vec<bool> = x.view().iter_rows().map(|r| by_distance(candidate, r)).collect();
                assert_eq!(counts, BinaryCounts::new(&positive, &near).unwrap());
                let said: Vec<bool> =
                    x.view().iter_rows().map(|r| nearer_to_positive(candidate, r)).collect();
                assert_eq!(said, near);
            }
        }
    }
}
