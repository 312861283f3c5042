//! Any linfa regressor as a family.

use linfa::{
    DatasetBase,
    traits::{Fit as LinfaFit, PredictInplace},
};
use ndarray::{Array1, Array2};

use super::own::OwnModel;
use crate::{Family, MatrixView, ModelError, ParamSpec, Params, Result};

/// Turns a linfa regressor into a family; `build` makes linfa's parameters from a variant's.
///
/// ```
/// use linfa_svm::Svm;
/// use tailrank_models::{
///     FitContext, Matrix, ParamKind, ParamSpec, Params, TrainSet, engines::linfa::linfa_family, fit_grid,
/// };
///
/// const PARAMETERS: &[ParamSpec] = &[ParamSpec {
///     name: "cost",
///     kind: ParamKind::Real { min: 0.0, above: true, max: f64::INFINITY },
///     default: "1",
///     doc: "weight of errors",
/// }];
/// let linear_svm = linfa_family("linear_svm", PARAMETERS, |v| {
///     Svm::<f64, f64>::params().c_svr(v.real("cost", 1.0), Some(0.01)).linear_kernel()
/// });
///
/// let x = Matrix::new(5, 1, vec![1.0, 2.0, 3.0, 4.0, 5.0])?;
/// let train = TrainSet::new(x.view(), &[2.0, 4.0, 6.0, 8.0, 10.0]);
/// let grid = [Params::new().with("cost", 1.0), Params::new().with("cost", 100.0)];
/// let fits = fit_grid(&linear_svm, train, x.view(), &grid, &FitContext::new(1))?;
/// assert!((fits[1].as_ref().unwrap().predictions[2] - 6.0).abs() < 0.02);
/// # Ok::<(), tailrank_models::ModelError>(())
/// ```
pub fn linfa_family<P, E>(
    name: &'static str,
    parameters: &'static [ParamSpec],
    build: impl Fn(&Params) -> P + Send + Sync,
) -> impl Family
where
    P: LinfaFit<Array2<f64>, Array1<f64>, E>,
    P::Object: PredictInplace<Array2<f64>, Array1<f64>>,
    E: std::error::Error + From<linfa::Error>,
{
    OwnModel::new(name, parameters, move |train, test, variant, _| {
        let data = DatasetBase::new(to_array(train.x)?, Array1::from(train.y.to_vec()));
        let failed = |e: E| ModelError::numerical(name, format!("linfa could not fit: {e}"));
        let model = build(variant).fit(&data).map_err(failed)?;
        let test = to_array(test)?;
        let mut out = model.default_target(&test);
        model.predict_inplace(&test, &mut out);
        Ok(out.to_vec())
    })
    .engine("linfa")
    .summary("a linfa regressor")
}

/// Copies a matrix into an ndarray.
pub(crate) fn to_array(x: MatrixView<'_>) -> Result<Array2<f64>> {
    Array2::from_shape_vec((x.rows(), x.cols()), x.as_slice().to_vec())
        .map_err(|e| ModelError::data(e.to_string()))
}
