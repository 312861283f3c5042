//! Functions against their definitions, written down here a second time and as plainly as they can be.

use proptest::prelude::*;
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};
use tailrank_stats::{
    Better, COSINES, ClusterMethod, Dependence, Draws, Interval, NullOrders, Resamples, Rescaling, SLOWEST,
    SignFlips, StatsError, Units, accelerated_interval, average_ranks, best_shares, cautious_error,
    cluster_interval, corrected_interval, error_of_waves, group_best_shares, long_run_waves,
    percentile_interval, pseudo_values, rank_biased_overlap, rank_intervals, share_interval, skewness,
    top_k_overlap,
};

fn near(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * (1.0 + b.abs())
}

fn normal() -> Normal {
    Normal::new(0.0, 1.0).unwrap()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn variance(values: &[f64]) -> f64 {
    values.iter().map(|v| (v - mean(values)).powi(2)).sum::<f64>() / (values.len() - 1) as f64
}

/// R's type 7: the place of a share among the sorted values, interpolated.
fn quantile(values: &[f64], share: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let place = share.clamp(0.0, 1.0) * (sorted.len() - 1) as f64;
    let below = sorted[place as usize];
    let above = sorted[(place as usize + 1).min(sorted.len() - 1)];
    below + place.fract() * (above - below)
}

/// Efron's interval with the acceleration of the draws, a sixth of their skewness.
fn bca(estimate: f64, values: &[f64], level: f64) -> [f64; 2] {
    let n = values.len() as f64;
    let below = values.iter().filter(|v| **v < estimate).count() as f64;
    let equal = values.iter().filter(|v| **v == estimate).count() as f64;
    let z0 = normal().inverse_cdf((below + 0.5 * equal) / n);
    let moment = |p: i32| values.iter().map(|v| (v - mean(values)).powi(p)).sum::<f64>() / n;
    let a = (moment(3) / moment(2).powf(1.5) / 6.0).clamp(-0.25, 0.25);
    [0.5 * (1.0 - level), 0.5 * (1.0 + level)].map(|share| {
        let z = z0 + normal().inverse_cdf(share);
        quantile(values, normal().cdf(z0 + z / (1.0 - a * z)))
    })
}

fn values() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(prop_oneof![-5.0f64..5.0, (-3i32..3).prop_map(f64::from)], 12..60)
}

