//! The ordinary measures of numeric prediction (WF Table 5.8).
//!
//! The relative measures compare a model with the predictor that always says the mean. WF's text takes the mean of
//! the training data, its table that of the test data: [`Reference`] offers both, and every table must say which.
//!
//! Percentage errors are left out: they divide by the target, which is zero or near zero for returns.

use crate::error::{MetricError, Result, check_pair};
use crate::lanes::lane_sums;
use crate::score::{Score, Undefined};

/// The mean that the relative measures hold a model against.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reference {
    /// The mean of the training targets: what a simple predictor could have known (WF's text).
    TrainingMean(f64),
    /// The mean of the test targets (WF Table 5.8 as printed).
    TestMean,
}

/// All measures of WF Table 5.8 for one vector of predictions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Classic {
    /// Mean squared error.
    pub mse: Score,
    /// Root mean squared error.
    pub rmse: Score,
    /// Mean absolute error; PR09 calls it MAD.
    pub mad: Score,
    /// Relative squared error.
    pub rse: Score,
    /// Root relative squared error.
    pub rrse: Score,
    /// Relative absolute error.
    pub rae: Score,
    /// Pearson's correlation of truth and prediction.
    pub correlation: Score,
}

/// What depends on the truth alone, computed once per task.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TruthMoments {
    pub(crate) cases: f64,
    pub(crate) mean: f64,
    /// Σ(y − ȳ)².
    pub(crate) squares: f64,
    pub(crate) constant: bool,
    /// Σ(y − m)² and Σ|y − m| for the reference mean m; none if no reference is known.
    pub(crate) reference: Option<(f64, f64)>,
}

impl TruthMoments {
    pub(crate) fn new(truth: &[f64], reference: Option<Reference>) -> Self {
        let cases = truth.len() as f64;
        let [sum] = lane_sums([truth], |[y]| [y]);
        let mean = sum / cases;
        let constant = truth.iter().all(|&y| y == truth[0]);
        let deviations = |m: f64| {
            let [squares, absolute] = lane_sums([truth], |[y]| [(y - m) * (y - m), (y - m).abs()]);
            (squares, absolute)
        };
        let about_mean = if constant { (0.0, 0.0) } else { deviations(mean) };
        let reference = reference.map(|r| match r {
            Reference::TrainingMean(m) => deviations(m),
            Reference::TestMean => about_mean,
        });
        Self { cases, mean, squares: about_mean.0, constant, reference }
    }
}

/// Sums over the predictions from which every classic measure follows.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ErrorSums {
    /// Σ|ŷ − y|.
    pub(crate) absolute: f64,
    /// Σ(ŷ − y)².
    pub(crate) squared: f64,
    /// Σ(ŷ − ŷ̄)².
    pub(crate) prediction_squares: f64,
    /// Σ(ŷ − ŷ̄)(y − ȳ).
    pub(crate) products: f64,
    pub(crate) constant_predictions: bool,
}

impl ErrorSums {
    pub(crate) fn mad(&self, truth: &TruthMoments) -> Score {
        Score::finite(self.absolute / truth.cases)
    }

    pub(crate) fn mse(&self, truth: &TruthMoments) -> Score {
        Score::finite(self.squared / truth.cases)
    }

    pub(crate) fn rse(&self, truth: &TruthMoments) -> Score {
        relative(self.squared, truth.reference.map(|r| r.0))
    }

    pub(crate) fn rae(&self, truth: &TruthMoments) -> Score {
        relative(self.absolute, truth.reference.map(|r| r.1))
    }

    pub(crate) fn correlation(&self, truth: &TruthMoments) -> Score {
        if truth.constant {
            return Score::Undefined(Undefined::ZeroVariance);
        }
        if self.constant_predictions {
            return Score::Undefined(Undefined::ConstantPredictions);
        }
        let scale = self.prediction_squares.sqrt() * truth.squares.sqrt();
        if scale == 0.0 {
            // Deviations so small that their squares vanish.
            return Score::Undefined(Undefined::ConstantPredictions);
        }
        // Rounding may carry a perfect correlation past one.
        Score::finite(self.products / scale).map(|r| r.clamp(-1.0, 1.0))
    }
}

