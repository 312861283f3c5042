//! What the study found: fold by fold, and what follows from it.

use std::cmp::Ordering;

use tailrank_stats::{Alternative, StatsError, TestResult, corrected_resampled_t, paired_t};

use super::{fold::Fold, settings::Set};
use crate::studies::prelude::*;

/// What is compared, as places in [`Fold::accuracy`]: Monte Carlo Sampling by the three measures, the
/// decision tree, and the candidate that the test rows themselves would choose, better than which no choice
/// among the candidates is.
pub(super) const ACCURACY: usize = 0;
pub(super) const F: usize = 1;
pub(super) const OARP: usize = 2;
pub(super) const TREE: usize = 3;
pub(super) const BEST_POSSIBLE: usize = 4;
/// The measures' short names.
pub(super) const NAMES: [&str; 3] = ["Acc", "F", "OARP"];
/// The measures that OARP is compared with.
pub(super) const OTHERS: [usize; 2] = [ACCURACY, F];

/// Everything the study found.
pub(super) struct OarpResults {
    /// Pairs of prototypes per fold.
    pub(super) candidates: usize,
    /// The main reading, then the others.
    pub(super) readings: Vec<ReadingResults>,
}

/// What one reading of the paper gave.
#[derive(Debug)]
pub(super) struct ReadingResults {
    pub(super) name: String,
    pub(super) sets: Vec<SetResults>,
}

/// What one data set gave.
#[derive(Debug)]
pub(super) struct SetResults {
    pub(super) set: Set,
    /// Its cases.
    pub(super) rows: usize,
    /// Folds of one run.
    pub(super) fold_count: usize,
    /// Fold by fold, run after run.
    pub(super) folds: Vec<Fold>,
}

/// Verdicts of t-tests counted: statistically significant wins, none, significant losses.
pub(super) type Tally = [usize; 3];
/// The paper's letters for them.
pub(super) const LETTERS: [&str; 3] = ["SSW", "sns", "SSL"];

/// A t-test's place in a tally: by the sign of t, where p is below 5 %; differences without any spread around
/// zero are no evidence.
pub(super) fn verdict(test: Option<&TestResult>) -> usize {
    match test {
        Some(test) if test.p_value < LEVEL && test.statistic > 0.0 => 0,
        Some(test) if test.p_value < LEVEL => 2,
        _ => 1,
    }
}

pub(super) fn tally<'a>(tests: impl Iterator<Item = Option<&'a TestResult>>) -> Tally {
    let mut tally = [0; 3];
    tests.for_each(|test| tally[verdict(test)] += 1);
    tally
}

/// OARP against another measure on one set.
pub(super) struct Comparison {
    /// Mean difference over runs.
    pub(super) difference: f64,
    /// Runs in which OARP is better, as good, worse.
    pub(super) runs: [usize; 3],
    /// Paired t over the runs, as the paper does it; none if all differences are equal.
    pub(super) paired: Option<TestResult>,
    /// Nadeau and Bengio's t over all folds.
    pub(super) corrected: Option<TestResult>,
    /// Share of folds in which both chose the same candidate.
    pub(super) same_choice: f64,
}

impl SetResults {
    /// Test accuracy of a model, fold by fold.
    pub(super) fn accuracies(&self, model: usize) -> Vec<f64> {
        self.folds.iter().map(|fold| fold.accuracy[model]).collect()
    }

    /// Mean test accuracy of a model, run by run: the paper's "trial records".
    pub(super) fn by_run(&self, model: usize) -> Vec<f64> {
        self.accuracies(model).chunks(self.fold_count).map(mean).collect()
    }

    /// Compares OARP with another measure.
    pub(super) fn against(&self, other: usize) -> Result<Comparison> {
        let (x, y) = (self.by_run(OARP), self.by_run(other));
        let orders: Vec<Ordering> = x.iter().zip(&y).map(|(x, y)| ordered(*x, *y)).collect();
        let same = self.folds.iter().filter(|f| f.chosen[OARP] == f.chosen[other]).count();
        Ok(Comparison {
            difference: mean(&x) - mean(&y),
            runs: [Ordering::Greater, Ordering::Equal, Ordering::Less]
                .map(|order| orders.iter().filter(|o| **o == order).count()),
            paired: with_spread(paired_t(&x, &y, Alternative::TwoSided))?,
            corrected: corrected(&self.accuracies(OARP), &self.accuracies(other), self.fold_count)?,
            same_choice: same as f64 / self.folds.len() as f64,
        })
    }