proptest! {
    #[test]
    fn percentile_intervals_are_quantiles_and_a_standard_deviation(values in values(), level in 0.5f64..0.99) {
        let found = percentile_interval(0.3, &values, level).unwrap();
        prop_assert!(near(found.lower, quantile(&values, 0.5 * (1.0 - level)), 1e-12));
        prop_assert!(near(found.upper, quantile(&values, 0.5 * (1.0 + level)), 1e-12));
        prop_assert!(near(found.standard_error, variance(&values).sqrt(), 1e-9));
        prop_assert_eq!((found.method, found.estimate, found.level), ("percentile", 0.3, level));
        prop_assert_eq!((found.defined, found.draws), (values.len(), values.len()));
    }

    /// Skewed draws, so that neither correction is small.
    #[test]
    fn accelerated_intervals_are_efrons(values in values(), place in 0.15f64..0.85, level in 0.5f64..0.97) {
        let values: Vec<f64> = values.iter().map(|v| (0.4 * v).exp()).collect();
        let estimate = quantile(&values, place);
        let found = accelerated_interval(estimate, &values, level).unwrap();
        let plain = percentile_interval(estimate, &values, level).unwrap();
        let inside = values.iter().any(|v| *v < estimate) && values.iter().any(|v| *v > estimate);
        if inside && skewness(&values).is_finite() {
            let [lower, upper] = bca(estimate, &values, level);
            prop_assert_eq!(found.method, "BCa");
            prop_assert!(near(found.lower, lower, 1e-7), "{} {lower}", found.lower);
            prop_assert!(near(found.upper, upper, 1e-7), "{} {upper}", found.upper);
            prop_assert_eq!(found.standard_error, plain.standard_error);
        }
        // An estimate beyond all draws has no place among them.
        for beyond in [-1.0, 1e3] {
            let found = accelerated_interval(beyond, &values, level).unwrap();
            prop_assert_eq!(found, percentile_interval(beyond, &values, level).unwrap());
        }
    }

    /// Wilson's ends are the shares p that lie z standard errors of p itself away from what was seen.
    #[test]
    fn intervals_of_shares_are_wilsons(hits in 0u32..50, misses in 0u32..50) {
        prop_assume!(hits + misses > 0);
        let (hits, cases) = (f64::from(hits), f64::from(hits + misses));
        let z = normal().inverse_cdf(0.975);
        let (lower, upper) = share_interval(hits, cases);
        prop_assert!(lower <= hits / cases + 1e-12 && hits / cases <= upper + 1e-12);
        for end in [lower, upper] {
            let error = (end * (1.0 - end) / cases).max(0.0).sqrt();
            prop_assert!(near((hits / cases - end).abs(), z * error, 1e-7), "{hits} of {cases}: {end}");
        }
        prop_assert!(upper - lower > 0.0);
    }

    #[test]
    fn intervals_over_clusters_and_folds_are_students(values in values(), level in 0.5f64..0.99, train in 1usize..500, test in 1usize..500) {
        prop_assume!(variance(&values) > 0.0);
        let n = values.len() as f64;
        let t = StudentsT::new(0.0, 1.0, n - 1.0).unwrap().inverse_cdf(0.5 * (1.0 + level));
        let of = |found: Interval, error: f64| {
            near(found.estimate, mean(&values), 1e-12)
                && near(found.standard_error, error, 1e-9)
                && near(found.lower, mean(&values) - t * error, 1e-7)
                && near(found.upper, mean(&values) + t * error, 1e-7)
        };
        let over_clusters = cluster_interval(&values, ClusterMethod::T, level).unwrap();
        prop_assert!(of(over_clusters, (variance(&values) / n).sqrt()), "{over_clusters:?}");
        let over_folds = corrected_interval(&values, train, test, level).unwrap();
        let share = 1.0 / n + test as f64 / train as f64;
        prop_assert!(of(over_folds, (share * variance(&values)).sqrt()), "{over_folds:?}");
        for (pseudo, rest) in pseudo_values(2.0, &values).iter().zip(&values) {
            prop_assert!(near(*pseudo, n * 2.0 - (n - 1.0) * rest, 1e-12));
        }
    }

    /// The ends of the sign interval are the innermost pair of values that the median leaves rarely enough.
    #[test]
    fn sign_intervals_are_order_statistics(values in prop::collection::vec(-5.0f64..5.0, 6..20), level in 0.5f64..0.96) {
        let n = values.len();
        let choose = |k: usize| (0..k).map(|i| (n - i) as f64 / (i + 1) as f64).product::<f64>();
        let below = |k: usize| (0..k).map(choose).sum::<f64>() / 2f64.powi(n as i32);
        let tail = 0.5 * (1.0 - level);
        let widest = (1..=n / 2).filter(|k| below(*k) <= tail).max();
        let found = cluster_interval(&values, ClusterMethod::Sign, level);
        let Some(k) = widest else {
            prop_assert!(matches!(found, Err(StatsError::TooFew { .. })), "{found:?}");
            return Ok(());
        };
        let mut sorted = values.clone();
        sorted.sort_by(f64::total_cmp);
        let found = found.unwrap();
        prop_assert_eq!((found.lower, found.upper), (sorted[k - 1], sorted[n - k]));
        prop_assert!(near(found.estimate, quantile(&values, 0.5), 1e-12));
    }

    #[test]
    fn shares_and_ranks_of_draws_are_counted(rows in prop::collection::vec(prop::collection::vec(0i32..4, 3), 1..30), higher: bool, level in 0.3f64..0.98) {
        let better = if higher { Better::Higher } else { Better::Lower };
        let score = |row: usize, model: usize| f64::from(rows[row][model]) * if higher { 1.0 } else { -1.0 };
        let columns: Vec<Vec<f64>> =
            (0..3).map(|m| rows.iter().map(|row| f64::from(row[m])).collect()).collect();
        let draws = Draws::from_columns(&columns).unwrap();
        let shares = best_shares(&draws, better);
        let intervals = rank_intervals(&draws, better, level).unwrap();
        for model in 0..3 {
            let (mut wins, mut ranks) = (0.0, Vec::new());
            for row in 0..rows.len() {
                let beats = |a: usize, b: usize| score(row, a) > score(row, b);
                let before = (0..3).filter(|&m| beats(m, model)).count();
                let tied = (0..3).filter(|&m| !beats(m, model) && !beats(model, m)).count();
                wins += if before == 0 { 1.0 / tied as f64 } else { 0.0 };
                ranks.push(before as f64 + 0.5 * (tied as f64 + 1.0));
            }
            prop_assert!(near(shares[model], wins / rows.len() as f64, 1e-12));
            ranks.sort_by(f64::total_cmp);
            // The smallest rank that at least such a share of the draws reaches.
            let at = |share: f64| {
                let reached = |r: &f64| ranks.iter().filter(|x| *x <= r).count() as f64 / ranks.len() as f64;
                *ranks.iter().find(|r| reached(r) >= share - 1e-9).unwrap()
            };
            let tail = 0.5 * (1.0 - level);
            let found = intervals[model];
            prop_assert_eq!((found.lower, found.median, found.upper), (at(tail), at(0.5), at(1.0 - tail)));
        }
        let groups = group_best_shares(&shares, &[1, 0, 1]).unwrap();
        prop_assert_eq!(groups, vec![shares[1], shares[0] + shares[2]]);
    }

    /// Rank-biased overlap to the end of both lists and the sharing of their tops, by sets; no ties.
    #[test]
    fn overlaps_are_those_of_sets(order in Just((0..12usize).collect::<Vec<_>>()).prop_shuffle(), p in 0.1f64..0.95, k in 1usize..=12) {
        let a: Vec<f64> = (1..=12).map(f64::from).collect();
        let b: Vec<f64> = order.iter().map(|&place| place as f64 + 1.0).collect();
        let shared = |depth: usize| (0..12).filter(|&i| i < depth && order[i] < depth).count() as f64;
        let sum: f64 = (1..=12).map(|d| shared(d) / d as f64 * p.powi(d as i32)).sum();
        let expected = (1.0 - p) / p * sum + shared(12) / 12.0 * p.powi(12);
        prop_assert!(near(rank_biased_overlap(&a, &b, p).unwrap(), expected, 1e-12));
        let top = top_k_overlap(&a, &b, k).unwrap();
        prop_assert_eq!((top.k, top.shared, top.fraction), (k, shared(k), shared(k) / k as f64));
        prop_assert_eq!(top.items, (0..k).filter(|&i| order[i] < k).collect::<Vec<_>>());
        prop_assert_eq!(average_ranks(&b).unwrap(), b);
    }

    /// Twelve cosines of a sum of terms; the error takes them all or the six slowest, whichever is more
    /// cautious.
    #[test]
    fn waves_are_cosines(terms in prop::collection::vec(-2.0f64..2.0, 24..60)) {
        let n = terms.len() as f64;
        let waves = long_run_waves(&[&terms], 1, |sums, out| out[0] = sums[0]).unwrap()[0];
        for (j, wave) in waves.iter().enumerate() {
            let angle = |i: usize| std::f64::consts::PI * (j + 1) as f64 * (i as f64 + 0.5) / n;
            let sum: f64 = terms.iter().enumerate().map(|(i, v)| 2f64.sqrt() * angle(i).cos() * v).sum();
            prop_assert!(near(*wave, sum, 1e-9), "{wave} {sum}");
        }
        let error = |count: usize| (waves[..count].iter().map(|w| w * w).sum::<f64>() / count as f64).sqrt();
        prop_assert!(near(error_of_waves(&waves), error(COSINES), 1e-12));
        let t = |df: usize| StudentsT::new(0.0, 1.0, df as f64).unwrap().inverse_cdf(0.9875);
        let (slow, all) = (error(SLOWEST) * t(SLOWEST), error(COSINES) * t(COSINES));
        prop_assume!((slow / all - 1.0).abs() > 1e-3);
        let expected = if slow > all { (error(SLOWEST), SLOWEST) } else { (error(COSINES), COSINES) };
        let found = cautious_error(&waves);
        prop_assert!(near(found.0, expected.0, 1e-12) && found.1 == expected.1 as f64);
        // Normal ends become Student's.
        let z = normal().inverse_cdf(0.975);
        let wide = Interval {
            estimate: 1.0, lower: 1.0 - 2.0 * z, upper: 1.0 + 3.0 * z, standard_error: 2.0,
            level: 0.95, method: "percentile", defined: 5, draws: 5,
        };
        let t = StudentsT::new(0.0, 1.0, 12.0).unwrap().inverse_cdf(0.975);
        let moved = Rescaling::new(0.95).unwrap().interval(wide, 4.0);
        prop_assert!(near(moved.lower, 1.0 - 4.0 * t, 1e-7) && near(moved.upper, 1.0 + 6.0 * t, 1e-7));
    }
}

