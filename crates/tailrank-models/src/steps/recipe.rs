//! Steps, then a family: fitted together.

use std::fmt;

use rand::{Rng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;

use super::{
    context::{Folds, Prepared, Rows, StepContext},
    step::{Action, Step},
    table,
};
use crate::{Cost, Family, Fit, FitContext, MatrixView, ModelError, Params, Result, Shape, fit_grid};

/// Steps in the order they are applied: re-sampling, weights, then decisions on predictions.
///
/// The recipe without steps is the plain family. See the [module](super) for an example.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recipe {
    steps: Vec<Step>,
}

/// One vector per variant.
type Predictions = Vec<Result<Vec<f64>>>;
/// One fit per variant.
type Fits = Vec<Result<Fit>>;

/// What a recipe is fitted with.
#[derive(Clone, Copy)]
struct Grid<'a> {
    family: &'a dyn Family,
    variants: &'a [Params],
    fit: &'a FitContext,
}

impl Recipe {
    /// The family as it is.
    pub fn plain() -> Self {
        Self::default()
    }

    /// A recipe by the name of its one step, or `plain`.
    pub fn named(name: &str) -> Result<Self> {
        if name == "plain" { Ok(Self::plain()) } else { Self::new(vec![table::named(name, &["plain"])?]) }
    }

    /// Several steps: at most one of each kind, re-sampling before weights before decisions.
    pub fn new(steps: Vec<Step>) -> Result<Self> {
        let place = |step: &Step| match step.action {
            Action::Resample(_) => 0,
            Action::Weigh(_) => 1,
            Action::Decide(_) if step.spec().key == "stretch" => 2,
            Action::Decide(_) => 3,
        };
        for pair in steps.windows(2) {
            if place(&pair[0]) >= place(&pair[1]) {
                let order = "re-sampling, weights, stretch and calibrate, in this order";
                let problem =
                    format!("cannot follow '{}'; a recipe has at most one each of {order}", pair[0]);
                return Err(ModelError::step(pair[1].spec().name, problem));
            }
        }
        Ok(Self { steps })
    }

    /// The steps.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Whether the family stands alone.
    pub fn is_plain(&self) -> bool {
        self.steps.is_empty()
    }

    /// Whether fits change with the relevance.
    pub fn uses_relevance(&self) -> bool {
        self.steps.iter().any(Step::uses_relevance)
    }

    /// Whether it gives the family case weights, which not every engine takes.
    pub fn uses_weights(&self) -> bool {
        self.steps.iter().any(|s| matches!(s.action, Action::Weigh(_)))
    }

    /// A rough forecast: fits of bags and folds as if each had all rows.
    pub fn estimate(&self, family: &dyn Family, shape: Shape, variants: &[Params], folds: usize) -> Cost {
        let bags =
            self.steps.iter().map(|s| if let Action::Resample(step) = &s.action { step.sets() } else { 1 });
        let folds = if self.steps.iter().any(Step::is_decision) { folds } else { 0 };
        let fits = bags.product::<usize>() * (1 + folds);
        let one = family.estimate(shape, variants);
        let rows = 3 * 8 * shape.train_rows * (shape.inputs + 2);
        Cost {
            cpu_seconds: fits as f64 * one.cpu_seconds,
            bytes: one.bytes + if self.is_plain() { 0 } else { rows },
        }
    }

    /// What the family would learn from: one set of rows, or one for each bag.
    pub fn prepare(&self, context: &StepContext<'_>, fit: &FitContext) -> Result<Vec<Prepared>> {
        context.check(context.train.x)?;
        self.apply(context.rows()?, fit, 0)
    }

