//! Choosing `cp` by cross-validation, as rpart's `xval` does.

use super::{
    CartParams,
    complexity::{self, CpRow},
    grow::{Grower, GrownNode},
};
use crate::Result;

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
        let mut names = folds.to_vec();
        names.sort_unstable();
        names.dedup();
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
            let complexity =
                complexity::complexities(&tree.nodes, params, params.cp * root_risk * tree.share);
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

/// How the cross-validated errors choose a pruning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// Lowest error.
    Min,
    /// Fewest splits within one standard error of the lowest error (Breiman et al. 1984, §3.4.3).
    OneStandardError,
}

/// The `cp` to prune at; the smaller tree wins ties.
pub(super) fn choose(table: &[CpRow], choice: Choice) -> Option<f64> {
    let errors = || table.iter().filter_map(|row| row.cross_validated.map(|(error, sd)| (row.cp, error, sd)));
    let (_, lowest, sd) = errors().reduce(|best, next| if next.1 < best.1 { next } else { best })?;
    let limit = match choice {
        Choice::Min => lowest,
        Choice::OneStandardError => lowest + sd,
    };
    errors().find(|(_, error, _)| *error <= limit).map(|(cp, ..)| cp)
}
