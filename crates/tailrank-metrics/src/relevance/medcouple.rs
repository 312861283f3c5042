//! The medcouple, a robust measure of skewness (Brys, Hubert & Struyf 2004).
//!
//! Written here because no published crate was found that computes it below O(n²). This is the selection in a
//! matrix with sorted rows and columns of Johnson & Mizoguchi (1978): O(n log² n) time, O(n) memory. As in
//! robustbase's `mc`, an even number of pairs gives the lower of the two middle kernels, and up to 100 values
//! the mean over x and −x.

use std::cmp::Ordering;

/// Sample size up to which robustbase averages over the reflected sample.
const REFLECTED_UP_TO: usize = 100;

/// The medcouple of an ascending, finite, non-empty sample.
pub(super) fn medcouple(ascending: &[f64]) -> f64 {
    if ascending.len() > REFLECTED_UP_TO {
        return one_way(ascending);
    }
    let reflected: Vec<f64> = ascending.iter().rev().map(|v| -v).collect();
    0.5 * (one_way(ascending) - one_way(&reflected))
}

/// The values on either side of the median, both descending; values equal to the median stand on both sides.
struct Sides {
    upper: Vec<f64>,
    lower: Vec<f64>,
}

impl Sides {
    fn new(ascending: &[f64]) -> Self {
        let n = ascending.len();
        let median =
            if n % 2 == 1 { ascending[n / 2] } else { 0.5 * (ascending[n / 2 - 1] + ascending[n / 2]) };
        let upper = ascending.iter().rev().take_while(|&&v| v >= median).map(|v| v - median).collect();
        let below = ascending.partition_point(|&v| v <= median);
        let lower = ascending[..below].iter().rev().map(|v| v - median).collect();
        Self { upper, lower }
    }

    /// The kernel h(xᵢ, xⱼ); it never rises along a row or a column.
    fn kernel(&self, i: usize, j: usize) -> f64 {
        let (a, b) = (self.upper[i], self.lower[j]);
        if a == 0.0 && b == 0.0 {
            // Both tied with the median: the sign rule that keeps the matrix sorted.
            return match (i + j + 1).cmp(&self.upper.len()) {
                Ordering::Less => 1.0,
                Ordering::Equal => 0.0,
                Ordering::Greater => -1.0,
            };
        }
        (a + b) / (a - b)
    }
}

fn one_way(ascending: &[f64]) -> f64 {
    let sides = Sides::new(ascending);
    let (rows, columns) = (sides.upper.len(), sides.lower.len());
    // Rank from the largest, counted from 0.
    let rank = rows * columns / 2;
    // Row i still has its columns left[i]..right[i] in play; `before` entries are known to be larger than all
    // of these.
    let mut left = vec![0usize; rows];
    let mut right = vec![columns; rows];
    let mut before = 0usize;
    loop {
        let in_play: usize = left.iter().zip(&right).map(|(l, r)| r - l).sum();
        if in_play <= rows.max(64) {
            let mut rest = Vec::with_capacity(in_play);
            for i in 0..rows {
                rest.extend((left[i]..right[i]).map(|j| sides.kernel(i, j)));
            }
            let (_, &mut found, _) = rest.select_nth_unstable_by(rank - before, |a, b| b.total_cmp(a));
            return found;
        }
        let pivot = weighted_row_median(&sides, &left, &right, in_play);
        // Staircases: columns above the pivot, and columns at or above it. Both shrink as the row index
        // grows.
        let above = staircase(&sides, |h| h > pivot);
        let at_least = staircase(&sides, |h| h >= pivot);
        let (count_above, count_at_least): (usize, usize) = (above.iter().sum(), at_least.iter().sum());
        if rank < count_above {
            right = above;
        } else if rank >= count_at_least {
            left = at_least;
            before = count_at_least;
        } else {
            return pivot;
        }
        for (l, r) in left.iter_mut().zip(&right) {
            *l = (*l).min(*r);
        }
    }
}

/// The median of the rows' middle kernels, each weighted by its row's entries in play.
fn weighted_row_median(sides: &Sides, left: &[usize], right: &[usize], in_play: usize) -> f64 {
    let mut middles: Vec<(f64, usize)> = (0..left.len())
        .filter(|&i| right[i] > left[i])
        .map(|i| (sides.kernel(i, (left[i] + right[i]) / 2), right[i] - left[i]))
        .collect();
    // Weighted quickselect: halve by count, keep the half in which half of the weight is reached.
    let (mut rest, mut before) = (&mut middles[..], 0);
    while rest.len() > 1 {
        let half = rest.len() / 2;
        rest.select_nth_unstable_by(half, |a, b| b.0.total_cmp(&a.0));
        let (upper, lower) = rest.split_at_mut(half);
        let weight: usize = upper.iter().map(|m| m.1).sum();
        if 2 * (before + weight) >= in_play {
            rest = upper;
        } else {
            before += weight;
            rest = lower;
        }
    }
    rest.first().map_or(0.0, |m| m.0)
}

/// Per row the number of leading kernels that satisfy `keep`, which holds on a prefix of each row.
fn staircase(sides: &Sides, keep: impl Fn(f64) -> bool) -> Vec<usize> {
    let mut j = 0;
    let mut counts = vec![0; sides.upper.len()];
    for i in (0..sides.upper.len()).rev() {
        while j < sides.lower.len() && keep(sides.kernel(i, j)) {
            j += 1;
        }
        counts[i] = j;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition: all pairs, sorted.
    fn naive(ascending: &[f64]) -> f64 {
        let sides = Sides::new(ascending);
        let mut all: Vec<f64> = (0..sides.upper.len())
            .flat_map(|i| (0..sides.lower.len()).map(move |j| (i, j)))
            .map(|(i, j)| sides.kernel(i, j))
            .collect();
        all.sort_by(|a, b| b.total_cmp(a));
        all[all.len() / 2]
    }

    /// A small deterministic stream of numbers.
    fn sample(n: usize, levels: Option<u32>, seed: u64) -> Vec<f64> {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut values: Vec<f64> = (0..n)
            .map(|_| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                let u = (state >> 11) as f64 / (1u64 << 53) as f64;
                levels.map_or(u * u * u - 0.3, |l| (u * f64::from(l)).floor())
            })
            .collect();
        values.sort_by(f64::total_cmp);
        values
    }

    #[test]
    fn selection_equals_the_definition_with_and_without_ties() {
        for seed in 1..40 {
            for n in [1, 2, 3, 5, 8, 101, 150, 333] {
                for levels in [None, Some(3), Some(12)] {
                    let x = sample(n, levels, seed + n as u64);
                    assert_eq!(one_way(&x), naive(&x), "n {n}, levels {levels:?}, seed {seed}");
                }
            }
        }
    }

    #[test]
    fn symmetric_is_zero_and_skew_has_its_sign() {
        let symmetric: Vec<f64> = (-75..=75).map(f64::from).collect();
        assert!(medcouple(&symmetric).abs() < 1e-12);
        let right: Vec<f64> = (0..150).map(|i| (f64::from(i) / 30.0).exp()).collect();
        assert!(medcouple(&right) > 0.2);
        let left: Vec<f64> = right.iter().rev().map(|v| -v).collect();
        assert!(medcouple(&left) < -0.2);
    }

    #[test]
    fn small_samples_are_averaged_with_their_reflection() {
        let x = [0.0, 1.0, 2.0, 4.0, 9.0, 11.0];
        let reflected: Vec<f64> = x.iter().rev().map(|v| -v).collect();
        assert_eq!(medcouple(&x), -medcouple(&reflected));
    }
}
