//! Friedman's test over tasks, and Iman and Davenport's less conservative F.

use crate::{
    distribution::{chi_squared_upper, fisher_upper},
    error::{Result, StatsError, check_rows},
    rank_table::RankTable,
    test_result::{Alternative, TestResult},
};

const TEST: &str = "Friedman's test";
const METHOD: &str = "asymptotic, tie-corrected";

/// Tests that all models rank alike: χ² with k − 1 degrees of freedom.
///
/// ```
/// use tailrank_stats::{Better, RankTable, friedman};
///
/// let mad = [[0.1, 0.2, 0.3], [0.2, 0.3, 0.4], [0.1, 0.3, 0.2], [0.3, 0.4, 0.5]];
/// let answer = friedman(&RankTable::from_values(&mad, Better::Lower)?)?;
/// assert!((answer.statistic - 6.5).abs() < 1e-12);
/// # Ok::<(), tailrank_stats::StatsError>(())
/// ```
pub fn friedman(table: &RankTable) -> Result<TestResult> {
    let chi_squared = statistic(table)?;
    let df = table.models() as f64 - 1.0;
    let p_value = chi_squared_upper(chi_squared, df);
    let answer = TestResult::new(TEST, METHOD, chi_squared, p_value, Alternative::TwoSided, table.tasks());
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
    check_rows("the table", table.tasks(), TEST, 2)?;
    let (n, k) = (table.tasks() as f64, table.models() as f64);
    let centre = 0.5 * (k + 1.0);
    let spread: f64 = table.rank_sums().iter().map(|sum| (sum - n * centre).powi(2)).sum();
    let variance = table.sum_of_squares() - n * k * centre * centre;
    if variance <= 0.0 {
        let fix = "every model ties with every other on every task; compare scores that differ";
        return Err(StatsError::Constant { name: "the table", test: TEST, fix });
    }
    Ok((k - 1.0) * spread / variance)
}
