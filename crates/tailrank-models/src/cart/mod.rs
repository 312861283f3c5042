//! Regression trees with cost-complexity pruning: rpart's method "anova", to the last digit.
//!
//! Splits, competitors, complexities, the table of prunings and predictions equal rpart's for numeric inputs
//! without missing values. The order of every sum is rpart's too, because in small nodes several inputs split
//! equally well and rounding decides. One grown tree serves every `cp` of a grid.
//!
#![doc = include_str!("parameters.md")]

mod complexity;
mod grow;
mod model;
mod presort;

use std::collections::{BTreeMap, btree_map::Entry};

use complexity::FoldTree;
use grow::Grower;
use rand::seq::SliceRandom;

use crate::{
    Cost, Family, Fit, FitContext, Job, ModelError, ParamKind, ParamSpec, Params, Result, Shape, TrainSet,
    groups::fit_groups,
};

pub use complexity::CpRow;
pub use grow::CartSplit;
pub use model::{CartModel, CartNode};

/// When a tree stops growing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CartParams {
    /// A split must lower the error by this share of the root's, per split of its subtree.
    pub cp: f64,
    /// Fewest rows a node needs to be split.
    pub minsplit: usize,
    /// Fewest rows of a leaf.
    pub minbucket: usize,
    /// Splits on the way to any leaf.
    pub maxdepth: u32,
}

impl Default for CartParams {
    /// rpart's defaults: 0.01, 20, 7, 30.
    fn default() -> Self {
        Self { cp: 0.01, minsplit: 20, minbucket: 7, maxdepth: 30 }
    }
}

impl CartParams {
    /// rpart's rule for whichever of `minsplit` and `minbucket` is not given.
    fn new(variant: &Params) -> Self {
        let given = |name| variant.get(name).map(|_| variant.int(name, 0) as usize);
        let (minsplit, minbucket) = match (given("minsplit"), given("minbucket")) {
            (None, None) => (20, 7),
            (Some(minsplit), None) => (minsplit, (minsplit as f64 / 3.0).round_ties_even() as usize),
            (None, Some(minbucket)) => (minbucket.saturating_mul(3), minbucket),
            (Some(minsplit), Some(minbucket)) => (minsplit, minbucket),
        };
        Self {
            cp: variant.real("cp", 0.01),
            minsplit,
            // A leaf holds at least one row whatever rounding says.
            minbucket: minbucket.max(1),
            maxdepth: variant.int("maxdepth", 30) as u32,
        }
    }
}

const ROWS: ParamKind = ParamKind::Int { min: 1, max: u32::MAX as i64 };

const PARAMETERS: &[ParamSpec] = crate::parameters! {
    "cp" = "0.01", ParamKind::Real { min: 0.0, above: false, max: 1.0 },
        "smallest gain per split, as a share of the root's squared error";
    "minsplit" = "20", ROWS, "fewest rows a node needs to be split";
    "minbucket" = "auto", ROWS, "fewest rows of a leaf; minsplit / 3";
    "maxdepth" = "30", ParamKind::Int { min: 1, max: 30 }, "splits on the way to any leaf";
    "prune" = "none", ParamKind::Choice(&["none", "1se", "min"]),
        "prune to the lowest cross-validated error, or to the smallest tree within one standard error of it";
    "xval" = "10", ParamKind::Int { min: 2, max: u32::MAX as i64 }, "folds of that cross-validation";
};

impl CartModel {
    /// Fits a tree and fills in the cross-validated columns of its table; `folds` gives each row's fold.
    pub fn fit_cross_validated(
        train: TrainSet<'_>,
        params: &CartParams,
        folds: &[usize],
        context: &FitContext,
    ) -> Result<Self> {
        let (given, rows) = (folds.len(), train.y.len());
        if given != rows {
            return Err(ModelError::data(format!("{given} folds for {rows} training rows")));
        }
        let grower = Grower::new(train, context)?;
        let mut model = Self::cut_out(&grower.grow_all(params, params.cp)?, params);
        let trees = grower.grow_folds(folds, params, params.cp)?;
        grower.cross_validate(&mut model.cp_table, &trees, params);
        Ok(model)
    }
}

