//! Properties of resamples and of what is computed from them.

use proptest::prelude::*;
use tailrank_stats::{
    Better, Draws, Resamples, best_shares, confidence_set, group_best_shares, percentile_interval,
    rank_intervals,
};

fn table() -> impl Strategy<Value = Draws> {
    (1usize..8, 2usize..30).prop_flat_map(|(k, b)| {
        let cell = prop_oneof![8 => (-4i32..5).prop_map(f64::from), 1 => Just(f64::NAN)];
        prop::collection::vec(prop::collection::vec(cell, b..=b), k..=k)
            .prop_map(|columns| Draws::from_columns(&columns).unwrap())
    })
}

proptest! {
    #[test]
    fn every_draw_has_as_many_cases_as_the_data(n in 10usize..300, block in 1usize..10, seed: u64) {
        for resamples in [
            Resamples::stationary(n, block as f64, 3, seed).unwrap(),
            Resamples::cases(n, 3, seed).unwrap(),
            Resamples::grouped(&(0..n).map(|i| i % block).collect::<Vec<_>>(), 3, seed).unwrap(),
        ] {
            for draw in 0..3 {
                let counts = resamples.counts(draw);
                prop_assert_eq!(counts.iter().sum::<u32>() as usize, n);
                let mut by_rows = vec![0; n];
                resamples.rows(draw).iter().for_each(|&r| by_rows[r as usize] += 1);
                prop_assert_eq!(by_rows, counts);
            }
            let ones = resamples.sums(&[vec![1.0; n]]).unwrap();
            prop_assert!(ones.column(0).iter().all(|s| *s == n as f64));
        }
    }

    #[test]
    fn shares_sum_to_one_and_mirror(draws in table()) {
        let shares = best_shares(&draws, Better::Higher);
        prop_assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        let groups: Vec<usize> = (0..shares.len()).map(|i| i % 2).collect();
        let families = group_best_shares(&shares, &groups).unwrap();
        prop_assert!((families.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        let columns: Vec<Vec<f64>> = draws.iter().map(|c| c.iter().map(|v| -v).collect()).collect();
        prop_assert_eq!(best_shares(&Draws::from_columns(&columns).unwrap(), Better::Lower), shares);
    }

    #[test]
    fn rank_intervals_widen_with_their_level(draws in table()) {
        let k = draws.columns() as f64;
        let narrow = rank_intervals(&draws, Better::Higher, 0.5).unwrap();
        let wide = rank_intervals(&draws, Better::Higher, 0.95).unwrap();
        for (n, w) in narrow.iter().zip(&wide) {
            prop_assert!(1.0 <= w.lower && w.lower <= n.lower && n.lower <= n.median);
            prop_assert!(n.median <= n.upper && n.upper <= w.upper && w.upper <= k);
        }
    }

    #[test]
    fn intervals_lie_within_the_draws(values in prop::collection::vec(-5.0f64..5.0, 2..50), level in 0.01f64..0.99) {
        let interval = percentile_interval(0.0, &values, level).unwrap();
        let (low, high) = (values.iter().copied().fold(f64::INFINITY, f64::min), values.iter().copied().fold(f64::NEG_INFINITY, f64::max));
        prop_assert!(low <= interval.lower && interval.lower <= interval.upper && interval.upper <= high);
    }

    #[test]
    fn the_set_does_not_depend_on_the_order_or_unit_of_models(seed in 0u64..500, k in 2usize..6) {
        let resamples = Resamples::stationary(40, 3.0, 60, seed).unwrap();
        let losses: Vec<Vec<f64>> = (0..k)
            .map(|m| (0..40).map(|i| ((i * (m + 3) + seed as usize) % 17) as f64 + m as f64).collect())
            .collect();
        let reversed: Vec<Vec<f64>> = losses.iter().rev().cloned().collect();
        let scaled: Vec<Vec<f64>> = losses.iter().map(|l| l.iter().map(|v| v * 8.0).collect()).collect();
        let set = confidence_set(&losses, &resamples).unwrap();
        let mut other = confidence_set(&reversed, &resamples).unwrap().p_values;
        other.reverse();
        prop_assert!(set.p_values.iter().zip(&other).all(|(a, b)| (a - b).abs() < 1e-12));
        // Factors of two change no bit.
        prop_assert_eq!(set, confidence_set(&scaled, &resamples).unwrap());
    }
}
