//! Ridge regression: one singular value decomposition for every lambda.

use super::{
    design::{Design, Line},
    singular::Singular,
};
use crate::{ModelError, Result, TrainSet};

/// Centred inputs X = USVᵀ, with Uᵀy: b(λ) = V · s/(s² + nλ) · Uᵀy, where n is the sum of the weights.
pub(super) struct RidgePath {
    design: Design,
    rows: f64,
    /// Singular values in the common unit.
    singular: Singular,
    unit: f64,
}

impl RidgePath {
    pub(super) fn new(train: TrainSet<'_>) -> Result<Self> {
        let design = Design::new(train);
        // One unit for all columns: the penalty compares their coefficients.
        let unit = design.units.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        let scaled = |(j, own): (usize, &f64)| {
            let mut column = design.column(j);
            column.iter_mut().for_each(|v| *v *= own / unit);
            column
        };
        let columns = design.units.iter().enumerate().map(scaled).collect();
        let singular = Singular::new(columns, &design.column(design.inputs())).ok_or_else(|| {
            let problem = "the singular values of the inputs were not found; try standardise = true";
            ModelError::numerical("linear", problem)
        })?;
        Ok(Self { design, rows: train.x.rows() as f64, singular, unit })
    }

    pub(super) fn solve(&self, lambda: f64) -> Line {
        let shrunk: Vec<f64> = self
            .shrinkage(lambda)
            .zip(&self.singular.projected)
            .map(|((s, f), q)| if f > 0.0 { f / s * q } else { 0.0 })
            .collect();
        let coefficients = (0..self.design.inputs()).map(|j| {
            let b: f64 = shrunk.iter().zip(&self.singular.right).map(|(z, v)| v[j] * z).sum();
            // From the common unit into the column's own, which `line` takes back out.
            Some(b * (self.design.units[j] / self.unit))
        });
        self.design.line(coefficients)
    }

    /// Effective number of parameters, Σ s²/(s² + nλ), the intercept not counted.
    pub(super) fn degrees_of_freedom(&self, lambda: f64) -> f64 {
        self.shrinkage(lambda).map(|(_, f)| f).sum()
    }

    /// Every singular value with its factor s²/(s² + nλ); 0 below the rounding error of the largest.
    fn shrinkage(&self, lambda: f64) -> impl Iterator<Item = (f64, f64)> {
        let values = &self.singular.values;
        let floor = values.first().copied().unwrap_or(0.0)
            * f64::EPSILON
            * self.rows.max(self.design.inputs() as f64);
        let penalty = self.design.cases * lambda;
        values.iter().map(move |&s| {
            let own = s * self.unit;
            // 1/(1 + nλ/s²) in two divisions: s² may leave the range of f64.
            (s, if s > floor { 1.0 / (1.0 + penalty / own / own) } else { 0.0 })
        })
    }
}
