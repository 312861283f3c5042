//! k folds, once or repeatedly, in blocks or shuffled, with strata spread evenly.

use std::collections::{BTreeMap, HashSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    Rows, Scheme, Split, SplitRows,
    scheme::{check_of_repeats, problems_of},
    shuffle::Draws,
};
use crate::{DataError, Result, timeline::count_of};

/// Cross-validation.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KFold {
    /// Number of folds.
    pub folds: usize,
    /// How often the division is repeated.
    #[serde(default = "one")]
    pub repeats: usize,
    /// Shuffle rows first. Series are never shuffled unless this says so.
    pub shuffle: Option<bool>,
    /// Keep these proportions alike in all folds.
    pub stratify: Option<Stratify>,
    /// Choose models by the fold after the tested one, which then does not train; rows without dates only.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub validation_fold: bool,
}

const fn one() -> usize {
    1
}

/// What to keep alike in all folds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Stratify {
    /// The share of each class.
    Class,
    /// The share of events.
    Relevance,
}

/// More splits than anybody waits for, few enough to be kept.
const MOST_SPLITS: usize = 1 << 20;

impl Scheme for KFold {
    fn problems(&self) -> Vec<(&'static str, String)> {
        let Self { folds, repeats, validation_fold, .. } = *self;
        let most = MOST_SPLITS / folds.max(1);
        let message = format!("{repeats} is more than {most}, the most with {folds} folds");
        let count = check_of_repeats(repeats);
        problems_of([
            ("folds", !validation_fold || folds >= 3, "must be 3 or more with validation_fold".to_owned()),
            ("folds", folds >= 2, format!("{folds} must be 2 or more, such as 10")),
            ("repeats", !count.1 || repeats <= most, message),
            count,
        ])
    }

    fn draw(&self, rows: &SplitRows<'_>) -> Result<Vec<Split>> {
        let (k, timeline) = (self.folds, rows.timeline);
        let units = timeline.units();
        let count = units.map_or(rows.len(), count_of);
        if k > count {
            let what = match (timeline.groups(), units) {
                (Some(_), _) => "groups",
                (None, Some(_)) => "dates",
                (None, None) => "rows",
            };
            return Err(DataError::Scheme(format!("folds = {k} is more than the task's {count} {what}")));
        }
        // Neighbouring rows of a series share most of their inputs: blocks keep folds apart.
        let shuffle = self.shuffle.unwrap_or(!rows.is_series);
        if self.repeats > 1 && !shuffle {
            let expected = "repeats without shuffling are all alike; set shuffle = true";
            return Err(DataError::setting("repeats", self.repeats, expected));
        }
        if self.validation_fold && (rows.is_series || timeline.origin_dates().is_some()) {
            return Err(DataError::Scheme(
                "validation_fold needs rows without dates; use kind = \"fraction\" with validation"
                    .to_owned(),
            ));
        }
        let strata = self.stratify.map(rows.strata).transpose()?;
        if let Some(strata) = strata.as_ref().filter(|strata| strata.len() != rows.len()) {
            let expected = format!("one stratum per row, {}", rows.len());
            return Err(DataError::setting("strata", strata.len(), expected));
        }
        let strata = match (strata, units) {
            (Some(strata), Some(units)) => Some(highest(&strata, units, count)),
            (strata, _) => strata,
        };
        let mut splits = Vec::with_capacity(k * self.repeats);
        for repeat in 0..self.repeats {
            let mut order: Vec<usize> = (0..count).collect();
            if shuffle {
                Draws::new(rows.seed, repeat).shuffle(&mut order);
            }
            let which = if self.repeats == 1 { String::new() } else { format!("repeat {}, ", repeat + 1) };
            let fold_of = dealt(order, k, strata.as_deref());
            for fold in 0..k {
                let fold_of = |row: usize| fold_of[units.map_or(row, |units| units[row])];
                let (mut test, mut train) = (Vec::new(), Vec::with_capacity(rows.len()));
                for row in 0..rows.len() {
                    let part = if fold_of(row) == fold { &mut test } else { &mut train };
                    part.push(row);
                }
                splits.push(Split::new(format!("{which}fold {} of {k}", fold + 1), train, test));
            }
        }
        if self.validation_fold {
            splits.chunks_mut(k).for_each(set_validation_folds);
        }
        Ok(splits)
    }

    fn folds(&self) -> usize {
        self.folds
    }
}

/// Of every fold, the rows that the next one tests choose models and do not train.
fn set_validation_folds(folds: &mut [Split]) {
    let tests: Vec<HashSet<usize>> = folds.iter().map(|split| split.test.iter().collect()).collect();
    for (fold, split) in folds.iter_mut().enumerate() {
        let chosen_by = &tests[(fold + 1) % tests.len()];
        let part = |inside: bool| -> Rows {
            split.train.iter().filter(|row| chosen_by.contains(row) == inside).collect()
        };
        (split.validation, split.train) = (Some(part(true)), part(false));
    }
}

/// The highest stratum of each unit's rows.
fn highest(strata: &[usize], units: &[usize], count: usize) -> Vec<usize> {
    let mut of_units = vec![0; count];
    strata.iter().zip(units).for_each(|(&stratum, &unit)| of_units[unit] = of_units[unit].max(stratum));
    of_units
}

/// The fold of each row: rows in order (of stratum, then of the shuffle, then of place) are dealt out.
fn dealt(order: Vec<usize>, k: usize, strata: Option<&[usize]>) -> Vec<usize> {
    let rows = order.len();
    let mut fold_of = vec![0; rows];
    match strata {
        // Dealing round goes on from one stratum to the next, so folds differ by one row at most,
        // in every stratum and in total.
        Some(strata) => {
            let mut by_stratum: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
            order.into_iter().for_each(|row| by_stratum.entry(strata[row]).or_default().push(row));
            by_stratum.into_values().flatten().enumerate().for_each(|(i, row)| fold_of[row] = i % k);
        }
        // Blocks: the first rows % k of them take one row more.
        None => {
            let (short, longer) = (rows / k, rows % k);
            let boundary = longer * (short + 1);
            for (i, row) in order.iter().enumerate() {
                fold_of[*row] = if i < boundary { i / (short + 1) } else { longer + (i - boundary) / short };
            }
        }
    }
    fold_of
}

/// A stratum per class code.
///
/// ```
/// use tailrank_data::strata_by_class;
/// assert_eq!(strata_by_class(&[1.0, 0.0, 1.0]), [1, 0, 1]);
/// ```
pub fn strata_by_class(classes: &[f64]) -> Vec<usize> {
    let mut levels = classes.to_vec();
    levels.sort_unstable_by(f64::total_cmp);
    levels.dedup();
    classes.iter().map(|c| levels.partition_point(|l| l.total_cmp(c).is_lt())).collect()
}

/// A stratum per band of relevance: `bands` equal parts of [0, 1].
///
/// ```
/// use tailrank_data::strata_by_relevance;
/// assert_eq!(strata_by_relevance(&[0.0, 0.49, 0.5, 1.0], 2), [0, 0, 1, 1]);
/// ```
pub fn strata_by_relevance(relevance: &[f64], bands: usize) -> Vec<usize> {
    let last = bands.saturating_sub(1);
    // A NaN casts to 0: relevance undefined counts as none.
    relevance.iter().map(|phi| ((phi.clamp(0.0, 1.0) * bands as f64) as usize).min(last)).collect()
}
