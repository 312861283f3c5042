//! What steps may see: the training rows of one split.

use std::ops::Range;

use crate::{Matrix, MatrixView, ModelError, Result, TrainSet};

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
        check_categories(self.train.x.cols(), self.categories)?;
        let (Folds::Random(folds) | Folds::TimeOrdered(folds)) = self.folds;
        if folds < 2 && self.folds == Folds::Random(folds) || folds == 0 {
            return fail(format!("{folds} folds for out-of-fold predictions: use at least 2"));
        }
        Ok(())
    }

    /// All rows, copied: as a step meets them first.
    pub(super) fn rows(&self) -> Result<Rows<'a>> {
        self.select((0..self.train.y.len()).collect())
    }

    /// Some of the rows, copied.
    pub(super) fn select(&self, of: Vec<usize>) -> Result<Rows<'a>> {
        Ok(Rows {
            context: *self,
            x: self.train.x.select(&of)?,
            y: of.iter().map(|&row| self.train.y[row]).collect(),
            weights: self.train.weights.map(|w| of.iter().map(|&row| w[row]).collect()),
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
    pub(super) x: Matrix,
    pub(super) y: Vec<f64>,
    pub(super) weights: Option<Vec<f64>>,
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

    /// The relevance of each target; an error in the name of `step` where there is no relevance function, or
    /// one that leaves the range from 0 to 1.
    pub fn relevances(&self, step: &'static str) -> Result<Vec<f64>> {
        let relevance = required(step, self.context.relevance)?;
        let phi: Vec<f64> = self.y.iter().map(|y| relevance(*y)).collect();
        if let Some(i) = phi.iter().position(|p| !(0.0..=1.0).contains(p)) {
            let problem = format!("the relevance of training row {} is {}, not from 0 to 1", i + 1, phi[i]);
            return Err(ModelError::step(step, problem));
        }
        Ok(phi)
    }
}

/// Rows and weights after the steps of a recipe that come before the family.
#[derive(Clone, Debug)]
pub struct Prepared {
    pub(super) x: Matrix,
    pub(super) y: Vec<f64>,
    pub(super) weights: Option<Vec<f64>>,
    /// The training rows each row was made of: twice the same for a row that is one of them.
    pub parents: Vec<[usize; 2]>,
    /// Whether the limit on the grown size held back some rows.
    pub limited: bool,
    /// Rare bumps left as they were because they have a single row.
    pub single_rows: usize,
}

impl Prepared {
    /// The rows as they are.
    pub(super) fn unchanged(rows: Rows<'_>) -> Self {
        let parents = rows.of.iter().map(|&row| [row, row]).collect();
        Self { x: rows.x, y: rows.y, weights: rows.weights, parents, limited: false, single_rows: 0 }
    }

    /// Some of the rows, by their places; a place given twice is a row that counts twice.
    pub fn of_rows(rows: &Rows<'_>, chosen: &[usize]) -> Result<Self> {
        let x = rows.x.view().select(chosen)?;
        let y = chosen.iter().map(|&row| rows.y[row]).collect();
        Ok(Self::new(x, y, chosen.iter().map(|&row| [rows.of[row]; 2]).collect()))
    }

    /// New rows, each with the training rows it was made of.
    pub fn new(x: Matrix, y: Vec<f64>, parents: Vec<[usize; 2]>) -> Self {
        Self { x, y, weights: None, parents, limited: false, single_rows: 0 }
    }

    /// Inputs.
    pub fn x(&self) -> MatrixView<'_> {
        self.x.view()
    }

    /// Targets.
    pub fn y(&self) -> &[f64] {
        &self.y
    }

    /// Weights, where a step gave some.
    pub fn weights(&self) -> Option<&[f64]> {
        self.weights.as_deref()
    }

    /// As a training set.
    pub fn train_set(&self) -> TrainSet<'_> {
        TrainSet { x: self.x(), y: &self.y, weights: self.weights() }
    }
}

/// Inputs that belong together, in their order: runs of quantities, and categories whole, so that a one-hot
/// category stays one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Field {
    /// Numbers, each on its own.
    Quantities(Range<usize>),
    /// One category: a code in one input, or one input per level.
    Category(Range<usize>),
}

/// The fields of `inputs` inputs, some of which are categories (checked).
pub(super) fn fields(inputs: usize, categories: &[Range<usize>]) -> Vec<Field> {
    let mut found = Vec::new();
    let mut next = 0;
    for category in categories {
        if next < category.start {
            found.push(Field::Quantities(next..category.start));
        }
        found.push(Field::Category(category.clone()));
        next = category.end;
    }
    if next < inputs {
        found.push(Field::Quantities(next..inputs));
    }
    found
}

/// Categories must name inputs that there are, in their order, and none twice.
fn check_categories(inputs: usize, categories: &[Range<usize>]) -> Result<()> {
    let mut next = 0;
    for category in categories {
        if category.start < next || category.is_empty() || category.end > inputs {
            return Err(ModelError::data(format!(
                "inputs {}..{} cannot be a category: list categories in the order of the {inputs} inputs, \
                 each once",
                category.start, category.end
            )));
        }
        next = category.end;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_input_is_in_one_field() {
        let found = fields(7, &[1..4, 4..5]);
        assert_eq!(
            found,
            [Field::Quantities(0..1), Field::Category(1..4), Field::Category(4..5), Field::Quantities(5..7)]
        );
        assert_eq!(fields(2, &[]), [Field::Quantities(0..2)]);
        assert_eq!(fields(2, &[0..2]), [Field::Category(0..2)]);
    }

    #[test]
    fn categories_that_cannot_be_are_refused() {
        for wrong in [vec![2..4], vec![1..1], vec![1..2, 0..1], vec![0..2, 1..3]] {
            let message = check_categories(3, &wrong).unwrap_err().to_string();
            assert!(message.contains("cannot be a category"), "{message}");
        }
        assert!(check_categories(3, &[0..1, 1..3]).is_ok() && check_categories(3, &[]).is_ok());
    }
}
