//! When the rows of a table were seen.

use std::borrow::Cow;

use jiff::civil::DateTime;

use super::{RowDates, TableOptions};
use crate::{
    DataError, DateFormat, Result,
    date::{Dates, Stamp, clock_fault, read_forms},
    file::{Column, Source, is_missing},
    names::listed,
    series::{DATE, is_known},
};

/// Times of all rows of a file, and the column they come from.
pub(super) struct RowTimes {
    pub(super) column: usize,
    /// None where a row has no time.
    pub(super) stamps: Vec<Option<DateTime>>,
}

/// The column that may say when rows were seen: as named, or one with a known name, also among the ignored.
pub(super) fn date_column(source: &Source, options: &TableOptions, target: usize) -> Result<Option<usize>> {
    match &options.date {
        RowDates::Ignored => Ok(None),
        RowDates::Column(name) => {
            let at = source.position(name)?;
            if at == target {
                return Err(DataError::setting("date", name, "a column other than the target"));
            }
            Ok(Some(at))
        }
        RowDates::Known => {
            let input = |name: &String| options.inputs.contains(name) || options.categorical.contains(name);
            let known =
                |i: &usize| *i != target && is_known(&source.names[*i], DATE) && !input(&source.names[*i]);
            Ok((0..source.own().len()).find(known))
        }
    }
}

impl RowTimes {
    /// Times from the `date` column or, where none is named, from the one text column that holds nothing but
    /// dates. Such a column leaves the inputs; one that only has the name of a date goes back to them.
    pub(super) fn of(
        source: &Source,
        options: &TableOptions,
        date: Option<(usize, Column)>,
        inputs: &mut Vec<(usize, Column)>,
    ) -> Result<Option<Self>> {
        if options.date == RowDates::Ignored {
            return Ok(None);
        }
        if let Some((at, column)) = date {
            // A column that was named, or whose format was said, is read or refused; so is one of dates that
            // could be two different days.
            let said = matches!(options.date, RowDates::Column(_)) || options.date_format != DateFormat::Auto;
            if said || holds_dates(&column, &DateFormat::Auto) {
                return Self::new(source, &column, at, options).map(Some);
            }
            // The name of a date, but not dates: an input like any other, unless it was to be left out.
            if !options.ignore.contains(&source.names[at]) && options.inputs.is_empty() {
                let column = source
                    .read(&[(at, crate::file::ReadAs::Number)], options.numbers, &mut Vec::new())?
                    .pop()
                    .unwrap_or(column);
                let place = inputs.partition_point(|(i, _)| *i < at);
                inputs.insert(place, (at, column));
            }
        }
        let holds = |(i, column): &&(usize, Column)| {
            is_dates(column, &options.date_format) && !options.categorical.contains(&source.names[*i])
        };
        let found: Vec<usize> = inputs.iter().filter(holds).map(|(i, _)| *i).collect();
        match &found[..] {
            [] if options.date_format != DateFormat::Auto => Err(source.refused(
                "no column holds dates written as `date_format` says",
                "name the column of dates in `date`, or leave `date_format` (option --date-format) out",
            )),
            [] => Ok(None),
            [at] if options.inputs.is_empty() => {
                let place = inputs.iter().position(|(i, _)| i == at).unwrap_or(0);
                let (at, column) = inputs.remove(place);
                Self::new(source, &column, at, options).map(Some)
            }
            [_] => Ok(None),
            several => {
                let names: Vec<&str> = several.iter().map(|i| source.names[*i].as_str()).collect();
                let fix = "name the one that tells when a row was seen in `date`, and list the others under `ignore`";
                Err(source.refused(format!("several columns hold dates ({})", listed(&names)), fix))
            }
        }
    }

    fn new(source: &Source, column: &Column, at: usize, options: &TableOptions) -> Result<Self> {
        let stamps = source.dates(column, at, &options.date_format)?;
        Ok(Self { column: at, stamps: stamps.iter().map(|s| s.map(|s| s.instant())).collect() })
    }
}

/// Whether a text column holds nothing but dates.
pub(super) fn is_dates(column: &Column, format: &DateFormat) -> bool {
    !matches!(column, Column::Numbers(_)) && holds_dates(column, format)
}

/// Whether every row has a date that nobody would take for a number, though it may not be clear which day it
/// is.
fn holds_dates(column: &Column, format: &DateFormat) -> bool {
    if matches!(column, Column::Stamps(_)) {
        return true;
    }
    let cells: Vec<Cow<'_, str>> = (0..column.len()).map(|row| column.cell(row)).collect();
    if cells.is_empty() || cells.iter().any(|cell| is_missing(cell.trim())) {
        return false;
    }
    let forms = match format {
        DateFormat::Auto => &DateFormat::FORMS[..],
        one => std::slice::from_ref(one),
    };
    // Eight digits may be any number: as dates they lie in living memory.
    let likely = |stamp: &Stamp| (1800..2200).contains(&stamp.date.year());
    match read_forms(forms, &|| cells.iter().map(|cell| &**cell)) {
        Dates::Read(stamps) => stamps.iter().flatten().all(likely),
        Dates::Ambiguous(_) => true,
        // A single wrong clock among days and times does not make them words.
        Dates::Unreadable(row) => cells.get(row).is_some_and(|cell| clock_fault(cell).is_some()),
    }
}
