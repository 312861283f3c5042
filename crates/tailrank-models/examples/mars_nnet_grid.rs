//! CPU seconds of the 16 MARS and 15 nnet variants of the stock-returns study on one task.
//!
//! `cargo run --release -p tailrank-models --example mars_nnet_grid -- mars|nnet|sequential train.csv test.csv [repeats]`
//! Both files have the target in the first column; `scripts/bench_mars_nnet.sh` alternates it with R.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::{env, fs};

use tailrank_models::{
    Family, FitContext, Matrix, Params, TrainSet, fit_grid, mars::MarsFamily, nnet::NnetFamily,
};

fn main() {
    let args: Vec<String> = env::args().skip(1).collect();
    let (x, y) = table(&args[1]);
    let (test, truth) = table(&args[2]);
    let repeats: u32 = args.get(3).map_or(1, |a| a.parse().unwrap());
    let (family, grid): (&dyn Family, Vec<Params>) = match args[0].as_str() {
        "mars" => (&MarsFamily, mars_grid()),
        "nnet" => (&NnetFamily, nnet_grid("fast")),
        "sequential" => (&NnetFamily, nnet_grid("sequential")),
        other => panic!("{other}: mars, nnet or sequential"),
    };
    let train = TrainSet { x: x.view(), y: &y };
    let context = FitContext::new(1);
    let before = cpu_seconds();
    for _ in 1..repeats {
        fit_grid(family, train, test.view(), &grid, &context).unwrap();
    }
    let fits = fit_grid(family, train, test.view(), &grid, &context).unwrap();
    let seconds = (cpu_seconds() - before) / f64::from(repeats);
    for (variant, fit) in grid.iter().zip(fits) {
        let fit = fit.unwrap();
        let error: f64 = fit.predictions.iter().zip(&truth).map(|(p, y)| (p - y).abs()).sum();
        let signals = fit.predictions.iter().filter(|p| p.abs() >= 0.02).count();
        println!("{variant}  MAD {:.10}  signals {signals}  {:?}", error / truth.len() as f64, fit.details);
    }
    println!("cpu_seconds {seconds:.4}");
}

fn mars_grid() -> Vec<Params> {
    let pairs = [1.0, 2.0, 3.0, 4.0].into_iter().flat_map(|p| [0.01, 0.005, 0.001, 0.0005].map(|t| (p, t)));
    pairs.map(|(p, t)| Params::new().with("penalty", p).with("threshold", t)).collect()
}

fn nnet_grid(arithmetic: &str) -> Vec<Params> {
    let pairs = [5, 10, 15, 20, 30].into_iter().flat_map(|s| [0.01, 0.05, 0.1].map(|d| (s, d)));
    let variant = |(s, d)| Params::new().with("size", s).with("decay", d).with("r_seed", 1234);
    pairs.map(|pair| variant(pair).with("arithmetic", arithmetic)).collect()
}

fn table(path: &str) -> (Matrix, Vec<f64>) {
    let text = fs::read_to_string(path).unwrap();
    let rows: Vec<Vec<f64>> =
        text.lines().skip(1).map(|l| l.split(',').map(|w| w.parse().unwrap()).collect()).collect();
    let x = Matrix::from_rows(&rows.iter().map(|r| &r[1..]).collect::<Vec<_>>()).unwrap();
    (x, rows.iter().map(|r| r[0]).collect())
}

/// Time on a processor of all threads of this process (Linux).
fn cpu_seconds() -> f64 {
    let tasks = fs::read_dir("/proc/self/task").unwrap();
    let nanoseconds = tasks.filter_map(|t| fs::read_to_string(t.ok()?.path().join("schedstat")).ok());
    nanoseconds.map(|s| s.split(' ').next().unwrap().parse::<f64>().unwrap()).sum::<f64>() / 1e9
}
