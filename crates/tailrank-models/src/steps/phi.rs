//! `phi`: a row counts by its relevance.
//!
//! w ∝ floor + φ(y), with mean 1. The floor keeps rows of no relevance in the fit. With floor 0 the weighted
//! squared error is SERA's Σφ(y)(ŷ − y)² (Ribeiro & Moniz 2020).

use std::sync::Arc;

use super::{
    action::{Action, Weigh},
    context::{Relevance, required},
    step::StepSpec,
};
use crate::{ModelError, ParamKind, ParamSpec, Params, Result};

const FLOOR: ParamSpec = ParamSpec {
    name: "floor",
    kind: ParamKind::Real { min: 0.0, above: false, max: f64::INFINITY },
    default: "0.05",
    doc: "added to the relevance, so that no row is lost",
};

/// The row of `phi` among the steps.
pub(super) const STEP: StepSpec = StepSpec {
    key: "weights",
    name: "phi",
    summary: "a row counts by its relevance",
    uses_relevance: true,
    parameters: &[FLOOR],
    build: |_, params| Action::Weigh(Arc::new(Phi::of(params))),
};

/// The settings of `phi`.
#[derive(Debug)]
struct Phi {
    floor: f64,
}

impl Phi {
    fn of(params: &Params) -> Self {
        Self { floor: params.real("floor", 0.05) }
    }
}

impl Weigh for Phi {
    fn weights(&self, y: &[f64], relevance: Option<&Relevance<'_>>) -> Result<Vec<f64>> {
        let relevance = required("phi", relevance)?;
        let weights: Vec<f64> = y.iter().map(|y| self.floor + relevance(*y)).collect();
        let fail = |problem: String| Err(ModelError::Step { step: "phi", problem });
        if let Some(i) = weights.iter().position(|w| !(w.is_finite() && *w >= 0.0)) {
            return fail(format!("the relevance of training row {} is {}", i + 1, weights[i] - self.floor));
        }
        if weights.iter().all(|w| *w == 0.0) {
            return fail(
                "every training row has relevance 0; set floor above 0 or move the relevance".to_owned(),
            );
        }
        Ok(of_mean_one(weights))
    }
}

/// Divides by the mean, so that the number of cases stays what it was.
pub(super) fn of_mean_one(mut weights: Vec<f64>) -> Vec<f64> {
    let mean = weights.iter().sum::<f64>() / weights.len() as f64;
    weights.iter_mut().for_each(|w| *w /= mean);
    weights
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_follow_the_relevance_and_have_mean_one() {
        let relevance = |y: f64| if y > 1.0 { 1.0 } else { 0.0 };
        let weights = Phi { floor: 0.05 }.weights(&[0.0, 2.0, 0.5, 3.0], Some(&relevance)).unwrap();
        // (0.05, 1.05, 0.05, 1.05) / 0.55
        let want = [0.05, 1.05, 0.05, 1.05].map(|w| w / 0.55);
        assert!(weights.iter().zip(want).all(|(w, want)| (w - want).abs() < 1e-15), "{weights:?}");
        let none = Phi { floor: 0.0 }.weights(&[0.0, 0.5], Some(&relevance)).unwrap_err().to_string();
        assert!(none.starts_with("phi: every training row has relevance 0"), "{none}");
        assert!(Phi { floor: 0.0 }.weights(&[0.0], Some(&|_| f64::NAN)).is_err());
    }
}
