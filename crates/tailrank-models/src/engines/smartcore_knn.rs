//! `knn` by smartcore's linear search.

use smartcore::{
    algorithm::neighbour::KNNAlgorithmName,
    linalg::basic::matrix::DenseMatrix,
    metrics::distance::{Distances, euclidian::Euclidian, manhattan::Manhattan},
    neighbors::{
        KNNWeightFunction,
        knn_regressor::{KNNRegressor, KNNRegressorParameters},
    },
};

use super::{guarded, smartcore::fit_predict};
use crate::{
    Cost, Family, Fit, FitContext, MatrixView, ModelError, ParamKind, ParamSpec, Params, Result, Shape,
    TrainSet,
};

const PARAMETERS: &[ParamSpec] = &[
    ParamSpec {
        name: "k",
        kind: ParamKind::Int { min: 1, max: i64::MAX },
        default: "5",
        doc: "neighbours; at most the number of training rows",
    },
    ParamSpec {
        name: "distance",
        kind: ParamKind::Choice(&["euclidean", "manhattan"]),
        default: "euclidean",
        doc: "how far two rows are apart",
    },
    ParamSpec {
        name: "weights",
        kind: ParamKind::Choice(&["uniform", "inverse"]),
        default: "uniform",
        doc: "inverse: a neighbour counts 1/distance",
    },
];

type Nearest<D> = KNNRegressor<f64, f64, DenseMatrix<f64>, Vec<f64>, D>;

/// Nearest-neighbour regression by smartcore.
#[derive(Clone, Copy, Debug)]
pub struct SmartcoreKnn;

impl Family for SmartcoreKnn {
    fn name(&self) -> &'static str {
        "knn"
    }

    fn engine(&self) -> &'static str {
        "smartcore"
    }

    fn version(&self) -> u32 {
        1
    }

    fn summary(&self) -> &'static str {
        "mean target of the k nearest training rows, by smartcore"
    }

    fn parameters(&self) -> &'static [ParamSpec] {
        PARAMETERS
    }

    fn estimate(&self, shape: Shape, variants: &[Params]) -> Cost {
        let pairs = (shape.train_rows * shape.test_rows) as f64;
        let seconds = 2e-9 * pairs * (shape.inputs as f64 + 10.0) * variants.len() as f64;
        Cost { cpu_seconds: seconds, bytes: 24 * shape.train_rows * shape.inputs }
    }

    fn fit_grid(
        &self,
        train: TrainSet<'_>,
        test: MatrixView<'_>,
        variants: &[Params],
        context: &FitContext,
    ) -> Vec<Result<Fit>> {
        let one = |v: &Params| {
            context.check()?;
            guarded("knn", "smartcore", || fit(v, train, test)).map(Fit::converged)
        };
        variants.iter().map(one).collect()
    }
}

fn fit(variant: &Params, train: TrainSet<'_>, test: MatrixView<'_>) -> Result<Vec<f64>> {
    let k = variant.int("k", 5);
    if k as usize > train.y.len() {
        return Err(ModelError::Parameter {
            family: "knn",
            name: "k".into(),
            value: k.to_string(),
            expected: format!("use at most the {} training rows", train.y.len()),
        });
    }
    let weight = match variant.text("weights", "uniform") {
        "inverse" => KNNWeightFunction::Distance,
        _ => KNNWeightFunction::Uniform,
    };
    let base = KNNRegressorParameters::default()
        .with_k(k as usize)
        .with_algorithm(KNNAlgorithmName::LinearSearch)
        .with_weight(weight);
    match variant.text("distance", "euclidean") {
        "manhattan" => {
            let parameters = base.with_distance(Distances::manhattan());
            fit_predict::<Nearest<Manhattan<f64>>, _>("knn", parameters, train, test)
        }
        _ => fit_predict::<Nearest<Euclidian<f64>>, _>("knn", base, train, test),
    }
}
