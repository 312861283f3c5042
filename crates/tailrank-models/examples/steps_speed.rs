//! How long re-sampling takes, and what weights cost a fit: `cargo run --release --example steps_speed`.
//!
//! 20 inputs, a twentieth of the rows rare at either end. Beside each time stands what `scripts/bench_smote.py` measures
//! for the same step in NumPy and scikit-learn.
#![allow(clippy::print_stdout, reason = "an example prints")]

use std::time::Instant;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tailrank_models::{
    FitContext, Matrix, Params, TrainSet, family, fit_grid,
    steps::{Recipe, Step, StepContext},
};

fn main() -> tailrank_models::Result<()> {
    resampling()?;
    weighted_fits()
}

fn resampling() -> tailrank_models::Result<()> {
    println!("{:>8} {:>8} {:>10} {:>12}", "rows", "step", "rows after", "seconds");
    for rows in [5_000, 100_000] {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let x = Matrix::new(rows, 20, (0..rows * 20).map(|_| rng.random::<f64>()).collect())?;
        let y: Vec<f64> = x.view().iter_rows().map(|r| r.iter().sum::<f64>() + rng.random::<f64>()).collect();
        let mut sorted = y.clone();
        sorted.sort_by(f64::total_cmp);
        let (low, high) = (sorted[rows / 20], sorted[rows - 1 - rows / 20]);
        let relevance = |v: f64| if v <= low || v >= high { 1.0 } else { 0.0 };
        let context = StepContext::new(TrainSet::new(x.view(), &y)).with_relevance(&relevance);
        for name in ["smote", "smogn", "noise", "over", "under"] {
            let recipe = Recipe::new(vec![Step::parse(&Params::new().with("resample", name))?])?;
            let mut best = f64::INFINITY;
            let mut after = 0;
            for _ in 0..3 {
                let start = Instant::now();
                after = recipe.prepare(&context, &FitContext::new(1))?[0].y().len();
                best = best.min(start.elapsed().as_secs_f64());
            }
            println!("{rows:>8} {name:>8} {after:>10} {best:>12.4}");
        }
    }
    Ok(())
}

/// The same fits with and without weights, in turns, and the fastest of each.
fn weighted_fits() -> tailrank_models::Result<()> {
    println!("\n{:>8} {:>12} {:>12} {:>8}", "family", "plain", "weighted", "ratio");
    let (rows, cols) = (2_000, 10);
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let x = Matrix::new(rows, cols, (0..rows * cols).map(|_| rng.random::<f64>()).collect())?;
    let y: Vec<f64> =
        x.view().iter_rows().map(|r| (6.0 * r[0]).sin() + r[1] * r[2] + 0.3 * rng.random::<f64>()).collect();
    let weights: Vec<f64> = (0..rows).map(|_| 0.5 + rng.random::<f64>()).collect();
    let plain = TrainSet::new(x.view(), &y);
    for (name, variant) in [
        ("linear", Params::new()),
        ("cart", Params::new().with("cp", 0.001)),
        ("mars", Params::new().with("degree", 2)),
        ("nnet", Params::new().with("size", 5).with("maxit", 50).with("reltol", 0.0)),
        ("forest", Params::new().with("trees", 100)),
        ("svm", Params::new()),
    ] {
        let family = family(name, None)?;
        let mut best = [f64::INFINITY; 2];
        for turn in 0..14 {
            let train = if turn % 2 == 0 { plain } else { plain.with_weights(&weights) };
            let start = Instant::now();
            fit_grid(family, train, x.view(), std::slice::from_ref(&variant), &FitContext::new(1))?;
            best[turn % 2] = best[turn % 2].min(start.elapsed().as_secs_f64());
        }
        println!("{name:>8} {:>12.4} {:>12.4} {:>8.2}", best[0], best[1], best[1] / best[0]);
    }
    Ok(())
}
