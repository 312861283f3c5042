//! How long re-sampling takes, and what weights cost a fit, in CPU seconds of one thread:
//! `RAYON_NUM_THREADS=1 cargo run --release --example steps_speed`; names of steps or families after it
//! choose some.
//!
//! 20 inputs, a twentieth of the rows rare at either end. `scripts/bench/smote.py` runs it and times the same
//! step in NumPy and scikit-learn beside it.
#![allow(clippy::print_stdout, reason = "an example prints")]

mod clock;

use clock::seconds;
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

/// Whether the command line asks for this step or family, or for none in particular.
fn is_wanted(name: &str) -> bool {
    std::env::args().len() == 1 || std::env::args().skip(1).any(|wanted| wanted == name)
}

/// The value in the middle.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
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
        let context =
            StepContext { relevance: Some(&relevance), ..StepContext::new(TrainSet::new(x.view(), &y)) };
        for name in ["smote", "smogn", "noise", "over", "under"].into_iter().filter(|name| is_wanted(name)) {
            let recipe = Recipe::new(vec![Step::parse(&Params::new().with("resample", name))?])?;
            let (mut times, mut after) = (Vec::new(), 0);
            while times.len() < 3 || times.iter().sum::<f64>() < 1.0 {
                let start = seconds();
                after = recipe.prepare(&context, &FitContext::new(1))?[0].y().len();
                times.push(seconds() - start);
            }
            let seconds = median(times);
            println!("{rows:>8} {name:>8} {after:>10} {seconds:>12.6}");
        }
    }
    Ok(())
}

/// The same fits with and without weights, in turns: medians of the pairs' ratios. Weights of 0.5 to 1.5
/// change the fit, and with it its work; weights within a millionth of 1 hardly do, so that the second ratio
/// is what weighing itself costs.
fn weighted_fits() -> tailrank_models::Result<()> {
    println!("\n{:>8} {:>12} {:>12} {:>8}", "family", "plain", "weighted", "near 1");
    let (rows, cols) = (5_000, 20);
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let x = Matrix::new(rows, cols, (0..rows * cols).map(|_| rng.random::<f64>()).collect())?;
    let y: Vec<f64> =
        x.view().iter_rows().map(|r| (6.0 * r[0]).sin() + r[1] * r[2] + 0.3 * rng.random::<f64>()).collect();
    let weights: Vec<f64> = (0..rows).map(|_| 0.5 + rng.random::<f64>()).collect();
    let near_one: Vec<f64> = weights.iter().map(|w| 1.0 + 1e-6 * (w - 1.0)).collect();
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
        if !is_wanted(name) {
            continue;
        }
        let family = family(name, None)?;
        let time = |train: TrainSet<'_>| {
            let start = seconds();
            fit_grid(family, train, x.view(), std::slice::from_ref(&variant), &FitContext::new(1))?;
            tailrank_models::Result::Ok(seconds() - start)
        };
        let (mut times, mut ratios) = (vec![], [vec![], vec![]]);
        while times.len() < 7 || times.iter().sum::<f64>() < 1.0 {
            for (ratios, weights) in ratios.iter_mut().zip([&weights, &near_one]) {
                let unweighted = time(plain)?;
                ratios.push(time(plain.with_weights(weights))? / unweighted);
                times.push(unweighted);
            }
        }
        let [as_used, near] = ratios.map(median);
        println!("{name:>8} {:>12.4} {as_used:>12.2} {near:>8.2}", median(times));
    }
    Ok(())
}
