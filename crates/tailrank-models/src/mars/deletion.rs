//! Backward deletion: one path per forward prefix, from which every penalty picks its set.

use super::{
    MarsModel, Term,
    forward::{Forward, Prefix, gcv},
    least_squares::{Solution, solve},
};

/// The sets of columns a deletion passes through, largest first.
pub(super) struct Path<'a> {
    pass: &'a Forward,
    prefix: Prefix,
    steps: Vec<Step>,
}

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
        let mut steps = vec![deletion.step()];
        deletion.prepare_first(prefix.before_last_try);
        while deletion.terms > 0 {
            deletion.remove_one();
            steps.push(deletion.step());
            if deletion.terms > 0 {
                deletion.refit();
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
        let slots: Vec<usize> = (0..active.len()).filter(|&s| active[s]).collect();
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
    active: Vec<bool>,
    terms: usize,
    rss: f64,
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
            active,
            terms: count - 1,
            rss: 0.0,
            coefficients: vec![0.0; count],
            variances: vec![0.0; count],
        };
        let solution = deletion.fit(&deletion.slots());
        deletion.variances.fill(0.0);
        // The reference takes the place of a dependent column among the active ones for the number of its
        // slot, and so may drop another column when unused mirrors lie before it.
        for &place in &solution.order[solution.rank..] {
            deletion.active[place] = false;
            deletion.terms = deletion.terms.saturating_sub(1);
        }
        deletion
    }

    fn slots(&self) -> Vec<usize> {
        (0..self.active.len()).filter(|&s| self.active[s]).collect()
    }

    fn fit(&mut self, slots: &[usize]) -> Solution {
        let solution = solve_slots(self.pass, self.columns, slots);
        self.coefficients[..solution.rank].copy_from_slice(&solution.coefficients);
        self.variances[..solution.rank].copy_from_slice(&solution.variances);
        self.rss = solution.rss;
        solution
    }

    fn refit(&mut self) {
        let slots = self.slots();
        self.fit(&slots);
    }

    /// Scores for the first deletion come from the columns there were when the last forward step was tried:
    /// without the last pair, if that step was accepted. Columns beyond them then score infinity.
    fn prepare_first(&mut self, columns: usize) {
        let stale: Vec<usize> = (0..columns).filter(|&s| self.pass.columns[s].active.is_some()).collect();
        self.fit(&stale);
    }

    fn step(&self) -> Step {
        Step { active: self.active.clone(), rss: self.rss, terms: self.terms }
    }

    /// Deletes the column whose removal raises the residual least. If no score is finite (a single pair,
    /// accepted last) the reference deletes nothing and yet counts one term less, so later sets carry too
    /// small a penalty.
    fn remove_one(&mut self) {
        let mut smallest = (f64::INFINITY, None);
        for (place, slot) in self.slots().into_iter().enumerate().skip(1) {
            let score = self.coefficients[place].powi(2) / self.variances[place];
            if score < smallest.0 {
                smallest = (score, Some(slot));
            }
        }
        if let Some(slot) = smallest.1 {
            self.active[slot] = false;
        }
        self.rss += smallest.0;
        self.terms -= 1;
    }
}
