//! SER(t) and SERA, the squared error-relevance area (Ribeiro & Moniz 2020).
//!
//! SER(t) sums the squared errors of the cases with φ(y) ≥ t, and SERA = ∫₀¹ SER(t) dt. A case counts for
//! exactly those t up to its φ, so the integral is Σ φ(yᵢ)·(ŷᵢ − yᵢ)²: no grid, no sort, no error of
//! quadrature. R's IRon sums trapezoids of SER over a grid of t (step 0.001), which differs from the integral
//! by up to half a step times SER(0).

use crate::error::{Result, check_finite, check_lengths, check_pair};

/// SER(t), the sum of squared errors of the cases with φ(y) ≥ t, at every point of `thresholds` from one
/// sort: the curve whose area is SERA. `relevance` holds φ(y) of every case.
pub fn ser_curve(
    truth: &[f64],
    predicted: &[f64],
    relevance: &[f64],
    thresholds: &[f64],
) -> Result<Vec<f64>> {
    check(truth, predicted, relevance)?;
    let mut by_relevance: Vec<(f64, f64)> =
        cases(truth, predicted, relevance).map(|(e2, phi)| (phi, e2)).collect();
    by_relevance.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.total_cmp(&b.1)));
    let mut sum = 0.0;
    for case in &mut by_relevance {
        sum += case.1;
        case.1 = sum;
    }
    let at = |t: f64| match by_relevance.partition_point(|&(phi, _)| phi >= t) {
        0 => 0.0,
        k => by_relevance[k - 1].1,
    };
    Ok(thresholds.iter().map(|&t| at(t)).collect())
}

/// SERA.
///
/// ```
/// use tailrank_metrics::sera::sera;
///
/// let (truth, predicted, phi) = ([0.0, 5.0], [1.0, 3.0], [0.0, 0.5]);
/// assert_eq!(sera(&truth, &predicted, &phi)?, 2.0); // 0·1 + 0.5·4
/// # Ok::<(), tailrank_metrics::MetricError>(())
/// ```
pub fn sera(truth: &[f64], predicted: &[f64], relevance: &[f64]) -> Result<f64> {
    check(truth, predicted, relevance)?;
    Ok(cases(truth, predicted, relevance).map(|(e2, phi)| phi.clamp(0.0, 1.0) * e2).sum())
}

fn check(truth: &[f64], predicted: &[f64], relevance: &[f64]) -> Result<()> {
    check_pair(truth, predicted)?;
    check_lengths("truth", truth.len(), "relevance", relevance.len())?;
    check_finite("relevance", relevance)
}

/// (squared error, φ(y)) of every case.
fn cases<'a>(
    truth: &'a [f64],
    predicted: &'a [f64],
    relevance: &'a [f64],
) -> impl Iterator<Item = (f64, f64)> + 'a {
    truth.iter().zip(predicted).zip(relevance).map(|((&y, &z), &phi)| ((z - y) * (z - y), phi))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nan_prediction_is_an_error() {
        let err = sera(&[1.0, 2.0], &[1.0, f64::NAN], &[0.0, 1.0]).unwrap_err();
        assert_eq!(
            err.to_string(),
            "predictions row 2 is NaN: every value must be finite; drop or impute that case"
        );
        let err = sera(&[1.0], &[1.0], &[f64::NAN]).unwrap_err();
        assert_eq!(
            err.to_string(),
            "relevance row 1 is NaN: every value must be finite; drop or impute that case"
        );
        let err = sera(&[1.0], &[1.0], &[]).unwrap_err();
        assert_eq!(err.to_string(), "truth has 1 rows but relevance has 0: give one value per case in both");
    }
}
