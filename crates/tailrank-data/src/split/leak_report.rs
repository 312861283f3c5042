//! What the leak check of a task's splits can say: what was looked at, what was found, what could not be looked at, and what the check
//! cannot see but the user should know.

use super::{
    Leak, Rows, Split,
    leak_signs::{repeated_id, synthetic_rows, too_good_input},
};
use crate::{Dataset, Table, Timeline, hash::may_repeat, table::Values, timeline::count_of};

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
    /// use tailrank_data::{
    ///     Bootstrap, ByFraction, Dataset, Leak, LeakCheck, Scheme, SplitRows, TableOptions, draw_splits, read_table_bytes,
    /// };
    /// let csv = b"day,x,y\n2008-07-11,1,2\n2008-07-09,3,4\n2008-07-10,5,6\n2008-07-08,7,8\n";
    /// let table = Dataset::from(read_table_bytes("t.csv", csv, &TableOptions::new("y"))?.value);
    /// let timeline = table.timeline();
    /// let splits = |scheme: &dyn Scheme| draw_splits(scheme, &SplitRows::new(&timeline, 1), Leak::Purged);
    /// let past = splits(&ByFraction { train: 0.5, validation: None })?;
    /// assert_eq!(LeakCheck::of(&past, &table.timeline()), LeakCheck::Passed);
    /// let mixed = splits(&Bootstrap { repeats: 5 })?;
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

/// How many test rows are also training rows, input for input and target for target, and where the first such two stand in the file.
fn repeated_rows(table: &Table, splits: &[Split]) -> LeakFinding {
    let groups = alike(table);
    let mut group_of = vec![usize::MAX; if groups.is_empty() { 0 } else { table.rows() }];
    groups.iter().enumerate().for_each(|(i, rows)| rows.iter().for_each(|row| group_of[*row] = i));
    let mut found: Option<(usize, usize)> = None;
    let mut is_repeated = vec![false; group_of.len()];
    for split in splits.iter().filter(|_| !groups.is_empty()) {
        let mut trained = vec![None; groups.len()];
        for row in split.train.iter() {
            if let Some(first) = trained.get_mut(group_of[row]) {
                first.get_or_insert(row);
            }
        }
        for test in split.test.iter() {
            if let Some(Some(train)) = trained.get(group_of[test]) {
                found.get_or_insert((test, *train));
                is_repeated[test] = true;
            }
        }
    }
    let rows = is_repeated.iter().filter(|row| **row).count();
    found.map_or(LeakFinding::Clear, |(test, train)| LeakFinding::Repeated {
        rows,
        test: table.file_row(test),
        train: table.file_row(train),
    })
}

/// Rows that are alike in the target and all inputs, in groups of two or more.
fn alike(table: &Table) -> Vec<Vec<usize>> {
    let among = |groups: Vec<Vec<usize>>, value: &dyn Fn(usize) -> u64| -> Vec<Vec<usize>> {
        let split = |rows: Vec<usize>| {
            let mut keyed: Vec<(u64, usize)> = rows.into_iter().map(|row| (value(row), row)).collect();
            keyed.sort_unstable();
            let same = keyed.chunk_by(|a, b| a.0 == b.0).filter(|same| same.len() > 1);
            same.map(|same| same.iter().map(|(_, row)| *row).collect()).collect::<Vec<Vec<usize>>>()
        };
        groups.into_iter().flat_map(split).collect()
    };
    // Most tables are told apart by target and first input.
    let first = |row: usize| match table.columns.first().map(|column| &column.values) {
        Some(Values::Numeric(values)) => values[row].to_bits(),
        _ => 0,
    };
    let target = |row: usize| table.targets[row].to_bits();
    let candidates = may_repeat(table.rows(), |row| target(row) ^ first(row).rotate_left(32));
    let mut groups = among(vec![candidates], &target);
    for column in table.columns.iter() {
        groups = match &column.values {
            Values::Numeric(values) => among(groups, &|row| values[row].to_bits()),
            Values::Categorical { codes, .. } => {
                among(groups, &|row| codes[row].map_or(0, |code| u64::from(code) + 1))
            }
        };
    }
    groups
}

/// Neighbouring targets more alike than this may be parts of the same label.
const ALIKE: f64 = 0.5;

/// What a look at something that can leak found.
#[derive(Clone, Debug, PartialEq)]
pub enum LeakFinding {
    /// Nothing leaks.
    Clear,
    /// So many dates, groups or rows do.
    Found(usize),
    /// In so many splits, of which this is the first, rows that train are later than rows that test.
    LaterRows(usize, String),
    /// Neighbouring targets have this correlation, and nobody said how far a label reaches.
    Alike(f64),
    /// This input alone predicts the target so well, of at most 1.
    TooGoodInput(String, f64),
    /// So many things of this column have rows on both sides.
    SplitIds(String, usize),
    /// So many different test rows repeat a training row, input for input and target for target.
    Repeated {
        /// So many.
        rows: usize,
        /// The first of them in the file, from 1.
        test: usize,
        /// The training row it repeats.
        train: usize,
    },
    /// So many rows look made up from others, as SMOTE makes them.
    MadeUp(usize),
    /// Nobody said what would have to be known.
    NotDeclared,
    /// Rows have no time.
    NoTime,
}

/// What can leak between the parts of a task's splits.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct LeakReport {
    /// Everything that was looked at.
    pub lines: Vec<LeakLine>,
    /// What the user should know of it: training rows later than test rows, test rows that repeat training rows, and the like.
    pub warnings: Vec<String>,
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
            LeakFinding::Found(count)
            | LeakFinding::LaterRows(count, _)
            | LeakFinding::Repeated { rows: count, .. }
            | LeakFinding::MadeUp(count) => write!(f, "{name}: {count} leak"),
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

