//! Learners of two classes: Monte Carlo Sampling of prototypes (OARP11) and linfa's decision tree.
//!
//! Classes are no numbers to be wrong by, so these learners stand beside the [`Family`](crate::Family) of
//! regression.

use linfa::{
    DatasetBase,
    traits::{Fit, Predict},
};
use linfa_trees::DecisionTree as LinfaTree;
use ndarray::Array1;
use rand::{Rng, RngExt};
use tailrank_metrics::classification::BinaryCounts;

use crate::{MatrixView, ModelError, Result, engines::linfa::to_array};

/// Rows of two classes.
#[derive(Clone, Copy, Debug)]
pub struct ClassSet<'a> {
    /// Inputs, one row per case.
    pub x: MatrixView<'a>,
    /// Whether each row is of the positive class.
    pub positive: &'a [bool],
}

impl<'a> ClassSet<'a> {
    /// Rows and their classes; every row has one, and inputs are finite.
    pub fn new(x: MatrixView<'a>, positive: &'a [bool]) -> Result<Self> {
        if x.rows() != positive.len() {
            return Err(ModelError::data(format!("{} rows but {} classes", x.rows(), positive.len())));
        }
        check_finite(x)?;
        Ok(Self { x, positive })
    }

    /// Rows of the negative and of the positive class, in order; every learner needs both, and an input.
    fn check_learnable(self) -> Result<[Vec<usize>; 2]> {
        let of = |class: bool| (0..self.positive.len()).filter(|&i| self.positive[i] == class).collect();
        let classes: [Vec<usize>; 2] = [of(false), of(true)];
        let inputs = self.x.cols();
        if inputs == 0 || classes.iter().any(Vec::is_empty) {
            let [negative, positive] = classes.map(|c| c.len());
            let problem =
                format!("{negative} negative and {positive} positive training rows × {inputs} inputs");
            return Err(ModelError::data(format!("{problem}: each must be at least 1")));
        }
        Ok(classes)
    }
}

fn check_finite(x: MatrixView<'_>) -> Result<()> {
    let fail = |(row, col, value)| ModelError::data(format!("input row {row}, column {col} is {value}"));
    x.first_not_finite().map_or(Ok(()), |found| Err(fail(found)))
}

fn check_inputs(rows: &str, x: MatrixView<'_>, learned: &str, inputs: usize) -> Result<()> {
    if x.cols() == inputs {
        return Ok(());
    }
    Err(ModelError::data(format!("{rows} have {} inputs, {learned} {inputs}", x.cols())))
}

const DECISION_TREE: &str = "decision tree";

/// A positive row weighs this much less than a negative one.
///
/// linfa-trees 0.8 takes the class of a leaf from a hash map with a random order, so a leaf with as many rows
/// of either class would change from run to run. With unequal weights such leaves are negative. A power of
/// two keeps sums exact, and other leaves keep their majority up to 8190 rows.
const LIGHTER: f32 = 1.0 / 4096.0;

/// linfa's decision tree by Gini impurity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecisionTree {
    /// Most splits between root and leaf.
    pub max_depth: usize,
    /// Least number of training rows in a leaf.
    pub min_leaf: usize,
}

impl DecisionTree {
    /// Learns from `train` and says of each row of `test` whether it is positive.
    ///
    /// ```
    /// use tailrank_models::{Matrix, classification::{ClassSet, DecisionTree}};
    ///
    /// let x = Matrix::from_rows(&[[0.1], [0.2], [0.3], [0.6], [0.8]])?;
    /// let train = ClassSet::new(x.view(), &[false, false, false, true, true])?;
    /// let tree = DecisionTree { max_depth: 3, min_leaf: 1 };
    /// let test = Matrix::from_rows(&[[0.4], [0.5]])?;
    /// assert_eq!(tree.fit_predict(train, test.view())?, [false, true]);
    /// # Ok::<(), tailrank_models::ModelError>(())
    /// ```
    pub fn fit_predict(&self, train: ClassSet<'_>, test: MatrixView<'_>) -> Result<Vec<bool>> {
        for (name, value) in [("max_depth", self.max_depth), ("min_leaf", self.min_leaf)] {
            if value == 0 {
                return Err(ModelError::parameter(DECISION_TREE, name, "0", "at least 1"));
            }
        }
        train.check_learnable()?;
        check_finite(test)?;
        check_inputs("test rows", test, "training rows", train.x.cols())?;
        let weights = train.positive.iter().map(|&p| if p { 1.0 - LIGHTER } else { 1.0 }).collect();
        let dataset = DatasetBase::new(to_array(train.x)?, Array1::from(train.positive.to_vec()))
            .with_weights(Array1::from_vec(weights));
        let tree = LinfaTree::<f64, bool>::params()
            .max_depth(Some(self.max_depth))
            // Between what `min_leaf` positive rows weigh and what one row less would.
            .min_weight_leaf(self.min_leaf as f32 - 0.5)
            .fit(&dataset)
            .map_err(|e: linfa::Error| ModelError::numerical(DECISION_TREE, e.to_string()))?;
        let predicted: Array1<bool> = tree.predict(&to_array(test)?);
        Ok(predicted.to_vec())
    }
}

