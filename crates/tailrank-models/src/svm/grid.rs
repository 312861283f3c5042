//! The order in which a grid is solved, and the predictions of its models.

use std::{cmp::Ordering, sync::Arc};

use super::{
    Settings,
    dual::Dual,
    factor::Factor,
    gram::{self, Gram},
    kernel::{Kernel, Points},
    newton::Newton,
    solver::{Report, SolverState},
};
use crate::{Fit, FitContext, Job, ModelError, Result, TrainSet, linalg::vectorised, standardise::Scaler};

/// Test rows predicted at a time: their kernel values with some thousand support vectors stay in the
/// second-level cache.
const BATCH: usize = 24;
/// Fewest kernel rows a cache can work with.
const FEWEST_ROWS: usize = 64;

/// A solved variant before its predictions.
struct Model {
    dual: Dual,
    report: Report,
}

fn gamma(kernel: Kernel) -> f64 {
    match kernel {
        Kernel::Rbf { gamma } | Kernel::Polynomial { gamma, .. } => gamma,
        Kernel::Linear => 0.0,
    }
}

/// Variants that differ in γ and cost alone, and the scaled rows they share.
pub(super) struct Group<'a> {
    settings: &'a [Settings],
    points: Points,
    test: Points,
    y: Vec<f64>,
    weights: Option<Arc<[f64]>>,
    /// Centre and scale of the target.
    target: (f64, f64),
    context: &'a FitContext,
}

impl<'a> Group<'a> {
    pub(super) fn new(job: Job<'a>, settings: &'a [Settings]) -> Self {
        let Job { train, test, context } = job;
        let (scaler, target) = scaling(train, settings[0].standardise);
        Self {
            settings,
            points: Points::new(scaler.apply(train.x).view()),
            test: Points::new(scaler.apply(test).view()),
            y: train.y.iter().map(|v| (v - target.0) / target.1).collect(),
            weights: train.weights.map(Arc::from),
            target,
            context,
        }
    }

    /// Solves along ascending γ and, within it, ascending cost.
    pub(super) fn fit(&self) -> Vec<Result<Fit>> {
        let mut order: Vec<usize> = (0..self.settings.len()).collect();
        let by = |a: f64, b: f64| a.partial_cmp(&b).unwrap_or(Ordering::Equal);
        order.sort_by(|&a, &b| {
            let (a, b) = (&self.settings[a], &self.settings[b]);
            by(gamma(a.kernel), gamma(b.kernel)).then(by(a.cost, b.cost))
        });
        let mut answers: Vec<Result<Fit>> = vec![Err(ModelError::Cancelled); order.len()];
        let mut memory = (Factor::new(self.points.len()), Vec::new());
        let mut previous: Vec<Model> = Vec::new();
        let mut start = 0;
        for variants in order.chunk_by(|&a, &b| self.settings[a].kernel == self.settings[b].kernel) {
            let solved = self.solve_kernel(variants, &previous, &mut memory);
            match solved.and_then(|models| Ok((self.predict(variants, &models)?, models))) {
                Ok((fits, models)) => {
                    variants.iter().zip(fits).for_each(|(&i, fit)| answers[i] = Ok(fit));
                    previous = models;
                }
                Err(error) => {
                    // Without memory the next kernels would have to start elsewhere than with it: they are
                    // refused as well.
                    let is_last = matches!(error, ModelError::Cancelled | ModelError::Memory { .. });
                    let refused = if is_last { &order[start..] } else { variants };
                    refused.iter().for_each(|&i| answers[i] = Err(error.clone()));
                    if is_last {
                        break;
                    }
                    previous.clear();
                }
            }
            start += variants.len();
        }
        answers
    }