    /// Applies the steps before the family. `part` names the rows: 0 for all, or the number of a fold.
    fn apply(&self, rows: Rows<'_>, fit: &FitContext, part: u64) -> Result<Vec<Prepared>> {
        if let (Some(_), Some(step)) = (&rows.weights, self.steps.iter().find(|s| !s.is_decision())) {
            let problem = "the training rows have weights already; use stretch or calibrate only";
            return Err(ModelError::step(step.spec().name, problem));
        }
        let relevance = rows.context.relevance;
        let mut sets: Vec<Prepared> = Vec::new();
        for step in &self.steps {
            if let Action::Resample(action) = &step.action {
                // By the step alone: the same rows are drawn whatever follows it.
                let name = step.to_string();
                for set in 0..action.sets() {
                    let mut rng = fit.rng("step", &name, part << 32 | set as u64);
                    sets.push(action.apply(&rows, &mut rng, fit)?);
                }
            }
        }
        if sets.is_empty() {
            sets.push(Prepared::unchanged(rows));
        }
        for step in &self.steps {
            if let Action::Weigh(step) = &step.action {
                for set in &mut sets {
                    set.weights = Some(step.weights(&set.y, relevance)?);
                }
            }
        }
        Ok(sets)
    }

    /// Applies the steps, fits every variant and predicts `test`: as [`fit_grid`](crate::fit_grid()), which
    /// the plain recipe is.
    ///
    /// [`Fit::details`] gain what the steps did: `step_rows`, `step_limited` (1 where the limit on the grown
    /// size held rows back), `single_rare_rows` left alone, `bags`, `stretch`, `shift` and the
    /// `calibration_slope` of truth on mapped out-of-fold predictions.
    pub fn fit_grid(
        &self,
        family: &dyn Family,
        context: &StepContext<'_>,
        test: MatrixView<'_>,
        variants: &[Params],
        fit: &FitContext,
    ) -> Result<Vec<Result<Fit>>> {
        context.check(test)?;
        if self.is_plain() {
            return fit_grid(family, context.train, test, variants, fit);
        }
        let grid = Grid { family, variants, fit };
        let fits = self.fit_part(grid, context.rows()?, test, 0)?;
        if !self.steps.iter().any(Step::is_decision) {
            return Ok(fits);
        }
        let (truth, predicted) = self.out_of_fold(grid, context)?;
        let decided = |(fit, predicted): (Result<Fit>, Result<Vec<f64>>)| {
            let mut fit = fit?;
            self.decide(&mut fit, &truth, predicted?, context)?;
            Ok(fit)
        };
        Ok(fits.into_iter().zip(predicted).map(decided).collect())
    }

    /// Fits all variants on some of the training rows; the mean over the bags where there are any.
    fn fit_part(&self, grid: Grid<'_>, rows: Rows<'_>, test: MatrixView<'_>, part: u64) -> Result<Fits> {
        let Grid { family, variants, fit } = grid;
        let sets = self.apply(rows, fit, part)?;
        let mut sum: Option<Fits> = None;
        for (number, set) in sets.iter().enumerate() {
            fit.check()?;
            let mut own = fit.clone();
            if sets.len() > 1 || part > 0 {
                own.seed = fit.rng("recipe", "fit", part << 32 | number as u64).next_u64();
            }
            let fits = fit_grid(family, set.train_set(), test, variants, &own)?;
            sum = Some(match sum {
                None => fits.into_iter().map(|f| f.map(|f| with_facts(f, set, sets.len()))).collect(),
                Some(before) => {
                    before.into_iter().zip(fits).map(|(a, b)| running_mean(a, b, number)).collect()
                }
            });
        }
        Ok(sum.unwrap_or_default())
    }

    /// Predicts each fold's rows from the others: their targets, and each variant's predictions.
    fn out_of_fold(&self, grid: Grid<'_>, context: &StepContext<'_>) -> Result<(Vec<f64>, Predictions)> {
        let mut truth = Vec::new();
        let mut predicted: Predictions = vec![Ok(Vec::new()); grid.variants.len()];
        let mut refused = None;
        for (part, fold) in (1..).zip(folds(context, &mut grid.fit.rng("recipe", "folds", 0))) {
            let (test, learn) = (context.train.x.select(&fold.predict)?, context.select(fold.learn)?);
            let fits = match self.fit_part(grid, learn, test.view(), part) {
                Ok(fits) => fits,
                // An early window may hold no rare row yet; the others still tell.
                Err(error @ ModelError::Step { .. }) => {
                    refused = Some(error);
                    continue;
                }
                Err(error) => return Err(error),
            };
            truth.extend(fold.predict.iter().map(|&row| context.train.y[row]));
            for (all, fit) in predicted.iter_mut().zip(fits) {
                match (&mut *all, fit) {
                    (Ok(all), Ok(fit)) => all.extend(fit.predictions),
                    (Ok(_), Err(error)) => *all = Err(error),
                    (Err(_), _) => {}
                }
            }
        }
        if truth.is_empty() {
            let too_few = ModelError::step("stretch", "too few training rows for out-of-fold predictions");
            return Err(refused.unwrap_or(too_few));
        }
        Ok((truth, predicted))
    }

