//! When each row's inputs, origin and label lie: what every split is checked against.

use jiff::civil::Date;

/// The sessions one row has seen and foretells, as positions in its series.
///
/// Inputs use the prices of `start` … `origin`, the label lives in (`origin`, `end`]. A row of a table that
/// knows no time is a point, and no two points overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Interval {
    /// The oldest session whose price an input uses.
    pub start: usize,
    /// The session at which the prediction is made.
    pub origin: usize,
    /// The session at which the truth is known.
    pub end: usize,
}

impl Interval {
    /// A row outside time.
    pub fn point(row: usize) -> Self {
        Self { start: row, origin: row, end: row }
    }
}

/// Intervals of all rows, origins ascending, with dates where there are any, and which rows belong together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Timeline {
    pub(crate) rows: usize,
    /// None where every row is a point.
    pub(crate) intervals: Option<Vec<Interval>>,
    pub(crate) origin_dates: Option<Vec<Date>>,
    pub(crate) steps: Option<Vec<usize>>,
    pub(crate) entities: Option<Vec<usize>>,
    pub(crate) groups: Option<Vec<usize>>,
}

impl Timeline {
    /// Rows outside time.
    pub fn points(rows: usize) -> Self {
        Self { rows, ..Self::default() }
    }

    /// Rows of a series, one at each step.
    pub(crate) fn new(intervals: Vec<Interval>, origin_dates: Vec<Date>) -> Self {
        let steps = Some((0..intervals.len()).collect());
        Self { origin_dates: Some(origin_dates), steps, ..Self::from(intervals) }
    }

    /// Whether no row says what else it has seen: rows of a table.
    pub(crate) fn is_points(&self) -> bool {
        self.intervals.iter().flatten().all(|i| i.start == i.end)
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// What `row` has seen and foretells.
    pub fn interval(&self, row: usize) -> Interval {
        self.intervals.as_ref().map_or_else(|| Interval::point(row), |intervals| intervals[row])
    }

    /// The place of each row's time among the distinct times, if rows have times; several rows of a panel
    /// share one.
    pub fn steps(&self) -> Option<&[usize]> {
        self.steps.as_deref()
    }

    /// What each row is about, as a number, if a column was declared as `entity`.
    pub fn entities(&self) -> Option<&[usize]> {
        self.entities.as_deref()
    }

    /// The group of each row, as a number, if a column was declared as `group`.
    pub fn groups(&self) -> Option<&[usize]> {
        self.groups.as_deref()
    }

    /// What no split cuts in two: the group of each row or, where rows share dates, its date. None where
    /// every row stands alone.
    pub fn units(&self) -> Option<&[usize]> {
        let shared = |steps: &&[usize]| steps.windows(2).any(|pair| pair[0] == pair[1]);
        self.groups().or_else(|| self.steps().filter(shared))
    }

    /// The first row of the date that `row` is on; where that is the first row of all, the first row of the
    /// next date.
    pub(crate) fn between_dates(&self, row: usize) -> usize {
        let Some(steps) = self.steps().filter(|steps| row < steps.len()) else { return row };
        match steps.partition_point(|&step| step < steps[row]) {
            0 if row > 0 => steps.partition_point(|&step| step <= steps[row]),
            first => first,
        }
    }

    /// The origin's date of each row, if rows have dates.
    pub fn origin_dates(&self) -> Option<&[Date]> {
        self.origin_dates.as_deref()
    }
}

/// Rows of which nothing else is known; origins must be ascending.
impl From<Vec<Interval>> for Timeline {
    fn from(intervals: Vec<Interval>) -> Self {
        Self { rows: intervals.len(), intervals: Some(intervals), ..Self::default() }
    }
}

/// How many groups, dates or entities rows are numbered by, from 0.
pub(crate) fn count_of(numbers: &[usize]) -> usize {
    numbers.iter().max().map_or(0, |last| last + 1)
}

/// The rows of each number.
pub(crate) fn rows_of(numbers: &[usize]) -> Vec<Vec<usize>> {
    let mut rows = vec![Vec::new(); count_of(numbers)];
    numbers.iter().enumerate().for_each(|(row, &number)| rows[number].push(row));
    rows
}
