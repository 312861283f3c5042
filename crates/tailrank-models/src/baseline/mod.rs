//! Family `baseline`: what every model should beat.
//!
//! | kind | prediction |
//! |---|---|
//! | `zero` | 0 |
//! | `mean` | the training targets' mean |
//! | `last` | the first input, which in a return embedding is the latest known return R_h(t) |
//! | `ar` | autoregression: least squares with an intercept on the first `order` inputs |
//! | `extreme_high` | the training targets' quantile at `level`, for every row |
//! | `extreme_low` | the training targets' quantile at 1 − `level`, for every row |
//!
//! Quantiles interpolate linearly between order statistics (R's type 7).

use crate::{
    Cost, Family, Fit, FitContext, Matrix, MatrixView, ModelError, ParamKind, ParamSpec, Params, Result,
    Shape, TrainSet, linear::least_squares, standardise::centre_and_scale,
};

/// Default `order`.
const ORDER: i64 = 1;
/// Default `level`.
const LEVEL: f64 = 0.95;

const PARAMETERS: &[ParamSpec] = &[
    ParamSpec {
        name: "kind",
        kind: ParamKind::Choice(&["zero", "mean", "last", "ar", "extreme_high", "extreme_low"]),
        default: "mean",
        doc: "what is predicted: 0, the training mean, the first input, an autoregression, or always an extreme",
    },
    ParamSpec {
        name: "order",
        kind: ParamKind::Int { min: 1, max: i64::MAX },
        default: "1",
        doc: "how many of the first inputs kind = ar uses",
    },
    ParamSpec {
        name: "level",
        kind: ParamKind::Real { min: 0.5, above: false, max: 1.0 },
        default: "0.95",
        doc: "the extremes are the training quantiles at level (high) and 1 - level (low)",
    },
];

/// Predictions without a model worth the name.
#[derive(Clone, Copy, Debug)]
pub struct Baseline;

impl Family for Baseline {
    fn name(&self) -> &'static str {
        "baseline"
    }

    fn version(&self) -> u32 {
        1
    }

    fn summary(&self) -> &'static str {
        "zero, training mean, last value, AR(p), always an extreme"
    }

    fn parameters(&self) -> &'static [ParamSpec] {
        PARAMETERS
    }

    /// All variants are cheap: one cell holds them.
    fn sharing_key(&self, variant: &Params) -> String {
        variant.without(&["kind", "order", "level"]).to_string()
    }

    fn estimate(&self, shape: Shape, variants: &[Params]) -> Cost {
        let squares =
            variants.iter().map(|v| v.int("order", ORDER).min(shape.inputs as i64).pow(2)).sum::<i64>();
        Cost {
            cpu_seconds: 1e-8 * shape.train_rows as f64 * squares as f64,
            bytes: 16 * shape.train_rows * shape.inputs,
        }
    }

    fn fit_grid(
        &self,
        train: TrainSet<'_>,
        test: MatrixView<'_>,
        variants: &[Params],
        _: &FitContext,
    ) -> Vec<Result<Fit>> {
        variants.iter().map(|v| predict(train, test, v).map(Fit::converged)).collect()
    }
}

fn predict(train: TrainSet<'_>, test: MatrixView<'_>, variant: &Params) -> Result<Vec<f64>> {
    let constant = |v: f64| Ok(vec![v; test.rows()]);
    let level = variant.real("level", LEVEL);
    match variant.text("kind", "mean") {
        "zero" => constant(0.0),
        "last" => Ok(test.iter_rows().map(|r| r[0]).collect()),
        "ar" => autoregression(train, test, variant.int("order", ORDER)),
        "extreme_high" => constant(quantile(train.y, level)),
        "extreme_low" => constant(quantile(train.y, 1.0 - level)),
        _ => constant(centre_and_scale(train.y).0),
    }
}

fn autoregression(train: TrainSet<'_>, test: MatrixView<'_>, order: i64) -> Result<Vec<f64>> {
    let inputs = train.x.cols();
    let order =
        usize::try_from(order).ok().filter(|o| *o <= inputs).ok_or_else(|| ModelError::Parameter {
            family: "baseline",
            name: "order".into(),
            value: order.to_string(),
            expected: format!("use at most the {inputs} inputs"),
        })?;
    let first =
        |x: MatrixView<'_>| Matrix::from_rows(&x.iter_rows().map(|r| &r[..order]).collect::<Vec<_>>());
    let x = first(train.x)?;
    if test.rows() == 0 {
        return Ok(Vec::new());
    }
    Ok(least_squares(TrainSet { x: x.view(), y: train.y, weights: None }).predict(first(test)?.view()))
}

/// R's type 7 quantile of at least one value.
fn quantile(values: &[f64], level: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let place = level * (sorted.len() - 1) as f64;
    let (below, share) = (place.floor() as usize, place.fract());
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + share * (sorted[above] - sorted[below])
}
