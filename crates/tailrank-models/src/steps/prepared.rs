//! What a family learns from once the steps are applied.

use std::borrow::Cow;

use super::context::{Rows, StepContext};
use crate::{Matrix, MatrixView, Result, TrainSet};

/// Inputs that are the training rows' own, or new.
#[derive(Clone, Debug)]
pub(super) enum Inputs<'a> {
    Borrowed(MatrixView<'a>),
    Owned(Matrix),
}

impl Inputs<'_> {
    pub(super) fn view(&self) -> MatrixView<'_> {
        match self {
            Self::Borrowed(view) => *view,
            Self::Owned(matrix) => matrix.view(),
        }
    }
}

/// Rows and weights after the steps of a recipe that come before the family.
#[derive(Clone, Debug)]
pub struct Prepared<'a> {
    pub(super) x: Inputs<'a>,
    pub(super) y: Cow<'a, [f64]>,
    pub(super) weights: Option<Cow<'a, [f64]>>,
    /// The training rows each row was made of: twice the same for a row that is one of them.
    pub parents: Vec<[usize; 2]>,
    /// Whether the limit on the grown size held back some rows.
    pub limited: bool,
    /// Rare bumps left as they were because they have a single row.
    pub single_rows: usize,
}

impl<'a> Prepared<'a> {
    /// The rows as they are.
    pub(super) fn unchanged(rows: Rows<'a>) -> Self {
        let parents = rows.of.iter().map(|&row| [row, row]).collect();
        Self { x: rows.x, y: rows.y, weights: rows.weights, parents, limited: false, single_rows: 0 }
    }

    /// Some of the rows, by their places; a place given twice is a row that counts twice.
    pub fn of_rows(rows: &Rows<'a>, chosen: &[usize]) -> Result<Self> {
        let x = rows.x.view().select(chosen)?;
        let y = chosen.iter().map(|&row| rows.y[row]).collect();
        Ok(Self::new(x, y, chosen.iter().map(|&row| [rows.of[row]; 2]).collect()))
    }

    /// New rows, each with the training rows it was made of.
    pub fn new(x: Matrix, y: Vec<f64>, parents: Vec<[usize; 2]>) -> Self {
        let (x, y) = (Inputs::Owned(x), y.into());
        Self { x, y, weights: None, parents, limited: false, single_rows: 0 }
    }

    /// Inputs.
    pub fn x(&self) -> MatrixView<'_> {
        self.x.view()
    }

    /// Targets.
    pub fn y(&self) -> &[f64] {
        &self.y
    }

    /// Weights, where a step gave some.
    pub fn weights(&self) -> Option<&[f64]> {
        self.weights.as_deref()
    }

    /// As a training set.
    pub fn train_set(&self) -> TrainSet<'_> {
        TrainSet { x: self.x(), y: &self.y, weights: self.weights() }
    }

    /// The label interval of each row: from the first to the last moment the labels of its parents depend on.
    pub fn labels(&self, context: &StepContext<'_>) -> Option<Vec<(i64, i64)>> {
        let labels = context.labels?;
        let both = |[a, b]: [usize; 2]| (labels[a].0.min(labels[b].0), labels[a].1.max(labels[b].1));
        Some(self.parents.iter().map(|&parents| both(parents)).collect())
    }
}
