//! Arrow IPC files (Feather), read by polars: of the file's columns only those that are wanted.

use std::io::Cursor;

use polars::prelude::{ArrowSchema, DataFrame, IpcReader, PolarsResult, SerReader};

use super::{
    As, Column,
    found::Wanted,
    guard::{asked, damaged},
    ipc_claims::{Wrong, check},
    too_large,
};
use crate::Result;

const FORM: &str = "Arrow IPC (Feather)";

/// Names and types of the columns, and how much they may unpack to.
pub(super) struct Layout {
    schema: std::sync::Arc<ArrowSchema>,
    max_bytes: u64,
}

impl Layout {
    pub(super) fn of(file: &str, bytes: &[u8], max_bytes: u64) -> Result<Self> {
        check(bytes, max_bytes).map_err(|wrong| match wrong {
            Wrong::Damaged(problem) => damaged(file, FORM, problem),
            Wrong::TooLarge => too_large(file, max_bytes),
        })?;
        let schema = asked(file, FORM, || IpcReader::new(Cursor::new(bytes)).schema())?;
        Ok(Self { schema, max_bytes })
    }

    pub(super) fn names(&self) -> Vec<String> {
        self.schema.iter_names().map(ToString::to_string).collect()
    }

    pub(super) fn read(&self, file: &str, bytes: &[u8], wanted: &[(usize, As)]) -> Result<Vec<Column>> {
        let wanted = Wanted::new(file, FORM, &self.schema, wanted, self.max_bytes)?;
        wanted.of(&asked(file, FORM, || read(bytes, wanted.places.clone()))?)
    }
}

fn read(bytes: &[u8], places: Vec<usize>) -> PolarsResult<DataFrame> {
    IpcReader::new(Cursor::new(bytes)).with_projection(Some(places)).finish()
}
