//! Networks with one hidden layer (Venables & Ripley 2002), as R's `nnet` fits them.
//!
//! Logistic hidden units, a linear output, squared error plus weight decay, and R's BFGS with its stopping
//! rules. Two arithmetics compute the same thing: `fast` works on blocks of rows in vector registers;
//! `sequential` adds in R's order and, given the same start, equals R to the last bit where the C library's
//! `exp` is R's.
//!
//! A case's squared error is multiplied by its weight, where there are weights.
//!
//! No crate offers this network with this minimiser, and results far from convergence depend on both.
//!
#![doc = include_str!("parameters.md")]

mod bfgs;
mod blocked;
mod exp;
mod inverse_hessian;
mod mersenne;
mod sequential;
mod sigmoid;

use bfgs::{Curvature, Minimum, Objective, Stop, minimise};
use blocked::Blocked;
use inverse_hessian::{FusedTriangle, LimitedMemory, SequentialTriangle};
use mersenne::Mersenne;
use rand::RngExt;
use rayon::prelude::*;
use sequential::{Sequential, sigmoid};

use crate::{
    Cost, Family, Fit, FitContext, Job, MatrixView, ModelError, ParamKind, ParamSpec, Params, Result, Shape,
    TrainSet, linalg::vectorised, params,
};

const NOT_NEGATIVE: ParamKind = ParamKind::Real { min: 0.0, above: false, max: f64::INFINITY };
const COUNT: ParamKind = ParamKind::Int { min: 1, max: 1_000_000_000 };

const PARAMETERS: &[ParamSpec] = crate::parameters! {
    "abstol" = "0.0001", NOT_NEGATIVE, "stop when the objective is at most this";
    "arithmetic" = "fast", ParamKind::Choice(&["fast", "sequential"]),
        "order of additions; sequential equals R to the last bit";
    "bfgs_weights" = "2000", ParamKind::Int { min: 0, max: 100_000 }, "networks with more weights use L-BFGS";
    "decay" = "0", NOT_NEGATIVE, "penalty on every squared weight, biases included";
    "max_weights" = "1000000", COUNT, "refuse networks with more weights";
    "maxit" = "100", ParamKind::Int { min: 0, max: 1_000_000_000 }, "most iterations";
    "r_seed" = "auto", ParamKind::Int { min: i32::MIN as i64, max: i32::MAX as i64 },
        "start from the weights R draws after set.seed; auto: from the experiment's seed";
    "rang" = "0.7", NOT_NEGATIVE, "starting weights are uniform on ± this";
    "reltol" = "1e-8", NOT_NEGATIVE, "stop when a step changes the objective by less than this share";
    "restarts" = "1", ParamKind::Int { min: 1, max: 1_000_000 },
        "random starts; the smallest objective is kept";
    "size" = "5", ParamKind::Int { min: 0, max: 1_000_000_000 }, "hidden units; 0 only with a skip layer";
    "skip" = "false", ParamKind::Flag, "join inputs to the output";
};

/// A network with one hidden layer of logistic units and a linear output.
///
/// ```
/// use tailrank_models::{FitContext, Matrix, Params, TrainSet, nnet::Nnet};
///
/// let points: Vec<f64> = (0..50).map(|i| f64::from(i) / 25.0 - 1.0).collect();
/// let y: Vec<f64> = points.iter().map(|x| (3.0 * x).sin()).collect();
/// let x = Matrix::new(50, 1, points)?;
///
/// let net = Nnet::new(&Params::new().with("size", 4).with("decay", 1e-4).with("maxit", 500))?;
/// let model = net.fit(TrainSet::new(x.view(), &y), &FitContext::new(7))?;
/// let fitted = model.predict_rows(x.view())?;
/// assert!(fitted.iter().zip(&y).all(|(p, y)| (p - y).abs() < 0.1));
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
    /// Blocks of rows in vector registers; otherwise R's order of additions.
    fast: bool,
    r_seed: Option<u32>,
}

impl Nnet {
    /// A network by the parameters of family `nnet`.
    pub fn new(params: &Params) -> Result<Self> {
        params::check("nnet", PARAMETERS, params)?;
        Ok(Self::of(params))
    }

    /// The network of checked parameters.
    fn of(params: &Params) -> Self {
        let count = |name, default| params.int(name, default) as usize;
        Self {
            size: count("size", 5),
            decay: params.real("decay", 0.0),
            stop: Stop {
                maxit: count("maxit", 100),
                abstol: params.real("abstol", 1e-4),
                reltol: params.real("reltol", 1e-8),
            },
            rang: params.real("rang", 0.7),
            skip: params.flag("skip", false),
            restarts: count("restarts", 1),
            bfgs_weights: count("bfgs_weights", 2000),
            max_weights: count("max_weights", 1_000_000),
            fast: params.text("arithmetic", "fast") == "fast",
            // R takes negative seeds by their bits.
            r_seed: params.get("r_seed").map(|_| params.int("r_seed", 0) as u32),
        }
    }

