//! The HTML report: one folder that opens from disk in any browser, without a network.
//!
//! ```text
//! index.html           the first screen, complete without scripts; the frame of the task pages
//! report.css, report.js
//! plotly.js            the chart library, packed, loaded after the first screen stands
//! tasks/<n>.js         truth and predictions of one task, loaded when it is opened
//! figures/*.svg        static figures for papers
//! tables/*             Markdown, LaTeX, a JSON summary; CSV and Parquet where the run's `results` are elsewhere
//! timings.js           the only file that differs from run to run
//! files.json           what the report was made from, and the files above with their checksums
//! ```

mod assets;
mod card;
mod decision_figures;
mod index;
mod loaded;
mod object;
mod overview;
mod packed_numbers;
mod run_data;
mod settings;
mod single_file;
mod stage;
mod static_figures;
mod task_data;
mod written_tables;

pub use stage::check_folder;

pub(crate) use single_file::Bundle;
pub(crate) use stage::Stage;

// What the parts of a page are made from; most files of this module take it by `use super::*`.
use tailrank_experiment::{
    EngineError,
    plan::{Plan, Task},
    text::{count, digits, digits_together, p_value, thousands, two_decimals},
};
use tailrank_metrics::{Measure, Settings};
use tailrank_score::{
    external::PredictionTable,
    score::{
        Comparison, Results, StoredPredictions, TaskId, TaskScores, VariantId, VariantStatus,
        answer::{Decision, Picks},
    },
    table::Table,
};

use self::{index::Files, loaded::Loaded, object::Object, static_figures::StaticFigure};
use crate::{
    Result, answer,
    error::problem,
    escape::{self, details, items, paragraphs, section, text},
    figures::{self, Figure, Heading, Quantity, Scores, Variant},
    page_input::{Origin, PageInput},
    tables::{self, Decoration},
    task_pages::notice,
};

/// Where the files of a page go: a folder, or one file that holds them all.
pub(crate) trait Sink {
    /// Takes one file, by its path inside the report.
    fn write(&mut self, name: &str, bytes: &[u8]) -> Result<()>;
}

/// Writes every file of the report, unless it is stopped between two tasks; returns what whoever asked for it should be told.
pub(crate) fn write(
    stopped: &dyn Fn() -> bool,
    subject: PageInput<'_>,
    stage: &mut dyn Sink,
) -> Result<Option<String>> {
    let check_cancelled = || if stopped() { Err(EngineError::Interrupted) } else { Ok(()) };
    let pages = subject.pages.of(subject.results)?;
    let overall = static_figures::overall(subject, stage)?;
    let stored = match subject.run() {
        Some((plan, store)) => Some(StoredPredictions::list(plan, store)?),
        None => None,
    };
    let tasks = subject.results.names.tasks.len();
    let mut of_tasks = Vec::with_capacity(tasks);
    for number in 0..tasks {
        check_cancelled()?;
        if !pages[number] {
            of_tasks.push(Vec::new());
            continue;
        }
        let task = loaded::load(subject, TaskId(number), stored.as_ref())?;
        let flow = decision_figures::flow(&task);
        let script = task_data::script(&task, flow.as_ref().map(|f| f.svg.as_str()))?;
        stage.write(&format!("tasks/{}.js", number + 1), &script)?;
        of_tasks.push(static_figures::of_task(&task, stage)?);
    }
    let tables = written_tables::write(subject, &pages, stage)?;
    let notice = notice(&pages);
    let files = Files { overall, of_tasks, tables, pages };
    stage.write("index.html", index::page(subject, &files)?.as_bytes())?;
    stage.write("report.css", assets::STYLE.as_bytes())?;
    stage.write("report.js", assets::script()?.as_bytes())?;
    stage.write("plotly.js", &assets::plotly()?)?;
    stage.write("timings.js", run_data::timings(subject).as_bytes())?;
    check_cancelled()?;
    Ok(notice)
}
