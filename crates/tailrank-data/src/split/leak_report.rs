//! What was looked at for leaks, what was found, and what could not be looked at.

use std::fmt;

use super::{
    Split,
    caution::{repeated_rows, trains_on_later},
    too_good::{knowing_input, made_up_rows, repeated_id},
};
use crate::{Dataset, Rows, Table, Timeline, timeline::count_of};

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
    Tells(String, f64),
    /// So many things of this column have rows on both sides.
    Things(String, usize),
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

impl fmt::Display for LeakLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.item;
        match &self.finding {
            LeakFinding::Clear => write!(f, "{name} ok"),
            LeakFinding::Found(count) => write!(f, "{name}: {count} leak"),
            LeakFinding::Alike(r) => write!(f, "{name}: neighbouring targets correlate at {r:.2}"),
            LeakFinding::Tells(input, strength) => {
                write!(f, "{name}: {input} alone predicts the target (strength {strength:.3})")
            }
            LeakFinding::Things(column, count) => {
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
        use LeakFinding::{Clear, Found, NoTime, NotDeclared, Tells, Things};
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
            line("inputs", table.and_then(knowing_input).map_or(Clear, |(c, r)| Tells(c, r))),
            // Numbers or names of things that have rows on both sides of a split.
            line("ids whole", ids.map_or(Clear, |(column, count)| Things(column, count))),
            line("repeated rows", found(repeated.map_or(0, |(rows, ..)| rows))),
            // Rows that were made up from others before the split.
            line("made-up rows", found(table.map_or(0, made_up_rows))),
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
pub(super) fn target_memory(table: &Table, timeline: &Timeline) -> LeakFinding {
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
