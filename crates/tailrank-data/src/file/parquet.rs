//! Parquet, read by polars after its schema and size have been looked at; nothing of polars leaves this crate.

use std::{collections::HashMap, io::Cursor};

use jiff::{SignedDuration, Timestamp, civil::Date, tz::TimeZone};
use polars::prelude::{
    ArrowDataType, DataType, ParquetReader, PolarsResult, SerReader, TimeUnit, polars_ensure,
};

use super::{As, Column, sanity::is_sane, too_large};
use crate::{
    DataError, Result,
    date::Stamp,
    names::{quoted, shortened},
};

/// Runs a polars reader; a panic inside it (damaged files can cause one) becomes an error like any other.
pub(crate) fn guarded<T>(file: &str, kind: &str, read: impl FnOnce() -> PolarsResult<T>) -> Result<T> {
    let (problem, fix) = match std::panic::catch_unwind(std::panic::AssertUnwindSafe(read)) {
        Ok(Ok(value)) => return Ok(value),
        Ok(Err(e)) => (
            shortened(e.to_string().lines().next().unwrap_or_default()),
            "write the file again with the program it comes from",
        ),
        // The file may be sound: it is the reader that has no answer to it.
        Err(_) => ("the reader failed, and the file may be sound".to_owned(), "save it as CSV instead"),
    };
    Err(DataError::File {
        file: file.to_owned(),
        problem: format!("cannot be read as {kind} ({problem})"),
        fix: fix.into(),
    })
}

/// Names and types of the columns, and how much they may unpack to.
pub(super) struct Layout {
    columns: Vec<(String, ArrowDataType)>,
    max_bytes: u64,
}

impl Layout {
    pub(super) fn of(file: &str, bytes: &[u8], max_bytes: u64) -> Result<Self> {
        let (columns, rows, stored) = guarded(file, "Parquet", || {
            let mut reader = reader_of(bytes)?;
            let schema = reader.schema()?;
            let columns: Vec<_> =
                schema.iter_values().map(|f| (f.name.to_string(), f.dtype.clone())).collect();
            let groups = &reader.get_metadata()?.row_groups;
            let rows = groups.iter().map(|g| g.num_rows() as u64).fold(0, u64::saturating_add);
            let stored = groups.iter().map(|g| g.total_byte_size() as u64).fold(0, u64::saturating_add);
            Ok((columns, rows.max(reader.num_rows()? as u64), stored))
        })?;
        // Encoded runs can stand for far more rows than the file has bytes.
        let cells = rows.saturating_mul(columns.iter().map(|(_, dtype)| cell_bytes(dtype)).sum());
        if cells.max(stored) > max_bytes {
            return Err(too_large(file, max_bytes));
        }
        Ok(Self { columns, max_bytes })
    }

    pub(super) fn names(&self) -> Vec<String> {
        self.columns.iter().map(|(n, _)| n.clone()).collect()
    }

    pub(super) fn read(&self, file: &str, bytes: &[u8], wanted: &[(usize, As)]) -> Result<Vec<Column>> {
        for (i, kind) in wanted {
            let (name, dtype) = &self.columns[*i];
            if let Some(fix) = unreadable(dtype, *kind) {
                let problem =
                    format!("column {} has the type {}", quoted(name), shortened(&format!("{dtype:?}")));
                return Err(DataError::File { file: file.to_owned(), problem, fix });
            }
        }
        let mut projection: Vec<usize> = wanted.iter().map(|(i, _)| *i).collect();
        projection.sort_unstable();
        projection.dedup();
        let frame =
            guarded(file, "Parquet", || reader_of(bytes)?.with_projection(Some(projection)).finish())?;
        // By position: a look-up by name goes through all columns.
        let places: HashMap<&str, usize> =
            frame.columns().iter().enumerate().map(|(place, c)| (c.name().as_str(), place)).collect();
        let column = |i: usize| -> PolarsResult<&polars::prelude::Column> {
            let place = places.get(self.columns[i].0.as_str());
            place
                .and_then(|place| frame.columns().get(*place))
                .ok_or_else(|| polars::prelude::polars_err!(ColumnNotFound: "{}", self.columns[i].0))
        };
        // A dictionary may hold one long text for many rows: counted before anything copies it out.
        let mut text_bytes = 0u64;
        for (i, _) in wanted {
            let found = guarded(file, "Parquet", || text_size(column(*i)?, self.max_bytes))?;
            text_bytes = text_bytes.saturating_add(found);
            if text_bytes > self.max_bytes {
                return Err(too_large(file, self.max_bytes));
            }
        }
        wanted
            .iter()
            .map(|(i, _)| {
                let zone = zone_of(file, &self.columns[*i])?;
                guarded(file, "Parquet", || column_of(column(*i)?, zone.as_ref()))
            })
            .collect()
    }
}

