//! The settings of a MARS fit, and fits by them.

use super::{MarsModel, deletion::Path, forward::Rule, forward::forward};
use crate::{
    FitContext, ModelError, ParamKind, ParamSpec, Params, Result, TrainSet, groups::fit_groups, params,
};

pub(super) const PARAMETERS: &[ParamSpec] = crate::parameters! {
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
    pub(super) fn of(params: &Params) -> Self {
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
pub(super) fn fit_models(
    train: TrainSet<'_>,
    settings: &[Mars],
    context: &FitContext,
) -> Vec<Result<MarsModel>> {
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
