//! Many candidates against many rows at once.
//!
//! A row x is nearer to b than to a where x·(b − a) > (|b|² − |a|²)/2: every candidate is a half-space, and
//! classifying all rows by all candidates is a matrix product of which only the signs are counted. Sums run
//! over the inputs in order for every row, so the answer has the same bits on any machine.

use tailrank_metrics::classification::BinaryCounts;

use super::Candidate;
use crate::classification::ClassSet;

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

/// The confusion matrix of every candidate, given by its negative and its positive prototype one after the
/// other.
pub(super) fn count(prototypes: &[f64], set: ClassSet<'_>) -> Vec<BinaryCounts> {
    let (inputs, rows) = (set.x.cols(), set.x.rows());
    let columns = set.x.to_column_major();
    let mut sums = vec![0.0; rows];
    let mut of_candidate = |pair: &[f64]| {
        let (negative, positive) = pair.split_at(inputs);
        let offset = offset(Candidate { negative, positive });
        sums.fill(0.0);
        for ((column, b), a) in columns.chunks_exact(rows.max(1)).zip(positive).zip(negative) {
            let normal = b - a;
            sums.iter_mut().zip(column).for_each(|(sum, x)| *sum += x * normal);
        }
        // By class and call.
        let mut counts = [[0; 2]; 2];
        for (sum, &positive) in sums.iter().zip(set.positive) {
            counts[usize::from(positive)][usize::from(*sum > offset)] += 1;
        }
        let [[tn, fp], [fn_, tp]] = counts;
        BinaryCounts { tp, fp, tn, fn_ }
    };
    prototypes.chunks_exact(2 * inputs).map(&mut of_candidate).collect()
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
            let counts = count(&prototypes, set);
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
