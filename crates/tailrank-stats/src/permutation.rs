//! Permutation p values of ρ and τ, for any n, with or without ties.

use crate::{
    error::{Result, check_pair, check_setting},
    kendall::kendall_tau,
    pair_counts::sort_counting_inversions,
    ranking::{Ranked, compare},
    shuffle::{Shuffle, Uniform},
    spearman::spearman_rho,
    test_result::{Alternative, TestResult},
};

const TEST: &str = "a permutation test";

/// Permutation tests of ρ and τ on one stream of permutations.
#[derive(Clone, Debug, PartialEq)]
pub struct PermutationTest {
    /// Spearman's ρ.
    pub rho: TestResult,
    /// Kendall's τ-b.
    pub tau: TestResult,
}

/// Tests ρ = 0 and τ = 0 by `permutations` random orders of y.
///
/// p = (1 + orders at least as extreme) / (1 + orders), which is never zero and keeps the test's level
/// (Phipson & Smyth 2010). The statistics are compared as whole numbers, so ties between orders are exact.
///
/// ```
/// use tailrank_stats::{Alternative, permutation_test};
///
/// let x = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0];
/// let y = [2.0, 1.0, 4.0, 3.0, 5.0, 7.0, 6.0];
/// let answer = permutation_test(&x, &y, 10_000, 42, Alternative::TwoSided)?;
/// assert!(answer.tau.p_value < 0.05 && answer.rho.p_value < 0.05);
/// # Ok::<(), tailrank_stats::StatsError>(())
/// ```
pub fn permutation_test(
    x: &[f64],
    y: &[f64],
    permutations: u64,
    seed: u64,
    alternative: Alternative,
) -> Result<PermutationTest> {
    check_pair(x, y, TEST, 3)?;
    let expected = "draw at least 1 permutation, usually 10000 or more";
    check_setting(permutations > 0, "permutations", 0.0, expected)?;
    let (rho, tau) = (spearman_rho(x, y)?, kendall_tau(x, y)?);
    let n = x.len();
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&i, &j| compare(x[i], x[j]));
    let tied = tied_places(&order, x);
    let in_order = |values: Vec<i64>| order.iter().map(|&i| values[i]).collect::<Vec<_>>();
    let [x, y] = [x, y].map(|values| in_order(Ranked::ascending(values).centred_doubled()));
    let (rho_count, tau_count) =
        count_extremes(&mut Shuffled::new(x, y, tied), permutations, seed, alternative);
    let answer = |test, estimate, count: u64| {
        let p_value = (count + 1) as f64 / (permutations + 1) as f64;
        let answer = TestResult::new(test, "permutation", estimate, p_value, alternative, n);
        TestResult { estimate: Some(estimate), ..answer }
    };
    Ok(PermutationTest {
        rho: answer("Spearman's rank correlation", rho, rho_count),
        tau: answer("Kendall's rank correlation", tau, tau_count),
    })
}

/// Start and end of every group of two or more tied in x.
fn tied_places(order: &[usize], x: &[f64]) -> Vec<(usize, usize)> {
    let mut end = 0;
    let places = order.chunk_by(|&i, &j| x[i] == x[j]).map(|group| {
        end += group.len();
        (end - group.len(), end)
    });
    places.filter(|(start, end)| end - start > 1).collect()
}

fn count_extremes(
    ranks: &mut Shuffled,
    permutations: u64,
    seed: u64,
    alternative: Alternative,
) -> (u64, u64) {
    let extreme = |value: i64, observed: i64| match alternative {
        Alternative::TwoSided => value.abs() >= observed.abs(),
        Alternative::Less => value <= observed,
        Alternative::Greater => value >= observed,
    };
    let (rho, tau) = ranks.measure();
    let mut random = Uniform::seeded(seed);
    let mut counts = (0, 0);
    for _ in 0..permutations {
        ranks.shuffle(&mut random);
        let (r, t) = ranks.measure();
        counts.0 += u64::from(extreme(r, rho));
        counts.1 += u64::from(extreme(t, tau));
    }
    counts
}

