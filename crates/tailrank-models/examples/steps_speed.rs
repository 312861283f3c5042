//! How long re-sampling takes, and what weights cost a fit, in CPU seconds of one thread:
//! `RAYON_NUM_THREADS=1 cargo run --release --example steps_speed`.
//!
//! 20 inputs, a twentieth of the rows rare at either end. `scripts/bench_smote.py` runs it and times the same step in NumPy
//! and scikit-learn beside it.
#![allow(clippy::print_stdout, reason = "an example prints")]

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

/// CPU seconds of this process so far; Linux counts them in hundredths.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default();
    // User and system time are the 14th and 15th fields, the 12th and 13th behind the name.
    fields.split_whitespace().skip(11).take(2).filter_map(|v| v.parse::<f64>().ok()).sum::<f64>() / 100.0
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
            let (start, mut runs, mut after) = (cpu_seconds(), 0, 0);
            // Hundredths of a second are fine once a second has gone by.
            while runs < 3 || cpu_seconds() - start < 1.0 {
                after = recipe.prepare(&context, &FitContext::new(1))?[0].y().len();
                runs += 1;
            }
            let seconds = (cpu_seconds() - start) / f64::from(runs);
            println!("{rows:>8} {name:>8} {after:>10} {seconds:>12.6}");
        }
    }
    Ok(())
}

/// The same fits with and without weights, in turns, until each has taken a second.
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
        ("knn", Params::new().with("k", 15)),
        ("boost", Params::new()),
        ("cart", Params::new().with("cp", 0.001)),
        ("mars", Params::new().with("degree", 2)),
        ("nnet", Params::new().with("size", 5).with("maxit", 50).with("reltol", 0.0)),
        ("forest", Params::new().with("trees", 100)),
        ("svm", Params::new()),
    ] {
        let family = family(name, None)?;
        let (mut seconds, mut runs) = ([0.0; 2], 0);
        while runs < 3 || seconds[0] < 1.0 {
            for (total, train) in seconds.iter_mut().zip([plain, plain.with_weights(&weights)]) {
                let start = cpu_seconds();
                // Many short fits between two looks at the clock.
                for _ in 0..if name == "linear" { 500 } else { 5 } {
                    fit_grid(family, train, x.view(), std::slice::from_ref(&variant), &FitContext::new(1))?;
                }
                *total += cpu_seconds() - start;
            }
            runs += 1;
        }
        println!("{name:>8} {:>12.4} {:>12.4} {:>8.2}", seconds[0], seconds[1], seconds[1] / seconds[0]);
    }
    Ok(())
}
