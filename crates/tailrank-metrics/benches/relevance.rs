//! Relevance, accuracy and the measures built on them, one million cases.
#![allow(clippy::unwrap_used, missing_docs)]

use divan::{Bencher, black_box};
use tailrank_metrics::{
    Accuracy, Measure, Relevance, Scorer, Settings, pr_curve, precision_recall,
    relevance::{BoxPlot, BoxStats, Extremes},
    utility::{Uba, Ut08},
};

const N: usize = 1_000_000;

fn main() {
    divan::main();
}

/// Deterministic returns with heavy tails, and predictions that follow them loosely.
fn data() -> (Vec<f64>, Vec<f64>) {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut uniform = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 53) as f64 - 0.5
    };
    (0..N)
        .map(|_| {
            let y = 0.2 * uniform().powi(3) + 0.02 * uniform();
            (y, 0.7 * y + 0.02 * uniform())
        })
        .unzip()
}

fn sigmoid() -> Relevance {
    Relevance::sigmoid(Some(-0.02), Some(0.02), 0.5, 1e-4).unwrap()
}

#[divan::bench]
fn phi_sigmoid(bencher: Bencher<'_, '_>) {
    let (y, _) = data();
    let relevance = sigmoid();
    let mut out = vec![0.0; N];
    bencher.bench_local(|| relevance.phi_into(black_box(&y), &mut out));
}

#[divan::bench]
fn phi_piecewise_cubic(bencher: Bencher<'_, '_>) {
    let (y, _) = data();
    let relevance = Relevance::extremes(&y, Extremes::Both, 1.0, BoxPlot::Plain).unwrap();
    let mut out = vec![0.0; N];
    bencher.bench_local(|| relevance.phi_into(black_box(&y), &mut out));
}

#[divan::bench]
fn accuracy_smooth(bencher: Bencher<'_, '_>) {
    let (y, z) = data();
    let losses: Vec<f64> = y.iter().zip(&z).map(|(y, z)| (y - z).abs()).collect();
    let accuracy = Accuracy::smooth(0.005, 8.0).unwrap();
    let mut out = vec![0.0; N];
    bencher.bench_local(|| accuracy.alpha_into(black_box(&losses), &mut out));
}

#[divan::bench]
fn precision_recall_whole(bencher: Bencher<'_, '_>) {
    let (y, z) = data();
    let (relevance, accuracy) = (sigmoid(), Accuracy::smooth(0.005, 8.0).unwrap());
    bencher.bench_local(|| precision_recall(black_box(&y), &z, &relevance, &accuracy, 0.5, 0.5).unwrap());
}

#[divan::bench(sample_count = 10)]
fn precision_recall_curve(bencher: Bencher<'_, '_>) {
    let (y, z) = data();
    let (relevance, accuracy) = (sigmoid(), Accuracy::smooth(0.005, 8.0).unwrap());
    bencher.bench_local(|| pr_curve(black_box(&y), &z, &relevance, &accuracy).unwrap());
}

#[divan::bench]
fn utility_ut08(bencher: Bencher<'_, '_>) {
    let (y, z) = data();
    let utility = Ut08::new(1.0, 0.005, 0.5, None).unwrap();
    bencher.bench_local(|| utility.mean(black_box(&y), &z, &sigmoid()).unwrap());
}

#[divan::bench(sample_count = 10)]
fn utility_uba(bencher: Bencher<'_, '_>) {
    let (y, z) = data();
    let Relevance::Pchip(phi) = Relevance::extremes(&y, Extremes::Both, 1.0, BoxPlot::Plain).unwrap() else {
        return;
    };
    let uba = Uba::new(&phi, 0.5, 0.001).unwrap();
    let scorer = Scorer::new(&y, Settings { uba: Some(uba), ..Settings::default() }).unwrap();
    bencher.bench_local(|| scorer.score(black_box(&z), &[Measure::UbaMu]).unwrap());
}

#[divan::bench(sample_count = 5)]
fn adjusted_box_plot(bencher: Bencher<'_, '_>) {
    let (y, _) = data();
    bencher.bench_local(|| BoxStats::new(black_box(&y), 1.5, BoxPlot::Adjusted).unwrap());
}