    /// Solves the variants of one kernel, by ascending cost.
    fn solve_kernel(
        &self,
        variants: &[usize],
        previous: &[Model],
        memory: &mut (Factor, Vec<f32>),
    ) -> Result<Vec<Model>> {
        let (n, y, limit) = (self.points.len(), &self.y, self.context.memory_bytes);
        let capacity = gram::capacity(n, limit);
        if capacity < n.min(FEWEST_ROWS) {
            let needed = (2 * FEWEST_ROWS * 4 * gram::padded(n)).div_ceil(1 << 20);
            return Err(ModelError::memory("svm", needed, limit, "use fewer training rows"));
        }
        let Settings { kernel, stop, .. } = self.settings[variants[0]];
        let (mut factor, rows) = std::mem::replace(memory, (Factor::new(n), Vec::new()));
        let gram = Gram::new(kernel, &self.points, capacity, rows, self.context)?;
        let held = 4 * capacity * gram::padded(n);
        factor.clear();
        factor.jitter = 1e-9;
        factor.limit = limit;
        factor.memory = limit.saturating_sub(held);
        let newton = Newton { gram, factor, context: self.context };
        let mut state = SolverState { y, newton, loose: 0.1 * spread(y), definite: true, stop };
        let mut models: Vec<Model> = Vec::new();
        for &variant in variants {
            let Settings { epsilon, cost, .. } = self.settings[variant];
            let mut near = false;
            let mut dual = match (models.last(), nearest(previous, cost)) {
                (Some(model), _) => {
                    let mut dual = model.dual.clone();
                    if dual.cost != cost {
                        near = state.raise_cost(&mut dual, cost)?;
                    }
                    dual
                }
                (None, Some(model)) => {
                    let mut dual = model.dual.clone();
                    dual.stretch(y, cost);
                    dual.refresh(y, &mut state.newton.gram);
                    dual
                }
                (None, None) => Dual::start(y, self.weights.clone(), epsilon, cost),
            };
            let report = state.solve(&mut dual, near)?;
            check(&dual)?;
            models.push(Model { dual, report });
        }
        *memory = (state.newton.factor, state.newton.gram.into_memory());
        Ok(models)
    }

    /// Predictions of all models of one kernel: test rows against the points that support any of them.
    fn predict(&self, variants: &[usize], models: &[Model]) -> Result<Vec<Fit>> {
        let kernel = self.settings[variants[0]].kernel;
        let support: Vec<usize> =
            (0..self.points.len()).filter(|&i| models.iter().any(|m| m.dual.beta[i] != 0.0)).collect();
        let vectors = self.points.select(&support);
        let weights: Vec<Vec<f64>> =
            models.iter().map(|m| support.iter().map(|&i| m.dual.beta[i]).collect()).collect();
        let mut sums = Vec::with_capacity(self.test.len() * models.len());
        let mut values = vec![0.0; BATCH * support.len()];
        for start in (0..self.test.len()).step_by(BATCH) {
            self.context.check()?;
            let rows = self.test.slice(start, self.test.len().min(start + BATCH));
            let values = &mut values[..rows.len() * support.len()];
            kernel.block(&rows, &vectors, 0, values);
            for k in 0..rows.len() {
                let row = &values[k * support.len()..(k + 1) * support.len()];
                sums.extend(weights.iter().map(|weights| dot(row, weights)));
            }
        }
        let of_model = |k: usize| sums.iter().skip(k).step_by(models.len()).copied();
        Ok(models.iter().enumerate().map(|(k, model)| self.report(model, of_model(k))).collect())
    }

    /// The fit of a model whose predictions are `sums` but for the constant and the target's scale.
    fn report(&self, model: &Model, sums: impl Iterator<Item = f64>) -> Fit {
        let Model { dual, report } = model;
        let (b, (centre, scale)) = (dual.constant(), self.target);
        let (objective, relative_gap) = dual.objective(&self.y);
        let support = dual.beta.iter().filter(|b| **b != 0.0).count();
        Fit {
            predictions: sums.map(|sum| (sum + b) * scale + centre).collect(),
            converged: report.converged,
            details: vec![
                ("iterations", report.iterations as f64),
                ("newton_rounds", report.newton_rounds as f64),
                ("gap", dual.gap().width.max(0.0)),
                ("dual_objective", objective),
                ("relative_duality_gap", relative_gap),
                ("support_vectors", support as f64),
                ("free_vectors", dual.free().count() as f64),
                ("epsilon", dual.epsilon),
                ("rho", -b),
            ],
        }
    }
}

fn nearest(models: &[Model], cost: f64) -> Option<&Model> {
    let distance = |m: &Model| (m.dual.cost / cost).max(cost / m.dual.cost);
    models.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)))
}

fn spread(y: &[f64]) -> f64 {
    let mean = y.iter().sum::<f64>() / y.len() as f64;
    (y.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / y.len() as f64).sqrt()
}