    /// Learns the maps from out-of-fold predictions and applies them.
    fn decide(
        &self,
        fit: &mut Fit,
        truth: &[f64],
        mut predicted: Vec<f64>,
        context: &StepContext<'_>,
    ) -> Result<()> {
        for step in &self.steps {
            if let Action::Decide(step) = &step.action {
                let decision = step.learn(truth, &predicted, context)?;
                predicted.iter_mut().chain(&mut fit.predictions).for_each(|p| *p = (decision.map)(*p));
                fit.details.extend(decision.details);
            }
        }
        if let Some(slope) = slope(&predicted, truth) {
            fit.details.push(("calibration_slope", slope));
        }
        Ok(())
    }
}

impl fmt::Display for Recipe {
    /// `plain`, or the steps joined by ` + `.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_plain() {
            return f.write_str("plain");
        }
        for (i, step) in self.steps.iter().enumerate() {
            write!(f, "{}{step}", if i == 0 { "" } else { " + " })?;
        }
        Ok(())
    }
}

fn with_facts(mut fit: Fit, set: &Prepared, sets: usize) -> Fit {
    fit.details.push(("step_rows", set.y.len() as f64));
    fit.details.extend(set.limited.then_some(("step_limited", 1.0)));
    fit.details.extend((set.single_rows > 0).then_some(("single_rare_rows", set.single_rows as f64)));
    fit.details.extend((sets > 1).then_some(("bags", sets as f64)));
    fit
}

/// The mean of `before` fits and one more; facts of the first stay.
fn running_mean(mean: Result<Fit>, next: Result<Fit>, before: usize) -> Result<Fit> {
    let (mut mean, next) = (mean?, next?);
    for (m, n) in mean.predictions.iter_mut().zip(&next.predictions) {
        *m += (n - *m) / (before + 1) as f64;
    }
    mean.converged &= next.converged;
    Ok(mean)
}

/// Slope of the least-squares line of `y` on `x`.
fn slope(x: &[f64], y: &[f64]) -> Option<f64> {
    let n = x.len() as f64;
    let (mx, my) = (x.iter().sum::<f64>() / n, y.iter().sum::<f64>() / n);
    let sxx: f64 = x.iter().map(|v| (v - mx).powi(2)).sum();
    let sxy: f64 = x.iter().zip(y).map(|(a, b)| (a - mx) * (b - my)).sum();
    let slope = sxy / sxx;
    slope.is_finite().then_some(slope)
}

/// Rows to learn from and rows to predict.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fold {
    pub(super) learn: Vec<usize>,
    pub(super) predict: Vec<usize>,
}

/// The folds of the training rows; those without a row on either side are left out.
pub(super) fn folds(context: &StepContext<'_>, rng: &mut ChaCha8Rng) -> Vec<Fold> {
    let rows = context.train.y.len();
    let mut found = match context.folds {
        Folds::Random(count) => random(rows, count, rng),
        Folds::TimeOrdered(count) => time_ordered(context, count),
    };
    found.retain(|f| !f.learn.is_empty() && !f.predict.is_empty());
    found
}

fn random(rows: usize, count: usize, rng: &mut ChaCha8Rng) -> Vec<Fold> {
    let mut of: Vec<usize> = (0..rows).map(|row| row % count).collect();
    of.shuffle(rng);
    let fold = |number: usize| {
        let (learn, predict) = (0..rows).partition(|&row| of[row] != number);
        Fold { learn, predict }
    };
    (0..count).map(fold).collect()
}

