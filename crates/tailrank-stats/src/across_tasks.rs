//! Models on many tasks: their ranks, Friedman's test with Iman and Davenport's less conservative F, and
//! which models differ after it (critical differences, pairwise p values, groups for the diagram; Demšar
//! 2006).

use crate::{
    distribution::{
        chi_squared_upper, fisher_upper, normal_density, normal_lower, normal_upper, normal_upper_quantile,
    },
    error::{Result, StatsError, check_count, check_finite, check_open_unit, check_rows, check_setting},
    ranking::{Better, compare, rank_scores},
    test_result::{Alternative, TestResult},
};

const FRIEDMAN: &str = "Friedman's test";
const METHOD: &str = "asymptotic, tie-corrected";

/// Ranks within each task (row), 1 for the best model (column), ties averaged.
#[derive(Clone, Debug, PartialEq)]
pub struct RankTable {
    tasks: usize,
    models: usize,
    ranks: Vec<f64>,
}

impl RankTable {
    /// Ranks a table of scores, one row per task, one column per model; `None` is undefined and ranks last.
    ///
    /// ```
    /// use tailrank_stats::{Better, RankTable};
    ///
    /// let scores = [[Some(0.2), Some(0.5), None], [Some(0.1), Some(0.1), Some(0.7)]];
    /// let table = RankTable::from_scores(&scores, Better::Higher)?;
    /// assert_eq!(table.average_ranks(), [2.25, 1.75, 2.0]);
    /// # Ok::<(), tailrank_stats::StatsError>(())
    /// ```
    pub fn from_scores<R: AsRef<[Option<f64>]>>(rows: &[R], better: Better) -> Result<Self> {
        let models = rows.first().map_or(0, |row| row.as_ref().len());
        let mut ranks = Vec::with_capacity(rows.len() * models);
        for (i, row) in rows.iter().enumerate() {
            let row = row.as_ref();
            if row.len() != models {
                return Err(StatsError::Ragged { row: i + 1, columns: row.len(), expected: models });
            }
            ranks.extend(rank_scores(row, better)?);
        }
        check_count("models", models, "a rank table", 2, "rank at least two models on one task")?;
        Ok(Self { tasks: rows.len(), models, ranks })
    }

    /// Number of tasks N.
    pub fn tasks(&self) -> usize {
        self.tasks
    }

    /// Number of models k.
    pub fn models(&self) -> usize {
        self.models
    }

    /// The ranks on each task.
    pub fn rows(&self) -> impl Iterator<Item = &[f64]> {
        self.ranks.chunks_exact(self.models)
    }

    /// Average rank of each model over the tasks.
    pub fn average_ranks(&self) -> Vec<f64> {
        self.rank_sums().into_iter().map(|sum| sum / self.tasks as f64).collect()
    }

    pub(crate) fn rank_sums(&self) -> Vec<f64> {
        let mut sums = vec![0.0; self.models];
        for row in self.rows() {
            for (sum, rank) in sums.iter_mut().zip(row) {
                *sum += rank;
            }
        }
        sums
    }

    /// Σ of all squared ranks.
    pub(crate) fn sum_of_squares(&self) -> f64 {
        self.ranks.iter().map(|r| r * r).sum()
    }
}

/// Tests that all models rank alike: χ² with k − 1 degrees of freedom.
///
/// ```
/// use tailrank_stats::{Better, RankTable, friedman};
///
/// let mad = [[0.1, 0.2, 0.3], [0.2, 0.3, 0.4], [0.1, 0.3, 0.2], [0.3, 0.4, 0.5]].map(|task| task.map(Some));
/// let answer = friedman(&RankTable::from_scores(&mad, Better::Lower)?)?;
/// assert!((answer.statistic - 6.5).abs() < 1e-12);
/// # Ok::<(), tailrank_stats::StatsError>(())
/// ```
pub fn friedman(table: &RankTable) -> Result<TestResult> {
    let chi_squared = statistic(table)?;
    let df = table.models() as f64 - 1.0;
    let p_value = chi_squared_upper(chi_squared, df);
    let answer =
        TestResult::new(FRIEDMAN, METHOD, chi_squared, p_value, Alternative::TwoSided, table.tasks());
    Ok(TestResult { df: Some(df), ..answer })
}

