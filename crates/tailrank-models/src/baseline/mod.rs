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
//! Quantiles interpolate linearly between order statistics (R's type 7); with weights they are those of rows
//! repeated as often as they weigh (Hmisc's `wtd.quantile`).
//!
#![doc = include_str!("parameters.md")]

use crate::{
    Cost, Family, Fit, Job, Matrix, MatrixView, ModelError, ParamKind, ParamSpec, Params, Result, Shape,
    TrainSet, linear::least_squares, standardise::centre_and_scale,
};

/// Default `order`.
const ORDER: i64 = 1;
/// Default `level`.
const LEVEL: f64 = 0.95;

const PARAMETERS: &[ParamSpec] = crate::parameters! {
    "kind" = "mean", ParamKind::Choice(&["zero", "mean", "last", "ar", "extreme_high", "extreme_low"]),
        "what is predicted: 0, the training mean, the first input, an autoregression, or always an extreme";
    "order" = "1", ParamKind::Int { min: 1, max: i64::MAX }, "how many of the first inputs kind = ar uses";
    "level" = "0.95", ParamKind::Real { min: 0.5, above: false, max: 1.0 },
        "the extremes are the training quantiles at level (high) and 1 - level (low)";
};

/// Predictions without a model worth the name.
#[derive(Clone, Copy, Debug)]
pub struct Baseline;

impl Family for Baseline {
    crate::family::facts! {
        name = "baseline";
        version = 1;
        is_baseline = true;
        summary = "zero, training mean, last value, AR(p), always an extreme";
        takes_weights = true;
        parameters = PARAMETERS;
        /// All variants are cheap: one cell holds them.
        free_parameters = &["kind", "order", "level"];
    }

    fn estimate(&self, shape: Shape, variants: &[Params]) -> Cost {
        let squares =
            variants.iter().map(|v| v.int("order", ORDER).min(shape.inputs as i64).pow(2)).sum::<i64>();
        Cost {
            cpu_seconds: 1e-8 * shape.train_rows as f64 * squares as f64,
            bytes: 16 * shape.train_rows * shape.inputs,
        }
    }

    fn fit_grid(&self, job: Job<'_>, variants: &[Params]) -> Vec<Result<Fit>> {
        variants.iter().map(|v| predict(job.train, job.test, v).map(Fit::converged)).collect()
    }
}

fn predict(train: TrainSet<'_>, test: MatrixView<'_>, variant: &Params) -> Result<Vec<f64>> {
    let constant = |v: f64| Ok(vec![v; test.rows()]);
    let level = variant.real("level", LEVEL);
    match variant.text("kind", "mean") {
        "zero" => constant(0.0),
        "last" => Ok(test.iter_rows().map(|r| r[0]).collect()),
        "ar" => autoregression(train, test, variant.int("order", ORDER)),
        "extreme_high" => constant(quantile(train, level)),
        "extreme_low" => constant(quantile(train, 1.0 - level)),
        _ => constant(centre_and_scale(train.y, train.weights).0),
    }
}

fn autoregression(train: TrainSet<'_>, test: MatrixView<'_>, order: i64) -> Result<Vec<f64>> {
    let inputs = train.x.cols();
    let order = usize::try_from(order).ok().filter(|o| *o <= inputs).ok_or_else(|| {
        ModelError::parameter("baseline", "order", order, format!("use at most the {inputs} inputs"))
    })?;
    let first = |x: MatrixView<'_>| {
        Matrix::new(x.rows(), order, x.iter_rows().flat_map(|r| &r[..order]).copied().collect())
    };
    let x = first(train.x)?;
    Ok(least_squares(TrainSet { x: x.view(), ..train }).predict(first(test)?.view()))
}

/// R's type 7 quantile of the targets.
fn quantile(train: TrainSet<'_>, level: f64) -> f64 {
    let mut sorted: Vec<(f64, f64)> = (0..train.y.len()).map(|i| (train.y[i], train.weight(i))).collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut cases = 0.0;
    for (_, weight) in &mut sorted {
        cases += *weight;
        *weight = cases;
    }
    let place = level * (cases - 1.0).max(0.0);
    // The case at a whole number of cases from the lowest.
    let at = |place: f64| {
        let row = sorted.partition_point(|(_, up_to)| *up_to <= place).min(sorted.len() - 1);
        sorted[row].0
    };
    let (below, above) = (at(place.floor()), at(place.floor() + 1.0));
    below + place.fract() * (above - below)
}
