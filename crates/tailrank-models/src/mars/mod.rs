//! Multivariate adaptive regression splines (Friedman 1991), as R's `mda::mars` computes them.
//!
//! The forward pass adds pairs of hinges `max(x - t, 0)`, `max(t - x, 0)`; backward deletion removes columns
//! again and keeps the set with the smallest generalised cross-validation error. Neither the search of the
//! forward pass nor the order of deletion depends on `penalty` or `threshold`, so one forward pass and one
//! deletion path per distinct stopping point serve a whole grid of both, with the same answers as fits made
//! one by one.
//!
//! With case weights every sum of both passes is weighted and GCV counts Σw cases (`mda` has an argument for
//! weights and ignores it).
//!
//! No crate offers MARS; this one reproduces the terms of `mda` 0.5-3, its unusual rules included (they are
//! marked).
//!
#![doc = include_str!("parameters.md")]

mod candidate;
mod deletion;
mod forward;
mod orthogonal;

use crate::{
    Cost, Family, Fit, FitContext, Job, MatrixView, ModelError, ParamKind, ParamSpec, Params, Result, Shape,
    TrainSet, groups::fit_groups, params,
};
use deletion::Path;
use forward::{Rule, bytes, forward};

const PARAMETERS: &[ParamSpec] = crate::parameters! {
    "degree" = "1", ParamKind::Int { min: 1, max: 100 }, "most hinges in one term";
    "nk" = "auto", ParamKind::Int { min: 1, max: 100_000 },
        "most basis columns of the forward pass; auto: max(21, 2·inputs + 1)";
    "penalty" = "auto", ParamKind::Real { min: -1.0, above: false, max: f64::INFINITY },
        "cost of a knot in GCV; auto: 2, or 3 when degree is above 1";
    "prune" = "true", ParamKind::Flag, "delete columns by GCV";
    "threshold" = "0.001", ParamKind::Real { min: 0.0, above: false, max: f64::INFINITY },
        "share of the residual a forward step must explain";
};

/// Multivariate adaptive regression splines.
///
/// ```
/// use tailrank_models::{FitContext, Matrix, Params, TrainSet, mars::Mars};
///
/// // A kink at 0.5, seen through 60 points.
/// let points: Vec<f64> = (0..60).map(|i| f64::from(i) / 59.0).collect();
/// let y: Vec<f64> = points.iter().map(|x| 1.0 + 2.0 * (x - 0.5).max(0.0)).collect();
/// let x = Matrix::new(60, 1, points)?;
///
/// let model = Mars::new(&Params::new())?.fit(TrainSet::new(x.view(), &y), &FitContext::new(1))?;
/// let kink = &model.terms[1].hinges[0];
/// // With 60 rows every fourth value may hold a knot.
/// assert!((kink.cut - 0.5).abs() < 0.05 && kink.variable == 0);
/// let fitted = model.predict_rows(x.view())?;
/// assert!(fitted.iter().zip(&y).all(|(f, y)| (f - y).abs() < 0.05));
/// # Ok::<(), tailrank_models::ModelError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Mars {
    rule: Rule,
    degree: usize,
    max_columns: Option<usize>,
    prune: bool,
}

impl Mars {
    /// A model by the parameters of family `mars`.
    pub fn new(params: &Params) -> Result<Self> {
        params::check("mars", PARAMETERS, params)?;
        Ok(Self::of(params))
    }

    /// The model of checked parameters.
    fn of(params: &Params) -> Self {
        let degree = params.int("degree", 1) as usize;
        let penalty = params.real("penalty", if degree > 1 { 3.0 } else { 2.0 });
        Self {
            rule: Rule { penalty, threshold: params.real("threshold", 0.001) },
            degree,
            max_columns: params.get("nk").map(|_| params.int("nk", 21) as usize),
            prune: params.flag("prune", true),
        }
    }

    /// Fits the training rows.
    pub fn fit(&self, train: TrainSet<'_>, context: &FitContext) -> Result<MarsModel> {
        train.check(train.x)?;
        fit_models(train, std::slice::from_ref(self), context).pop().unwrap_or(Err(ModelError::Cancelled))
    }

    /// Degree and columns, which shape the pass. Columns come in pairs after the constant.
    fn pass(&self, inputs: usize) -> (usize, usize) {
        let columns = self.max_columns.unwrap_or((2 * inputs + 1).max(21));
        (self.degree, columns - usize::from(columns.is_multiple_of(2)))
    }
}

