//! Random forests for regression: randomForest's trees, grown once for all sizes of a grid.
//!
//! Tree `t` depends only on random stream `t`, so a forest of 50 trees is the first 50 of a forest of 500:
//! one forest serves every size, exactly. The trees are those of Breiman's randomForest in distribution:
//! cases drawn with replacement, `mtry` inputs drawn without replacement at each node, the cut that lowers
//! the squared error most, halfway between the two values around it, and no split of nodes with `node_size`
//! cases or fewer.
//!
//! Case weights multiply a drawn case's count in every sum, as in scikit-learn; `node_size` counts draws.
//!
//! Growing works on ranks instead of values. A node's cases are put in the order of eight inputs at once by a
//! sorting network (small nodes), or of one input after another by marking ranks in a bitmap, never by
//! comparing floats, and cases drawn several times appear once with a count. No crate at hand grows exact
//! regression forests this way or shares trees over sizes.
//!
#![doc = include_str!("parameters.md")]

mod grow;
mod order;
mod ranks;
mod split;

use rayon::prelude::*;

use crate::{
    Cost, Family, Fit, Job, MatrixView, ModelError, ParamKind, ParamSpec, Params, Result, Shape, TrainSet,
    groups::{fit_groups, groups},
    standardise::power_of_two_near,
};
use grow::{ForestData, TreeBuilder};
use ranks::Ranks;
use split::margin;

/// The `forest` family.
///
/// ```
/// use tailrank_models::{FitContext, Forest, Matrix, Params, TrainSet, fit_grid};
///
/// let x = Matrix::new(40, 1, (0..40).map(f64::from).collect())?;
/// let y: Vec<f64> = (0..40).map(|i| if i < 20 { -1.0 } else { 1.0 }).collect();
/// let sizes = [Params::new().with("trees", 10), Params::new().with("trees", 100)];
/// let test = Matrix::new(2, 1, vec![3.2, 35.5])?;
/// let train = TrainSet::new(x.view(), &y);
/// let fits = fit_grid(&Forest, train, test.view(), &sizes, &FitContext::new(1))?;
/// let large = fits[1].as_ref().unwrap();
/// assert!(large.predictions[0] < -0.9 && large.predictions[1] > 0.9);
/// # Ok::<(), tailrank_models::ModelError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Forest;

impl Family for Forest {
    crate::family::facts! {
        name = "forest";
        version = 1;
        summary = "random forest of regression trees; one forest serves every size of the grid";
        takes_weights = true;
        parameters = PARAMETERS;
        free_parameters = &["trees"];
    }

    fn estimate(&self, shape: Shape, variants: &[Params]) -> Cost {
        let rows = shape.train_rows as f64;
        let cpu_seconds = groups(variants, |v| Settings::new(v, shape.train_rows, shape.inputs))
            .iter()
            .filter_map(|(settings, members)| {
                let trees = members.iter().map(|&v| trees(&variants[v])).max()? as f64;
                let levels = rows.max(2.0).log2() * 1.3;
                let growing = 4e-9 * settings.as_ref().ok()?.mtry as f64;
                Some(trees * levels * (growing * rows + 3e-9 * (rows + shape.test_rows as f64)))
            })
            .sum();
        let per_thread = 64 * (8 * shape.test_rows + 16 * shape.train_rows) + 200 * shape.train_rows;
        Cost { cpu_seconds, bytes: 8 * shape.train_rows * shape.inputs + 2 * per_thread }
    }

    fn fit_grid(&self, job: Job<'_>, variants: &[Params]) -> Vec<Result<Fit>> {
        let (rows, inputs) = (job.train.x.rows(), job.train.x.cols());
        fit_groups(
            variants,
            |v| Settings::new(v, rows, inputs),
            |settings, members| {
                let sizes: Vec<usize> = members.iter().map(|v| trees(v)).collect();
                fit_prefixes(job, settings?, &sizes)
            },
        )
    }
}

fn trees(variant: &Params) -> usize {
    variant.int("trees", 500) as usize
}

const COUNT: ParamKind = ParamKind::Int { min: 1, max: u32::MAX as i64 };

const PARAMETERS: &[ParamSpec] = crate::parameters! {
    "trees" = "500", COUNT, "number of trees";
    "mtry" = "auto", COUNT, "inputs tried at each split; a third of them, at least one, unless given";
    "node_size" = "5", COUNT, "a node with this many cases or fewer is not split";
    "replace" = "true", ParamKind::Flag, "draw each tree's cases with replacement";
    "sample_fraction" = "auto", ParamKind::Real { min: 0.0, above: true, max: 1.0 },
        "cases drawn per tree as a share of the rows; 1, or 0.632 without replacement";
    "extra_trees" = "false", ParamKind::Flag,
        "one cut drawn at random per input tried instead of the best one";
    "max_depth" = "0", ParamKind::Int { min: 0, max: u32::MAX as i64 },
        "splits on the way to any leaf; 0 for no limit";
    "max_nodes" = "0", ParamKind::Int { min: 0, max: u32::MAX as i64 },
        "leaves per tree, grown level by level; 0 for no limit";
};

/// Everything a single tree depends on besides data and seed.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Settings {
    mtry: usize,
    node_size: u32,
    replace: bool,
    /// Cases drawn for each tree.
    sample: usize,
    extra_trees: bool,
    max_depth: u32,
    max_leaves: usize,
}

