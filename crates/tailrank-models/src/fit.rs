//! The door to every family: what all of them may rely on is checked here, once.

use crate::{
    Family, Fit, FitContext, Job, Matrix, MatrixView, ModelError, Params, Result, TrainSet, params, registry,
    standardise::{STANDARDISE, Scaler, accepted_parameters, standardises_itself},
};

/// Checks a variant before any data is read: the family's own parameters and those every family accepts.
pub fn check_variant(family: &dyn Family, variant: &Params) -> Result<()> {
    let accepted = accepted_parameters(family);
    let unknown = variant.iter().find(|(name, _)| accepted.iter().all(|s| s.name != *name));
    if let (Some((name, _)), false) = (unknown, family.open_parameters()) {
        return Err(params::unknown(family.name(), &accepted, name));
    }
    if standardises_itself(family) {
        return family.check(variant);
    }
    if let Some(value) = variant.get(STANDARDISE.name) {
        let flag = Params::new().with(STANDARDISE.name, value.clone());
        params::check(family.name(), &[STANDARDISE], &flag)?;
    }
    family.check(&variant.without(&[STANDARDISE.name]))
}

/// Checks data and variants, fits the grid and checks what comes back.
///
/// One answer per variant, in order: a variant with bad parameters or bad predictions fails alone. The outer
/// error means that the data suits no variant at all. `standardise = true` in a variant centres and scales
/// its inputs by the training rows before the family sees them; variants are grouped by it.
///
/// Weights must be finite, at least 0 and not all 0. A row of weight 0 is left out, and weights that are all
/// 1 are as none: not one bit of a prediction depends on them.
///
/// ```
/// use tailrank_models::{FitContext, Matrix, Params, TrainSet, family, fit_grid};
///
/// let x = Matrix::from_rows(&[[1.0], [2.0], [3.0], [4.0]])?;
/// let train = TrainSet::new(x.view(), &[2.0, 4.0, 6.0, 8.0]);
/// let test = Matrix::from_rows(&[[2.9]])?;
/// let grid = [Params::new().with("k", 1), Params::new().with("k", 2), Params::new().with("k", 9)];
/// let fits = fit_grid(family("knn", None)?, train, test.view(), &grid, &FitContext::new(7))?;
/// assert_eq!(fits[0].as_ref().unwrap().predictions, [6.0]);
/// assert_eq!(fits[1].as_ref().unwrap().predictions, [5.0]);
/// assert!(fits[2].as_ref().unwrap_err().to_string().contains("k = 9"));
/// # Ok::<(), tailrank_models::ModelError>(())
/// ```
pub fn fit_grid(
    family: &dyn Family,
    train: TrainSet<'_>,
    test: MatrixView<'_>,
    variants: &[Params],
    context: &FitContext,
) -> Result<Vec<Result<Fit>>> {
    train.check(test)?;
    let kept = Weighted::of(family, train)?;
    let train = kept.train_set(train);
    let mut answers: Vec<Result<Fit>> =
        variants.iter().map(|v| check_variant(family, v).map(|()| Fit::converged(Vec::new()))).collect();
    // A family with its own `standardise` sees it in its variants; for the others it is done here.
    let asked = |v: &Params| !standardises_itself(family) && v.flag(STANDARDISE.name, false);
    for standardise in [false, true] {
        let group: Vec<usize> = (0..variants.len())
            .filter(|&i| answers[i].is_ok() && asked(&variants[i]) == standardise)
            .collect();
        if group.is_empty() {
            continue;
        }
        let grid: Vec<Params> = group.iter().map(|&i| own_parameters(family, &variants[i])).collect();
        let fits = if standardise {
            let scaler = Scaler::fit(train.x, train.weights);
            let (x, test) = (scaler.apply(train.x), scaler.apply(test));
            let train = TrainSet { x: x.view(), ..train };
            // A test value far outside the training range may leave the range of f64.
            match train.check(test.view()) {
                Ok(()) => family.fit_grid(Job { train, test: test.view(), context }, &grid),
                Err(e) => vec![Err(e); grid.len()],
            }
        } else {
            family.fit_grid(Job { train, test, context }, &grid)
        };
        if fits.len() != grid.len() {
            let problem = format!("returned {} answers for {} variants", fits.len(), grid.len());
            return Err(ModelError::numerical(family.name(), problem));
        }
        for (&i, fit) in group.iter().zip(fits) {
            answers[i] = fit.and_then(|f| check_fit(family.name(), f, test.rows()));
        }
    }
    Ok(answers)
}

