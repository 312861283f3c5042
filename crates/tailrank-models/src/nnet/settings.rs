//! The settings of a network, and fits by them.

use rand::RngExt;

use super::{
    NnetModel,
    bfgs::{Curvature, Minimum, Objective, Stop, minimise},
    blocked::Blocked,
    inverse_hessian::{FusedTriangle, SequentialTriangle},
    lbfgs::LimitedMemory,
    mersenne::Mersenne,
    model::Layout,
    sequential::Sequential,
};
use crate::{FitContext, ModelError, ParamKind, ParamSpec, Params, Result, Shape, TrainSet, params};

const NOT_NEGATIVE: ParamKind = ParamKind::Real { min: 0.0, above: false, max: f64::INFINITY };
const COUNT: ParamKind = ParamKind::Int { min: 1, max: 1_000_000_000 };

pub(super) const PARAMETERS: &[ParamSpec] = crate::parameters! {
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
    pub(super) fn of(params: &Params) -> Self {
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
    pub(super) fn bytes(&self, inputs: usize, rows: usize) -> usize {
        let layout = self.layout(inputs);
        let n = layout.weights();
        let hessian = if n > self.bfgs_weights { LimitedMemory::bytes(n) } else { FusedTriangle::bytes(n) };
        Blocked::bytes(layout, rows) + hessian + 16 * n * size_of::<f64>()
    }

    /// Floating-point operations of all starts, if every one runs to `maxit`.
    pub(super) fn operations(&self, shape: Shape) -> f64 {
        let n = self.layout(shape.inputs).weights() as f64;
        let hessian = if n > self.bfgs_weights as f64 { 160.0 * n } else { 6.0 * n * n };
        (self.restarts * self.stop.maxit) as f64 * (6.0 * n * shape.train_rows as f64 + hessian)
    }
}
