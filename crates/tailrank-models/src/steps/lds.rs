//! `lds`: label distribution smoothing (Yang et al. 2021, "Delving into deep imbalanced regression").
//!
//! The histogram of the target is smoothed by a Gaussian kernel five bins wide with σ = 2 bins; a row counts
//! 1 over the smoothed number of rows in its bin, with mean 1.

use std::sync::Arc;

use super::{
    action::{Action, Weigh},
    context::Relevance,
    phi::of_mean_one,
    step::StepSpec,
};
use crate::{ModelError, ParamKind, ParamSpec, Params, Result};

/// Bins on either side of the middle one that the kernel reaches.
const HALF: usize = 2;
const SIGMA: f64 = 2.0;

const BINS: ParamSpec = ParamSpec {
    name: "bins",
    kind: ParamKind::Int { min: 2, max: 1_000_000 },
    default: "100",
    doc: "bins of the target's histogram",
};

/// The row of `lds` among the steps.
pub(super) const STEP: StepSpec = StepSpec {
    key: "weights",
    name: "lds",
    summary: "a row counts 1 over the smoothed number of targets like its own (label distribution smoothing)",
    uses_relevance: false,
    parameters: &[BINS],
    build: |_, params| Action::Weigh(Arc::new(Lds::of(params))),
};

/// The settings of `lds`.
#[derive(Debug)]
struct Lds {
    bins: usize,
}

impl Lds {
    fn of(params: &Params) -> Self {
        Self { bins: params.int("bins", 100) as usize }
    }
}

impl Weigh for Lds {
    fn weights(&self, y: &[f64], _: Option<&Relevance<'_>>) -> Result<Vec<f64>> {
        let low = y.iter().copied().fold(f64::INFINITY, f64::min);
        let high = y.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if low == high {
            return Ok(vec![1.0; y.len()]);
        }
        let width = (high - low) / self.bins as f64;
        if !(width.is_finite() && width > 0.0) {
            let problem = "the range of the target overflows; divide the target by a constant".to_owned();
            return Err(ModelError::Step { step: "lds", problem });
        }
        let bin = |v: f64| (((v - low) / width) as usize).min(self.bins - 1);
        let mut counts = vec![0.0; self.bins];
        y.iter().for_each(|&v| counts[bin(v)] += 1.0);
        let smooth = |at: usize| -> f64 {
            let reach = at.saturating_sub(HALF)..(at + HALF + 1).min(self.bins);
            reach.map(|b| counts[b] * (-0.5 * (b.abs_diff(at) as f64 / SIGMA).powi(2)).exp()).sum()
        };
        Ok(of_mean_one(y.iter().map(|&v| 1.0 / smooth(bin(v))).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_counts_one_over_the_smoothed_count_of_its_bin() {
        // Bins of width 1: counts 3, 1, 0, 0, 0, 1.
        let y = [0.0, 0.1, 0.2, 1.5, 6.0];
        let weights = Lds { bins: 6 }.weights(&y, None).unwrap();
        let (one, two) = ((-0.125f64).exp(), (-0.5f64).exp());
        // Bins 0, 1 and 5; nothing lies within two bins of the last.
        let smooth = [3.0 + one, 1.0 + 3.0 * one, 1.0];
        assert!(two < one);
        let raw = [1.0 / smooth[0], 1.0 / smooth[0], 1.0 / smooth[0], 1.0 / smooth[1], 1.0 / smooth[2]];
        let mean = raw.iter().sum::<f64>() / 5.0;
        assert!(weights.iter().zip(raw).all(|(w, raw)| (w - raw / mean).abs() < 1e-15), "{weights:?}");
        assert_eq!(Lds { bins: 6 }.weights(&[2.0; 3], None).unwrap(), [1.0; 3]);
    }
}
