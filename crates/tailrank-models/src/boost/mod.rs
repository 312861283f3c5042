//! Family `boost`: gradient-boosted regression trees for squared error, grown by [`forust_ml`].
//!
//! Chosen among the crates that train: forust-ml has histogram splits, seeded row sampling, answers that do not depend
//! on the number of threads, trees that can be read one by one (so that one ensemble serves all smaller ones) and few
//! dependencies. perpetual sets step and depth itself from one budget; smartcore's
//! `XGRegressor` sorts every column again in every node and offers no prefixes; gbdt has no seed.
//!
//! forust keeps gradients in f32, so targets are standardised before and scaled back after: boosting for squared error
//! commutes with that. Trees are grown in chunks of fifty, each on what the earlier ones left over, which is the
//! same ensemble and lets a fit stop at its deadline.

use std::collections::BTreeMap;

use forust_ml::{GradientBooster, Matrix as ForustMatrix, objective::ObjectiveType, sampler::SampleMethod};
use rand::Rng;

use crate::{
    Cost, Family, Fit, FitContext, MatrixView, ModelError, ParamKind, ParamSpec, Params, Result, Shape,
    TrainSet, engines::guarded, standardise::centre_and_scale,
};

/// Trees grown between two looks at the deadline.
const CHUNK: usize = 50;

const PARAMETERS: &[ParamSpec] = &[
    ParamSpec {
        name: "trees",
        kind: ParamKind::Int { min: 1, max: 1_000_000 },
        default: "100",
        doc: "number of trees; smaller ensembles are prefixes of larger ones",
    },
    ParamSpec {
        name: "learning_rate",
        kind: ParamKind::Real { min: 0.0, above: true, max: 1.0 },
        default: "0.1",
        doc: "share of each tree's correction that is added",
    },
    ParamSpec {
        name: "max_depth",
        kind: ParamKind::Int { min: 1, max: 64 },
        default: "3",
        doc: "questions between root and leaf",
    },
    ParamSpec {
        name: "min_rows",
        kind: ParamKind::Int { min: 1, max: 1 << 24 },
        default: "20",
        doc: "training rows in a leaf, at least",
    },
    ParamSpec {
        name: "subsample",
        kind: ParamKind::Real { min: 0.0, above: true, max: 1.0 },
        default: "1",
        doc: "chance of a training row to be used by a tree",
    },
];

/// Gradient-boosted trees.
#[derive(Clone, Copy, Debug)]
pub struct Boost;

/// All but the number of trees.
#[derive(Clone, Copy, Debug)]
struct Settings {
    learning_rate: f64,
    max_depth: usize,
    min_rows: i64,
    subsample: f64,
}

impl Settings {
    fn of(variant: &Params) -> Self {
        Self {
            learning_rate: variant.real("learning_rate", 0.1),
            max_depth: variant.int("max_depth", 3) as usize,
            min_rows: variant.int("min_rows", 20),
            subsample: variant.real("subsample", 1.0),
        }
    }

    fn booster(self, trees: usize, seed: u64) -> GradientBooster {
        let sampling = if self.subsample < 1.0 { SampleMethod::Random } else { SampleMethod::None };
        GradientBooster::default()
            .set_objective_type(ObjectiveType::SquaredLoss)
            .set_iterations(trees)
            .set_learning_rate(self.learning_rate as f32)
            .set_max_depth(self.max_depth)
            .set_max_leaves(usize::MAX)
            .set_min_leaf_weight(self.min_rows as f32)
            .set_l2(0.0)
            .set_base_score(0.0)
            .set_initialize_base_score(false)
            .set_sample_method(sampling)
            .set_subsample(self.subsample as f32)
            .set_seed(seed)
    }
}

fn trees_of(variant: &Params) -> usize {
    variant.int("trees", 100) as usize
}

