//! Centred inputs in exact units, and the fitted line.

use crate::{
    MatrixView, TrainSet,
    standardise::{power_of_two_near, weighted_centre_and_scale},
};

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
        x.iter_rows()
            .map(|row| {
                let terms = row.iter().zip(&self.input_means).zip(&self.coefficients);
                terms.fold(self.target_mean, |sum, ((v, mean), b)| match b {
                    Some(b) if *b != 0.0 => sum + b * (v - mean),
                    _ => sum,
                })
            })
            .collect()
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

/// Centred inputs, column after column, and centred targets, each in a unit of its own.
///
/// The units are powers of two, so that changing to them and back is exact while squares of 1e200 stay finite. Means are
/// weighted, and each row is multiplied by the root of its weight, so that plain sums of squares are the weighted ones.
pub(super) struct Design {
    pub(super) columns: Vec<Vec<f64>>,
    pub(super) units: Vec<f64>,
    pub(super) means: Vec<f64>,
    pub(super) target: Vec<f64>,
    pub(super) target_unit: f64,
    pub(super) target_mean: f64,
    /// Sum of the weights: the number of rows where they count alike.
    pub(super) cases: f64,
}

impl Design {
    pub(super) fn new(train: TrainSet<'_>) -> Self {
        let roots: Option<Vec<f64>> = train.weights.map(|w| w.iter().map(|w| w.sqrt()).collect());
        let cases = train.weights.map_or(train.y.len() as f64, |w| w.iter().sum());
        let centred = |values: &[f64]| {
            let mean = weighted_centre_and_scale(values, train.weights).0;
            let unit = power_of_two_near(values);
            let mut deviations = values.iter().map(|v| (v - mean) / unit).collect::<Vec<_>>();
            if let Some(roots) = &roots {
                deviations.iter_mut().zip(roots).for_each(|(d, root)| *d *= root);
            }
            (deviations, unit, mean)
        };
        let (target, target_unit, target_mean) = centred(train.y);
        let mut design =
            Self { columns: vec![], units: vec![], means: vec![], target, target_unit, target_mean, cases };
        for j in 0..train.x.cols() {
            let (column, unit, mean) = centred(&train.x.column(j));
            design.columns.push(column);
            design.units.push(unit);
            design.means.push(mean);
        }
        design
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
