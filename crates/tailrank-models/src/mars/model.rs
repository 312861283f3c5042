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
    /// The selected terms, the intercept first.
    pub terms: Vec<Term>,
    /// Generalised cross-validation error of the selected terms; not a number when no degree of freedom is
    /// left.
    pub gcv: f64,
    /// Sum of squared residuals over the training rows.
    pub rss: f64,
    /// Basis columns the forward pass had built, the constant and unused mirrors included.
    pub forward_columns: usize,
}

impl MarsModel {
    /// One prediction per row of `x`.
    pub fn predict_rows(&self, x: MatrixView<'_>) -> Result<Vec<f64>> {
        let (fitted, given) = (self.inputs, x.cols());
        if given != fitted {
            return Err(ModelError::data(format!("the model was fitted on {fitted} inputs, got {given}")));
        }
        let value = |term: &Term, row: &[f64]| {
            term.hinges.iter().fold(term.coefficient, |product, h| product * h.at(row[h.variable]))
        };
        Ok(x.iter_rows().map(|row| self.terms.iter().map(|term| value(term, row)).sum()).collect())
    }
}
