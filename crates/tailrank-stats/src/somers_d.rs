//! Somers' D (1962): how well y's order follows from x's, pairs tied in x left out.

use crate::{
    distribution::{normal_lower, normal_upper},
    error::{Result, StatsError, check_pair},
    pair_counts::{PairCounts, pairs_within},
    ranking::{Ranked, compare},
    test_result::{Alternative, TestResult},
};

const TEST: &str = "Somers' D";

/// D(y|x) with x as the independent variable, and its asymptotic test.
///
/// ```
/// use tailrank_stats::{Alternative, somers_d};
///
/// let d = somers_d(&[1.0, 1.0, 2.0, 3.0], &[1.0, 2.0, 3.0, 3.0], Alternative::TwoSided)?;
/// assert_eq!(d.estimate, Some(0.8));
/// # Ok::<(), tailrank_stats::StatsError>(())
/// ```
pub fn somers_d(x: &[f64], y: &[f64], alternative: Alternative) -> Result<TestResult> {
    check_pair(x, y, TEST, 2)?;
    let pairs = PairCounts::of(x, y);
    if pairs.classes_x < 2 {
        let fix = "leave it out, or compare scores that differ";
        return Err(StatsError::Constant { name: "x", test: TEST, fix });
    }
    let d = pairs.s as f64 / (pairs.all() - pairs_within(&pairs.ties_x)) as f64;
    let n = x.len() as f64;
    let net = 2.0 * pairs.s as f64;
    let squares: f64 = net_concordance(x, y).iter().map(|c| (c * c) as f64).sum();
    let variance = 4.0 * (squares - net * net / n);
    // A perfect order leaves no variance: its z is infinite (and 0/0 only when there is no association at all).
    let z = if net == 0.0 { 0.0 } else { net / variance.max(0.0).sqrt() };
    Ok(TestResult {
        test: TEST,
        method: "asymptotic",
        statistic_name: "z",
        statistic: z,
        estimate: Some(d),
        df: None,
        df2: None,
        p_value: alternative.p_value(normal_lower(z), normal_upper(z)),
        alternative,
        n: x.len(),
    })
}

/// Concordant minus discordant pairs of each case with all others: two sweeps over x with a Fenwick tree over y.
fn net_concordance(x: &[f64], y: &[f64]) -> Vec<i64> {
    let n = x.len();
    let ranked = Ranked::ascending(y);
    // A group of t ties with average rank r stands on places r − (t−1)/2 … r + (t−1)/2.

    let mut class_of_place = vec![0; n];
    let mut start = 0;
    for (class, &size) in ranked.groups.iter().enumerate() {
        class_of_place[start..start + size].fill(class);
        start += size;
    }
    let class: Vec<usize> = ranked.ranks.iter().map(|r| class_of_place[r.floor() as usize - 1]).collect();
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&i, &j| compare(x[i], x[j]));
    let mut net = vec![0i64; n];
    for direction in [1i64, -1] {
        let mut tree = vec![0i64; ranked.groups.len() + 1];
        let mut seen = 0i64;
        for group in order.chunk_by(|&i, &j| x[i] == x[j]) {
            for &i in group {
                let below = prefix_sum(&tree, class[i]);
                let up_to = prefix_sum(&tree, class[i] + 1);
                net[i] += direction * (below - (seen - up_to));
            }
            for &i in group {
                add_one(&mut tree, class[i]);
            }
            seen += group.len() as i64;
        }
        order.reverse();
    }
    net
}

/// Cases in the classes 0 … `end` − 1.
fn prefix_sum(tree: &[i64], mut end: usize) -> i64 {
    let mut sum = 0;
    while end > 0 {
        sum += tree[end];
        end &= end - 1;
    }
    sum
}

fn add_one(tree: &mut [i64], class: usize) {
    let mut at = class + 1;
    while at < tree.len() {
        tree[at] += 1;
        at += at & at.wrapping_neg();
    }
}
