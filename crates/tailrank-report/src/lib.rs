//! Figures, tables and the HTML report of a run. Everything is drawn from stored predictions; nothing here
//! trains.

pub mod answer;
pub mod claims;
mod error;
mod escape;
pub mod export;
mod failures;
pub mod figures;
pub mod page;
mod subject;
pub mod tables;
mod task_pages;
pub mod terminal;

pub use error::{ReportError, Result};
pub use failures::{FailureGroup, failure_groups};
pub use page::check_folder;
pub use subject::{Rate, TableSource};
pub use task_pages::TaskPages;

use std::path::{Path, PathBuf};

use subject::Subject;
use tailrank_experiment::plan::{InputDigest, Plan};
use tailrank_runner::store::{Contents, OutputKind, Store};
use tailrank_score::score::Results;

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
    /// Which tasks get a page of their own.
    pub pages: &'a TaskPages,
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
    /// What a user should be told, such as where a report is kept that was edited.
    pub notices: Vec<String>,
}

/// Writes the whole report into `folder`, replacing an earlier report there.
///
/// The new report is written beside the old one and then takes its place, so that a run that is stopped
/// midway leaves the old report or none, never half of one. A folder that holds anything but a report is
/// refused, and one that was edited, or that others put files into, is kept beside under another name. The
/// same run gives the same bytes, but for `timings.js` and its checksum in `files.json`.
pub fn write_report(source: Source<'_>, folder: &Path) -> Result<Written> {
    write_report_cancellable(&|| false, source, folder)
}

/// [`write_report`], given up with [`tailrank_experiment::EngineError::Interrupted`] as soon as `stopped`
/// says so: before the next task, and before the new report takes the old one's place.
pub fn write_report_cancellable(
    stopped: &dyn Fn() -> bool,
    source: Source<'_>,
    folder: &Path,
) -> Result<Written> {
    let (inputs, missing) = (&source.results.inputs, source.results.missing_fits());
    let mut stage = page::Stage::new(folder, Contents::of(OutputKind::Report, inputs, missing))?;
    page::write(stopped, Subject::of_run(&source), &mut stage)?;
    // Writing takes its time: the run's own page must be of what its folder stands for when it is put there.
    if folder == source.store.root().join("report") && missing == 0 {
        return stage.publish(|output| Ok(source.store.publish(output, inputs)?));
    }
    stage.publish_anywhere()
}

/// Writes the whole report as one HTML file that can be mailed; returns its size in bytes.
pub fn write_single_file(source: Source<'_>, file: &Path) -> Result<u64> {
    single_file(Subject::of_run(&source), file)
}

/// [`write_single_file`] of predictions made elsewhere.
pub fn write_table_single_file(source: &TableSource<'_>, file: &Path) -> Result<u64> {
    single_file(Subject::of_table(source), file)
}

fn single_file(subject: Subject<'_>, file: &Path) -> Result<u64> {
    let mut bundle = page::Bundle::default();
    page::write(&|| false, subject, &mut bundle)?;
    let html = bundle.html()?;
    let failed = |source| ReportError::Write { path: file.to_owned(), source };
    // Half a file never stands where a whole one is looked for.
    let staged = file.with_extension("html.part");
    std::fs::write(&staged, &html).map_err(failed)?;
    std::fs::rename(&staged, file).map_err(failed)?;
    Ok(html.len() as u64)
}

/// [`write_report`] of predictions made elsewhere.
pub fn write_table_report(source: &TableSource<'_>, folder: &Path) -> Result<Written> {
    let mut stage = page::Stage::new(folder, Contents::of(OutputKind::Report, &InputDigest::default(), 0))?;
    page::write(&|| false, Subject::of_table(source), &mut stage)?;
    stage.publish_anywhere()
}
