//! All folds of all readings: rows prepared, candidates searched, the chosen ones and the tree judged on the
//! test rows.

use rayon::prelude::*;
use tailrank_data::{
    Coding, Encoder, KFold, Kind, Leak, Library, Rows, Scaler, Split, SplitRows, Stratify, Table,
    TableOptions, TargetKind, Timeline, draw_splits, strata_by_class,
};
use tailrank_experiment::EngineError;
use tailrank_metrics::classification::BinaryCounts;
use tailrank_models::{
    Cancel, FitContext, MatrixView,
    classification::{ClassSet, Criterion, DecisionTree, MonteCarloSampling, Prototypes},
};

use super::{
    results::{BEST_POSSIBLE, OarpResults, ReadingResults, SetResults, TREE},
    settings::{Change, Reading, Set, Settings},
};
use crate::studies::{Result, error::missing};

/// A data set and which of its rows are positive.
pub(super) struct Sample {
    pub(super) table: Table,
    positive: Vec<bool>,
}

impl Sample {
    fn load(set: &Set, library: &Library) -> Result<Self> {
        // The library knows target and identifiers; what is symbolic is the study's to say.
        let plain = library.table(&set.data, None)?.value;
        let options = TableOptions {
            kind: TargetKind::Classification,
            inputs: plain.column_names().into_iter().map(str::to_owned).collect(),
            categorical: set.symbolic.clone(),
            ..TableOptions::new(plain.target_name())
        };
        let table =
            if set.symbolic.is_empty() { plain } else { library.table(&set.data, Some(&options))?.value };
        Self::new(table, &set.positive)
    }

