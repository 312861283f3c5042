//! Family `linear`: least squares, ridge, lasso and elastic net.
//!
//! All penalised fits minimise one objective, that of glmnet and of scikit-learn's `ElasticNet`:
//!
//! ```text
//! 1/(2n) · ‖y − b₀ − Xb‖² + lambda · ( l1_ratio · ‖b‖₁ + (1 − l1_ratio)/2 · ‖b‖² )
//! ```
//!
//! with the intercept b₀ free of penalty; `ridge` is l1_ratio = 0 (scikit-learn's `Ridge` writes it without
//! the 1/(2n), so its alpha is n · lambda) and `lasso` is l1_ratio = 1. Inputs are penalised as they are, as
//! in scikit-learn; `standardise = true` scales them first, as glmnet does (with n − 1 in the standard
//! deviation where glmnet has n).
//!
//! With case weights wᵢ the first term is 1/(2Σw) · Σ wᵢ (yᵢ − b₀ − xᵢb)², as in scikit-learn.
//!
//! On many values one pass over the rows gives the correlations that every variant of a grid is solved from,
//! unless the inputs come near to depending on each other. On few, or near dependence, least squares takes
//! Householder's reflections and ridge one singular value decomposition for every lambda.
//!
#![doc = include_str!("parameters.md")]

mod coordinate_descent;
mod design;
mod gram;
mod least_squares;
mod ridge;

use std::sync::OnceLock;

use crate::{Cost, Family, Fit, Job, ModelError, ParamKind, ParamSpec, Params, Result, Shape};

use coordinate_descent::descend;
pub(crate) use design::Line;
use gram::Gram;
pub(crate) use least_squares::least_squares;
use ridge::RidgePath;

/// Default `lambda`.
const LAMBDA: f64 = 0.01;
/// Inputs of this many values are fitted from one pass over the rows; for fewer the more exact ways cost
/// little.
const MANY_VALUES: usize = 1 << 15;
/// Default `l1_ratio`.
const L1_RATIO: f64 = 0.5;

const PARAMETERS: &[ParamSpec] = crate::parameters! {
    "penalty" = "none", ParamKind::Choice(&["none", "ridge", "lasso", "elastic_net"]),
        "none is least squares; inputs that depend on earlier ones get no coefficient, as in R's lm";
    "lambda" = "0.01", ParamKind::Real { min: 0.0, above: false, max: f64::INFINITY },
        "weight of the penalty, in the objective of glmnet and scikit-learn's ElasticNet";
    "l1_ratio" = "0.5", ParamKind::Real { min: 0.0, above: false, max: 1.0 },
        "share of the absolute-value part in the elastic net's penalty";
};

/// Least squares that survives rank deficiency, ridge, lasso and elastic net.
#[derive(Clone, Copy, Debug)]
pub struct Linear;

impl Family for Linear {
    crate::family::facts! {
        name = "linear";
        version = 4;
        summary = "linear regression: least squares, ridge, lasso, elastic net";
        takes_weights = true;
        parameters = PARAMETERS;
        free_parameters = &["penalty", "lambda", "l1_ratio"];
    }

    fn estimate(&self, shape: Shape, variants: &[Params]) -> Cost {
        let (n, p) = (shape.train_rows as f64, shape.inputs as f64);
        let sweeps = variants.len() as f64 * 500.0 * p * p;
        Cost {
            cpu_seconds: 1e-9 * (6.0 * n * p * p + sweeps),
            bytes: 8 * shape.inputs * (3 * shape.train_rows + shape.inputs),
        }
    }

    fn fit_grid(&self, job: Job<'_>, variants: &[Params]) -> Vec<Result<Fit>> {
        let shared = Shared::new(job);
        variants.iter().map(|v| job.context.check().and_then(|()| shared.fit(v))).collect()
    }
}

/// What the variants of one grid have in common, made when the first of them asks.
struct Shared<'a> {
    job: Job<'a>,
    plain: OnceLock<Line>,
    ridge: OnceLock<Result<RidgePath>>,
    one_pass: OnceLock<Option<Gram>>,
    two_passes: OnceLock<Result<Gram>>,
}

impl<'a> Shared<'a> {
    fn new(job: Job<'a>) -> Self {
        let (plain, ridge) = (OnceLock::new(), OnceLock::new());
        Self { job, plain, ridge, one_pass: OnceLock::new(), two_passes: OnceLock::new() }
    }

    fn fit(&self, variant: &Params) -> Result<Fit> {
        let lambda = variant.real("lambda", LAMBDA);
        match variant.text("penalty", "none") {
            "ridge" => {
                let (line, freedom) = self.ridge_line(lambda)?;
                Ok(self.answer(&line, true, ("degrees_of_freedom", freedom)))
            }
            "none" => {
                let line = self.plain.get_or_init(|| self.plain_line());
                Ok(self.answer(line, true, ("rank", line.rank() as f64)))
            }
            penalty => {
                let share = if penalty == "lasso" { 1.0 } else { variant.real("l1_ratio", L1_RATIO) };
                let gram = match self.one_pass() {
                    Some(gram) => gram,
                    None => self.two_passes.get_or_init(|| self.gram()).as_ref().map_err(Clone::clone)?,
                };
                let solution = descend(gram, lambda * share, lambda * (1.0 - share), self.job.context)?;
                Ok(self.answer(&solution.line, solution.converged, ("sweeps", solution.sweeps as f64)))
            }
        }
    }

    /// The correlations from one pass over many rows, where they are exact enough.
    fn one_pass(&self) -> Option<&Gram> {
        let x = self.job.train.x;
        let fits = x.as_slice().len() >= MANY_VALUES && x.rows() > x.cols() + 2;
        if fits { self.one_pass.get_or_init(|| Gram::one_pass(self.job.train)).as_ref() } else { None }
    }

    fn plain_line(&self) -> Line {
        let line = self.one_pass().and_then(Gram::least_squares);
        line.unwrap_or_else(|| least_squares(self.job.train))
    }

    fn ridge_line(&self, lambda: f64) -> Result<(Line, f64)> {
        if let Some(found) = self.one_pass().and_then(|gram| gram.ridge(lambda)) {
            return Ok(found);
        }
        let path =
            self.ridge.get_or_init(|| RidgePath::new(self.job.train)).as_ref().map_err(Clone::clone)?;
        Ok((path.solve(lambda), path.degrees_of_freedom(lambda)))
    }

    fn gram(&self) -> Result<Gram> {
        let Job { train, context, .. } = self.job;
        let (n, p) = (train.x.rows(), train.x.cols());
        let needed = 8usize.saturating_mul(p).saturating_mul(p + n);
        if needed > context.memory_bytes {
            let (megabytes, limit) = (needed >> 20, context.memory_bytes);
            return Err(ModelError::memory("linear", megabytes, limit, "give the lasso fewer inputs"));
        }
        Ok(Gram::two_passes(train))
    }

    fn answer(&self, line: &Line, converged: bool, fact: (&'static str, f64)) -> Fit {
        Fit {
            predictions: line.predict(self.job.test),
            converged,
            details: vec![("nonzero", line.nonzero() as f64), fact],
        }
    }
}