impl LeakFinding {
    /// What the user of a table should know of it, and do about it.
    fn warning(&self, table: &str) -> Option<String> {
        Some(match self {
            Self::LaterRows(splits, first) => format!(
                "{table}: splits in which rows that train are later than rows that test: {splits}, {first:?} the first; \
                 to foretell later rows from earlier ones, split by fraction, by date or by windows"
            ),
            Self::Alike(_) => format!(
                "{table}: targets of neighbouring dates are alike; if a target reaches over several rows, declare \
                 label_span, so that training rows whose target reaches into the test period are left out"
            ),
            Self::TooGoodInput(column, strength) => {
                // Cut off after thousandths: 1 is said of nothing but the target itself.
                let strength = (strength * 1000.0).floor() / 1000.0;
                let tells = if strength >= 0.999 {
                    "is the target in other words"
                } else {
                    "nearly tells the target"
                };
                format!(
                    "{table}: column {column:?} alone {tells} (strength {strength:.3}); if it is not known before the \
                     target, leave it out with ignore"
                )
            }
            Self::SplitIds(column, things) => format!(
                "{table}: {things} values of {column:?} have rows that train and rows that are tested; if rows of one are \
                 alike, declare group = {column:?}"
            ),
            Self::Repeated { rows: 1, test, train } => format!(
                "{table}: row {test}, which tests, repeats row {train}, which trains, in every input and the target; its \
                 error says little of new rows"
            ),
            Self::Repeated { rows, test, train } => format!(
                "{table}: {rows} test rows repeat a training row in every input and the target, as row {test} does row \
                 {train}; errors on them say little of new rows"
            ),
            Self::MadeUp(rows) => format!(
                "{table}: {rows} rows look made up from others (fractions in columns that else are whole); resample after \
                 the split, with learn = [{{ resample = \"smote\" }}]"
            ),
            Self::Clear | Self::Found(_) | Self::NotDeclared | Self::NoTime => return None,
        })
    }
}

impl Dataset {
    /// Looks at everything that can leak between the parts of these splits.
    ///
    /// ```
    /// use tailrank_data::{ByFraction, Dataset, Leak, SplitRows, TableOptions, draw_splits, read_table_bytes};
    /// let csv = b"day,x,y\n2008-07-08,7,8\n2008-07-09,3,4\n2008-07-10,5,9\n2008-07-11,1,2\n";
    /// let table = Dataset::from(read_table_bytes("t.csv", csv, &TableOptions::new("y"))?.value);
    /// let half = ByFraction { train: 0.5, validation: None };
    /// let splits = draw_splits(&half, &SplitRows::new(&table.timeline(), 1), Leak::Purged)?;
    /// let report = table.leak_report(&splits);
    /// let lines: Vec<String> = report.lines.iter().map(ToString::to_string).collect();
    /// assert_eq!(lines[..3], ["label span not checked: not declared", "dates whole ok", "groups whole not checked: not declared"]);
    /// assert_eq!((report.lines[3].item, report.lines[3].leaks()), ("time order", false));
    /// # Ok::<(), tailrank_data::DataError>(())
    /// ```
    pub fn leak_report(&self, splits: &[Split]) -> LeakReport {
        use LeakFinding::{Clear, Found, LaterRows, NoTime, NotDeclared};
        let timeline = self.timeline();
        let found = |count: usize| if count > 0 { Found(count) } else { Clear };
        let across =
            |units: &[usize]| found(splits.iter().map(|s| on_both_sides(s, units)).max().unwrap_or(0));
        let table = match self {
            Self::Table(table) => Some(table),
            Self::Series(_) => None,
        };
        let of_table = |look: &dyn Fn(&Table) -> LeakFinding| table.map_or(Clear, look);
        let is_span_known = table.is_none_or(|t| t.dependence.label_span.is_some());
        let later: Vec<&Split> = splits.iter().filter(|split| trains_on_later(split, &timeline)).collect();
        let leaking = splits.iter().map(|split| split.leaking).sum();
        let order = match (timeline.steps(), later.first()) {
            (None, _) => NoTime,
            (_, None) => Clear,
            (_, Some(first)) => LaterRows(later.len(), first.description.clone()),
        };
        let line = |item, finding| LeakLine { item, finding };
        let lines = vec![
            // Labels of training rows that reach into the test period.
            line("label span", if is_span_known { found(leaking) } else { NotDeclared }),
            line("dates whole", timeline.steps().map_or(NoTime, across)),
            line("groups whole", timeline.groups().map_or(NotDeclared, across)),
            line("time order", order),
            // Targets of neighbouring rows that are alike, as those of overlapping labels are.
            line("target memory", of_table(&|table| target_memory(table, &timeline))),
            // An input that is the target under another name, or nearly.
            line("inputs", of_table(&too_good_input)),
            // Numbers or names of things that have rows on both sides of a split.
            line("ids whole", of_table(&|table| repeated_id(table, splits))),
            line("repeated rows", of_table(&|table| repeated_rows(table, splits))),
            // Rows that were made up from others before the split.
            line("made-up rows", of_table(&synthetic_rows)),
        ];
        // What else numbers the rows of declared groups is known to the user.
        let told = lines.iter().filter(|line| line.item != "ids whole" || timeline.groups().is_none());
        let warnings = told.filter_map(|line| line.finding.warning(self.name())).collect();
        LeakReport { lines, warnings }
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
