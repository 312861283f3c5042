//! `svm` by libsvm-rs, a port of LIBSVM at LIBSVM's speed.
//!
//! The crate does not say when its limit of ten million steps ended a fit, so the optimality conditions of
//! ε-SVR are checked afterwards on the training rows.

use libsvm_rs::{
    KernelType, SvmNode, SvmParameter, SvmProblem, SvmType, check_parameter, predict::predict,
    train::svm_train,
};

use super::{
    guarded,
    svm_settings::{PARAMETERS, on_standardised},
};
use crate::{
    Cost, Family, Fit, FitContext, Job, ModelError, Params, Result, Shape,
    svm::{Settings, kinked},
};

/// LIBSVM keeps its kernel in f32; with costs in the hundreds that alone moves the conditions by up to this
/// much.
const KERNEL_NOISE: f64 = 0.01;

/// Support-vector regression by libsvm-rs.
#[derive(Clone, Copy, Debug)]
pub struct LibsvmSvm;

impl Family for LibsvmSvm {
    crate::family::facts! {
        name = "svm";
        engine = "libsvm";
        version = 1;
        summary = "support-vector regression by libsvm-rs";
        parameters = PARAMETERS;
    }

    fn estimate(&self, shape: Shape, variants: &[Params]) -> Cost {
        let pairs = (shape.train_rows as f64).powi(2);
        let seconds = variants.iter().map(|v| 3e-8 * pairs * (1.0 + v.real("cost", 1.0)).ln() * 4.0).sum();
        Cost { cpu_seconds: seconds, bytes: (4 * shape.train_rows.pow(2)).min(1 << 30) }
    }

    fn fit_grid(&self, job: Job<'_>, variants: &[Params]) -> Vec<Result<Fit>> {
        // The solver writes its warnings to the terminal unless told not to.
        libsvm_rs::set_quiet(true);
        let one = |v: &Params| {
            job.context.check()?;
            guarded("svm", "libsvm", || fit(job, v))
        };
        variants.iter().map(one).collect()
    }
}

fn fit(job: Job<'_>, variant: &Params) -> Result<Fit> {
    let settings = Settings::of(variant, job.train.x.cols());
    let (predictions, (converged, details)) = on_standardised(settings.standardise, job, |train, test| {
        let problem =
            SvmProblem { labels: train.y.to_vec(), instances: train.x.iter_rows().map(nodes).collect() };
        let parameters = libsvm_parameters(variant, job.train.x.cols(), job.context);
        check_parameter(&problem, &parameters)
            .map_err(|e| ModelError::numerical("svm", format!("libsvm: {e}")))?;
        let model = svm_train(&problem, &parameters);
        let predictions = test.iter_rows().map(|row| predict(&model, &nodes(row))).collect();
        let mut details = vec![("support_vectors", model.sv.len() as f64)];
        let mut converged = true;
        if parameters.svm_type == SvmType::EpsilonSvr {
            let mut beta = vec![0.0; train.y.len()];
            for (i, b) in model.sv_indices.iter().zip(&model.sv_coef[0]) {
                beta[i - 1] = *b;
            }
            let fitted = problem.instances.iter().map(|row| predict(&model, row));
            let gap = optimality_gap(settings.cost, settings.epsilon, train.y, fitted, &beta);
            converged = gap <= settings.stop.tolerance + KERNEL_NOISE;
            details.push(("optimality_gap", gap));
        }
        Ok((predictions, (converged, details)))
    })?;
    Ok(Fit { predictions, converged, details })
}

fn nodes(row: &[f64]) -> Vec<SvmNode> {
    row.iter().enumerate().map(|(j, v)| SvmNode { index: j as i32 + 1, value: *v }).collect()
}

fn libsvm_parameters(variant: &Params, inputs: usize, context: &FitContext) -> SvmParameter {
    SvmParameter {
        svm_type: if variant.text("type", "eps") == "nu" { SvmType::NuSvr } else { SvmType::EpsilonSvr },
        kernel_type: match variant.text("kernel", "rbf") {
            "linear" => KernelType::Linear,
            "polynomial" => KernelType::Polynomial,
            "sigmoid" => KernelType::Sigmoid,
            _ => KernelType::Rbf,
        },
        gamma: variant.real("gamma", 1.0 / inputs as f64),
        coef0: variant.real("coef0", 0.0),
        degree: variant.int("degree", 3) as i32,
        c: variant.real("cost", 1.0),
        p: variant.real("epsilon", 0.1),
        nu: variant.real("nu", 0.5),
        eps: variant.real("tolerance", 1e-3),
        cache_size: (context.memory_bytes as f64 / (1 << 20) as f64).max(1.0),
        shrinking: true,
        ..SvmParameter::default()
    }
}

/// How far the multipliers β violate the optimality conditions of ε-SVR: max over those that may grow of y −
/// f ∓ ε, less the min over those that may shrink. The bias in f cancels.
fn optimality_gap(
    cost: f64,
    epsilon: f64,
    y: &[f64],
    fitted: impl Iterator<Item = f64>,
    beta: &[f64],
) -> f64 {
    let (mut up, mut low) = (f64::NEG_INFINITY, f64::INFINITY);
    for ((y, f), b) in y.iter().zip(fitted).zip(beta) {
        let (above, below) = kinked(*b, cost, epsilon);
        up = up.max(y - f + above);
        low = low.min(y - f + below);
    }
    (up - low).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ε = 0.1, C = 1: with β = 0 and f = 0 the target 1 asks to grow by 0.9, the target −1 to shrink by as
    /// much, 1.8 in all. At the bounds nothing more can be asked for.
    #[test]
    fn the_gap_is_what_the_conditions_lack() {
        let gap = |fitted: [f64; 2], beta: [f64; 2]| {
            optimality_gap(1.0, 0.1, &[1.0, -1.0], fitted.into_iter(), &beta)
        };
        assert!((gap([0.0; 2], [0.0; 2]) - 1.8).abs() < 1e-15);
        assert_eq!(gap([0.0; 2], [1.0, -1.0]), 0.0);
        // Free multipliers are right where the residuals are ±ε.
        assert!(gap([0.9, -0.9], [0.5, -0.5]) < 1e-15);
        assert!((gap([0.7, -0.9], [0.5, -0.5]) - 0.2).abs() < 1e-15);
    }
}
