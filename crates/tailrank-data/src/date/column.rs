//! A column of dates.

use super::{
    clock::{ClockFault, Stamp, read_clock, split_time},
    format::{DateFormat, is_year_and_month},
};

/// What became of a column of dates.
pub(crate) enum Dates {
    /// Every row, `None` where the cell is empty.
    Read(Vec<Option<Stamp>>),
    /// The row (from 0) that fits no form, or not the form of the others.
    Unreadable(usize),
    /// The row (from 0) that means two different days, and everything else does too.
    Ambiguous(usize),
}

/// Reads a column that holds dates, choosing the form if need be; `cells` goes through the column once per
/// form.
pub(crate) fn read_dates<'a, I: Iterator<Item = &'a str>>(
    format: &DateFormat,
    cells: impl Fn() -> I,
) -> Dates {
    let first = format.tried(false);
    // One form after the other where it was said, all at once where they must be weighed.
    let first: Vec<&[DateFormat]> =
        if *format == DateFormat::Auto { vec![&first] } else { first.chunks(1).collect() };
    let known: &[&[DateFormat]] = if *format == DateFormat::Auto { &DateFormat::KNOWN } else { &[] };
    let mut furthest = 0;
    for forms in first.iter().chain(known) {
        match read_forms(forms, &cells) {
            Dates::Unreadable(row) => furthest = furthest.max(row),
            // 2008.01 to 2008.12 are months that a point sets off, not days of January.
            Dates::Read(_)
                if *format == DateFormat::Auto
                    && forms[0] == DateFormat::DecimalYear
                    && cells().all(is_year_and_month) => {}
            read => return read,
        }
    }
    Dates::Unreadable(furthest)
}

/// As [`read_dates`], for a column that may hold anything: numbers alone are not taken for dates.
pub(crate) fn read_forms<'a, I: Iterator<Item = &'a str>>(
    forms: &[DateFormat],
    cells: &impl Fn() -> I,
) -> Dates {
    let Some((first_row, first)) = cells().enumerate().find(|(_, c)| !c.trim().is_empty()) else {
        return Dates::Read(cells().map(|_| None).collect());
    };
    let mut read: Option<Vec<Option<Stamp>>> = None;
    let mut furthest = first_row;
    for form in forms.iter().filter(|f| f.stamp(first).is_some()) {
        let mut dates = Vec::with_capacity(cells().size_hint().0);
        let mut bad = None;
        for (row, cell) in cells().enumerate() {
            match form.stamp(cell) {
                None if !cell.trim().is_empty() => {
                    bad = Some(row);
                    break;
                }
                date => dates.push(date),
            }
        }
        match (bad, &read) {
            (Some(row), _) => furthest = furthest.max(row),
            (None, None) => read = Some(dates),
            (None, Some(other)) => {
                if let Some(row) = (0..dates.len()).find(|i| dates[*i] != other[*i]) {
                    return Dates::Ambiguous(row);
                }
            }
        }
    }
    read.map_or(Dates::Unreadable(furthest), Dates::Read)
}

/// Why a cell that begins with a day is not a date: what its clock gets wrong, or that its century is open.
pub(crate) fn clock_fault(text: &str) -> Option<ClockFault> {
    let (day, clock) = split_time(text.trim())?;
    if DateFormat::is_of_either_century(day) {
        return Some(("may be of the 20th or the 21st century", "write years with four digits"));
    }
    let is_day = || DateFormat::FORMS.iter().any(|form| form.stamp(day).is_some());
    clock.and_then(|clock| read_clock(clock).err()).filter(|_| is_day())
}
