//! The settings of a network, and fits by them.

use rand::RngExt;

use super::{
    NnetModel,
    bfgs::{Curvature, Objective, Stop, minimise},
    blocked::Blocked,
    inverse_hessian::{FusedTriangle, SequentialTriangle},
    lbfgs::LimitedMemory,
    mersenne::Mersenne,
    model::Layout,
    sequential::Sequential,
};
use crate::{FitContext, MatrixView, ModelError, Params, Result, TrainSet};

/// The order in which sums are added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arithmetic {
    /// Blocks of rows in vector registers.
    #[default]
    Fast,
    /// R's order: equal to R to the last bit for the same start, on a system with R's C library.
    Sequential,
}

/// A network with one hidden layer of logistic units and a linear output.
///
/// ```
/// use tailrank_models::{Matrix, nnet::Nnet};
///
/// let points: Vec<f64> = (0..50).map(|i| f64::from(i) / 25.0 - 1.0).collect();
/// let y: Vec<f64> = points.iter().map(|x| (3.0 * x).sin()).collect();
/// let x = Matrix::new(50, 1, points)?;
///
/// let net = Nnet::new(4).decay(1e-4).maxit(500).seed(7).fit_rows(x.view(), &y)?;
/// let worst = net.predict_rows(x.view())?.iter().zip(&y).map(|(p, y)| (p - y).abs()).fold(0.0, f64::max);
/// assert!(worst < 0.1);
/// # Ok::<(), tailrank_models::ModelError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Nnet {
    size: usize,
    decay: f64,
    stop: Stop,
    rang: f64,
    skip: bool,
    restarts: usize,
    bfgs_weights: usize,
    max_weights: usize,
    arithmetic: Arithmetic,
    seed: u64,
    r_seed: Option<u32>,
}

impl Nnet {
    /// `size` hidden units and otherwise the defaults of R's `nnet`, with a linear output.
    pub fn new(size: usize) -> Self {
        Self {
            size,
            decay: 0.0,
            stop: Stop { maxit: 100, abstol: 1e-4, reltol: 1e-8 },
            rang: 0.7,
            skip: false,
            restarts: 1,
            bfgs_weights: 2000,
            max_weights: 1_000_000,
            arithmetic: Arithmetic::Fast,
            seed: 0,
            r_seed: None,
        }
    }

    /// Weight decay: the penalty on every squared weight, biases included; 0 unless set.
    #[must_use]
    pub fn decay(mut self, decay: f64) -> Self {
        self.decay = decay;
        self
    }

    /// Most iterations; 100 unless set.
    #[must_use]
    pub fn maxit(mut self, maxit: usize) -> Self {
        self.stop.maxit = maxit;
        self
    }

    /// Stops when the objective is at most this; 1e-4 unless set.
    #[must_use]
    pub fn abstol(mut self, abstol: f64) -> Self {
        self.stop.abstol = abstol;
        self
    }

    /// Stops when a step changes the objective by less than this share; 1e-8 unless set.
    #[must_use]
    pub fn reltol(mut self, reltol: f64) -> Self {
        self.stop.reltol = reltol;
        self
    }

    /// Starting weights are uniform on ± this; 0.7 unless set.
    #[must_use]
    pub fn rang(mut self, rang: f64) -> Self {
        self.rang = rang;
        self
    }

    /// Whether inputs also reach the output directly; false unless set.
    #[must_use]
    pub fn skip(mut self, skip: bool) -> Self {
        self.skip = skip;
        self
    }

    /// Fits from this many random starts and keeps the smallest objective; 1 unless set.
    #[must_use]
    pub fn restarts(mut self, restarts: usize) -> Self {
        self.restarts = restarts;
        self
    }

    /// Up to this many weights the whole inverse Hessian is kept; larger networks use L-BFGS. 2000 unless
    /// set.
    #[must_use]
    pub fn bfgs_weights(mut self, weights: usize) -> Self {
        self.bfgs_weights = weights;
        self
    }

