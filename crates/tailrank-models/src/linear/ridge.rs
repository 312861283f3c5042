//! Ridge regression: one singular value decomposition for every lambda.

use faer::Mat;

use super::design::{Design, Line};
use crate::{ModelError, Result, TrainSet};

/// Centred inputs X = USVᵀ, with Uᵀy: b(λ) = V · s/(s² + nλ) · Uᵀy, where n is the sum of the weights.
pub(super) struct RidgePath {
    design: Design,
    rows: f64,
    /// Singular values in the units of the data.
    singular: Vec<f64>,
    projected: Vec<f64>,
    right: Mat<f64>,
    unit: f64,
}

impl RidgePath {
    pub(super) fn new(train: TrainSet<'_>) -> Result<Self> {
        let design = Design::new(train);
        // One unit for all columns: the penalty compares their coefficients.
        let unit = design.units.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        let inputs = Mat::from_fn(train.x.rows(), train.x.cols(), |i, j| {
            design.columns[j][i] * (design.units[j] / unit)
        });
        let svd = inputs.thin_svd().map_err(|e| ModelError::Numerical {
            family: "linear",
            problem: format!(
                "the singular value decomposition of the inputs failed ({e:?}); try standardise = true"
            ),
        })?;
        let singular: Vec<f64> = svd.S().column_vector().iter().copied().collect();
        let left = svd.U();
        let projected = (0..singular.len())
            .map(|k| design.target.iter().enumerate().map(|(i, y)| left[(i, k)] * y).sum())
            .collect();
        let right = svd.V().to_owned();
        Ok(Self { design, rows: train.x.rows() as f64, singular, projected, right, unit })
    }

    pub(super) fn solve(&self, lambda: f64) -> Line {
        let shrunk: Vec<f64> = self
            .shrinkage(lambda)
            .zip(&self.projected)
            .map(|((s, f), q)| if f > 0.0 { f / s * q } else { 0.0 })
            .collect();
        let coefficients = (0..self.design.columns.len()).map(|j| {
            let b: f64 = shrunk.iter().enumerate().map(|(k, z)| self.right[(j, k)] * z).sum();
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
        let floor = self.singular.first().copied().unwrap_or(0.0)
            * f64::EPSILON
            * self.rows.max(self.right.nrows() as f64);
        let penalty = self.design.cases * lambda;
        self.singular.iter().map(move |&s| {
            let own = s * self.unit;
            // 1/(1 + nλ/s²) in two divisions: s² may leave the range of f64.
            (s, if s > floor { 1.0 / (1.0 + penalty / own / own) } else { 0.0 })
        })
    }
}
