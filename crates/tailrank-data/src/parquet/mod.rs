//! Parquet: tables of flat columns, read and written.
//!
//! Numbers, decimals, truth values, texts, dates and times are read in every encoding of the format (version 2.11) and every
//! compression but LZO; lists and structures are not read. A general reader would serve as well, but takes most of the
//! project's build, and trusts what a file claims: here no memory is set aside for more values or bytes than the page at hand
//! can hold or the caller allows, so a damaged file is an error and never the end of the process.

mod arrow_schema;
mod bits;
mod byte_arrays;
mod codec;
mod column;
#[cfg(test)]
mod damage;
mod delta;
mod fixed;
mod footer;
mod hybrid;
mod page;
mod schema;
pub(crate) mod thrift;
mod write;

use std::sync::atomic::{AtomicU64, Ordering};

pub(crate) use column::ColumnReader;
pub(crate) use fixed::{Fixed, Int96};
pub(crate) use footer::Footer;
pub(crate) use schema::{Field, Kind, Physical};
pub(crate) use write::{Cells, Packing, write};

/// The first and last bytes of a file.
pub(crate) const MAGIC: &[u8; 4] = b"PAR1";

/// Why a file is not read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Fault {
    /// It does not hold what it announces.
    Damaged(String),
    /// It holds what is not read here.
    NotRead { problem: String, fix: &'static str },
    /// It unpacks to more than is allowed.
    TooLarge,
    /// A decompressor panicked.
    Panic,
}

pub(crate) type Found<T> = Result<T, Fault>;

fn damaged<T>(problem: impl Into<String>) -> Found<T> {
    Err(Fault::Damaged(problem.into()))
}

/// As an error where something is missing.
trait OrDamaged<T> {
    fn or_damaged(self, problem: &str) -> Found<T>;
}

impl<T> OrDamaged<T> for Option<T> {
    fn or_damaged(self, problem: &str) -> Found<T> {
        self.ok_or_else(|| Fault::Damaged(problem.to_owned()))
    }
}

/// Bytes that may still be unpacked, shared by all columns of a file.
pub(crate) struct Budget(AtomicU64);

impl Budget {
    pub(crate) fn new(bytes: u64) -> Self {
        Self(AtomicU64::new(bytes))
    }

    /// Takes `bytes`, or all that is left. What each column takes does not depend on the others, so neither does whether all of it
    /// is too much.
    pub(crate) fn take(&self, bytes: usize) -> Found<()> {
        let left = |left: u64| Some(left.saturating_sub(bytes as u64));
        match self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, left) {
            Ok(left) if left >= bytes as u64 => Ok(()),
            _ => Err(Fault::TooLarge),
        }
    }
}
