//! The network as a family; each variant is fitted alone.

use rayon::prelude::*;

use super::Nnet;
use crate::{
    Cost, Family, Fit, FitContext, MatrixView, ParamKind, ParamSpec, Params, Result, Shape, TrainSet,
};

const NOT_NEGATIVE: ParamKind = ParamKind::Real { min: 0.0, above: false, max: f64::INFINITY };
const COUNT: ParamKind = ParamKind::Int { min: 1, max: 1_000_000_000 };

const PARAMETERS: &[ParamSpec] = &[
    ParamSpec {
        name: "abstol",
        kind: NOT_NEGATIVE,
        default: "0.0001",
        doc: "stop when the objective is at most this",
    },
    ParamSpec {
        name: "arithmetic",
        kind: ParamKind::Choice(&["fast", "sequential"]),
        default: "fast",
        doc: "order of additions; sequential equals R to the last bit",
    },
    ParamSpec {
        name: "bfgs_weights",
        kind: ParamKind::Int { min: 0, max: 100_000 },
        default: "2000",
        doc: "networks with more weights use L-BFGS",
    },
    ParamSpec {
        name: "decay",
        kind: NOT_NEGATIVE,
        default: "0",
        doc: "penalty on every squared weight, biases included",
    },
    ParamSpec {
        name: "max_weights",
        kind: COUNT,
        default: "1000000",
        doc: "refuse networks with more weights",
    },
    ParamSpec {
        name: "maxit",
        kind: ParamKind::Int { min: 0, max: 1_000_000_000 },
        default: "100",
        doc: "most iterations",
    },
    ParamSpec {
        name: "r_seed",
        kind: ParamKind::Int { min: i32::MIN as i64, max: i32::MAX as i64 },
        default: "auto",
        doc: "start from the weights R draws after set.seed; auto: from the experiment's seed",
    },
    ParamSpec {
        name: "rang",
        kind: NOT_NEGATIVE,
        default: "0.7",
        doc: "starting weights are uniform on ± this",
    },
    ParamSpec {
        name: "reltol",
        kind: NOT_NEGATIVE,
        default: "1e-8",
        doc: "stop when a step changes the objective by less than this share",
    },
    ParamSpec {
        name: "restarts",
        kind: ParamKind::Int { min: 1, max: 1_000_000 },
        default: "1",
        doc: "random starts; the smallest objective is kept",
    },
    ParamSpec {
        name: "size",
        kind: ParamKind::Int { min: 0, max: 1_000_000_000 },
        default: "5",
        doc: "hidden units; 0 only with a skip layer",
    },
    ParamSpec { name: "skip", kind: ParamKind::Flag, default: "false", doc: "join inputs to the output" },
];

/// The family `nnet`.
///
/// ```
/// use tailrank_models::{FitContext, Matrix, Params, TrainSet, fit_grid, nnet::NnetFamily};
///
/// let x = Matrix::new(40, 1, (0..40).map(|i| f64::from(i) / 20.0 - 1.0).collect())?;
/// let y: Vec<f64> = x.view().as_slice().iter().map(|x| x.tanh()).collect();
/// let grid: Vec<Params> = [0.01, 0.1].map(|d| Params::new().with("size", 3).with("decay", d)).into();
/// let train = TrainSet { x: x.view(), y: &y, weights: None };
/// let fits = fit_grid(&NnetFamily, train, x.view(), &grid, &FitContext::new(1))?;
/// assert!((fits[0].as_ref().unwrap().predictions[20] - y[20]).abs() < 0.1);
/// # Ok::<(), tailrank_models::ModelError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct NnetFamily;

impl Family for NnetFamily {
    fn name(&self) -> &'static str {
        "nnet"
    }

    fn version(&self) -> u32 {
        1
    }

    fn summary(&self) -> &'static str {
        "network with one hidden layer fitted by BFGS, as R's nnet"
    }

    fn parameters(&self) -> &'static [ParamSpec] {
        PARAMETERS
    }

    fn estimate(&self, shape: Shape, variants: &[Params]) -> Cost {
        let nets: Vec<Nnet> = variants.iter().map(Nnet::from_params).collect();
        let operations = nets.iter().map(|n| n.estimate_operations(shape.inputs, shape.train_rows));
        let bytes = nets.iter().map(|n| n.estimate_bytes(shape.inputs, shape.train_rows));
        Cost { cpu_seconds: operations.sum::<f64>() / 8e9, bytes: bytes.max().unwrap_or(0) }
    }

    fn fit_grid(
        &self,
        train: TrainSet<'_>,
        test: MatrixView<'_>,
        variants: &[Params],
        context: &FitContext,
    ) -> Vec<Result<Fit>> {
        variants.par_iter().map(|variant| fit_one(train, test, variant, context)).collect()
    }
}

fn fit_one(train: TrainSet<'_>, test: MatrixView<'_>, variant: &Params, context: &FitContext) -> Result<Fit> {
    let (model, start) = Nnet::from_params(variant).fit_in(train, context)?;
    Ok(Fit {
        predictions: model.predict_rows(test)?,
        converged: model.converged(),
        details: vec![
            ("objective", model.objective()),
            ("iterations", model.iterations() as f64),
            ("weights", model.weights().len() as f64),
            ("best_start", start as f64),
        ],
    })
}