impl Family for Boost {
    fn name(&self) -> &'static str {
        "boost"
    }

    fn engine(&self) -> &'static str {
        "forust"
    }

    fn version(&self) -> u32 {
        1
    }

    fn summary(&self) -> &'static str {
        "gradient-boosted trees on histograms"
    }

    fn parameters(&self) -> &'static [ParamSpec] {
        PARAMETERS
    }

    fn sharing_key(&self, variant: &Params) -> String {
        variant.without(&["trees"]).to_string()
    }

    fn estimate(&self, shape: Shape, variants: &[Params]) -> Cost {
        let cells = (shape.train_rows * shape.inputs) as f64;
        let mut largest = BTreeMap::new();
        for v in variants {
            let work = trees_of(v) as f64 * Settings::of(v).max_depth as f64;
            let most = largest.entry(self.sharing_key(v)).or_insert(0.0_f64);
            *most = most.max(work);
        }
        Cost {
            cpu_seconds: 3e-9 * cells * largest.values().sum::<f64>(),
            bytes: 24 * shape.train_rows * shape.inputs,
        }
    }

    fn fit_grid(
        &self,
        train: TrainSet<'_>,
        test: MatrixView<'_>,
        variants: &[Params],
        context: &FitContext,
    ) -> Vec<Result<Fit>> {
        let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (i, v) in variants.iter().enumerate() {
            groups.entry(self.sharing_key(v)).or_default().push(i);
        }
        let mut answers = vec![Err(ModelError::Cancelled); variants.len()];
        for members in groups.into_values() {
            let sizes: Vec<usize> = members.iter().map(|&i| trees_of(&variants[i])).collect();
            match prefixes(Settings::of(&variants[members[0]]), train, test, &sizes, context) {
                Ok(fits) => members.iter().zip(fits).for_each(|(&i, f)| answers[i] = Ok(Fit::converged(f))),
                Err(e) => members.iter().for_each(|&i| answers[i] = Err(e.clone())),
            }
        }
        answers
    }
}

/// Predictions of the first `sizes[i]` trees, for every i, from one ensemble.
fn prefixes(
    settings: Settings,
    train: TrainSet<'_>,
    test: MatrixView<'_>,
    sizes: &[usize],
    context: &FitContext,
) -> Result<Vec<Vec<f64>>> {
    let (centre, scale) = centre_and_scale(train.y);
    let mut rest: Vec<f64> = train.y.iter().map(|y| (y - centre) / scale).collect();
    let (inputs, queries) = (train.x.to_column_major(), test.to_column_major());
    let inputs = ForustMatrix::new(&inputs, train.x.rows(), train.x.cols());
    let queries = ForustMatrix::new(&queries, test.rows(), test.cols());
    let most = sizes.iter().copied().max().unwrap_or(0);
    let mut sum = vec![0.0; test.rows()];
    let mut at_size: BTreeMap<usize, Vec<f64>> = sizes.iter().map(|s| (*s, Vec::new())).collect();
    for first in (0..most).step_by(CHUNK) {
        context.check()?;
        // Every variant gets the same stream, so that differences between variants are not differences of luck. The
        // whole chunk is always grown: what follows a smaller ensemble does not change it.
        let seed = context.rng("boost", "", (first / CHUNK) as u64).next_u64();
        let booster = guarded("boost", "forust", || {
            let mut booster = settings.booster(CHUNK.min(most - first), seed);
            booster
                .fit_unweighted(&inputs, &rest, None)
                .map_err(|e| ModelError::Numerical { family: "boost", problem: e.to_string() })?;
            Ok(booster)
        })?;
        for (k, tree) in booster.trees.iter().enumerate() {
            let leaves = tree.predict(&queries, true, &booster.missing);
            sum.iter_mut().zip(leaves).for_each(|(s, v)| *s += v);
            if let Some(kept) = at_size.get_mut(&(first + k + 1)) {
                *kept = sum.iter().map(|s| centre + scale * s).collect();
            }
        }
        if first + CHUNK < most {
            let fitted = booster.predict(&inputs, true);
            rest.iter_mut().zip(fitted).for_each(|(r, f)| *r -= f);
        }
    }
    Ok(sizes.iter().map(|s| at_size[s].clone()).collect())
}
