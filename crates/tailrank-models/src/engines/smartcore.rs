//! Any smartcore estimator as a family.

use smartcore::{
    api::{Predictor, SupervisedEstimator},
    error::Failed,
    linalg::basic::matrix::DenseMatrix,
};

use super::own::OwnModel;
use crate::{Family, MatrixView, ModelError, ParamSpec, Params, Result};

/// Turns a smartcore estimator into a family; `build` makes smartcore's parameters from a variant's and a
/// seed.
///
/// ```
/// use smartcore::{
///     linalg::basic::matrix::DenseMatrix,
///     tree::decision_tree_regressor::{DecisionTreeRegressor, DecisionTreeRegressorParameters},
/// };
/// use tailrank_models::{
///     FitContext, Matrix, ParamKind, ParamSpec, Params, TrainSet, engines::smartcore::smartcore_family,
///     fit_grid,
/// };
///
/// const PARAMETERS: &[ParamSpec] = &[ParamSpec {
///     name: "leaf",
///     kind: ParamKind::Int { min: 1, max: i64::MAX },
///     default: "1",
///     doc: "rows in a leaf",
/// }];
/// type Tree = DecisionTreeRegressor<f64, f64, DenseMatrix<f64>, Vec<f64>>;
/// let tree = smartcore_family::<Tree, _>("tree", PARAMETERS, |v, seed| {
///     let mut p = DecisionTreeRegressorParameters::default();
///     p.min_samples_leaf = v.int("leaf", 1) as usize;
///     p.seed = Some(seed);
///     p
/// });
///
/// let x = Matrix::new(4, 1, vec![1.0, 2.0, 8.0, 9.0])?;
/// let train = TrainSet::new(x.view(), &[1.0, 3.0, 5.0, 7.0]);
/// let grid = [Params::new(), Params::new().with("leaf", 2)];
/// let fits = fit_grid(&tree, train, x.view(), &grid, &FitContext::new(1))?;
/// assert_eq!(fits[0].as_ref().unwrap().predictions, [1.0, 3.0, 5.0, 7.0]);
/// assert_eq!(fits[1].as_ref().unwrap().predictions, [2.0, 2.0, 6.0, 6.0]);
/// # Ok::<(), tailrank_models::ModelError>(())
/// ```
pub fn smartcore_family<M, P>(
    name: &'static str,
    parameters: &'static [ParamSpec],
    build: impl Fn(&Params, u64) -> P + Send + Sync,
) -> impl Family
where
    M: SupervisedEstimator<DenseMatrix<f64>, Vec<f64>, P> + Predictor<DenseMatrix<f64>, Vec<f64>>,
    P: Clone,
{
    OwnModel::new(name, parameters, move |train, test, variant, context| {
        let seed = rand::Rng::next_u64(&mut context.rng(name, &variant.to_string(), 0));
        let model = M::fit(&to_dense(train.x)?, &train.y.to_vec(), build(variant, seed));
        let test = to_dense(test)?;
        model.and_then(|model| model.predict(&test)).map_err(|e| failed(name, &e))
    })
    .engine("smartcore")
    .summary("a smartcore estimator")
}

pub(super) fn failed(family: &'static str, error: &Failed) -> ModelError {
    ModelError::numerical(family, format!("smartcore could not fit: {error}"))
}

/// Copies a matrix into smartcore's, column after column.
pub(super) fn to_dense(x: MatrixView<'_>) -> Result<DenseMatrix<f64>> {
    DenseMatrix::new(x.rows(), x.cols(), x.to_column_major(), true)
        .map_err(|e| ModelError::data(e.to_string()))
}
