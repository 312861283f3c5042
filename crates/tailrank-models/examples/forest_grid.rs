//! The ten forests of the stock-returns study (50 to 500 trees) on two CSV files, the target in the first column.
//!
//! `cargo run --release --example forest_grid train.csv test.csv [seed [step]]` prints one line per size: trees, MAD, RMSE,
//! signals (predictions of at least 2 % either way) and the out-of-bag error.

use std::{error::Error, fs};

use tailrank_models::{FitContext, Forest, Matrix, Params, TrainSet, fit_grid};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let (Some(train), Some(test)) = (args.next(), args.next()) else {
        return Err("usage: forest_grid train.csv test.csv [seed [step]]".into());
    };
    let seed = args.next().map_or(Ok(1), |s| s.parse())?;
    let step: i64 = args.next().map_or(Ok(50), |s| s.parse())?;
    let (x, y) = read(&train)?;
    let (test_x, truth) = read(&test)?;
    let sizes: Vec<Params> = (1..=10).map(|i| Params::new().with("trees", step * i)).collect();
    let train = TrainSet { x: x.view(), y: &y };
    for fit in fit_grid(&Forest, train, test_x.view(), &sizes, &FitContext::new(seed))? {
        let fit = fit?;
        let n = truth.len() as f64;
        let errors = || fit.predictions.iter().zip(&truth).map(|(p, y)| p - y);
        let mad = errors().map(f64::abs).sum::<f64>() / n;
        let rmse = (errors().map(|e| e * e).sum::<f64>() / n).sqrt();
        let signals = fit.predictions.iter().filter(|p| p.abs() >= 0.02).count();
        let detail = |name| fit.details.iter().find(|(n, _)| *n == name).map_or(f64::NAN, |(_, v)| *v);
        #[allow(clippy::print_stdout)]
        {
            println!(
                "{} {mad:.8} {rmse:.8} {signals} {:.8} {:.1}",
                detail("trees"),
                detail("oob_mse"),
                detail("nodes_per_tree")
            );
        }
    }
    Ok(())
}

fn read(path: &str) -> Result<(Matrix, Vec<f64>), Box<dyn Error>> {
    let text = fs::read_to_string(path)?;
    let mut rows = Vec::new();
    let mut y = Vec::new();
    for line in text.lines().skip(1) {
        let values: Vec<f64> = line.split(',').map(str::parse).collect::<Result<_, _>>()?;
        y.push(values[0]);
        rows.push(values[1..].to_vec());
    }
    Ok((Matrix::from_rows(&rows)?, y))
}
