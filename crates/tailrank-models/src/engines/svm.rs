//! `svm` by other crates, with the names and meanings of e1071's `svm`.
//!
//! libsvm-rs is a port of LIBSVM at LIBSVM's speed. It does not say when its limit of ten million steps ended a
//! fit, so the optimality conditions of ε-SVR are checked afterwards on the training rows.
//!
//! linfa-svm is right, 4–8 times slower than LIBSVM, and holds the whole kernel matrix in memory. Its shrinking
//! panics, so it stays off; its ν-SVR is solved without the constraint on Σ(α + α*), so only ε-SVR is offered;
//! it has no sigmoid kernel.

use libsvm_rs::{
    KernelType, SvmNode, SvmParameter, SvmProblem, SvmType, check_parameter, predict::predict,
    train::svm_train,
};
use linfa::{
    DatasetBase,
    traits::{Fit as LinfaFit, Predict},
};
use linfa_svm::Svm;
use ndarray::Array1;

use super::{fit_each, linfa::to_array};
use crate::{
    Cost, Family, Fit, FitContext, Job, Matrix, MatrixView, ModelError, ParamKind, ParamSpec, Params, Result,
    Shape, TrainSet,
    standardise::{Scaler, centre_and_scale},
    svm::{Kernel, Settings, kinked},
};

const POSITIVE: ParamKind = ParamKind::Real { min: 0.0, above: true, max: f64::INFINITY };

/// What libsvm-rs has; linfa-svm has most of it.
const LIBSVM: &[ParamSpec] = crate::parameters! {
    "type" = "eps", ParamKind::Choice(&["eps", "epsilon", "nu"]), "ε-SVR or ν-SVR";
    "kernel" = "rbf", ParamKind::Choice(&["rbf", "linear", "polynomial", "sigmoid"]), "kernel function";
    "cost" = "1", POSITIVE, "weight of errors beyond the tube";
    "gamma" = "auto", POSITIVE, "kernel width; 1/inputs unless given";
    "epsilon" = "0.1", ParamKind::Real { min: 0.0, above: false, max: f64::INFINITY },
        "half width of the tube, in standard deviations of the target when standardised";
    "nu" = "0.5", ParamKind::Real { min: 0.0, above: true, max: 1.0 },
        "bound on the share of errors, for type = nu";
    "degree" = "3", ParamKind::Int { min: 1, max: 32 }, "degree of the polynomial kernel";
    "coef0" = "0", ParamKind::Real { min: f64::NEG_INFINITY, above: false, max: f64::INFINITY },
        "constant of the polynomial and sigmoid kernels";
    "tolerance" = "0.001", POSITIVE, "largest violation of the optimality conditions";
    // Takes the place of the option every family has: here it is on by default and includes the target, as in
    // e1071.
    "standardise" = "true", ParamKind::Flag,
        "standardise inputs and target by the training rows, as e1071 does";
};

/// What linfa-svm has of it.
const LINFA: &[ParamSpec] = &[
    ParamSpec { kind: ParamKind::Choice(&["eps", "epsilon"]), doc: "ε-SVR", ..LIBSVM[0] },
    ParamSpec { kind: ParamKind::Choice(&["rbf", "linear", "polynomial"]), ..LIBSVM[1] },
    LIBSVM[2],
    LIBSVM[3],
    LIBSVM[4],
    LIBSVM[6],
    LIBSVM[7],
    LIBSVM[8],
    LIBSVM[9],
];

/// Seconds of grids whose models cost `per_pair` seconds for every pair of rows, more with their `cost`.
fn seconds(per_pair: f64, shape: Shape, variants: &[Params]) -> f64 {
    let pairs = (shape.train_rows as f64).powi(2);
    variants.iter().map(|v| per_pair * pairs * (1.0 + v.real("cost", 1.0)).ln() * 4.0).sum()
}

