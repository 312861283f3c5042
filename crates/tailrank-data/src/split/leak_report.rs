//! What was looked at for leaks, what was found, and what could not be looked at.

use std::fmt;

use super::{Split, caution::trains_on_later};
use crate::{Dataset, Rows, Table, Timeline, table::Values};

/// Neighbouring targets more alike than this may be parts of the same label.
const ALIKE: f64 = 0.5;

/// An input that follows the target more closely than this knows it.
const EQUAL: f64 = 0.9999;

/// Something that can leak.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LeakItem {
    /// Labels of training rows that reach into the test period.
    LabelSpan,
    /// Dates with rows on both sides of a split.
    Dates,
    /// Groups with rows on both sides of a split.
    Groups,
    /// Training rows later than test rows.
    TimeOrder,
    /// Targets of neighbouring rows that are alike, as those of overlapping labels are.
    TargetMemory,
    /// An input that is the target under another name.
    Inputs,
}

impl LeakItem {
    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::LabelSpan => "label span",
            Self::Dates => "dates whole",
            Self::Groups => "groups whole",
            Self::TimeOrder => "time order",
            Self::TargetMemory => "target memory",
            Self::Inputs => "inputs",
        }
    }
}

/// What a look at a [`LeakItem`] found.
#[derive(Clone, Debug, PartialEq)]
pub enum LeakFinding {
    /// Nothing leaks.
    Clear,
    /// So many dates, groups, splits or rows do.
    Found(usize),
    /// Neighbouring targets have this correlation, and nobody said how far a label reaches.
    Alike(f64),
    /// This input follows the target.
    Equal(String),
    /// Nobody said what would have to be known.
    NotDeclared,
    /// Rows have no time.
    NoTime,
}

/// One line of the report.
#[derive(Clone, Debug, PartialEq)]
pub struct LeakLine {
    /// What was looked at.
    pub item: LeakItem,
    /// What was found.
    pub finding: LeakFinding,
}

impl LeakLine {
    /// Whether a leak was found or is likely.
    pub fn leaks(&self) -> bool {
        matches!(self.finding, LeakFinding::Found(_) | LeakFinding::Alike(_) | LeakFinding::Equal(_))
    }

    /// Whether nothing could be looked at.
    pub fn is_unchecked(&self) -> bool {
        matches!(self.finding, LeakFinding::NotDeclared | LeakFinding::NoTime)
    }
}

impl fmt::Display for LeakLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.item.name();
        match &self.finding {
            LeakFinding::Clear => write!(f, "{name} ok"),
            LeakFinding::Found(count) => write!(f, "{name}: {count} leak"),
            LeakFinding::Alike(r) => write!(f, "{name}: neighbouring targets correlate at {r:.2}"),
            LeakFinding::Equal(input) => write!(f, "{name}: {input} follows the target"),
            LeakFinding::NotDeclared => write!(f, "{name} not checked: not declared"),
            LeakFinding::NoTime => write!(f, "{name} not checked: rows have no time"),
        }
    }
}

impl Dataset {
    /// Looks at everything that can leak between the parts of these splits.
    ///
    /// ```
    /// use tailrank_data::{Dataset, Leak, LeakItem, SplitPlan, TableOptions, read_table_bytes};
    /// let csv = b"day,x,y\n2008-07-08,7,8\n2008-07-09,3,4\n2008-07-10,5,9\n2008-07-11,1,2\n";
    /// let table = Dataset::from(read_table_bytes("t.csv", csv, &TableOptions::new("y"))?.value);
    /// let plan = SplitPlan::Fraction { train: 0.5, validation: None };
    /// let report = table.leak_report(&plan.splits(&table.timeline(), Leak::Purged)?);
    /// let lines: Vec<String> = report.iter().map(ToString::to_string).collect();
    /// assert_eq!(lines[..3], ["label span not checked: not declared", "dates whole ok", "groups whole not checked: not declared"]);
    /// assert_eq!((report[3].item, report[3].leaks()), (LeakItem::TimeOrder, false));
    /// # Ok::<(), tailrank_data::DataError>(())
    /// ```
    pub fn leak_report(&self, splits: &[Split]) -> Vec<LeakLine> {
        use LeakFinding::{Clear, Found, NoTime, NotDeclared};
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
        let line = |item, finding| LeakLine { item, finding };
        vec![
            line(LeakItem::LabelSpan, if is_span_known { found(leaking) } else { NotDeclared }),
            line(LeakItem::Dates, timeline.steps().map_or(NoTime, across)),
            line(LeakItem::Groups, timeline.groups().map_or(NotDeclared, across)),
            line(LeakItem::TimeOrder, if timeline.steps().is_some() { found(later()) } else { NoTime }),
            line(LeakItem::TargetMemory, table.map_or(Clear, |t| target_memory(t, &timeline))),
            line(LeakItem::Inputs, table.and_then(equal_input).map_or(Clear, LeakFinding::Equal)),
        ]
    }
}

/// Units with rows that train and rows that are held out.
fn on_both_sides(split: &Split, units: &[usize]) -> usize {
    let mut sides = vec![(false, false); units.iter().max().map_or(0, |last| last + 1)];
    split.train.iter().for_each(|row| sides[units[row]].0 = true);
    split
        .validation
        .iter()
        .chain([&split.test])
        .flat_map(Rows::iter)
        .for_each(|row| sides[units[row]].1 = true);
    sides.iter().filter(|(train, held)| *train && *held).count()
}

/// Whether targets of neighbouring dates, of one entity where it is declared, are alike though no span of the label is.
pub(super) fn target_memory(table: &Table, timeline: &Timeline) -> LeakFinding {
    if table.dependence.label_span.is_some() || timeline.groups().is_some() {
        return LeakFinding::Clear;
    }
    let Some(steps) = timeline.steps() else { return LeakFinding::NoTime };
    let (y, mut pairs) = (table.targets(), Vec::new());
    match timeline.entities() {
        Some(entities) => {
            let mut last = vec![None; entities.iter().max().map_or(0, |e| e + 1)];
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

/// A numeric input that follows the target in nearly every row.
fn equal_input(table: &Table) -> Option<String> {
    let follows = |values: &[f64]| {
        let known = values.iter().zip(table.targets()).filter(|(x, _)| !x.is_nan());
        let pairs: Vec<(f64, f64)> = known.map(|(x, y)| (*x, *y)).collect();
        pairs.len() >= 10 && correlation(&pairs).is_some_and(|r| r.abs() > EQUAL)
    };
    let column = table.columns.iter().find(|c| matches!(&c.values, Values::Numeric(v) if follows(v)));
    column.map(|c| c.name.clone())
}

fn correlation(pairs: &[(f64, f64)]) -> Option<f64> {
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