// Monte Carlo Sampling (Skalak 1994, as OARP11 uses it): the best of many random pairs of prototypes.
//
// A candidate is one prototype per class; a row belongs to the class of the nearer one by Euclidean
// distance. Training is the choice among random candidates by a measure of their confusion matrix on the
// training rows. The search is done once and serves any number of criteria, so that they are compared on the
// same candidates.

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
        let counts = count(&prototypes, train);
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
        let values: Vec<f64> = self.counts.iter().map(|counts| by.value(counts)).collect();
        // Of equals `max_by` takes the last.
        (0..values.len()).rev().max_by(|&a, &b| values[a].total_cmp(&values[b])).unwrap_or(0)
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
        Ok(count(&self.prototypes, rows))
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
        Ok(nearer_to_positive(self, &x.to_column_major(), x.rows()))
    }
}

/// The measure by which a candidate is chosen on the training rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Criterion {
    /// Share of rows classified rightly.
    Accuracy,
    /// F₁ of the positive class.
    F,
    /// F₁ of the negative class.
    NegativeF,
    /// Accuracy less a tenth of the average relationship index (OARP11).
    Oarp,
}

impl Criterion {
    /// The measure's value; an undefined one, such as the F of a class that is never called, is below every
    /// other.
    pub fn value(self, counts: &BinaryCounts) -> f64 {
        let score = match self {
            Self::Accuracy => counts.accuracy().value(),
            Self::F => f1(counts.tp, counts.fp, counts.fn_),
            Self::NegativeF => f1(counts.tn, counts.fn_, counts.fp),
            Self::Oarp => counts.oarp().value(),
        };
        score.unwrap_or(f64::NEG_INFINITY)
    }
}

/// F₁ = 2·hits/(2·hits + false + missed): one division of whole numbers, so that equal values have equal bits
/// and the first candidate of equals is found.
fn f1(hits: u64, false_calls: u64, missed: u64) -> Option<f64> {
    let called = hits + false_calls > 0;
    called.then(|| (2 * hits) as f64 / (2 * hits + false_calls + missed) as f64)
}

// Many candidates against many rows at once.
//
// A row x is nearer to b than to a where x·(b − a) > (|b|² − |a|²)/2: every candidate is a half-space, and
// classifying all rows by all candidates is a matrix product of which only the signs are counted. Sums run
// over the inputs in order for every row, so the answer has the same bits on any machine.

/// Squared distances closer than this share of the squared prototypes are equal: rounding must not decide a
/// tie.
const EQUAL: f64 = 1e-12;

/// Whether each row, given by its columns, is nearer to the positive prototype.
fn nearer_to_positive(candidate: Candidate<'_>, columns: &[f64], rows: usize) -> Vec<bool> {
    let square = |v: &[f64]| v.iter().map(|v| v * v).sum::<f64>();
    let (a, b) = (square(candidate.negative), square(candidate.positive));
    let offset = (b - a) / 2.0 + EQUAL * (1.0 + a + b);
    let normal = candidate.positive.iter().zip(candidate.negative).map(|(b, a)| b - a);
    let mut sums = vec![0.0; rows];
    for (column, w) in columns.chunks_exact(rows.max(1)).zip(normal) {
        sums.iter_mut().zip(column).for_each(|(sum, x)| *sum += x * w);
    }
    sums.iter().map(|sum| *sum > offset).collect()
}

