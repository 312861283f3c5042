//! Forecasts of cost and memory beside what a fit really takes.
//!
//! One test alone in its program: it reads how much memory the program has used at most.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed test is how it reports")]

use std::fs;

use tailrank_models::{FitContext, Matrix, Params, Shape, TrainSet, family, fit_grid};

/// CPU seconds of this thread.
fn seconds() -> f64 {
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    1e-9 * text.split(' ').next().unwrap().parse::<f64>().unwrap()
}

/// Forgets the peak so far.
fn forget_peak() {
    fs::write("/proc/self/clear_refs", "5").unwrap();
}

/// The most bytes the program has held.
fn peak() -> f64 {
    let text = fs::read_to_string("/proc/self/status").unwrap();
    let line = text.lines().find(|l| l.starts_with("VmHWM")).unwrap();
    1024.0 * line.split_whitespace().nth(1).unwrap().parse::<f64>().unwrap()
}

/// Uniform numbers; large blocks only, which go back to the system when they are freed.
fn rows(count: usize, inputs: usize) -> Matrix {
    let mut state = 7u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64 - 0.5
    };
    Matrix::new(count, inputs, (0..count * inputs).map(|_| next()).collect()).unwrap()
}

#[test]
fn boost_and_knn_take_about_what_they_say() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let trees = |trees: i64, depth: i64| Params::new().with("trees", trees).with("max_depth", depth);
    let near = |k: i64| Params::new().with("k", k);
    let cases = [
        ("boost", 3000, 12, 500, vec![trees(60, 3), trees(30, 3)]),
        ("knn", 3000, 24, 1000, vec![near(5), near(9)]),
        ("knn", 3000, 10, 1000, vec![near(5), near(50)]),
        ("boost", 4000, 20, 1000, vec![trees(60, 6)]),
        ("boost", 200_000, 10, 1000, vec![trees(8, 4)]),
        ("knn", 200_000, 40, 200, vec![near(5)]),
    ];
    for (name, train_rows, inputs, test_rows, grid) in cases {
        let (x, test) = (rows(train_rows, inputs), rows(test_rows, inputs));
        let y: Vec<f64> = x.view().iter_rows().map(|r| r[0] + (3.0 * r[1]).sin()).collect();
        let train = TrainSet { x: x.view(), y: &y, weights: None };
        let family = family(name, None).unwrap();
        let cost = family.estimate(Shape { train_rows, test_rows, inputs }, &grid);
        let (memory, taken) = pool.install(|| {
            forget_peak();
            let (memory, begin) = (peak(), seconds());
            fit_grid(family, train, test.view(), &grid, &FitContext::new(1)).unwrap();
            (peak() - memory, seconds() - begin)
        });
        println!(
            "{name} {train_rows} × {inputs}: {taken:.3} s, {:.3} forecast; {memory:.1e} bytes, {:.1e}",
            cost.cpu_seconds, cost.bytes as f64
        );
        // Test builds check for overflow and machines differ; the system counts by ticks of some
        // milliseconds.
        let ratio = taken / cost.cpu_seconds;
        let is_told = cost.cpu_seconds < 0.02 || (0.2..6.0).contains(&ratio);
        assert!(is_told, "{name} {train_rows} × {inputs}: {taken} s, {cost:?}");
        if train_rows == 200_000 {
            let ratio = memory / cost.bytes as f64;
            assert!((0.25..2.0).contains(&ratio), "{name} {train_rows} × {inputs}: {memory} bytes, {cost:?}");
        }
    }
}
