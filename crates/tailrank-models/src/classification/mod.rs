//! Learners of two classes: Monte Carlo Sampling of prototypes (OARP11) and linfa's decision tree.
//!
//! Classes are no numbers to be wrong by, so these learners stand beside the [`Family`](crate::Family) of
//! regression.

mod monte_carlo;
mod tree;

pub use monte_carlo::{Candidate, Criterion, MonteCarloSampling, Prototypes, Search};
pub use tree::DecisionTree;

use crate::{MatrixView, ModelError, Result};

/// Rows of two classes.
#[derive(Clone, Copy, Debug)]
pub struct ClassSet<'a> {
    /// Inputs, one row per case.
    pub x: MatrixView<'a>,
    /// Whether each row is of the positive class.
    pub positive: &'a [bool],
}

impl<'a> ClassSet<'a> {
    /// Rows and their classes; every row has one, and inputs are finite.
    pub fn new(x: MatrixView<'a>, positive: &'a [bool]) -> Result<Self> {
        if x.rows() != positive.len() {
            return Err(ModelError::data(format!("{} rows but {} classes", x.rows(), positive.len())));
        }
        check_finite(x)?;
        Ok(Self { x, positive })
    }

    /// Rows of the negative and of the positive class, in order; every learner needs both, and an input.
    fn check_learnable(self) -> Result<[Vec<usize>; 2]> {
        let of = |class: bool| (0..self.positive.len()).filter(|&i| self.positive[i] == class).collect();
        let classes: [Vec<usize>; 2] = [of(false), of(true)];
        let inputs = self.x.cols();
        if inputs == 0 || classes.iter().any(Vec::is_empty) {
            let [negative, positive] = classes.map(|c| c.len());
            let problem =
                format!("{negative} negative and {positive} positive training rows × {inputs} inputs");
            return Err(ModelError::data(format!("{problem}: each must be at least 1")));
        }
        Ok(classes)
    }
}

fn check_finite(x: MatrixView<'_>) -> Result<()> {
    let fail = |(row, col, value)| ModelError::data(format!("input row {row}, column {col} is {value}"));
    x.first_not_finite().map_or(Ok(()), |found| Err(fail(found)))
}

fn check_columns(train: ClassSet<'_>, test: MatrixView<'_>) -> Result<()> {
    check_finite(test)?;
    check_inputs("test rows", test, "training rows", train.x.cols())
}

fn check_inputs(rows: &str, x: MatrixView<'_>, learned: &str, inputs: usize) -> Result<()> {
    if x.cols() == inputs {
        return Ok(());
    }
    Err(ModelError::data(format!("{rows} have {} inputs, {learned} {inputs}", x.cols())))
}
