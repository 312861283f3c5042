//! A user's own estimator beside registered families, in one grid.
//!
//! ```text
//! cargo run --release -p tailrank-models --example own_model
//! ```

#![allow(clippy::print_stdout, reason = "the example shows its result")]

use tailrank_models::{
    Family, FitContext, Matrix, ParamKind, ParamSpec, Params, Result, TrainSet, engines::own::OwnModel,
    family, fit_grid,
};

/// Holt's idea on a window of returns: a weighted mean of the inputs, newest first.
const SMOOTHER: &[ParamSpec] = &[ParamSpec {
    name: "memory",
    kind: ParamKind::Real { min: 0.0, above: true, max: 1.0 },
    default: "0.5",
    doc: "weight of each value relative to the one after it",
}];

fn main() -> Result<()> {
    let smoother = OwnModel::new("smoother", SMOOTHER, |_train, test, variant, _context| {
        let memory = variant.real("memory", 0.5);
        let smooth = |row: &[f64]| {
            let (sum, weights) = row.iter().enumerate().fold((0.0, 0.0), |(sum, weights), (age, v)| {
                let weight = memory.powi(age as i32);
                (sum + weight * v, weights + weight)
            });
            sum / weights
        };
        Ok(test.iter_rows().map(smooth).collect())
    })
    .version(1)
    .summary("exponentially weighted mean of the inputs");

    // A series that remembers, embedded with three lags: the target is the next value.
    let series: Vec<f64> =
        (0..400).map(|t| (f64::from(t) * 0.11).sin() + 0.3 * (f64::from(t) * 1.7).cos()).collect();
    let rows: Vec<[f64; 3]> = series.windows(4).map(|w| [w[2], w[1], w[0]]).collect();
    let targets: Vec<f64> = series.windows(4).map(|w| w[3]).collect();
    let (x, test) = (Matrix::from_rows(&rows[..300])?, Matrix::from_rows(&rows[300..])?);
    let train = TrainSet::new(x.view(), &targets[..300]);

    let grid = [0.2, 0.5, 0.9].map(|m| Params::new().with("memory", m));
    let neighbours = [1, 5, 20].map(|k| Params::new().with("k", k));
    let plain = [Params::new()];
    let entries: [(&dyn Family, &[Params]); 3] =
        [(&smoother, &grid), (family("knn", None)?, &neighbours), (family("linear", None)?, &plain)];
    for (family, variants) in entries {
        let fits = fit_grid(family, train, test.view(), variants, &FitContext::new(2024))?;
        for (variant, fit) in variants.iter().zip(fits) {
            let errors =
                fit?.predictions.iter().zip(&targets[300..]).map(|(p, y)| (p - y).abs()).sum::<f64>();
            println!(
                "{:10} {:12} MAD {:.4}",
                family.name(),
                variant.to_string(),
                errors / test.view().rows() as f64
            );
        }
    }
    Ok(())
}
