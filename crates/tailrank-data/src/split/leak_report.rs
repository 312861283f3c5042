//! What the leak check of a task's splits can say: what was looked at, what was found, what could not be looked at, and what the check
//! cannot see but the user should know.

use std::collections::HashMap;

use super::{
    Leak, Rows, Split,
    leak_signs::{repeated_id, synthetic_rows, too_good_input},
};
use crate::{Dataset, Table, Timeline, Warning, table::Values, timeline::count_of};

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
fn trains_on_later(split: &Split, timeline: &Timeline) -> bool {
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
    if let LeakFinding::Alike(_) = target_memory(table, timeline) {
        warnings.push(Warning::AlikeTargets { table: name() });
    }
    if let Some((column, strength)) = too_good_input(table) {
        // In thousandths, cut off: 1 is said of nothing but the target itself.
        let strength = (strength * 1000.0) as u16;
        warnings.push(Warning::TooGoodInput { table: name(), column, strength });
    }
    if let Some((column, things)) = repeated_id(table, splits).filter(|_| timeline.groups().is_none()) {
        warnings.push(Warning::SplitIds { table: name(), column, things });
    }
    match synthetic_rows(table) {
        0 => {}
        rows => warnings.push(Warning::SyntheticRows { table: name(), rows }),
    }
    warnings
}

/// How many test rows are also training rows, input for input and target for target, and where the first such two stand in the file.
fn repeated_rows(table: &Table, splits: &[Split]) -> Option<(usize, usize, usize)> {
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

/// Neighbouring targets more alike than this may be parts of the same label.
const ALIKE: f64 = 0.5;

/// What a look at something that can leak found.
#[derive(Clone, Debug, PartialEq)]
pub enum LeakFinding {
    /// Nothing leaks.
    Clear,
    /// So many dates, groups, splits or rows do.
    Found(usize),
    /// Neighbouring targets have this correlation, and nobody said how far a label reaches.
    Alike(f64),
    /// This input alone predicts the target so well, of at most 1.
    TooGoodInput(String, f64),
    /// So many things of this column have rows on both sides.
    SplitIds(String, usize),
    /// Nobody said what would have to be known.
    NotDeclared,
    /// Rows have no time.
    NoTime,
}

/// One line of the report.
#[derive(Clone, Debug, PartialEq)]
pub struct LeakLine {
    /// What was looked at, such as `label span`.
    pub item: &'static str,
    /// What was found.
    pub finding: LeakFinding,
}

impl LeakLine {
    /// Whether a leak was found or is likely.
    pub fn leaks(&self) -> bool {
        !matches!(self.finding, LeakFinding::Clear) && !self.is_unchecked()
    }

    /// Whether nothing could be looked at.
    pub fn is_unchecked(&self) -> bool {
        matches!(self.finding, LeakFinding::NotDeclared | LeakFinding::NoTime)
    }
}

impl std::fmt::Display for LeakLine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = self.item;
        match &self.finding {
            LeakFinding::Clear => write!(f, "{name} ok"),
            LeakFinding::Found(count) => write!(f, "{name}: {count} leak"),
            LeakFinding::Alike(r) => write!(f, "{name}: neighbouring targets correlate at {r:.2}"),
            LeakFinding::TooGoodInput(input, strength) => {
                write!(f, "{name}: {input} alone predicts the target (strength {strength:.3})")
            }
            LeakFinding::SplitIds(column, count) => {
                write!(f, "{name}: {count} of {column} train and are tested")
            }
            LeakFinding::NotDeclared => write!(f, "{name} not checked: not declared"),
            LeakFinding::NoTime => write!(f, "{name} not checked: rows have no time"),
        }
    }
}

