//! Nanoseconds per case of what an inference over many resamples and shifts repeats: terms, sums of terms,
//! scores under another alignment. Run with
//! `cargo run --release -p tailrank-metrics --example time_alignments`.
#![allow(clippy::print_stdout, reason = "an example prints")]

use std::{hint::black_box, time::Instant};
use tailrank_metrics::{
    Accuracy, Measure, MetricError, Relevance, Scorer, Settings,
    classic::Reference,
    scoring::{Alignment, NullScorer, Statistic, TermTable},
    utility::Ut08,
};

const CASES: usize = 2_500;
const REPEATS: usize = 20;
const BATCHES: usize = 60;

fn main() -> Result<(), MetricError> {
    let mut state = 1_u64;
    let mut uniform = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    let (truth, predicted): (Vec<f64>, Vec<f64>) = (0..CASES)
        .map(|_| {
            let y = 0.01 * (uniform() - 0.5) / (uniform() + 0.05);
            (y, 0.3 * y + 0.02 * (uniform() - 0.5))
        })
        .unzip();
    let settings = Settings {
        relevance: Some(Relevance::sigmoid(Some(-0.02), Some(0.02), 0.5, 1e-4)?),
        accuracy: Some(Accuracy::smooth(0.005, 8.0)?),
        utility: Some(Ut08::new(1.0, 0.01, 0.6, None)?),
        reference: Some(Reference::TrainingMean(1e-4)),
        beta: 0.5,
        ..Settings::default()
    };
    let scorer = Scorer::new(&truth, settings)?;
    let counts = scorer.event_counts(&[&predicted])?.unwrap_or_default();
    println!("{CASES} cases, {} events, {} signals", counts.events, counts.signals);
    let time = |what: &str, work: &mut dyn FnMut(usize) -> Result<(), MetricError>| {
        // The quickest of many batches: what the machine does besides is not counted.
        let mut quickest = f64::INFINITY;
        for _ in 0..BATCHES {
            let start = Instant::now();
            for i in 0..REPEATS {
                work(i)?;
            }
            quickest = quickest.min(start.elapsed().as_secs_f64());
        }
        let each = quickest * 1e9 / (REPEATS * CASES) as f64;
        println!("{what:<34} {each:8.3} ns per case");
        Ok::<(), MetricError>(())
    };
    let sets: [(&str, &[Measure]); 9] = [
        ("precision, recall, F", &[Measure::Precision, Measure::Recall, Measure::F]),
        ("MAD", &[Measure::Mad]),
        ("MSE", &[Measure::Mse]),
        ("SERA", &[Measure::Sera]),
        ("utility", &[Measure::Utility]),
        ("correlation", &[Measure::Correlation]),
        ("rwse, rwae", &[Measure::Rwse, Measure::Rwae]),
        ("SEDI", &[Measure::Sedi]),
        (
            "all of these",
            &[
                Measure::F,
                Measure::Mad,
                Measure::Mse,
                Measure::Sera,
                Measure::Utility,
                Measure::Correlation,
                Measure::Rwse,
                Measure::Rwae,
                Measure::Sedi,
            ],
        ),
    ];
    for (name, measures) in sets {
        let statistics: Vec<Statistic> = measures.iter().map(|&m| m.into()).collect();
        let mut scores = Vec::new();
        time(&format!("score: {name}"), &mut |_| {
            scores = scorer.score(black_box(&predicted), measures)?;
            Ok(())
        })?;
        let mut realigned = NullScorer::new(&scorer, &[&predicted], &statistics)?;
        time(&format!("  shifted: {name}"), &mut |i| {
            realigned.score(Alignment::Shift(black_box(37 + i)), &mut scores)
        })?;
        let table = TermTable::new(&scorer, &[[&predicted]], &statistics)?;
        time(&format!("  terms ({} columns)", table.columns()), &mut |_| {
            black_box(TermTable::new(&scorer, &[[black_box(&predicted)]], &statistics)?);
            Ok(())
        })?;
        let sums: Vec<f64> = table.iter().map(|c| c.iter().sum()).collect();
        time("  finish", &mut |_| {
            black_box(
                (0..statistics.len()).map(|s| table.finish(0, s, black_box(&sums))).collect::<Vec<_>>(),
            );
            Ok(())
        })?;
    }
    Ok(())
}
