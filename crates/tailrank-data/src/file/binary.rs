//! Parquet and Arrow IPC (Feather), read by polars: of the file's columns only those that are wanted.

use std::{
    borrow::Cow,
    collections::BTreeMap,
    io::Cursor,
    ops::Range,
    sync::{Arc, Mutex, PoisonError},
};

use polars::prelude::{ArrowSchema, DataType, IpcReader, SerReader, Series};
use polars_parquet::{
    parquet::read::deserialize_metadata,
    read::{BasicDecompressor, FileMetadata, Filter, PageReader, column_iter_to_arrays, infer_schema},
};
use rayon::prelude::*;

use super::{
    Column, ReadAs,
    bytes::Bytes,
    claims::{Claims, METADATA},
    guard::{Refusal, changed, damaged, guarded},
    ipc_claims,
    kept::{Kept, Wanted},
    polars_column::{cell_bytes, check_type, column, zone_of},
    too_large,
};
use crate::{Result, names::quoted, plain_parquet::MAGIC};

const PARQUET: &str = "Parquet";
const IPC: &str = "Arrow IPC (Feather)";

/// Bytes of a footer: more than any schema takes, less than would hurt.
const LARGEST_FOOTER: usize = 64 << 20;

/// Names and types of the columns, and how much they may unpack to.
pub(super) struct Layout {
    file: String,
    schema: Arc<ArrowSchema>,
    parquet: Option<Box<Parquet>>,
    max_bytes: u64,
}

/// What a Parquet file claims of itself, and as polars reads it.
struct Parquet {
    claims: Claims,
    metadata: FileMetadata,
}

impl Layout {
    pub(super) fn of_parquet(file: &str, bytes: &Bytes, max_bytes: u64) -> Result<Self> {
        let refused = |wrong: Refusal| wrong.error(file, PARQUET, None, max_bytes);
        let end = bytes.size().saturating_sub(8);
        let last = range(file, bytes, end..bytes.size())?;
        let length = match last.split_first_chunk::<4>() {
            Some((length, magic)) if magic == MAGIC => u32::from_le_bytes(*length) as usize,
            _ => return Err(refused(METADATA)),
        };
        if length > LARGEST_FOOTER.min(end) {
            return Err(refused(METADATA));
        }
        let footer = range(file, bytes, end - length..end)?;
        let claims = Claims::of(&footer, bytes.size()).map_err(refused)?;
        let metadata = || Ok(deserialize_metadata(footer.into_owned().into())?);
        let metadata = guarded(file, PARQUET, metadata)?;
        let schema = guarded(file, PARQUET, || infer_schema(&metadata))?;
        // Encoded runs can stand for far more rows than the file has bytes.
        let cells: u64 = schema.iter_values().map(|field| cell_bytes(&field.dtype)).sum();
        if claims.rows.saturating_mul(cells).max(claims.stored) > max_bytes {
            return Err(too_large(file, max_bytes));
        }
        let parquet = Some(Box::new(Parquet { claims, metadata }));
        Ok(Self { file: file.to_owned(), schema: Arc::new(schema), parquet, max_bytes })
    }

    pub(super) fn of_ipc(file: &str, bytes: &[u8], max_bytes: u64) -> Result<Self> {
        ipc_claims::check(bytes, max_bytes).map_err(|wrong| wrong.error(file, IPC, None, max_bytes))?;
        let schema = guarded(file, IPC, || IpcReader::new(Cursor::new(bytes)).schema())?;
        Ok(Self { file: file.to_owned(), schema, parquet: None, max_bytes })
    }

    pub(super) fn names(&self) -> Vec<String> {
        self.schema.iter_names().map(ToString::to_string).collect()
    }

    /// The wanted columns, in the order asked; refused by name where they are neither numbers, texts nor
    /// times.
    pub(super) fn read(
        &self,
        bytes: &Bytes,
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
        let form = if self.parquet.is_some() { PARQUET } else { IPC };
        let own = |i: usize, series: Series| {
            let column = guarded(file, form, || column(series, zones[&i].as_ref(), max_bytes))?;
            Ok((i, Arc::new(column.ok_or_else(|| too_large(file, max_bytes))?)))
        };
        let read = kept.or_read(&places, |places| {
            let places: Vec<usize> = places.keys().copied().collect();
            if let Some(parquet) = &self.parquet {
                let left = Mutex::new(max_bytes);
                let read = |i: &usize| own(*i, self.parquet_column(parquet, bytes, *i, &left)?);
                return places.par_iter().map(read).collect();
            }
            let all = range(file, bytes, 0..bytes.size())?;
            let reader = IpcReader::new(Cursor::new(&all)).with_projection(Some(places.clone()));
            let columns = guarded(file, IPC, || reader.finish())?.into_columns();
            let columns = places.par_iter().zip(columns);
            columns.map(|(i, column)| own(*i, column.take_materialized_series())).collect()
        })?;
        Ok(wanted.iter().map(|(i, _)| read[i].clone()).collect())
    }

    /// A column of a Parquet file, one group of rows after the other; what its pages unpack to is taken from
    /// `left`.
    fn parquet_column(
        &self,
        parquet: &Parquet,
        bytes: &Bytes,
        column: usize,
        left: &Mutex<u64>,
    ) -> Result<Series> {
        let (file, Parquet { claims, metadata }) = (self.file.as_str(), parquet);
        let Some((name, field)) = self.schema.get_at_index(column) else {
            return Err(METADATA.error(file, PARQUET, None, self.max_bytes));
        };
        let refused = |wrong: Refusal| wrong.error(file, PARQUET, Some(name), self.max_bytes);
        let form = format!("{PARQUET}, column {}", quoted(name));
        let mut arrays = Vec::new();
        for (group, pages) in claims.pages(column).map_err(refused)?.into_iter().enumerate() {
            // Some writers leave groups without rows, and what stands there is no page.
            if metadata.row_groups[group].num_rows() == 0 {
                continue;
            }
            let pages = range(file, bytes, pages)?;
            let mut left = left.lock().unwrap_or_else(PoisonError::into_inner);
            claims.check_pages(&pages, column, group, &mut left).map_err(refused)?;
            drop(left);
            let group = &metadata.row_groups[group];
            let chunk = group.columns_under_root_iter(name).and_then(|mut chunks| chunks.next());
            let chunk = chunk.ok_or_else(|| refused(METADATA))?;
            let read = || {
                let kind = &chunk.descriptor().descriptor.primitive_type;
                let pages =
                    PageReader::new(Cursor::new(pages.into_owned().into()), chunk, vec![], usize::MAX);
                let (pages, all) =
                    (BasicDecompressor::new(pages, vec![]), Filter::new_ranged(0, group.num_rows()));
                column_iter_to_arrays(vec![pages], vec![kind], field.clone(), Some(all))
            };
            arrays.extend(guarded(file, &form, read)?.0);
        }
        let series = || match arrays.is_empty() {
            true => Ok(Series::new_empty(name.clone(), &DataType::from_arrow_field(field))),
            false => Series::try_from((field, arrays)),
        };
        let series = guarded(file, &form, series)?;
        if series.len() as u64 != claims.rows {
            return Err(damaged(file, PARQUET, "it has another number of rows than it announces"));
        }
        Ok(series)
    }
}

fn range<'a>(file: &str, bytes: &'a Bytes, range: Range<usize>) -> Result<Cow<'a, [u8]>> {
    bytes.range(range).map_err(|_| changed(file))
}
