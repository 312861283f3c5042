//! When each row's inputs, origin and label lie: what every split is checked against.

use jiff::civil::Date;

/// The sessions one row has seen and foretells, as positions in its series.
///
/// Inputs use the prices of `start` … `origin`, the label lives in (`origin`, `end`]. A row of a table that knows no
/// time is a point, and no two points overlap.
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

/// Intervals of all rows, origins ascending, with dates where there are any.
#[derive(Clone, Debug, PartialEq)]
pub struct Timeline {
    intervals: Vec<Interval>,
    origin_dates: Option<Vec<Date>>,
}

impl Timeline {
    /// Rows outside time.
    pub fn points(rows: usize) -> Self {
        Self { intervals: (0..rows).map(Interval::point).collect(), origin_dates: None }
    }

    /// Rows of a table, with their days in ascending order if it has any.
    pub(crate) fn of_rows(rows: usize, dates: Option<Vec<Date>>) -> Self {
        Self { origin_dates: dates, ..Self::points(rows) }
    }

    pub(crate) fn new(intervals: Vec<Interval>, origin_dates: Vec<Date>) -> Self {
        Self { intervals, origin_dates: Some(origin_dates) }
    }

    /// Whether no row says what else it has seen: rows of a table.
    pub(crate) fn is_points(&self) -> bool {
        self.intervals.iter().all(|i| i.start == i.end)
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.intervals.len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.intervals.is_empty()
    }

    /// The interval of each row.
    pub fn intervals(&self) -> &[Interval] {
        &self.intervals
    }

    /// The origin's date of each row, if rows have dates.
    pub fn origin_dates(&self) -> Option<&[Date]> {
        self.origin_dates.as_deref()
    }
}
