//! `stretch`: predictions drawn away from the mean, as far as a measure rewards.
//!
//! ŷ' = m + s·(ŷ − m) + b, m being the mean of the training targets. s (and b, where `shift = true`) maximise
//! the measure on out-of-fold predictions of the training rows. It is the cheapest learner that optimises F,
//! and shows what F rewards.

use std::sync::Arc;

use super::{
    context::{Measure, StepContext},
    step::{Action, Decide, Decision, StepSpec},
};
use crate::{ModelError, ParamKind, ParamSpec, Result};

/// Powers of 2^(1/8) from ¼ to 16.
const FACTORS: std::ops::RangeInclusive<i32> = -16..=32;
/// Steps of the shift to either side, of a sixteenth of the targets' standard deviation each.
const SHIFTS: i32 = 16;

const SHIFT: ParamSpec = crate::parameter! {
    "shift" = "false", ParamKind::Flag,
    "also move all predictions up or down"
};

/// The row of `f` among the steps; any other measure has the row of `f`.
pub(super) const F: StepSpec = StepSpec {
    key: "stretch",
    name: "f",
    summary: "predictions drawn away from the mean as far as F rewards on out-of-fold predictions",
    uses_relevance: true,
    parameters: &[SHIFT],
    build: |measure, params| {
        let shift = params.flag("shift", false);
        Action::Decide(Arc::new(Stretch { measure: measure.to_owned(), shift }))
    },
};

/// The row of `utility` among the steps.
pub(super) const UTILITY: StepSpec =
    StepSpec { name: "utility", summary: "the same for utility, or any other measure by its name", ..F };

/// The settings of `stretch`.
#[derive(Debug)]
struct Stretch {
    measure: String,
    shift: bool,
}

/// A straight map of predictions.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Line {
    centre: f64,
    factor: f64,
    shift: f64,
}

impl Line {
    fn apply(&self, prediction: f64) -> f64 {
        // Not a bit is changed where nothing is.
        if self.factor == 1.0 && self.shift == 0.0 {
            return prediction;
        }
        self.centre + self.factor * (prediction - self.centre) + self.shift
    }
}

impl Stretch {
    /// The best map on out-of-fold predictions; of equals the one that changes least.
    fn best_line(&self, truth: &[f64], predicted: &[f64], measure: &Measure<'_>) -> Result<Line> {
        let n = truth.len() as f64;
        let centre = truth.iter().sum::<f64>() / n;
        let sd = (truth.iter().map(|y| (y - centre).powi(2)).sum::<f64>() / n).sqrt();
        let mut mapped = vec![0.0; predicted.len()];
        let mut best: Option<(f64, Line)> = None;
        let mut offer = |line: Line| {
            mapped.iter_mut().zip(predicted).for_each(|(m, p)| *m = line.apply(*p));
            if let Some(value) = measure(&self.measure, truth, &mapped).filter(|v| v.is_finite())
                && best.is_none_or(|(most, _)| value > most)
            {
                best = Some((value, line));
            }
        };
        let mut exponents: Vec<i32> = FACTORS.collect();
        exponents.sort_by_key(|e| (e.abs(), *e));
        let factors: Vec<f64> = exponents.iter().map(|e| (f64::from(*e) / 8.0).exp2()).collect();
        factors.iter().for_each(|&factor| offer(Line { centre, factor, shift: 0.0 }));
        if self.shift {
            for step in (1..=SHIFTS).flat_map(|s| [s, -s]) {
                let shift = sd * f64::from(step) / f64::from(SHIFTS);
                factors.iter().for_each(|&factor| offer(Line { centre, factor, shift }));
            }
        }
        best.map(|(_, line)| line).ok_or_else(|| {
            let problem = format!(
                "measure '{}' is undefined on the out-of-fold predictions, however far they are stretched",
                self.measure
            );
            ModelError::step("stretch", problem)
        })
    }
}

impl Decide for Stretch {
    fn learn(&self, truth: &[f64], predicted: &[f64], context: &StepContext<'_>) -> Result<Decision> {
        let Some(measure) = context.measure else {
            return Err(ModelError::step("stretch", "needs a measure to maximise"));
        };
        let line = self.best_line(truth, predicted, measure)?;
        Ok(Decision {
            map: Box::new(move |prediction| line.apply(prediction)),
            details: vec![("stretch", line.factor), ("shift", line.shift)],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn negative_mse(_: &str, truth: &[f64], predicted: &[f64]) -> Option<f64> {
        Some(-truth.iter().zip(predicted).map(|(y, p)| (y - p).powi(2)).sum::<f64>())
    }

    #[test]
    fn shrunken_predictions_are_drawn_back() {
        let truth: Vec<f64> = (0..50).map(|i| f64::from(i) / 10.0).collect();
        let mean = truth.iter().sum::<f64>() / 50.0;
        let shrunken: Vec<f64> = truth.iter().map(|y| mean + (y - mean) / 4.0).collect();
        let plain = Stretch { measure: "mse".into(), shift: false };
        let line = plain.best_line(&truth, &shrunken, &negative_mse).unwrap();
        assert_eq!(line.factor, 4.0);
        assert!((line.apply(shrunken[49]) - truth[49]).abs() < 1e-12);
        // Predictions that are right are left alone, to the last bit.
        let line = plain.best_line(&truth, &truth, &negative_mse).unwrap();
        assert!((line.factor, line.shift) == (1.0, 0.0) && line.apply(0.1 + 0.2) == 0.1 + 0.2);
        let low: Vec<f64> = truth.iter().map(|y| y - 0.5).collect();
        let shifted =
            Stretch { measure: "mse".into(), shift: true }.best_line(&truth, &low, &negative_mse).unwrap();
        assert!(shifted.shift > 0.0);
        let message = plain.best_line(&truth, &truth, &|_, _, _| None).unwrap_err().to_string();
        assert!(message.starts_with("stretch: measure 'mse' is undefined"), "{message}");
    }
}