/// How often row r is followed by row r + 1 on the circle, over all draws.
fn followed(resamples: &Resamples, n: u32) -> f64 {
    let (mut after, mut all) = (0, 0);
    for draw in 0..resamples.draws() {
        let rows = resamples.rows(draw);
        after += rows.windows(2).filter(|w| w[1] == (w[0] + 1) % n).count();
        all += rows.len() - 1;
    }
    f64::from(after as u32) / f64::from(all as u32)
}

/// Independent cases follow their neighbour once in n times; a block goes on with probability 1 − 1/length,
/// and a new one may begin anywhere.
#[test]
fn cases_are_independent_and_blocks_are_not() {
    for n in [10u32, 50] {
        let once = 1.0 / f64::from(n);
        let within = |found: f64, expected: f64| {
            let error = (expected * (1.0 - expected) / (4000.0 * f64::from(n - 1))).sqrt();
            assert!((found - expected).abs() < 5.0 * error, "n {n}: {found} and {expected}");
        };
        let count = n as usize;
        within(followed(&Resamples::cases(count, 4000, 3).unwrap(), n), once);
        within(followed(&Units::cases(count).resamples(5.0, 4000, 4).unwrap(), n), once);
        for length in [1.0, 2.0, 5.0] {
            let expected = (1.0 - 1.0 / length) + once / length;
            within(followed(&Resamples::stationary(count, length, 4000, 5).unwrap(), n), expected);
            within(followed(&Units::steps(count).resamples(length, 4000, 6).unwrap(), n), expected);
        }
    }
}

