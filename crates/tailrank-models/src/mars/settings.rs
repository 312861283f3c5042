//! The settings of a MARS fit, and fits by them.

use super::{MarsModel, deletion::Path, forward::Rule, forward::forward};
use crate::{FitContext, MatrixView, ModelError, Params, Result, TrainSet};

/// Multivariate adaptive regression splines.
///
/// ```
/// use tailrank_models::{Matrix, mars::Mars};
///
/// // A kink at 0.5, seen through 60 points.
/// let points: Vec<f64> = (0..60).map(|i| f64::from(i) / 59.0).collect();
/// let y: Vec<f64> = points.iter().map(|x| 1.0 + 2.0 * (x - 0.5).max(0.0)).collect();
/// let x = Matrix::new(60, 1, points)?;
///
/// let model = Mars::new().fit_rows(x.view(), &y)?;
/// let kink = &model.terms()[1].hinges[0];
/// // With 60 rows every fourth value may hold a knot.
/// assert!((kink.cut - 0.5).abs() < 0.05 && kink.variable == 0);
/// let fitted = model.predict_rows(x.view())?;
/// assert!(fitted.iter().zip(&y).all(|(f, y)| (f - y).abs() < 0.05));
/// # Ok::<(), tailrank_models::ModelError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Mars {
    penalty: Option<f64>,
    threshold: f64,
    degree: usize,
    max_columns: Option<usize>,
    prune: bool,
}

impl Default for Mars {
    fn default() -> Self {
        Self { penalty: None, threshold: 0.001, degree: 1, max_columns: None, prune: true }
    }
}

impl Mars {
    /// The defaults of `mda::mars`.
    pub fn new() -> Self {
        Self::default()
    }

    /// Cost of a knot in generalised cross-validation; 2 unless set, or 3 when `degree` is above 1.
    #[must_use]
    pub fn penalty(mut self, penalty: f64) -> Self {
        self.penalty = Some(penalty);
        self
    }

    /// Share of the residual a forward step must explain; 0.001 unless set.
    #[must_use]
    pub fn threshold(mut self, threshold: f64) -> Self {
        self.threshold = threshold;
        self
    }

    /// Most hinges in one term; 1 unless set.
    #[must_use]
    pub fn degree(mut self, degree: usize) -> Self {
        self.degree = degree;
        self
    }

    /// Most basis columns of the forward pass, the constant included; `max(21, 2·inputs + 1)` unless set.
    #[must_use]
    pub fn max_columns(mut self, columns: usize) -> Self {
        self.max_columns = Some(columns);
        self
    }

    /// Whether columns are deleted again after the forward pass; true unless set.
    #[must_use]
    pub fn prune(mut self, prune: bool) -> Self {
        self.prune = prune;
        self
    }

    /// Fits `y` on the rows of `x`.
    pub fn fit_rows(&self, x: MatrixView<'_>, y: &[f64]) -> Result<MarsModel> {
        TrainSet::new(x, y).check(x)?;
        let mut models = fit_models(TrainSet::new(x, y), &[self], &FitContext::new(0));
        models.pop().unwrap_or(Err(ModelError::Cancelled))
    }

    pub(super) fn from_params(params: &Params) -> Self {
        Self {
            penalty: params.get("penalty").map(|_| params.real("penalty", 2.0)),
            threshold: params.real("threshold", 0.001),
            degree: params.int("degree", 1) as usize,
            max_columns: params.get("nk").map(|_| params.int("nk", 21) as usize),
            prune: params.flag("prune", true),
        }
    }

    fn check(&self) -> Result<()> {
        let fail = |name: &str, value: String, expected: &str| {
            let (name, expected) = (name.to_owned(), expected.to_owned());
            Err(ModelError::Parameter { family: "mars", name, value, expected })
        };
        if let Some(penalty) = self.penalty
            && !(penalty >= -1.0 && penalty.is_finite())
        {
            return fail("penalty", penalty.to_string(), "use a number at least -1");
        }
        if !(self.threshold >= 0.0 && self.threshold.is_finite()) {
            return fail("threshold", self.threshold.to_string(), "use a number at least 0");
        }
        if self.degree == 0 {
            return fail("degree", "0".to_owned(), "use a whole number, at least 1");
        }
        if self.max_columns == Some(0) {
            return fail("nk", "0".to_owned(), "use a whole number, at least 1");
        }
        Ok(())
    }

    /// Penalty and threshold, which only end the pass and choose on the path.
    fn rule(&self) -> Rule {
        let penalty = self.penalty.unwrap_or(if self.degree > 1 { 3.0 } else { 2.0 });
        Rule { penalty, threshold: self.threshold }
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
    settings: &[&Mars],
    context: &FitContext,
) -> Vec<Result<MarsModel>> {
    let x = train.x;
    let mut models: Vec<Result<MarsModel>> =
        settings.iter().map(|s| s.check().and(Err(ModelError::Cancelled))).collect();
    let mut open: Vec<usize> = (0..settings.len()).filter(|&i| settings[i].check().is_ok()).collect();
    while let Some(&first) = open.first() {
        let shape = settings[first].pass(x.cols());
        let group: Vec<usize> =
            open.iter().copied().filter(|&i| settings[i].pass(x.cols()) == shape).collect();
        open.retain(|i| !group.contains(i));
        let rules: Vec<Rule> = group.iter().map(|&i| settings[i].rule()).collect();
        let pass = match forward(train, shape.0, shape.1, &rules, context) {
            Ok(pass) => pass,
            Err(error) => {
                group.iter().for_each(|&i| models[i] = Err(error.clone()));
                continue;
            }
        };
        let mut paths: Vec<(_, Path<'_>)> = Vec::new();
        for ((&i, &prefix), rule) in group.iter().zip(&pass.prefixes).zip(&rules) {
            if paths.iter().all(|(p, _)| *p != prefix) {
                paths.push((prefix, Path::new(&pass, prefix)));
            }
            for (_, path) in paths.iter().filter(|(p, _)| *p == prefix) {
                models[i] = Ok(if settings[i].prune {
                    path.select(x.cols(), rule.penalty)
                } else {
                    path.unpruned(x.cols(), rule.penalty)
                });
            }
        }
    }
    models
}
