//! Lasso and elastic net: coordinate descent on one Gram matrix for every lambda.
//!
//! Every variant starts from zero and is solved to rounding error, so that its answer does not depend on the others;
//! a sweep costs p² whatever the number of rows, which leaves warm starts little to save.

use super::design::{Design, Line, dot};
use crate::{FitContext, Result, TrainSet};

const MAX_SWEEPS: usize = 100_000;
/// A sweep that moves no fitted value by more than this share of the target's standard deviation is the last.
const TOLERANCE: f64 = 1e-13;

/// XᵀWX/n and XᵀWy/n of centred data in the design's units.
pub(super) struct GramProblem {
    design: Design,
    gram: Vec<Vec<f64>>,
    covariance: Vec<f64>,
    target_sd: f64,
}

/// Where the descent ended.
pub(super) struct Solution {
    pub(super) line: Line,
    pub(super) converged: bool,
    pub(super) sweeps: usize,
}

impl GramProblem {
    pub(super) fn new(train: TrainSet<'_>) -> Self {
        let design = Design::new(train);
        let (n, p) = (design.cases, design.inputs());
        let mut gram = vec![vec![0.0; p]; p];
        let mut covariance = vec![0.0; p];
        for i in 0..p {
            // With itself, the later inputs and the target.
            let dots = design.panels.dots(&design.column(i), i);
            for j in i..p {
                let g = dots[j] / n;
                gram[i][j] = g;
                gram[j][i] = g;
            }
            covariance[i] = dots[p] / n;
        }
        let target = design.target();
        let target_sd = (dot(&target, &target) / n).sqrt();
        Self { design, gram, covariance, target_sd }
    }

    /// Minimises 1/(2n)·‖y − Xb‖² + `absolute`·‖b‖₁ + `square`/2·‖b‖².
    pub(super) fn solve(&self, absolute: f64, square: f64, context: &FitContext) -> Result<Solution> {
        let p = self.covariance.len();
        // In the units u of a column and v of the target, b = b'·v/u and the objective is divided by v².
        let weigh = |weight: f64, unit: f64| if weight == 0.0 { 0.0 } else { weight / unit };
        let units = &self.design.units;
        let absolute: Vec<f64> =
            units.iter().map(|u| weigh(weigh(absolute, *u), self.design.target_unit)).collect();
        let square: Vec<f64> = units.iter().map(|u| weigh(weigh(square, *u), *u)).collect();
        let mut b = vec![0.0; p];
        // Xᵀ(y − Xb)/n, kept up to date.
        let mut slope = self.covariance.clone();
        let (mut sweeps, mut converged) = (0, false);
        while sweeps < MAX_SWEEPS && !converged {
            if sweeps.is_multiple_of(256) {
                context.check()?;
            }
            sweeps += 1;
            let mut largest_move = 0.0_f64;
            for j in 0..p {
                let own = self.gram[j][j];
                if own == 0.0 {
                    continue;
                }
                let updated = soft_threshold(slope[j] + own * b[j], absolute[j]) / (own + square[j]);
                let change = updated - b[j];
                if change != 0.0 {
                    b[j] = updated;
                    for (s, g) in slope.iter_mut().zip(&self.gram[j]) {
                        *s -= change * g;
                    }
                    largest_move = largest_move.max(change.abs() * own.sqrt());
                }
            }
            converged = largest_move <= TOLERANCE * self.target_sd;
        }
        Ok(Solution { line: self.design.line(b.into_iter().map(Some)), converged, sweeps })
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
