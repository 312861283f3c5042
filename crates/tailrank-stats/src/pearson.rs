//! Pearson's product-moment correlation and its t test.

use crate::{
    distribution::student_upper,
    error::{Result, StatsError, check_pair},
    test_result::{Alternative, TestResult},
};

const TEST: &str = "Pearson's correlation";

/// Pearson's correlation coefficient.
///
/// ```
/// let r = tailrank_stats::pearson(&[1.0, 2.0, 3.0], &[2.0, 4.0, 7.0])?;
/// assert!((r - 0.993399267798783).abs() < 1e-14);
/// # Ok::<(), tailrank_stats::StatsError>(())
/// ```
pub fn pearson(x: &[f64], y: &[f64]) -> Result<f64> {
    check_pair(x, y, TEST, 2)?;
    let (x, y) = (centred("x", x)?, centred("y", y)?);
    let product: f64 = x.iter().zip(&y).map(|(a, b)| a * b).sum();
    Ok(product.clamp(-1.0, 1.0))
}

/// Tests that the correlation is zero, by t with n − 2 degrees of freedom (exact under normality).
pub fn pearson_test(x: &[f64], y: &[f64], alternative: Alternative) -> Result<TestResult> {
    check_pair(x, y, TEST, 3)?;
    let r = pearson(x, y)?;
    let df = x.len() as f64 - 2.0;
    let t = correlation_t(r, df);
    Ok(TestResult {
        test: TEST,
        method: "t distribution",
        statistic_name: "t",
        statistic: t,
        estimate: Some(r),
        df: Some(df),
        df2: None,
        p_value: alternative.p_value(student_upper(-t, df), student_upper(t, df)),
        alternative,
        n: x.len(),
    })
}

/// t = r·√(df/(1−r²)), infinite for a perfect correlation.
pub(crate) fn correlation_t(r: f64, df: f64) -> f64 {
    r * (df / ((1.0 - r) * (1.0 + r)).max(0.0)).sqrt()
}

/// The values minus their mean, scaled to length one.
fn centred(name: &'static str, values: &[f64]) -> Result<Vec<f64>> {
    // Scaling by the largest first keeps squares of huge and of tiny values inside the range of f64.
    let largest = values.iter().fold(0.0f64, |m, v| m.max(v.abs()));
    let constant =
        StatsError::Constant { name, test: TEST, fix: "leave it out, or compare values that differ" };
    if values.iter().all(|v| *v == values[0]) {
        return Err(constant);
    }
    let n = values.len() as f64;
    let mean = values.iter().map(|v| v / largest).sum::<f64>() / n;
    let mut out: Vec<f64> = values.iter().map(|v| v / largest - mean).collect();
    // The first mean is rounded; taking out what is left of it costs one pass and keeps the digits of small spreads.
    let rest = out.iter().sum::<f64>() / n;
    out.iter_mut().for_each(|v| *v -= rest);
    let length = out.iter().map(|v| v * v).sum::<f64>().sqrt();
    if length == 0.0 {
        return Err(constant);
    }
    out.iter_mut().for_each(|v| *v /= length);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values a few units of rounding apart, whose mean is not a number of f64.
    #[test]
    fn small_spreads_keep_their_digits() {
        let steps = [0.0, 1.0, 3.0, 4.0, 9.0];
        let x = steps.map(|k| 1.0 + k * f64::EPSILON);
        let r = pearson(&x, &steps).unwrap();
        assert!((r - 1.0).abs() < 1e-14, "{r}");
    }
}
