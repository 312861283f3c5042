//! What the leak check of a task's splits can say, and what it cannot see but the user should know.

use std::collections::HashMap;

use super::{
    Leak, LeakFinding, Rows, Split, leak_report,
    too_good::{knowing_input, made_up_rows, repeated_id},
};
use crate::{Table, Timeline, Warning, table::Values};

/// What is known about leaks in the splits of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LeakCheck {
    /// Rows know their time, and no training row has seen what is held out.
    Passed,
    /// Rows know their time, and some training rows are later than test rows: they were not drawn in order of time.
    LaterRowsTrain,
    /// Training rows that have seen what is held out were kept, as [`Leak::Paper`] asks.
    Paper,
    /// Rows have no time, so nothing can be said.
    NotChecked,
}

impl std::fmt::Display for LeakCheck {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Passed => "passed",
            Self::LaterRowsTrain => "training rows are later than test rows",
            Self::Paper => "leaking rows kept",
            Self::NotChecked => "not checked: rows have no time",
        })
    }
}

impl LeakCheck {
    /// The state of these splits.
    ///
    /// ```
    /// use tailrank_data::{Dataset, Leak, LeakCheck, SplitPlan, TableOptions, read_table_bytes};
    /// let csv = b"day,x,y\n2008-07-11,1,2\n2008-07-09,3,4\n2008-07-10,5,6\n2008-07-08,7,8\n";
    /// let table = Dataset::from(read_table_bytes("t.csv", csv, &TableOptions::new("y"))?.value);
    /// let splits = |plan: SplitPlan| plan.splits(&table.timeline(), Leak::Purged);
    /// let past = splits(SplitPlan::Fraction { train: 0.5, validation: None })?;
    /// assert_eq!(LeakCheck::of(&past, &table.timeline()), LeakCheck::Passed);
    /// let mixed = splits(SplitPlan::KFold { folds: 2, repeats: 1, shuffle: true, strata: None, seed: 1 })?;
    /// assert_eq!(LeakCheck::of(&mixed, &table.timeline()), LeakCheck::LaterRowsTrain);
    /// # Ok::<(), tailrank_data::DataError>(())
    /// ```
    pub fn of(splits: &[Split], timeline: &Timeline) -> Self {
        if splits.iter().any(|split| split.leak == Leak::Paper && split.leaking > 0) {
            Self::Paper
        } else if timeline.origin_dates().is_none() {
            Self::NotChecked
        } else if splits.iter().any(|split| trains_on_later(split, timeline)) {
            Self::LaterRowsTrain
        } else {
            Self::Passed
        }
    }
}

/// Whether a row trains that is later than one it is judged by. Rows of a series say themselves what they have seen, and
/// purging keeps them apart; rows of a table do not.
pub(super) fn trains_on_later(split: &Split, timeline: &Timeline) -> bool {
    let Some(dates) = timeline.origin_dates().filter(|_| timeline.is_points()) else { return false };
    // Rows are in order of time.
    let earliest = split.held_out().filter_map(Rows::first).min();
    split.train.last().zip(earliest).is_some_and(|(last, first)| dates[last] > dates[first])
}

/// What the user should know about the splits of a table.
pub(crate) fn cautions(table: &Table, timeline: &Timeline, splits: &[Split]) -> Vec<Warning> {
    let name = || table.name.clone();
    let mut warnings = Vec::new();
    let later: Vec<&Split> = splits.iter().filter(|split| trains_on_later(split, timeline)).collect();
    if let Some(first) = later.first() {
        let split = first.description.clone();
        warnings.push(Warning::LaterRowsTrain { table: name(), splits: later.len(), split });
    }
    if let Some((rows, test, train)) = repeated_rows(table, splits) {
        warnings.push(Warning::RepeatedRows { table: name(), rows, test, train });
    }
    if let LeakFinding::Alike(_) = leak_report::target_memory(table, timeline) {
        warnings.push(Warning::AlikeTargets { table: name() });
    }
    if let Some((column, strength)) = knowing_input(table) {
        // In thousandths, cut off: 1 is said of nothing but the target itself.
        let strength = (strength * 1000.0) as u16;
        warnings.push(Warning::KnowingInput { table: name(), column, strength });
    }
    if let Some((column, things)) = repeated_id(table, splits).filter(|_| timeline.groups().is_none()) {
        warnings.push(Warning::RepeatedThings { table: name(), column, things });
    }
    match made_up_rows(table) {
        0 => {}
        rows => warnings.push(Warning::MadeUpRows { table: name(), rows }),
    }
    warnings
}

/// How many test rows are also training rows, input for input and target for target, and where the first such two stand in the file.
pub(super) fn repeated_rows(table: &Table, splits: &[Split]) -> Option<(usize, usize, usize)> {
    let (group, groups) = groups_of(table);
    if groups == table.rows() {
        return None;
    }
    let mut found: Option<(usize, usize)> = None;
    let mut rows = vec![false; table.rows()];
    for split in splits {
        let mut trained = vec![None; groups];
        split.train.iter().for_each(|row| {
            trained[group[row]].get_or_insert(row);
        });
        for test in split.test.iter() {
            if let Some(train) = trained[group[test]] {
                found.get_or_insert((test, train));
                rows[test] = true;
            }
        }
    }
    let count = rows.iter().filter(|row| **row).count();
    found.map(|(test, train)| (count, table.file_row(test), table.file_row(train)))
}

/// A number for each row, equal for rows that are alike, and how many there are.
fn groups_of(table: &Table) -> (Vec<usize>, usize) {
    let mut group = vec![0; table.rows()];
    let mut groups = refine(&mut group, |row| table.targets[row].to_bits());
    for column in &table.columns {
        // Most tables are told apart by target and first input.
        if groups == table.rows() {
            break;
        }
        groups = match &column.values {
            Values::Numeric(values) => refine(&mut group, |row| values[row].to_bits()),
            Values::Categorical { codes, .. } => {
                refine(&mut group, |row| codes[row].map_or(0, |code| u64::from(code) + 1))
            }
        };
    }
    (group, groups)
}

fn refine(group: &mut [usize], value: impl Fn(usize) -> u64) -> usize {
    let mut places: HashMap<(usize, u64), usize> = HashMap::with_capacity(group.len());
    for (row, own) in group.iter_mut().enumerate() {
        let next = places.len();
        *own = *places.entry((*own, value(row))).or_insert(next);
    }
    places.len()
}