/// The reader of a file whose counts are sane.
pub(crate) fn reader_of(bytes: &[u8]) -> PolarsResult<ParquetReader<Cursor<&[u8]>>> {
    polars_ensure!(is_sane(bytes), ComputeError: "its metadata are damaged");
    Ok(ParquetReader::new(Cursor::new(bytes)))
}

/// What a cell of this type takes in memory before any text longer than a few letters.
fn cell_bytes(dtype: &ArrowDataType) -> u64 {
    match dtype {
        ArrowDataType::Utf8 | ArrowDataType::LargeUtf8 | ArrowDataType::Utf8View => 16,
        _ => 8,
    }
}

/// Bytes of all texts of a column, counted up to a little above `enough`.
fn text_size(column: &polars::prelude::Column, enough: u64) -> PolarsResult<u64> {
    let mut bytes = 0u64;
    let mut add = |text: &str| {
        bytes = bytes.saturating_add(text.len() as u64);
        bytes <= enough
    };
    match column.dtype() {
        DataType::String => {
            column.str()?.iter().flatten().all(&mut add);
        }
        DataType::Categorical(..) | DataType::Enum(..) => {
            column.as_materialized_series().iter().all(|value| value.get_str().is_none_or(&mut add));
        }
        _ => {}
    }
    Ok(bytes)
}

/// What to do about a column of a type that is not read.
fn unreadable(dtype: &ArrowDataType, kind: As) -> Option<String> {
    use ArrowDataType as T;
    let fix = match dtype {
        T::Boolean | T::Utf8 | T::LargeUtf8 | T::Utf8View | T::Date32 | T::Timestamp(..) => return None,
        T::Int8 | T::Int16 | T::Int32 | T::Int64 | T::UInt8 | T::UInt16 | T::UInt32 | T::UInt64 => {
            return None;
        }
        T::Float32 | T::Float64 => return None,
        T::Dictionary(_, values, _) => return unreadable(values, kind),
        T::Decimal(..) | T::Decimal32(..) | T::Decimal64(..) | T::Decimal256(..) => {
            "decimals are not read: store it as floating-point numbers (double)"
        }
        _ if kind == As::Date => "store dates as dates, as times or as text",
        _ => "store it as numbers or as text",
    };
    Some(fix.to_owned())
}

/// The zone in which a column's times are to be understood.
fn zone_of(file: &str, (name, dtype): &(String, ArrowDataType)) -> Result<Option<TimeZone>> {
    let ArrowDataType::Timestamp(_, Some(zone)) = dtype else { return Ok(None) };
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
            quoted(name),
            quoted(zone)
        ),
        fix: "store its times in UTC or without a zone".into(),
    })
}

fn column_of(column: &polars::prelude::Column, zone: Option<&TimeZone>) -> PolarsResult<Column> {
    const SECOND_MS: i64 = 1_000;
    let stamps = |stamp: &dyn Fn(i64) -> Option<Stamp>| -> PolarsResult<Column> {
        let physical = column.to_physical_repr().cast(&DataType::Int64)?;
        Ok(Column::Stamps(physical.i64()?.iter().map(|v| v.and_then(stamp)).collect()))
    };
    let times = |per_second: i64| stamps(&|v| stamp_of(v, per_second, zone));
    match column.dtype() {
        DataType::Date => stamps(&|days| date_of(days).map(Stamp::from)),
        DataType::Datetime(TimeUnit::Milliseconds, _) => times(SECOND_MS),
        DataType::Datetime(TimeUnit::Microseconds, _) => times(SECOND_MS * 1_000),
        DataType::Datetime(TimeUnit::Nanoseconds, _) => times(SECOND_MS * 1_000_000),
        dtype if dtype.is_primitive_numeric() || dtype.is_bool() => {
            let numbers = column.cast(&DataType::Float64)?;
            Ok(Column::Numbers(numbers.f64()?.iter().map(|v| v.unwrap_or(f64::NAN)).collect()))
        }
        _ => {
            let texts = column.cast(&DataType::String)?;
            Ok(Column::Text(texts.str()?.iter().map(Option::unwrap_or_default).collect()))
        }
    }
}

