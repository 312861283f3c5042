//! Figures, tables and the HTML report of a run. Everything is drawn from stored predictions; nothing here trains.

pub mod claims;
mod error;
pub mod figures;
pub mod page;
pub mod tables;

pub use error::{ReportError, Result};

use tailrank_engine::{plan::Plan, run::Results, store::Store};

/// What a report is made from.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    /// What was run.
    pub plan: &'a Plan,
    /// What was found.
    pub results: &'a Results,
    /// Where the predictions are.
    pub store: &'a Store<'a>,
    /// What a study's paper says beside what was found; empty outside studies.
    pub claims: &'a [claims::Claim],
}
