//! A fitted network.

use super::sequential::sigmoid;
use crate::{MatrixView, ModelError, Result, linalg::vectorised};

/// Which units are joined, and where each weight stands.
///
/// In order: each hidden unit's bias and input weights, then the output's bias, its hidden weights and, with
/// a skip layer, its input weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) inputs: usize,
    pub(super) hidden: usize,
    pub(super) skip: bool,
}

impl Layout {
    pub(super) fn weights(self) -> usize {
        self.output() + 1 + self.hidden + if self.skip { self.inputs } else { 0 }
    }

    /// Weights of one hidden unit.
    pub(super) fn stride(self) -> usize {
        self.inputs + 1
    }

    /// Where the output unit begins.
    pub(super) fn output(self) -> usize {
        self.hidden * self.stride()
    }

    /// The hidden units' weights and the output's.
    pub(super) fn split(self, weights: &[f64]) -> (&[f64], &[f64]) {
        weights.split_at(self.output())
    }

    /// The output for one row in R's order of additions; `each` gets the hidden units' values.
    #[inline(always)]
    pub(super) fn run(self, weights: &[f64], row: &[f64], mut each: impl FnMut(usize, f64)) -> f64 {
        let (hidden, output) = self.split(weights);
        let mut sum = output[0];
        for (u, (unit, weight)) in hidden.chunks_exact(self.stride()).zip(&output[1..]).enumerate() {
            let value = sigmoid(unit[1..].iter().zip(row).fold(unit[0], |sum, (w, x)| sum + w * x));
            each(u, value);
            sum += weight * value;
        }
        output[1 + self.hidden..].iter().zip(row).fold(sum, |sum, (w, x)| sum + w * x)
    }
}

/// A fitted network.
#[derive(Clone, Debug, PartialEq)]
pub struct NnetModel {
    pub(super) layout: Layout,
    /// All weights: for each hidden unit its bias and input weights, then the output's bias, hidden weights
    /// and, with a skip layer, input weights.
    pub weights: Vec<f64>,
    /// Squared error plus decay times squared weights.
    pub objective: f64,
    /// Gradient evaluations, as R counts iterations.
    pub iterations: usize,
    /// False when `maxit` ended the fit.
    pub converged: bool,
    /// The random start it came from, counted from 1.
    pub best_start: usize,
}

impl NnetModel {
    /// One prediction per row of `x`.
    pub fn predict_rows(&self, x: MatrixView<'_>) -> Result<Vec<f64>> {
        let (fitted, given) = (self.layout.inputs, x.cols());
        if given != fitted {
            return Err(ModelError::data(format!("the network was fitted on {fitted} inputs, got {given}")));
        }
        let Self { layout, weights, .. } = self;
        Ok(vectorised!(x.iter_rows().map(|row| layout.run(weights, row, |_, _| ())).collect()))
    }
}
