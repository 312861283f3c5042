//! What a step does: it re-samples training rows, weighs them, or maps predictions.

use std::{fmt, sync::Arc};

use rand_chacha::ChaCha8Rng;

use super::{
    context::{Relevance, Rows, StepContext},
    prepared::Prepared,
};
use crate::{FitContext, Result};

/// Chooses or makes the rows a family learns from.
pub trait Resample: fmt::Debug + Send + Sync {
    /// Training sets it makes; the predictions of their fits are averaged.
    fn sets(&self) -> usize {
        1
    }

    /// Makes one set. `rng` is that set's own stream.
    fn apply<'a>(&self, rows: &Rows<'a>, rng: &mut ChaCha8Rng, fit: &FitContext) -> Result<Prepared<'a>>;
}

/// Says how much each row counts.
pub trait Weigh: fmt::Debug + Send + Sync {
    /// One weight for each target: finite, at least 0, not all 0.
    fn weights(&self, y: &[f64], relevance: Option<&Relevance<'_>>) -> Result<Vec<f64>>;
}

/// Learns a map of predictions from out-of-fold predictions.
pub trait Decide: fmt::Debug + Send + Sync {
    /// The map for a model that predicted `predicted` where the targets were `truth`.
    fn learn(&self, truth: &[f64], predicted: &[f64], context: &StepContext<'_>) -> Result<Decision>;
}

/// A learned map of predictions.
pub struct Decision {
    /// What a prediction becomes.
    pub map: Box<dyn Fn(f64) -> f64>,
    /// Facts for [`Fit::details`](crate::Fit::details).
    pub details: Vec<(&'static str, f64)>,
}

/// What a step does.
#[derive(Clone, Debug)]
pub enum Action {
    /// Changes which training rows there are.
    Resample(Arc<dyn Resample>),
    /// Changes how much each training row counts.
    Weigh(Arc<dyn Weigh>),
    /// Changes what is made of predictions.
    Decide(Arc<dyn Decide>),
}
