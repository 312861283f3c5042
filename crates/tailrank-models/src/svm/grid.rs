//! The order in which a grid is solved, and the predictions of its models.

use std::{cmp::Ordering, sync::Arc};

use pulp::Arch;

use super::{
    dual::Dual,
    factor::{self, Factor},
    gram::{self, Gram},
    kernel::{Kernel, Points},
    scaling::scaling,
    settings::Settings,
    solver::{Report, SolverState},
};
use crate::{Cost, Fit, FitContext, MatrixView, ModelError, Params, Result, Shape, TrainSet, groups::groups};

/// Test rows predicted at a time: their kernel values with some thousand support vectors stay in the
/// second-level cache.
const BATCH: usize = 24;
/// Fewest kernel rows a cache can work with.
const FEWEST_ROWS: usize = 64;

/// A solved variant before its predictions.
struct Model {
    variant: usize,
    dual: Dual,
    report: Report,
}

/// Fits all variants; those with the same sharing key help each other.
pub(super) fn fit(
    train: TrainSet<'_>,
    test: MatrixView<'_>,
    variants: &[Params],
    context: &FitContext,
) -> Vec<Result<Fit>> {
    let mut answers: Vec<Result<Fit>> = variants.iter().map(|_| Err(ModelError::Cancelled)).collect();
    for (_, group) in groups(variants, Settings::sharing_key) {
        let settings: Vec<Settings> =
            group.iter().map(|&i| Settings::of(&variants[i], train.x.cols())).collect();
        for (&i, answer) in group.iter().zip(fit_group(train, test, &settings, context)) {
            answers[i] = answer;
        }
    }
    answers
}

fn gamma(kernel: Kernel) -> f64 {
    match kernel {
        Kernel::Rbf { gamma } | Kernel::Polynomial { gamma, .. } | Kernel::Sigmoid { gamma, .. } => gamma,
        Kernel::Linear => 0.0,
    }
}

/// Solves along ascending γ and, within it, ascending cost.
fn fit_group(
    train: TrainSet<'_>,
    test: MatrixView<'_>,
    settings: &[Settings],
    context: &FitContext,
) -> Vec<Result<Fit>> {
    let (scaler, (centre, scale)) = scaling(train, settings[0].standardise);
    let points = Points::new(scaler.apply(train.x).view());
    let y: Vec<f64> = train.y.iter().map(|v| (v - centre) / scale).collect();
    let weights: Option<Arc<[f64]>> = train.weights.map(Arc::from);
    let test = Points::new(scaler.apply(test).view());

    let mut order: Vec<usize> = (0..settings.len()).collect();
    let by = |a: f64, b: f64| a.partial_cmp(&b).unwrap_or(Ordering::Equal);
    order.sort_by(|&a, &b| {
        let (a, b) = (&settings[a], &settings[b]);
        by(gamma(a.kernel), gamma(b.kernel)).then(by(a.cost, b.cost))
    });

    let mut answers: Vec<Result<Fit>> = settings.iter().map(|_| Err(ModelError::Cancelled)).collect();
    let mut memory = (Factor::new(points.len()), Vec::new());
    let mut previous: Vec<Model> = Vec::new();
    let mut left = order.len();
    for same_kernel in order.chunk_by(|&a, &b| settings[a].kernel == settings[b].kernel) {
        let solved = solve_kernel(
            &points,
            &y,
            weights.as_ref(),
            settings,
            same_kernel,
            &previous,
            &mut memory,
            context,
        );
        match solved {
            Ok(models) => {
                let kernel = settings[same_kernel[0]].kernel;
                let fits = predict(kernel, &points, &y, &test, &models, (centre, scale), context);
                for (model, fit) in models.iter().zip(fits) {
                    answers[model.variant] = fit;
                }
                previous = models;
                left -= same_kernel.len();
            }
            Err(error) => {
                // Without memory the next kernels would have to start elsewhere than with it: they are
                // refused as well.
                if matches!(error, ModelError::Cancelled | ModelError::Memory { .. }) {
                    let rest = &order[order.len() - left..];
                    rest.iter().for_each(|&i| answers[i] = Err(error.clone()));
                    break;
                }
                for &i in same_kernel {
                    answers[i] = Err(error.clone());
                }
                previous.clear();
                left -= same_kernel.len();
            }
        }
    }
    answers
}

