//! The Rust side of `scripts/bench/metrics.py`: reads a file of little-endian f64 (truth, then predictions)
//! and, for each line of standard input, does that work once and prints its seconds and its numbers.
#![allow(clippy::print_stdout, reason = "a program of its own")]

use std::{
    error::Error,
    io::{BufRead, Write},
    time::Instant,
};

use tailrank_metrics::{
    Accuracy, Measure, Relevance, Score, Scorer, Settings,
    classic::Reference,
    rec::{Interval, RecError, RecSurface, even_grid, rec_curve},
    scoring::Buffers,
    trading::TradingRule,
    utility::Ut08,
};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: time_metrics <file of f64>")?;
    let bytes = std::fs::read(path)?;
    let values: Vec<f64> = bytes.as_chunks::<8>().0.iter().map(|b| f64::from_le_bytes(*b)).collect();
    let (truth, predicted) = values.split_at(values.len() / 2);
    let settings = Settings {
        relevance: Some(Relevance::sigmoid(Some(-0.02), Some(0.02), 0.5, 1e-4)?),
        accuracy: Some(Accuracy::smooth(0.005, 8.0)?),
        beta: 0.5,
        utility: Some(Ut08::new(1.0, 0.01, 0.6, None)?),
        reference: Some(Reference::TrainingMean(1e-4)),
        over: 2.0,
        trading: Some(TradingRule::new(0.02, 3)),
        ..Settings::default()
    };
    let mut buffers = Buffers::default();
    let errors = even_grid(Interval::new(0.0, 0.05)?, 200)?;
    let targets = even_grid(Interval::new(-0.1, 0.1)?, 200)?;
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let mut words = line.split_whitespace();
        let mut numbers: Vec<f64> = Vec::new();
        let work = words.next().unwrap_or_default();
        let measures: Vec<Measure> = words.map(Measure::from_id).collect::<Result<_, _>>()?;
        let start = Instant::now();
        let seconds = match work {
            // What depends on the truth is prepared inside the clock too: NumPy has to do it as well.
            "score" => {
                let scorer = Scorer::new(truth, settings.clone())?;
                let mut scores = Vec::new();
                scorer.score_and_count(&[predicted], &measures, &mut buffers, &mut scores)?;
                let seconds = start.elapsed();
                numbers.extend(scores.into_iter().map(|s: Score| s.value().unwrap_or(f64::NAN)));
                seconds
            }
            "sort" => {
                let mut sorted: Vec<f64> = truth.iter().zip(predicted).map(|(y, z)| (z - y).abs()).collect();
                sorted.sort_unstable_by(f64::total_cmp);
                let seconds = start.elapsed();
                numbers.push(sorted[sorted.len() / 2]);
                seconds
            }
            "curve" => {
                let curve = rec_curve(truth, predicted, RecError::Absolute)?;
                let seconds = start.elapsed();
                numbers.extend([curve.area_over(), curve.at(0.003)]);
                seconds
            }
            "surface" => {
                let (e, y) = (errors.clone(), targets.clone());
                let surface = RecSurface::new(truth, predicted, RecError::Absolute, e, y)?;
                let seconds = start.elapsed();
                numbers.extend([surface.at(20, 110), surface.at(199, 199)]);
                seconds
            }
            other => return Err(format!("unknown work {other:?}").into()),
        };
        let text: Vec<String> = numbers.iter().map(|v| format!("{v:e}")).collect();
        println!("{:e} {}", seconds.as_secs_f64(), text.join(" "));
        std::io::stdout().flush()?;
    }
    Ok(())
}
