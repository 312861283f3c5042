//! Fits the 16 SVM variants of PR09 on a training file, predicts a test file and prints scores and CPU
//! seconds.
//!
//! `cargo run --release --example svm_grid -- train.csv test.csv [variants.txt]`
//!
//! Files are CSV with a header; the last column is the target. `variants.txt` holds one variant a line, such
//! as `cost=10,gamma=0.1,kernel=rbf`, and replaces the 16.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::{env, fs, time::Instant};

use tailrank_models::{FitContext, Matrix, ParamValue, Params, Svm, TrainSet, fit_grid};

fn read(path: &str) -> (Matrix, Vec<f64>) {
    let text = fs::read_to_string(path).unwrap();
    let (mut x, mut y, mut cols) = (Vec::new(), Vec::new(), 0);
    for line in text.lines().skip(1) {
        let mut row: Vec<f64> = line.split(',').map(|v| v.trim().parse().unwrap()).collect();
        y.push(row.pop().unwrap());
        cols = row.len();
        x.extend(row);
    }
    (Matrix::new(y.len(), cols, x).unwrap(), y)
}

fn value(text: &str) -> ParamValue {
    match (text.parse::<i64>(), text.parse::<f64>(), text.parse::<bool>()) {
        (Ok(v), ..) => v.into(),
        (_, Ok(v), _) => v.into(),
        (.., Ok(v)) => v.into(),
        _ => text.into(),
    }
}

fn variants(path: Option<&String>) -> Vec<Params> {
    let Some(path) = path else {
        let costs = [400.0, 500.0, 600.0, 700.0];
        let gammas = [0.01, 0.005, 0.001, 0.0005];
        return costs
            .iter()
            .flat_map(|&c| gammas.iter().map(move |&g| Params::new().with("cost", c).with("gamma", g)))
            .collect();
    };
    let text = fs::read_to_string(path).unwrap();
    text.lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| {
            line.split(',')
                .filter_map(|p| p.split_once('='))
                .fold(Params::new(), |params, (name, v)| params.with(name.trim(), value(v.trim())))
        })
        .collect()
}

/// CPU seconds of this thread, from Linux's scheduler where there is one.
fn cpu_seconds(start: Instant) -> f64 {
    let scheduled = fs::read_to_string("/proc/self/schedstat").ok();
    let nanoseconds =
        scheduled.as_deref().and_then(|s| s.split(' ').next()).and_then(|s| s.parse::<f64>().ok());
    nanoseconds.map_or_else(|| start.elapsed().as_secs_f64(), |ns| ns * 1e-9)
}

fn main() {
    let args: Vec<String> = env::args().skip(1).collect();
    let (train, y) = read(&args[0]);
    let (test, truth) = read(&args[1]);
    let grid = variants(args.get(2));
    let start = Instant::now();
    let before = cpu_seconds(start);
    let set = TrainSet::new(train.view(), &y);
    let fits = fit_grid(&Svm, set, test.view(), &grid, &FitContext::new(1)).unwrap();
    let seconds = cpu_seconds(start) - before;
    for (variant, fit) in grid.iter().zip(&fits) {
        match fit {
            Err(error) => println!("{variant}: {error}"),
            Ok(fit) => {
                let errors = fit.predictions.iter().zip(&truth).map(|(p, t)| (p - t).abs());
                let mad = errors.sum::<f64>() / truth.len() as f64;
                let signals = fit.predictions.iter().filter(|p| p.abs() >= 0.02).count();
                let details: Vec<String> = fit.details.iter().map(|(k, v)| format!("{k} {v:.6}")).collect();
                println!(
                    "{variant} mad {mad:.12} signals {signals} converged {} {}",
                    fit.converged,
                    details.join(" ")
                );
            }
        }
    }
    println!("cpu_seconds {seconds:.3}");
}
