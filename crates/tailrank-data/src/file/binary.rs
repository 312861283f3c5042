//! Parquet and Arrow IPC (Feather), read by polars: of the file's columns only those that are wanted.

use std::{collections::BTreeMap, io::Cursor, sync::Arc};

use polars::prelude::{
    ArrowSchema, Column as Series, DataFrame, IpcReader, ParquetReader, PolarsResult, SerReader,
};
use rayon::prelude::*;

use super::{
    Column, ReadAs,
    claims::Claims,
    guard::{damaged, guarded},
    ipc_claims,
    kept::{Kept, Wanted},
    polars_column::{cell_bytes, check_type, column, zone_of},
    too_large,
};
use crate::{Result, names::quoted};

const PARQUET: &str = "Parquet";
const IPC: &str = "Arrow IPC (Feather)";

/// Columns that are read together: what polars holds of them is given back before the next ones are read.
const TOGETHER: usize = 8;

/// Names and types of the columns, and how much they may unpack to.
pub(super) struct Layout {
    file: String,
    schema: Arc<ArrowSchema>,
    /// What a Parquet file claims of itself.
    claims: Option<Claims>,
    max_bytes: u64,
}

impl Layout {
    pub(super) fn of_parquet(file: &str, bytes: &[u8], max_bytes: u64) -> Result<Self> {
        let claims = Claims::of(bytes).map_err(|wrong| wrong.error(file, PARQUET, None, max_bytes))?;
        let schema = guarded(file, PARQUET, || ParquetReader::new(Cursor::new(bytes)).schema())?;
        // Encoded runs can stand for far more rows than the file has bytes.
        let cells: u64 = schema.iter_values().map(|field| cell_bytes(&field.dtype)).sum();
        if claims.rows.saturating_mul(cells).max(claims.stored) > max_bytes {
            return Err(too_large(file, max_bytes));
        }
        Ok(Self { file: file.to_owned(), schema, claims: Some(claims), max_bytes })
    }

    pub(super) fn of_ipc(file: &str, bytes: &[u8], max_bytes: u64) -> Result<Self> {
        ipc_claims::check(bytes, max_bytes).map_err(|wrong| wrong.error(file, IPC, None, max_bytes))?;
        let schema = guarded(file, IPC, || IpcReader::new(Cursor::new(bytes)).schema())?;
        Ok(Self { file: file.to_owned(), schema, claims: None, max_bytes })
    }

    pub(super) fn names(&self) -> Vec<String> {
        self.schema.iter_names().map(ToString::to_string).collect()
    }

    /// The wanted columns, in the order asked; refused by name where they are neither numbers, texts nor times.
    pub(super) fn read(
        &self,
        bytes: &[u8],
        wanted: &[(usize, ReadAs)],
        kept: &Kept,
    ) -> Result<Vec<Arc<Column>>> {
        let (file, max_bytes) = (self.file.as_str(), self.max_bytes);
        let fields: Vec<_> = self.schema.iter_values().collect();
        // Each once, in the order of the file and as the file has it.
        let mut zones = BTreeMap::new();
        for (i, kind) in wanted {
            let (name, dtype) = (fields[*i].name.as_str(), &fields[*i].dtype);
            check_type(file, name, dtype, *kind)?;
            zones.insert(*i, zone_of(file, name, dtype)?);
        }
        let places: Wanted = zones.keys().map(|i| (*i, ReadAs::Text)).collect();
        let form = if self.claims.is_some() { PARQUET } else { IPC };
        let read = kept.or_read(&places, |places| {
            let places: Vec<usize> = places.keys().copied().collect();
            self.check_pages(bytes, &places)?;
            let mut found = BTreeMap::new();
            for places in places.chunks(TOGETHER) {
                let frame = match &self.claims {
                    Some(claims) => self.read_parquet(bytes, claims, places)?,
                    None => {
                        let reader =
                            IpcReader::new(Cursor::new(bytes)).with_projection(Some(places.to_vec()));
                        guarded(file, IPC, || reader.finish())?
                    }
                };
                let own = |(i, series): (&usize, Series)| {
                    let zone = zones[i].as_ref();
                    let column =
                        guarded(file, form, || column(series.take_materialized_series(), zone, max_bytes))?;
                    Ok((*i, Arc::new(column.ok_or_else(|| too_large(file, max_bytes))?)))
                };
                let columns = places.par_iter().zip(frame.into_columns()).map(own);
                found.extend(columns.collect::<Result<Vec<_>>>()?);
            }
            Ok(found)
        })?;
        Ok(wanted.iter().map(|(i, _)| read[i].clone()).collect())
    }

    fn name(&self, column: usize) -> &str {
        self.schema.get_at_index(column).map_or("", |(name, _)| name.as_str())
    }

    fn check_pages(&self, bytes: &[u8], places: &[usize]) -> Result<()> {
        let mut left = self.max_bytes;
        let Some(claims) = &self.claims else { return Ok(()) };
        for i in places {
            let checked = claims.check_pages(bytes, *i, &mut left);
            checked.map_err(|wrong| wrong.error(&self.file, PARQUET, Some(self.name(*i)), self.max_bytes))?;
        }
        Ok(())
    }

    fn read_parquet(&self, bytes: &[u8], claims: &Claims, places: &[usize]) -> Result<DataFrame> {
        let read = |places: Vec<usize>| -> PolarsResult<DataFrame> {
            ParquetReader::new(Cursor::new(bytes)).with_projection(Some(places)).finish()
        };
        let all = guarded(&self.file, PARQUET, || read(places.to_vec()));
        let frame = all.or_else(|error| {
            // The column that cannot be read is named.
            for i in places {
                let form = format!("{PARQUET}, column {}", quoted(self.name(*i)));
                guarded(&self.file, &form, || read(vec![*i]))?;
            }
            Err(error)
        })?;
        if frame.height() as u64 != claims.rows {
            return Err(damaged(&self.file, PARQUET, "it has another number of rows than it announces"));
        }
        Ok(frame)
    }
}
