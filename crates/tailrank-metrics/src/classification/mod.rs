//! Measures of classification: counts, rates, OP and OARP (OARP11), ROC, precision–recall and cost curves (WF
//! §5.7).

mod cost;
mod ranked;

use crate::{
    error::{MetricError, Result, check_lengths},
    precision_recall::f_measure,
    score::{Score, Undefined},
};

pub use cost::{CostCurve, CostLine, EnvelopePiece};
pub use ranked::{RankedCounts, RatePoint};

/// The counts of a two-class problem.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BinaryCounts {
    /// Positives predicted positive.
    pub tp: u64,
    /// Negatives predicted positive.
    pub fp: u64,
    /// Negatives predicted negative.
    pub tn: u64,
    /// Positives predicted negative.
    pub fn_: u64,
}

impl BinaryCounts {
    /// Counts truth against prediction, case by case.
    pub fn new(truth: &[bool], predicted: &[bool]) -> Result<Self> {
        check_lengths("truth", truth.len(), "predictions", predicted.len())?;
        if truth.is_empty() {
            return Err(MetricError::Empty { name: "truth", needed: 1 });
        }
        let mut counts = Self::default();
        for pair in truth.iter().zip(predicted) {
            match pair {
                (true, true) => counts.tp += 1,
                (false, true) => counts.fp += 1,
                (false, false) => counts.tn += 1,
                (true, false) => counts.fn_ += 1,
            }
        }
        Ok(counts)
    }

    /// All cases.
    pub const fn total(&self) -> u64 {
        self.tp + self.fp + self.tn + self.fn_
    }

    /// (tp + tn) / total.
    pub fn accuracy(&self) -> Score {
        share(self.tp + self.tn, self.total(), Undefined::EmptyClass)
    }

    /// tp / (tp + fp).
    pub fn precision(&self) -> Score {
        share(self.tp, self.tp + self.fp, Undefined::NoSignals)
    }

    /// tp / (tp + fn), the true positive rate.
    pub fn recall(&self) -> Score {
        share(self.tp, self.tp + self.fn_, Undefined::EmptyClass)
    }

    /// tn / (tn + fp).
    pub fn specificity(&self) -> Score {
        share(self.tn, self.tn + self.fp, Undefined::EmptyClass)
    }

    /// F_β = (β² + 1)·P·R / (β²·P + R); 0 when P = R = 0.
    pub fn f(&self, beta: f64) -> Result<Score> {
        f_measure(self.precision(), self.recall(), beta)
    }

    /// Optimised precision, accuracy − |Sp − Sn|/(Sp + Sn) (Ranawana & Palade 2006).
    ///
    /// Sn and Sp are recall and specificity; 0/0 := 0, so a classifier that is always wrong scores 0.
    pub fn optimised_precision(&self) -> Score {
        match (self.recall(), self.specificity()) {
            (Score::Value(sn), Score::Value(sp)) => {
                self.accuracy().map(|acc| acc - relationship_index(sp, sn))
            }
            _ => Score::Undefined(Undefined::EmptyClass),
        }
    }

    /// OARP = accuracy − AVRI/10 (OARP11 eq. 1–5, with x = 1), every 0/0 := 0.
    ///
    /// AVRI is the mean of the relationship indices of (p₁, r₂) and (p₂, r₁). Equations 1–2 print them
    /// without the absolute value that the paper's text and Table 1 need.
    ///
    /// ```
    /// use tailrank_metrics::classification::BinaryCounts;
    ///
    /// let b = BinaryCounts { tp: 90, fp: 0, tn: 5, fn_: 5 };
    /// assert_eq!(format!("{:.6}", b.oarp()), "0.934545"); // OARP11 Table 1
    /// ```
    pub fn oarp(&self) -> Score {
        self.accuracy().map(|acc| acc - self.avri() / 10.0)
    }

    /// The average relationship index of OARP11 eq. 3.
    pub fn avri(&self) -> f64 {
        let (p1, r1) = (or_zero(self.tp, self.tp + self.fp), or_zero(self.tp, self.tp + self.fn_));
        let (p2, r2) = (or_zero(self.tn, self.tn + self.fn_), or_zero(self.tn, self.tn + self.fp));
        (relationship_index(p1, r2) + relationship_index(p2, r1)) / 2.0
    }
}

/// RI = |a − b| / (a + b), 0 when both are 0.
fn relationship_index(a: f64, b: f64) -> f64 {
    if a + b == 0.0 { 0.0 } else { (a - b).abs() / (a + b) }
}

fn or_zero(part: u64, whole: u64) -> f64 {
    share(part, whole, Undefined::EmptyClass).value().unwrap_or(0.0)
}

fn share(part: u64, whole: u64, why: Undefined) -> Score {
    Score::ratio(part as f64, whole as f64, why)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_denominators_are_named() {
        let silent = BinaryCounts { tp: 0, fp: 0, tn: 3, fn_: 2 };
        assert_eq!(silent.precision().undefined(), Some(Undefined::NoSignals));
        assert_eq!(silent.f(1.0).unwrap().undefined(), Some(Undefined::NoSignals));
        assert_eq!(silent.recall(), Score::Value(0.0));
        let no_positive = BinaryCounts { tp: 0, fp: 1, tn: 3, fn_: 0 };
        assert_eq!(no_positive.optimised_precision().undefined(), Some(Undefined::EmptyClass));
        let all_wrong = BinaryCounts { tp: 0, fp: 3, tn: 0, fn_: 2 };
        assert_eq!(all_wrong.f(1.0).unwrap(), Score::Value(0.0));
        assert_eq!(all_wrong.optimised_precision(), Score::Value(0.0));
        assert_eq!(all_wrong.oarp(), Score::Value(0.0));
    }

    #[test]
    fn optimised_precision_punishes_imbalance() {
        // Sn = 1, Sp = 0.5, accuracy 0.75, RI = 1/3.
        let op = BinaryCounts { tp: 2, fp: 1, tn: 1, fn_: 0 }.optimised_precision();
        assert!((op.value().unwrap() - (0.75 - 1.0 / 3.0)).abs() < 1e-15);
    }

    #[test]
    fn beta_is_checked() {
        let err = BinaryCounts::default().f(-1.0).unwrap_err();
        assert_eq!(
            err.to_string(),
            "beta = -1 is not allowed: beta must be 0 or more (below 1 favours precision, above 1 recall)"
        );
    }

    #[test]
    fn cases_are_counted_by_kind() {
        let counts = BinaryCounts::new(
            &[true, true, true, true, false, false, false, true, false, true],
            &[true, false, false, true, true, false, false, false, false, true],
        );
        assert_eq!(counts.unwrap(), BinaryCounts { tp: 3, fp: 1, tn: 3, fn_: 3 });
        let message =
            |truth: &[bool], predicted: &[bool]| BinaryCounts::new(truth, predicted).unwrap_err().to_string();
        assert_eq!(
            message(&[true], &[]),
            "truth has 1 rows but predictions has 0: give one value per case in both"
        );
        assert!(message(&[], &[]).starts_with("truth"), "{}", message(&[], &[]));
    }
}
