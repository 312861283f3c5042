//! Parquet, read by polars after its schema and size have been looked at.

use std::io::Cursor;

use jiff::{Span, civil::Date};
use polars::prelude::*;

use super::{As, Column, believable::is_believable, guarded, too_large};
use crate::{
    DataError, Result,
    names::{quoted, shortened},
};

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
            if !readable(dtype) {
                return Err(DataError::File {
                    file: file.to_owned(),
                    problem: format!(
                        "column {} has the type {}",
                        quoted(name),
                        shortened(&format!("{dtype:?}"))
                    ),
                    fix: match kind {
                        As::Date => "store dates as dates, as times without a zone, or as text".into(),
                        _ => "store it as numbers or as text".into(),
                    },
                });
            }
        }
        let mut projection: Vec<usize> = wanted.iter().map(|(i, _)| *i).collect();
        projection.sort_unstable();
        projection.dedup();
        let frame =
            guarded(file, "Parquet", || reader_of(bytes)?.with_projection(Some(projection)).finish())?;
        // A dictionary may hold one long text for many rows: counted before anything copies it out.
        let mut text_bytes = 0u64;
        for (i, _) in wanted {
            let found =
                guarded(file, "Parquet", || text_size(frame.column(&self.columns[*i].0)?, self.max_bytes))?;
            text_bytes = text_bytes.saturating_add(found);
            if text_bytes > self.max_bytes {
                return Err(too_large(file, self.max_bytes));
            }
        }
        wanted
            .iter()
            .map(|(i, _)| guarded(file, "Parquet", || column_of(frame.column(&self.columns[*i].0)?)))
            .collect()
    }
}

/// The reader of a file that can be believed.
pub(crate) fn reader_of(bytes: &[u8]) -> PolarsResult<ParquetReader<Cursor<&[u8]>>> {
    polars_ensure!(is_believable(bytes), ComputeError: "its metadata are damaged");
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

fn readable(dtype: &ArrowDataType) -> bool {
    use ArrowDataType as T;
    match dtype {
        T::Boolean | T::Utf8 | T::LargeUtf8 | T::Utf8View | T::Date32 | T::Timestamp(_, None) => true,
        T::Dictionary(_, values, _) => readable(values),
        T::Int8 | T::Int16 | T::Int32 | T::Int64 | T::UInt8 | T::UInt16 | T::UInt32 | T::UInt64 => true,
        T::Float32 | T::Float64 => true,
        _ => false,
    }
}

fn column_of(column: &polars::prelude::Column) -> PolarsResult<Column> {
    const DAY_MS: i64 = 86_400_000;
    let days = |per_day: i64| -> PolarsResult<Column> {
        let physical = column.to_physical_repr().cast(&DataType::Int64)?;
        Ok(Column::Dates(
            physical.i64()?.iter().map(|v| v.and_then(|v| date_of(v.div_euclid(per_day)))).collect(),
        ))
    };
    match column.dtype() {
        DataType::Date => days(1),
        DataType::Datetime(TimeUnit::Milliseconds, _) => days(DAY_MS),
        DataType::Datetime(TimeUnit::Microseconds, _) => days(DAY_MS * 1_000),
        DataType::Datetime(TimeUnit::Nanoseconds, _) => days(DAY_MS * 1_000_000),
        dtype if dtype.is_primitive_numeric() || dtype.is_bool() => {
            let numbers = column.cast(&DataType::Float64)?;
            Ok(Column::Numbers(numbers.f64()?.iter().map(|v| v.unwrap_or(f64::NAN)).collect()))
        }
        _ => Ok(Column::Text(column.cast(&DataType::String)?.str()?.clone())),
    }
}

fn date_of(days: i64) -> Option<Date> {
    Date::constant(1970, 1, 1).checked_add(Span::new().try_days(days).ok()?).ok()
}
