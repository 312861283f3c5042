//! The Diebold–Mariano test of equal predictive accuracy (1995) with the small-sample correction of Harvey, Leybourne and Newbold (1997).

use crate::{
    distribution::student_upper,
    error::{Result, StatsError, check_pair},
    test_result::{Alternative, TestResult},
};

const TEST: &str = "Diebold-Mariano test";

/// How autocovariances enter the long-run variance of the loss differences.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LongRunVariance {
    /// All h − 1 with weight one, as h-step errors of an optimal forecast ask for. The sum can turn out negative; then, and only
    /// then, Bartlett's weights are used, and the answer's method says so.
    #[default]
    Rectangular,
    /// Weights 1 − j/h (Newey–West): never negative, somewhat too small.
    Bartlett,
}

/// Tests that two forecasts lose alike, from the losses of each case in time order.
///
/// `horizon` is h of an h-step forecast: overlapping labels make loss differences depend over h − 1 steps. A negative statistic means
/// that x loses less. The p value is by t with n − 1 degrees of freedom.
///
/// ```
/// use tailrank_stats::{Alternative, LongRunVariance, diebold_mariano};
///
/// let x = [0.5, 0.1, 0.4, 0.3, 0.2, 0.6, 0.1, 0.2];
/// let y = [0.9, 0.3, 0.2, 0.8, 0.6, 0.7, 0.5, 0.1];
/// let answer = diebold_mariano(&x, &y, 1, LongRunVariance::Rectangular, Alternative::Less)?;
/// assert!(answer.statistic < 0.0 && answer.p_value < 0.05);
/// # Ok::<(), tailrank_stats::StatsError>(())
/// ```
pub fn diebold_mariano(
    x_loss: &[f64],
    y_loss: &[f64],
    horizon: usize,
    variance: LongRunVariance,
    alternative: Alternative,
) -> Result<TestResult> {
    check_pair(x_loss, y_loss, TEST, 3)?;
    let n = x_loss.len();
    if horizon == 0 || horizon >= n {
        let expected = "choose a horizon from 1 to the number of cases minus 1";
        return Err(StatsError::Parameter { name: "horizon", value: horizon as f64, expected });
    }
    let difference: Vec<f64> = x_loss.iter().zip(y_loss).map(|(a, b)| a - b).collect();
    let count = n as f64;
    let mean = difference.iter().sum::<f64>() / count;
    let centred: Vec<f64> = difference.iter().map(|d| d - mean).collect();
    let autocovariance: Vec<f64> = (0..horizon)
        .map(|lag| centred[lag..].iter().zip(&centred).map(|(a, b)| a * b).sum::<f64>() / count)
        .collect();
    if autocovariance[0].sqrt() <= 10.0 * f64::EPSILON * mean.abs() || autocovariance[0] == 0.0 {
        let fix = "the loss differences are all equal; there is no spread to measure against";
        return Err(StatsError::Constant { name: "x_loss - y_loss", test: TEST, fix });
    }
    let h = horizon as f64;
    let long_run = |weight: &dyn Fn(f64) -> f64| {
        let lagged = autocovariance.iter().enumerate().skip(1).map(|(j, c)| weight(j as f64) * c);
        autocovariance[0] + 2.0 * lagged.sum::<f64>()
    };
    let bartlett = |j: f64| 1.0 - j / h;
    let (method, spread) = match variance {
        LongRunVariance::Rectangular => match long_run(&|_| 1.0) {
            spread if spread > 0.0 => ("HLN, rectangular variance", spread),
            _ => ("HLN, Bartlett variance (the rectangular one is not positive)", long_run(&bartlett)),
        },
        LongRunVariance::Bartlett => ("HLN, Bartlett variance", long_run(&bartlett)),
    };
    if spread <= 0.0 {
        let fix = "the long-run variance vanishes; use a shorter horizon";
        return Err(StatsError::Constant { name: "x_loss - y_loss", test: TEST, fix });
    }
    // HLN eq. 9.
    let correction = ((count + 1.0 - 2.0 * h + h * (h - 1.0) / count) / count).sqrt();
    let statistic = correction * mean / (spread / count).sqrt();
    let df = count - 1.0;
    Ok(TestResult {
        test: TEST,
        method,
        statistic_name: "DM",
        statistic,
        estimate: Some(mean),
        df: Some(df),
        df2: None,
        p_value: alternative.p_value(student_upper(-statistic, df), student_upper(statistic, df)),
        alternative,
        n,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1000.1 added to numbers of different size is rounded differently; that is not a spread.
    #[test]
    fn equal_differences_are_refused_in_spite_of_rounding() {
        let worse: Vec<f64> = (0..40).map(|i| 0.1 * f64::from(i)).collect();
        let better: Vec<f64> = worse.iter().map(|v| v + 1000.1).collect();
        let result = diebold_mariano(&better, &worse, 1, LongRunVariance::Rectangular, Alternative::TwoSided);
        assert!(matches!(result, Err(StatsError::Constant { .. })), "{result:?}");
    }
}
