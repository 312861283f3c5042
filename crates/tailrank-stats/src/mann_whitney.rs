//! The Mann–Whitney (Wilcoxon rank-sum) test for two unpaired samples.

use crate::{
    distribution::{normal_lower, normal_upper},
    error::{Result, StatsError, check_finite, check_rows},
    ranking::Ranked,
    test_result::{Alternative, TestResult},
};

const TEST: &str = "Mann-Whitney test";

/// Tests that x and y come from one distribution: normal approximation, ties in the variance, continuity-corrected.
///
/// The statistic U counts the pairs with x above y, ties as halves (R's W).
///
/// ```
/// use tailrank_stats::{Alternative, mann_whitney};
///
/// let answer = mann_whitney(&[1.0, 2.0, 3.0], &[2.5, 4.0, 5.0, 6.0], Alternative::Less)?;
/// assert_eq!(answer.statistic, 1.0);
/// # Ok::<(), tailrank_stats::StatsError>(())
/// ```
pub fn mann_whitney(x: &[f64], y: &[f64], alternative: Alternative) -> Result<TestResult> {
    for (name, values) in [("x", x), ("y", y)] {
        check_rows(name, values.len(), TEST, 1)?;
        check_finite(name, values)?;
    }
    let ranked = Ranked::ascending(&[x, y].concat());
    if ranked.groups.len() < 2 {
        let fix = "all values are equal; there is nothing to rank";
        return Err(StatsError::Constant { name: "x and y together", test: TEST, fix });
    }
    let (nx, ny) = (x.len() as f64, y.len() as f64);
    let n = nx + ny;
    let u = ranked.ranks[..x.len()].iter().sum::<f64>() - nx * (nx + 1.0) / 2.0;
    let sd = (nx * ny / 12.0 * (n + 1.0 - ranked.tie_sum() / (n * (n - 1.0)))).sqrt();
    let deviation = u - 0.5 * nx * ny;
    let z = (deviation - alternative.continuity(deviation)) / sd;
    Ok(TestResult {
        test: TEST,
        method: "asymptotic, continuity-corrected",
        statistic_name: "U",
        statistic: u,
        estimate: Some(u / (nx * ny)),
        df: None,
        df2: None,
        p_value: alternative.p_value(normal_lower(z), normal_upper(z)),
        alternative,
        n: x.len() + y.len(),
    })
}
