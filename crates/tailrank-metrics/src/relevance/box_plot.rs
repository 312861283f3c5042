//! The box plots that decide which values are extreme: Tukey's, the medcouple-adjusted one, and PR09's
//! fences.

use std::cmp::Ordering;

use crate::{
    MetricError, Result,
    error::{check_finite, check_setting},
};

/// Which box plot decides what an outlier is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BoxPlot {
    /// Tukey's: fences at the hinges ± coef · spread; control points at the whiskers (uba, UBL, IRon
    /// `asym = FALSE`).
    #[default]
    Plain,
    /// Hubert & Vandervieren's, skewed by the medcouple; control points at the fences (IRon's default).
    Adjusted,
}

/// What a box plot says about a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoxStats {
    /// Smallest value.
    pub min: f64,
    /// Lower hinge.
    pub lower_hinge: f64,
    /// Median.
    pub median: f64,
    /// Upper hinge.
    pub upper_hinge: f64,
    /// Largest value.
    pub max: f64,
    /// Values below this are outliers.
    pub lower_fence: f64,
    /// Values above this are outliers.
    pub upper_fence: f64,
    /// Smallest value that is no outlier.
    pub lower_whisker: f64,
    /// Largest value that is no outlier.
    pub upper_whisker: f64,
}

impl BoxStats {
    /// Box plot statistics of `values`; `coef` is the length of the whiskers in hinge spreads (usually 1.5).
    ///
    /// ```
    /// use tailrank_metrics::relevance::{BoxPlot, BoxStats};
    /// let stats = BoxStats::new(&[1.0, 2.0, 3.0, 4.0, 5.0, 60.0], 1.5, BoxPlot::Plain)?;
    /// assert_eq!((stats.median, stats.upper_whisker, stats.max), (3.5, 5.0, 60.0));
    /// # Ok::<(), tailrank_metrics::MetricError>(())
    /// ```
    pub fn new(values: &[f64], coef: f64, kind: BoxPlot) -> Result<Self> {
        check_finite("targets", values)?;
        let is_allowed = coef >= 0.0 && coef.is_finite();
        check_setting(is_allowed, "coef", coef, "the whisker length coef must be 0 or more")?;
        let mut sorted = values.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let n = sorted.len();
        // Tukey's five numbers as R's fivenum: a half position is the mean of its two neighbours.
        let at = |position: f64| {
            let below = position.floor() as usize;
            let above = position.ceil() as usize;
            0.5 * (sorted[below - 1] + sorted[above - 1])
        };
        let quarter = ((n as f64 + 3.0) / 2.0).floor() / 2.0;
        let (lower_hinge, upper_hinge) = (at(quarter), at(n as f64 + 1.0 - quarter));
        let median = at((n as f64 + 1.0) / 2.0);
        let spread = upper_hinge - lower_hinge;
        let (lower_coef, upper_coef) = match kind {
            BoxPlot::Plain => (coef, coef),
            // Hubert & Vandervieren's exponents −4 and 3, which change places for a left skew.
            BoxPlot::Adjusted => match medcouple(&sorted) {
                mc if mc >= 0.0 => (coef * (-4.0 * mc).exp(), coef * (3.0 * mc).exp()),
                mc => (coef * (-3.0 * mc).exp(), coef * (4.0 * mc).exp()),
            },
        };
        let lower_fence = lower_hinge - lower_coef * spread;
        let upper_fence = upper_hinge + upper_coef * spread;
        let first = sorted.partition_point(|&v| v < lower_fence);
        let last = sorted.partition_point(|&v| v <= upper_fence);
        Ok(Self {
            min: sorted[0],
            lower_hinge,
            median,
            upper_hinge,
            max: sorted[n - 1],
            lower_fence,
            upper_fence,
            lower_whisker: sorted[first.min(n - 1)],
            upper_whisker: sorted[last.max(1) - 1],
        })
    }
}

/// PR09's automatic centres: Q1 − 1.5·IQR and Q3 + 1.5·IQR with quantiles of type 7.
pub(super) fn pr09_fences(values: &[f64]) -> Result<(f64, f64)> {
    check_finite("targets", values)?;
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    refuse_constant(sorted[0], sorted[sorted.len() - 1])?;
    let quantile = |p: f64| {
        let position = p * (sorted.len() - 1) as f64;
        let below = position.floor() as usize;
        let above = (below + 1).min(sorted.len() - 1);
        sorted[below] + (position - below as f64) * (sorted[above] - sorted[below])
    };
    let (q1, q3) = (quantile(0.25), quantile(0.75));
    Ok((q1 - 1.5 * (q3 - q1), q3 + 1.5 * (q3 - q1)))
}

