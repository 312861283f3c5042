//! The weighted τ of Vigna (2015, *A weighted correlation index for rankings with ties*): exchanges near the top count more.

use crate::{
    error::{Result, StatsError, check_pair},
    ranking::compare,
};

const TEST: &str = "weighted tau";

/// Weighted τ with additive hyperbolic weights, in O(n log n).
///
/// The largest value is the top: its weight is 1, the next ½, then ⅓ … A pair weighs the sum of its two weights. The answer is
/// the mean of weighting by x's order and by y's. For rank vectors with 1 as best, pass the negated ranks.
///
/// ```
/// let (a, b) = ([4.0, 3.0, 2.0, 1.0], [4.0, 3.0, 1.0, 2.0]);
/// let c = [3.0, 4.0, 2.0, 1.0];
/// // Both differ from a by one exchange; the one at the top weighs more.
/// assert!(tailrank_stats::weighted_tau(&a, &b)? > tailrank_stats::weighted_tau(&a, &c)?);
/// # Ok::<(), tailrank_stats::StatsError>(())
/// ```
pub fn weighted_tau(x: &[f64], y: &[f64]) -> Result<f64> {
    check_pair(x, y, TEST, 2)?;
    for (name, values) in [("x", x), ("y", y)] {
        if values.iter().all(|v| *v == values[0]) {
            let fix = "leave it out, or compare scores that differ";
            return Err(StatsError::Constant { name, test: TEST, fix });
        }
    }
    Ok(0.5 * (weighted_by_first(x, y) + weighted_by_first(y, x)))
}

/// The index with weights from the decreasing order of (x, y).
fn weighted_by_first(x: &[f64], y: &[f64]) -> f64 {
    let n = x.len();
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&i, &j| compare(x[i], x[j]).then(compare(y[i], y[j])));
    // (y, weight) in ascending order of (x, y); the last is the top.
    let mut cases: Vec<(f64, f64)> =
        order.iter().enumerate().map(|(k, &i)| (y[i], 1.0 / (n - k) as f64)).collect();
    let total = pair_weight(&cases);
    let tied_x: f64 = ties(&order, &cases, |i, j| x[i] == x[j]);
    let tied_both: f64 = ties(&order, &cases, |i, j| x[i] == x[j] && y[i] == y[j]);
    let mut scratch = cases.clone();
    let exchanged = sort_weighing_exchanges(&mut cases, &mut scratch);
    let tied_y: f64 = cases.chunk_by(|a, b| a.0 == b.0).map(pair_weight).sum();
    let net = total - tied_x - tied_y + tied_both - 2.0 * exchanged;
    (net / ((total - tied_x).sqrt() * (total - tied_y).sqrt())).clamp(-1.0, 1.0)
}

/// Weight of all pairs within a group: each weight meets all others once.
fn pair_weight(group: &[(f64, f64)]) -> f64 {
    (group.len() as f64 - 1.0) * group.iter().map(|c| c.1).sum::<f64>()
}

fn ties(order: &[usize], cases: &[(f64, f64)], tied: impl Fn(usize, usize) -> bool) -> f64 {
    let mut start = 0;
    let mut weight = 0.0;
    for group in order.chunk_by(|&i, &j| tied(i, j)) {
        weight += pair_weight(&cases[start..start + group.len()]);
        start += group.len();
    }
    weight
}

/// Merge sort by y; returns the weight of the pairs that change places.
fn sort_weighing_exchanges(cases: &mut [(f64, f64)], scratch: &mut [(f64, f64)]) -> f64 {
    let n = cases.len();
    if n < 2 {
        return 0.0;
    }
    let middle = n / 2;
    let mut weight = {
        let (left, right) = cases.split_at_mut(middle);
        let (left_scratch, right_scratch) = scratch.split_at_mut(middle);
        sort_weighing_exchanges(left, left_scratch) + sort_weighing_exchanges(right, right_scratch)
    };
    let (left, right) = cases.split_at(middle);
    let mut left_weight: f64 = left.iter().map(|c| c.1).sum();
    let (mut i, mut j) = (0, 0);
    for slot in scratch.iter_mut() {
        if j == right.len() || (i < left.len() && left[i].0 <= right[j].0) {
            left_weight -= left[i].1;
            *slot = left[i];
            i += 1;
        } else {
            weight += left_weight + right[j].1 * (left.len() - i) as f64;
            *slot = right[j];
            j += 1;
        }
        if i == left.len() {
            left_weight = 0.0; // what rounding left behind
        }
    }
    cases.copy_from_slice(scratch);
    weight
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_never_leads_beyond_one() {
        for n in 2..200 {
            let x: Vec<f64> = (0..n).map(f64::from).collect();
            let down: Vec<f64> = x.iter().map(|v| -v).collect();
            let (same, opposite) = (weighted_tau(&x, &x).unwrap(), weighted_tau(&x, &down).unwrap());
            assert!((1.0 - 1e-12..=1.0).contains(&same), "{n}: {same}");
            assert!((-1.0..=-1.0 + 1e-12).contains(&opposite), "{n}: {opposite}");
        }
    }
}
