//! The measures from outside: one program, so that it links once.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    missing_docs,
    unreachable_pub,
    reason = "a failed test is how it reports"
)]

mod bad_input;
mod by_hand;
mod consistent_scores;
mod event_curves;
mod null_scorer;
mod oarp11_table1;
mod oracle;
mod oracle_base_r;
mod oracle_box_plot;
mod oracle_iron;
mod oracle_paper;
mod oracle_paper_metrics;
mod oracle_uba;
mod pooled;
mod pr09_tables;
mod properties;
mod random;
mod rec_properties;
mod scoring;
mod terms;
mod ut08_construction;
mod wf_tables;