/// Every case is as likely as any other to stand at every place of a draw, and every group is drawn from
/// itself.
#[test]
fn every_case_is_drawn_alike() {
    let groups: Vec<usize> = (0..12).map(|i| i % 3).collect();
    for (resamples, of) in [
        (Resamples::cases(12, 6000, 1).unwrap(), [0; 12].to_vec()),
        (Resamples::stationary(12, 3.0, 6000, 2).unwrap(), [0; 12].to_vec()),
        (Resamples::grouped(&groups, 6000, 3).unwrap(), groups.clone()),
    ] {
        let mut counts = vec![[0u32; 12]; 12];
        for draw in 0..6000 {
            for (place, &row) in resamples.rows(draw).iter().enumerate() {
                counts[place][row as usize] += 1;
            }
            let mut by_count = vec![0; 12];
            resamples.rows(draw).iter().for_each(|&row| by_count[row as usize] += 1);
            assert_eq!(by_count, resamples.counts(draw));
        }
        let sizes: Vec<usize> = (0..12).map(|i| of.iter().filter(|&&g| g == of[i]).count()).collect();
        for (place, counts) in counts.iter().enumerate() {
            let possible: Vec<usize> = (0..12).filter(|&row| counts[row] > 0).collect();
            for &row in &possible {
                let expected: f64 = 1.0 / sizes[row] as f64;
                let error = (expected * (1.0 - expected) / 6000.0).sqrt();
                let found = f64::from(counts[row]) / 6000.0;
                assert!((found - expected).abs() < 5.0 * error, "place {place}, row {row}: {found}");
            }
            assert_eq!(possible.len(), sizes[possible[0]]);
            assert!(possible.iter().all(|&row| of[row] == of[possible[0]]));
        }
    }
}

