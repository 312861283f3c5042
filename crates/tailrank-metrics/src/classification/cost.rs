//! Cost curves (Drummond & Holte; WF §5.7): a classifier is a line.
//!
//! The horizontal axis is the probability cost function pc ∈ [0, 1], which carries class shares and costs
//! together; the vertical axis is the normalised expected cost, fn·pc + fp·(1 − pc). A line starts at its
//! false positive rate and ends at its false negative rate. Calling everything positive or nothing positive
//! are the two trivial lines.

use crate::error::{Result, check_setting};

/// A classifier in cost space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CostLine {
    /// False positive rate: the cost at pc = 0.
    pub fp_rate: f64,
    /// False negative rate: the cost at pc = 1.
    pub fn_rate: f64,
}

impl CostLine {
    /// Checks the rates.
    pub fn new(fp_rate: f64, fn_rate: f64) -> Result<Self> {
        for (name, value) in [("fp rate", fp_rate), ("fn rate", fn_rate)] {
            check_setting((0.0..=1.0).contains(&value), name, value, "a rate within 0 to 1")?;
        }
        Ok(Self { fp_rate, fn_rate })
    }

    /// Normalised expected cost at `pc`.
    pub fn cost(self, pc: f64) -> f64 {
        self.fn_rate * pc + self.fp_rate * (1.0 - pc)
    }

    /// The pc between which the classifier beats both trivial ones; none if it never does.
    ///
    /// ```
    /// use tailrank_metrics::classification::CostLine;
    ///
    /// // WF's classifier B: equal rates of a quarter.
    /// assert_eq!(CostLine::new(0.25, 0.25)?.operating_region(), Some((0.25, 0.75)));
    /// # Ok::<(), tailrank_metrics::MetricError>(())
    /// ```
    pub fn operating_region(self) -> Option<(f64, f64)> {
        let (fp, fn_) = (self.fp_rate, self.fn_rate);
        // fn·pc + fp·(1 − pc) < pc on the left, < 1 − pc on the right.
        let from = fp / (1.0 - fn_ + fp);
        let to = (1.0 - fp) / (1.0 - fp + fn_);
        (from < to).then_some((from, to))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// WF's classifiers: a line between the trivial ones, and one that is never worth its cost.
    #[test]
    fn a_line_beats_the_trivial_ones_in_its_region() {
        let line = CostLine::new(0.1, 0.4).unwrap();
        let (from, to) = line.operating_region().unwrap();
        assert!((from - 1.0 / 7.0).abs() < 1e-15 && (to - 0.9 / 1.3).abs() < 1e-15);
        assert!((line.cost(0.25) - 0.175).abs() < 1e-15);
        assert_eq!(CostLine::new(0.6, 0.4).unwrap().operating_region(), None);
    }

    #[test]
    fn bad_rates_are_named() {
        let err = CostLine::new(1.5, 0.0).unwrap_err();
        assert_eq!(err.to_string(), "fp rate = 1.5 is not allowed: a rate within 0 to 1");
    }
}
