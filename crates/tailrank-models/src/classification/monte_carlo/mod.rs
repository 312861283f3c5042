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

use super::{ClassSet, Classifier, check_columns};
use crate::{FitContext, MatrixView, ModelError, Result};

pub use criterion::Criterion;
use halfspaces::{Halfspaces, RowTiles};

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
            return Err(ModelError::Parameter {
                family: NAME,
                name: "candidates".into(),
                value: "0".into(),
                expected: "at least 1".into(),
            });
        }
        let inputs = train.x.cols();
        let mut prototypes = Vec::with_capacity(self.candidates * 2 * inputs);
        for _ in 0..self.candidates {
            for rows in &classes {
                match self.prototypes {
                    Prototypes::Instances => {
                        prototypes.extend_from_slice(
                            train.x.row(rows[rng.random_range(0..rows.len() as u64) as usize]),
                        );
                    }
                    Prototypes::Uniform => prototypes.extend((0..inputs).map(|_| rng.random::<f64>())),
                }
            }
        }
        let halfspaces = Halfspaces::new(&prototypes, inputs);
        let counts = halfspaces.count(&RowTiles::new(train));
        Ok(Search { inputs, prototypes, halfspaces, counts })
    }

    /// The classifier that this search with this criterion makes.
    pub fn by(self, criterion: Criterion) -> SelectedBy {
        SelectedBy { sampling: self, criterion }
    }
}

/// The candidates of one search and what they got right.
#[derive(Clone, Debug)]
pub struct Search {
    inputs: usize,
    /// Candidate after candidate: the negative, then the positive prototype.
    prototypes: Vec<f64>,
    halfspaces: Halfspaces,
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
        if rows.x.cols() != self.inputs {
            let problem = format!("rows have {} inputs, candidates {}", rows.x.cols(), self.inputs);
            return Err(ModelError::Data { problem });
        }
        Ok(self.halfspaces.count(&RowTiles::new(rows)))
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
        if x.cols() != self.negative.len() {
            let problem = format!("rows have {} inputs, prototypes {}", x.cols(), self.negative.len());
            return Err(ModelError::Data { problem });
        }
        Ok(x.iter_rows().map(|row| halfspaces::nearer_to_positive(self, row)).collect())
    }
}

/// Monte Carlo Sampling with the criterion that chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SelectedBy {
    sampling: MonteCarloSampling,
    criterion: Criterion,
}

impl Classifier for SelectedBy {
    fn name(&self) -> &'static str {
        NAME
    }

    fn fit_predict(
        &self,
        train: ClassSet<'_>,
        test: MatrixView<'_>,
        context: &FitContext,
    ) -> Result<Vec<bool>> {
        check_columns(train, test)?;
        // Every criterion sees the same candidates: the stream does not depend on it.
        let search = self.sampling.search(train, &mut context.rng(NAME, "candidates", 0))?;
        search.candidate(search.best(self.criterion)).predict(test)
    }
}
