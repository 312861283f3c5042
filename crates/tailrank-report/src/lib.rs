//! Words, figures, tables and the page of a run. Everything is made from facts that `tailrank-score` found
//! and from stored predictions; nothing here trains.
//!
//! ```
//! use tailrank_experiment::config::{Compare, Inference};
//! use tailrank_metrics::{Accuracy, Measure, Relevance, Settings};
//! use tailrank_models::Cancel;
//! use tailrank_report::answer::{Frame, screen};
//! use tailrank_score::external::{PredictionTable, score_predictions};
//!
//! // One value in ten is extreme: the first model sees it coming, the second predicts the rest better.
//! let truth: Vec<f64> = (0..200).map(|i| if i % 10 == 0 { 5.0 } else { (i % 7) as f64 / 7.0 }).collect();
//! let bold: Vec<f64> = truth.iter().enumerate().map(|(i, y)| y + if i % 2 == 0 { 0.4 } else { -0.3 }).collect();
//! let timid: Vec<f64> = truth.iter().map(|y| y.min(1.0)).collect();
//! let table = PredictionTable::new("t", truth, vec![("bold".into(), bold), ("timid".into(), timid)])?;
//! let settings = Settings {
//!     relevance: Some(Relevance::sigmoid(None, Some(3.0), 0.5, 1e-4)?),
//!     accuracy: Some(Accuracy::smooth(0.5, 8.0)?),
//!     ..Settings::default()
//! };
//! let measures = [Measure::Mad, Measure::F];
//! let (compare, inference) = (Compare::default(), Inference::default());
//! let results = score_predictions(&Cancel::default(), &[table], &[settings], &measures, None, &compare, &inference, 1)?;
//!
//! let said = screen(&results, &Frame { name: "floods", width: 80, ..Frame::default() }).text(false);
//! assert!(said.contains("USE bold. It catches 20 of 20 events with 0 false alarms."), "{said}");
//! assert!(said.contains("Only 20 events: intervals are wide."), "{said}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Overview
//!
//! | module | what it makes | begin with |
//! |---|---|---|
//! | [`answer`] | every sentence of the answer: the screen, `explain`, JSON | [`answer::screen`] |
//! | [`figures`] | figures as SVG | |
//! | [`pdf`] | the same as PDF | [`pdf::PdfWriter`] |
//! | [`tables`] | tables as Markdown and LaTeX | |
//! | [`page`] | the offline page of a run or of a table of predictions | [`write_report`] |
//! | [`export`] | predictions and scores as long tables | |
//! | [`claims`] | what a paper says beside what a run found | [`claims::Claim`] |
//! | [`terminal`] | lines and tables of a terminal | [`terminal::Screen`] |

pub mod answer;
pub mod claims;
mod error;
pub mod escape;
pub mod export;
mod failures;
pub mod figures;
pub mod page;
mod page_input;
pub mod pdf;
pub mod tables;
mod task_pages;
pub mod terminal;
mod words;

pub use error::{ReportError, Result};
pub use failures::{FailureGroup, failure_groups};
pub use page::{StudyPage, check_folder, write_study_report};
pub use page_input::{Origin, PageInput, Rate};
pub use task_pages::TaskPages;

use std::path::{Path, PathBuf};

use tailrank_runner::store::{Contents, OutputKind};

/// What was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The page to open.
    pub index: PathBuf,
    /// What a user should be told, such as where a report is kept that was edited.
    pub notices: Vec<String>,
}

/// Writes the whole report into `folder`, replacing an earlier report there.
///
/// The new report is written beside the old one and then takes its place, so that a run that is stopped
/// midway leaves the old report or none, never half of one. A folder that holds anything but a report is
/// refused, and one that was edited, or that others put files into, is kept beside under another name. The
/// same run gives the same bytes.
pub fn write_report(subject: PageInput<'_>, folder: &Path) -> Result<Written> {
    write_report_cancellable(&|| false, subject, folder)
}

/// [`write_report`], given up with [`tailrank_experiment::EngineError::Interrupted`] as soon as `stopped` says so: before the next
/// task, and before the new report takes the old one's place.
pub fn write_report_cancellable(
    stopped: &dyn Fn() -> bool,
    mut subject: PageInput<'_>,
    folder: &Path,
) -> Result<Written> {
    let inputs = &subject.results.inputs;
    let missing = subject.run().map_or(0, |_| subject.results.missing_fits());
    let mut stage = page::begin(folder, Contents::of(OutputKind::Report, inputs, missing))?;
    let own = subject.run().filter(|(_, store)| missing == 0 && folder == store.root().join("report"));
    if let Some((plan, store)) = own {
        subject.origin = Origin::Run { plan, store, is_own: true };
    }
    let notice = page::write(stopped, subject, &mut stage)?;
    // Writing takes its time: the run's own page must be of what its folder stands for when it is put there.
    let kept = match own {
        Some((_, store)) => store.publish(stage, inputs)?,
        None => stage.publish()?,
    };
    Ok(Written::new(folder, notice, kept))
}

/// Writes the whole report as one HTML file that can be mailed; returns its size in bytes.
pub fn write_single_file(subject: PageInput<'_>, file: &Path) -> Result<u64> {
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