fn date_of(days: i64) -> Option<Date> {
    Date::constant(1970, 1, 1).checked_add(jiff::Span::new().try_days(days).ok()?).ok()
}

/// `value` units after 1970, of which `per_second` make a second; with a zone, as a clock there shows it.
fn stamp_of(value: i64, per_second: i64, zone: Option<&TimeZone>) -> Option<Stamp> {
    let (seconds, rest) = (value.div_euclid(per_second), value.rem_euclid(per_second));
    let nanoseconds = i32::try_from(rest * (1_000_000_000 / per_second)).ok()?;
    let instant = Timestamp::from_duration(SignedDuration::new(seconds, nanoseconds)).ok()?;
    let offset = zone.unwrap_or(&TimeZone::UTC).to_offset(instant);
    let shown = offset.to_datetime(instant);
    Some(Stamp { date: shown.date(), time: Some(shown.time()), offset: zone.map(|_| offset.seconds()) })
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::super::{NumberFormat, Source};
    use super::*;
    use crate::thrift::{BINARY, Compact, I32, I64, STRUCT};

    /// One column of decimals with two digits after the point, stored as whole numbers.
    fn decimals(values: &[i64]) -> Vec<u8> {
        let (rows, size) = (values.len() as i64, values.len() as i64 * 8);
        let mut file = b"PAR1".to_vec();
        let mut t = Compact::new(&mut file);
        t.int(1, 0, I32);
        t.int(2, size, I32);
        t.int(3, size, I32);
        t.begin(5);
        t.int(1, rows, I32);
        t.int(2, 0, I32);
        t.int(3, 3, I32);
        t.int(4, 3, I32);
        t.end();
        t.stop();
        values.iter().for_each(|v| file.extend_from_slice(&v.to_le_bytes()));
        let stored = file.len() as i64 - 4;
        let start = file.len();
        let mut t = Compact::new(&mut file);
        t.int(1, 1, I32);
        t.list(2, STRUCT, 2);
        t.element(|t| {
            t.bytes(4, b"schema");
            t.int(5, 1, I32);
        });
        t.element(|t| {
            t.int(1, 2, I32); // INT64
            t.int(3, 0, I32); // required
            t.bytes(4, b"price");
            t.int(6, 5, I32); // DECIMAL
            t.int(7, 2, I32);
            t.int(8, 10, I32);
        });
        t.int(3, rows, I64);
        t.list(4, STRUCT, 1);
        t.element(|t| {
            t.list(1, STRUCT, 1);
            t.element(|t| {
                t.int(2, 4, I64);
                t.begin(3);
                t.int(1, 2, I32);
                t.list(2, I32, 1);
                t.varint(0);
                t.list(3, BINARY, 1);
                t.item(b"price");
                t.int(4, 0, I32);
                t.int(5, rows, I64);
                t.int(6, stored, I64);
                t.int(7, stored, I64);
                t.int(9, 4, I64);
                t.end();
            });
            t.int(2, stored, I64);
            t.int(3, rows, I64);
        });
        t.stop();
        let length = u32::try_from(file.len() - start).unwrap();
        file.extend_from_slice(&length.to_le_bytes());
        file.extend_from_slice(b"PAR1");
        file
    }

    #[test]
    fn decimals_are_refused_by_name() {
        let bytes = decimals(&[5050, 5100]);
        let source = Source::from_bytes("t.parquet".into(), Cow::Borrowed(&bytes), 1 << 20).unwrap();
        assert_eq!(source.names, ["price"]);
        let read = source.read(&[(0, As::Number)], NumberFormat::Auto, &mut Vec::new());
        assert_eq!(
            read.err().map(|e| e.to_string()).unwrap_or_default(),
            "t.parquet: column \"price\" has the type Decimal(10, 2); decimals are not read: store it as floating-point \
             numbers (double)"
        );
    }
}
