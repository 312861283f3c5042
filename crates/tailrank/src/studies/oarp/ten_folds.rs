//! Table 4 read with the ten folds of one run as its "ten trial records": every run of the study is one experiment the authors may
//! have made.

use tailrank_stats::{Alternative, paired_t};

use super::{
    paper,
    results::{Model, ReadingResults, Verdict, with_spread},
};
use crate::studies::Result;

/// Wins, draws and losses of OARP over the sets, run by run: paired t over the ten folds.
pub(super) fn tallies(reading: &ReadingResults, other: Model, level: f64) -> Result<Vec<[usize; 3]>> {
    let runs = reading.sets.iter().map(|s| s.folds.len() / s.fold_count).min().unwrap_or(0);
    let mut found = vec![[0; 3]; runs];
    for set in &reading.sets {
        let (x, y) = (set.accuracies(Model::Oarp), set.accuracies(other));
        for (run, tally) in found.iter_mut().enumerate() {
            let folds = run * set.fold_count..(run + 1) * set.fold_count;
            let test = with_spread(paired_t(&x[folds.clone()], &y[folds], Alternative::TwoSided))?;
            tally[match Verdict::of(test.as_ref(), level) {
                Verdict::Ssw => 0,
                Verdict::Sns => 1,
                Verdict::Ssl => 2,
            }] += 1;
        }
    }
    Ok(found)
}

/// How many runs reach the printed tally.
pub(super) fn reached(tallies: &[[usize; 3]], k: usize) -> usize {
    let printed = paper::tally(k);
    tallies.iter().filter(|[wins, _, losses]| *wins >= printed[0] && *losses <= printed[2]).count()
}