    /// Mean of a count over the folds, per measure.
    pub(super) fn mean_count(&self, count: fn(&Fold) -> [usize; 3]) -> [f64; 3] {
        [0, 1, 2].map(|k| mean(&self.folds.iter().map(|f| count(f)[k] as f64).collect::<Vec<_>>()))
    }
}

impl ReadingResults {
    /// Mean over the sets of what each gives in a row of numbers.
    fn average_of(&self, of: impl Fn(&SetResults) -> Vec<f64>) -> Vec<f64> {
        let sets: Vec<Vec<f64>> = self.sets.iter().map(of).collect();
        let shortest = sets.iter().map(Vec::len).min().unwrap_or(0);
        (0..shortest).map(|i| mean(&sets.iter().map(|s| s[i]).collect::<Vec<_>>())).collect()
    }

    /// A model's mean over the sets, run by run.
    pub(super) fn average_by_run(&self, model: usize) -> Vec<f64> {
        self.average_of(|set| set.by_run(model))
    }

    /// A model's mean over sets and runs.
    pub(super) fn average(&self, model: usize) -> f64 {
        mean(&self.average_by_run(model))
    }

    /// OARP's gain over another measure, averaged over the sets fold by fold, and its p by the corrected
    /// resampled t.
    pub(super) fn average_gain(&self, other: usize) -> Result<(f64, Option<f64>)> {
        let [x, y] = [OARP, other].map(|model| self.average_of(|set| set.accuracies(model)));
        let test = corrected(&x, &y, self.sets.first().map_or(2, |s| s.fold_count))?;
        Ok((mean(&x) - mean(&y), test.map(|t| t.p_value)))
    }

    /// OARP against another measure, set by set.
    pub(super) fn against(&self, other: usize) -> Result<Vec<Comparison>> {
        self.sets.iter().map(|s| s.against(other)).collect()
    }

    /// OARP's verdicts over the sets, by the paired and by the corrected t.
    pub(super) fn tallies(&self, other: usize) -> Result<[Tally; 2]> {
        let found = self.against(other)?;
        let tests: [fn(&Comparison) -> Option<&TestResult>; 2] =
            [|c| c.paired.as_ref(), |c| c.corrected.as_ref()];
        Ok(tests.map(|test| tally(found.iter().map(test))))
    }

    /// OARP's verdicts run by run, by the paired t over the folds of the run: every run of the study is one
    /// experiment the authors may have made, if Table 4's "ten trial records" are the ten folds of one.
    pub(super) fn tallies_by_run(&self, other: usize) -> Result<Vec<Tally>> {
        let mut found = vec![[0; 3]; self.sets.first().map_or(0, |s| s.folds.len() / s.fold_count)];
        for set in &self.sets {
            let (x, y) = (set.accuracies(OARP), set.accuracies(other));
            let runs = x.chunks(set.fold_count).zip(y.chunks(set.fold_count));
            for (tally, (x, y)) in found.iter_mut().zip(runs) {
                tally[verdict(with_spread(paired_t(x, y, Alternative::TwoSided))?.as_ref())] += 1;
            }
        }
        Ok(found)
    }
}

/// Accuracies of runs are sums of fractions: equal ones may differ by their rounding.
fn ordered(x: f64, y: f64) -> Ordering {
    if (x - y).abs() < 1e-12 { Ordering::Equal } else { x.total_cmp(&y) }
}

/// k-fold: each fold tests one part and trains on the others.
fn corrected(x: &[f64], y: &[f64], folds: usize) -> Result<Option<TestResult>> {
    with_spread(corrected_resampled_t(x, y, folds - 1, 1, Alternative::TwoSided))
}

/// A test needs differences that differ.
fn with_spread(test: Result<TestResult, StatsError>) -> Result<Option<TestResult>> {
    match test {
        Ok(test) => Ok(Some(test)),
        Err(StatsError::Constant { .. }) => Ok(None),
        Err(other) => Err(other.into()),
    }
}

/// The standard deviation with divisor n − 1.
pub(super) fn sd(values: &[f64]) -> f64 {
    let centre = mean(values);
    (values.iter().map(|v| (v - centre).powi(2)).sum::<f64>() / (values.len() as f64 - 1.0)).sqrt()
}
