//! One cut, or two: by date or by share of rows.

use jiff::civil::Date;

use super::{Leak, Split, make, setting};
use crate::{DataError, Result, Timeline};

pub(super) fn by_date(timeline: &Timeline, at: Date, validation: Option<Date>, leak: Leak) -> Result<Split> {
    if let Some(day) = validation.filter(|day| *day >= at) {
        return Err(setting("validation_at", day, format!("a day before at = {at}")));
    }
    let description = match validation {
        None => format!("train before {at}, test from there"),
        Some(day) => format!("train before {day}, validate before {at}, test from there"),
    };
    let test = first_row(timeline, at)?;
    let from = validation.map(|day| first_row(timeline, day)).transpose()?;
    cut(description, from, test, timeline, leak)
}

pub(super) fn by_fraction(
    timeline: &Timeline,
    train: f64,
    validation: Option<f64>,
    leak: Leak,
) -> Result<Split> {
    let first = share(timeline, "train", train)?;
    let Some(validation) = validation else {
        return cut(format!("train on the first {train} of rows"), None, first, timeline, leak);
    };
    share(timeline, "validation", validation)?;
    let test = share(timeline, "train + validation", train + validation)?;
    let description = format!("train on the first {train} of rows, validate on the next {validation}");
    cut(description, Some(first), test, timeline, leak)
}

/// The test begins at row `test`; before it, rows from `validation` on choose models.
fn cut(
    description: String,
    validation: Option<usize>,
    test: usize,
    timeline: &Timeline,
    leak: Leak,
) -> Result<Split> {
    let train = 0..validation.unwrap_or(test);
    let validation = validation.map(|from| (from..test).into());
    make(description, train.into(), validation, (test..timeline.len()).into(), timeline, leak)
}

/// The first row whose origin is on or after `day`.
pub(super) fn first_row(timeline: &Timeline, day: Date) -> Result<usize> {
    let dates = timeline.origin_dates().ok_or_else(|| DataError::Setting {
        name: "at",
        value: day.to_string(),
        expected: "these rows have no dates; split by kind = \"fraction\" or \"kfold\"".into(),
    })?;
    Ok(dates.partition_point(|d| *d < day))
}

fn share(timeline: &Timeline, name: &'static str, share: f64) -> Result<usize> {
    if !(share > 0.0 && share < 1.0) {
        return Err(setting(name, share, "a share above 0 and below 1"));
    }
    // 0.57 of 100 rows is 57, though the product is a hair less. It stays below the number of rows, so the cast cannot
    // lose anything but the fraction.
    let row = (share * timeline.len() as f64 * (1.0 + 4.0 * f64::EPSILON)).floor() as usize;
    Ok(timeline.between_dates(row))
}
