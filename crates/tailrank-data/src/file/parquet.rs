//! Columns of a Parquet file as numbers, texts and times.

use jiff::{SignedDuration, Timestamp, civil::Date, tz::TimeZone};
use rayon::prelude::*;

use super::{As, Column, Texts, decimal, too_large};
use crate::{
    DataError, Result,
    date::Stamp,
    names::quoted,
    parquet::{Budget, ColumnReader, Fault, Field, Footer, Found, Int96, Kind, Physical},
};

/// The metadata of `bytes`, which `file` stands for in messages.
pub(crate) fn footer_of(file: &str, bytes: &[u8]) -> Result<Footer> {
    Footer::of(bytes).map_err(|fault| error_of(file, fault, 0))
}

fn error_of(file: &str, fault: Fault, max_bytes: u64) -> DataError {
    let (problem, fix) = match fault {
        Fault::TooLarge => return too_large(file, max_bytes),
        Fault::NotRead { problem, fix } => (problem, fix),
        Fault::Damaged(problem) => (
            format!("cannot be read as Parquet ({problem})"),
            "write the file again with the program it comes from",
        ),
        // The file may be sound: it is the decompressor that has no answer to it.
        Fault::Panic => (
            "cannot be read as Parquet (the reader failed, and the file may be sound)".to_owned(),
            "save it as CSV instead",
        ),
    };
    DataError::File { file: file.to_owned(), problem, fix: fix.into() }
}

/// Names and types of the columns, and how much they may unpack to.
pub(super) struct Layout {
    footer: Footer,
    max_bytes: u64,
}

impl Layout {
    pub(super) fn of(file: &str, bytes: &[u8], max_bytes: u64) -> Result<Self> {
        let footer = footer_of(file, bytes)?;
        // Encoded runs can stand for far more rows than the file has bytes.
        let cells =
            footer.rows.saturating_mul(footer.fields.iter().map(|field| cell_bytes(&field.kind)).sum());
        if cells.max(footer.stored) > max_bytes {
            return Err(too_large(file, max_bytes));
        }
        Ok(Self { footer, max_bytes })
    }

    pub(super) fn names(&self) -> Vec<String> {
        self.footer.fields.iter().map(|field| field.name.clone()).collect()
    }

    pub(super) fn read(&self, file: &str, bytes: &[u8], wanted: &[(usize, As)]) -> Result<Vec<Column>> {
        for (i, kind) in wanted {
            let field = &self.footer.fields[*i];
            if let Kind::Other(name) = field.kind {
                let problem = format!("column {} has the type {name}", quoted(&field.name));
                return Err(DataError::File {
                    file: file.to_owned(),
                    problem,
                    fix: instead(name, *kind).to_owned(),
                });
            }
        }
        let zones =
            wanted.iter().map(|(i, _)| zone_of(file, &self.footer.fields[*i])).collect::<Result<Vec<_>>>()?;
        let (pages, texts) = (Budget::new(self.max_bytes), Budget::new(self.max_bytes));
        let read = |((i, _), zone): (&(usize, As), &Option<TimeZone>)| {
            let field = &self.footer.fields[*i];
            let reader = ColumnReader { file: bytes, footer: &self.footer, field, budget: &pages };
            column_of(&reader, zone.as_ref(), &texts).map_err(|fault| of_column(&field.name, fault))
        };
        let columns: Vec<Found<Column>> = wanted.par_iter().zip(&zones).map(read).collect();
        // What is too large goes before any damage: which column meets the limit depends on the threads.
        if columns.iter().any(|column| matches!(column, Err(Fault::TooLarge))) {
            return Err(too_large(file, self.max_bytes));
        }
        columns
            .into_iter()
            .map(|column| column.map_err(|fault| error_of(file, fault, self.max_bytes)))
            .collect()
    }
}

/// The fault with the column it is found in.
fn of_column(name: &str, fault: Fault) -> Fault {
    match fault {
        Fault::Damaged(problem) => Fault::Damaged(format!("column {}: {problem}", quoted(name))),
        Fault::NotRead { problem, fix } => {
            Fault::NotRead { problem: format!("column {} {problem}", quoted(name)), fix }
        }
        other => other,
    }
}

/// What a cell of this type takes in memory before any text longer than a few letters.
fn cell_bytes(kind: &Kind) -> u64 {
    match kind {
        Kind::Text => 16,
        Kind::Date | Kind::Time { .. } => size_of::<Option<Stamp>>() as u64,
        _ => 8,
    }
}

/// What to do about a column of a type that is not read.
fn instead(name: &str, kind: As) -> &'static str {
    match name {
        "Decimal256" => {
            "decimals of more than 38 digits are not read: store it as floating-point numbers (double)"
        }
        _ if kind == As::Date => "store dates as dates, as times or as text",
        _ => "store it as numbers or as text",
    }
}

/// The zone in which a column's times are to be understood.
fn zone_of(file: &str, field: &Field) -> Result<Option<TimeZone>> {
    let Kind::Time { zone: Some(zone), .. } = &field.kind else { return Ok(None) };
    let known = match zone.as_str() {
        "UTC" | "Z" | "Etc/UTC" => Some(TimeZone::UTC),
        // A fixed distance, such as +02:00, or a place.
        other => jiff::fmt::temporal::DateTimeParser::new()
            .parse_time_zone(other)
            .ok()
            .or_else(|| TimeZone::get(other).ok()),
    };
    known.map(Some).ok_or_else(|| DataError::File {
        file: file.to_owned(),
        problem: format!(
            "column {} has times in the zone {}, which is not known",
            quoted(&field.name),
            quoted(zone)
        ),
        fix: "store its times in UTC or without a zone".into(),
    })
}

