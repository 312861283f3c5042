//! Chance by episode, and intervals by hand.

use super::*;

/// Flags of days on which a GARCH(1, 1) path moves by more than two of its standard deviations: they come in
/// clusters.
fn garch_flags(seed: u64, n: usize, share: f64) -> Vec<bool> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut uniform = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    let (mut variance, mut last) = (1.0, 0.0_f64);
    let path: Vec<f64> = (0..n + 200)
        .map(|_| {
            // The sum of twelve uniform numbers is nearly normal.
            let shock = (0..12).map(|_| uniform()).sum::<f64>() - 6.0;
            variance = 0.05 + 0.15 * last * last + 0.8 * variance;
            last = shock * variance.sqrt();
            last
        })
        .skip(200)
        .collect();
    let mut sorted = path.clone();
    sorted.sort_by(f64::total_cmp);
    let bound = sorted[((1.0 - share) * n as f64) as usize];
    path.iter().map(|r| *r > bound).collect()
}

/// Signals and events of unrelated GARCH paths: chance is rejected at 5% in 3 to 7% of 1,000 worlds, also
/// where both cluster.
#[test]
fn chance_by_episode_has_its_size_on_clustered_worlds() {
    let rule = EpisodeRule { gap: 3, lead: 2, cooldown: 2 };
    let worlds = 1000;
    let rejected = (0..worlds)
        .filter(|w| {
            let (events, signals) = (garch_flags(2 * w + 1, 500, 0.06), garch_flags(2 * w + 2, 500, 0.08));
            chance(&[(events, signals)], rule).unwrap() < 0.05
        })
        .count();
    let size = rejected as f64 / worlds as f64;
    assert!((0.03..=0.07).contains(&size), "{size}");
}

#[test]
fn true_signals_are_more_than_chance_and_silence_is_not_tested() {
    let events = garch_flags(5, 500, 0.06);
    let rule = EpisodeRule::default();
    assert!(chance(&[(events.clone(), events.clone())], rule).unwrap() < 0.01);
    assert_eq!(chance(&[(events.clone(), vec![false; 500])], rule), None);
    assert_eq!(chance(&[(vec![false; 500], events)], rule), None);
}

/// R: binom::binom.wilson(3, 10) is 0.1077912 to 0.6032219.
#[test]
fn shares_have_wilsons_interval() {
    let (low, high) = wilson(3, 10).unwrap();
    assert!((low - 0.107_791_2).abs() < 1e-6 && (high - 0.603_221_9).abs() < 1e-6);
    assert_eq!(wilson(0, 0), None);
}
