//! Tests through the public door, in one binary: it is linked once.

// Also the functions that tests share report by failing and by printing.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

mod any_bytes;
mod appended;
mod bundled;
mod dated;
mod dependence;
mod embedding;
mod malformed;
mod parquet;
mod profiles;
mod series;
#[path = "../../../../.ci/skipped.rs"]
mod skipped;
mod splits;
mod tables;
mod written;