impl Dataset {
    /// Looks at everything that can leak between the parts of these splits.
    ///
    /// ```
    /// use tailrank_data::{Dataset, Leak, SplitPlan, TableOptions, read_table_bytes};
    /// let csv = b"day,x,y\n2008-07-08,7,8\n2008-07-09,3,4\n2008-07-10,5,9\n2008-07-11,1,2\n";
    /// let table = Dataset::from(read_table_bytes("t.csv", csv, &TableOptions::new("y"))?.value);
    /// let plan = SplitPlan::Fraction { train: 0.5, validation: None };
    /// let report = table.leak_report(&plan.splits(&table.timeline(), Leak::Purged)?);
    /// let lines: Vec<String> = report.iter().map(ToString::to_string).collect();
    /// assert_eq!(lines[..3], ["label span not checked: not declared", "dates whole ok", "groups whole not checked: not declared"]);
    /// assert_eq!((report[3].item, report[3].leaks()), ("time order", false));
    /// # Ok::<(), tailrank_data::DataError>(())
    /// ```
    pub fn leak_report(&self, splits: &[Split]) -> Vec<LeakLine> {
        use LeakFinding::{Clear, Found, NoTime, NotDeclared, SplitIds, TooGoodInput};
        let timeline = self.timeline();
        let found = |count: usize| if count > 0 { Found(count) } else { Clear };
        let across =
            |units: &[usize]| found(splits.iter().map(|s| on_both_sides(s, units)).max().unwrap_or(0));
        let table = match self {
            Self::Table(table) => Some(table),
            Self::Series(_) => None,
        };
        let is_span_known = table.is_none_or(|t| t.dependence.label_span.is_some());
        let later = || splits.iter().filter(|split| trains_on_later(split, &timeline)).count();
        let leaking = splits.iter().map(|split| split.leaking).sum();
        let ids = table.and_then(|t| repeated_id(t, splits));
        let repeated = table.and_then(|t| repeated_rows(t, splits));
        let line = |item, finding| LeakLine { item, finding };
        vec![
            // Labels of training rows that reach into the test period.
            line("label span", if is_span_known { found(leaking) } else { NotDeclared }),
            line("dates whole", timeline.steps().map_or(NoTime, across)),
            line("groups whole", timeline.groups().map_or(NotDeclared, across)),
            line("time order", if timeline.steps().is_some() { found(later()) } else { NoTime }),
            // Targets of neighbouring rows that are alike, as those of overlapping labels are.
            line("target memory", table.map_or(Clear, |t| target_memory(t, &timeline))),
            // An input that is the target under another name, or nearly.
            line("inputs", table.and_then(too_good_input).map_or(Clear, |(c, r)| TooGoodInput(c, r))),
            // Numbers or names of things that have rows on both sides of a split.
            line("ids whole", ids.map_or(Clear, |(column, count)| SplitIds(column, count))),
            line("repeated rows", found(repeated.map_or(0, |(rows, ..)| rows))),
            // Rows that were made up from others before the split.
            line("made-up rows", found(table.map_or(0, synthetic_rows))),
        ]
    }
}

/// Units with rows that train and rows that are held out.
fn on_both_sides(split: &Split, units: &[usize]) -> usize {
    let mut sides = vec![(false, false); count_of(units)];
    split.train.iter().for_each(|row| sides[units[row]].0 = true);
    split.held_out().flat_map(Rows::iter).for_each(|row| sides[units[row]].1 = true);
    sides.iter().filter(|(train, held)| *train && *held).count()
}

/// Whether targets of neighbouring dates, of one entity where it is declared, are alike though no span of the label is.
fn target_memory(table: &Table, timeline: &Timeline) -> LeakFinding {
    if table.dependence.label_span.is_some() || timeline.groups().is_some() {
        return LeakFinding::Clear;
    }
    let Some(steps) = timeline.steps() else { return LeakFinding::NoTime };
    let (y, mut pairs) = (table.targets(), Vec::new());
    match timeline.entities() {
        Some(entities) => {
            let mut last = vec![None; count_of(entities)];
            for (row, &entity) in entities.iter().enumerate() {
                pairs.extend(last[entity].map(|before: usize| (y[before], y[row])));
                last[entity] = Some(row);
            }
        }
        None => {
            let mut means = vec![(0.0, 0.0); steps.last().map_or(0, |last| last + 1)];
            steps.iter().zip(y).for_each(|(&step, y)| means[step] = (means[step].0 + y, means[step].1 + 1.0));
            let mean = |m: &(f64, f64)| m.0 / m.1;
            pairs.extend(means.windows(2).map(|pair| (mean(&pair[0]), mean(&pair[1]))));
        }
    }
    match correlation(&pairs).filter(|r| pairs.len() >= 20 && *r > ALIKE) {
        Some(r) => LeakFinding::Alike(r),
        None => LeakFinding::Clear,
    }
}

pub(super) fn correlation(pairs: &[(f64, f64)]) -> Option<f64> {
    let n = pairs.len() as f64;
    let (mx, my) = (pairs.iter().map(|p| p.0).sum::<f64>() / n, pairs.iter().map(|p| p.1).sum::<f64>() / n);
    let (mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0);
    for (x, y) in pairs {
        xx += (x - mx) * (x - mx);
        yy += (y - my) * (y - my);
        xy += (x - mx) * (y - my);
    }
    let r = xy / (xx.sqrt() * yy.sqrt());
    r.is_finite().then_some(r)
}
