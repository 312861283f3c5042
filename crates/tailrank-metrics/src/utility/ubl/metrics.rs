//! UBL's `EvalRegressMetrics` for utility surfaces, with its own rules.

use crate::{
    MetricError, Result,
    error::{check_finite, check_pair},
    precision_recall::{check_beta, f_value},
    relevance::{Pchip, check_event_threshold},
};

/// What UBL prints when no case is above the threshold.
const EMPTY: f64 = 1e-5;

/// UBL's utility measures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UblScores {
    /// `totUtil`: sum of utilities.
    pub total: f64,
    /// `MUtil`: mean utility.
    pub mean: f64,
    /// `NMUtil`: (mean + 1)/2.
    pub normalised_mean: f64,
    /// `precPhi`.
    pub precision: f64,
    /// `recPhi`; can exceed 1.
    pub recall: f64,
    /// `FPhi`.
    pub f: f64,
}

/// UBL's measures from utilities made elsewhere (`type = "util"`).
///
/// Three rules differ from uba and from this crate: cases count with φ > `thr` (not ≥); recall divides by 1 +
/// φ(ŷ) where its definition asks for 1 + φ(y), so it can exceed 1; an empty set gives 1e-5.
///
/// ```
/// use tailrank_metrics::{Relevance, utility::ubl::eval_regress_metrics};
/// let relevance = Relevance::range(&[(0.0, 0.0), (1.0, 1.0)], Some(&[0.0; 2]))?;
/// let Relevance::Pchip(phi) = relevance else { unreachable!() };
/// let scores = eval_regress_metrics(&[1.0], &[0.1], &[0.9], &phi, 0.5, 1.0)?;
/// assert!(scores.recall > 1.0);
/// # Ok::<(), tailrank_metrics::MetricError>(())
/// ```
pub fn eval_regress_metrics(
    truth: &[f64],
    predicted: &[f64],
    utilities: &[f64],
    phi: &Pchip,
    thr: f64,
    beta: f64,
) -> Result<UblScores> {
    check_pair(truth, predicted)?;
    check_finite("utilities", utilities)?;
    if utilities.len() != truth.len() {
        return Err(MetricError::LengthMismatch {
            left_name: "utilities",
            left: utilities.len(),
            right_name: "truth",
            right: truth.len(),
        });
    }
    check_event_threshold(thr)?;
    check_beta(beta)?;
    let rate = |chosen_by: &[f64]| {
        let chosen = (0..truth.len()).filter(|&i| phi.phi_unclamped(chosen_by[i]) > thr);
        let (gained, possible) = chosen.fold((0.0, 0.0), |(gained, possible), i| {
            (gained + 1.0 + utilities[i], possible + 1.0 + phi.phi_unclamped(predicted[i]))
        });
        if possible == 0.0 { EMPTY } else { gained / possible }
    };
    let (precision, recall) = (rate(predicted), rate(truth));
    let total = utilities.iter().sum::<f64>();
    let mean = total / truth.len() as f64;
    let f = f_value(precision, recall, beta);
    Ok(UblScores { total, mean, normalised_mean: (mean + 1.0) / 2.0, precision, recall, f })
}
