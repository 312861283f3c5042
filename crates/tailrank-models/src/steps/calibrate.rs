//! `calibrate`: predictions put back where the targets are, by isotonic regression.
//!
//! The pool-adjacent-violators algorithm (Ayer et al. 1955) fits the best rising function of out-of-fold
//! predictions to the targets. Between two of its points it is a straight line, outside it is constant, as in
//! scikit-learn's `IsotonicRegression(out_of_bounds="clip")`. It undoes exaggeration: the calibrated
//! prediction is the mean target of rows predicted alike.

use std::sync::Arc;

use super::{
    context::StepContext,
    step::{Action, Decide, Decision, StepSpec},
};
use crate::Result;

/// The row of `isotonic` among the steps.
pub(super) const STEP: StepSpec = StepSpec {
    key: "calibrate",
    name: "isotonic",
    summary: "predictions mapped to the mean target of rows predicted alike, by isotonic regression",
    uses_relevance: false,
    parameters: &[],
    build: |_, _| Action::Decide(Arc::new(Calibrate)),
};

/// `calibrate` has no settings.
#[derive(Debug)]
struct Calibrate;

impl Decide for Calibrate {
    fn learn(&self, truth: &[f64], predicted: &[f64], _: &StepContext<'_>) -> Result<Decision> {
        let isotonic = Isotonic::fit(predicted, truth);
        Ok(Decision { map: Box::new(move |prediction| isotonic.at(prediction)), details: Vec::new() })
    }
}

/// A rising function, straight between its points.
#[derive(Clone, Debug, PartialEq)]
pub struct Isotonic {
    /// Predictions, rising, and what they become.
    points: Vec<(f64, f64)>,
}

/// Rows pooled to one value: from the lowest to the highest prediction.
struct Pool {
    first: f64,
    last: f64,
    sum: f64,
    rows: f64,
}

impl Isotonic {
    /// Fits `truth` on `predicted` by least squares among rising functions.
    ///
    /// ```
    /// use tailrank_models::steps::Isotonic;
    ///
    /// let map = Isotonic::fit(&[1.0, 2.0, 3.0, 4.0], &[1.0, 3.0, 2.0, 6.0]);
    /// assert_eq!([0.0, 2.0, 2.5, 3.5, 9.0].map(|p| map.at(p)), [1.0, 2.5, 2.5, 4.25, 6.0]);
    /// ```
    pub fn fit(predicted: &[f64], truth: &[f64]) -> Self {
        let mut rows: Vec<(f64, f64)> = predicted.iter().copied().zip(truth.iter().copied()).collect();
        rows.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut pools: Vec<Pool> = Vec::new();
        // Equal predictions count as one point, their mean.
        for same in rows.chunk_by(|a, b| a.0 == b.0) {
            let (at, sum) = (same[0].0, same.iter().map(|r| r.1).sum());
            let mut pool = Pool { first: at, last: at, sum, rows: same.len() as f64 };
            while let Some(before) = pools.pop_if(|b| b.sum / b.rows >= pool.sum / pool.rows) {
                let (sum, rows) = (before.sum + pool.sum, before.rows + pool.rows);
                pool = Pool { first: before.first, sum, rows, ..pool };
            }
            pools.push(pool);
        }
        let mut points = Vec::with_capacity(2 * pools.len());
        for pool in pools {
            let value = pool.sum / pool.rows;
            points.push((pool.first, value));
            if pool.last > pool.first {
                points.push((pool.last, value));
            }
        }
        Self { points }
    }

    /// What a prediction becomes.
    pub fn at(&self, prediction: f64) -> f64 {
        let after = self.points.partition_point(|p| p.0 <= prediction);
        match (after.checked_sub(1).map(|i| self.points[i]), self.points.get(after)) {
            (Some((a, low)), Some(&(b, high))) => {
                let share = (prediction - a) / (b - a);
                low + share * (high - low)
            }
            (Some((_, value)), None) | (None, Some(&(_, value))) => value,
            (None, None) => prediction,
        }
    }
}
