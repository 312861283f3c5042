//! Family `boost`: gradient-boosted regression trees on histograms.
//!
//! Every input is cut into at most 255 bins once per task; all variants of a grid share them. A node's
//! gradients are summed by bin, the smaller child's histogram is counted and the larger one's is the
//! difference. Trees are those of scikit-learn's `HistGradientBoostingRegressor` and of LightGBM; one
//! ensemble serves every smaller number of trees.
//!
//! Gradients are rounded once to fixed point and summed as integers, so that the same data give the same
//! bytes with any number of threads and on every processor. A whole case weight is the same fit, to the bit,
//! as the row repeated. Leaves under the absolute and the quantile loss are medians and quantiles of their
//! residuals.
//!
#![doc = include_str!("parameters.md")]

mod bins;
mod ensemble;
mod grow;
mod loss;
mod mass;
mod split;
mod tally;

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use crate::{
    Cost, Family, Fit, Job, ParamKind, ParamSpec, Params, Result, Shape,
    groups::{groups, ungroup},
    standardise::power_of_two_near,
};
use bins::{Binned, MAX_BINS};
use ensemble::Task;
use loss::Loss;
use mass::Mass;
use tally::{Packed, Pair};

/// Gradient-boosted trees.
///
/// ```
/// use tailrank_models::{FitContext, Matrix, Params, TrainSet, boost::Boost, fit_grid};
///
/// let x = Matrix::new(80, 1, (0..80).map(f64::from).collect())?;
/// let y: Vec<f64> = (0..80).map(|i| if i < 40 { -1.0 } else { 1.0 }).collect();
/// let grid = [Params::new().with("trees", 1), Params::new().with("trees", 100)];
/// let train = TrainSet { x: x.view(), y: &y, weights: None };
/// let test = Matrix::new(2, 1, vec![12.0, 55.0])?;
/// let fits = fit_grid(&Boost, train, test.view(), &grid, &FitContext::new(1))?;
/// assert!((fits[0].as_ref().unwrap().predictions[1] - 0.1).abs() < 1e-12);
/// assert!((fits[1].as_ref().unwrap().predictions[0] + 1.0).abs() < 1e-4);
/// # Ok::<(), tailrank_models::ModelError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Boost;

impl Family for Boost {
    crate::family::facts! {
        name = "boost";
        /// 2: our own trees instead of forust's.
        version = 2;
        summary = "gradient-boosted trees on histograms; one ensemble serves every smaller size";
        takes_weights = true;
        parameters = PARAMETERS;
    }

    /// The whole grid shares its bins.
    fn sharing_key(&self, variant: &Params) -> String {
        bins(variant).to_string()
    }

    fn estimate(&self, shape: Shape, variants: &[Params]) -> Cost {
        let (rows, inputs) = (shape.train_rows as f64, shape.inputs as f64);
        let mut cpu_seconds = 4e-8 * (rows + shape.test_rows as f64) * inputs;
        let mut histograms = 0;
        for (settings, members) in groups(variants, Settings::of) {
            let trees = members.iter().map(|&v| trees(&variants[v])).max().unwrap_or(0) as f64;
            let leaves = settings.leaves(shape.train_rows);
            let levels = (leaves as f64).log2().ceil().max(1.0);
            let counted = 0.5e-9 * rows * settings.subsample * (1.0 + 0.4 * (levels - 1.0));
            let scanned = 1.2e-9 * leaves as f64 * settings.bins as f64;
            let moved = 2e-9 * levels * (rows + shape.test_rows as f64);
            cpu_seconds += trees * ((counted + scanned) * inputs * settings.input_fraction + moved);
            histograms = histograms.max(leaves.min(settings.max_depth + 1));
        }
        // Two ensembles side by side: histograms, and eight numbers a row.
        let ensemble = 8 * MAX_BINS * shape.inputs * histograms + 64 * shape.train_rows + 8 * shape.test_rows;
        let answers = 8 * shape.test_rows * variants.len();
        let binned = shape.inputs * (shape.train_rows + shape.test_rows) + 24 * shape.train_rows;
        Cost { cpu_seconds, bytes: binned + 2 * ensemble + answers }
    }

    fn fit_grid(&self, job: Job<'_>, variants: &[Params]) -> Vec<Result<Fit>> {
        fit(job, variants).unwrap_or_else(|e| vec![Err(e); variants.len()])
    }
}

