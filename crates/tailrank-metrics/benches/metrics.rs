//! One million predictions: all scalar measures, and the REC curve and surface beside one sort.
//!
//! `scripts/bench/metrics.py` sets the same work against NumPy in one alternating run.
#![allow(missing_docs, clippy::unwrap_used, reason = "a benchmark stops at the first failure")]

use divan::{Bencher, black_box};
use tailrank_metrics::{
    Accuracy, Measure, Relevance, Scorer, Settings,
    classic::Reference,
    rec::{Interval, RecError, RecSurface, even_grid, rec_curve},
    scoring::Buffers,
    trading::TradingRule,
    utility::Ut08,
};

const CASES: usize = 1_000_000;

fn main() {
    divan::main();
}

/// Heavy-tailed returns and predictions near them, from a fixed sequence.
fn cases() -> (Vec<f64>, Vec<f64>) {
    let mut state = 1_u64;
    let mut uniform = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    (0..CASES)
        .map(|_| {
            let y = 0.01 * (uniform() - 0.5) / (uniform() + 0.05);
            (y, 0.7 * y + 0.01 * (uniform() - 0.5))
        })
        .unzip()
}

fn settings() -> Settings {
    Settings {
        relevance: Some(Relevance::sigmoid(Some(-0.02), Some(0.02), 0.5, 1e-4).unwrap()),
        accuracy: Some(Accuracy::smooth(0.005, 8.0).unwrap()),
        beta: 0.5,
        utility: Some(Ut08::new(1.0, 0.01, 0.6, None).unwrap()),
        reference: Some(Reference::TrainingMean(1e-4)),
        trading: Some(TradingRule::new(0.02, 3)),
        ..Settings::default()
    }
}

#[divan::bench]
fn scalar_measures(bencher: Bencher<'_, '_>) {
    let (truth, predicted) = cases();
    let scorer = Scorer::new(&truth, settings()).unwrap();
    let measures = [
        Measure::Mad,
        Measure::Mse,
        Measure::Rmse,
        Measure::Rse,
        Measure::Rrse,
        Measure::Rae,
        Measure::Correlation,
        Measure::LinLin,
        Measure::QuadQuad,
        Measure::Linex,
        Measure::Precision,
        Measure::Recall,
        Measure::F,
        Measure::EventMad,
        Measure::Utility,
        Measure::Sera,
        Measure::SeraShare,
        Measure::BeyondRate,
        Measure::WrongSideRate,
        Measure::MissedRate,
        Measure::ReturnPerTrade,
        Measure::TotalReturn,
    ];
    let (mut buffers, mut scores) = (Buffers::default(), Vec::new());
    bencher.bench_local(|| {
        scorer.score_and_count(black_box(&[&predicted]), &measures, &mut buffers, &mut scores).unwrap();
        scores.len()
    });
}

#[divan::bench]
fn one_sort(bencher: Bencher<'_, '_>) {
    let (truth, predicted) = cases();
    bencher.bench_local(|| {
        let mut errors: Vec<f64> = truth.iter().zip(&predicted).map(|(y, z)| (z - y).abs()).collect();
        errors.sort_unstable_by(f64::total_cmp);
        errors
    });
}

#[divan::bench]
fn curve(bencher: Bencher<'_, '_>) {
    let (truth, predicted) = cases();
    bencher.bench_local(|| rec_curve(black_box(&truth), &predicted, RecError::Absolute).unwrap());
}

#[divan::bench]
fn surface_200_by_200(bencher: Bencher<'_, '_>) {
    let (truth, predicted) = cases();
    let errors = even_grid(Interval::new(0.0, 0.05).unwrap(), 200).unwrap();
    let targets = even_grid(Interval::new(-0.1, 0.1).unwrap(), 200).unwrap();
    bencher.bench_local(|| {
        RecSurface::new(black_box(&truth), &predicted, RecError::Absolute, errors.clone(), targets.clone())
            .unwrap()
    });
}

/// Grid points at quantiles, the least even grid in use.
#[divan::bench]
fn surface_on_quantiles(bencher: Bencher<'_, '_>) {
    let (truth, predicted) = cases();
    let quantiles = |mut values: Vec<f64>| -> Vec<f64> {
        values.sort_unstable_by(f64::total_cmp);
        (1..=200).map(|k| values[k * CASES / 200 - 1]).collect()
    };
    let errors = quantiles(truth.iter().zip(&predicted).map(|(y, z)| (z - y).abs()).collect());
    let targets = quantiles(truth.clone());
    bencher.bench_local(|| {
        RecSurface::new(black_box(&truth), &predicted, RecError::Absolute, errors.clone(), targets.clone())
            .unwrap()
    });
}