pub(super) fn refuse_constant(min: f64, max: f64) -> Result<()> {
    if min == max {
        let fix =
            "give the relevance function by hand (`range`, `table` or sigmoid centres) or use other data";
        return Err(MetricError::no_relevance(format!("every target equals {min}"), fix));
    }
    Ok(())
}

// The medcouple, a robust measure of skewness (Brys, Hubert & Struyf 2004).
//
// Written here because no published crate was found that computes it below O(n²). This is the selection in a
// matrix with sorted rows and columns of Johnson & Mizoguchi (1978): O(n log² n) time, O(n) memory. As in
// robustbase's `mc`, an even number of pairs gives the lower of the two middle kernels, and up to 100 values
// the mean over x and −x.

/// Sample size up to which robustbase averages over the reflected sample.
const REFLECTED_UP_TO: usize = 100;

/// The medcouple of an ascending, finite, non-empty sample.
pub(super) fn medcouple(ascending: &[f64]) -> f64 {
    if ascending.len() > REFLECTED_UP_TO {
        return one_way(ascending);
    }
    let reflected: Vec<f64> = ascending.iter().rev().map(|v| -v).collect();
    0.5 * (one_way(ascending) - one_way(&reflected))
}

/// The values on either side of the median, both descending; values equal to the median stand on both sides.
struct Sides {
    upper: Vec<f64>,
    lower: Vec<f64>,
}

impl Sides {
    fn new(ascending: &[f64]) -> Self {
        let n = ascending.len();
        let median =
            if n % 2 == 1 { ascending[n / 2] } else { 0.5 * (ascending[n / 2 - 1] + ascending[n / 2]) };
        let upper = ascending.iter().rev().take_while(|&&v| v >= median).map(|v| v - median).collect();
        let below = ascending.partition_point(|&v| v <= median);
        let lower = ascending[..below].iter().rev().map(|v| v - median).collect();
        Self { upper, lower }
    }

    /// The kernel h(xᵢ, xⱼ); it never rises along a row or a column.
    fn kernel(&self, i: usize, j: usize) -> f64 {
        let (a, b) = (self.upper[i], self.lower[j]);
        if a == 0.0 && b == 0.0 {
            // Both tied with the median: the sign rule that keeps the matrix sorted.
            return match (i + j + 1).cmp(&self.upper.len()) {
                Ordering::Less => 1.0,
                Ordering::Equal => 0.0,
                Ordering::Greater => -1.0,
            };
        }
        (a + b) / (a - b)
    }
}

fn one_way(ascending: &[f64]) -> f64 {
    let sides = Sides::new(ascending);
    let (rows, columns) = (sides.upper.len(), sides.lower.len());
    // Rank from the largest, counted from 0.
    let rank = rows * columns / 2;
    // Row i still has its columns left[i]..right[i] in play; `before` entries are known to be larger than all
    // of these.
    let mut left = vec![0usize; rows];
    let mut right = vec![columns; rows];
    let mut before = 0usize;
    loop {
        let in_play: usize = left.iter().zip(&right).map(|(l, r)| r - l).sum();
        if in_play <= rows.max(64) {
            let mut rest = Vec::with_capacity(in_play);
            for i in 0..rows {
                rest.extend((left[i]..right[i]).map(|j| sides.kernel(i, j)));
            }
            let (_, &mut found, _) = rest.select_nth_unstable_by(rank - before, |a, b| b.total_cmp(a));
            return found;
        }
        let pivot = weighted_row_median(&sides, &left, &right, in_play);
        // Staircases: columns above the pivot, and columns at or above it. Both shrink as the row index
        // grows.
        let above = staircase(&sides, |h| h > pivot);
        let at_least = staircase(&sides, |h| h >= pivot);
        let (count_above, count_at_least): (usize, usize) = (above.iter().sum(), at_least.iter().sum());
        if rank < count_above {
            right = above;
        } else if rank >= count_at_least {
            left = at_least;
            before = count_at_least;
        } else {
            return pivot;
        }
        for (l, r) in left.iter_mut().zip(&right) {
            *l = (*l).min(*r);
        }
    }
}