/// The rows of positive weight, copied where there are others; `weights` none where all count alike.
struct Weighted {
    rows: Option<(Matrix, Vec<f64>)>,
    weights: Option<Vec<f64>>,
}

impl Weighted {
    fn of(family: &dyn Family, train: TrainSet<'_>) -> Result<Self> {
        let alike = |weights: &[f64]| weights.iter().all(|&w| w == 1.0);
        let Some(weights) = train.weights else { return Ok(Self { rows: None, weights: None }) };
        check_weights(weights, train.y.len())?;
        if !alike(weights) && !family.takes_weights() {
            return Err(no_weights(family));
        }
        let kept: Vec<usize> = (0..weights.len()).filter(|&i| weights[i] > 0.0).collect();
        let rows = (kept.len() < weights.len())
            .then(|| Ok((train.x.select(&kept)?, kept.iter().map(|&i| train.y[i]).collect())))
            .transpose()?;
        let weights: Vec<f64> = kept.iter().map(|&i| weights[i]).collect();
        Ok(Self { rows, weights: Some(weights).filter(|w| !alike(w)) })
    }

    fn train_set<'a>(&'a self, train: TrainSet<'a>) -> TrainSet<'a> {
        let (x, y) = self.rows.as_ref().map_or((train.x, train.y), |(x, y)| (x.view(), y));
        TrainSet { x, y, weights: self.weights.as_deref() }
    }
}

fn check_weights(weights: &[f64], rows: usize) -> Result<()> {
    let fail = |problem: String| Err(ModelError::data(problem));
    if weights.len() != rows {
        return fail(format!("{rows} training rows but {} weights", weights.len()));
    }
    if let Some(i) = weights.iter().position(|w| !(w.is_finite() && *w >= 0.0)) {
        let (row, weight) = (i + 1, weights[i]);
        return fail(format!("the weight of training row {row} is {weight}: use finite numbers, at least 0"));
    }
    let sum: f64 = weights.iter().sum();
    if !(sum > 0.0 && sum.is_finite()) {
        return fail(format!("the weights of the training rows add up to {sum}: some must be above 0"));
    }
    Ok(())
}

fn no_weights(family: &dyn Family) -> ModelError {
    let able = registry::families().iter().find(|f| f.name() == family.name() && f.takes_weights());
    let hint = match able {
        Some(other) => format!("; use engine '{}', or re-sample instead", other.engine()),
        None => "; re-sample instead".to_owned(),
    };
    ModelError::NoWeights { family: family.name(), engine: family.engine(), hint }
}

fn own_parameters(family: &dyn Family, variant: &Params) -> Params {
    if standardises_itself(family) { variant.clone() } else { variant.without(&[STANDARDISE.name]) }
}

fn check_fit(family: &'static str, fit: Fit, rows: usize) -> Result<Fit> {
    let fail = |problem: String| Err(ModelError::numerical(family, problem));
    if fit.predictions.len() != rows {
        return fail(format!("returned {} predictions for {rows} test rows", fit.predictions.len()));
    }
    match fit.predictions.iter().position(|v| !v.is_finite()) {
        Some(i) => fail(format!("prediction for test row {} is {}", i + 1, fit.predictions[i])),
        None => Ok(fit),
    }
}
