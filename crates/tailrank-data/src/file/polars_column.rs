//! Columns that polars has read, as numbers, texts and times.

use jiff::{Timestamp, civil::Date, tz::TimeZone};
use polars::prelude::{ArrowDataType, DataType, PolarsResult, Series, TimeUnit};

use super::{Column, ReadAs, Texts};
use crate::{DataError, Result, date::Stamp, names::quoted};

/// What a cell of this type takes in memory before any text longer than a few letters.
pub(super) fn cell_bytes(kind: &ArrowDataType) -> u64 {
    match kind {
        ArrowDataType::Utf8 | ArrowDataType::LargeUtf8 | ArrowDataType::Utf8View => 16,
        ArrowDataType::Date32 | ArrowDataType::Date64 | ArrowDataType::Timestamp(..) => {
            size_of::<Option<Stamp>>() as u64
        }
        _ => 8,
    }
}

/// Refuses columns of types that are neither numbers, texts nor times by name.
pub(super) fn check_type(file: &str, column: &str, kind: &ArrowDataType, wanted: ReadAs) -> Result<()> {
    use ArrowDataType as A;
    let name = match kind {
        A::List(_) | A::LargeList(_) | A::FixedSizeList(..) => "list",
        A::Struct(_) => "structure",
        A::Map(..) => "map",
        A::Binary | A::LargeBinary | A::FixedSizeBinary(_) | A::BinaryView => "binary",
        A::Duration(_) => "duration",
        A::Time32(_) | A::Time64(_) => "time of day",
        A::Interval(_) => "interval",
        A::Decimal256(..) => "Decimal256",
        A::Extension(inner) => return check_type(file, column, &inner.inner, wanted),
        A::Dictionary(_, values, _) => return check_type(file, column, values, wanted),
        A::Union(_) | A::Unknown | A::Int128 | A::UInt128 => "unusual",
        _ => return Ok(()),
    };
    let many_digits =
        "decimals of more than 38 digits are not read: store it as floating-point numbers (double)";
    let fix = match name {
        "Decimal256" => many_digits,
        _ if wanted == ReadAs::Date => "store dates as dates, as times or as text",
        _ => "store it as numbers or as text",
    };
    let problem = format!("column {} has the type {name}", quoted(column));
    Err(DataError::file(file, problem, fix))
}

/// The zone in which a column's times are to be understood.
pub(super) fn zone_of(file: &str, column: &str, kind: &ArrowDataType) -> Result<Option<TimeZone>> {
    let ArrowDataType::Timestamp(_, Some(zone)) = kind else { return Ok(None) };
    let known = match zone.as_str() {
        "" => return Ok(None),
        "UTC" | "Z" | "Etc/UTC" => Some(TimeZone::UTC),
        // A fixed distance, such as +02:00, or a place.
        other => jiff::fmt::temporal::DateTimeParser::new()
            .parse_time_zone(other)
            .ok()
            .or_else(|| TimeZone::get(other).ok()),
    };
    known.map(Some).ok_or_else(|| {
        let (column, zone) = (quoted(column), quoted(zone));
        let problem = format!("column {column} has times in the zone {zone}, which is not known");
        DataError::file(file, problem, "store its times in UTC or without a zone")
    })
}

/// The column as numbers, texts or times; none where its texts take more than `largest` bytes.
pub(super) fn column(series: Series, zone: Option<&TimeZone>, largest: u64) -> PolarsResult<Option<Column>> {
    Ok(Some(match series.dtype() {
        DataType::String => return Ok(texts(&series, largest)?.map(Column::Text)),
        DataType::Categorical(..) | DataType::Enum(..) => {
            return Ok(texts(&series.cast(&DataType::String)?, largest)?.map(Column::Text));
        }
        DataType::Date => {
            let days = series.to_physical_repr();
            let stamp = |days: Option<i32>| days.and_then(|days| date_of(days.into())).map(Stamp::from);
            Column::Stamps(days.i32()?.iter().map(stamp).collect())
        }
        DataType::Datetime(unit, _) => {
            let per_second = match unit {
                TimeUnit::Nanoseconds => 1_000_000_000,
                TimeUnit::Microseconds => 1_000_000,
                TimeUnit::Milliseconds => 1_000,
            };
            let instants = series.to_physical_repr();
            let stamp = |value: Option<i64>| value.and_then(|value| stamp_of(value, per_second, zone));
            Column::Stamps(instants.i64()?.iter().map(stamp).collect())
        }
        DataType::Decimal(_, scale) => {
            let scale = u32::try_from(*scale).unwrap_or(u32::MAX);
            let number = |whole: Option<i128>| whole.map_or(f64::NAN, |whole| nearest_decimal(whole, scale));
            Column::Numbers(series.decimal()?.physical().iter().map(number).collect())
        }
        _ => {
            let mut numbers = Vec::new();
            extend_numbers(&mut numbers, series)?;
            Column::Numbers(numbers)
        }
    }))
}

