//! The statistics from outside: one program, so that it links once.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    missing_docs,
    unreachable_pub,
    reason = "a failed test is how it reports"
)]

mod bad_input;
mod bad_resamples;
mod by_definition;
mod data_snooping;
mod ends;
mod fixture;
mod many_models;
mod paired_tests;
mod properties;
mod rank_correlation;
mod resample_properties;
mod resampled_and_serial;
mod series;
mod trials_of_a_strategy;
