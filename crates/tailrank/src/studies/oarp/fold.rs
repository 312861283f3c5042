//! One fold: its rows prepared, the candidates searched, the chosen ones and the tree judged on the test rows.

use tailrank_data::{Encoder, Kind, Library, Scaler, Scaling, Split, Table, TableOptions, TargetKind};
use tailrank_metrics::classification::BinaryCounts;
use tailrank_models::{
    FitContext, MatrixView,
    classification::{ClassSet, Classifier, DecisionTree, MonteCarloSampling},
};

use super::settings::{Preparation, Reading, Set, Settings, Tree};
use crate::studies::{Result, StudyError};

/// A data set and which of its rows are positive.
pub(super) struct Sample {
    pub(super) table: Table,
    pub(super) positive: Vec<bool>,
}

impl Sample {
    pub(super) fn load(set: &Set, library: &Library) -> Result<Self> {
        // The library knows target and identifiers; what is symbolic is the study's to say.
        let plain = library.table(&set.data, None)?.value;
        let table = if set.symbolic.is_empty() {
            plain
        } else {
            let options = TableOptions {
                kind: TargetKind::Classification,
                inputs: plain.column_names().into_iter().map(str::to_owned).collect(),
                categorical: set.symbolic.clone(),
                ..TableOptions::new(plain.target_name())
            };
            library.table(&set.data, Some(&options))?.value
        };
        Self::new(table, &set.positive)
    }

    pub(super) fn new(table: Table, positive: &str) -> Result<Self> {
        let wrong = |problem: String| StudyError::Missing(format!("{}: {problem}", table.name()));
        let Kind::Classification { classes } = table.kind() else {
            return Err(wrong(format!("target '{}' is not a class", table.target_name())));
        };
        let place = classes.iter().position(|c| c == positive);
        let place =
            place.ok_or_else(|| wrong(format!("no class '{positive}' among {}", classes.join(", "))))?;
        if classes.len() != 2 {
            return Err(wrong(format!("{} classes, where the measures know two", classes.len())));
        }
        let positive = table.targets().iter().map(|&c| c as usize == place).collect();
        Ok(Self { table, positive })
    }
}

/// Rows of a fold as numbers, gaps filled and scaled to 0 … 1.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Prepared {
    pub(super) inputs: usize,
    pub(super) train: Rows,
    pub(super) test: Rows,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Rows {
    values: Vec<f64>,
    positive: Vec<bool>,
}

impl Rows {
    #[cfg(test)]
    pub(super) fn values(&self) -> &[f64] {
        &self.values
    }

    fn set(&self, inputs: usize) -> Result<ClassSet<'_>> {
        let x = MatrixView::new(self.positive.len(), inputs, &self.values)?;
        Ok(ClassSet::new(x, &self.positive)?)
    }
}

/// Fills gaps (median, mode), codes symbols and scales, all learned from the rows that the reading says.
pub(super) fn prepare(sample: &Sample, split: &Split, reading: Reading) -> Result<Prepared> {
    let table = &sample.table;
    let learned: tailrank_data::Rows = match reading.preparation {
        Preparation::Training => split.train.clone(),
        Preparation::All => (0..table.rows()).into(),
    };
    let encoder = Encoder::fit_as(table, learned.iter(), reading.symbolic.into())?;
    let scaler = Scaler::fit(Scaling::MinMax, &encoder.encode(table, learned.iter()), encoder.cols())?;
    let rows = |rows: &tailrank_data::Rows| {
        let mut values = encoder.encode(table, rows.iter());
        scaler.apply(&mut values);
        Rows { values, positive: rows.iter().map(|r| sample.positive[r]).collect() }
    };
    Ok(Prepared { inputs: encoder.cols(), train: rows(&split.train), test: rows(&split.test) })
}

/// What one fold gave.
#[derive(Clone, Debug, PartialEq)]
pub struct Fold {
    /// The candidate that each criterion chose, in the order drawn.
    pub chosen: [usize; 3],
    /// Test accuracy of each of them.
    pub accuracy: [f64; 3],
    /// Candidates that share the best value of each criterion on the training rows.
    pub tied: [usize; 3],
    /// Different values of each criterion among the candidates on the training rows.
    pub distinct: [usize; 3],
    /// Test accuracy of the candidate that the test rows themselves would choose.
    pub best_possible: f64,
    /// Test accuracy of the tree; grown for the main reading alone.
    pub tree: Option<f64>,
}

/// Where a fold stands in the study.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) data: &'a str,
    /// Number of the fold over all runs.
    pub(super) number: usize,
    pub(super) reading: Reading,
    pub(super) tree: Option<Tree>,
}

/// Searches, chooses and judges.
pub(super) fn judge(settings: &Settings, place: Place<'_>, prepared: &Prepared) -> Result<Fold> {
    let (train, test) = (prepared.train.set(prepared.inputs)?, prepared.test.set(prepared.inputs)?);
    let context = FitContext::new(settings.seed);
    let sampling =
        MonteCarloSampling { candidates: settings.candidates, prototypes: place.reading.prototypes.into() };
    let search = sampling.search(train, &mut context.rng("oarp", place.data, place.number as u64))?;
    let on_test: Vec<f64> = search.counts_on(test)?.iter().map(accuracy).collect();
    let mut fold = Fold {
        chosen: [0; 3],
        accuracy: [0.0; 3],
        tied: [0; 3],
        distinct: [0; 3],
        best_possible: on_test.iter().copied().fold(0.0, f64::max),
        tree: None,
    };
    for (k, criterion) in place.reading.criteria().into_iter().enumerate() {
        let mut values: Vec<f64> = search.counts().iter().map(|c| criterion.value(c)).collect();
        let best = search.best(criterion);
        (fold.chosen[k], fold.accuracy[k]) = (best, on_test[best]);
        fold.tied[k] = values.iter().filter(|v| **v == values[best]).count();
        values.sort_unstable_by(f64::total_cmp);
        values.dedup();
        fold.distinct[k] = values.len();
    }
    if let Some(Tree { max_depth, min_leaf }) = place.tree {
        let tree = DecisionTree { max_depth, min_leaf };
        let said = tree.fit_predict(train, test.x, &context)?;
        fold.tree = Some(accuracy(&BinaryCounts::new(test.positive, &said)?));
    }
    Ok(fold)
}

/// A fold has test rows, so its accuracy is a number.
fn accuracy(counts: &BinaryCounts) -> f64 {
    counts.accuracy().value().unwrap_or(0.0)
}
