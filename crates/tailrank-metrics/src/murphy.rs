//! Murphy diagrams: the mean elementary score at every threshold (Ehm, Gneiting, Jordan & Krüger 2016).
//!
//! Every score that is consistent for a functional is a mixture of its elementary scores. A forecast whose
//! curve lies below another's at every θ is better by all of them; curves that cross say that the choice of
//! score decides.

use crate::error::{Result, check_finite, check_pair, check_setting};

/// What a forecast is meant to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Functional {
    /// The mean of the predictive distribution.
    Mean,
    /// Its quantile of this level; 0.5 is the median.
    Quantile(f64),
}

/// The mean elementary score at each of `thresholds`.
///
/// Only cases with θ between forecast and truth count: with ½·|y − θ| for the mean (the expectile of level
/// ½), with |I(y < ŷ) − level| for a quantile. Relevance-weighted scores are areas under these curves:
/// rwse = 4·∫ φ(θ)·S(θ) dθ.
///
/// ```
/// use tailrank_metrics::murphy::{Functional, murphy};
/// let curve = murphy(&[1.0, 4.0], &[2.0, 2.0], Functional::Mean, &[1.5, 3.0])?;
/// assert_eq!(curve, [0.125, 0.25]); // (0.25 + 0)/2, (0 + 0.5)/2
/// # Ok::<(), tailrank_metrics::MetricError>(())
/// ```
pub fn murphy(
    truth: &[f64],
    predicted: &[f64],
    functional: Functional,
    thresholds: &[f64],
) -> Result<Vec<f64>> {
    check_pair(truth, predicted)?;
    check_finite("thresholds", thresholds)?;
    if let Functional::Quantile(level) = functional {
        let is_inside = level > 0.0 && level < 1.0;
        check_setting(is_inside, "quantile", level, "a level between 0 and 1, both excluded")?;
    }
    let score = |y: f64, z: f64, theta: f64| {
        if !(y.min(z) <= theta && theta < y.max(z)) {
            return 0.0;
        }
        match functional {
            Functional::Mean => (y - theta).abs() / 2.0,
            Functional::Quantile(level) if y < z => 1.0 - level,
            Functional::Quantile(level) => level,
        }
    };
    let mean = |&theta: &f64| {
        let sum: f64 = truth.iter().zip(predicted).map(|(&y, &z)| score(y, z, theta)).sum();
        sum / truth.len() as f64
    };
    Ok(thresholds.iter().map(mean).collect())
}
