//! Backward deletion: one path per forward prefix, from which every penalty picks its set.

use super::{
    MarsModel, Term,
    forward::{Forward, Prefix, gcv},
    orthogonal::Orthogonal,
};
use crate::linalg::back_substitute;

/// The sets of columns a deletion passes through, largest first.
pub(super) struct Path<'a> {
    pass: &'a Forward,
    prefix: Prefix,
    steps: Vec<Step>,
}

#[derive(Clone)]
struct Step {
    /// Which columns are in, by slot.
    active: Vec<bool>,
    rss: f64,
    /// Columns besides the constant, as the reference counts them.
    terms: usize,
}

impl<'a> Path<'a> {
    /// Deletes one column after another from the first columns of `pass`. Penalties play no part in it.
    pub(super) fn new(pass: &'a Forward, prefix: Prefix) -> Self {
        let mut deletion = Deletion::new(pass, prefix);
        let mut steps = vec![deletion.now.clone()];
        // Scores for the first deletion come from the columns there were when the last forward step was
        // tried: without the last pair, if that step was accepted. Columns beyond them then score infinity.
        deletion.fit(&active_places(&active_slots(pass, prefix.before_last_try)));
        while deletion.now.terms > 0 {
            deletion.remove_one();
            steps.push(deletion.now.clone());
            if deletion.now.terms > 0 {
                deletion.fit(&active_places(&deletion.now.active));
            }
        }
        Self { pass, prefix, steps }
    }

    /// The model with the smallest GCV under `penalty`, of equals the larger; or, without `prune`, the one
    /// with every column of the forward pass.
    pub(super) fn model(&self, inputs: usize, penalty: f64, prune: bool) -> MarsModel {
        let error = |s: &Step| gcv(s.rss, self.pass.cases, s.terms, penalty);
        let mut best = &self.steps[0];
        for step in self.steps[1..].iter().filter(|_| prune) {
            if error(step) < error(best) {
                best = step;
            }
        }
        let all = active_slots(self.pass, self.prefix.columns);
        let active = if prune { &best.active } else { &all };
        let slots = active_places(active);
        let solution = solve_slots(self.pass, self.prefix.columns, &slots);
        let mut coefficients = vec![0.0; slots.len()];
        for (&place, b) in solution.order.iter().zip(&solution.coefficients) {
            coefficients[place] = *b;
        }
        let terms = slots
            .iter()
            .zip(coefficients)
            .map(|(&slot, coefficient)| Term { coefficient, hinges: self.pass.columns[slot].hinges.clone() })
            .collect();
        MarsModel { inputs, terms, gcv: error(best), rss: solution.rss, forward_columns: self.prefix.columns }
    }
}

fn active_slots(pass: &Forward, columns: usize) -> Vec<bool> {
    pass.columns[..columns].iter().map(|c| c.active.is_some()).collect()
}

/// The slots that are active.
fn active_places(active: &[bool]) -> Vec<usize> {
    (0..active.len()).filter(|&s| active[s]).collect()
}

fn solve_slots(pass: &Forward, prefix: usize, slots: &[usize]) -> Solution {
    let positions: Vec<usize> = slots.iter().filter_map(|&s| pass.columns[s].active).collect();
    let rows = pass.columns[..prefix].iter().filter(|c| c.active.is_some()).count();
    solve(&pass.orthogonal, rows, &positions)
}

/// The deletion in progress.
///
/// Coefficients and variances outlive each fit as in the reference: a fit overwrites only as many entries as
/// its rank, and scores are read by place in the list of active columns. It matters when columns are set
/// aside.
struct Deletion<'a> {
    pass: &'a Forward,
    columns: usize,
    now: Step,
    coefficients: Vec<f64>,
    variances: Vec<f64>,
}