/// Iman and Davenport's F = (N−1)χ²/(N(k−1)−χ²) with k−1 and (k−1)(N−1) degrees of freedom.
///
/// F is infinite, and p zero, when all tasks rank the models alike.
pub fn iman_davenport(table: &RankTable) -> Result<TestResult> {
    let chi_squared = statistic(table)?;
    let (n, k) = (table.tasks() as f64, table.models() as f64);
    let (df1, df2) = (k - 1.0, (k - 1.0) * (n - 1.0));
    let rest = n * (k - 1.0) - chi_squared;
    // Rounding may leave a last digit where the exact difference is zero.
    let f = if rest <= 1e-12 * n * k { f64::INFINITY } else { (n - 1.0) * chi_squared / rest };
    let p_value = fisher_upper(f, df1, df2);
    let answer =
        TestResult::new("Iman-Davenport test", METHOD, f, p_value, Alternative::TwoSided, table.tasks());
    Ok(TestResult { df: Some(df1), df2: Some(df2), ..answer })
}

/// χ² with the variance of the ranks corrected for ties, as in R and SciPy.
fn statistic(table: &RankTable) -> Result<f64> {
    check_rows("the table", table.tasks(), FRIEDMAN, 2)?;
    let (n, k) = (table.tasks() as f64, table.models() as f64);
    let centre = 0.5 * (k + 1.0);
    let spread: f64 = table.rank_sums().iter().map(|sum| (sum - n * centre).powi(2)).sum();
    let variance = table.sum_of_squares() - n * k * centre * centre;
    if variance <= 0.0 {
        let fix = "every model ties with every other on every task; compare scores that differ";
        return Err(StatsError::Constant { name: "the table", test: FRIEDMAN, fix });
    }
    Ok((k - 1.0) * spread / variance)
}

/// A post-hoc test on average ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PostHoc {
    /// Nemenyi: all pairs, by the studentized range.
    Nemenyi,
    /// Bonferroni–Dunn: k − 1 comparisons with a control.
    BonferroniDunn,
}

/// Two models compared.
#[derive(Clone, Debug, PartialEq)]
pub struct PairComparison {
    /// First model, as its column from 0.
    pub i: usize,
    /// Second model.
    pub j: usize,
    /// Average rank of `i` minus that of `j`; negative means that `i` is better.
    pub difference: f64,
    /// |z|.
    pub statistic: f64,
    /// The p value.
    pub p_value: f64,
}

/// The smallest difference of average ranks that is significant at `alpha`, for k models on `tasks` tasks.
///
/// Nemenyi: q·√(k(k+1)/(6N)) with q = studentized range quantile at infinite degrees of freedom over √2.
/// Bonferroni–Dunn: q = normal quantile at α/(2(k−1)).
///
/// ```
/// use tailrank_stats::{PostHoc, critical_difference};
///
/// // Demšar (2006), section 3.2.2: 4 classifiers on 14 data sets.
/// let cd = critical_difference(PostHoc::Nemenyi, 4, 14, 0.05)?;
/// assert!((cd - 1.25).abs() < 0.01);
/// # Ok::<(), tailrank_stats::StatsError>(())
/// ```
pub fn critical_difference(kind: PostHoc, models: usize, tasks: usize, alpha: f64) -> Result<f64> {
    check_rows("the table", tasks, "a critical difference", 1)?;
    Ok(critical_value(kind, models, alpha)? * standard_error(models, tasks))
}

/// The critical value q of the standardised difference of two average ranks.
pub fn critical_value(kind: PostHoc, models: usize, alpha: f64) -> Result<f64> {
    check_open_unit("alpha", alpha)?;
    let range = studentized_range_quantile(alpha, models)? / std::f64::consts::SQRT_2;
    Ok(match kind {
        PostHoc::Nemenyi => range,
        PostHoc::BonferroniDunn => normal_upper_quantile(alpha / (2.0 * (models as f64 - 1.0))),
    })
}

/// All pairs i < j with their p values.
///
/// Bonferroni–Dunn multiplies by k − 1, the comparisons with one control chosen beforehand.
pub fn pairwise(table: &RankTable, kind: PostHoc) -> Result<Vec<PairComparison>> {
    check_rows("the table", table.tasks(), "a post-hoc test", 2)?;
    let (k, sums) = (table.models(), table.rank_sums());
    let compared = |(i, j): (usize, usize)| {
        let difference = (sums[i] - sums[j]) / table.tasks() as f64;
        let z = difference.abs() / standard_error(k, table.tasks());
        let p_value = match kind {
            PostHoc::Nemenyi => studentized_range_upper(z * std::f64::consts::SQRT_2, k)?,
            PostHoc::BonferroniDunn => (2.0 * normal_upper(z) * (k as f64 - 1.0)).min(1.0),
        };
        Ok(PairComparison { i, j, difference, statistic: z, p_value })
    };
    (0..k).flat_map(|i| (i + 1..k).map(move |j| (i, j))).map(compared).collect()
}

