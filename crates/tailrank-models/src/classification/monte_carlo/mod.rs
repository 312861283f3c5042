//! Monte Carlo Sampling (Skalak 1994, as OARP11 uses it): the best of many random pairs of prototypes.
//!
//! A candidate is one prototype per class; a row belongs to the class of the nearer one by Euclidean
//! distance. Training is the choice among random candidates by a measure of their confusion matrix on the
//! training rows. The search is done once and serves any number of criteria, so that they are compared on the
//! same candidates.

mod criterion;
mod halfspaces;

use rand::{Rng, RngExt};
use tailrank_metrics::classification::BinaryCounts;

use super::{ClassSet, check_inputs};
use crate::{MatrixView, ModelError, Result};

pub use criterion::Criterion;

const NAME: &str = "Monte Carlo Sampling";

/// Where prototypes come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Prototypes {
    /// Training rows of the prototype's class, each as likely: instance selection.
    #[default]
    Instances,
    /// Points of the unit cube, each as likely, whatever the class.
    Uniform,
}

/// Random search for a pair of prototypes.
///
/// ```
/// use rand::SeedableRng;
/// use tailrank_models::{Matrix, classification::{ClassSet, Criterion, MonteCarloSampling, Prototypes}};
///
/// let x = Matrix::from_rows(&[[0.0], [0.1], [0.2], [0.9], [1.0]])?;
/// let train = ClassSet::new(x.view(), &[false, false, false, true, true])?;
/// let sampling = MonteCarloSampling { candidates: 20, prototypes: Prototypes::Instances };
/// let search = sampling.search(train, &mut rand_chacha::ChaCha8Rng::seed_from_u64(1))?;
/// let best = search.best(Criterion::Accuracy);
/// assert_eq!(search.counts()[best].accuracy().value(), Some(1.0));
/// assert_eq!(search.candidate(best).predict(x.view())?, [false, false, false, true, true]);
/// # Ok::<(), tailrank_models::ModelError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MonteCarloSampling {
    /// Candidates to draw; OARP11 has 500.
    pub candidates: usize,
    /// Where their prototypes come from.
    pub prototypes: Prototypes,
}

impl MonteCarloSampling {
    /// Draws the candidates and counts what each gets right on the training rows.
    pub fn search<R: Rng>(&self, train: ClassSet<'_>, rng: &mut R) -> Result<Search> {
        let classes = train.check_learnable()?;
        if self.candidates == 0 {
            return Err(ModelError::parameter(NAME, "candidates", "0", "at least 1"));
        }
        let inputs = train.x.cols();
        let mut prototypes = Vec::with_capacity(self.candidates * 2 * inputs);
        for _ in 0..self.candidates {
            for rows in &classes {
                match self.prototypes {
                    Prototypes::Instances => {
                        let row = rows[rng.random_range(0..rows.len() as u64) as usize];
                        prototypes.extend_from_slice(train.x.row(row));
                    }
                    Prototypes::Uniform => prototypes.extend((0..inputs).map(|_| rng.random::<f64>())),
                }
            }
        }
        let counts = halfspaces::count(&prototypes, train);
        Ok(Search { inputs, prototypes, counts })
    }
}

/// The candidates of one search and what they got right.
#[derive(Clone, Debug)]
pub struct Search {
    inputs: usize,
    /// Candidate after candidate: the negative, then the positive prototype.
    prototypes: Vec<f64>,
    counts: Vec<BinaryCounts>,
}

impl Search {
    /// What each candidate got right on the training rows.
    pub fn counts(&self) -> &[BinaryCounts] {
        &self.counts
    }

    /// The candidate that is best on the training rows; of equals, the one drawn first.
    pub fn best(&self, by: Criterion) -> usize {
        // A later candidate must be better, not as good: a search that keeps its best so far.
        let mut best = (0, f64::NEG_INFINITY);
        for (i, counts) in self.counts.iter().enumerate() {
            let value = by.value(counts);
            if value > best.1 {
                best = (i, value);
            }
        }
        best.0
    }

    /// One candidate, in the order drawn.
    pub fn candidate(&self, i: usize) -> Candidate<'_> {
        let (negative, positive) =
            self.prototypes[i * 2 * self.inputs..(i + 1) * 2 * self.inputs].split_at(self.inputs);
        Candidate { negative, positive }
    }

    /// What each candidate gets right on other rows.
    pub fn counts_on(&self, rows: ClassSet<'_>) -> Result<Vec<BinaryCounts>> {
        check_inputs("rows", rows.x, "candidates", self.inputs)?;
        Ok(halfspaces::count(&self.prototypes, rows))
    }
}

/// One prototype per class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate<'a> {
    /// Stands for the negative class.
    pub negative: &'a [f64],
    /// Stands for the positive class.
    pub positive: &'a [f64],
}

impl Candidate<'_> {
    /// Whether the positive prototype is the nearer one, row by row; rows as near to both are negative.
    pub fn predict(self, x: MatrixView<'_>) -> Result<Vec<bool>> {
        check_inputs("rows", x, "prototypes", self.negative.len())?;
        Ok(x.iter_rows().map(|row| halfspaces::nearer_to_positive(self, row)).collect())
    }
}