impl<'a> Deletion<'a> {
    /// The fit of all columns.
    fn new(pass: &'a Forward, prefix: Prefix) -> Self {
        let active = active_slots(pass, prefix.columns);
        let count = active.iter().filter(|a| **a).count();
        let mut deletion = Self {
            pass,
            columns: prefix.columns,
            now: Step { active, rss: 0.0, terms: count - 1 },
            coefficients: vec![0.0; count],
            variances: vec![0.0; count],
        };
        let solution = deletion.fit(&active_places(&deletion.now.active));
        deletion.variances.fill(0.0);
        // The reference takes the place of a dependent column among the active ones for the number of its
        // slot, and so may drop another column when unused mirrors lie before it.
        for &place in &solution.order[solution.rank..] {
            deletion.now.active[place] = false;
            deletion.now.terms = deletion.now.terms.saturating_sub(1);
        }
        deletion
    }

    fn fit(&mut self, slots: &[usize]) -> Solution {
        let solution = solve_slots(self.pass, self.columns, slots);
        self.coefficients[..solution.rank].copy_from_slice(&solution.coefficients);
        self.variances[..solution.rank].copy_from_slice(&solution.variances);
        self.now.rss = solution.rss;
        solution
    }

    /// Deletes the column whose removal raises the residual least. If no score is finite (a single pair,
    /// accepted last) the reference deletes nothing and yet counts one term less, so later sets carry too
    /// small a penalty.
    fn remove_one(&mut self) {
        let mut smallest = (f64::INFINITY, None);
        for (place, slot) in active_places(&self.now.active).into_iter().enumerate().skip(1) {
            let score = self.coefficients[place].powi(2) / self.variances[place];
            if score < smallest.0 {
                smallest = (score, Some(slot));
            }
        }
        if let Some(slot) = smallest.1 {
            self.now.active[slot] = false;
        }
        self.now.rss += smallest.0;
        self.now.terms -= 1;
    }
}

// Least squares on some of the basis columns, with the reference's rule for columns that are nearly
// dependent.

/// A column is set aside when less than this share of it lies outside the columns before it.
const DEPENDENT: f64 = 0.01;
/// Below this squared factor a running norm has lost its digits and is computed anew.
const NORM_LOST: f64 = 1e-6;

/// A least-squares fit. Columns count by their place in the list that was fitted.
pub(super) struct Solution {
    /// Columns in the order they were eliminated; those after `rank` were set aside.
    pub(super) order: Vec<usize>,
    pub(super) rank: usize,
    /// One coefficient for each of the first `rank` columns in `order`.
    pub(super) coefficients: Vec<f64>,
    /// Diagonal of (R'R)⁻¹, in the same order.
    pub(super) variances: Vec<f64>,
    pub(super) rss: f64,
}

/// Fits the target on `columns`, positions among the first `rows` active columns of the pass.
///
/// Householder elimination with limited pivoting: a column whose norm has shrunk below 1 % is moved to the
/// end and not tried again. It runs on the triangular factor of the first `rows` columns instead of on the
/// data.
pub(super) fn solve(orthogonal: &Orthogonal, rows: usize, columns: &[usize]) -> Solution {
    let count = columns.len();
    let mut a: Vec<Vec<f64>> = columns
        .iter()
        .map(|&j| {
            let mut column = vec![0.0; rows];
            column[..=j].copy_from_slice(&orthogonal.factor[j]);
            column
        })
        .collect();
    let mut target = orthogonal.target[..rows].to_vec();
    let mut order: Vec<usize> = (0..count).collect();
    let mut norms: Vec<f64> = a.iter().map(|c| norm(c)).collect();
    let mut original: Vec<f64> = norms.iter().map(|n| if *n == 0.0 { 1.0 } else { *n }).collect();

    let mut rank = count.min(rows);
    let mut end = count;
    let mut l = 0;
    while l < end.min(rows) {
        while l < end && norms[l] < original[l] * DEPENDENT {
            a[l..].rotate_left(1);
            order[l..].rotate_left(1);
            norms[l..].rotate_left(1);
            original[l..].rotate_left(1);
            end -= 1;
        }
        rank = end.min(rows);
        if l >= end {
            break;
        }
        eliminate(&mut a, &mut target, &mut norms, l);
        l += 1;
    }

    let coefficients = back_substitute(&a, &target[..rank]);
    let variances = inverse_diagonal(&a, rank);
    let rss = target[rank..].iter().map(|v| v * v).sum::<f64>() + orthogonal.remainder[rows - 1];
    Solution { order, rank, coefficients, variances, rss }
}

