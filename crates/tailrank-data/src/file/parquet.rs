//! Parquet, read by polars: of the file's columns only those that are wanted.

use std::io::Cursor;

use polars::prelude::{ArrowSchema, DataFrame, ParquetReader, PolarsResult, SerReader};

use super::{
    As, Column,
    claims::{Claims, Wrong},
    found::{Wanted, cell_bytes},
    guard::{asked, damaged},
    too_large,
};
use crate::{DataError, Result, names::quoted};

const FORM: &str = "Parquet";

/// Names and types of the columns, and how much they may unpack to.
pub(super) struct Layout {
    schema: std::sync::Arc<ArrowSchema>,
    claims: Claims,
    max_bytes: u64,
}

impl Layout {
    pub(super) fn of(file: &str, bytes: &[u8], max_bytes: u64) -> Result<Self> {
        let claims = Claims::of(bytes).map_err(|wrong| refused(file, None, &wrong, max_bytes))?;
        let schema = asked(file, FORM, || ParquetReader::new(Cursor::new(bytes)).schema())?;
        // Encoded runs can stand for far more rows than the file has bytes.
        let cells: u64 = schema.iter_values().map(|field| cell_bytes(&field.dtype)).sum();
        if claims.rows.saturating_mul(cells).max(claims.stored) > max_bytes {
            return Err(too_large(file, max_bytes));
        }
        Ok(Self { schema, claims, max_bytes })
    }

    pub(super) fn names(&self) -> Vec<String> {
        self.schema.iter_names().map(ToString::to_string).collect()
    }

    pub(super) fn read(&self, file: &str, bytes: &[u8], wanted: &[(usize, As)]) -> Result<Vec<Column>> {
        let wanted = Wanted::new(file, FORM, &self.schema, wanted, self.max_bytes)?;
        let name = |i: usize| self.schema.get_at_index(i).map_or("", |(name, _)| name.as_str());
        let mut left = self.max_bytes;
        for i in &wanted.places {
            let checked = self.claims.check_pages(bytes, *i, &mut left);
            checked.map_err(|wrong| refused(file, Some(name(*i)), &wrong, self.max_bytes))?;
        }
        let frame = asked(file, FORM, || read(bytes, wanted.places.clone())).or_else(|error| {
            // The column that cannot be read is named.
            for i in &wanted.places {
                let form = format!("{FORM}, column {}", quoted(name(*i)));
                asked(file, &form, || read(bytes, vec![*i]))?;
            }
            Err(error)
        })?;
        if frame.height() as u64 != self.claims.rows {
            return Err(damaged(file, FORM, "it has another number of rows than it announces"));
        }
        wanted.of(&frame)
    }
}

fn read(bytes: &[u8], places: Vec<usize>) -> PolarsResult<DataFrame> {
    ParquetReader::new(Cursor::new(bytes)).with_projection(Some(places)).finish()
}

/// The note called `key` in a file's metadata.
pub(crate) fn note_of(file: &str, bytes: &[u8], key: &str) -> Result<Option<String>> {
    Claims::of(bytes).map_err(|wrong| refused(file, None, &wrong, 0))?;
    let mut reader = ParquetReader::new(Cursor::new(bytes));
    let metadata = asked(file, FORM, || Ok(reader.get_metadata()?.clone()))?;
    let notes = metadata.key_value_metadata().iter().flatten();
    Ok(notes.filter(|note| note.key == key).find_map(|note| note.value.clone()))
}

fn refused(file: &str, column: Option<&str>, wrong: &Wrong, max_bytes: u64) -> DataError {
    let of_column = column.map(|column| format!("column {}", quoted(column)));
    match wrong {
        Wrong::TooLarge => too_large(file, max_bytes),
        Wrong::Damaged(problem) => {
            let problem = of_column.map_or_else(|| (*problem).to_owned(), |at| format!("{at}: {problem}"));
            damaged(file, FORM, &problem)
        }
        Wrong::Packed(codec) => {
            let how =
                if *codec == 3 { "with LZO".into() } else { format!("in a way that is not known ({codec})") };
            DataError::File {
                file: file.to_owned(),
                problem: format!("{} is packed {how}", of_column.unwrap_or_default()),
                fix: "write it with Zstandard, Snappy, gzip or LZ4, or without compression".to_owned(),
            }
        }
    }
}
