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
    /// Permutations drawn.
    pub permutations: u64,
    /// The seed they were drawn from.
    pub seed: u64,
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
    let x = in_order(Ranked::ascending(x).centred_doubled());
    let y = in_order(Ranked::ascending(y).centred_doubled());

    let (rho_count, tau_count) = if n <= SmallRanks::LIMIT {
        count_extremes(&mut SmallRanks::new(&x, &y, tied), permutations, seed, alternative)
    } else {
        count_extremes(&mut LargeRanks::new(x, y, tied), permutations, seed, alternative)
    };
    let answer = |test, estimate, count: u64| {
        let p_value = (count + 1) as f64 / (permutations + 1) as f64;
        let answer = TestResult::new(test, "permutation", estimate, p_value, alternative, n);
        TestResult { estimate: Some(estimate), ..answer }
    };
    Ok(PermutationTest {
        rho: answer("Spearman's rank correlation", rho, rho_count),
        tau: answer("Kendall's rank correlation", tau, tau_count),
        permutations,
        seed,
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

/// Ranks whose y side can be shuffled and measured again.
trait Shuffled {
    /// Σ of products of the centred ranks (ρ's numerator) and concordant minus discordant pairs (τ's).
    fn measure(&mut self) -> (i64, i64);
    fn shuffle(&mut self, random: &mut Uniform);
}

fn count_extremes(
    ranks: &mut impl Shuffled,
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

/// Up to 127 cases: twice the centred ranks fit a byte, and pairs are compared sixteen at a time.
struct SmallRanks {
    x: Vec<i16>,
    /// The ranks, then [`LANES`] fillers below every rank.
    y: Vec<i8>,
    /// Pairs untied in y, in whatever order y stands.
    untied: i64,
    /// Places of the groups of ties in x.
    tied: Vec<(usize, usize)>,
    shuffle: Shuffle,
}

/// Bytes compared by one instruction on every 64-bit machine.
const LANES: usize = 16;

impl SmallRanks {
    const LIMIT: usize = 127;

    fn new(x: &[i64], y: &[i64], tied: Vec<(usize, usize)>) -> Self {
        let mut sorted = y.to_vec();
        sorted.sort_unstable();
        let mut padded: Vec<i8> = y.iter().map(|&v| v as i8).collect();
        padded.extend([i8::MIN; LANES]);
        Self {
            x: x.iter().map(|&v| v as i16).collect(),
            y: padded,
            untied: untied_pairs(&sorted),
            tied,
            shuffle: Shuffle::new(x.len()),
        }
    }
}

impl Shuffled for SmallRanks {
    fn measure(&mut self) -> (i64, i64) {
        let product: i32 = self.x.iter().zip(&self.y).map(|(&a, &b)| i32::from(a) * i32::from(b)).sum();
        // Ascents and descents make up the untied pairs.
        let mut net = 2 * ascents(&self.y) - self.untied;
        for &(start, end) in &self.tied {
            net -= ascents_minus_descents(&self.y[start..end]);
        }
        (i64::from(product), net)
    }

    fn shuffle(&mut self, random: &mut Uniform) {
        let n = self.x.len();
        self.shuffle.apply(random, &mut self.y[..n]);
    }
}

/// Pairs i < j in ascending order among at most 127 values that are followed by [`LANES`] fillers.
///
/// Sixteen neighbours are compared with the sixteen at each distance; the fillers never ascend, and a place takes part in
/// at most 126 comparisons, which a byte counts.
fn ascents(padded: &[i8]) -> i64 {
    let n = padded.len() - LANES;
    let mut total = 0;
    for start in (0..n).step_by(LANES) {
        let Some(here) = padded[start..].first_chunk::<LANES>() else { break };
        let mut count = [0u8; LANES];
        for later in padded[start + 1..].windows(LANES).take(n - start - 1) {
            let Some(later) = later.first_chunk::<LANES>() else { break };
            for lane in 0..LANES {
                count[lane] += u8::from(later[lane] > here[lane]);
            }
        }
        total += count.iter().map(|&c| i64::from(c)).sum::<i64>();
    }
    total
}

/// Pairs in ascending minus pairs in descending order within a group of ties of x.
fn ascents_minus_descents(values: &[i8]) -> i64 {
    let mut net = [0i8; SmallRanks::LIMIT + 1];
    for distance in 1..values.len() {
        for ((count, &a), &b) in net.iter_mut().zip(values).zip(&values[distance..]) {
            *count += i8::from(b > a) - i8::from(b < a);
        }
    }
    net[..values.len()].iter().map(|&count| i64::from(count)).sum()
}

/// Pairs of different values in sorted values.
fn untied_pairs(sorted: &[i64]) -> i64 {
    let pairs = |n: usize| (n * n.saturating_sub(1) / 2) as i64;
    pairs(sorted.len()) - sorted.chunk_by(|a, b| a == b).map(|group| pairs(group.len())).sum::<i64>()
}

/// More cases: descents are counted by merge sort.
struct LargeRanks {
    x: Vec<i64>,
    y: Vec<i64>,
    tied: Vec<(usize, usize)>,
    shuffle: Shuffle,
    sorted: Vec<i64>,
    scratch: Vec<i64>,
}

impl LargeRanks {
    fn new(x: Vec<i64>, y: Vec<i64>, tied: Vec<(usize, usize)>) -> Self {
        let n = x.len();
        Self { x, y, tied, shuffle: Shuffle::new(n), sorted: vec![0; n], scratch: vec![0; n] }
    }

    fn net(&mut self, start: usize, end: usize) -> i64 {
        let sorted = &mut self.sorted[..end - start];
        sorted.copy_from_slice(&self.y[start..end]);
        let descents = sort_counting_inversions(sorted, &mut self.scratch[..end - start]) as i64;
        untied_pairs(sorted) - 2 * descents
    }
}

impl Shuffled for LargeRanks {
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

    #[test]
    fn both_kernels_measure_the_same() {
        let x: Vec<f64> = (0..60).map(|i| f64::from(i * 7 % 23)).collect();
        let y: Vec<f64> = (0..60).map(|i| f64::from(i * 11 % 17)).collect();
        let mut order: Vec<usize> = (0..60).collect();
        order.sort_by(|&i, &j| compare(x[i], x[j]));
        let tied = tied_places(&order, &x);
        let arranged = |v: &[f64]| {
            let ranks = Ranked::ascending(v).centred_doubled();
            order.iter().map(|&i| ranks[i]).collect::<Vec<_>>()
        };
        let mut small = SmallRanks::new(&arranged(&x), &arranged(&y), tied.clone());
        let mut large = LargeRanks::new(arranged(&x), arranged(&y), tied);
        let (mut a, mut b) = (Uniform::seeded(3), Uniform::seeded(3));
        let s = crate::pair_counts::PairCounts::of(&x, &y).s;
        assert_eq!(small.measure().1, s);
        for _ in 0..200 {
            assert_eq!(small.measure(), large.measure());
            small.shuffle(&mut a);
            large.shuffle(&mut b);
        }
    }
}
