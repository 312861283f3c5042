//! Columns that were read, for who asks for them again.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex, PoisonError},
};

use super::{Column, ReadAs};
use crate::Result;

/// Columns by their place in the file, and how each is to be read.
pub(super) type Wanted = BTreeMap<usize, ReadAs>;
pub(super) type Found = BTreeMap<usize, Arc<Column>>;

/// Nothing unless it was asked for: most files are read once, and are large.
#[derive(Default)]
pub(super) struct Kept(Option<Mutex<Columns>>);

type Columns = HashMap<(usize, ReadAs), Arc<Column>>;

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
        let mut missing = wanted.clone();
        missing.retain(|place, kind| !kept.contains_key(&(*place, *kind)));
        if !missing.is_empty() {
            kept.extend(
                read(&missing)?.into_iter().map(|(place, column)| ((place, missing[&place]), column)),
            );
        }
        Ok(wanted.iter().map(|(place, kind)| (*place, kept[&(*place, *kind)].clone())).collect())
    }
}