fn norm(v: &[f64]) -> f64 {
    v.iter().map(|v| v * v).sum::<f64>().sqrt()
}

/// Reflects column `l` onto its diagonal and updates the columns and norms after it.
fn eliminate(a: &mut [Vec<f64>], target: &mut [f64], norms: &mut [f64], l: usize) {
    let (done, later) = a.split_at_mut(l + 1);
    let column = &mut done[l];
    let length = norm(&column[l..]);
    if length == 0.0 {
        return;
    }
    let diagonal = if column[l] < 0.0 { length } else { -length };
    let mut reflector = column[l..].to_vec();
    reflector[0] -= diagonal;
    let size: f64 = reflector.iter().map(|v| v * v).sum();
    column[l] = diagonal;
    column[l + 1..].fill(0.0);
    let reflect = |v: &mut [f64]| {
        let along = reflector.iter().zip(&*v).map(|(r, v)| r * v).sum::<f64>() * 2.0 / size;
        v.iter_mut().zip(&reflector).for_each(|(v, r)| *v -= along * r);
    };
    for (other, norm_left) in later.iter_mut().zip(&mut norms[l + 1..]) {
        reflect(&mut other[l..]);
        if *norm_left == 0.0 {
            continue;
        }
        let factor = (1.0 - (other[l] / *norm_left).powi(2)).max(0.0);
        *norm_left = if factor < NORM_LOST { norm(&other[l + 1..]) } else { *norm_left * factor.sqrt() };
    }
    reflect(&mut target[l..]);
}

/// Squared row norms of R⁻¹.
fn inverse_diagonal(r: &[Vec<f64>], rank: usize) -> Vec<f64> {
    let mut sums = vec![0.0; rank];
    for j in 0..rank {
        // Column j of the inverse: R u = e_j.
        let mut unit = vec![0.0; j + 1];
        unit[j] = 1.0;
        let column = back_substitute(r, &unit);
        sums.iter_mut().zip(column).for_each(|(sum, v)| *sum += v * v);
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::{super::orthogonal::Cases, *};

    /// The last column is the second and a share of something new. Below 1 % of itself it is set aside, above
    /// it is fitted: y = 2 + 3·a + 5·b exactly, and `c` = a + t·b takes b's place.
    #[test]
    fn a_column_that_is_almost_another_is_set_aside() {
        let a = [1.0, 1.0, -1.0, -1.0];
        let b = [1.0, -1.0, 1.0, -1.0];
        let y: Vec<f64> = a.iter().zip(&b).map(|(a, b)| 2.0 + 3.0 * a + 5.0 * b).collect();
        let cases = Cases::new(4, None);
        for (share, rank) in [(0.009, 2), (0.0005, 2), (0.011, 3), (1.0, 3)] {
            let c: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a + share * b).collect();
            let mut orthogonal = Orthogonal::constant(&y, cases);
            orthogonal.append(&a, cases);
            orthogonal.append(&c, cases);
            let fit = solve(&orthogonal, 3, &[0, 1, 2]);
            assert_eq!((fit.rank, &fit.order[..]), (rank, &[0, 1, 2][..]), "{share}");
            // Without c the residual is 5·b, with it nothing; 5·b = 5/t·(c − a).
            let (slopes, rss) = if rank == 2 {
                (vec![2.0, 3.0], 100.0)
            } else {
                (vec![2.0, 3.0 - 5.0 / share, 5.0 / share], 0.0)
            };
            for (got, expected) in fit.coefficients.iter().zip(&slopes) {
                assert!((got - expected).abs() < 1e-10, "{share}: {:?}", fit.coefficients);
            }
            assert!((fit.rss - rss).abs() < 1e-10 && fit.coefficients.len() == rank, "{share}: {}", fit.rss);
        }
    }
}
