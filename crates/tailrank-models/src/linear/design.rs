//! Centred inputs in exact units, and the fitted line.

use super::panels::Panels;
use crate::{
    MatrixView, TrainSet,
    standardise::{column_means_and_units, power_of_two_near, weighted_centre_and_scale},
};

/// Rows predicted together: their sums are independent, so none waits for another.
const TOGETHER: usize = 8;

/// A fitted line: ȳ + Σ bⱼ (xⱼ − x̄ⱼ).
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(super) target_mean: f64,
    pub(super) input_means: Vec<f64>,
    /// `None` for an input left out because it depends on earlier ones.
    pub(super) coefficients: Vec<Option<f64>>,
}

impl Line {
    pub(crate) fn predict(&self, x: MatrixView<'_>) -> Vec<f64> {
        let terms: Vec<(usize, f64, f64)> = (self.coefficients.iter().enumerate())
            .filter_map(|(j, b)| Some((j, self.input_means[j], b.filter(|b| *b != 0.0)?)))
            .collect();
        let mut out = vec![self.target_mean; x.rows()];
        let rows = x.as_slice().chunks(TOGETHER * x.cols()).zip(out.chunks_mut(TOGETHER));
        for (rows, out) in rows {
            let mut sums = [self.target_mean; TOGETHER];
            for &(j, mean, b) in &terms {
                for (sum, v) in sums.iter_mut().zip(rows[j..].iter().step_by(x.cols())) {
                    *sum += b * (v - mean);
                }
            }
            out.iter_mut().zip(sums).for_each(|(out, sum)| *out = sum);
        }
        out
    }

    /// Inputs with a coefficient other than zero.
    pub(crate) fn nonzero(&self) -> usize {
        self.coefficients.iter().flatten().filter(|b| **b != 0.0).count()
    }

    /// Independent columns, the intercept counted.
    pub(crate) fn rank(&self) -> usize {
        1 + self.coefficients.iter().flatten().count()
    }
}

/// Centred inputs and centred targets, each column in a unit of its own.
///
/// The units are powers of two, so that changing to them and back is exact while squares of 1e200 stay
/// finite. Means are weighted, and each row is multiplied by the root of its weight, so that plain sums of
/// squares are the weighted ones.
pub(super) struct Design {
    /// The inputs, and the targets as the last column.
    pub(super) panels: Panels,
    pub(super) units: Vec<f64>,
    pub(super) means: Vec<f64>,
    pub(super) target_unit: f64,
    pub(super) target_mean: f64,
    /// Sum of the weights: the number of rows where they count alike.
    pub(super) cases: f64,
}

impl Design {
    pub(super) fn new(train: TrainSet<'_>) -> Self {
        let cases = train.weights.map_or(train.y.len() as f64, |w| w.iter().sum());
        let (means, units) = column_means_and_units(train.x, train.weights);
        let target_mean = weighted_centre_and_scale(train.y, train.weights).0;
        let target_unit = power_of_two_near(train.y);
        // Dividing by a power of two is multiplying by its reciprocal, to the bit.
        let reciprocals: Vec<f64> = units.iter().map(|u| 1.0 / u).collect();
        let inputs = units.len();
        let deviation = |i: usize, j: usize| {
            if j < inputs {
                (train.x.at(i, j) - means[j]) * reciprocals[j]
            } else {
                (train.y[i] - target_mean) / target_unit
            }
        };
        let rows = train.y.len();
        let panels = match train.weights {
            None => Panels::new(rows, inputs + 1, deviation),
            Some(weights) => {
                let roots: Vec<f64> = weights.iter().map(|w| w.sqrt()).collect();
                Panels::new(rows, inputs + 1, |i, j| deviation(i, j) * roots[i])
            }
        };
        Self { panels, units, means, target_unit, target_mean, cases }
    }

    /// Number of inputs.
    pub(super) fn inputs(&self) -> usize {
        self.units.len()
    }

    /// Input `j`, copied.
    pub(super) fn column(&self, j: usize) -> Vec<f64> {
        self.panels.column(j)
    }

    /// The targets, copied.
    pub(super) fn target(&self) -> Vec<f64> {
        self.panels.column(self.inputs())
    }

    /// A line from coefficients in the design's units.
    pub(super) fn line(&self, coefficients: impl IntoIterator<Item = Option<f64>>) -> Line {
        let back = |(b, unit): (Option<f64>, &f64)| b.map(|b| b * self.target_unit / unit);
        Line {
            target_mean: self.target_mean,
            input_means: self.means.clone(),
            coefficients: coefficients.into_iter().zip(&self.units).map(back).collect(),
        }
    }
}

pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}