    /// Refuses networks with more weights; a million unless set.
    #[must_use]
    pub fn max_weights(mut self, weights: usize) -> Self {
        self.max_weights = weights;
        self
    }

    /// The order of additions; [`Arithmetic::Fast`] unless set.
    #[must_use]
    pub fn arithmetic(mut self, arithmetic: Arithmetic) -> Self {
        self.arithmetic = arithmetic;
        self
    }

    /// Names the starting weights; 0 unless set.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Starts from the weights R draws after `set.seed(seed)`.
    #[must_use]
    pub fn r_seed(mut self, seed: u32) -> Self {
        self.r_seed = Some(seed);
        self
    }

    /// Fits `y` on the rows of `x` from random weights.
    pub fn fit_rows(&self, x: MatrixView<'_>, y: &[f64]) -> Result<NnetModel> {
        TrainSet::new(x, y).check(x)?;
        self.fit_in(TrainSet::new(x, y), &FitContext::new(self.seed)).map(|(model, _)| model)
    }

    /// Fits `y` on the rows of `x` from given weights, in the order of [`NnetModel::weights`].
    pub fn fit_from(&self, x: MatrixView<'_>, y: &[f64], start: &[f64]) -> Result<NnetModel> {
        TrainSet::new(x, y).check(x)?;
        self.check()?;
        let layout = self.layout(x.cols())?;
        if start.len() != layout.weights() {
            let problem = format!("the network has {} weights, the start {}", layout.weights(), start.len());
            return Err(ModelError::Data { problem });
        }
        self.descend(TrainSet::new(x, y), layout, start.to_vec(), &FitContext::new(self.seed))
    }

    pub(super) fn from_params(params: &Params) -> Self {
        let arithmetic = match params.text("arithmetic", "fast") {
            "sequential" => Arithmetic::Sequential,
            _ => Arithmetic::Fast,
        };
        let net = Self::new(params.int("size", 5) as usize)
            .decay(params.real("decay", 0.0))
            .maxit(params.int("maxit", 100) as usize)
            .abstol(params.real("abstol", 1e-4))
            .reltol(params.real("reltol", 1e-8))
            .rang(params.real("rang", 0.7))
            .skip(params.flag("skip", false))
            .restarts(params.int("restarts", 1) as usize)
            .bfgs_weights(params.int("bfgs_weights", 2000) as usize)
            .max_weights(params.int("max_weights", 1_000_000) as usize)
            .arithmetic(arithmetic);
        match params.get("r_seed") {
            // R takes negative seeds by their bits.
            Some(_) => net.r_seed(params.int("r_seed", 0) as u32),
            None => net,
        }
    }

    fn check(&self) -> Result<()> {
        let fail = |name: &str, value: String, expected: &str| {
            let (name, expected) = (name.to_owned(), expected.to_owned());
            Err(ModelError::Parameter { family: "nnet", name, value, expected })
        };
        if self.size == 0 && !self.skip {
            return fail("size", "0".to_owned(), "use a whole number, at least 1, or a skip layer");
        }
        let reals = [
            ("decay", self.decay),
            ("abstol", self.stop.abstol),
            ("reltol", self.stop.reltol),
            ("rang", self.rang),
        ];
        for (name, value) in reals {
            if !(value >= 0.0 && value.is_finite()) {
                return fail(name, value.to_string(), "use a number at least 0");
            }
        }
        if self.restarts == 0 {
            return fail("restarts", "0".to_owned(), "use a whole number, at least 1");
        }
        Ok(())
    }

    fn layout(&self, inputs: usize) -> Result<Layout> {
        let layout = Layout { inputs, hidden: self.size, skip: self.skip };
        if self.size > self.max_weights || layout.weights() > self.max_weights {
            return Err(ModelError::Parameter {
                family: "nnet",
                name: "size".to_owned(),
                value: self.size.to_string(),
                expected: format!(
                    "{inputs} inputs would give {} weights; lower it or raise max_weights = {}",
                    self.size as u128 * (inputs as u128 + 2) + 1,
                    self.max_weights
                ),
            });
        }
        Ok(layout)
    }

