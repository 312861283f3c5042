//! The ordinary measures of numeric prediction (WF Table 5.8).
//!
//! The relative measures compare a model with the predictor that always says the mean. WF's text takes the
//! mean of the training data, its table that of the test data: [`Reference`] offers both, and every table
//! must say which.
//!
//! Percentage errors are left out: they divide by the target, which is zero or near zero for returns.

use crate::error::Result;
use crate::registry::Measure;
use crate::score::Score;
use crate::scoring::{Scorer, Settings};

pub use crate::scoring::Reference;

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

const TABLE_5_8: [Measure; 7] = [
    Measure::Mse,
    Measure::Rmse,
    Measure::Mad,
    Measure::Rse,
    Measure::Rrse,
    Measure::Rae,
    Measure::Correlation,
];

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
    let settings = Settings { reference: Some(reference), ..Settings::default() };
    let scores = Scorer::new(truth, settings)?.score(predicted, &TABLE_5_8)?;
    let [mse, rmse, mad, rse, rrse, rae, correlation] = std::array::from_fn(|i| scores[i]);
    Ok(Classic { mse, rmse, mad, rse, rrse, rae, correlation })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Undefined;

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
