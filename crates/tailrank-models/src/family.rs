//! The one trait every model family implements.

use crate::{FitContext, MatrixView, ParamSpec, Params, Result, TrainSet, params};

/// What every variant of a grid is fitted on.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// The rows to learn from.
    pub train: TrainSet<'a>,
    /// The rows to predict.
    pub test: MatrixView<'a>,
    /// Randomness, memory and whether to go on.
    pub context: &'a FitContext,
}

/// One fitted variant: its predictions, and how the fit ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// One prediction per test row.
    pub predictions: Vec<f64>,
    /// False when an iteration limit ended the fit.
    pub converged: bool,
    /// Facts worth keeping beside the predictions: iterations, duality gap, terms, support vectors.
    pub details: Vec<(&'static str, f64)>,
}

impl Fit {
    /// A fit that ended by itself, without further facts.
    pub fn converged(predictions: Vec<f64>) -> Self {
        Self { predictions, converged: true, details: Vec::new() }
    }
}

/// Sizes known before a fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Training rows.
    pub train_rows: usize,
    /// Test rows.
    pub test_rows: usize,
    /// Inputs.
    pub inputs: usize,
}

/// A rough forecast of what a grid will need.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// CPU seconds on a core of about 3 GHz.
    pub cpu_seconds: f64,
    /// Peak bytes beside the data.
    pub bytes: usize,
}

/// A family of models that differ in their parameters.
pub trait Family: Send + Sync {
    /// Name in configurations, such as `svm`.
    fn name(&self) -> &'static str;

    /// Which implementation this is: `native`, `linfa`, `smartcore`, ….
    fn engine(&self) -> &'static str {
        "native"
    }

    /// Raised whenever predictions may change, so that stored ones are not reused.
    fn version(&self) -> u32;

    /// What else tells it from a family of the same name, engine and version, such as the source of a user's
    /// own class: part of the key under which predictions are stored.
    fn identity(&self) -> String {
        String::new()
    }

    /// One line for `tailrank list models`.
    fn summary(&self) -> &'static str;

    /// The parameters a variant may set.
    fn parameters(&self) -> &'static [ParamSpec];

    /// Whether parameters of any name are allowed, so that [`check`](Family::check) alone decides.
    fn open_parameters(&self) -> bool {
        false
    }

    /// Whether its predictions are references that models are held against: scored, not ranked.
    fn is_baseline(&self) -> bool {
        false
    }

    /// Whether [`fit_grid`](Family::fit_grid) heeds [`TrainSet::weights`]; where not, weights are refused for
    /// it.
    fn takes_weights(&self) -> bool {
        false
    }

    /// Whether [`fit_grid`](Family::fit_grid) looks at [`FitContext::raw`]; stored predictions then depend on
    /// the data as it is, not only on the numbers made of it.
    fn takes_raw(&self) -> bool {
        false
    }

    /// Checks a variant before any data is read.
    fn check(&self, variant: &Params) -> Result<()> {
        params::check(self.name(), self.parameters(), variant)
    }

    /// Parameters in which variants may differ and still share work.
    fn free_parameters(&self) -> &'static [&'static str] {
        &[]
    }

    /// Variants with the same key share work and are fitted together in one cell.
    fn sharing_key(&self, variant: &Params) -> String {
        variant.without(self.free_parameters()).to_string()
    }

    /// A rough forecast for scheduling, never a promise.
    fn estimate(&self, shape: Shape, variants: &[Params]) -> Cost;

    /// Fits every variant on the training rows and predicts the test rows; one answer per variant, in order.
    ///
    /// Inputs are already checked by [`fit_grid`](crate::fit_grid()): parallel, finite, at least one row and
    /// one column, every variant accepted by [`check`](Family::check). Weights, where there are any, are
    /// finite, positive, not all 1, and come only to a family that [`takes_weights`](Family::takes_weights).
    /// A variant's answer must not depend on which other variants are asked for.
    fn fit_grid(&self, job: Job<'_>, variants: &[Params]) -> Vec<Result<Fit>>;
}

/// Methods of a [`Family`] that answer with a constant.
macro_rules! facts {
    ($($(#[$doc:meta])* $method:ident = $value:expr;)*) => {
        $($(#[$doc])* fn $method(&self) -> $crate::family::facts!(@ $method) { $value })*
    };
    (@ version) => { u32 };
    (@ takes_weights) => { bool };
    (@ is_baseline) => { bool };
    (@ parameters) => { &'static [$crate::ParamSpec] };
    (@ free_parameters) => { &'static [&'static str] };
    (@ $text:ident) => { &'static str };
}

pub(crate) use facts;

/// Methods of a [`Family`] that another family answers:
/// `forward_to_family! { self => self.inner; name() -> &'static str; }`.
#[macro_export]
macro_rules! forward_to_family {
    ($this:ident => $family:expr; $($method:ident($($argument:ident: $type:ty),*) -> $answer:ty;)*) => {
        $(fn $method(&$this, $($argument: $type),*) -> $answer { $family.$method($($argument),*) })*
    };
}

/// A reference to a family is a family, so that registered and owned families can stand in one list.
impl<F: Family + ?Sized> Family for &F {
    forward_to_family! {
        self => (**self);
        name() -> &'static str;
        engine() -> &'static str;
        version() -> u32;
        identity() -> String;
        summary() -> &'static str;
        parameters() -> &'static [ParamSpec];
        open_parameters() -> bool;
        is_baseline() -> bool;
        takes_weights() -> bool;
        takes_raw() -> bool;
        check(variant: &Params) -> Result<()>;
        free_parameters() -> &'static [&'static str];
        sharing_key(variant: &Params) -> String;
        estimate(shape: Shape, variants: &[Params]) -> Cost;
        fit_grid(job: Job<'_>, variants: &[Params]) -> Vec<Result<Fit>>;
    }
}
