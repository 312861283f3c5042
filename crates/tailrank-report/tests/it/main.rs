//! The report from outside: one program, so that it links once.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    missing_docs,
    unreachable_pub,
    reason = "a failed test is how it reports"
)]

mod figures;
mod figures_inputs;
mod packed;
mod page;
#[path = "../../../../.ci/skipped.rs"]
mod skipped;
mod tables;