fn column_of(reader: &ColumnReader<'_>, zone: Option<&TimeZone>, texts: &Budget) -> Found<Column> {
    use Physical as P;
    let nan = f64::NAN;
    let numbers = match (reader.field.physical, &reader.field.kind) {
        (P::Boolean, _) => reader.booleans(),
        (P::Float, _) => reader.numbers(nan, |v: f32| f64::from(v)),
        (P::Double, _) => reader.numbers(nan, |v: f64| v),
        (P::Int32, Kind::Number) => reader.numbers(nan, |v: i32| f64::from(v)),
        (P::Int32, Kind::Unsigned) => reader.numbers(nan, |v: i32| f64::from(v.cast_unsigned())),
        (P::Int64, Kind::Number) => reader.numbers(nan, |v: i64| v as f64),
        (P::Int64, Kind::Unsigned) => reader.numbers(nan, |v: i64| v.cast_unsigned() as f64),
        (P::Int32, Kind::Decimal(scale)) => reader.numbers(nan, |v: i32| decimal::nearest(v.into(), *scale)),
        (P::Int64, Kind::Decimal(scale)) => reader.numbers(nan, |v: i64| decimal::nearest(v.into(), *scale)),
        (_, Kind::Decimal(scale)) => {
            from_bytes(reader, |v| Some(decimal::nearest(decimal::unscaled(v)?, *scale)))
        }
        (_, Kind::Half) => from_bytes(reader, |v| Some(half(u16::from_le_bytes(v.try_into().ok()?)))),
        (P::Int32, Kind::Date) => {
            return reader
                .numbers(None, |days: i32| date_of(days.into()).map(Stamp::from))
                .map(Column::Stamps);
        }
        (P::Int64, Kind::Time { per_second, .. }) => {
            return reader.numbers(None, |v: i64| stamp_of(v, *per_second, zone)).map(Column::Stamps);
        }
        (P::Int96, _) => {
            return reader.numbers(None, |v: Int96| stamp_of_parts(julian(v), zone)).map(Column::Stamps);
        }
        _ => return texts_of(reader, texts).map(Column::Text),
    };
    numbers.map(Column::Numbers)
}

fn from_bytes(reader: &ColumnReader<'_>, number: impl Fn(&[u8]) -> Option<f64>) -> Found<Vec<f64>> {
    let mut out = Vec::new();
    reader.byte_arrays(|value| {
        let wide = || Fault::Damaged("a number has more bytes than its type".to_owned());
        out.push(value.map_or(Ok(f64::NAN), |bytes| number(bytes).ok_or_else(wide))?);
        Ok(())
    })?;
    Ok(out)
}

/// A dictionary may hold one long text for many rows: every copy counts.
fn texts_of(reader: &ColumnReader<'_>, budget: &Budget) -> Found<Texts> {
    let mut out = Texts::default();
    reader.byte_arrays(|value| {
        let bytes = value.unwrap_or_default();
        budget.take(bytes.len())?;
        let text = std::str::from_utf8(bytes);
        out.push(text.map_err(|_| Fault::Damaged(format!("row {} is not text in UTF-8", out.len() + 1)))?);
        Ok(())
    })?;
    Ok(out)
}

/// A number of half precision (IEEE 754 binary16).
fn half(bits: u16) -> f64 {
    let (exponent, fraction) = (i32::from(bits >> 10 & 0x1f), f64::from(bits & 0x3ff));
    let size = match exponent {
        0 => fraction * 2f64.powi(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1024.0 + fraction) * 2f64.powi(exponent - 25),
    };
    if bits >> 15 == 1 { -size } else { size }
}

fn date_of(days: i64) -> Option<Date> {
    Date::constant(1970, 1, 1).checked_add(jiff::Span::new().try_days(days).ok()?).ok()
}

/// `value` units after 1970, of which `per_second` make a second; with a zone, as a clock there shows it.
fn stamp_of(value: i64, per_second: i64, zone: Option<&TimeZone>) -> Option<Stamp> {
    let (seconds, rest) = (value.div_euclid(per_second), value.rem_euclid(per_second));
    stamp_of_parts((seconds, rest * (1_000_000_000 / per_second)), zone)
}

/// Seconds since 1970 and nanoseconds.
fn julian(Int96(nanoseconds, day): Int96) -> (i64, i64) {
    const EPOCH: i64 = 2_440_588;
    const SECOND: i64 = 1_000_000_000;
    let seconds = (i64::from(day) - EPOCH) * 86_400 + nanoseconds.div_euclid(SECOND);
    (seconds, nanoseconds.rem_euclid(SECOND))
}

fn stamp_of_parts((seconds, nanoseconds): (i64, i64), zone: Option<&TimeZone>) -> Option<Stamp> {
    let nanoseconds = i32::try_from(nanoseconds).ok()?;
    let instant = Timestamp::from_duration(SignedDuration::new(seconds, nanoseconds)).ok()?;
    let offset = zone.unwrap_or(&TimeZone::UTC).to_offset(instant);
    let shown = offset.to_datetime(instant);
    Some(Stamp { date: shown.date(), time: Some(shown.time()), offset: zone.map(|_| offset.seconds()) })
}
