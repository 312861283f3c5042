//! What steps may see: the training rows of one split.

use std::ops::Range;

use super::{
    fields::{self, Field, fields},
    prepared::Inputs,
};
use crate::{MatrixView, ModelError, Result, TrainSet};

/// The relevance φ of a target value, from 0 to 1.
pub type Relevance<'a> = dyn Fn(f64) -> f64 + Sync + 'a;

/// A measure by its name, truth and predictions; larger is better, `None` where it is undefined.
pub type Measure<'a> = dyn Fn(&str, &[f64], &[f64]) -> Option<f64> + Sync + 'a;

/// How out-of-fold predictions of training rows are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Folds {
    /// Rows dealt out at random to this many folds.
    Random(usize),
    /// Rows in the order of time, cut into one block more than this; each block but the first is predicted
    /// from the rows before it whose labels end before it begins.
    TimeOrdered(usize),
}

/// The training rows of one split and what is known of them.
#[derive(Clone, Copy)]
pub struct StepContext<'a> {
    /// Rows after purging. Weights given here are refused where a step re-samples or weighs.
    pub train: TrainSet<'a>,
    /// The relevance of target values; also asked for synthetic ones.
    pub relevance: Option<&'a Relevance<'a>>,
    /// When each row was made, increasing with time; the order of the rows where it is not given.
    pub times: Option<&'a [i64]>,
    /// First and last moment each row's label depends on, in the units of `times`.
    pub labels: Option<&'a [(i64, i64)]>,
    /// Inputs that together stand for one category each, in their order: a code in one input, or one input
    /// per level. All others are quantities.
    pub categories: &'a [Range<usize>],
    /// How out-of-fold predictions are made.
    pub folds: Folds,
    /// The measures `stretch` may maximise.
    pub measure: Option<&'a Measure<'a>>,
}

impl<'a> StepContext<'a> {
    /// Rows without times, categories, relevance or measure; five random folds.
    pub fn new(train: TrainSet<'a>) -> Self {
        Self {
            train,
            relevance: None,
            times: None,
            labels: None,
            categories: &[],
            folds: Folds::Random(5),
            measure: None,
        }
    }

    /// With the relevance of target values.
    #[must_use]
    pub fn with_relevance(self, relevance: &'a Relevance<'a>) -> Self {
        Self { relevance: Some(relevance), ..self }
    }

    /// With a measure for `stretch` to maximise.
    #[must_use]
    pub fn with_measure(self, measure: &'a Measure<'a>) -> Self {
        Self { measure: Some(measure), ..self }
    }

    /// With the inputs that are categories.
    #[must_use]
    pub fn with_categories(self, categories: &'a [Range<usize>]) -> Self {
        Self { categories, ..self }
    }

    /// With the time of each row, and the interval its label depends on.
    #[must_use]
    pub fn with_times(self, times: &'a [i64], labels: Option<&'a [(i64, i64)]>) -> Self {
        Self { times: Some(times), labels, ..self }
    }

    /// With another way to make out-of-fold predictions.
    #[must_use]
    pub fn with_folds(self, folds: Folds) -> Self {
        Self { folds, ..self }
    }

    pub(super) fn check(&self, test: MatrixView<'_>) -> Result<()> {
        self.train.check(test)?;
        let rows = self.train.y.len();
        let fail = |problem: String| Err(ModelError::data(problem));
        for (what, len) in
            [("times", self.times.map(<[_]>::len)), ("label intervals", self.labels.map(<[_]>::len))]
        {
            if let Some(len) = len.filter(|len| *len != rows) {
                return fail(format!("{rows} training rows but {len} {what}"));
            }
        }
        let mut labels = (1..).zip(self.labels.unwrap_or_default());
        if let Some((row, (from, to))) = labels.find(|(_, (from, to))| from > to) {
            return fail(format!("the label of training row {row} ends at {to}, before it begins at {from}"));
        }
        fields::check(self.train.x.cols(), self.categories)?;
        let (Folds::Random(folds) | Folds::TimeOrdered(folds)) = self.folds;
        if folds < 2 && self.folds == Folds::Random(folds) || folds == 0 {
            return fail(format!("{folds} folds for out-of-fold predictions: use at least 2"));
        }
        Ok(())
    }

    /// All rows, as a step meets them first.
    pub(super) fn rows(&self) -> Rows<'a> {
        let rows = self.train.y.len();
        Rows {
            context: *self,
            x: Inputs::Borrowed(self.train.x),
            y: self.train.y.into(),
            weights: self.train.weights.map(Into::into),
            of: (0..rows).collect(),
        }
    }

    /// Some of the rows, copied.
    pub(super) fn select(&self, of: Vec<usize>) -> Result<Rows<'a>> {
        Ok(Rows {
            context: *self,
            x: Inputs::Owned(self.train.x.select(&of)?),
            y: of.iter().map(|&row| self.train.y[row]).collect::<Vec<_>>().into(),
            weights: self.train.weights.map(|w| of.iter().map(|&row| w[row]).collect::<Vec<_>>().into()),
            of,
        })
    }
}

/// The relevance, or the error of a step that cannot do without.
pub(super) fn required<'a, 'r>(
    step: &'static str,
    relevance: Option<&'a Relevance<'r>>,
) -> Result<&'a Relevance<'r>> {
    relevance.ok_or_else(|| ModelError::step(step, "needs a relevance function; add one to the experiment"))
}

/// The rows a recipe is applied to: all training rows, or those of a fold.
pub struct Rows<'a> {
    pub(super) context: StepContext<'a>,
    pub(super) x: Inputs<'a>,
    pub(super) y: std::borrow::Cow<'a, [f64]>,
    pub(super) weights: Option<std::borrow::Cow<'a, [f64]>>,
    /// Which training row each is.
    pub(super) of: Vec<usize>,
}

impl Rows<'_> {
    /// Inputs.
    pub fn x(&self) -> MatrixView<'_> {
        self.x.view()
    }

    /// Targets.
    pub fn y(&self) -> &[f64] {
        &self.y
    }

    /// When a row was made.
    pub fn time(&self, row: usize) -> i64 {
        let row = self.of[row];
        self.context.times.map_or(row as i64, |t| t[row])
    }

    pub(super) fn fields(&self) -> Vec<Field> {
        fields(self.x.view().cols(), self.context.categories)
    }

    /// The relevance of each target; an error in the name of `step` where there is no relevance function.
    pub fn relevances(&self, step: &'static str) -> Result<Vec<f64>> {
        let relevance = required(step, self.context.relevance)?;
        Ok(self.y.iter().map(|y| relevance(*y)).collect())
    }
}
