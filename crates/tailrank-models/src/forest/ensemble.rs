//! Many trees, added up in the order of their streams.

use rayon::prelude::*;

use super::{
    grow::{ForestData, TreeBuilder},
    ranks::{Rank, Ranks},
    settings::Settings,
};
use crate::{Fit, Job, MatrixView, Result, TrainSet, standardise::power_of_two_near};

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
pub(super) fn fit_prefixes<R: Rank>(job: Job<'_>, settings: Settings, sizes: &[usize]) -> Result<Vec<Fit>> {
    let Job { train, test, context } = job;
    // Dividing by a power of two is exact, so no tree changes; only overflow of squares is avoided.
    let unit = power_of_two_near(train.y);
    let targets = train.y.iter().map(|y| y / unit).collect();
    let ranks = Ranks::<R>::new(train.x);
    let data = ForestData { x: train.x, targets, weights: train.weights, unit, ranks, settings, context };
    let stream_name = settings.stream_name();
    let vote = |builder: &mut TreeBuilder<R>, tree: usize| -> Result<Votes> {
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
            .map_init(|| TreeBuilder::new(train.x.rows(), train.x.cols()), vote)
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

impl<R: Rank> TreeBuilder<R> {
    fn votes(&self, train: MatrixView<'_>, test: MatrixView<'_>) -> Votes {
        let mut on_test = Vec::with_capacity(test.rows());
        self.tree.predict(test.as_slice(), test.cols(), 0..test.rows(), |value| on_test.push(value));
        let outside = || (0..self.counts.len()).filter(|&row| self.counts[row] == 0);
        let mut out_of_bag = Vec::new();
        self.tree.predict(train.as_slice(), train.cols(), outside(), |value| out_of_bag.push(value));
        Votes {
            test: on_test,
            out_of_bag: outside().map(|row| row as u32).zip(out_of_bag).collect(),
            nodes: self.tree.len(),
        }
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