/// Fits all settings, sharing a forward pass among those of equal degree and columns and a deletion path
/// among those that end it at the same step.
fn fit_models(train: TrainSet<'_>, settings: &[Mars], context: &FitContext) -> Vec<Result<MarsModel>> {
    let inputs = train.x.cols();
    fit_groups(
        settings,
        |s| s.pass(inputs),
        |(degree, columns), group| {
            let rules: Vec<Rule> = group.iter().map(|s| s.rule).collect();
            let pass = forward(train, degree, columns, &rules, context)?;
            let mut paths: Vec<(_, Path<'_>)> = Vec::new();
            let mut models = Vec::with_capacity(group.len());
            for (settings, &prefix) in group.iter().zip(&pass.prefixes) {
                let known = paths.iter().position(|(p, _)| *p == prefix).unwrap_or_else(|| {
                    paths.push((prefix, Path::new(&pass, prefix)));
                    paths.len() - 1
                });
                models.push(paths[known].1.model(inputs, settings.rule.penalty, settings.prune));
            }
            Ok(models)
        },
    )
}

/// The family `mars`.
///
/// ```
/// use tailrank_models::{FitContext, Matrix, Params, TrainSet, fit_grid, mars::MarsFamily};
///
/// let x = Matrix::new(60, 1, (0..60).map(f64::from).collect())?;
/// let y: Vec<f64> = (0..60).map(|i| f64::from(i).min(30.0)).collect();
/// let grid: Vec<Params> = [1.0, 4.0].map(|p| Params::new().with("penalty", p)).into();
/// let train = TrainSet::new(x.view(), &y);
/// let fits = fit_grid(&MarsFamily, train, x.view(), &grid, &FitContext::new(1))?;
/// assert!((fits[0].as_ref().unwrap().predictions[50] - 30.0).abs() < 0.1);
/// # Ok::<(), tailrank_models::ModelError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct MarsFamily;

impl Family for MarsFamily {
    crate::family::facts! {
        name = "mars";
        version = 1;
        summary = "multivariate adaptive regression splines, as mda::mars";
        takes_weights = true;
        parameters = PARAMETERS;
        free_parameters = &["penalty", "threshold"];
    }

    fn estimate(&self, shape: Shape, variants: &[Params]) -> Cost {
        let Shape { train_rows: n, inputs: p, .. } = shape;
        let degree = variants.iter().map(|v| v.int("degree", 1)).max().unwrap_or(1);
        let columns =
            variants.iter().map(|v| v.int("nk", (2 * p as i64 + 1).max(21))).max().unwrap_or(21) as usize;
        let parents = if degree > 1 { columns / 2 } else { 1 };
        // About nine passes over the rows for each variable, parent and step.
        let passes = (columns / 2 * parents * p * 9) as f64;
        Cost { cpu_seconds: passes * n as f64 * 1e-9, bytes: bytes(n, p, columns, parents) }
    }

    fn fit_grid(&self, job: Job<'_>, variants: &[Params]) -> Vec<Result<Fit>> {
        let settings: Vec<Mars> = variants.iter().map(Mars::of).collect();
        let models = fit_models(job.train, &settings, job.context);
        models.into_iter().map(|model| model.and_then(|m| report(&m, job.test))).collect()
    }
}

fn report(model: &MarsModel, test: MatrixView<'_>) -> Result<Fit> {
    let mut details = vec![
        ("terms", model.terms.len() as f64),
        ("forward_columns", model.forward_columns as f64),
        ("rss", model.rss),
    ];
    // Undefined when the terms use up every degree of freedom.
    if model.gcv.is_finite() {
        details.push(("gcv", model.gcv));
    }
    Ok(Fit { predictions: model.predict_rows(test)?, converged: true, details })
}

/// One factor of a term: `max(sign · (x[variable] - cut), 0)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hinge {
    /// Input column, counted from 0.
    pub variable: usize,
    /// The knot.
    pub cut: f64,
    /// `1.0` grows above the knot, `-1.0` below it.
    pub sign: f64,
}

impl Hinge {
    /// The hinge's value at `x`.
    pub fn at(&self, x: f64) -> f64 {
        let distance = self.sign * (x - self.cut);
        if distance > 0.0 { distance } else { 0.0 }
    }
}

/// A coefficient times a product of hinges; without hinges it is the intercept.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// Least-squares coefficient.
    pub coefficient: f64,
    /// Factors, at most `degree` of them, each on another variable.
    pub hinges: Vec<Hinge>,
}

/// A fitted MARS model.
#[derive(Clone, Debug, PartialEq)]
pub struct MarsModel {
    inputs: usize,
    /// The selected terms, the intercept first.
    pub terms: Vec<Term>,
    /// Generalised cross-validation error of the selected terms; not a number when no degree of freedom is
    /// left.
    pub gcv: f64,
    /// Sum of squared residuals over the training rows.
    pub rss: f64,
    /// Basis columns the forward pass had built, the constant and unused mirrors included.
    pub forward_columns: usize,
}

impl MarsModel {
    /// One prediction per row of `x`.
    pub fn predict_rows(&self, x: MatrixView<'_>) -> Result<Vec<f64>> {
        let (fitted, given) = (self.inputs, x.cols());
        if given != fitted {
            return Err(ModelError::data(format!("the model was fitted on {fitted} inputs, got {given}")));
        }
        let value = |term: &Term, row: &[f64]| {
            term.hinges.iter().fold(term.coefficient, |product, h| product * h.at(row[h.variable]))
        };
        Ok(x.iter_rows().map(|row| self.terms.iter().map(|term| value(term, row)).sum()).collect())
    }
}
