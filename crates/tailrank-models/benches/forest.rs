//! Growing and predicting forests on data like the stock-returns study's: 24 lags of overlapping returns.

#![allow(missing_docs, clippy::unwrap_used)]

use divan::{Bencher, black_box};
use rand::RngExt;
use tailrank_models::{FitContext, Forest, Matrix, Params, TrainSet, fit_grid};

fn main() {
    divan::main();
}

/// Three-day returns of a random walk whose volatility wanders, `n` rows of 24 lags and the return three days
/// ahead.
fn returns(n: usize) -> (Matrix, Vec<f64>) {
    let mut rng = FitContext::new(1).rng("bench", "returns", 0);
    let mut normal = move || (0..12).map(|_| rng.random::<f64>()).sum::<f64>() - 6.0;
    let (mut log_price, mut volatility) = (0.0_f64, 0.01_f64);
    let prices: Vec<f64> = (0..n + 32)
        .map(|_| {
            volatility *= (0.1 * normal() - 0.1 * (volatility / 0.01).ln()).exp();
            log_price += volatility * normal();
            log_price.exp()
        })
        .collect();
    let back = |t: usize| prices[t] / prices[t - 3] - 1.0;
    let rows: Vec<Vec<f64>> = (26..26 + n).map(|t| (0..24).map(|lag| back(t - lag)).collect()).collect();
    let y = (26..26 + n).map(|t| back(t + 3)).collect();
    (Matrix::from_rows(&rows).unwrap(), y)
}

/// Ten trees: n training rows, as many test rows.
#[divan::bench(args = [1250, 5000, 20000], sample_count = 20, sample_size = 1)]
fn ten_trees(bencher: Bencher<'_, '_>, n: usize) {
    let (x, y) = returns(n);
    let grid = [Params::new().with("trees", 10)];
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    bencher.bench_local(|| {
        let train = TrainSet::new(x.view(), black_box(&y));
        pool.install(|| fit_grid(&Forest, train, x.view(), &grid, &FitContext::new(1)).unwrap())
    });
}