fn check(dual: &Dual) -> Result<()> {
    let problem = if !dual.r.iter().all(|v| v.is_finite()) {
        "residuals are not finite; set standardise = true or lower cost"
    } else if dual.imbalance() > 1e-9 {
        "the constraint Σβ = 0 was lost; lower cost or raise tolerance"
    } else {
        return Ok(());
    };
    Err(ModelError::numerical("svm", problem))
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    vectorised!({
        let mut sums = [0.0; 16];
        let (a, b) = (a.chunks_exact(16), b.chunks_exact(16));
        let rest: f64 = a.remainder().iter().zip(b.remainder()).map(|(u, v)| u * v).sum();
        for (u, v) in a.zip(b) {
            for k in 0..16 {
                sums[k] += u[k] * v[k];
            }
        }
        sums.iter().sum::<f64>() + rest
    })
}

// Standardisation as e1071 does it: every input and the target to mean 0 and standard deviation 1 (divisor n
// − 1).

/// Centre and scale of what stays as it is.
const AS_IS: (f64, f64) = (0.0, 1.0);

/// The scaling of the inputs, and centre and scale of the target.
pub(super) fn scaling(train: TrainSet<'_>, standardise: bool) -> (Scaler, (f64, f64)) {
    let of = |values: &[f64]| if standardise { centre_and_scale(values, train.weights) } else { AS_IS };
    (Scaler::by(train.x, of), of(train.y))
}

/// A constant column stays as it is. (e1071 then leaves *all* columns unscaled, with a warning; one dead
/// input changing the model of the others is no behaviour to keep.)
fn centre_and_scale(values: &[f64], weights: Option<&[f64]>) -> (f64, f64) {
    let rows = values.len() as f64;
    let count = weights.map_or(rows, |w| w.iter().sum());
    let weight = |i: usize| weights.map_or(1.0, |w| w[i]);
    // A weight counts cases; too few of them for a variance are taken as weights of mean 1.
    let free = if count >= 2.0 { count - 1.0 } else { count * (rows - 1.0) / rows };
    // Dividing by the largest size first keeps sums and squares of huge and tiny columns within range.
    let size = values.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
    if size == 0.0 || rows < 2.0 {
        return AS_IS;
    }
    let mean = values.iter().enumerate().map(|(i, v)| weight(i) * (v / size)).sum::<f64>() / count;
    let spread = values.iter().fold(0.0, |m: f64, v| m.max((v / size - mean).abs()));
    // A mean is rounded, so a constant column may differ from it in the last place.
    if spread <= 4.0 * f64::EPSILON * mean.abs() {
        return AS_IS;
    }
    let squares =
        values.iter().enumerate().map(|(i, v)| weight(i) * ((v / size - mean) / spread).powi(2)).sum::<f64>();
    let scale = size * (spread * (squares / free).sqrt());
    if scale.is_normal() { (size * mean, scale) } else { AS_IS }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Half a case four times is two cases, 0 and 1: their variance is ½.
    #[test]
    fn weights_count_cases() {
        let unit = centre_and_scale(&[0.0, 0.0, 1.0, 1.0], Some(&[0.5; 4]));
        assert!((unit.1 - 0.5f64.sqrt()).abs() < 1e-15 && unit.0 == 0.5, "{unit:?}");
        // A quarter each is one case, too few for a variance: weights of mean 1, so Σ(v − ½)² / 3 = ⅓.
        let few = centre_and_scale(&[0.0, 0.0, 1.0, 1.0], Some(&[0.25; 4]));
        assert!((few.1 - (1.0f64 / 3.0).sqrt()).abs() < 1e-15, "{few:?}");
    }

    /// A mean that is almost 0 does not make a column constant; one value does.
    #[test]
    fn only_constant_columns_stay() {
        let unit = centre_and_scale(&[-2.0, 2.0, 1e-15], None);
        assert!((unit.1 - 2.0).abs() < 1e-15, "{unit:?}");
        for constant in [&[0.1; 7][..], &[3.0], &[0.0, 0.0]] {
            let unit = centre_and_scale(constant, None);
            assert_eq!(unit, (0.0, 1.0), "{constant:?}");
        }
    }
}