/// The `cart` family.
///
/// ```
/// use tailrank_models::{Cart, FitContext, Matrix, Params, TrainSet, fit_grid};
///
/// let x = Matrix::new(60, 1, (0..60).map(f64::from).collect())?;
/// let y: Vec<f64> = (0..60).map(|i| f64::from(i / 20)).collect();
/// let train = TrainSet::new(x.view(), &y);
/// let grid = [Params::new().with("cp", 0.5), Params::new().with("prune", "1se")];
/// let fits = fit_grid(&Cart, train, x.view(), &grid, &FitContext::new(1))?;
/// assert_eq!(fits[1].as_ref().unwrap().predictions[45], 2.0);
/// # Ok::<(), tailrank_models::ModelError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Cart;

impl Family for Cart {
    crate::family::facts! {
        name = "cart";
        version = 1;
        summary = "regression tree with cost-complexity pruning, as rpart's; one tree serves every cp";
        takes_weights = true;
        parameters = PARAMETERS;
        free_parameters = &["cp", "prune", "xval"];
    }

    fn estimate(&self, shape: Shape, variants: &[Params]) -> Cost {
        let cells = (shape.train_rows * shape.inputs) as f64;
        let levels = (shape.train_rows as f64).max(2.0).log2();
        let trees: i64 = variants
            .iter()
            .map(|v| {
                if standard_errors(v).is_some() { v.int("xval", 10).min(shape.train_rows as i64) } else { 0 }
            })
            .max()
            .map_or(1, |folds| folds + 1);
        Cost {
            cpu_seconds: 1e-8 * cells * levels * trees as f64,
            bytes: 24 * shape.train_rows * shape.inputs,
        }
    }

    fn fit_grid(&self, job: Job<'_>, variants: &[Params]) -> Vec<Result<Fit>> {
        let grid = match Grower::new(job.train, job.context) {
            Ok(grower) => Grid { job, grower },
            Err(error) => return vec![Err(error); variants.len()],
        };
        let shared = |v: &Params| CartParams { cp: 0.0, ..CartParams::new(v) };
        fit_groups(variants, shared, |_, members| grid.fit(members))
    }
}

/// How many standard errors from the lowest error a pruning may be, if there is to be one.
fn standard_errors(variant: &Params) -> Option<f64> {
    match variant.text("prune", "none") {
        "min" => Some(0.0),
        "1se" => Some(1.0),
        _ => None,
    }
}

/// What every variant of a grid uses.
struct Grid<'a> {
    job: Job<'a>,
    grower: Grower<'a>,
}

impl Grid<'_> {
    /// Fits variants that differ only in `cp` and in how it is chosen.
    fn fit(&self, members: &[&Params]) -> Result<Vec<Fit>> {
        let smallest = members.iter().map(|v| CartParams::new(v).cp).fold(f64::INFINITY, f64::min);
        let nodes = self.grower.grow_all(&CartParams::new(members[0]), smallest)?;
        let mut fold_trees: BTreeMap<usize, Vec<FoldTree>> = BTreeMap::new();
        let mut fits = Vec::with_capacity(members.len());
        for variant in members {
            let params = CartParams::new(variant);
            let mut model = CartModel::cut_out(&nodes, &params);
            if let Some(standard_errors) = standard_errors(variant) {
                let xval = (variant.int("xval", 10) as usize).min(self.job.train.y.len());
                let trees = match fold_trees.entry(xval) {
                    Entry::Occupied(known) => known.into_mut(),
                    Entry::Vacant(new) => {
                        new.insert(self.grower.grow_folds(&self.folds(xval), &params, smallest)?)
                    }
                };
                self.grower.cross_validate(&mut model.cp_table, trees, &params);
                if let Some(cp) = complexity::choose(&model.cp_table, standard_errors) {
                    model = model.prune(cp);
                }
            }
            fits.push(self.answer(&model));
        }
        Ok(fits)
    }

    /// Folds of nearly equal size, shuffled by a stream that depends on their number alone.
    fn folds(&self, xval: usize) -> Vec<usize> {
        let mut folds: Vec<usize> = (0..self.job.train.y.len()).map(|row| row % xval).collect();
        folds.shuffle(&mut self.job.context.rng("cart", &format!("xval={xval}"), 0));
        folds
    }

    fn answer(&self, model: &CartModel) -> Fit {
        let mut details = vec![("leaves", model.leaves() as f64)];
        if let Some(row) = model.cp_table.last() {
            details.push(("cp", row.cp));
            details.push(("relative_error", row.relative_error));
            if let Some((error, _)) = row.cross_validated {
                details.push(("xerror", error));
            }
        }
        Fit { predictions: model.predict(self.job.test), converged: true, details }
    }
}