    pub(super) fn new(table: Table, positive: &str) -> Result<Self> {
        let wrong = |problem: String| missing(format!("{}: {problem}", table.name()));
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
    pub(super) train: ClassRows,
    pub(super) test: ClassRows,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct ClassRows {
    pub(super) values: Vec<f64>,
    positive: Vec<bool>,
}

impl ClassRows {
    fn set(&self, inputs: usize) -> Result<ClassSet<'_>> {
        let x = MatrixView::new(self.positive.len(), inputs, &self.values)?;
        Ok(ClassSet::new(x, &self.positive)?)
    }
}

/// Fills gaps (median, mode), codes symbols and scales, all learned from the rows that the reading says.
pub(super) fn prepare(sample: &Sample, split: &Split, reading: &Reading) -> Result<Prepared> {
    let table = &sample.table;
    let learned: Rows =
        if reading.has(Change::TrainingRows) { split.train.clone() } else { (0..table.rows()).into() };
    let coding = if reading.has(Change::OneHot) { Coding::OneHot } else { Coding::Number };
    let encoder = Encoder::fit_as(table, learned.iter(), coding)?;
    let scaler = Scaler::fit(&encoder.encode(table, learned.iter()), encoder.cols())?;
    let rows = |rows: &Rows| {
        let mut values = encoder.encode(table, rows.iter());
        scaler.apply(&mut values);
        ClassRows { values, positive: rows.iter().map(|r| sample.positive[r]).collect() }
    };
    Ok(Prepared { inputs: encoder.cols(), train: rows(&split.train), test: rows(&split.test) })
}

/// What one fold gave.
#[derive(Clone, Debug)]
pub(super) struct Fold {
    /// The candidate that each criterion chose, in the order drawn.
    pub(super) chosen: [usize; 3],
    /// Test accuracy of each of them, of the tree, and of the candidate that the test rows themselves would
    /// choose.
    pub(super) accuracy: [f64; 5],
    /// Candidates that share the best value of each criterion on the training rows.
    pub(super) tied: [usize; 3],
    /// Different values of each criterion among the candidates on the training rows.
    pub(super) distinct: [usize; 3],
}

/// Searches, chooses and judges. The tree is grown for the main reading alone.
pub(super) fn judge(
    settings: &Settings,
    reading: &Reading,
    data: &str,
    number: usize,
    prepared: &Prepared,
) -> Result<Fold> {
    let (train, test) = (prepared.train.set(prepared.inputs)?, prepared.test.set(prepared.inputs)?);
    let context = FitContext::new(settings.seed);
    let uniform = reading.has(Change::UniformPrototypes);
    let prototypes = if uniform { Prototypes::Uniform } else { Prototypes::Instances };
    let sampling = MonteCarloSampling { candidates: settings.candidates, prototypes };
    let search = sampling.search(train, &mut context.rng("oarp", data, number as u64))?;
    let on_test: Vec<f64> = search.counts_on(test)?.iter().map(accuracy).collect();
    let mut fold = Fold { chosen: [0; 3], accuracy: [f64::NAN; 5], tied: [0; 3], distinct: [0; 3] };
    fold.accuracy[BEST_POSSIBLE] = on_test.iter().copied().fold(0.0, f64::max);
    let f = if reading.has(Change::CommonerF) { Criterion::NegativeF } else { Criterion::F };
    for (k, criterion) in [Criterion::Accuracy, f, Criterion::Oarp].into_iter().enumerate() {
        let mut values: Vec<f64> = search.counts().iter().map(|c| criterion.value(c)).collect();
        let best = search.best(criterion);
        (fold.chosen[k], fold.accuracy[k]) = (best, on_test[best]);
        fold.tied[k] = values.iter().filter(|v| **v == values[best]).count();
        values.sort_unstable_by(f64::total_cmp);
        values.dedup();
        fold.distinct[k] = values.len();
    }
    if reading.changes.is_empty() {
        let tree = DecisionTree { max_depth: settings.max_depth, min_leaf: settings.min_leaf };
        let said = tree.fit_predict(train, test.x)?;
        fold.accuracy[TREE] = accuracy(&BinaryCounts::new(test.positive, &said)?);
    }
    Ok(fold)
}

/// A fold has test rows, so its accuracy is a number.
fn accuracy(counts: &BinaryCounts) -> f64 {
    counts.accuracy().value().unwrap_or(0.0)
}

/// Runs the study: every fold of every set under every reading.
///
/// Folds and candidates depend on the seed, the set and the number of the fold alone, so results are the same
/// for any number of threads, and readings are compared on the same folds and draws where they leave them
/// alike.
pub(super) fn run(settings: &Settings, library: &Library, cancel: &Cancel) -> Result<OarpResults> {
    let samples: Vec<Sample> =
        settings.sets.iter().map(|set| Sample::load(set, library)).collect::<Result<_>>()?;
    let of_set = |reading: &Reading, set: &Set, sample: &Sample| -> Result<SetResults> {
        let splits = folds(settings, sample, reading)?;
        let judged = splits.par_iter().enumerate().map(|(number, split)| {
            if cancel.is_cancelled() {
                return Err(EngineError::Interrupted.into());
            }
            judge(settings, reading, &set.data, number, &prepare(sample, split, reading)?)
        });
        let folds = judged.collect::<Result<_>>()?;
        Ok(SetResults { set: set.clone(), rows: sample.table.rows(), fold_count: settings.folds, folds })
    };
    let of_reading = |reading: &Reading| -> Result<ReadingResults> {
        let sets = settings.sets.par_iter().zip(&samples).map(|(set, sample)| of_set(reading, set, sample));
        Ok(ReadingResults { name: reading.name.clone(), sets: sets.collect::<Result<_>>()? })
    };
    let readings = settings.readings.par_iter().map(of_reading).collect::<Result<_>>()?;
    Ok(OarpResults { candidates: settings.candidates, readings })
}

/// The folds of a set, run after run.
pub(super) fn folds(settings: &Settings, sample: &Sample, reading: &Reading) -> Result<Vec<Split>> {
    let timeline = Timeline::points(sample.table.rows());
    let rows = SplitRows {
        strata: &|_| Ok(strata_by_class(sample.table.targets())),
        ..SplitRows::new(&timeline, settings.seed)
    };
    let folds = KFold {
        folds: settings.folds,
        repeats: settings.runs,
        shuffle: Some(true),
        stratify: (!reading.has(Change::NoStrata)).then_some(Stratify::Class),
        validation_fold: false,
    };
    Ok(draw_splits(&folds, &rows, Leak::Purged)?)
}
