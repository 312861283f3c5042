//! What a family learns from.

use crate::{MatrixView, ModelError, Result};

/// Training inputs, targets and case weights.
///
/// ```
/// use tailrank_models::{FitContext, Matrix, Params, TrainSet, family, fit_grid};
///
/// let x = Matrix::from_rows(&[[1.0], [2.0], [3.0]])?;
/// let train = TrainSet::new(x.view(), &[1.0, 2.0, 6.0]).with_weights(&[1.0, 1.0, 2.0]);
/// let fits = fit_grid(family("baseline", None)?, train, x.view(), &[Params::new()], &FitContext::new(1))?;
/// assert_eq!(fits[0].as_ref().unwrap().predictions, [3.75; 3]);
/// # Ok::<(), tailrank_models::ModelError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TrainSet<'a> {
    /// Inputs, one row per case.
    pub x: MatrixView<'a>,
    /// Targets, parallel to the rows.
    pub y: &'a [f64],
    /// How much each row counts, parallel to the rows: a row of weight 2 counts as two equal rows. `None`:
    /// each counts 1.
    pub weights: Option<&'a [f64]>,
}

impl<'a> TrainSet<'a> {
    /// Rows that count alike.
    pub fn new(x: MatrixView<'a>, y: &'a [f64]) -> Self {
        Self { x, y, weights: None }
    }

    /// The same rows with a weight for each.
    #[must_use]
    pub fn with_weights(self, weights: &'a [f64]) -> Self {
        Self { weights: Some(weights), ..self }
    }

    /// How much row `i` counts.
    #[inline]
    pub(crate) fn weight(self, i: usize) -> f64 {
        self.weights.map_or(1.0, |w| w[i])
    }

    /// Sum of the weights: the number of rows where they count alike.
    pub(crate) fn cases(self) -> f64 {
        self.weights.map_or(self.y.len() as f64, |w| w.iter().sum())
    }

    /// Checks that rows, targets and test rows fit together and that every value is finite.
    pub(crate) fn check(self, test: MatrixView<'_>) -> Result<()> {
        let fail = |problem: String| Err(ModelError::data(problem));
        let (rows, inputs) = (self.x.rows(), self.x.cols());
        if rows != self.y.len() {
            return fail(format!("{rows} training rows but {} targets", self.y.len()));
        }
        if rows == 0 || inputs == 0 {
            return fail(format!("{rows} training rows × {inputs} inputs: both must be at least 1"));
        }
        if test.cols() != inputs {
            return fail(format!("test rows have {} inputs, training rows {inputs}", test.cols()));
        }
        if let Some(i) = self.y.iter().position(|v| !v.is_finite()) {
            return fail(format!("training target row {} is {}", i + 1, self.y[i]));
        }
        for (name, x) in [("training", self.x), ("test", test)] {
            if let Some((row, col, value)) = x.first_not_finite() {
                return fail(format!("{name} input row {row}, column {col} is {value}"));
            }
        }
        Ok(())
    }
}
