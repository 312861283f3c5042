//! Ends of what the functions take and give: the fewest rows, tiny spreads, exact shares, far quantiles.

use tailrank_metrics::MetricError;
use tailrank_stats::{
    Alternative, StatsError, accelerated_interval, automatic_block_length, backtest_overfitting,
    group_best_shares, permutation_test, spearman_rho, studentized_range_quantile, studentized_range_upper,
    top_k_overlap,
};

fn wave(n: usize, speed: f64) -> Vec<f64> {
    (0..n).map(|i| (i as f64 * speed).sin()).collect()
}

#[test]
fn the_fewest_rows_are_named() {
    let one = |found: Result<f64, StatsError>| match found {
        Err(StatsError::TooFew { rows, needed, .. }) => (rows, needed),
        other => panic!("{other:?}"),
    };
    assert_eq!(one(spearman_rho(&[1.0], &[2.0])), (1, 2));
    // One item is the top of both.
    let top = top_k_overlap(&[1.0], &[1.0], 1).unwrap();
    assert_eq!((top.fraction, top.items), (1.0, vec![0]));
    // Two blocks of two days are enough; of three days they are not.
    let days = |n: usize| [wave(n, 1.3), wave(n, 0.4)];
    assert!(backtest_overfitting(&days(4), 2).is_ok());
    assert_eq!(one(backtest_overfitting(&days(3), 2).map(|o| o.probability)), (3, 4));
    assert_eq!(one(backtest_overfitting(&days(23), 12).map(|o| o.probability)), (23, 24));
    let shares = group_best_shares(&[0.5, 0.3, 0.2], &[1, 0, 1]).unwrap();
    assert!((shares[0] - 0.3).abs() < 1e-15 && (shares[1] - 0.7).abs() < 1e-15);
    assert!(matches!(
        group_best_shares(&[0.5, 0.5], &[0]),
        Err(StatsError::Input(MetricError::LengthMismatch { left: 2, right: 1, .. }))
    ));
}

/// A spread of 1e-9 beside a mean of 1 is small, and far from rounding.
#[test]
fn small_spreads_are_spreads() {
    let x = wave(300, 0.05);
    let shifted: Vec<f64> = x.iter().map(|v| 1.0 + 1e-9 * v).collect();
    let (plain, small) = (automatic_block_length(&x).unwrap(), automatic_block_length(&shifted).unwrap());
    assert!((small / plain - 1.0).abs() < 1e-4, "{plain:?} {small:?}");
    let values = wave(999, 1.7);
    let of = |size: f64| {
        let scaled: Vec<f64> = values.iter().map(|v| 1.0 + size * v).collect();
        let i = accelerated_interval(1.0 + size * 0.1, &scaled, 0.9).unwrap();
        [(i.lower - 1.0) / size, (i.upper - 1.0) / size]
    };
    let (large, tiny) = (of(1.0), of(1e-8));
    assert!(large.iter().zip(tiny).all(|(a, b)| (a - b).abs() < 1e-6), "{large:?} {tiny:?}");
}

/// Where all resampled scores lie on one side of the score the correction has no number.
#[test]
fn one_sided_resamples_have_the_percentile_interval() {
    for estimate in [-2.0, 2.0] {
        assert_eq!(accelerated_interval(estimate, &wave(99, 1.7), 0.9).unwrap().method, "percentile");
    }
}

/// No shuffled order of twenty comes near the sorted one: the p is that of the data's own order, 1 of B + 1.
#[test]
fn a_permutation_p_counts_the_data_itself() {
    let x: Vec<f64> = (0..20).map(f64::from).collect();
    for permutations in [99, 999] {
        let found = permutation_test(&x, &x, permutations, 1, Alternative::Greater).unwrap();
        for p in [found.rho.p_value, found.tau.p_value] {
            assert_eq!(p, 1.0 / (permutations + 1) as f64);
        }
    }
}

#[test]
fn quantiles_of_the_range_lead_back_to_their_tails() {
    for k in [2, 3, 10, 60] {
        for alpha in [0.999, 0.9, 0.5, 0.05, 1e-4, 1e-9] {
            let q = studentized_range_quantile(alpha, k).unwrap();
            let back = studentized_range_upper(q, k).unwrap();
            assert!((back / alpha - 1.0).abs() < 1e-7, "k {k}, α {alpha}: {q} has {back}");
        }
    }
}
