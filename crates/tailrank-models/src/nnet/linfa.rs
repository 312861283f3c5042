//! The network for users of linfa: the settings fit a linfa dataset, the model predicts ndarray records.

use linfa::{
    DatasetBase,
    dataset::AsSingleTargets,
    traits::{Fit, PredictInplace},
};
use ndarray::{Array1, ArrayBase, Data, Ix2};

use super::{Nnet, NnetModel};
use crate::{
    ModelError, Result,
    mars::linfa::{predict_into, rows_and_targets},
};

/// ```
/// use linfa::{Dataset, traits::{Fit, Predict}};
/// use ndarray::Array;
/// use tailrank_models::nnet::Nnet;
///
/// let x = Array::linspace(-1.0, 1.0, 50).into_shape_with_order((50, 1)).unwrap();
/// let y = x.column(0).mapv(|x: f64| (3.0 * x).sin());
/// let net = Nnet::new(4).decay(1e-4).maxit(500).fit(&Dataset::new(x.clone(), y.clone()))?;
/// let fitted = net.predict(&x);
/// assert!((&fitted - &y).iter().all(|d| d.abs() < 0.1));
/// # Ok::<(), tailrank_models::ModelError>(())
/// ```
impl<D, T> Fit<ArrayBase<D, Ix2>, T, ModelError> for Nnet
where
    D: Data<Elem = f64>,
    T: AsSingleTargets<Elem = f64>,
{
    type Object = NnetModel;

    fn fit(&self, dataset: &DatasetBase<ArrayBase<D, Ix2>, T>) -> Result<NnetModel> {
        let (x, y) = rows_and_targets(dataset)?;
        self.fit_rows(x.view(), &y)
    }
}

/// Records with another number of inputs than the network was fitted on are predicted as NaN.
impl<D: Data<Elem = f64>> PredictInplace<ArrayBase<D, Ix2>, Array1<f64>> for NnetModel {
    fn predict_inplace(&self, x: &ArrayBase<D, Ix2>, y: &mut Array1<f64>) {
        predict_into(x, y, |rows| self.predict_rows(rows.view()));
    }

    fn default_target(&self, x: &ArrayBase<D, Ix2>) -> Array1<f64> {
        Array1::zeros(x.nrows())
    }
}
