//! The confusion matrix of any number of classes.

use super::BinaryCounts;
use crate::error::{MetricError, Result};
use crate::score::{Score, Undefined};

/// Counts of (true class, predicted class); classes are numbered from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfusionMatrix {
    classes: usize,
    /// One row per true class.
    counts: Vec<u64>,
}

impl ConfusionMatrix {
    /// Counts the pairs of true and predicted class.
    ///
    /// ```
    /// use tailrank_metrics::classification::ConfusionMatrix;
    ///
    /// let matrix = ConfusionMatrix::new(&[0, 0, 1, 2], &[0, 1, 1, 2], 3)?;
    /// assert_eq!(matrix.accuracy().value(), Some(0.75));
    /// assert_eq!(matrix.precision(1).value(), Some(0.5));
    /// assert_eq!(matrix.recall(1).value(), Some(1.0));
    /// # Ok::<(), tailrank_metrics::MetricError>(())
    /// ```
    pub fn new(truth: &[usize], predicted: &[usize], classes: usize) -> Result<Self> {
        if truth.len() != predicted.len() {
            return Err(MetricError::LengthMismatch {
                left_name: "truth",
                left: truth.len(),
                right_name: "predictions",
                right: predicted.len(),
            });
        }
        if truth.is_empty() {
            return Err(MetricError::Empty { name: "truth", needed: 1 });
        }
        for (name, labels) in [("truth", truth), ("predictions", predicted)] {
            if let Some(i) = labels.iter().position(|&c| c >= classes) {
                return Err(MetricError::Entry {
                    name,
                    index: i + 1,
                    problem: format!("class {} of {classes}", labels[i]),
                    fix: "number the classes from 0 and give how many there are",
                });
            }
        }
        let mut counts = vec![0; classes * classes];
        for (&t, &p) in truth.iter().zip(predicted) {
            counts[t * classes + p] += 1;
        }
        Ok(Self { classes, counts })
    }

    /// Number of classes.
    pub const fn classes(&self) -> usize {
        self.classes
    }

    /// Cases of class `truth` that were predicted as `predicted`.
    pub fn count(&self, truth: usize, predicted: usize) -> u64 {
        self.counts[truth * self.classes + predicted]
    }

    /// All cases.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Share of cases on the diagonal.
    pub fn accuracy(&self) -> Score {
        let right: u64 = (0..self.classes).map(|c| self.count(c, c)).sum();
        Score::ratio(right as f64, self.total() as f64, Undefined::EmptyClass)
    }

    /// The counts of one class against all others.
    pub fn one_against_rest(&self, class: usize) -> BinaryCounts {
        let tp = self.count(class, class);
        let fn_ = (0..self.classes).map(|p| self.count(class, p)).sum::<u64>() - tp;
        let fp = (0..self.classes).map(|t| self.count(t, class)).sum::<u64>() - tp;
        BinaryCounts { tp, fp, tn: self.total() - tp - fn_ - fp, fn_ }
    }

    /// Of the cases predicted as `class`, the share that are.
    pub fn precision(&self, class: usize) -> Score {
        self.one_against_rest(class).precision()
    }

    /// Of the cases of `class`, the share predicted so.
    pub fn recall(&self, class: usize) -> Score {
        self.one_against_rest(class).recall()
    }

    /// F_β of `class`.
    pub fn f(&self, class: usize, beta: f64) -> Result<Score> {
        self.one_against_rest(class).f(beta)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_class_against_the_rest_keeps_every_case() {
        let matrix = ConfusionMatrix::new(&[0, 1, 2, 2, 1, 0, 2], &[0, 2, 2, 1, 1, 0, 0], 3).unwrap();
        for class in 0..3 {
            let c = matrix.one_against_rest(class);
            assert_eq!(c.total(), 7);
        }
        let two = matrix.one_against_rest(2);
        assert_eq!((two.tp, two.fp, two.tn, two.fn_), (1, 1, 3, 2));
    }

    #[test]
    fn unknown_classes_are_named() {
        let err = ConfusionMatrix::new(&[0, 1], &[0, 2], 2).unwrap_err();
        assert_eq!(
            err.to_string(),
            "predictions entry 2: class 2 of 2; number the classes from 0 and give how many there are"
        );
        assert!(ConfusionMatrix::new(&[], &[], 2).is_err());
        assert!(ConfusionMatrix::new(&[0], &[], 2).is_err());
    }
}
