//! Family `knn`: the mean target of the k nearest training rows.
//!
//! Neighbours at the same distance count in the order of their training rows, as in FNN's brute search. With
//! `weights = "inverse"` a neighbour counts 1/distance; neighbours at distance 0 then count alone, as in
//! scikit-learn.
//!
//! Case weights weigh the neighbours' targets; `k` still counts rows. A row of weight 0 is not there.
//!
//! Distances are Euclidean, by plain differences, with one search for all k of a grid. A filter in single
//! precision, which only rules out rows that are provably too far, leaves few of them to compute. A k-d tree
//! was left out: with the 24 inputs of a return embedding it visits nearly every leaf.
//!
#![doc = include_str!("parameters.md")]

mod filter;
mod neighbours;

use rayon::prelude::*;

use crate::{
    Cost, Family, Fit, Job, ModelError, ParamKind, ParamSpec, Params, Result, Shape, TrainSet,
    groups::fit_groups,
};

pub(crate) use neighbours::{Best, Neighbour, Search};

/// Default `k`.
const K: i64 = 5;
/// Test rows per parallel task, and between two looks at the deadline.
const ROWS_PER_TASK: usize = 96;

const PARAMETERS: &[ParamSpec] = crate::parameters! {
    "k" = "5", ParamKind::Int { min: 1, max: i64::MAX }, "neighbours; at most the number of training rows";
    "weights" = "uniform", ParamKind::Choice(&["uniform", "inverse"]),
        "inverse: a neighbour counts 1/distance";
};

/// Nearest-neighbour regression.
#[derive(Clone, Copy, Debug)]
pub struct Knn;

impl Family for Knn {
    crate::family::facts! {
        name = "knn";
        version = 1;
        summary = "mean target of the k nearest training rows";
        takes_weights = true;
        parameters = PARAMETERS;
        free_parameters = &["k", "weights"];
    }

    fn estimate(&self, shape: Shape, variants: &[Params]) -> Cost {
        let k = variants.iter().map(|v| (v.int("k", K) as usize).min(shape.train_rows)).max().unwrap_or(1);
        let (rows, queries) = (shape.train_rows as f64, shape.test_rows as f64);
        let pair = 3e-11 * shape.inputs as f64 + 2e-10;
        let cpu_seconds =
            1e-8 * rows * shape.inputs as f64 + queries * (rows * pair + 4e-6 + 1e-7 * k as f64);
        // Two tasks side by side, each list at most twice as long as asked for.
        let lists = 2 * ROWS_PER_TASK * 2 * size_of::<Neighbour>() * k;
        let answers = 16 * shape.test_rows * variants.len();
        Cost { cpu_seconds, bytes: 12 * shape.train_rows * (shape.inputs + 1) + lists + answers }
    }

    fn fit_grid(&self, job: Job<'_>, variants: &[Params]) -> Vec<Result<Fit>> {
        let key = |v: &Params| check_k(v, job.train);
        fit_groups(variants, key, |checked, members| {
            checked?;
            let asked: Vec<Asked> = members.iter().map(|v| Asked::of(v)).collect();
            Ok(predict(job, &asked)?.into_iter().map(Fit::converged).collect())
        })
    }
}

/// What one variant asks of the neighbour lists.
struct Asked {
    k: usize,
    inverse: bool,
}

impl Asked {
    fn of(variant: &Params) -> Self {
        Self { k: variant.int("k", K) as usize, inverse: variant.text("weights", "uniform") == "inverse" }
    }

    fn prediction(&self, neighbours: &[Neighbour], train: TrainSet<'_>) -> f64 {
        let nearest = &neighbours[..self.k];
        let exact = nearest.iter().take_while(|n| n.distance == 0.0).count();
        let case = |n: &Neighbour| train.weight(n.row);
        let mean = |counted: &[Neighbour], weight: &dyn Fn(&Neighbour) -> f64| {
            let (sum, weights) = counted.iter().fold((0.0, 0.0), |(sum, weights), n| {
                let w = weight(n);
                (sum + w * train.y[n.row], weights + w)
            });
            sum / weights
        };
        if self.inverse && exact == 0 {
            // Weights relative to the nearest neighbour's stay finite at any scale.
            let unit = nearest[0].distance;
            return mean(nearest, &|n| {
                // Equal also when both are infinite: seen from that far off, all rows are.
                case(n) * if n.distance == unit { 1.0 } else { unit / n.distance }
            });
        }
        mean(if self.inverse { &nearest[..exact] } else { nearest }, &case)
    }
}

fn check_k(variant: &Params, train: TrainSet<'_>) -> Result<()> {
    let k = variant.int("k", K);
    if k as usize <= train.y.len() {
        return Ok(());
    }
    Err(ModelError::parameter("knn", "k", k, format!("use at most the {} training rows", train.y.len())))
}

/// One prediction vector per variant asked, from one pass over all pairs of rows.
fn predict(job: Job<'_>, asked: &[Asked]) -> Result<Vec<Vec<f64>>> {
    let Job { train, test, context } = job;
    let search = Search::new(train.x);
    let most = asked.iter().map(|a| a.k).max().unwrap_or(1);
    let tasks: Vec<usize> = (0..test.rows()).step_by(ROWS_PER_TASK).collect();
    let blocks: Vec<Vec<f64>> = tasks
        .into_par_iter()
        .map(|start| {
            context.check()?;
            let end = (start + ROWS_PER_TASK).min(test.rows());
            let mut out = Vec::with_capacity((end - start) * asked.len());
            search.nearest((start..end).map(|i| test.row(i)), most, |nearest| {
                out.extend(asked.iter().map(|a| a.prediction(nearest, train)));
            });
            Ok(out)
        })
        .collect::<Result<_>>()?;
    let mut predictions = vec![Vec::with_capacity(test.rows()); asked.len()];
    for row in blocks.iter().flat_map(|b| b.chunks_exact(asked.len())) {
        for (p, v) in predictions.iter_mut().zip(row) {
            p.push(*v);
        }
    }
    Ok(predictions)
}
