//! `linear` by smartcore: least squares by singular values, and ridge.
//!
//! Dependent inputs share their weight (the shortest solution) where the native family leaves later ones out. smartcore
//! solves only systems with more rows than inputs.

use smartcore::{
    linalg::basic::matrix::DenseMatrix,
    linear::{
        linear_regression::{LinearRegression, LinearRegressionParameters},
        ridge_regression::{RidgeRegression, RidgeRegressionParameters, RidgeRegressionSolverName},
    },
};

use super::{guarded, smartcore::fit_predict};
use crate::{
    Cost, Family, Fit, FitContext, Matrix, MatrixView, ParamKind, ParamSpec, Params, Result, Shape, TrainSet,
    standardise::centre_and_scale,
};

const PARAMETERS: &[ParamSpec] = &[
    ParamSpec {
        name: "penalty",
        kind: ParamKind::Choice(&["none", "ridge"]),
        default: "none",
        doc: "least squares or ridge",
    },
    ParamSpec {
        name: "lambda",
        kind: ParamKind::Real { min: 0.0, above: false, max: f64::INFINITY },
        default: "0.01",
        doc: "weight of ridge's penalty, in the objective of the native family",
    },
];

type Plain = LinearRegression<f64, f64, DenseMatrix<f64>, Vec<f64>>;
type Ridge = RidgeRegression<f64, f64, DenseMatrix<f64>, Vec<f64>>;

/// Linear regression by smartcore.
#[derive(Clone, Copy, Debug)]
pub struct SmartcoreLinear;

impl Family for SmartcoreLinear {
    fn name(&self) -> &'static str {
        "linear"
    }

    fn engine(&self) -> &'static str {
        "smartcore"
    }

    fn version(&self) -> u32 {
        1
    }

    fn summary(&self) -> &'static str {
        "least squares and ridge by smartcore"
    }

    fn parameters(&self) -> &'static [ParamSpec] {
        PARAMETERS
    }

    fn estimate(&self, shape: Shape, variants: &[Params]) -> Cost {
        let (n, p) = (shape.train_rows as f64, shape.inputs as f64);
        Cost {
            cpu_seconds: 2e-8 * n * p * p * variants.len() as f64,
            bytes: 40 * shape.train_rows * shape.inputs,
        }
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
            guarded("linear", "smartcore", || match v.text("penalty", "none") {
                "ridge" => ridge(train, test, v.real("lambda", 0.01)),
                _ => fit_predict::<Plain, _>("linear", LinearRegressionParameters::default(), train, test),
            })
            .map(Fit::converged)
        };
        variants.iter().map(one).collect()
    }
}

/// smartcore's ridge has no intercept: data are centred first.
fn ridge(train: TrainSet<'_>, test: MatrixView<'_>, lambda: f64) -> Result<Vec<f64>> {
    let means: Vec<f64> = (0..train.x.cols()).map(|j| centre_and_scale(&train.x.column(j)).0).collect();
    let centred = |x: MatrixView<'_>| {
        let values = x.iter_rows().flat_map(|row| row.iter().zip(&means).map(|(v, m)| v - m)).collect();
        Matrix::new(x.rows(), x.cols(), values)
    };
    let mean = centre_and_scale(train.y).0;
    let y: Vec<f64> = train.y.iter().map(|v| v - mean).collect();
    let x = centred(train.x)?;
    let parameters = RidgeRegressionParameters {
        solver: RidgeRegressionSolverName::SVD,
        alpha: lambda * train.y.len() as f64,
        normalize: false,
    };
    let centred_train = TrainSet { x: x.view(), y: &y, weights: None };
    let predictions = fit_predict::<Ridge, _>("linear", parameters, centred_train, centred(test)?.view())?;
    Ok(predictions.into_iter().map(|v| v + mean).collect())
}
