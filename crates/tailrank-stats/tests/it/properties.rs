//! Laws that hold for any scores.

use crate::fixture::ranked;

use proptest::prelude::*;
use tailrank_stats::{
    Alternative, Better, Correction, CorrelationMethod, WilcoxonMethod, adjust, average_ranks, friedman,
    kendall_null_cdf, kendall_tau, kendall_test, permutation_test, rank_biased_overlap, rank_scores,
    spearman_rho, spearman_test, top_k_overlap, wilcoxon_signed_rank,
};

/// Scores on a coarse grid, so that ties occur.
fn tied(len: std::ops::Range<usize>) -> impl Strategy<Value = Vec<(f64, f64)>> {
    prop::collection::vec((-6i32..6, -6i32..6), len)
        .prop_map(|v| v.into_iter().map(|(a, b)| (f64::from(a) / 4.0, f64::from(b) / 4.0)).collect())
}

fn varies(values: &[f64]) -> bool {
    values.iter().any(|v| *v != values[0])
}

fn both(pairs: &[(f64, f64)]) -> (Vec<f64>, Vec<f64>) {
    pairs.iter().copied().unzip()
}

/// τ-b by its definition over all pairs.
fn tau_by_definition(x: &[f64], y: &[f64]) -> f64 {
    let sign = |v: f64| if v == 0.0 { 0.0 } else { v.signum() };
    let (mut s, mut tx, mut ty) = (0.0, 0.0, 0.0);
    for i in 0..x.len() {
        for j in 0..i {
            let (a, b) = (sign(x[i] - x[j]), sign(y[i] - y[j]));
            s += a * b;
            tx += a.abs();
            ty += b.abs();
        }
    }
    s / f64::sqrt(tx * ty)
}

