//! k folds, once or repeatedly, in blocks or shuffled, with strata spread evenly.

use super::{Leak, Rows, Split, check_repeats, make, setting, shuffle::Draws};
use crate::{Result, Timeline};

pub(super) fn kfold(
    timeline: &Timeline,
    k: usize,
    repeats: usize,
    shuffle: bool,
    strata: Option<&[usize]>,
    seed: u64,
    leak: Leak,
) -> Result<Vec<Split>> {
    let rows = timeline.len();
    let units = timeline.units();
    let count = units.map_or(rows, |units| units.iter().max().map_or(0, |last| last + 1));
    if k < 2 || k > count {
        let what = match (timeline.groups(), units) {
            (Some(_), _) => "groups",
            (None, Some(_)) => "dates",
            (None, None) => "rows",
        };
        return Err(setting("folds", k, format!("2 … {count}, the number of {what}")));
    }
    check_repeats(repeats, k)?;
    if repeats > 1 && !shuffle {
        return Err(setting(
            "repeats",
            repeats,
            "repeats without shuffling are all alike; set shuffle = true",
        ));
    }
    if let Some(strata) = strata
        && strata.len() != rows
    {
        return Err(setting("strata", strata.len(), format!("one stratum per row, {rows}")));
    }
    let mut splits = Vec::with_capacity(k * repeats);
    for repeat in 0..repeats {
        let fold_of = match units {
            None => assign(rows, k, repeat, shuffle, strata, seed),
            Some(units) => {
                let strata = strata.map(|strata| highest(strata, units, count));
                let fold_of = assign(count, k, repeat, shuffle, strata.as_deref(), seed);
                units.iter().map(|&unit| fold_of[unit]).collect()
            }
        };
        for fold in 0..k {
            let part =
                |inside: bool| -> Rows { (0..rows).filter(|r| (fold_of[*r] == fold) == inside).collect() };
            let description = if repeats == 1 {
                format!("fold {} of {k}", fold + 1)
            } else {
                format!("repeat {}, fold {} of {k}", repeat + 1, fold + 1)
            };
            splits.push(make(description, part(false), None, part(true), timeline, leak)?);
        }
    }
    Ok(splits)
}

/// The highest stratum of each unit's rows.
fn highest(strata: &[usize], units: &[usize], count: usize) -> Vec<usize> {
    let mut of_units = vec![0; count];
    strata.iter().zip(units).for_each(|(&stratum, &unit)| of_units[unit] = of_units[unit].max(stratum));
    of_units
}

/// The fold of each row: rows in order (of stratum, then of the shuffle, then of place) are dealt out.
fn assign(
    rows: usize,
    k: usize,
    repeat: usize,
    shuffle: bool,
    strata: Option<&[usize]>,
    seed: u64,
) -> Vec<usize> {
    let mut order: Vec<usize> = (0..rows).collect();
    if shuffle {
        Draws::new(seed, repeat).shuffle(&mut order);
    }
    let mut fold_of = vec![0; rows];
    match strata {
        // Dealing round goes on from one stratum to the next, so folds differ by one row at most,
        // in every stratum and in total.
        Some(strata) => {
            order.sort_by_key(|r| strata[*r]);
            order.iter().enumerate().for_each(|(i, row)| fold_of[*row] = i % k);
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