/// √(k(k+1)/(6N)), the standard error of a difference of two average ranks.
fn standard_error(models: usize, tasks: usize) -> f64 {
    let (k, n) = (models as f64, tasks as f64);
    (k * (k + 1.0) / (6.0 * n)).sqrt()
}

/// The bars of a critical-difference diagram: maximal groups of models whose average ranks all lie within
/// `critical_difference`.
///
/// Groups are listed from the best rank on, each as columns from best to worst; models that differ from all
/// others stand in none.
///
/// ```
/// let ranks = [1.0, 1.4, 2.6, 3.1];
/// assert_eq!(tailrank_stats::cliques(&ranks, 1.25)?, [vec![0, 1], vec![1, 2], vec![2, 3]]);
/// # Ok::<(), tailrank_stats::StatsError>(())
/// ```
pub fn cliques(average_ranks: &[f64], critical_difference: f64) -> Result<Vec<Vec<usize>>> {
    check_finite("average_ranks", average_ranks)?;
    let expected = "give the critical difference, a number from 0 up";
    check_setting(critical_difference >= 0.0, "critical_difference", critical_difference, expected)?;
    let mut order: Vec<usize> = (0..average_ranks.len()).collect();
    order.sort_by(|&i, &j| compare(average_ranks[i], average_ranks[j]));
    let mut groups = Vec::new();
    let mut reached = 0; // end of the last group: a new one must reach further
    for start in 0..order.len() {
        let best = average_ranks[order[start]];
        let end = order
            .iter()
            .rposition(|&i| average_ranks[i] - best <= critical_difference)
            .map_or(start, |e| e + 1);
        if end > reached && end - start > 1 {
            groups.push(order[start..end].to_vec());
            reached = end;
        }
    }
    Ok(groups)
}

// The studentized range distribution at infinite degrees of freedom, which Nemenyi's test needs.
//
// No crate offers it. P(Q ≤ q) = k ∫ φ(z) [Φ(z) − Φ(z−q)]ᵏ⁻¹ dz; the integrand is smooth and dies out as a
// Gaussian does, where the trapezoidal rule converges faster than any power of its step.

/// A step of 1/16 leaves the error at rounding for k up to thousands; tests halve it.
const STEP: f64 = 1.0 / 16.0;

/// P(Q > q) for the range of k standard normal values, with relative precision in the tail.
///
/// ```
/// // Two values differ by more than 1.96·√2 with probability 5 %.
/// let p = tailrank_stats::studentized_range_upper(1.959963984540054 * 2f64.sqrt(), 2)?;
/// assert!((p - 0.05).abs() < 1e-15);
/// # Ok::<(), tailrank_stats::StatsError>(())
/// ```
pub fn studentized_range_upper(q: f64, k: usize) -> Result<f64> {
    check_groups(k)?;
    check_setting(!q.is_nan(), "q", q, "give a number from 0 up")?;
    Ok(upper(q, k, STEP))
}

/// The q with P(Q > q) = `alpha`: the critical value of the range of k standard normal values.
pub fn studentized_range_quantile(alpha: f64, k: usize) -> Result<f64> {
    check_groups(k)?;
    check_open_unit("alpha", alpha)?;
    // The upper tail falls from 1 at 0; Newton's method on its logarithm inside a bracket that always halves.
    let (mut low, mut high) = (0.0, 8.0);
    while upper(high, k, STEP) > alpha && high < 100.0 {
        (low, high) = (high, 2.0 * high);
    }
    let mut q = 0.5 * (low + high);
    for _ in 0..200 {
        let tail = upper(q, k, STEP);
        if tail > alpha {
            low = q;
        } else {
            high = q;
        }
        let step = (tail / alpha).ln() * tail / density(q, k);
        if step.abs() <= 1e-8 * q {
            // Newton's steps square the error: after this one it is below rounding.
            return Ok(q + step);
        }
        let newton = q + step;
        q = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
    }
    Ok(q)
}