/// Calls `fit` with standardised data where asked, and takes its predictions back to the target's scale.
fn on_standardised(
    standardise: bool,
    job: Job<'_>,
    fit: impl FnOnce(TrainSet<'_>, MatrixView<'_>) -> Result<Fit>,
) -> Result<Fit> {
    let Job { train, test, .. } = job;
    if !standardise {
        return fit(train, test);
    }
    let scaler = Scaler::fit(train.x, train.weights);
    let (centre, scale) = centre_and_scale(train.y, None);
    let (x, z) = (scaler.apply(train.x), scaler.apply(test));
    let y: Vec<f64> = train.y.iter().map(|v| (v - centre) / scale).collect();
    let mut fit = fit(TrainSet::new(x.view(), &y), z.view())?;
    fit.predictions.iter_mut().for_each(|v| *v = centre + scale * *v);
    Ok(fit)
}

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
        parameters = LIBSVM;
    }

    fn estimate(&self, shape: Shape, variants: &[Params]) -> Cost {
        let cpu_seconds = seconds(3e-8, shape, variants);
        Cost { cpu_seconds, bytes: (4 * shape.train_rows.pow(2)).min(1 << 30) }
    }

    fn fit_grid(&self, job: Job<'_>, variants: &[Params]) -> Vec<Result<Fit>> {
        // The solver writes its warnings to the terminal unless told not to.
        libsvm_rs::set_quiet(true);
        fit_each("svm", "libsvm", job, variants, |v| by_libsvm(job, v))
    }
}

fn by_libsvm(job: Job<'_>, variant: &Params) -> Result<Fit> {
    let settings = Settings::of(variant, job.train.x.cols());
    on_standardised(settings.standardise, job, |train, test| {
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
        Ok(Fit { predictions, converged, details })
    })
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

/// Support-vector regression by linfa-svm.
#[derive(Clone, Copy, Debug)]
pub struct LinfaSvm;

impl Family for LinfaSvm {
    crate::family::facts! {
        name = "svm";
        engine = "linfa";
        version = 1;
        summary = "support-vector regression by linfa-svm";
        parameters = LINFA;
    }

    fn estimate(&self, shape: Shape, variants: &[Params]) -> Cost {
        let cpu_seconds = seconds(2e-7, shape, variants);
        Cost { cpu_seconds, bytes: kernel_bytes(shape.train_rows) }
    }

    fn fit_grid(&self, job: Job<'_>, variants: &[Params]) -> Vec<Result<Fit>> {
        let (needed, limit) = (kernel_bytes(job.train.y.len()), job.context.memory_bytes);
        fit_each("svm", "linfa", job, variants, |v| {
            if needed > limit {
                return Err(ModelError::memory("svm", needed >> 20, limit, "choose another engine"));
            }
            by_linfa(job, v)
        })
    }
}

/// The kernel matrix and a copy of it.
fn kernel_bytes(rows: usize) -> usize {
    rows.saturating_mul(rows).saturating_mul(16)
}

fn by_linfa(job: Job<'_>, variant: &Params) -> Result<Fit> {
    let settings = Settings::of(variant, job.train.x.cols());
    on_standardised(settings.standardise, job, |train, test| {
        let (x, z) = (scaled_for_kernel(&settings, train.x)?, scaled_for_kernel(&settings, test)?);
        let base = Svm::<f64, f64>::params()
            .c_svr(settings.cost, Some(settings.epsilon))
            .eps(settings.stop.tolerance)
            .shrinking(false);
        let params = match settings.kernel {
            Kernel::Linear => base.linear_kernel(),
            Kernel::Polynomial { coef0, degree, .. } => base.polynomial_kernel(coef0, f64::from(degree)),
            // linfa divides the squared distance where LIBSVM multiplies.
            Kernel::Rbf { gamma } => base.gaussian_kernel(1.0 / gamma),
        };
        let data = DatasetBase::new(to_array(x.view())?, Array1::from(train.y.to_vec()));
        let model = params.fit(&data).map_err(|e| ModelError::numerical("svm", format!("linfa: {e}")))?;
        // The exit reason is private; its text is not.
        let converged = !model.to_string().starts_with("Reached maximal iterations");
        let predictions: Array1<f64> = model.predict(&to_array(z.view())?);
        let details = vec![("support_vectors", model.nsupport() as f64)];
        Ok(Fit { predictions: predictions.to_vec(), converged, details })
    })
}

/// linfa's polynomial kernel has no gamma: inputs times √gamma give the same products.
fn scaled_for_kernel(settings: &Settings, x: MatrixView<'_>) -> Result<Matrix> {
    let factor = if let Kernel::Polynomial { gamma, .. } = settings.kernel { gamma.sqrt() } else { 1.0 };
    Matrix::new(x.rows(), x.cols(), x.as_slice().iter().map(|v| v * factor).collect())
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
