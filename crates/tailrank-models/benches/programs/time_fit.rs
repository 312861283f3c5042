//! Fits a grid to files, prints the CPU seconds of every repetition and writes the predictions: what
//! `scripts/bench/peers.py --fits` sets beside other programs.
//!
//! ```text
//! cargo run --release -p tailrank-models --example time_fit -- boost train.csv test.csv out.csv 5 trees=100 trees=500,max_depth=6
//! ```
//!
//! The files have no header and the target last; `out.csv` gets one column per variant.

mod clock;

use std::{env, error::Error, fs};

use clock::seconds;
use tailrank_models::{FitContext, Matrix, ParamValue, Params, TrainSet, family, fit_grid};

fn read(path: &str) -> Result<(Matrix, Vec<f64>), Box<dyn Error>> {
    let (mut x, mut y, mut rows, mut inputs) = (Vec::new(), Vec::new(), 0, 0);
    for line in fs::read_to_string(path)?.lines() {
        let mut row = line.split(',').map(str::parse).collect::<Result<Vec<f64>, _>>()?;
        y.extend(row.pop());
        (rows, inputs) = (rows + 1, row.len());
        x.extend(row);
    }
    Ok((Matrix::new(rows, inputs, x)?, y))
}

fn variant(text: &str) -> Params {
    let mut params = Params::new();
    for (name, value) in text.split(',').filter_map(|part| part.split_once('=')) {
        let value = match (value.parse(), value.parse(), value.parse()) {
            (Ok(whole), ..) => ParamValue::Int(whole),
            (_, Ok(real), _) => ParamValue::Real(real),
            (.., Ok(flag)) => ParamValue::Flag(flag),
            _ => ParamValue::Text(value.to_owned()),
        };
        params.insert(name, value);
    }
    params
}

#[allow(clippy::print_stdout, reason = "this is what it is for")]
fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = env::args().skip(1).collect();
    let [name, train, test, out, times, variants @ ..] = args.as_slice() else {
        return Err("use: time_fit <family> <train.csv> <test.csv> <out.csv> <times> <variant>…".into());
    };
    let ((x, y), (test, _)) = (read(train)?, read(test)?);
    let grid: Vec<Params> = variants.iter().map(|v| variant(v)).collect();
    let train = TrainSet { x: x.view(), y: &y, weights: None };
    let mut context = FitContext::new(1);
    // What MARS keeps between its steps on many rows; other programs ask no one.
    context.memory_bytes = 4 << 30;
    let mut fits = Vec::new();
    for _ in 0..times.parse::<usize>()? {
        let begin = seconds();
        fits = fit_grid(family(name, None)?, train, test.view(), &grid, &context)?;
        println!("{}", seconds() - begin);
    }
    let fits = fits.into_iter().collect::<Result<Vec<_>, _>>()?;
    let lines = (0..test.view().rows())
        .map(|i| fits.iter().map(|f| f.predictions[i].to_string()).collect::<Vec<_>>().join(",") + "\n");
    fs::write(out, lines.collect::<String>())?;
    Ok(())
}