proptest! {
    #[test]
    fn ranks_follow_a_permutation_and_ignore_monotone_transforms(pairs in tied(1..40), shift in 0usize..40) {
        let (x, _) = both(&pairs);
        let ranks = average_ranks(&x).unwrap();
        let k = shift % x.len();
        let rotated: Vec<f64> = x[k..].iter().chain(&x[..k]).copied().collect();
        let expected: Vec<f64> = ranks[k..].iter().chain(&ranks[..k]).copied().collect();
        prop_assert_eq!(average_ranks(&rotated).unwrap(), expected);
        let transformed: Vec<f64> = x.iter().map(|v| v.exp() * 3.0 - 7.0).collect();
        prop_assert_eq!(average_ranks(&transformed).unwrap(), ranks.clone());
        let n = x.len() as f64;
        prop_assert_eq!(ranks.iter().sum::<f64>(), n * (n + 1.0) / 2.0);
    }

    #[test]
    fn undefined_scores_share_the_last_rank(scores in prop::collection::vec(prop::option::of(-3i32..3), 1..30)) {
        let scores: Vec<Option<f64>> = scores.into_iter().map(|s| s.map(f64::from)).collect();
        for better in [Better::Lower, Better::Higher] {
            let ranks = rank_scores(&scores, better).unwrap();
            let worst = scores.iter().zip(&ranks).filter(|(s, _)| s.is_some()).map(|(_, r)| *r).max_by(f64::total_cmp).unwrap_or(0.0);
            let none: Vec<f64> = scores.iter().zip(&ranks).filter(|(s, _)| s.is_none()).map(|(_, r)| *r).collect();
            prop_assert!(none.iter().all(|r| *r > worst && *r == none[0]));
        }
        let defined: Vec<Option<f64>> = scores.iter().filter(|s| s.is_some()).copied().collect();
        if !defined.is_empty() {
            // Ranking the other way round mirrors the defined scores.
            let (up, down) = (rank_scores(&defined, Better::Lower).unwrap(), rank_scores(&defined, Better::Higher).unwrap());
            let n = defined.len() as f64;
            prop_assert!(up.iter().zip(&down).all(|(a, b)| a + b == n + 1.0));
        }
    }

    #[test]
    fn tau_equals_its_definition_and_both_are_antisymmetric(pairs in tied(2..60)) {
        let (x, y) = both(&pairs);
        prop_assume!(varies(&x) && varies(&y));
        let tau = kendall_tau(&x, &y).unwrap();
        prop_assert!((tau - tau_by_definition(&x, &y)).abs() < 1e-14);
        let reversed: Vec<f64> = y.iter().map(|v| -v).collect();
        prop_assert_eq!(kendall_tau(&x, &reversed).unwrap(), -tau);
        prop_assert_eq!(kendall_tau(&y, &x).unwrap(), tau);
        let rho = spearman_rho(&x, &y).unwrap();
        prop_assert_eq!(spearman_rho(&x, &reversed).unwrap(), -rho);
        prop_assert_eq!(spearman_rho(&y, &x).unwrap(), rho);
        prop_assert!(rho.abs() <= 1.0 && tau.abs() <= 1.0);
    }

    #[test]
    fn reversing_one_side_swaps_the_one_sided_p_values(order in Just((0..12).collect::<Vec<i32>>()).prop_shuffle()) {
        let x: Vec<f64> = (0..12).map(f64::from).collect();
        let y: Vec<f64> = order.iter().map(|v| f64::from(*v)).collect();
        let back: Vec<f64> = y.iter().map(|v| -v).collect();
        for method in [CorrelationMethod::Auto, CorrelationMethod::Asymptotic] {
            let less = kendall_test(&x, &y, method, Alternative::Less).unwrap().p_value;
            let greater = kendall_test(&x, &back, method, Alternative::Greater).unwrap().p_value;
            prop_assert_eq!(less, greater);
            let less = spearman_test(&x, &y, method, Alternative::Less).unwrap().p_value;
            let greater = spearman_test(&x, &back, method, Alternative::Greater).unwrap().p_value;
            // The Edgeworth series is symmetric up to its rounding.
            prop_assert!((less - greater).abs() < 1e-12);
        }
    }

    #[test]
    fn adjusted_p_values_keep_their_order_and_never_shrink(p in prop::collection::vec(0.0..=1.0f64, 1..40)) {
        let all = [Correction::Holm, Correction::BenjaminiHochberg];
        let adjusted: Vec<Vec<f64>> = all.iter().map(|c| adjust(&p, *c).unwrap()).collect();
        for values in &adjusted {
            for i in 0..p.len() {
                prop_assert!(values[i] >= p[i] && values[i] <= 1.0);
                for j in 0..p.len() {
                    prop_assert!(p[i] > p[j] || values[i] <= values[j]);
                }
            }
        }
        for i in 0..p.len() {
            prop_assert!(adjusted[0][i] >= adjusted[1][i] - 1e-15);
        }
    }

    #[test]
    fn swapping_the_sides_swaps_the_one_sided_wilcoxon_tests(pairs in tied(2..25)) {
        let (x, y) = both(&pairs);
        prop_assume!(x != y);
        for method in [WilcoxonMethod::Auto, WilcoxonMethod::Asymptotic] {
            let p = |a: &[f64], b: &[f64], side| wilcoxon_signed_rank(a, b, method, side).unwrap().p_value;
            let (less, greater) = (p(&x, &y, Alternative::Less), p(&y, &x, Alternative::Greater));
            prop_assert!((less - greater).abs() < 1e-14);
            let both = p(&x, &y, Alternative::TwoSided);
            prop_assert!((0.0..=1.0).contains(&both));
        }
    }

    #[test]
    fn overlaps_are_symmetric_and_one_for_equal_rankings(pairs in tied(2..30), k in 1usize..30, p in 0.05..0.99f64) {
        let (x, y) = both(&pairs);
        let (a, b) = (average_ranks(&x).unwrap(), average_ranks(&y).unwrap());
        let k = 1 + k % a.len();
        let shared = top_k_overlap(&a, &b, k).unwrap().shared;
        prop_assert!((shared - top_k_overlap(&b, &a, k).unwrap().shared).abs() < 1e-12);
        prop_assert!(shared <= k as f64 + 1e-12 && shared >= 2.0 * k as f64 - a.len() as f64 - 1e-12);
        let rbo = rank_biased_overlap(&a, &b, p).unwrap();
        prop_assert!((rbo - rank_biased_overlap(&b, &a, p).unwrap()).abs() < 1e-12);
        prop_assert!((0.0..=1.0 + 1e-12).contains(&rbo));
        let untied: Vec<f64> = (1..=a.len()).map(|i| i as f64).collect();
        prop_assert!((rank_biased_overlap(&untied, &untied, p).unwrap() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn friedman_ignores_the_order_of_tasks_and_monotone_transforms(
        rows in prop::collection::vec(prop::collection::vec(-4i32..4, 4), 2..12)
    ) {
        let values: Vec<Vec<f64>> = rows.iter().map(|r| r.iter().map(|v| f64::from(*v)).collect()).collect();
        let table = ranked(&values, Better::Lower).unwrap();
        let Ok(answer) = friedman(&table) else { return Ok(()) };
        let mut changed: Vec<Vec<f64>> = values.iter().map(|r| r.iter().map(|v| -(v.powi(3))).collect()).collect();
        changed.reverse();
        let again = friedman(&ranked(&changed, Better::Higher).unwrap()).unwrap();
        prop_assert!((answer.statistic - again.statistic).abs() < 1e-9);
    }
}

/// All n! orders: the exact tests' p values are the shares of orders at least as extreme.
#[test]
fn exact_p_values_count_the_orders() {
    let n = 6;
    let x: Vec<f64> = (0..n).map(f64::from).collect();
    let mut orders = vec![vec![]];
    for i in 0..n {
        orders = orders
            .into_iter()
            .flat_map(|o: Vec<f64>| {
                (0..=o.len()).map(move |at| {
                    let mut next = o.clone();
                    next.insert(at, f64::from(i));
                    next
                })
            })
            .collect();
    }
    assert_eq!(orders.len(), 720);
    let taus: Vec<f64> = orders.iter().map(|y| kendall_tau(&x, y).unwrap()).collect();
    let rhos: Vec<f64> = orders.iter().map(|y| spearman_rho(&x, y).unwrap()).collect();
    let share = |values: &[f64], at: f64| values.iter().filter(|v| **v >= at - 1e-9).count() as f64 / 720.0;
    for (k, y) in orders.iter().enumerate().step_by(7) {
        let tau = kendall_test(&x, y, CorrelationMethod::Auto, Alternative::Greater).unwrap();
        assert!((tau.p_value - share(&taus, taus[k])).abs() < 1e-14);
        let rho = spearman_test(&x, y, CorrelationMethod::Auto, Alternative::Greater).unwrap();
        assert!((rho.p_value - share(&rhos, rhos[k])).abs() < 1e-14);
    }
    // The masses of the null distribution sum to one.
    let mass: f64 = (0..=15)
        .map(|t| taus.iter().filter(|v| ((**v + 1.0) * 7.5).round() as u64 == t).count() as f64)
        .sum();
    assert_eq!(mass, 720.0);
    assert_eq!(kendall_null_cdf(6, 15), 1.0);
}

#[test]
fn permutation_p_values_are_close_to_exact_ones_and_repeat() {
    let x: Vec<f64> = (0..15).map(f64::from).collect();
    let y = [3.0, 1.0, 0.0, 2.0, 9.0, 5.0, 4.0, 14.0, 6.0, 7.0, 8.0, 13.0, 10.0, 11.0, 12.0];
    for side in [Alternative::TwoSided, Alternative::Greater, Alternative::Less] {
        for seed in [1, 2] {
            let random = permutation_test(&x, &y[..], 200_000, seed, side).unwrap();
            let tau = kendall_test(&x, &y, CorrelationMethod::Auto, side).unwrap().p_value;
            // Four standard errors of a share of 200,000.
            let bound = |p: f64| 4.0 * (p * (1.0 - p) / 2e5).sqrt() + 1e-5;
            assert!((random.tau.p_value - tau).abs() < bound(tau), "{side:?}: {} {tau}", random.tau.p_value);
            // ρ on the first nine cases, where the exact p is a count of all orders.
            let nine = permutation_test(&x[..9], &y[..9], 200_000, seed, side).unwrap();
            let rho = spearman_test(&x[..9], &y[..9], CorrelationMethod::Auto, side).unwrap();
            assert_eq!(rho.method, "exact");
            let rho = rho.p_value;
            assert!((nine.rho.p_value - rho).abs() < bound(rho), "{side:?}: {} {rho}", nine.rho.p_value);
            assert_eq!(random, permutation_test(&x, &y, 200_000, seed, side).unwrap());
        }
    }
    let one = permutation_test(&x, &y, 1000, 1, Alternative::TwoSided).unwrap();
    let other = permutation_test(&x, &y, 1000, 2, Alternative::TwoSided).unwrap();
    assert_eq!(one.tau.estimate, other.tau.estimate);
}

#[test]
fn permutation_with_ties_matches_the_count_of_all_orders() {
    // 7 cases with ties on both sides: all 5040 orders by hand against 400,000 random ones.
    let x = [1.0, 1.0, 2.0, 3.0, 3.0, 3.0, 4.0];
    let y = [2.0, 1.0, 2.0, 2.0, 5.0, 3.0, 5.0];
    let observed = (kendall_tau(&x, &y).unwrap(), spearman_rho(&x, &y).unwrap());
    let mut counts = (0u32, 0u32, 0u32);
    let mut order = y;
    permute(&mut order, 7, &mut |o| {
        counts.0 += u32::from(kendall_tau(&x, o).unwrap().abs() >= observed.0.abs() - 1e-12);
        counts.1 += u32::from(spearman_rho(&x, o).unwrap().abs() >= observed.1.abs() - 1e-12);
        counts.2 += 1;
    });
    assert_eq!(counts.2, 5040);
    let random = permutation_test(&x, &y, 400_000, 3, Alternative::TwoSided).unwrap();
    for (count, p) in [(counts.0, random.tau.p_value), (counts.1, random.rho.p_value)] {
        let exact = f64::from(count) / 5040.0;
        assert!((p - exact).abs() < 4.0 * (exact / 4e5).sqrt() + 1e-5, "{p} against {exact}");
    }
}

fn permute(items: &mut [f64; 7], k: usize, visit: &mut impl FnMut(&[f64])) {
    if k == 1 {
        visit(items);
        return;
    }
    for i in 0..k {
        permute(items, k - 1, visit);
        items.swap(if k.is_multiple_of(2) { i } else { 0 }, k - 1);
    }
}

#[test]
fn exact_wilcoxon_counts_all_signs_with_ties_and_zeros() {
    let d: [f64; 9] = [0.0, 1.0, -1.0, 2.0, 2.0, -2.0, 3.0, 0.0, 5.0];
    let y = [0.0; 9];
    let p = |d: &[f64], method| wilcoxon_signed_rank(d, &y, method, Alternative::Greater).unwrap();
    let answer = p(&d, WilcoxonMethod::Auto);
    let mut above = 0;
    for signs in 0u32..1 << 9 {
        let flipped: Vec<f64> = (0..9).map(|i| if signs >> i & 1 == 1 { -d[i] } else { d[i] }).collect();
        above += u32::from(p(&flipped, WilcoxonMethod::Asymptotic).statistic >= answer.statistic);
    }
    assert!((answer.p_value - f64::from(above) / 512.0).abs() < 1e-15);
}
