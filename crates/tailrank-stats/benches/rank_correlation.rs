//! Rank correlation: `cargo bench -p tailrank-stats`.
#![allow(clippy::unwrap_used)]

use divan::{Bencher, black_box};
use tailrank_stats::{
    Alternative, CorrelationMethod, kendall_null_cdf, kendall_test, permutation_test, spearman_rho,
    studentized_range_quantile,
};

fn main() {
    divan::main();
}

/// Numbers in (0, 1) without visible order (Weyl's sequence, scrambled by its own bits).
fn scattered(n: usize, start: u64) -> Vec<f64> {
    let mut state = start;
    (0..n)
        .map(|_| {
            state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let mixed = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            ((mixed ^ (mixed >> 27)) >> 11) as f64 / (1u64 << 53) as f64
        })
        .collect()
}

#[divan::bench(args = [57, 10_000, 1_000_000], sample_count = 10)]
fn kendall_asymptotic(bencher: Bencher<'_, '_>, n: usize) {
    let (x, y) = (scattered(n, 1), scattered(n, 2));
    bencher.bench(|| {
        kendall_test(black_box(&x), &y, CorrelationMethod::Asymptotic, Alternative::TwoSided).unwrap()
    });
}

#[divan::bench(args = [57, 1_000, 100_000], sample_count = 10)]
fn kendall_exact_null(bencher: Bencher<'_, '_>, n: u64) {
    let (mean, sd) = ((n * (n - 1)) as f64 / 4.0, ((n * (n - 1) * (2 * n + 5)) as f64 / 72.0).sqrt());
    bencher.bench(|| kendall_null_cdf(n as usize, black_box((mean - 2.0 * sd) as u64)));
}

#[divan::bench(args = [57, 1_000_000], sample_count = 10)]
fn spearman(bencher: Bencher<'_, '_>, n: usize) {
    let (x, y) = (scattered(n, 1), scattered(n, 2));
    bencher.bench(|| spearman_rho(black_box(&x), &y).unwrap());
}

#[divan::bench(sample_count = 5)]
fn permutations_100_000_at_57(bencher: Bencher<'_, '_>) {
    let (x, y) = (scattered(57, 1), scattered(57, 2));
    bencher.bench(|| permutation_test(black_box(&x), &y, 100_000, 1, Alternative::TwoSided).unwrap());
}

#[divan::bench(sample_count = 5)]
fn sorts_100_000_of_57(bencher: Bencher<'_, '_>) {
    let values = scattered(57 * 1024, 3);
    bencher.bench(|| {
        let mut row = [0.0; 57];
        let mut sum = 0.0;
        for i in 0..100_000 {
            let start = i % 1024 * 57;
            row.copy_from_slice(&values[start..start + 57]);
            row.sort_unstable_by(f64::total_cmp);
            sum += row[28];
        }
        sum
    });
}

#[divan::bench(args = [4, 57])]
fn nemenyi_critical_value(bencher: Bencher<'_, '_>, k: usize) {
    bencher.bench(|| studentized_range_quantile(black_box(0.05), k).unwrap());
}