/// Growing windows. A row whose label ends at or after the start of the block to predict is not learned from.
fn time_ordered(context: &StepContext<'_>, count: usize) -> Vec<Fold> {
    let rows = context.train.y.len();
    let time = |row: usize| context.times.map_or(row as i64, |t| t[row]);
    let mut order: Vec<usize> = (0..rows).collect();
    order.sort_by_key(|&row| time(row));
    let cut = |block: usize| rows * block / (count + 1);
    (1..=count)
        .map(|block| {
            let mut predict = order[cut(block)..cut(block + 1)].to_vec();
            let from = predict.first().map_or(i64::MIN, |&row| time(row));
            let known = |row: &usize| time(*row) < from && context.labels.is_none_or(|l| l[*row].1 < from);
            let mut learn: Vec<usize> = order[..cut(block)].iter().copied().filter(known).collect();
            predict.sort_unstable();
            learn.sort_unstable();
            Fold { learn, predict }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_come_in_one_order() {
        let steps = |names: &[&str]| Recipe::new(names.iter().map(|n| Step::named(n).unwrap()).collect());
        let whole = steps(&["smote", "weights", "stretch", "calibrate"]).unwrap();
        assert_eq!(whole.to_string(), "smote + weights + stretch f + calibrate");
        assert!(whole.uses_relevance() && whole.uses_weights());
        assert_eq!(Recipe::named("plain").unwrap(), Recipe::plain());
        assert!(!Recipe::plain().uses_relevance() && !steps(&["lds"]).unwrap().uses_relevance());
        let message = steps(&["stretch", "smote"]).unwrap_err().to_string();
        assert!(message.starts_with("smote: cannot follow 'stretch f'"), "{message}");
        assert!(steps(&["smote", "over"]).is_err() && steps(&["phi", "dense"]).is_err());
    }
}

#[cfg(test)]
mod tests_of_folds {
    use super::*;
    use crate::{FitContext, Matrix, TrainSet};

    #[test]
    fn every_row_is_predicted_once_and_never_from_itself() {
        let x = Matrix::new(23, 1, vec![0.0; 23]).unwrap();
        let y = vec![0.0; 23];
        let context = StepContext::new(TrainSet::new(x.view(), &y));
        let found = folds(&context, &mut FitContext::new(1).rng("test", "", 0));
        let mut seen: Vec<usize> = found.iter().flat_map(|f| f.predict.clone()).collect();
        seen.sort_unstable();
        assert_eq!(seen, (0..23).collect::<Vec<_>>());
        for fold in &found {
            assert_eq!(fold.learn.len() + fold.predict.len(), 23);
            assert!(fold.learn.iter().all(|row| !fold.predict.contains(row)));
        }
    }

    #[test]
    fn time_ordered_folds_learn_only_from_labels_known_before() {
        let n = 30;
        let x = Matrix::new(n, 1, vec![0.0; n]).unwrap();
        let y = vec![0.0; n];
        // Rows stand in no order of time, and each label takes three steps.
        let times: Vec<i64> = (0..n as i64).map(|i| (i * 7) % 30).collect();
        let labels: Vec<(i64, i64)> = times.iter().map(|t| (*t, t + 3)).collect();
        let context = StepContext {
            times: Some(&times),
            labels: Some(&labels),
            folds: Folds::TimeOrdered(4),
            ..StepContext::new(TrainSet::new(x.view(), &y))
        };
        let found = folds(&context, &mut FitContext::new(1).rng("test", "", 0));
        assert_eq!(found.len(), 4);
        for fold in &found {
            let from = fold.predict.iter().map(|&row| times[row]).min().unwrap();
            assert!(fold.learn.iter().all(|&row| labels[row].1 < from));
            // Nothing that is known is left out.
            assert_eq!(fold.learn.len(), labels.iter().filter(|l| l.1 < from).count());
        }
    }
}
