//! What the study found: fold by fold, and what follows from it.

use tailrank_stats::{Alternative, StatsError, TestResult, corrected_resampled_t, paired_t};

use super::fold::Fold;
use crate::studies::Result;

/// Everything the study found.
#[derive(Clone, Debug, PartialEq)]
pub struct OarpResults {
    /// Level of the tests.
    pub level: f64,
    /// Pairs of prototypes per fold.
    pub candidates: usize,
    /// The main reading.
    pub main: ReadingResults,
    /// The other readings.
    pub others: Vec<ReadingResults>,
}

/// What one reading of the paper gave.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadingResults {
    /// What it is.
    pub name: String,
    /// Set by set.
    pub sets: Vec<SetResults>,
}

/// What one data set gave.
#[derive(Clone, Debug, PartialEq)]
pub struct SetResults {
    /// The paper's name for it.
    pub label: String,
    /// Its cases.
    pub rows: usize,
    /// Folds of one run.
    pub fold_count: usize,
    /// Fold by fold, run after run.
    pub folds: Vec<Fold>,
}

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// Monte Carlo Sampling by accuracy.
    Accuracy,
    /// Monte Carlo Sampling by F.
    F,
    /// Monte Carlo Sampling by OARP.
    Oarp,
    /// The decision tree.
    Tree,
    /// The candidate that the test rows themselves would choose: no choice among the candidates can do better.
    BestPossible,
}

impl Model {
    /// The models of the paper, in its order.
    pub const CRITERIA: [Self; 3] = [Self::Accuracy, Self::F, Self::Oarp];

    /// Short name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Accuracy => "Acc",
            Self::F => "F",
            Self::Oarp => "OARP",
            Self::Tree => "tree",
            Self::BestPossible => "best possible",
        }
    }
}

/// A t-test's verdict, in the paper's letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Statistically significant win.
    Ssw,
    /// Statistically significant loss.
    Ssl,
    /// Statistically not significant.
    Sns,
}

impl Verdict {
    /// By the sign of t, where p is below `level`; differences without any spread around zero are no evidence.
    pub fn of(test: Option<&TestResult>, level: f64) -> Self {
        match test {
            Some(test) if test.p_value < level && test.statistic > 0.0 => Self::Ssw,
            Some(test) if test.p_value < level => Self::Ssl,
            _ => Self::Sns,
        }
    }

    /// The paper's letters.
    pub fn letters(self) -> &'static str {
        match self {
            Self::Ssw => "SSW",
            Self::Ssl => "SSL",
            Self::Sns => "sns",
        }
    }
}

/// Two models on one set.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Mean difference over runs.
    pub difference: f64,
    /// Runs in which the first is better, as good, worse.
    pub runs: [usize; 3],
    /// Paired t over the runs, as the paper does it; none if all differences are equal.
    pub paired: Option<TestResult>,
    /// Nadeau and Bengio's t over all folds.
    pub corrected: Option<TestResult>,
    /// Folds in which both chose the same candidate.
    pub same_choice: usize,
}

impl SetResults {
    /// Test accuracy of a model, fold by fold.
    pub fn accuracies(&self, model: Model) -> Vec<f64> {
        let of = |fold: &Fold| match model {
            Model::Accuracy => fold.accuracy[0],
            Model::F => fold.accuracy[1],
            Model::Oarp => fold.accuracy[2],
            Model::Tree => fold.tree.unwrap_or(f64::NAN),
            Model::BestPossible => fold.best_possible,
        };
        self.folds.iter().map(of).collect()
    }

    /// Mean test accuracy of a model, run by run: the paper's "trial records".
    pub fn by_run(&self, model: Model) -> Vec<f64> {
        self.accuracies(model).chunks(self.fold_count).map(mean).collect()
    }

