//! SER(t) and SERA, the squared error-relevance area (Ribeiro & Moniz 2020).
//!
//! SER(t) sums the squared errors of the cases with φ(y) ≥ t, and SERA = ∫₀¹ SER(t) dt. A case counts for
//! exactly those t up to its φ, so the integral is Σ φ(yᵢ)·(ŷᵢ − yᵢ)²: no grid, no sort, no error of
//! quadrature. That is the default. R's IRon sums trapezoids over a grid of t (step 0.001), which differs
//! from the integral by up to half a step times SER(0); [`SeraIntegral::Trapezoid`] gives the same number as
//! IRon.

use crate::error::{Result, check_finite, check_lengths, check_pair, check_setting};

/// How SER(t) is integrated over t.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum SeraIntegral {
    /// The integral itself.
    #[default]
    Exact,
    /// Trapezoids over t = 0, step, …, 1, as IRon's `sera`.
    Trapezoid {
        /// Width of a trapezoid; must divide 1.
        step: f64,
    },
}

impl SeraIntegral {
    /// Checks the step.
    pub fn check(self) -> Result<Self> {
        if let Self::Trapezoid { step } = self {
            let parts = (1.0 / step).round();
            let divides = step > 0.0 && step <= 1.0 && (parts * step - 1.0).abs() < 1e-9;
            let expected = "1 divided by a whole number, such as 0.001";
            check_setting(divides, "sera.step", step, expected)?;
        }
        Ok(self)
    }

    /// The length of t over which a case of relevance `phi` counts: the weight of its squared error.
    pub fn weight(self, phi: f64) -> f64 {
        match self {
            Self::Exact => phi.clamp(0.0, 1.0),
            Self::Trapezoid { step } => trapezoid_weight(phi, step),
        }
    }
}

/// The trapezoids of I(t ≤ φ): whole ones below the last grid point k·step ≤ φ, half of the next one.
fn trapezoid_weight(phi: f64, step: f64) -> f64 {
    if phi < 0.0 {
        return 0.0;
    }
    let parts = (1.0 / step).round();
    let mut k = (phi / step).floor().min(parts);
    // The comparison that counts is φ ≥ k·step as rounded, not the rounded quotient.
    if k * step > phi {
        k -= 1.0;
    } else if k < parts && (k + 1.0) * step <= phi {
        k += 1.0;
    }
    if k < parts { step * (k + 0.5) } else { step * parts }
}

/// SER(t), the sum of squared errors of the cases with φ(y) ≥ t, at every point of `thresholds` from one sort: the
/// curve whose area is SERA. `relevance` holds φ(y) of every case.
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
/// use tailrank_metrics::sera::{SeraIntegral, sera};
///
/// let (truth, predicted, phi) = ([0.0, 5.0], [1.0, 3.0], [0.0, 0.5]);
/// assert_eq!(sera(&truth, &predicted, &phi, SeraIntegral::Exact)?, 2.0); // 0·1 + 0.5·4
/// # Ok::<(), tailrank_metrics::MetricError>(())
/// ```
pub fn sera(truth: &[f64], predicted: &[f64], relevance: &[f64], integral: SeraIntegral) -> Result<f64> {
    integral.check()?;
    check(truth, predicted, relevance)?;
    Ok(cases(truth, predicted, relevance).map(|(e2, phi)| integral.weight(phi) * e2).sum())
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
    fn the_weight_equals_the_trapezoids_of_the_indicator() {
        for parts in [1_u16, 7, 10, 100, 1000] {
            let step = 1.0 / f64::from(parts);
            let grid: Vec<f64> = (0..=parts).map(|k| f64::from(k) * step).collect();
            for i in 0..=2000_u16 {
                let phi = f64::from(i) / 1900.0 - 0.02;
                let inside = |t: &f64| f64::from(u8::from(phi >= *t));
                let area: f64 = grid.windows(2).map(|w| step * (inside(&w[0]) + inside(&w[1])) / 2.0).sum();
                let got = SeraIntegral::Trapezoid { step }.weight(phi);
                assert!((got - area).abs() < 1e-12, "φ = {phi}, step {step}: {got} against {area}");
            }
        }
    }

    #[test]
    fn a_nan_prediction_is_an_error() {
        let err = sera(&[1.0, 2.0], &[1.0, f64::NAN], &[0.0, 1.0], SeraIntegral::Exact).unwrap_err();
        assert_eq!(
            err.to_string(),
            "predictions row 2 is NaN: every value must be finite; drop or impute that case"
        );
        let err = sera(&[1.0], &[1.0], &[f64::NAN], SeraIntegral::Exact).unwrap_err();
        assert_eq!(
            err.to_string(),
            "relevance row 1 is NaN: every value must be finite; drop or impute that case"
        );
        let err = sera(&[1.0], &[1.0], &[], SeraIntegral::Exact).unwrap_err();
        assert_eq!(err.to_string(), "truth has 1 rows but relevance has 0: give one value per case in both");
    }

    #[test]
    fn a_step_that_misses_one_is_refused() {
        let err = SeraIntegral::Trapezoid { step: 0.3 }.check().unwrap_err();
        assert_eq!(
            err.to_string(),
            "sera.step = 0.3 is not allowed: 1 divided by a whole number, such as 0.001"
        );
        for step in [0.0, -0.1, f64::NAN, 2.0] {
            assert!(SeraIntegral::Trapezoid { step }.check().is_err());
        }
    }
}