/// The confusion matrix of every candidate, given by its negative and its positive prototype one after the
/// other.
fn count(prototypes: &[f64], set: ClassSet<'_>) -> Vec<BinaryCounts> {
    let (inputs, columns) = (set.x.cols(), set.x.to_column_major());
    let of_candidate = |pair: &[f64]| {
        let (negative, positive) = pair.split_at(inputs);
        // By class and call.
        let mut counts = [[0; 2]; 2];
        let said = nearer_to_positive(Candidate { negative, positive }, &columns, set.x.rows());
        for (said, &positive) in said.into_iter().zip(set.positive) {
            counts[usize::from(positive)][usize::from(said)] += 1;
        }
        let [[tn, fp], [fn_, tp]] = counts;
        BinaryCounts { tp, fp, tn, fn_ }
    };
    prototypes.chunks_exact(2 * inputs).map(of_candidate).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_those_of_the_measures() {
        let counts = BinaryCounts { tp: 7, fp: 2, tn: 11, fn_: 4 };
        let swapped = BinaryCounts { tp: 11, fp: 4, tn: 7, fn_: 2 };
        let of = |c: &BinaryCounts| c.f(1.0).unwrap().value().unwrap();
        assert!((Criterion::F.value(&counts) - of(&counts)).abs() < 1e-15);
        assert!((Criterion::NegativeF.value(&counts) - of(&swapped)).abs() < 1e-15);
        assert_eq!(Criterion::Accuracy.value(&counts), 0.75);
        assert_eq!(Criterion::Oarp.value(&counts), counts.oarp().value().unwrap());
        assert!((Criterion::Oarp.value(&swapped) - Criterion::Oarp.value(&counts)).abs() < 1e-15);
    }

    #[test]
    fn a_class_never_called_has_the_least_f() {
        let silent = BinaryCounts { tp: 0, fp: 0, tn: 9, fn_: 1 };
        let wrong = BinaryCounts { tp: 0, fp: 9, tn: 0, fn_: 1 };
        assert!(Criterion::F.value(&silent) < Criterion::F.value(&wrong));
        assert_eq!(Criterion::F.value(&wrong), 0.0);
        assert!(Criterion::NegativeF.value(&silent) > 0.9);
    }
}

#[cfg(test)]
mod tests_of_halfspaces {
    use super::*;
    use crate::Matrix;

    /// Both Euclidean distances, as the paper words it.
    fn by_distance(candidate: Candidate<'_>, row: &[f64]) -> bool {
        let far = |p: &[f64]| p.iter().zip(row).map(|(p, x)| (x - p) * (x - p)).sum::<f64>().sqrt();
        far(candidate.negative) - far(candidate.positive) > 1e-12
    }

    #[test]
    fn counts_are_those_of_distances_in_every_shape() {
        // Twelfths make many exact ties, and sizes around the tiles leave every kind of filling.
        let mut state = 1_u64;
        let mut draw = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as f64 % 13.0 / 12.0
        };
        for (rows, inputs, candidates) in [(1, 1, 1), (7, 2, 3), (16, 3, 4), (41, 9, 9), (64, 19, 13)] {
            let x = Matrix::new(rows, inputs, (0..rows * inputs).map(|_| draw()).collect()).unwrap();
            let positive: Vec<bool> = (0..rows).map(|_| draw() < 0.4).collect();
            let prototypes: Vec<f64> = (0..candidates * 2 * inputs).map(|_| draw()).collect();
            let set = ClassSet { x: x.view(), positive: &positive };
            let counts = count(&prototypes, set);
            assert_eq!(counts.len(), candidates);
            for (pair, counts) in prototypes.chunks(2 * inputs).zip(counts) {
                let (negative, positive_prototype) = pair.split_at(inputs);
                let candidate = Candidate { negative, positive: positive_prototype };
                let near: Vec<bool> = x.view().iter_rows().map(|r| by_distance(candidate, r)).collect();
                assert_eq!(counts, BinaryCounts::new(&positive, &near).unwrap());
                let said = candidate.predict(x.view()).unwrap();
                assert_eq!(said, near);
            }
        }
    }
}
