//! The objective in R's order of additions: equal to R to the last bit, at R's speed.

use super::{Layout, bfgs::Objective, exp::exp};
use crate::{TrainSet, linalg::vectorised};

/// Beyond ±15 the logistic function is exactly 0 or 1.
pub(super) const SATURATED: f64 = 15.0;

/// The logistic function with the C library's `exp`.
#[inline(always)]
pub(super) fn sigmoid(a: f64) -> f64 {
    if a < -SATURATED {
        0.0
    } else if a > SATURATED {
        1.0
    } else {
        1.0 / (1.0 + exp(-a))
    }
}

/// Squared error and decay, row after row.
pub(super) struct Sequential<'a> {
    layout: Layout,
    decay: f64,
    train: TrainSet<'a>,
    hidden: Vec<f64>,
    hidden_errors: Vec<f64>,
}

impl<'a> Sequential<'a> {
    pub(super) fn new(layout: Layout, decay: f64, train: TrainSet<'a>) -> Self {
        let units = vec![0.0; layout.hidden];
        Self { layout, decay, train, hidden: units.clone(), hidden_errors: units }
    }

    /// Runs one row through the network; leaves the hidden units' values behind.
    #[inline(always)]
    fn output(&mut self, weights: &[f64], row: &[f64]) -> f64 {
        self.layout.run(weights, row, |unit, value| self.hidden[unit] = value)
    }
}

impl Objective for Sequential<'_> {
    fn value(&mut self, weights: &[f64], _limit: f64) -> f64 {
        let train = self.train;
        let mut squares = 0.0;
        // Only for the fused operations of `exp`: the sums keep their order and their single steps.
        vectorised!({
            for (i, row) in train.x.iter_rows().enumerate() {
                let error = self.output(weights, row) - train.y[i];
                squares += train.weight(i) * (error * error);
            }
        });
        squares + weights.iter().fold(0.0, |sum, w| sum + self.decay * w * w)
    }

    fn gradient(&mut self, weights: &[f64], gradient: &mut [f64]) {
        let (train, layout) = (self.train, self.layout);
        for (g, w) in gradient.iter_mut().zip(weights) {
            *g = 2.0 * self.decay * w;
        }
        vectorised!({
            for (i, row) in train.x.iter_rows().enumerate() {
                let error = train.weight(i) * (2.0 * (self.output(weights, row) - train.y[i]));
                let outer = &weights[layout.output() + 1..];
                for ((e, h), w) in self.hidden_errors.iter_mut().zip(&self.hidden).zip(outer) {
                    *e = error * w * (h * (1.0 - h));
                }
                let (hidden, output) = gradient.split_at_mut(layout.output());
                for (unit, e) in hidden.chunks_exact_mut(layout.stride()).zip(&self.hidden_errors) {
                    unit[0] += e;
                    unit[1..].iter_mut().zip(row).for_each(|(g, x)| *g += e * x);
                }
                output[0] += error;
                let (to_hidden, to_inputs) = output[1..].split_at_mut(layout.hidden);
                to_hidden.iter_mut().zip(&self.hidden).for_each(|(g, h)| *g += error * h);
                to_inputs.iter_mut().zip(row).for_each(|(g, x)| *g += error * x);
            }
        });
    }
}
