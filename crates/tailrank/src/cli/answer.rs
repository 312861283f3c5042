//! The end of a command that has an answer: the screen, and the same for scripts.

use tailrank_report::answer::{Explained, Frame};
use tailrank_runner::run::RunSummary;

use super::prelude::*;

/// The screen of results without a run's folder, for callers that print it themselves.
#[must_use]
pub fn text(results: &Results, name: &str, width: usize) -> String {
    answer::screen(results, &Frame { name, width, ..Frame::default() }).text(false)
}

/// What the screen of a run says beside its answer.
pub(super) fn frame<'a>(plan: &'a Plan, run: &Path, seconds: Option<f64>) -> Frame<'a> {
    let several = plan.tasks.len() > 1;
    let splits: usize = plan.tasks.iter().map(|t| t.splits.len()).sum();
    let fits = several.then(|| count(plan.variants.len() * splits, "fit"));
    let mut details = format!("tailrank explain {}", run.display());
    let note = "     (other measures, tests, warnings)";
    // Below the label and its blanks.
    if details.chars().count() + note.len() + 10 <= width() {
        details.push_str(note);
    }
    Frame {
        name: &plan.experiment.name,
        width: width(),
        facts: fits.into_iter().chain(seconds.map(duration::seconds)).collect(),
        places: vec![("Details", details)],
        decisions: Some("results/decisions.csv".to_owned()),
        ..Frame::default()
    }
}

/// Prints the screen, and all that is behind it if asked.
pub(super) fn print_answer(results: &Results, frame: &Frame<'_>, explain: bool) {
    print_screen(&answer::screen(results, frame));
    if explain {
        print("");
        print_screen(&answer::explain(results, Explained { width: frame.width, ..Explained::default() }));
    }
}

/// Everything the screen says, and what it leaves out, for scripts. Undefined is null.
pub(super) fn results_json(plan: &Plan, results: &Results) -> serde_json::Value {
    let mut found = answer::json(results);
    found["name"] = plan.experiment.name.as_str().into();
    found["seed"] = plan.experiment.seed.into();
    found
}

/// What a run fitted, for scripts.
pub(super) fn add_fits(found: &mut serde_json::Value, ran: &RunSummary, results: &Results) {
    found["cells"] = ran.cells.into();
    found["fitted"] = ran.fitted.into();
    found["reused"] = ran.reused.into();
    found["failed_fits"] = results.failures().count().into();
}
