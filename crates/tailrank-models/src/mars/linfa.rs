//! MARS for users of linfa: the settings fit a linfa dataset, the model predicts ndarray records.

use linfa::{
    DatasetBase,
    dataset::AsSingleTargets,
    traits::{Fit, PredictInplace},
};
use ndarray::{Array1, ArrayBase, Data, Ix2};

use super::{Mars, MarsModel};
use crate::{Matrix, ModelError, Result};

/// ```
/// use linfa::{Dataset, traits::{Fit, Predict}};
/// use ndarray::Array;
/// use tailrank_models::mars::Mars;
///
/// let x = Array::linspace(0.0, 1.0, 60).into_shape_with_order((60, 1)).unwrap();
/// let y = x.column(0).mapv(|x: f64| (x - 0.5).abs());
/// let model = Mars::new().fit(&Dataset::new(x.clone(), y.clone()))?;
/// let fitted = model.predict(&x);
/// assert!((&fitted - &y).iter().all(|d| d.abs() < 0.05));
/// # Ok::<(), tailrank_models::ModelError>(())
/// ```
impl<D, T> Fit<ArrayBase<D, Ix2>, T, ModelError> for Mars
where
    D: Data<Elem = f64>,
    T: AsSingleTargets<Elem = f64>,
{
    type Object = MarsModel;

    fn fit(&self, dataset: &DatasetBase<ArrayBase<D, Ix2>, T>) -> Result<MarsModel> {
        let (x, y) = rows_and_targets(dataset)?;
        self.fit_rows(x.view(), &y)
    }
}

/// Records with another number of inputs than the model was fitted on are predicted as NaN.
impl<D: Data<Elem = f64>> PredictInplace<ArrayBase<D, Ix2>, Array1<f64>> for MarsModel {
    fn predict_inplace(&self, x: &ArrayBase<D, Ix2>, y: &mut Array1<f64>) {
        predict_into(x, y, |rows| self.predict_rows(rows.view()));
    }

    fn default_target(&self, x: &ArrayBase<D, Ix2>) -> Array1<f64> {
        Array1::zeros(x.nrows())
    }
}

impl From<linfa::Error> for ModelError {
    fn from(error: linfa::Error) -> Self {
        Self::Data { problem: error.to_string() }
    }
}

/// Copies a linfa dataset into this crate's types.
pub(crate) fn rows_and_targets<D, T>(
    dataset: &DatasetBase<ArrayBase<D, Ix2>, T>,
) -> Result<(Matrix, Vec<f64>)>
where
    D: Data<Elem = f64>,
    T: AsSingleTargets<Elem = f64>,
{
    Ok((matrix(dataset.records())?, dataset.as_single_targets().to_vec()))
}

/// Fills `y` with predictions, or with NaN where they cannot be made: linfa's traits have no room for an error.
pub(crate) fn predict_into<D: Data<Elem = f64>>(
    x: &ArrayBase<D, Ix2>,
    y: &mut Array1<f64>,
    predict: impl Fn(&Matrix) -> Result<Vec<f64>>,
) {
    *y = match matrix(x).and_then(|rows| predict(&rows)) {
        Ok(predictions) => Array1::from_vec(predictions),
        Err(_) => Array1::from_elem(x.nrows(), f64::NAN),
    };
}

fn matrix<D: Data<Elem = f64>>(x: &ArrayBase<D, Ix2>) -> Result<Matrix> {
    Matrix::new(x.nrows(), x.ncols(), x.iter().copied().collect())
}