fn relative(error: f64, reference: Option<f64>) -> Score {
    match reference {
        None => Score::Undefined(Undefined::MissingInput),
        Some(0.0) => Score::Undefined(Undefined::ZeroVariance),
        Some(r) => Score::finite(error / r),
    }
}

/// Every measure of WF Table 5.8.
///
/// ```
/// use tailrank_metrics::classic::{Reference, classic};
///
/// let truth = [1.0, 2.0, 3.0];
/// let scores = classic(&truth, &[1.0, 2.0, 4.0], Reference::TestMean)?;
/// assert_eq!(scores.mad.value(), Some(1.0 / 3.0));
/// assert_eq!(scores.rse.value(), Some(0.5));
/// // The mean itself is the yardstick, and it correlates with nothing.
/// let mean = classic(&truth, &[2.0; 3], Reference::TestMean)?;
/// assert_eq!(mean.rae.value(), Some(1.0));
/// assert!(mean.correlation.value().is_none());
/// # Ok::<(), tailrank_metrics::MetricError>(())
/// ```
pub fn classic(truth: &[f64], predicted: &[f64], reference: Reference) -> Result<Classic> {
    check_pair(truth, predicted)?;
    if let Reference::TrainingMean(value) = reference
        && !value.is_finite()
    {
        return Err(MetricError::Parameter { name: "training mean", value, expected: "a finite number" });
    }
    let moments = TruthMoments::new(truth, Some(reference));
    let predicted_mean = predicted.iter().sum::<f64>() / moments.cases;
    let mut sums = ErrorSums {
        constant_predictions: predicted.iter().all(|&z| z == predicted[0]),
        ..ErrorSums::default()
    };
    for (&y, &z) in truth.iter().zip(predicted) {
        let (error, deviation) = (z - y, z - predicted_mean);
        sums.absolute += error.abs();
        sums.squared += error * error;
        sums.prediction_squares += deviation * deviation;
        sums.products += deviation * (y - moments.mean);
    }
    let (mse, rse) = (sums.mse(&moments), sums.rse(&moments));
    Ok(Classic {
        mse,
        rmse: mse.map(f64::sqrt),
        mad: sums.mad(&moments),
        rse,
        rrse: rse.map(f64::sqrt),
        rae: sums.rae(&moments),
        correlation: sums.correlation(&moments),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constant_target_has_no_relative_error() {
        // 0.1 has no exact mean of three: the constant must be seen by comparison, not by a zero sum.
        let scores = classic(&[0.1; 3], &[0.1, 0.2, 0.3], Reference::TestMean).unwrap();
        for score in [scores.rse, scores.rrse, scores.rae, scores.correlation] {
            assert_eq!(score.undefined(), Some(Undefined::ZeroVariance));
        }
        let scores = classic(&[0.1; 3], &[0.1, 0.2, 0.3], Reference::TrainingMean(0.1)).unwrap();
        assert_eq!(scores.rse.undefined(), Some(Undefined::ZeroVariance));
    }

    #[test]
    fn constant_predictions_have_no_correlation() {
        let scores = classic(&[1.0, 2.0, 4.0], &[0.1; 3], Reference::TestMean).unwrap();
        assert_eq!(scores.correlation.undefined(), Some(Undefined::ConstantPredictions));
    }

    #[test]
    fn overflow_is_named() {
        let scores = classic(&[0.0, 1.0], &[1e200, 0.0], Reference::TestMean).unwrap();
        assert_eq!(scores.mse.undefined(), Some(Undefined::Overflow));
        assert!(scores.mad.value().is_some());
    }

    #[test]
    fn bad_input_is_named() {
        let err = classic(&[1.0], &[1.0], Reference::TrainingMean(f64::NAN)).unwrap_err();
        assert_eq!(err.to_string(), "training mean = NaN is not allowed: a finite number");
        let err = classic(&[1.0, 2.0], &[1.0], Reference::TestMean).unwrap_err();
        assert_eq!(
            err.to_string(),
            "truth has 2 rows but predictions has 1: give one value per case in both"
        );
    }
}
