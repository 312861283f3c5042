//! Lasso and elastic net: coordinate descent on the correlations of the inputs, for every lambda.
//!
//! Every variant starts from zero and is solved to rounding error, so that its answer does not depend on the
//! others. A sweep costs p for each coefficient that moves, whatever the number of rows. Between two sweeps
//! over all inputs only those with a coefficient are visited (Friedman, Hastie & Tibshirani 2010, §2.6);
//! since the slopes of all inputs are kept up to date, a sweep over the others is their check and screening
//! rules have nothing left to save.

use super::{design::Line, gram::Gram};
use crate::{FitContext, Result};

const MAX_SWEEPS: usize = 100_000;
/// A sweep that moves no fitted value by more than this share of the target's standard deviation is the last.
const TOLERANCE: f64 = 1e-13;

/// Where the descent ended.
pub(super) struct Solution {
    pub(super) line: Line,
    pub(super) converged: bool,
    pub(super) sweeps: usize,
}

/// A point of the descent, in units in which inputs and target have length 1.
struct Descent<'a> {
    gram: &'a Gram,
    /// Weights of |b| and of b²/2.
    absolute: Vec<f64>,
    square: Vec<f64>,
    b: Vec<f64>,
    /// Xᵀ(y − Xb), kept up to date.
    slope: Vec<f64>,
}

/// Minimises 1/(2n)·‖y − Xb‖² + `absolute`·‖b‖₁ + `square`/2·‖b‖².
pub(super) fn descend(gram: &Gram, absolute: f64, square: f64, context: &FitContext) -> Result<Solution> {
    let p = gram.with_target.len();
    let target = gram.target_length();
    if target == 0.0 {
        return Ok(Solution { line: gram.line(std::iter::repeat_n(0.0, p)), converged: true, sweeps: 0 });
    }
    let lengths = &gram.lengths[..p];
    // With b = b'·v/u for lengths u of an input and v of the target, the objective is divided by v²/n.
    let weigh = |weight: f64, u: f64, v: f64| if weight == 0.0 { 0.0 } else { weight * gram.cases / u / v };
    let mut descent = Descent {
        gram,
        absolute: lengths.iter().map(|u| weigh(absolute, *u, target)).collect(),
        square: lengths.iter().map(|u| weigh(square, *u, *u)).collect(),
        b: vec![0.0; p],
        slope: gram.with_target.clone(),
    };
    let inputs: Vec<usize> = (0..p).filter(|&j| lengths[j] > 0.0).collect();
    let (mut sweeps, mut converged) = (0, false);
    while sweeps < MAX_SWEEPS && !converged {
        sweeps += 1;
        converged = descent.sweep(&inputs) <= TOLERANCE;
        let active: Vec<usize> = inputs.iter().copied().filter(|&j| descent.b[j] != 0.0).collect();
        while !converged && sweeps < MAX_SWEEPS {
            if sweeps.is_multiple_of(256) {
                context.check()?;
            }
            sweeps += 1;
            if descent.sweep(&active) <= TOLERANCE {
                break;
            }
        }
    }
    Ok(Solution { line: gram.line(descent.b.into_iter()), converged, sweeps })
}

impl Descent<'_> {
    /// Moves each of these coefficients to where it is best beside the others; returns the largest move.
    fn sweep(&mut self, inputs: &[usize]) -> f64 {
        let mut largest_move = 0.0_f64;
        for &j in inputs {
            let updated =
                soft_threshold(self.slope[j] + self.b[j], self.absolute[j]) / (1.0 + self.square[j]);
            let change = updated - self.b[j];
            if change != 0.0 {
                self.b[j] = updated;
                for (slope, r) in self.slope.iter_mut().zip(self.gram.row(j)) {
                    *slope -= change * r;
                }
                largest_move = largest_move.max(change.abs());
            }
        }
        largest_move
    }
}

fn soft_threshold(value: f64, threshold: f64) -> f64 {
    if value > threshold {
        value - threshold
    } else if value < -threshold {
        value + threshold
    } else {
        0.0
    }
}
