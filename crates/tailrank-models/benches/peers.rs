//! The peers on a task of the stock-returns study's size: 5000 × 24 training rows, 3000 test rows.
//!
//! ```text
//! cargo bench -p tailrank-models --bench peers
//! ```
//!
//! Engines of one family stand beside each other, so that ratios come from one run.

use divan::Bencher;
use tailrank_models::{FitContext, Matrix, Params, TrainSet, family, fit_grid};

fn main() {
    divan::main();
}

/// Reproducible uniform numbers; only their shape matters here.
fn rows(count: usize, seed: u64) -> Matrix {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64 - 0.5
    };
    Matrix::new(count, 24, (0..count * 24).map(|_| next()).collect()).expect("24 values a row")
}

fn bench(bencher: Bencher<'_, '_>, name: &str, engine: &str, grid: &[Params]) {
    let (x, test) = (rows(5000, 1), rows(3000, 2));
    let y: Vec<f64> = x.view().iter_rows().map(|r| r[0] + (4.0 * r[1] * r[2]).sin() + 0.3 * r[23]).collect();
    let family = family(name, Some(engine)).expect("registered");
    bencher.bench(|| fit_grid(family, TrainSet::new(x.view(), &y), test.view(), grid, &FitContext::new(1)));
}

fn neighbours() -> Vec<Params> {
    [1, 5, 20].map(|k| Params::new().with("k", k)).to_vec()
}

#[divan::bench(sample_count = 3, sample_size = 1)]
fn knn_three_sizes(bencher: Bencher<'_, '_>) {
    bench(bencher, "knn", "native", &neighbours());
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn least_squares(bencher: Bencher<'_, '_>) {
    bench(bencher, "linear", "native", &[Params::new()]);
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn ridge_ten_lambdas(bencher: Bencher<'_, '_>) {
    let grid: Vec<Params> =
        (0..10).map(|i| Params::new().with("penalty", "ridge").with("lambda", 10f64.powi(i - 6))).collect();
    bench(bencher, "linear", "native", &grid);
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn lasso_ten_lambdas(bencher: Bencher<'_, '_>) {
    let grid: Vec<Params> =
        (0..10).map(|i| Params::new().with("penalty", "lasso").with("lambda", 10f64.powi(i - 8))).collect();
    bench(bencher, "linear", "native", &grid);
}

#[divan::bench(sample_count = 3, sample_size = 1)]
fn boost_three_sizes(bencher: Bencher<'_, '_>) {
    let grid = [100, 200, 300].map(|t| Params::new().with("trees", t));
    bench(bencher, "boost", "native", &grid);
}

#[divan::bench(args = ["native", "smartcore"], sample_count = 1, sample_size = 1)]
fn forest_ten_sizes(bencher: Bencher<'_, '_>, engine: &str) {
    let grid: Vec<Params> = (1..=10).map(|t| Params::new().with("trees", 20 * t)).collect();
    bench(bencher, "forest", engine, &grid);
}