/// The median of the rows' middle kernels, each weighted by its row's entries in play.
fn weighted_row_median(sides: &Sides, left: &[usize], right: &[usize], in_play: usize) -> f64 {
    let mut middles: Vec<(f64, usize)> = (0..left.len())
        .filter(|&i| right[i] > left[i])
        .map(|i| (sides.kernel(i, (left[i] + right[i]) / 2), right[i] - left[i]))
        .collect();
    // Weighted quickselect: halve by count, keep the half in which half of the weight is reached.
    let (mut rest, mut before) = (&mut middles[..], 0);
    while rest.len() > 1 {
        let half = rest.len() / 2;
        rest.select_nth_unstable_by(half, |a, b| b.0.total_cmp(&a.0));
        let (upper, lower) = rest.split_at_mut(half);
        let weight: usize = upper.iter().map(|m| m.1).sum();
        if 2 * (before + weight) >= in_play {
            rest = upper;
        } else {
            before += weight;
            rest = lower;
        }
    }
    rest.first().map_or(0.0, |m| m.0)
}

/// Per row the number of leading kernels that satisfy `keep`, which holds on a prefix of each row.
fn staircase(sides: &Sides, keep: impl Fn(f64) -> bool) -> Vec<usize> {
    let mut j = 0;
    let mut counts = vec![0; sides.upper.len()];
    for i in (0..sides.upper.len()).rev() {
        while j < sides.lower.len() && keep(sides.kernel(i, j)) {
            j += 1;
        }
        counts[i] = j;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    /// R: `quantile(c(1, 1, 1, 5), c(0.25, 0.75))` is 1 and 2.
    #[test]
    fn one_other_value_is_enough_for_fences() {
        assert_eq!(pr09_fences(&[1.0, 5.0, 1.0, 1.0]).unwrap(), (-0.5, 3.5));
        assert_eq!(pr09_fences(&[1.0, -3.0, 1.0, 1.0]).unwrap(), (-1.5, 2.5));
        let error = pr09_fences(&[1.0; 4]).unwrap_err().to_string();
        assert!(error.contains("every target equals 1;"), "{error}");
    }

    /// R: `boxplot.stats(3)$stats` is 3 throughout.
    #[test]
    fn one_value_is_its_own_box() {
        let stats = BoxStats::new(&[3.0], 1.5, BoxPlot::Plain).unwrap();
        assert_eq!((stats.lower_whisker, stats.median, stats.upper_whisker), (3.0, 3.0, 3.0));
    }
}

#[cfg(test)]
mod tests_of_medcouple {
    use super::*;

    /// The definition: all pairs, sorted.
    fn naive(ascending: &[f64]) -> f64 {
        let sides = Sides::new(ascending);
        let mut all: Vec<f64> = (0..sides.upper.len())
            .flat_map(|i| (0..sides.lower.len()).map(move |j| (i, j)))
            .map(|(i, j)| sides.kernel(i, j))
            .collect();
        all.sort_by(|a, b| b.total_cmp(a));
        all[all.len() / 2]
    }

    /// A small deterministic stream of numbers.
    fn sample(n: usize, levels: Option<u32>, seed: u64) -> Vec<f64> {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut values: Vec<f64> = (0..n)
            .map(|_| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                let u = (state >> 11) as f64 / (1u64 << 53) as f64;
                levels.map_or(u * u * u - 0.3, |l| (u * f64::from(l)).floor())
            })
            .collect();
        values.sort_by(f64::total_cmp);
        values
    }

    #[test]
    fn selection_equals_the_definition_with_and_without_ties() {
        for seed in 1..40 {
            for n in [1, 2, 3, 5, 8, 101, 150, 333] {
                for levels in [None, Some(3), Some(12)] {
                    let x = sample(n, levels, seed + n as u64);
                    assert_eq!(one_way(&x), naive(&x), "n {n}, levels {levels:?}, seed {seed}");
                }
            }
        }
    }

    #[test]
    fn symmetric_is_zero_and_skew_has_its_sign() {
        let symmetric: Vec<f64> = (-75..=75).map(f64::from).collect();
        assert!(medcouple(&symmetric).abs() < 1e-12);
        let right: Vec<f64> = (0..150).map(|i| (f64::from(i) / 30.0).exp()).collect();
        assert!(medcouple(&right) > 0.2);
        let left: Vec<f64> = right.iter().rev().map(|v| -v).collect();
        assert!(medcouple(&left) < -0.2);
    }

    #[test]
    fn small_samples_are_averaged_with_their_reflection() {
        let x = [0.0, 1.0, 2.0, 4.0, 9.0, 11.0];
        let reflected: Vec<f64> = x.iter().rev().map(|v| -v).collect();
        assert_eq!(medcouple(&x), -medcouple(&reflected));
    }
}