    /// Compares two of the criteria.
    pub fn compare(&self, first: Model, second: Model) -> Result<Comparison> {
        let (x, y) = (self.by_run(first), self.by_run(second));
        let counted =
            |order: std::cmp::Ordering| x.iter().zip(&y).filter(|(x, y)| ordered(**x, **y) == order).count();
        let (folds_x, folds_y) = (self.accuracies(first), self.accuracies(second));
        let place = |model: Model| Model::CRITERIA.iter().position(|m| *m == model);
        let same = |f: &&Fold| match (place(first), place(second)) {
            (Some(a), Some(b)) => f.chosen[a] == f.chosen[b],
            _ => false,
        };
        Ok(Comparison {
            difference: mean(&x) - mean(&y),
            runs: [std::cmp::Ordering::Greater, std::cmp::Ordering::Equal, std::cmp::Ordering::Less]
                .map(counted),
            paired: with_spread(paired_t(&x, &y, Alternative::TwoSided))?,
            // k-fold: each fold tests one part and trains on the others.
            corrected: with_spread(corrected_resampled_t(
                &folds_x,
                &folds_y,
                self.fold_count - 1,
                1,
                Alternative::TwoSided,
            ))?,
            same_choice: self.folds.iter().filter(same).count(),
        })
    }

    /// Mean of a count over the folds, per criterion.
    pub fn mean_count(&self, count: impl Fn(&Fold) -> [usize; 3]) -> [f64; 3] {
        [0, 1, 2].map(|k| mean(&self.folds.iter().map(|f| count(f)[k] as f64).collect::<Vec<_>>()))
    }
}

impl ReadingResults {
    /// A model's mean over the sets, run by run.
    pub fn average_by_run(&self, model: Model) -> Vec<f64> {
        let sets: Vec<Vec<f64>> = self.sets.iter().map(|s| s.by_run(model)).collect();
        let runs = sets.iter().map(Vec::len).min().unwrap_or(0);
        (0..runs).map(|r| mean(&sets.iter().map(|s| s[r]).collect::<Vec<_>>())).collect()
    }

    /// A model's mean over sets and runs.
    pub fn average(&self, model: Model) -> f64 {
        mean(&self.average_by_run(model))
    }

    /// OARP's gain over another criterion, averaged over the sets fold by fold, and its p by the corrected resampled t.
    pub fn average_gain(&self, other: Model) -> Result<(f64, Option<TestResult>)> {
        let folds = self.sets.iter().map(|s| s.folds.len()).min().unwrap_or(0);
        let average = |model: Model| -> Vec<f64> {
            let sets: Vec<Vec<f64>> = self.sets.iter().map(|s| s.accuracies(model)).collect();
            (0..folds).map(|f| mean(&sets.iter().map(|s| s[f]).collect::<Vec<_>>())).collect()
        };
        let (x, y) = (average(Model::Oarp), average(other));
        let trained = self.sets.first().map_or(1, |s| s.fold_count - 1);
        let test = with_spread(corrected_resampled_t(&x, &y, trained, 1, Alternative::TwoSided))?;
        Ok((mean(&x) - mean(&y), test))
    }

    /// OARP against another criterion, set by set.
    pub fn against(&self, other: Model) -> Result<Vec<Comparison>> {
        self.sets.iter().map(|s| s.compare(Model::Oarp, other)).collect()
    }
}

/// Accuracies of runs are sums of fractions: equal ones may differ by their rounding.
fn ordered(x: f64, y: f64) -> std::cmp::Ordering {
    if (x - y).abs() < 1e-12 { std::cmp::Ordering::Equal } else { x.total_cmp(&y) }
}

/// A test needs differences that differ.
pub(super) fn with_spread(test: std::result::Result<TestResult, StatsError>) -> Result<Option<TestResult>> {
    match test {
        Ok(test) => Ok(Some(test)),
        Err(StatsError::Constant { .. }) => Ok(None),
        Err(other) => Err(other.into()),
    }
}

/// The arithmetic mean; NaN of nothing.
pub(super) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The standard deviation with divisor n − 1.
pub(super) fn sd(values: &[f64]) -> f64 {
    let centre = mean(values);
    (values.iter().map(|v| (v - centre).powi(2)).sum::<f64>() / (values.len() as f64 - 1.0)).sqrt()
}
