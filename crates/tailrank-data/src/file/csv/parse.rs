//! Rows of CSV as polars reads them, several parts of a text at the same time.
//!
//! The reader of polars would count the lines before, byte by byte, which takes a tenth of all its time. What
//! it calls for each part is called here with parts of our own.

use std::collections::BTreeMap;

use memchr::{memchr, memchr_iter, memrchr};
use polars::prelude::{
    _csv_read_internal::{CountLines, read_chunk},
    Column, CsvParseOptions, DataType, Field, PolarsResult, Schema, Series,
};
use rayon::prelude::*;

use super::{super::guard::guarded, FORM, Layout, Types};
use crate::Result;

impl Layout {
    /// What polars reads: these columns as these types, missing where a cell is empty or of another type.
    /// Rows that are not checked are an error where they are too long.
    pub(super) fn parse(
        &self,
        body: &str,
        types: &Types,
        is_checked: bool,
    ) -> Result<BTreeMap<usize, Series>> {
        let name = |i: usize| i.to_string().into();
        let fields = (0..self.columns)
            .map(|i| Field::new(name(i), types.get(&i).cloned().unwrap_or(DataType::Float64)));
        let schema: Schema = fields.collect();
        let places: Vec<usize> = types.keys().copied().collect();
        let has_marks = memchr(b'"', body.as_bytes()).is_some();
        let options = CsvParseOptions::default()
            .with_separator(self.separator)
            .with_quote_char(has_marks.then_some(b'"'))
            .with_truncate_ragged_lines(is_checked);
        let frame = |part: &[u8]| {
            // Marks may hold line ends, so that there are fewer rows.
            let rows = memchr_iter(b'\n', part).count() + 1;
            read_chunk(part, &options, &schema, true, &places, 0, rows, None, usize::MAX, part.len(), Some(0))
        };
        let read = || {
            let parts = parts(body.as_bytes(), has_marks);
            let mut frames = parts.into_par_iter().map(frame).collect::<PolarsResult<Vec<_>>>()?.into_iter();
            let mut all = frames.next().unwrap_or_default();
            frames.try_for_each(|frame| all.vstack_mut(&frame).map(drop))?;
            let series = all.into_columns().into_iter().map(Column::take_materialized_series);
            Ok(places.iter().copied().zip(series).collect())
        };
        guarded(&self.file, FORM, read)
    }
}

/// Parts of whole rows, which are read at the same time.
fn parts(mut body: &[u8], has_marks: bool) -> Vec<&[u8]> {
    // A part and what is read of it stay in the caches of a processor.
    let mut size = 1 << 20;
    let counter = CountLines::new(Some(b'"'), b'\n', None);
    let mut found = Vec::new();
    while !body.is_empty() {
        let end = match body.get(..size) {
            None => None,
            // A line end between marks ends no row.
            Some(_) if has_marks => {
                Some(counter.find_next(body, &mut size)).filter(|(rows, _)| *rows > 0).map(|(_, end)| end)
            }
            Some(part) => memrchr(b'\n', part).or_else(|| memchr(b'\n', body)),
        };
        let (part, rest) = body.split_at(end.map_or(body.len(), |end| end + 1));
        found.push(part);
        body = rest;
    }
    found
}
