//! k folds, once or repeatedly, in blocks or shuffled, with strata spread evenly.

use std::{borrow::Cow, collections::BTreeMap};

use super::{Drawing, Rows, Split, check_repeats, shuffle::Draws};
use crate::{DataError, Result, timeline::count_of};

impl Drawing<'_> {
    pub(super) fn kfold(
        &self,
        k: usize,
        repeats: usize,
        shuffle: bool,
        strata: Option<&[usize]>,
        seed: u64,
    ) -> Result<Vec<Split>> {
        let timeline = self.timeline;
        let rows = timeline.len();
        let units = timeline.units();
        let count = units.map_or(rows, count_of);
        if k < 2 || k > count {
            let what = match (timeline.groups(), units) {
                (Some(_), _) => "groups",
                (None, Some(_)) => "dates",
                (None, None) => "rows",
            };
            return Err(DataError::setting("folds", k, format!("2 … {count}, the number of {what}")));
        }
        check_repeats(repeats, k)?;
        if repeats > 1 && !shuffle {
            let expected = "repeats without shuffling are all alike; set shuffle = true";
            return Err(DataError::setting("repeats", repeats, expected));
        }
        if let Some(strata) = strata
            && strata.len() != rows
        {
            return Err(DataError::setting("strata", strata.len(), format!("one stratum per row, {rows}")));
        }
        let strata = match (strata, units) {
            (Some(strata), Some(units)) => Some(Cow::Owned(highest(strata, units, count))),
            (strata, _) => strata.map(Cow::Borrowed),
        };
        let mut splits = Vec::with_capacity(k * repeats);
        for repeat in 0..repeats {
            let mut order: Vec<usize> = (0..count).collect();
            if shuffle {
                Draws::new(seed, repeat).shuffle(&mut order);
            }
            let which = if repeats == 1 { String::new() } else { format!("repeat {}, ", repeat + 1) };
            let fold_of = dealt(order, k, strata.as_deref());
            for fold in 0..k {
                let is_tested = |row: usize| fold_of[units.map_or(row, |units| units[row])] == fold;
                let part = |tested: bool| -> Rows { (0..rows).filter(|r| is_tested(*r) == tested).collect() };
                let description = format!("{which}fold {} of {k}", fold + 1);
                splits.push(self.make(description, part(false), None, part(true))?);
            }
        }
        Ok(splits)
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
