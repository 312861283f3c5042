//! The Diebold–Mariano test of equal predictive accuracy (1995) with the small-sample correction of Harvey,
//! Leybourne and Newbold (1997).

use crate::{
    cosine_variance::{COSINES, cautious_error, long_run_waves},
    distribution::student_upper,
    error::{Result, StatsError, check_pair, check_rows, check_setting, check_spread},
    test_result::{Alternative, TestResult},
};

const TEST: &str = "Diebold-Mariano test";

/// How autocovariances enter the long-run variance of the loss differences.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LongRunVariance {
    /// All h − 1 with weight one, as h-step errors of an optimal forecast ask for. The sum can turn out
    /// negative; then, and only then, Bartlett's weights are used, and the answer's method says so.
    #[default]
    Rectangular,
    /// Weights 1 − j/h (Newey–West): never negative, somewhat too small.
    Bartlett,
    /// The mean square of the first cosines, with as many degrees of freedom (Lazarus, Lewis, Stock & Watson
    /// 2018; see [`crate::cautious_error`]): for losses that depend on each other over more steps than the
    /// labels overlap. It needs 24 cases for each step of the horizon.
    Cosines,
}

/// Tests that two forecasts lose alike, from the losses of each case in time order.
///
/// `horizon` is h of an h-step forecast: overlapping labels make loss differences depend over h − 1 steps. A
/// negative statistic means that x loses less. The p value is by t with n − 1 degrees of freedom, or those of
/// the cosines.
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
    let expected = "choose a horizon from 1 to the number of cases minus 1";
    check_setting((1..n).contains(&horizon), "horizon", horizon as f64, expected)?;
    let difference: Vec<f64> = x_loss.iter().zip(y_loss).map(|(a, b)| a - b).collect();
    let count = n as f64;
    let mean = difference.iter().sum::<f64>() / count;
    let centred: Vec<f64> = difference.iter().map(|d| d - mean).collect();
    let autocovariance: Vec<f64> = (0..horizon)
        .map(|lag| centred[lag..].iter().zip(&centred).map(|(a, b)| a * b).sum::<f64>() / count)
        .collect();
    let fix = "the loss differences are all equal; there is no spread to measure against";
    check_spread(autocovariance[0].sqrt(), mean, "x_loss - y_loss", TEST, fix)?;
    // HLN eq. 9.
    let h = horizon as f64;
    let correction = ((count + 1.0 - 2.0 * h + h * (h - 1.0) / count) / count).sqrt();
    let long_run = |weight: &dyn Fn(f64) -> f64| {
        let lagged = autocovariance.iter().enumerate().skip(1).map(|(j, c)| weight(j as f64) * c);
        autocovariance[0] + 2.0 * lagged.sum::<f64>()
    };
    let bartlett = |j: f64| 1.0 - j / h;
    let (method, correction, spread, df) = match variance {
        LongRunVariance::Rectangular => match long_run(&|_| 1.0) {
            spread if spread > 0.0 => ("HLN, rectangular variance", correction, spread, count - 1.0),
            _ => {
                let method = "HLN, Bartlett variance (the rectangular one is not positive)";
                (method, correction, long_run(&bartlett), count - 1.0)
            }
        },
        LongRunVariance::Bartlett => ("HLN, Bartlett variance", correction, long_run(&bartlett), count - 1.0),
        LongRunVariance::Cosines => {
            check_rows("loss differences", n, TEST, 2 * COSINES * horizon)?;
            let waves = long_run_waves(&[&difference], 1, |sums, scores| scores[0] = sums[0] / count)?[0];
            let (error, df) = cautious_error(&waves);
            ("cosines", 1.0, error * error * count, df)
        }
    };
    if spread <= 0.0 {
        let fix = "the long-run variance vanishes; use a shorter horizon";
        return Err(StatsError::Constant { name: "x_loss - y_loss", test: TEST, fix });
    }
    let statistic = correction * mean / (spread / count).sqrt();
    let p_value = alternative.p_value(student_upper(-statistic, df), student_upper(statistic, df));
    let answer = TestResult::new(TEST, method, statistic, p_value, alternative, n);
    Ok(TestResult { estimate: Some(mean), df: Some(df), ..answer })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{distribution::normal_upper_quantile, shuffle::Uniform};

    /// Losses that differ by an autoregression without a mean: cosines keep the size that the autocovariances
    /// of one step lose.
    #[test]
    fn cosines_keep_the_size_of_dependent_losses() {
        let mut random = Uniform::seeded(5);
        let mut normal = || normal_upper_quantile(random.unit().max(1e-15));
        let mut rejected = [0, 0];
        for _ in 0..400 {
            let mut value = 0.0;
            let mut next = || {
                value = 0.7 * value + normal();
                value
            };
            let losses: Vec<f64> = (0..350).map(|_| next()).skip(50).collect();
            for (rejected, variance) in
                rejected.iter_mut().zip([LongRunVariance::Cosines, LongRunVariance::Rectangular])
            {
                let test = diebold_mariano(&losses, &[0.0; 300], 1, variance, Alternative::TwoSided).unwrap();
                *rejected += usize::from(test.p_value <= 0.05);
            }
        }
        assert!(rejected[0] <= 32 && rejected[1] > 100, "{rejected:?} of 400");
        let short =
            diebold_mariano(&[1.0; 47], &[0.0; 47], 2, LongRunVariance::Cosines, Alternative::TwoSided);
        assert!(short.is_err());
    }

    /// 1000.1 added to numbers of different size is rounded differently; that is not a spread.
    #[test]
    fn equal_differences_are_refused_in_spite_of_rounding() {
        let worse: Vec<f64> = (0..40).map(|i| 0.1 * f64::from(i)).collect();
        let better: Vec<f64> = worse.iter().map(|v| v + 1000.1).collect();
        let result = diebold_mariano(&better, &worse, 1, LongRunVariance::Rectangular, Alternative::TwoSided);
        assert!(matches!(result, Err(StatsError::Constant { .. })), "{result:?}");
    }
}
