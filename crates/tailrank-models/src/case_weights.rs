//! Rows that count.

use crate::{Matrix, TrainSet};

/// The rows of a training set whose case weight is above zero, copied.
pub(crate) struct Positive {
    x: Matrix,
    y: Vec<f64>,
    weights: Vec<f64>,
}

impl Positive {
    pub(crate) fn train(&self) -> TrainSet<'_> {
        TrainSet { x: self.x.view(), y: &self.y, weights: Some(&self.weights) }
    }
}

/// What is left without the rows of weight zero; none if there is no such row.
pub(crate) fn positive(train: TrainSet<'_>) -> Option<Positive> {
    let weights = train.weights.filter(|w| w.contains(&0.0))?;
    let kept = || (0..weights.len()).filter(|&i| weights[i] > 0.0);
    let values: Vec<f64> = kept().flat_map(|i| train.x.row(i)).copied().collect();
    let x = Matrix::new(kept().count(), train.x.cols(), values).ok()?;
    Some(Positive {
        x,
        y: kept().map(|i| train.y[i]).collect(),
        weights: kept().map(|i| weights[i]).collect(),
    })
}