fn fit(job: Job<'_>, variants: &[Params]) -> Result<Vec<Result<Fit>>> {
    let train = job.train;
    // Dividing by a power of two changes no tree and keeps squares finite.
    let unit = power_of_two_near(train.y);
    let targets: Vec<f64> = train.y.iter().map(|y| y / unit).collect();
    let mass = Mass::new(train.weights, train.y.len())?;
    let kinds: BTreeSet<usize> = variants.iter().map(bins).collect();
    let binned = kinds
        .into_iter()
        .map(|bins| Ok((bins, Binned::new(job, &mass, bins)?)))
        .collect::<Result<BTreeMap<usize, Binned>>>()?;
    let fits: Vec<(Vec<usize>, Result<Vec<Fit>>)> = groups(variants, Settings::of)
        .into_par_iter()
        .map(|(settings, members)| {
            let sizes: Vec<usize> = members.iter().map(|&v| trees(&variants[v])).collect();
            let binned = &binned[&settings.bins];
            let task = Task { targets: &targets, mass: &mass, binned, context: job.context };
            let predictions = if Packed::holds(&mass) {
                ensemble::prefixes::<Packed>(task, settings, &sizes)
            } else {
                ensemble::prefixes::<Pair>(task, settings, &sizes)
            };
            let fit = |p: &Vec<f64>| Fit::converged(p.iter().map(|p| p * unit).collect());
            (members, predictions.map(|sizes| sizes.iter().map(fit).collect()))
        })
        .collect();
    Ok(ungroup(variants.len(), fits))
}

const SHARE: ParamKind = ParamKind::Real { min: 0.0, above: true, max: 1.0 };

const PARAMETERS: &[ParamSpec] = crate::parameters! {
    "trees" = "100", ParamKind::Int { min: 1, max: 1_000_000 },
        "number of trees; smaller ensembles are prefixes of larger ones";
    "learning_rate" = "0.1", SHARE, "share of each tree's correction that is added";
    "max_depth" = "3", ParamKind::Int { min: 1, max: 64 }, "questions between root and leaf";
    "max_leaves" = "0", ParamKind::Int { min: 0, max: 1 << 20 },
        "leaves per tree; 0 for no limit but the depth";
    "growth" = "leaf", ParamKind::Choice(&["leaf", "level"]),
        "under max_leaves: split the leaf that gains most, or level by level";
    "min_rows" = "20", ParamKind::Int { min: 1, max: 1 << 24 },
        "training rows in a leaf, at least; with case weights, their sum";
    "l2" = "0", ParamKind::Real { min: 0.0, above: false, max: 1e12 },
        "added to a leaf's rows, which shrinks its value towards zero";
    "loss" = "squared", ParamKind::Choice(&["squared", "absolute", "huber", "quantile"]),
        "what the trees lower";
    "alpha" = "0.9", ParamKind::Real { min: 0.0, above: true, max: 1.0 },
        "quantile: the one to predict; huber: share of the rows whose errors count squared";
    "subsample" = "1", SHARE, "share of the training rows drawn for each tree";
    "input_fraction" = "1", SHARE, "share of the inputs drawn for each tree";
    "bins" = "255", ParamKind::Int { min: 2, max: 256 },
        "values an input may take; more distinct ones are merged by quantiles";
};

/// All but the number of trees.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Settings {
    learning_rate: f64,
    max_depth: usize,
    /// `usize::MAX` for no limit.
    max_leaves: usize,
    /// Under a limit on leaves: split the one that gains most instead of level by level.
    best_first: bool,
    min_rows: f64,
    l2: f64,
    loss: Loss,
    subsample: f64,
    input_fraction: f64,
    bins: usize,
}

impl Settings {
    /// The settings of a checked variant.
    fn of(variant: &Params) -> Self {
        let alpha = variant.real("alpha", 0.9);
        let max_leaves = match variant.int("max_leaves", 0) {
            0 => usize::MAX,
            limit => limit as usize,
        };
        Self {
            learning_rate: variant.real("learning_rate", 0.1),
            max_depth: variant.int("max_depth", 3) as usize,
            max_leaves,
            best_first: variant.text("growth", "leaf") == "leaf",
            min_rows: variant.int("min_rows", 20) as f64,
            l2: variant.real("l2", 0.0),
            loss: match variant.text("loss", "squared") {
                "absolute" => Loss::Absolute,
                "huber" => Loss::Huber { share: alpha },
                "quantile" => Loss::Quantile { level: alpha },
                _ => Loss::Squared,
            },
            subsample: variant.real("subsample", 1.0),
            input_fraction: variant.real("input_fraction", 1.0),
            bins: bins(variant),
        }
    }

    /// Leaves of a tree, at most.
    fn leaves(&self, rows: usize) -> usize {
        let by_depth = 1usize.checked_shl(self.max_depth as u32).unwrap_or(usize::MAX);
        let by_rows = (rows as f64 / self.min_rows) as usize;
        by_depth.min(self.max_leaves).min(by_rows).max(1)
    }
}

fn trees(variant: &Params) -> usize {
    variant.int("trees", 100) as usize
}

fn bins(variant: &Params) -> usize {
    variant.int("bins", 255) as usize
}
