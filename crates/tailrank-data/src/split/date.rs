//! One cut, or two: by date or by share of rows.

use jiff::civil::Date;

use super::{Leak, Split, make, setting};
use crate::{DataError, Result, Timeline};

pub(super) fn by_date(timeline: &Timeline, at: Date, leak: Leak) -> Result<Split> {
    let cut = first_row(timeline, at)?;
    let description = format!("train before {at}, test from there");
    make(description, (0..cut).into(), None, (cut..timeline.len()).into(), timeline, leak)
}

pub(super) fn by_fraction(timeline: &Timeline, train: f64, leak: Leak) -> Result<Split> {
    let cut = share(timeline, "train", train)?;
    let description = format!("train on the first {train} of rows");
    make(description, (0..cut).into(), None, (cut..timeline.len()).into(), timeline, leak)
}

pub(super) fn by_dates(timeline: &Timeline, validation_at: Date, at: Date, leak: Leak) -> Result<Split> {
    if validation_at >= at {
        return Err(setting("validation_at", validation_at, format!("a day before at = {at}")));
    }
    let (from, to) = (first_row(timeline, validation_at)?, first_row(timeline, at)?);
    let description = format!("train before {validation_at}, validate before {at}, test from there");
    make(description, (0..from).into(), Some((from..to).into()), (to..timeline.len()).into(), timeline, leak)
}

pub(super) fn by_fractions(timeline: &Timeline, train: f64, validation: f64, leak: Leak) -> Result<Split> {
    let from = share(timeline, "train", train)?;
    share(timeline, "validation", validation)?;
    let to = share(timeline, "train + validation", train + validation)?;
    let description = format!("train on the first {train} of rows, validate on the next {validation}");
    make(description, (0..from).into(), Some((from..to).into()), (to..timeline.len()).into(), timeline, leak)
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
    Ok((share * timeline.len() as f64 * (1.0 + 4.0 * f64::EPSILON)).floor() as usize)
}
