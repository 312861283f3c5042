//! Cost-complexity: which nodes of a grown tree rpart keeps at a given `cp`, its table of prunings, and the
//! choice of `cp` by cross-validation, as rpart's `xval` does.

use std::collections::BTreeSet;

use super::{
    CartParams,
    grow::{Grower, GrownNode},
};
use crate::Result;

/// rpart ignores improvements below this share of the largest one seen.
const NEGLIGIBLE: f64 = 1e-10;

/// The complexity of every node of `nodes` in rpart's tree at `alpha` (unscaled), or `None` for nodes outside
/// it.
pub(super) fn complexities(nodes: &[GrownNode], params: &CartParams, alpha: f64) -> Vec<Option<f64>> {
    let mut pruning =
        Pruning { nodes, params, alpha, complexity: vec![None; nodes.len()], largest_improve: 0.0 };
    pruning.visit(0, nodes[0].risk);
    pruning.cap(0, f64::INFINITY);
    pruning.complexity
}

struct Pruning<'a> {
    nodes: &'a [GrownNode],
    params: &'a CartParams,
    alpha: f64,
    complexity: Vec<Option<f64>>,
    largest_improve: f64,
}

impl Pruning<'_> {
    /// rpart's recursive partitioning with the splits already known: returns the risk and the number of
    /// splits that the node's subtree contributes, given the complexity `budget` from above.
    fn visit(&mut self, index: usize, budget: f64) -> (f64, usize) {
        let node = &self.nodes[index];
        let within = node.risk.min(budget);
        let stopped =
            node.rows < self.params.minsplit || within <= self.alpha || node.depth >= self.params.maxdepth;
        if stopped || !self.usable(node) {
            self.complexity[index] = Some(self.alpha);
            return (node.risk, 0);
        }
        let (left, right) = (node.left, node.left + 1);
        let alone = [self.nodes[left].risk, self.nodes[right].risk];
        let (left_risk, left_splits) = self.visit(left, within - self.alpha);
        let per_split = (node.risk - left_risk) / (left_splits + 1) as f64;
        let onwards = per_split.max(node.risk - alone[0]).min(budget);
        let (right_risk, right_splits) = self.visit(right, onwards - self.alpha);

        let (mut risks, mut splits) = ([left_risk, right_risk], [left_splits, right_splits]);
        let gain = |risks: [f64; 2], splits: [usize; 2]| {
            (node.risk - risks[0] - risks[1]) / (splits[0] + splits[1] + 1) as f64
        };
        // A child that is worth less per split than the node itself counts as collapsed; the weaker one goes
        // first.
        let complexity = [self.of(left), self.of(right)];
        for child in if complexity[1] > complexity[0] { [0, 1] } else { [1, 0] } {
            if gain(risks, splits) > complexity[child] {
                (risks[child], splits[child]) = (alone[child], 0);
            } else {
                break;
            }
        }
        let own = gain(risks, splits);
        self.complexity[index] = Some(own);
        if own <= self.alpha {
            self.forget(left);
            self.forget(right);
            return (node.risk, 0);
        }
        (risks[0] + risks[1], splits[0] + splits[1] + 1)
    }

    fn usable(&mut self, node: &GrownNode) -> bool {
        let Some(best) = node.splits.first() else { return false };
        self.largest_improve = self.largest_improve.max(best.improve);
        best.improve > NEGLIGIBLE * self.largest_improve
    }

    fn of(&self, index: usize) -> f64 {
        self.complexity[index].unwrap_or(self.alpha)
    }

    fn has_children(&self, index: usize) -> bool {
        let left = self.nodes[index].left;
        left != 0 && self.complexity[left].is_some()
    }

    /// Takes an undone split's descendants out of the tree.
    fn forget(&mut self, index: usize) {
        if self.has_children(index) {
            let left = self.nodes[index].left;
            self.forget(left);
            self.forget(left + 1);
        }
        self.complexity[index] = None;
    }

    /// No node is worth more than its parent.
    fn cap(&mut self, index: usize, parent: f64) {
        let own = self.of(index).min(parent.max(self.alpha));
        self.complexity[index] = Some(own);
        if self.has_children(index) {
            let left = self.nodes[index].left;
            self.cap(left, own);
            self.cap(left + 1, own);
        }
    }
}

/// One row of the table of prunings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CpRow {
    /// From this `cp` up to that of the row above, pruning gives the same tree.
    pub cp: f64,
    /// Splits of that tree.
    pub splits: usize,
    /// Its deviance on the training rows as a share of the root's.
    pub relative_error: f64,
    /// Cross-validated error and its standard error, on the same scale, where asked for.
    pub cross_validated: Option<(f64, f64)>,
}

