//! Columns that were read, for who asks for them again.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use super::{Column, ReadAs};
use crate::Result;

/// Columns by their place in the file, and how each is to be read.
pub(super) type Wanted = BTreeMap<usize, ReadAs>;
pub(super) type Found = BTreeMap<usize, Arc<Column>>;

/// Nothing unless it was asked for: most files are read once, and are large.
#[derive(Default)]
pub(super) struct Kept(Option<Mutex<Vec<OneKept>>>);

type OneKept = (usize, ReadAs, Arc<Column>);

impl Kept {
    pub(super) fn all() -> Self {
        Self(Some(Mutex::default()))
    }

    /// The wanted columns, of which `read` is asked for those that are not kept.
    pub(super) fn or_read(
        &self,
        wanted: &Wanted,
        read: impl FnOnce(&Wanted) -> Result<Found>,
    ) -> Result<Found> {
        let Some(kept) = &self.0 else { return read(wanted) };
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        let of = |kept: &[OneKept], place: &usize, kind: &ReadAs| {
            kept.iter()
                .find(|(i, as_kind, _)| i == place && as_kind == kind)
                .map(|(.., column)| column.clone())
        };
        let mut missing = wanted.clone();
        missing.retain(|place, kind| of(&kept, place, kind).is_none());
        if !missing.is_empty() {
            let read = read(&missing)?;
            kept.extend(read.into_iter().filter_map(|(i, column)| Some((i, *missing.get(&i)?, column))));
        }
        Ok(wanted.iter().filter_map(|(i, kind)| Some((*i, of(&kept, i, kind)?))).collect())
    }
}
