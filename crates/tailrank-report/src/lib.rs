//! Figures, tables and the HTML report of a run. Everything is drawn from stored predictions; nothing here trains.

pub mod claims;
mod error;
pub mod figures;
pub mod page;
pub mod tables;

pub use error::{ReportError, Result};
pub use page::check_folder;

use std::path::{Path, PathBuf};

use tailrank_engine::{plan::Plan, score::Results, store::Store};

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

/// What was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The page to open.
    pub index: PathBuf,
    /// Number of files.
    pub files: usize,
    /// Their bytes together.
    pub bytes: u64,
    /// What a user should be told: files in the folder that are not the report's, and where they are.
    pub notices: Vec<String>,
}

/// Writes the whole report into `folder`, replacing an earlier report there.
///
/// The new report is written beside the old one and then takes its place, so that a run that is stopped midway leaves the old
/// report or none, never half of one. A folder that holds anything but a report is refused, and files that others put into
/// a report's folder stay. The same run gives the same bytes, but for `timings.js` and its checksum in `files.json`.
pub fn write_report(source: Source<'_>, folder: &Path) -> Result<Written> {
    write_report_cancellable(&|| false, source, folder)
}

/// [`write_report`], given up with [`tailrank_engine::EngineError::Interrupted`] as soon as `stopped` says so: before the next task, and
/// before the new report takes the old one's place.
pub fn write_report_cancellable(
    stopped: &dyn Fn() -> bool,
    source: Source<'_>,
    folder: &Path,
) -> Result<Written> {
    let mut stage = page::Stage::new(folder)?;
    page::write(stopped, source, &mut stage)?;
    // Writing takes its time: the run's own page must be of what its folder stands for when it is put there.
    if folder == source.store.root().join("report") && source.results.missing_fits() == 0 {
        source.store.check_basis(&source.results.basis)?;
    }
    stage.publish()
}