/// Signs are drawn block by block, each with equal chance, and a block may end anywhere.
#[test]
fn signs_are_flipped_by_blocks_of_equal_chance() {
    for (cases, block) in [(20, 10), (20, 1), (23, 4), (50, 7)] {
        let draws = 3000;
        let flips = SignFlips::new(cases, block, draws, 9).unwrap();
        assert_eq!(flips.draws(), draws);
        let (mut flipped, mut changed, mut apart) = (vec![0; cases], vec![0; cases], 0);
        for draw in 0..draws {
            let signs = flips.flips(draw);
            assert_eq!(signs.len(), cases);
            (0..cases).for_each(|i| flipped[i] += usize::from(signs[i]));
            (1..cases).for_each(|i| changed[i] += usize::from(signs[i] != signs[i - 1]));
            apart += usize::from(signs[0] != signs[cases - 1]);
        }
        let within = |count: usize, share: f64| {
            let error = (share * (1.0 - share) / draws as f64).sqrt();
            let found = count as f64 / draws as f64;
            assert!((found - share).abs() < 5.0 * error, "{cases}, {block}: {found} and {share}");
        };
        flipped.iter().for_each(|&count| within(count, 0.5));
        // One case in `block` begins a block, and half of the blocks have another sign than the one before.
        changed[1..].iter().for_each(|&count| within(count, 0.5 / block as f64));
        within(apart, 0.5);
    }
    for (cases, block) in [(20, 11), (20, 0), (9, 1)] {
        assert!(SignFlips::new(cases, block, 5, 1).is_err(), "{cases}, {block}");
    }
}

/// Units of labels that stand in any order: ranks of the labels, sums over each, entities by their labels or
/// their places.
#[test]
fn units_are_the_ranks_of_their_labels() {
    let labels = [30, 10, 20, 10, 30, 30];
    let terms = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0];
    for (units, dependence) in
        [(Units::groups(&labels), Dependence::None), (Units::dates(&labels, None).unwrap(), Dependence::Time)]
    {
        assert_eq!(units.unit_of(), [2, 0, 1, 0, 2, 2]);
        assert_eq!((units.count(), units.case_count(), units.dependence()), (3, 6, dependence));
        assert_eq!(units.sums(&terms), [10.0, 4.0, 49.0]);
    }
    for (units, dependence) in [(Units::cases(4), Dependence::None), (Units::steps(4), Dependence::Time)] {
        assert_eq!((units.unit_of(), units.count()), (&[0, 1, 2, 3][..], 4));
        assert_eq!(units.dependence(), dependence);
    }
    assert!(Units::dates(&labels, Some(&[0; 5])).is_err());
}

/// All shifts of a series that stay far enough from none are as likely; all orders of ten units too.
#[test]
fn null_orders_are_uniform() {
    let n = 24;
    let orders = NullOrders::new(&Units::steps(n), &[7; 24], 3, 10_000, 2).unwrap();
    assert_eq!(orders.distinct(), (n - 2 * 3 - 1) as f64);
    // No more draws than there are shifts: each is there once.
    let mut shifts: Vec<usize> = (0..orders.draws()).map(|d| orders.single_shift(d).unwrap()).collect();
    shifts.sort_unstable();
    assert_eq!(shifts, (4..=20).collect::<Vec<_>>());
    let orders = NullOrders::new(&Units::cases(10), &[0; 10], 0, 5000, 2).unwrap();
    assert_eq!(orders.distinct(), (1..=10).map(f64::from).product::<f64>() - 1.0);
    let mut counts = [[0u32; 10]; 10];
    for draw in 0..5000 {
        let order = orders.order(draw);
        order.iter().enumerate().for_each(|(place, &case)| counts[place][case as usize] += 1);
    }
    let error = (0.1 * 0.9 / 5000.0f64).sqrt();
    for count in counts.iter().flatten() {
        let share = f64::from(*count) / 5000.0;
        assert!((share - 0.1).abs() < 5.0 * error, "{share}");
    }
}
