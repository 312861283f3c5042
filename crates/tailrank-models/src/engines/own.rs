//! A user's own model as a family.

use crate::{Cost, Family, Fit, FitContext, Job, MatrixView, ParamSpec, Params, Result, Shape, TrainSet};

use super::fit_each;

/// A family made of a function that fits one variant.
///
/// ```
/// use tailrank_models::{FitContext, Matrix, Params, TrainSet, engines::own::OwnModel, fit_grid};
///
/// // Predicts the median of the training targets.
/// let median = OwnModel::new("median", &[], |train, test, _variant, _context| {
///     let mut y = train.y.to_vec();
///     y.sort_by(f64::total_cmp);
///     Ok(vec![y[y.len() / 2]; test.rows()])
/// });
/// let x = Matrix::new(3, 1, vec![1.0, 2.0, 3.0])?;
/// let train = TrainSet::new(x.view(), &[0.1, 0.9, 0.2]);
/// let fits = fit_grid(&median, train, x.view(), &[Params::new()], &FitContext::new(1))?;
/// assert_eq!(fits[0].as_ref().unwrap().predictions, [0.2, 0.2, 0.2]);
/// # Ok::<(), tailrank_models::ModelError>(())
/// ```
#[derive(Clone, Debug)]
pub struct OwnModel<F> {
    name: &'static str,
    engine: &'static str,
    version: u32,
    summary: &'static str,
    parameters: &'static [ParamSpec],
    fit: F,
}

impl<F> OwnModel<F>
where
    F: Fn(TrainSet<'_>, MatrixView<'_>, &Params, &FitContext) -> Result<Vec<f64>> + Send + Sync,
{
    /// A family called `name` whose variants may set `parameters`; `fit` returns one prediction per test row.
    pub fn new(name: &'static str, parameters: &'static [ParamSpec], fit: F) -> Self {
        Self { name, engine: "own", version: 1, summary: "a model of the user's", parameters, fit }
    }

    /// Names the implementation.
    #[must_use]
    pub fn engine(mut self, engine: &'static str) -> Self {
        self.engine = engine;
        self
    }

    /// To be raised whenever predictions change, so that stored ones are not reused.
    #[must_use]
    pub fn version(mut self, version: u32) -> Self {
        self.version = version;
        self
    }

    /// One line for lists of models.
    #[must_use]
    pub fn summary(mut self, summary: &'static str) -> Self {
        self.summary = summary;
        self
    }
}

impl<F> Family for OwnModel<F>
where
    F: Fn(TrainSet<'_>, MatrixView<'_>, &Params, &FitContext) -> Result<Vec<f64>> + Send + Sync,
{
    fn name(&self) -> &'static str {
        self.name
    }

    fn engine(&self) -> &'static str {
        self.engine
    }

    fn version(&self) -> u32 {
        self.version
    }

    fn summary(&self) -> &'static str {
        self.summary
    }

    fn parameters(&self) -> &'static [ParamSpec] {
        self.parameters
    }

    /// Unknown to this crate: as much as a linear solve.
    fn estimate(&self, shape: Shape, variants: &[Params]) -> Cost {
        let cells = shape.train_rows * shape.inputs;
        let work = (cells * shape.inputs * variants.len()) as f64;
        Cost { cpu_seconds: 1e-8 * work, bytes: 32 * cells }
    }

    fn fit_grid(&self, job: Job<'_>, variants: &[Params]) -> Vec<Result<Fit>> {
        let Job { train, test, context } = job;
        let one = |v: &Params| (self.fit)(train, test, v, context).map(Fit::converged);
        fit_each(self.name, self.engine, job, variants, one)
    }
}
