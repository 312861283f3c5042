//! A fitted spline model: readable terms, and predictions from them.

use crate::{MatrixView, ModelError, Result};

/// One factor of a term: `max(sign · (x[variable] - cut), 0)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hinge {
    /// Input column, counted from 0.
    pub variable: usize,
    /// The knot.
    pub cut: f64,
    /// `1.0` grows above the knot, `-1.0` below it.
    pub sign: f64,
}

impl Hinge {
    /// The hinge's value at `x`.
    pub fn at(&self, x: f64) -> f64 {
        let distance = self.sign * (x - self.cut);
        if distance > 0.0 { distance } else { 0.0 }
    }
}

/// A coefficient times a product of hinges; without hinges it is the intercept.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// Least-squares coefficient.
    pub coefficient: f64,
    /// Factors, at most `degree` of them, each on another variable.
    pub hinges: Vec<Hinge>,
}

/// A fitted MARS model.
#[derive(Clone, Debug, PartialEq)]
pub struct MarsModel {
    pub(super) inputs: usize,
    pub(super) terms: Vec<Term>,
    pub(super) gcv: f64,
    pub(super) rss: f64,
    pub(super) forward_columns: usize,
}

impl MarsModel {
    /// The selected terms, the intercept first.
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// Generalised cross-validation error of the selected terms; not a number when no degree of freedom is
    /// left.
    pub fn gcv(&self) -> f64 {
        self.gcv
    }

    /// Sum of squared residuals over the training rows.
    pub fn rss(&self) -> f64 {
        self.rss
    }

    /// Basis columns the forward pass had built, the constant and unused mirrors included.
    pub fn forward_columns(&self) -> usize {
        self.forward_columns
    }

    /// One prediction per row of `x`.
    pub fn predict_rows(&self, x: MatrixView<'_>) -> Result<Vec<f64>> {
        if x.cols() != self.inputs {
            let problem = format!("the model was fitted on {} inputs, got {}", self.inputs, x.cols());
            return Err(ModelError::Data { problem });
        }
        Ok(x.iter_rows().map(|row| self.predict_row(row)).collect())
    }

    pub(super) fn predict_row(&self, row: &[f64]) -> f64 {
        let value = |term: &Term| {
            term.hinges
                .iter()
                .fold(term.coefficient, |product, hinge| product * hinge.at(row[hinge.variable]))
        };
        self.terms.iter().map(value).sum()
    }
}