fn solve_kernel(
    points: &Points,
    y: &[f64],
    weights: Option<&Arc<[f64]>>,
    settings: &[Settings],
    variants: &[usize],
    previous: &[Model],
    memory: &mut (Factor, Vec<f32>),
    context: &FitContext,
) -> Result<Vec<Model>> {
    let n = points.len();
    let capacity = gram::capacity(n, context.memory_bytes);
    if capacity < n.min(FEWEST_ROWS) {
        let needed = (2 * FEWEST_ROWS * 4 * gram::padded(n)).div_ceil(1 << 20);
        return Err(ModelError::memory("svm", needed, context.memory_bytes, "use fewer training rows"));
    }
    let (mut factor, rows) = std::mem::replace(memory, (Factor::new(n), Vec::new()));
    let gram = Gram::new(settings[variants[0]].kernel, points, capacity, rows, context)?;
    let convex = settings[variants[0]].kernel.is_definite();
    let held = 4 * capacity * gram::padded(n);
    factor.clear();
    factor.jitter = 1e-9;
    factor.limit = context.memory_bytes;
    factor.memory = context.memory_bytes.saturating_sub(held);
    let mut state = SolverState { y, gram, factor, loose: 0.1 * spread(y), convex, definite: true };
    let mut models: Vec<Model> = Vec::new();
    for &variant in variants {
        let Settings { tube, cost, stop, .. } = settings[variant];
        let mut near = false;
        let mut dual = match models.last() {
            _ if !convex => Dual::start(y, weights.cloned(), tube, cost),
            Some(model) => {
                let mut dual = model.dual.clone();
                if dual.cost != cost {
                    near = state.raise_cost(&mut dual, cost)?;
                }
                dual
            }
            None => match nearest(previous, cost) {
                Some(model) => {
                    let mut dual = model.dual.clone();
                    dual.stretch(y, cost);
                    dual.refresh(y, &mut state.gram);
                    dual
                }
                None => Dual::start(y, weights.cloned(), tube, cost),
            },
        };
        let report = state.solve(&mut dual, near, stop, context)?;
        check(&dual)?;
        models.push(Model { variant, dual, report });
    }
    *memory = (state.factor, state.gram.into_memory());
    Ok(models)
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

/// Predictions of all models of one kernel: test rows against the points that support any of them.
fn predict(
    kernel: Kernel,
    points: &Points,
    y: &[f64],
    test: &Points,
    models: &[Model],
    (centre, scale): (f64, f64),
    context: &FitContext,
) -> Vec<Result<Fit>> {
    let support: Vec<usize> =
        (0..points.len()).filter(|&i| models.iter().any(|m| m.dual.beta[i] != 0.0)).collect();
    let vectors = points.select(&support);
    let weights: Vec<Vec<f64>> =
        models.iter().map(|m| support.iter().map(|&i| m.dual.beta[i]).collect()).collect();
    let mut sums = Vec::with_capacity(test.len() * models.len());
    let mut values = vec![0.0; BATCH * support.len()];
    for start in (0..test.len()).step_by(BATCH) {
        if context.check().is_err() {
            return models.iter().map(|_| Err(ModelError::Cancelled)).collect();
        }
        let rows = test.slice(start, test.len().min(start + BATCH));
        let values = &mut values[..rows.len() * support.len()];
        kernel.block(&rows, &vectors, 0, values);
        for k in 0..rows.len() {
            let row = &values[k * support.len()..(k + 1) * support.len()];
            sums.extend(weights.iter().map(|weights| dot(row, weights)));
        }
    }
    let fit = |(k, model): (usize, &Model)| {
        let level = model.dual.level();
        let predictions =
            sums.iter().skip(k).step_by(models.len()).map(|sum| (sum + level.b) * scale + centre).collect();
        let (objective, relative_gap) = model.dual.objective(y);
        let support = model.dual.beta.iter().filter(|b| **b != 0.0).count();
        Ok(Fit {
            predictions,
            converged: model.report.converged,
            details: vec![
                ("iterations", model.report.iterations as f64),
                ("newton_rounds", model.report.newton_rounds as f64),
                ("gap", model.dual.gap().width.max(0.0)),
                ("dual_objective", objective),
                ("relative_duality_gap", relative_gap),
                ("support_vectors", support as f64),
                ("free_vectors", model.dual.free().count() as f64),
                ("epsilon", level.epsilon),
                ("rho", -level.b),
            ],
        })
    };
    models.iter().enumerate().map(fit).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    Arch::new().dispatch(|| {
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

/// Measured on returns of stocks: kernel and prediction per γ, a share of n³ for the factor per model.
pub(super) fn estimate(shape: Shape, variants: &[Params]) -> Cost {
    let (n, tests) = (shape.train_rows as f64, shape.test_rows as f64);
    let mut kernels: Vec<String> =
        variants.iter().map(|v| v.without(&["cost", "tolerance", "max_iter"]).to_string()).collect();
    kernels.sort_unstable();
    kernels.dedup();
    let per_value = 2e-9 + 1e-10 * shape.inputs as f64;
    let kernel = per_value * (0.5 * n * n + n * tests);
    let model = 1.2e-8 * n * n;
    let full = 4 * shape.train_rows * gram::padded(shape.train_rows);
    Cost {
        cpu_seconds: kernels.len() as f64 * (kernel + model) + variants.len() as f64 * 0.4 * model,
        bytes: full + factor::bytes(shape.train_rows / 2),
    }
}
