//! How long `smote` and its neighbour search take: `cargo run --release --example resample_speed`.
//!
//! 20 inputs, a twentieth of the rows rare at either end. Beside each time stands what `scripts/bench_smote.py` measures
//! for the same step in NumPy and scikit-learn.
#![allow(clippy::print_stdout, reason = "an example prints")]

use std::time::Instant;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tailrank_models::{
    FitContext, Matrix, Params, TrainSet,
    steps::{Recipe, Step, StepContext},
};

fn main() -> tailrank_models::Result<()> {
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