    /// Fits from every start; the best model and the number of its start, counted from 1.
    pub(super) fn fit_in(&self, train: TrainSet<'_>, context: &FitContext) -> Result<(NnetModel, usize)> {
        self.check()?;
        let layout = self.layout(train.x.cols())?;
        let mut stream = self.r_seed.map(Mersenne::new);
        let mut best: Option<(NnetModel, usize)> = None;
        for number in 1..=self.restarts {
            let start = match &mut stream {
                Some(stream) => self.draw(layout, || stream.uniform()),
                None => {
                    // Variants that differ in decay or limits alone start from the same weights.
                    let shape = format!("size={},skip={}", self.size, self.skip);
                    let mut rng = context.rng("nnet", &shape, number as u64);
                    self.draw(layout, || rng.random::<f64>())
                }
            };
            let model = self.descend(train, layout, start, context)?;
            if best.as_ref().is_none_or(|(b, _)| model.objective < b.objective) {
                best = Some((model, number));
            }
        }
        best.ok_or(ModelError::Cancelled)
    }

    fn draw(&self, layout: Layout, mut uniform: impl FnMut() -> f64) -> Vec<f64> {
        (0..layout.weights()).map(|_| -self.rang + 2.0 * self.rang * uniform()).collect()
    }

    fn descend(
        &self,
        train: TrainSet<'_>,
        layout: Layout,
        mut weights: Vec<f64>,
        context: &FitContext,
    ) -> Result<NnetModel> {
        let n = layout.weights();
        self.check_memory(layout, train.y.len(), context)?;
        let fast = self.arithmetic == Arithmetic::Fast;
        let mut objective: Box<dyn Objective + '_> = if fast {
            Box::new(Blocked::new(layout, self.decay, train))
        } else {
            Box::new(Sequential::new(layout, self.decay, train))
        };
        let mut curvature: Box<dyn Curvature> = if n > self.bfgs_weights {
            Box::new(LimitedMemory::default())
        } else if fast {
            Box::new(FusedTriangle::new(n))
        } else {
            Box::new(SequentialTriangle::new(n))
        };
        let minimum = minimise(&mut *objective, &mut *curvature, &mut weights, self.stop, context)?;
        Ok(NnetModel {
            layout,
            weights,
            objective: minimum.value,
            iterations: minimum.iterations,
            converged: minimum.converged,
        })
    }

    fn check_memory(&self, layout: Layout, rows: usize, context: &FitContext) -> Result<()> {
        let needed = self.bytes(layout, rows);
        if needed <= context.memory_bytes {
            return Ok(());
        }
        let megabytes = |bytes: usize| (bytes >> 20) as u64;
        Err(ModelError::Memory {
            family: "nnet",
            needed_mb: megabytes(needed) + 1,
            limit_mb: megabytes(context.memory_bytes),
            fix: "lower size or bfgs_weights",
        })
    }

    fn bytes(&self, layout: Layout, rows: usize) -> usize {
        let n = layout.weights();
        let hessian = if n > self.bfgs_weights { LimitedMemory::bytes(n) } else { FusedTriangle::bytes(n) };
        Blocked::bytes(layout, rows) + hessian + 16 * n * size_of::<f64>()
    }

    /// Bytes a fit holds beside the data.
    pub(super) fn estimate_bytes(&self, inputs: usize, rows: usize) -> usize {
        self.bytes(Layout { inputs, hidden: self.size, skip: self.skip }, rows)
    }

    /// Floating-point operations of all starts, if every one runs to `maxit`.
    pub(super) fn estimate_operations(&self, inputs: usize, rows: usize) -> f64 {
        let n = Layout { inputs, hidden: self.size, skip: self.skip }.weights() as f64;
        let hessian = if n > self.bfgs_weights as f64 { 160.0 * n } else { 6.0 * n * n };
        (self.restarts * self.stop.maxit) as f64 * (6.0 * n * rows as f64 + hessian)
    }
}