fn check_groups(k: usize) -> Result<()> {
    Ok(check_setting(k >= 2, "k", k as f64, "compare at least 2 models")?)
}

fn upper(q: f64, k: usize, step: f64) -> f64 {
    if q <= 0.0 {
        return 1.0;
    }
    let others = k as f64 - 1.0;
    // 1 = k ∫ φ Φᵏ⁻¹, so the upper tail is the integral of a difference that keeps its digits.
    let integrand = |z: f64| {
        let all = normal_lower(z);
        let far = normal_lower(z - q);
        if all == 0.0 || far == 0.0 {
            return 0.0;
        }
        let missing = if far >= all { 1.0 } else { -(others * (-far / all).ln_1p()).exp_m1() };
        normal_density(z) * (others * all.ln()).exp() * missing
    };
    (k as f64 * trapezoid(q, step, integrand)).min(1.0)
}

fn density(q: f64, k: usize) -> f64 {
    let (k, fewer) = (k as f64, k as f64 - 2.0);
    k * (k - 1.0)
        * trapezoid(q, STEP, |z| {
            let between = normal_lower(z) - normal_lower(z - q);
            normal_density(z) * normal_density(z - q) * between.max(0.0).powf(fewer)
        })
}

/// ∫ f over z from −9 to max(q, 0) + 9, outside of which every φ here is below 10⁻¹⁸ of its peak.
fn trapezoid(q: f64, step: f64, f: impl Fn(f64) -> f64) -> f64 {
    let (from, to) = ((-9.0 / step) as i64, ((q.min(60.0) + 9.0) / step) as i64);
    (from..=to).map(|i| f(i as f64 * step)).sum::<f64>() * step
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_bar_for_equal_models_and_none_for_distant_ones() {
        assert_eq!(cliques(&[2.0, 2.0, 2.0], 0.0).unwrap(), [vec![0, 1, 2]]);
        assert!(cliques(&[1.0, 2.0, 3.0], 0.5).unwrap().is_empty());
        // A group inside another is not drawn.
        assert_eq!(cliques(&[3.0, 1.0, 1.5, 2.0, 5.0], 2.0).unwrap(), [vec![1, 2, 3, 0], vec![0, 4]]);
    }

    #[test]
    fn one_task_is_too_few() {
        let table =
            RankTable::from_scores(&[[Some(1.0), Some(2.0), Some(3.0)]], crate::Better::Lower).unwrap();
        let refused = pairwise(&table, PostHoc::Nemenyi);
        assert!(matches!(refused, Err(crate::StatsError::TooFew { rows: 1, needed: 2, .. })), "{refused:?}");
    }
}

#[cfg(test)]
mod tests_of_studentized_range {
    use super::*;

    #[test]
    fn half_the_step_changes_nothing() {
        for k in [2, 3, 10, 57, 100, 1000] {
            for q in [0.1, 0.5, 1.0, 2.0, 3.5, 5.0, 8.0, 12.0, 25.0] {
                let (coarse, fine) = (upper(q, k, STEP), upper(q, k, 0.5 * STEP));
                assert!((coarse - fine).abs() <= 2e-14 * fine, "k {k} q {q}: {coarse:e} {fine:e}");
            }
        }
    }

    #[test]
    fn two_groups_are_a_normal_difference() {
        for q in [0.2, 1.0, 3.0, 7.0, 15.0] {
            let exact = 2.0 * crate::distribution::normal_upper(q / 2f64.sqrt());
            assert!((upper(q, 2, STEP) - exact).abs() <= 1e-13 * exact, "q {q}");
        }
    }

    #[test]
    fn quantile_inverts_the_tail() {
        for k in [2, 5, 57, 400] {
            for alpha in [0.9, 0.5, 0.1, 0.05, 0.01, 1e-6, 1e-12] {
                let q = studentized_range_quantile(alpha, k).unwrap();
                assert!((upper(q, k, STEP) / alpha - 1.0).abs() < 1e-12, "k {k} alpha {alpha}");
            }
        }
    }

    /// The range of two or more values is above any number that rounding cannot tell from 0.
    #[test]
    fn a_range_is_surely_above_almost_nothing() {
        for k in [2, 5] {
            let p = studentized_range_upper(1e-20, k).unwrap();
            assert!((p - 1.0).abs() < 1e-12, "k {k}: {p}");
        }
    }
}