/// Adds numbers and truth values, NaN where they are missing. Where one piece of memory holds all of them, it
/// is taken over.
pub(super) fn extend_numbers(found: &mut Vec<f64>, series: Series) -> PolarsResult<()> {
    let rows = series.len();
    let cast = series.cast(&DataType::Float64)?;
    drop(series);
    let chunks = cast.f64()?.clone();
    drop(cast);
    if chunks.chunks().len() > 1 {
        found.reserve(rows);
    }
    for chunk in chunks.downcast_into_iter() {
        let has_gaps = chunk.validity().is_some();
        if !has_gaps && found.is_empty() && chunk.len() == rows {
            *found = chunk.into_inner().1.to_vec();
        } else if has_gaps {
            found.extend(chunk.iter().map(|value| value.copied().unwrap_or(f64::NAN)));
        } else {
            found.extend_from_slice(chunk.values());
        }
    }
    Ok(())
}

/// Texts, empty where they are missing; none where they take more than `largest` bytes, since a dictionary
/// may hold one long text for many rows.
fn texts(series: &Series, largest: u64) -> PolarsResult<Option<Texts>> {
    let texts = series.str()?;
    let size: u64 = texts.iter().flatten().map(|text| text.len() as u64).sum();
    if size > largest {
        return Ok(None);
    }
    Ok(Some(texts.iter().map(Option::unwrap_or_default).collect()))
}

fn date_of(days: i64) -> Option<Date> {
    Date::constant(1970, 1, 1).checked_add(jiff::Span::new().try_days(days).ok()?).ok()
}

/// `value` units after 1970, of which `per_second` make a second; with a zone, as a clock there shows it.
fn stamp_of(value: i64, per_second: i128, zone: Option<&TimeZone>) -> Option<Stamp> {
    let instant = Timestamp::from_nanosecond(i128::from(value) * (1_000_000_000 / per_second)).ok()?;
    let offset = zone.unwrap_or(&TimeZone::UTC).to_offset(instant);
    let shown = offset.to_datetime(instant);
    Some(Stamp { date: shown.date(), time: Some(shown.time()), offset: zone.map(|_| offset.seconds()) })
}

/// The number nearest to `unscaled`·10^−`scale`.
fn nearest_decimal(unscaled: i128, scale: u32) -> f64 {
    const EXACT: i128 = 1 << f64::MANTISSA_DIGITS;
    // Both are exact, so their quotient is the nearest number. Texts are read to the nearest number, too.
    if scale <= 22 && unscaled.abs() <= EXACT {
        unscaled as f64 / (0..scale).fold(1.0, |power, _| power * 10.0)
    } else {
        format!("{unscaled}e-{scale}").parse().unwrap_or(f64::NAN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[allow(clippy::excessive_precision)] // The digits of the decimals themselves.
    fn the_nearest_number_is_that_of_the_digits() {
        for (whole, scale, expected) in [
            (5050, 2, 50.50),
            (-1, 1, -0.1),
            (0, 38, 0.0),
            (i128::from(i64::MAX), 18, 9.223372036854775807),
            (1234567890123456789, 9, 1234567890.123456789),
            (99999999999999999999999999999999999999, 38, 0.99999999999999999999999999999999999999),
            (-99999999999999999999999999999999999999, 0, -99999999999999999999999999999999999999.0),
            (3, 23, 3e-23),
        ] {
            let found = nearest_decimal(whole, scale);
            assert!(found.to_bits() == f64::to_bits(expected), "{whole}e-{scale}: {found}");
        }
    }
}
