//! All folds of all readings, in parallel and always the same.

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use tailrank_data::{Leak, Split, SplitPlan, Timeline, strata_by_class};

use super::{
    fold::{Place, Sample, judge, prepare},
    results::{OarpResults, ReadingResults, SetResults},
    settings::{Reading, Settings},
};
use crate::studies::{Result, Setting, StudyError};

/// Runs the study: every fold of every set under every reading.
///
/// Folds and candidates depend on the seed, the set and the number of the fold alone, so results are the same for any
/// number of threads, and readings are compared on the same folds and draws where they leave them alike.
pub fn run(settings: &Settings, with: &Setting<'_>) -> Result<OarpResults> {
    let samples: Vec<Sample> =
        settings.sets.iter().map(|set| Sample::load(set, with.library)).collect::<Result<_>>()?;
    let mut readings = vec![("the main one".to_owned(), settings.reading)];
    readings.extend(settings.other_readings.iter().map(|o| (o.name.clone(), o.of(settings.reading))));

    let splits = |reading: Reading| -> Result<Vec<Vec<Split>>> {
        samples.iter().map(|sample| folds(settings, sample, reading.stratified)).collect()
    };
    let by_reading: Vec<Vec<Vec<Split>>> =
        readings.iter().map(|(_, reading)| splits(*reading)).collect::<Result<_>>()?;
    let each = settings.runs * settings.folds;
    let total = readings.len() * samples.len() * each;
    let done = AtomicUsize::new(0);
    let all = (0..total)
        .into_par_iter()
        .map(|job| {
            if with.cancel.is_cancelled() {
                return Err(StudyError::Interrupted);
            }
            let (reading, set, number) = (job / each / samples.len(), job / each % samples.len(), job % each);
            let place = Place {
                data: &settings.sets[set].data,
                number,
                reading: readings[reading].1,
                tree: settings.tree.filter(|_| reading == 0),
            };
            let prepared = prepare(&samples[set], &by_reading[reading][set][number], place.reading)?;
            let fold = judge(settings, place, &prepared)?;
            (with.progress)(done.fetch_add(1, Ordering::Relaxed) + 1, total);
            Ok(fold)
        })
        .collect::<Result<Vec<_>>>()?;

    let mut folds = all.into_iter();
    let mut take = |(name, _): &(String, Reading)| ReadingResults {
        name: name.clone(),
        sets: settings
            .sets
            .iter()
            .zip(&samples)
            .map(|(set, sample)| SetResults {
                label: set.label.clone(),
                rows: sample.table.rows(),
                fold_count: settings.folds,
                folds: folds.by_ref().take(each).collect(),
            })
            .collect(),
    };
    let main = take(&readings[0]);
    let others = readings[1..].iter().map(take).collect();
    Ok(OarpResults { level: settings.level, candidates: settings.candidates, main, others })
}

/// The folds of a set, run after run.
pub(super) fn folds(settings: &Settings, sample: &Sample, stratified: bool) -> Result<Vec<Split>> {
    let plan = SplitPlan::KFold {
        folds: settings.folds,
        repeats: settings.runs,
        shuffle: true,
        strata: stratified.then(|| strata_by_class(sample.table.targets())),
        seed: settings.seed,
    };
    Ok(plan.splits(&Timeline::points(sample.table.rows()), Leak::Purged)?)
}