impl Settings {
    /// The settings of a checked variant for data of this size.
    fn new(variant: &Params, rows: usize, inputs: usize) -> Result<Self> {
        let mtry = variant.int("mtry", (inputs as i64 / 3).max(1));
        if mtry > inputs as i64 {
            return Err(ModelError::parameter("forest", "mtry", mtry, format!("there are {inputs} inputs")));
        }
        let replace = variant.flag("replace", true);
        let fraction = variant.real("sample_fraction", if replace { 1.0 } else { 0.632 });
        let limit = |name| match variant.int(name, 0) {
            0 => u32::MAX,
            limit => limit as u32,
        };
        Ok(Self {
            mtry: mtry as usize,
            node_size: variant.int("node_size", 5) as u32,
            replace,
            sample: ((fraction * rows as f64).ceil() as usize).clamp(1, rows),
            extra_trees: variant.flag("extra_trees", false),
            max_depth: limit("max_depth"),
            max_leaves: limit("max_nodes") as usize,
        })
    }
}

/// Trees grown between two additions: enough to keep every thread busy, few enough that their predictions are
/// small.
const BATCH: usize = 64;

/// What is left of a tree once it has predicted.
struct Votes {
    test: Vec<f64>,
    /// Rows this tree was not grown on, and its predictions for them.
    out_of_bag: Vec<(u32, f64)>,
    nodes: usize,
}

/// Forests of the given `sizes`, all of them prefixes of one sequence of trees.
fn fit_prefixes(job: Job<'_>, settings: Settings, sizes: &[usize]) -> Result<Vec<Fit>> {
    let Job { train, test, context } = job;
    // Dividing by a power of two is exact, so no tree changes; only overflow of squares is avoided.
    let unit = power_of_two_near(train.y);
    let targets = train.y.iter().map(|y| y / unit).collect();
    let ranks = Ranks::new(train.x);
    let (x, weights) = (train.x, train.weights);
    let data = ForestData { x, targets, weights, unit, ranks, margin: margin(weights), settings, context };
    // So that a setting left out and its default written out are one forest.
    let stream_name = format!("{settings:?}");
    let vote = |builder: &mut TreeBuilder, tree: usize| -> Result<Votes> {
        builder.grow(&data, &mut context.rng("forest", &stream_name, tree as u64))?;
        Ok(builder.votes(train.x, test))
    };

    let trees = sizes.iter().copied().max().unwrap_or(0);
    let bytes_per_tree = 8 * test.rows() + 16 * train.x.rows();
    let batch = (context.memory_bytes / 4 / bytes_per_tree.max(1)).clamp(1, BATCH);
    let mut tally = Tally::new(train.x.rows(), test.rows());
    let mut fits: Vec<Option<Fit>> = vec![None; sizes.len()];
    for start in (0..trees).step_by(batch) {
        let votes: Vec<Result<Votes>> = (start..trees.min(start + batch))
            .into_par_iter()
            .map_init(|| TreeBuilder::new(train.x.rows(), train.x.cols(), settings.extra_trees), vote)
            .collect();
        for votes in votes {
            tally.add(votes?);
            for (fit, _) in fits.iter_mut().zip(sizes).filter(|(_, size)| **size == tally.trees) {
                *fit = Some(tally.fit(train));
            }
        }
    }
    Ok(fits.into_iter().flatten().collect())
}

impl TreeBuilder {
    fn votes(&self, train: MatrixView<'_>, test: MatrixView<'_>) -> Votes {
        let mut on_test = vec![0.0; test.rows()];
        let every = 0..test.rows() as u32;
        self.tree.predict(test.as_slice(), test.cols(), every, |row, value| on_test[row as usize] = value);
        let outside = (0..).zip(&self.counts).filter(|(_, count)| **count == 0).map(|(row, _)| row);
        let mut out_of_bag = Vec::new();
        self.tree
            .predict(train.as_slice(), train.cols(), outside, |row, value| out_of_bag.push((row, value)));
        Votes { test: on_test, out_of_bag, nodes: self.tree.len() }
    }
}

/// Running sums over the first trees, always added in tree order so that every prefix is exact.
struct Tally {
    trees: usize,
    nodes: usize,
    test: Vec<f64>,
    /// Sum and number of the votes of trees that had not seen the row.
    out_of_bag: Vec<(f64, u32)>,
}

impl Tally {
    fn new(train_rows: usize, test_rows: usize) -> Self {
        Self { trees: 0, nodes: 0, test: vec![0.0; test_rows], out_of_bag: vec![(0.0, 0); train_rows] }
    }

    fn add(&mut self, votes: Votes) {
        self.trees += 1;
        self.nodes += votes.nodes;
        // A running mean rather than a sum: targets near the largest float must not overflow.
        let share = 1.0 / self.trees as f64;
        for (mean, vote) in self.test.iter_mut().zip(votes.test) {
            *mean += (vote - *mean) * share;
        }
        for (row, vote) in votes.out_of_bag {
            let (mean, trees) = &mut self.out_of_bag[row as usize];
            *trees += 1;
            *mean += (vote - *mean) / f64::from(*trees);
        }
    }

    fn fit(&self, train: TrainSet<'_>) -> Fit {
        let mut details =
            vec![("trees", self.trees as f64), ("nodes_per_tree", self.nodes as f64 / self.trees as f64)];
        let (mut squares, mut cases) = (0.0, 0.0);
        for (row, (mean, trees)) in self.out_of_bag.iter().enumerate() {
            if *trees > 0 {
                let (weight, error) = (train.weight(row), mean - train.y[row]);
                squares += weight * (error * error);
                cases += weight;
            }
        }
        let mse = squares / cases;
        if mse.is_finite() {
            details.push(("oob_mse", mse));
        }
        Fit { predictions: self.test.clone(), converged: true, details }
    }
}
