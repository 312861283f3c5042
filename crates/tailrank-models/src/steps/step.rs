//! One step of a recipe, checked.

use std::{fmt, sync::Arc};

use rand_chacha::ChaCha8Rng;

use super::context::{Prepared, Relevance, Rows, StepContext};
use crate::{FitContext, ParamSpec, Params, Result, params};

/// One step a recipe may have.
#[derive(Clone, Copy, Debug)]
pub struct StepSpec {
    /// The key that names it in an experiment: `weights`, `resample`, `stretch` or `calibrate`.
    pub key: &'static str,
    /// Its value under that key.
    pub name: &'static str,
    /// One line for `tailrank list steps`.
    pub summary: &'static str,
    /// Whether it needs the relevance, so that its fits change with it.
    pub uses_relevance: bool,
    /// The parameters beside the key.
    pub parameters: &'static [ParamSpec],
    /// Makes the step from its name (for `stretch` that of a measure) and checked parameters.
    pub build: fn(&str, &Params) -> Action,
}

/// A checked step.
#[derive(Clone, Debug)]
pub struct Step {
    spec: StepSpec,
    /// The name under the key: that of the step, or of the measure to stretch for.
    name: String,
    /// The parameters as given, without the key.
    params: Params,
    pub(super) action: Action,
}

impl Step {
    /// A step by its specification, one's own or from [`STEPS`](super::STEPS).
    pub fn new(spec: StepSpec, params: Params) -> Result<Self> {
        Self::with_name(spec, spec.name, params)
    }

    /// [`new`](Self::new) under another name: `stretch` takes that of any measure.
    pub(super) fn with_name(spec: StepSpec, name: &str, params: Params) -> Result<Self> {
        let label = if spec.key == "stretch" { "stretch" } else { spec.name };
        params::check(label, spec.parameters, &params)?;
        let action = (spec.build)(name, &params);
        Ok(Self { spec, name: name.to_owned(), params, action })
    }

    /// Its row in the table of steps.
    pub fn spec(&self) -> &StepSpec {
        &self.spec
    }

    /// Its name under its key: for `stretch` that of the measure.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether its result changes with the relevance.
    pub fn uses_relevance(&self) -> bool {
        self.spec.uses_relevance
    }

    /// Whether it maps predictions and so follows the family.
    pub(super) fn is_decision(&self) -> bool {
        matches!(self.action, Action::Decide(_))
    }
}

impl PartialEq for Step {
    /// Equal names and parameters as given.
    fn eq(&self, other: &Self) -> bool {
        self.spec.key == other.spec.key && self.name == other.name && self.params == other.params
    }
}

impl fmt::Display for Step {
    /// Its name in tables, and the parameters given. Equal text is an equal step, so it also serves as a key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.spec.key, self.name.as_str()) {
            ("weights", "phi") => f.write_str("weights")?,
            ("weights", name) => write!(f, "{name} weights")?,
            ("calibrate", "isotonic") => f.write_str("calibrate")?,
            ("stretch" | "calibrate", name) => write!(f, "{} {name}", self.spec.key)?,
            (_, name) => f.write_str(name)?,
        }
        for (name, value) in self.params.iter() {
            write!(f, " {name}={value}")?;
        }
        Ok(())
    }
}

/// Chooses or makes the rows a family learns from.
pub trait Resample: fmt::Debug + Send + Sync {
    /// Training sets it makes; the predictions of their fits are averaged.
    fn sets(&self) -> usize {
        1
    }

    /// Makes one set. `rng` is that set's own stream.
    fn apply(&self, rows: &Rows<'_>, rng: &mut ChaCha8Rng, fit: &FitContext) -> Result<Prepared>;
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