    fn layout(&self, inputs: usize) -> Layout {
        Layout { inputs, hidden: self.size, skip: self.skip }
    }

    fn check(&self, train: TrainSet<'_>) -> Result<Layout> {
        train.check(train.x)?;
        let (inputs, layout) = (train.x.cols(), self.layout(train.x.cols()));
        if self.size == 0 && !self.skip {
            let expected = "use a whole number, at least 1, or a skip layer";
            return Err(ModelError::parameter("nnet", "size", 0, expected));
        }
        if self.size > self.max_weights || layout.weights() > self.max_weights {
            let expected = format!(
                "{inputs} inputs would give {} weights; lower it or raise max_weights = {}",
                self.size as u128 * (inputs as u128 + 2) + 1,
                self.max_weights
            );
            return Err(ModelError::parameter("nnet", "size", self.size, expected));
        }
        Ok(layout)
    }

    /// Fits from given weights, in the order of [`NnetModel::weights`].
    pub fn fit_from(&self, train: TrainSet<'_>, start: &[f64], context: &FitContext) -> Result<NnetModel> {
        let layout = self.check(train)?;
        let (wanted, given) = (layout.weights(), start.len());
        if given != wanted {
            return Err(ModelError::data(format!("the network has {wanted} weights, the start {given}")));
        }
        self.descend(train, start.to_vec(), context)
    }

    /// Fits from every random start and keeps the best.
    pub fn fit(&self, train: TrainSet<'_>, context: &FitContext) -> Result<NnetModel> {
        let layout = self.check(train)?;
        let mut stream = self.r_seed.map(Mersenne::new);
        let mut best: Option<NnetModel> = None;
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
            let model = self.descend(train, start, context)?;
            if best.as_ref().is_none_or(|b| model.objective < b.objective) {
                best = Some(NnetModel { best_start: number, ..model });
            }
        }
        best.ok_or(ModelError::Cancelled)
    }

    fn draw(&self, layout: Layout, mut uniform: impl FnMut() -> f64) -> Vec<f64> {
        (0..layout.weights()).map(|_| -self.rang + 2.0 * self.rang * uniform()).collect()
    }

    fn descend(&self, train: TrainSet<'_>, mut weights: Vec<f64>, context: &FitContext) -> Result<NnetModel> {
        let layout = self.layout(train.x.cols());
        let (n, needed) = (layout.weights(), self.bytes(train.x.cols(), train.y.len()));
        if needed > context.memory_bytes {
            let (megabytes, limit) = ((needed >> 20) + 1, context.memory_bytes);
            return Err(ModelError::memory("nnet", megabytes, limit, "lower size or bfgs_weights"));
        }
        let mut objective: Box<dyn Objective + '_> = if self.fast {
            Box::new(Blocked::new(layout, self.decay, train))
        } else {
            Box::new(Sequential::new(layout, self.decay, train))
        };
        let mut curvature: Box<dyn Curvature> = if n > self.bfgs_weights {
            Box::new(LimitedMemory::default())
        } else if self.fast {
            Box::new(FusedTriangle::new(n))
        } else {
            Box::new(SequentialTriangle::new(n))
        };
        let minimum = minimise(&mut *objective, &mut *curvature, &mut weights, self.stop, context)?;
        let Minimum { value: objective, iterations, converged } = minimum;
        Ok(NnetModel { layout, weights, objective, iterations, converged, best_start: 1 })
    }

    /// Bytes a fit holds beside the data.
    fn bytes(&self, inputs: usize, rows: usize) -> usize {
        let layout = self.layout(inputs);
        let n = layout.weights();
        let hessian = if n > self.bfgs_weights { LimitedMemory::bytes(n) } else { FusedTriangle::bytes(n) };
        Blocked::bytes(layout, rows) + hessian + 16 * n * size_of::<f64>()
    }

    /// Floating-point operations of all starts, if every one runs to `maxit`.
    fn operations(&self, shape: Shape) -> f64 {
        let n = self.layout(shape.inputs).weights() as f64;
        let hessian = if n > self.bfgs_weights as f64 { 160.0 * n } else { 6.0 * n * n };
        (self.restarts * self.stop.maxit) as f64 * (6.0 * n * shape.train_rows as f64 + hessian)
    }
}

