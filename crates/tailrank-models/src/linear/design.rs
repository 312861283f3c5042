//! Centred inputs in exact units, and the fitted line.

use crate::{
    MatrixView, TrainSet,
    linalg::vectorised,
    standardise::{Scaler, centre_and_scale, power_of_two_near},
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
        vectorised!({
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
        });
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
    /// Row after row; the target is the last column.
    values: Vec<f64>,
    pub(super) units: Vec<f64>,
    pub(super) means: Vec<f64>,
    pub(super) target_unit: f64,
    pub(super) target_mean: f64,
    /// Sum of the weights: the number of rows where they count alike.
    pub(super) cases: f64,
}

impl Design {
    pub(super) fn new(train: TrainSet<'_>) -> Self {
        let Scaler { centre: means, scale: units } = Scaler::by(train.x, |column| {
            (centre_and_scale(column, train.weights).0, power_of_two_near(column))
        });
        let target_mean = centre_and_scale(train.y, train.weights).0;
        let target_unit = power_of_two_near(train.y);
        // Dividing by a power of two is multiplying by its reciprocal, to the bit.
        let reciprocals: Vec<f64> = units.iter().map(|u| 1.0 / u).collect();
        let inputs = units.len();
        let mut values = Vec::with_capacity(train.y.len() * (inputs + 1));
        for (i, row) in train.x.iter_rows().enumerate() {
            let start = values.len();
            values.extend(row.iter().zip(&means).zip(&reciprocals).map(|((v, mean), r)| (v - mean) * r));
            values.push((train.y[i] - target_mean) / target_unit);
            if let Some(weights) = train.weights {
                let root = weights[i].sqrt();
                values[start..].iter_mut().for_each(|v| *v *= root);
            }
        }
        Self { values, units, means, target_unit, target_mean, cases: train.cases() }
    }

    /// Number of inputs.
    pub(super) fn inputs(&self) -> usize {
        self.units.len()
    }

    /// Input `j`, or the target after the last, copied.
    pub(super) fn column(&self, j: usize) -> Vec<f64> {
        self.values.chunks_exact(self.inputs() + 1).map(|row| row[j]).collect()
    }

    /// Σ v·c over the rows from `top` on for every column c from `from` on; what stands before is of no use.
    /// Every sum runs over its rows one after another.
    pub(super) fn dots(&self, v: &[f64], top: usize, from: usize) -> Vec<f64> {
        let columns = self.inputs() + 1;
        // The neutral element of addition is -0: 0 + -0 would lose a sign.
        let mut sums = vec![-0.0; columns];
        for (v, row) in v.iter().zip(self.values.chunks_exact(columns).skip(top)) {
            sums[from..].iter_mut().zip(&row[from..]).for_each(|(sum, c)| *sum += v * c);
        }
        sums
    }

    /// c − 2h(hᵀc) from row `top` on for every column c from `from` on; h has length 1.
    pub(super) fn reflect(&mut self, h: &[f64], top: usize, from: usize) {
        let columns = self.inputs() + 1;
        let twice: Vec<f64> = self.dots(h, top, from).iter().map(|dot| 2.0 * dot).collect();
        for (h, row) in h.iter().zip(self.values.chunks_exact_mut(columns).skip(top)) {
            row[from..].iter_mut().zip(&twice[from..]).for_each(|(c, t)| *c -= t * h);
        }
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