/// Pairs of different values in sorted values.
fn untied_pairs(sorted: &[i64]) -> i64 {
    let pairs = |n: usize| (n * n.saturating_sub(1) / 2) as i64;
    pairs(sorted.len()) - sorted.chunk_by(|a, b| a == b).map(|group| pairs(group.len())).sum::<i64>()
}

/// Ranks whose y side can be shuffled and measured again.
struct Shuffled {
    x: Vec<i64>,
    y: Vec<i64>,
    /// Places of the groups of ties in x.
    tied: Vec<(usize, usize)>,
    shuffle: Shuffle,
    sorted: Vec<i64>,
    scratch: Vec<i64>,
}

impl Shuffled {
    fn new(x: Vec<i64>, y: Vec<i64>, tied: Vec<(usize, usize)>) -> Self {
        let n = x.len();
        Self { x, y, tied, shuffle: Shuffle::new(n), sorted: vec![0; n], scratch: vec![0; n] }
    }

    /// Concordant minus discordant pairs of some places, as if none were tied in x; descents are counted by
    /// merge sort.
    fn net(&mut self, start: usize, end: usize) -> i64 {
        let sorted = &mut self.sorted[..end - start];
        sorted.copy_from_slice(&self.y[start..end]);
        let descents = sort_counting_inversions(sorted, &mut self.scratch[..end - start]) as i64;
        untied_pairs(sorted) - 2 * descents
    }

    /// Σ of products of the centred ranks (ρ's numerator) and concordant minus discordant pairs (τ's).
    fn measure(&mut self) -> (i64, i64) {
        let product = self.x.iter().zip(&self.y).map(|(a, b)| a * b).sum();
        let mut net = self.net(0, self.y.len());
        for place in 0..self.tied.len() {
            let (start, end) = self.tied[place];
            net -= self.net(start, end);
        }
        (product, net)
    }

    fn shuffle(&mut self, random: &mut Uniform) {
        self.shuffle.apply(random, &mut self.y);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every order of the shuffled ranks, measured pair by pair.
    #[test]
    fn shuffled_ranks_are_measured_as_by_definition() {
        for (n, a, b) in [(3, 5, 2), (17, 7, 17), (60, 23, 17), (130, 200, 90)] {
            let x: Vec<f64> = (0..n).map(|i| f64::from(i * 7 % a)).collect();
            let y: Vec<f64> = (0..n).map(|i| f64::from(i * 11 % b)).collect();
            let mut order: Vec<usize> = (0..x.len()).collect();
            order.sort_by(|&i, &j| compare(x[i], x[j]));
            let tied = tied_places(&order, &x);
            let [x, y] = [x, y].map(|v| {
                let ranks = Ranked::ascending(&v).centred_doubled();
                order.iter().map(|&i| ranks[i]).collect::<Vec<_>>()
            });
            let mut ranks = Shuffled::new(x, y, tied);
            let (mut random, mut sorted) = (Uniform::seeded(3), ranks.y.clone());
            sorted.sort_unstable();
            for _ in 0..50 {
                let (product, net) = ranks.measure();
                let (x, y) = (&ranks.x, &ranks.y);
                assert_eq!(product, x.iter().zip(y).map(|(a, b)| a * b).sum::<i64>());
                let sign = |i: usize, j: usize| (x[j] - x[i]).signum() * (y[j] - y[i]).signum();
                let pairs = (0..x.len()).flat_map(|j| (0..j).map(move |i| (i, j)));
                assert_eq!(net, pairs.map(|(i, j)| sign(i, j)).sum::<i64>());
                ranks.shuffle(&mut random);
                let mut again = ranks.y.clone();
                again.sort_unstable();
                assert_eq!(again, sorted);
            }
        }
    }
}