/// The family `nnet`.
///
/// ```
/// use tailrank_models::{FitContext, Matrix, Params, TrainSet, fit_grid, nnet::NnetFamily};
///
/// let x = Matrix::new(40, 1, (0..40).map(|i| f64::from(i) / 20.0 - 1.0).collect())?;
/// let y: Vec<f64> = x.view().as_slice().iter().map(|x| x.tanh()).collect();
/// let grid: Vec<Params> = [0.01, 0.1].map(|d| Params::new().with("size", 3).with("decay", d)).into();
/// let train = TrainSet::new(x.view(), &y);
/// let fits = fit_grid(&NnetFamily, train, x.view(), &grid, &FitContext::new(1))?;
/// assert!((fits[0].as_ref().unwrap().predictions[20] - y[20]).abs() < 0.1);
/// # Ok::<(), tailrank_models::ModelError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct NnetFamily;

impl Family for NnetFamily {
    crate::family::facts! {
        name = "nnet";
        version = 1;
        summary = "network with one hidden layer fitted by BFGS, as R's nnet";
        takes_weights = true;
        parameters = PARAMETERS;
    }

    fn estimate(&self, shape: Shape, variants: &[Params]) -> Cost {
        let nets: Vec<Nnet> = variants.iter().map(Nnet::of).collect();
        let operations: f64 = nets.iter().map(|n| n.operations(shape)).sum();
        let bytes = nets.iter().map(|n| n.bytes(shape.inputs, shape.train_rows)).max();
        Cost { cpu_seconds: operations / 8e9, bytes: bytes.unwrap_or(0) }
    }

    fn fit_grid(&self, job: Job<'_>, variants: &[Params]) -> Vec<Result<Fit>> {
        variants.par_iter().map(|variant| fit_one(job, variant)).collect()
    }
}

fn fit_one(job: Job<'_>, variant: &Params) -> Result<Fit> {
    let model = Nnet::of(variant).fit(job.train, job.context)?;
    Ok(Fit {
        predictions: model.predict_rows(job.test)?,
        converged: model.converged,
        details: vec![
            ("objective", model.objective),
            ("iterations", model.iterations as f64),
            ("weights", model.weights.len() as f64),
            ("best_start", model.best_start as f64),
        ],
    })
}

/// Which units are joined, and where each weight stands.
///
/// In order: each hidden unit's bias and input weights, then the output's bias, its hidden weights and, with
/// a skip layer, its input weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Layout {
    inputs: usize,
    hidden: usize,
    skip: bool,
}

impl Layout {
    fn weights(self) -> usize {
        self.output() + 1 + self.hidden + if self.skip { self.inputs } else { 0 }
    }

    /// Weights of one hidden unit.
    fn stride(self) -> usize {
        self.inputs + 1
    }

    /// Where the output unit begins.
    fn output(self) -> usize {
        self.hidden * self.stride()
    }

    /// The hidden units' weights and the output's.
    fn split(self, weights: &[f64]) -> (&[f64], &[f64]) {
        weights.split_at(self.output())
    }

    /// The output for one row in R's order of additions; `each` gets the hidden units' values.
    #[inline(always)]
    fn run(self, weights: &[f64], row: &[f64], mut each: impl FnMut(usize, f64)) -> f64 {
        let (hidden, output) = self.split(weights);
        let mut sum = output[0];
        for (u, (unit, weight)) in hidden.chunks_exact(self.stride()).zip(&output[1..]).enumerate() {
            let value = sigmoid(unit[1..].iter().zip(row).fold(unit[0], |sum, (w, x)| sum + w * x));
            each(u, value);
            sum += weight * value;
        }
        output[1 + self.hidden..].iter().zip(row).fold(sum, |sum, (w, x)| sum + w * x)
    }
}

/// A fitted network.
#[derive(Clone, Debug, PartialEq)]
pub struct NnetModel {
    layout: Layout,
    /// All weights: for each hidden unit its bias and input weights, then the output's bias, hidden weights
    /// and, with a skip layer, input weights.
    pub weights: Vec<f64>,
    /// Squared error plus decay times squared weights.
    pub objective: f64,
    /// Gradient evaluations, as R counts iterations.
    pub iterations: usize,
    /// False when `maxit` ended the fit.
    pub converged: bool,
    /// The random start it came from, counted from 1.
    pub best_start: usize,
}

impl NnetModel {
    /// One prediction per row of `x`.
    pub fn predict_rows(&self, x: MatrixView<'_>) -> Result<Vec<f64>> {
        let (fitted, given) = (self.layout.inputs, x.cols());
        if given != fitted {
            return Err(ModelError::data(format!("the network was fitted on {fitted} inputs, got {given}")));
        }
        let Self { layout, weights, .. } = self;
        let mut out = vec![0.0; x.rows()];
        // Not collected: that would be a function of its own, compiled for any processor.
        vectorised!({
            for (out, row) in out.iter_mut().zip(x.iter_rows()) {
                *out = layout.run(weights, row, |_, _| ());
            }
        });
        Ok(out)
    }
}
