//! Any smartcore estimator as a family, and `forest` by smartcore.

use rand::Rng;
use rayon::prelude::*;
use smartcore::{
    api::{Predictor, SupervisedEstimator},
    ensemble::random_forest_regressor::{RandomForestRegressor, RandomForestRegressorParameters},
    error::Failed,
    linalg::basic::matrix::DenseMatrix,
};

use super::{fit_each, guarded, own::OwnModel};
use crate::{Cost, Family, Fit, Job, MatrixView, ModelError, ParamKind, ParamSpec, Params, Result, Shape};

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

// `forest` by smartcore, in blocks of trees that are grown in parallel, each from a seed of its own.
//
// smartcore grows a forest tree after tree from one seed, so the first trees of a block are the same whatever
// the block's size, and a smaller forest is a prefix of every larger one.

/// Trees in a block.
const BLOCK: usize = 10;

const COUNT: ParamKind = ParamKind::Int { min: 1, max: u32::MAX as i64 };

const PARAMETERS: &[ParamSpec] = crate::parameters! {
    "trees" = "500", COUNT, "number of trees";
    "mtry" = "auto", COUNT, "inputs tried at each split; a third of them, at least one, unless given";
    "node_size" = "5", COUNT, "a node with this many cases or fewer is not split";
    "max_depth" = "0", ParamKind::Int { min: 0, max: u16::MAX as i64 - 1 },
        "splits on the way to any leaf; 0 for no limit";
};

type Forest = RandomForestRegressor<f64, f64, DenseMatrix<f64>, Vec<f64>>;

/// Random forest by smartcore.
#[derive(Clone, Copy, Debug)]
pub struct SmartcoreForest;

impl Family for SmartcoreForest {
    crate::family::facts! {
        name = "forest";
        engine = "smartcore";
        version = 1;
        summary = "random forest by smartcore";
        parameters = PARAMETERS;
    }

    fn estimate(&self, shape: Shape, variants: &[Params]) -> Cost {
        let tried = |v: &Params| trees_of(v) as f64 * v.int("mtry", default_mtry(shape.inputs)) as f64;
        let n = shape.train_rows as f64;
        let per_split_input = 4e-9 * n * n.max(2.0).log2();
        Cost {
            cpu_seconds: per_split_input * variants.iter().map(tried).sum::<f64>(),
            bytes: 64 * shape.train_rows * shape.inputs,
        }
    }

    fn fit_grid(&self, job: Job<'_>, variants: &[Params]) -> Vec<Result<Fit>> {
        fit_each("forest", "smartcore", job, variants, |v| grow(job, v).map(Fit::converged))
    }
}

fn trees_of(variant: &Params) -> usize {
    variant.int("trees", 500) as usize
}

fn default_mtry(inputs: usize) -> i64 {
    (inputs / 3).max(1) as i64
}

fn parameters_of(variant: &Params, inputs: usize) -> Result<RandomForestRegressorParameters> {
    let mtry = variant.int("mtry", default_mtry(inputs));
    if mtry as usize > inputs {
        let expected = format!("use at most the {inputs} inputs");
        return Err(ModelError::parameter("forest", "mtry", mtry, expected));
    }
    let max_depth = variant.int("max_depth", 0) as u16;
    Ok(RandomForestRegressorParameters {
        // smartcore counts the levels of nodes, one more than the splits on the way down.
        max_depth: (max_depth > 0).then_some(max_depth + 1),
        min_samples_leaf: 1,
        min_samples_split: variant.int("node_size", 5) as usize + 1,
        m: Some(mtry as usize),
        ..RandomForestRegressorParameters::default()
    })
}

/// The mean prediction of the trees of every block.
fn grow(job: Job<'_>, variant: &Params) -> Result<Vec<f64>> {
    let Job { train, test, context } = job;
    let parameters = parameters_of(variant, train.x.cols())?;
    let (x, y, test_rows) = (to_dense(train.x)?, train.y.to_vec(), to_dense(test)?);
    let trees = trees_of(variant);
    let block = |block: usize| {
        context.check()?;
        // The last block may be a part of one.
        let trees = BLOCK.min(trees - block * BLOCK);
        let seed = context.rng("forest", "smartcore", block as u64).next_u64();
        let parameters = parameters.clone().with_n_trees(trees).with_seed(seed);
        let mean = guarded("forest", "smartcore", || {
            let fit = Forest::fit(&x, &y, parameters);
            fit.and_then(|f| f.predict(&test_rows)).map_err(|e| failed("forest", &e))
        })?;
        Ok(mean.into_iter().map(|m| m * trees as f64).collect())
    };
    let blocks: Vec<Vec<f64>> =
        (0..trees.div_ceil(BLOCK)).into_par_iter().map(block).collect::<Result<_>>()?;
    let sum = |row: usize| blocks.iter().fold(0.0, |sum, block| sum + block[row]);
    Ok((0..test.rows()).map(|row| sum(row) / trees as f64).collect())
}