/// The table of prunings of the tree with these (unscaled) complexities; `cp` stays unscaled.
pub(super) fn cp_table(nodes: &[GrownNode], complexity: &[Option<f64>], alpha: f64) -> Vec<CpRow> {
    // Every split with the complexity below which it opens, and the risk it takes away.
    let mut opens: Vec<(f64, f64)> = Vec::new();
    for (node, own) in nodes.iter().zip(complexity) {
        if let Some(own) = *own
            && own > alpha
        {
            let children = nodes[node.left].risk + nodes[node.left + 1].risk;
            opens.push((own, node.risk - children));
        }
    }
    opens.sort_by(|a, b| b.0.total_cmp(&a.0));
    let root = nodes[0].risk;
    let mut risk = root;
    let mut rows = Vec::new();
    let mut opened = 0;
    loop {
        let cp = opens.get(opened).map_or(alpha, |open| open.0);
        let relative_error = if root > 0.0 { risk / root } else { 1.0 };
        rows.push(CpRow { cp, splits: opened, relative_error, cross_validated: None });
        if opened == opens.len() {
            return rows;
        }
        while let Some(open) = opens.get(opened).filter(|open| open.0 == cp) {
            risk -= open.1;
            opened += 1;
        }
    }
}

/// A tree grown without the rows of one fold.
pub(super) struct FoldTree {
    nodes: Vec<GrownNode>,
    held_out: Vec<u32>,
    /// Share of the cases it was grown on: deviances, and `cp` with them, shrink by it.
    share: f64,
}

impl Grower<'_> {
    /// Grows one tree per fold as far as the smallest `cp` needs; `folds` gives each row's fold.
    pub(super) fn grow_folds(&self, folds: &[usize], params: &CartParams, cp: f64) -> Result<Vec<FoldTree>> {
        let names: BTreeSet<usize> = folds.iter().copied().collect();
        let (train, all) = (self.train, self.train.cases());
        let mut trees = Vec::with_capacity(names.len());
        for fold in names {
            let (held_out, rows): (Vec<u32>, Vec<u32>) =
                (0..folds.len() as u32).partition(|&row| folds[row as usize] == fold);
            // A single fold leaves nothing to learn from.
            if rows.is_empty() {
                continue;
            }
            let cases = match train.weights {
                Some(weights) => rows.iter().map(|&row| weights[row as usize]).sum(),
                None => rows.len() as f64,
            };
            let share = cases / all;
            let nodes = self.grow(&rows, params, cp * self.root_risk * share)?;
            trees.push(FoldTree { nodes, held_out, share });
        }
        Ok(trees)
    }

    /// Fills in the cross-validated columns of `table`, whose `cp` are scaled by the root's deviance.
    pub(super) fn cross_validate(&self, table: &mut [CpRow], trees: &[FoldTree], params: &CartParams) {
        let (train, root_risk) = (self.train, self.root_risk);
        // A row stands for all cp up to that of the row above; rpart tests it at their geometric mean.
        let cuts: Vec<f64> = (0..table.len())
            .map(|i| if i == 0 { 10.0 * table[0].cp } else { (table[i].cp * table[i - 1].cp).sqrt() })
            .map(|cp| cp * root_risk)
            .collect();
        let all = train.cases();
        let mut sums = vec![(0.0, 0.0); table.len()];
        for tree in trees {
            let complexity = complexities(&tree.nodes, params, params.cp * root_risk * tree.share);
            for &row in &tree.held_out {
                let mut at = 0;
                for (cut, (errors, squares)) in cuts.iter().zip(&mut sums) {
                    while let Some(split) = tree.nodes[at].splits.first()
                        && complexity[at].is_some_and(|own| own > cut * tree.share)
                    {
                        let right = !split.goes_left(train.x.at(row as usize, split.input));
                        at = tree.nodes[at].left + usize::from(right);
                    }
                    let error = (train.y[row as usize] - tree.nodes[at].mean).powi(2);
                    *errors += train.weight(row as usize) * error;
                    *squares += train.weight(row as usize) * (error * error);
                }
            }
        }
        for (row, (errors, squares)) in table.iter_mut().zip(sums) {
            let variance: f64 = squares - errors * errors / all;
            row.cross_validated = Some((errors / root_risk, variance.max(0.0).sqrt() / root_risk));
        }
    }
}

/// The `cp` to prune at: that of the fewest splits within so many standard errors of the lowest error (one in
/// Breiman et al. 1984, §3.4.3).
pub(super) fn choose(table: &[CpRow], standard_errors: f64) -> Option<f64> {
    let errors = || table.iter().filter_map(|row| row.cross_validated.map(|(error, sd)| (row.cp, error, sd)));
    let (_, lowest, sd) = errors().reduce(|best, next| if next.1 < best.1 { next } else { best })?;
    let limit = lowest + standard_errors * sd;
    errors().find(|(_, error, _)| *error <= limit).map(|(cp, ..)| cp)
}
