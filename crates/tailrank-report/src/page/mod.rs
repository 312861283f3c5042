//! The HTML report: one folder that opens from disk in any browser, without a network.
//!
//! ```text
//! index.html           the first screen, complete without scripts; the frame of the task pages
//! report.css, report.js
//! plotly.min.js        the chart library, loaded after the first screen stands
//! tasks/<n>.js         truth and predictions of one task, loaded when it is opened
//! figures/*.svg        static figures for papers
//! tables/*             CSV, Parquet, Markdown, LaTeX, a JSON summary
//! timings.js           the only file that differs from run to run
//! files.json           the files above with their checksums: nothing else is ever replaced
//! ```

mod assets;
mod carry_over;
mod escape;
mod family;
mod index;
mod loaded;
mod overview;
mod ownership;
mod run_data;
mod scatter;
mod settings;
mod stage;
mod staging;
mod static_figures;
mod task_data;
mod timings;
mod written_tables;

pub use stage::{Stage, check_folder};

pub(crate) use escape::text as escape;
use tailrank_engine::{
    EngineError,
    score::{StoredPredictions, TaskId},
};

use crate::{Result, Source};

/// Writes every file of the report, unless it is stopped between two tasks.
pub fn write(stopped: &dyn Fn() -> bool, source: Source<'_>, stage: &mut Stage) -> Result<()> {
    let going_on = || if stopped() { Err(EngineError::Interrupted) } else { Ok(()) };
    let overall = static_figures::overall(source, stage)?;
    let stored = StoredPredictions::list(source.plan, source.store)?;
    let mut of_tasks = Vec::with_capacity(source.plan.tasks.len());
    for number in 0..source.plan.tasks.len() {
        going_on()?;
        let task = loaded::Loaded::new(source, TaskId(number), &stored)?;
        stage.write(&format!("tasks/{}.js", number + 1), task_data::script(&task)?.as_bytes())?;
        of_tasks.push(static_figures::of_task(&task, stage)?);
    }
    let files = index::Files { overall, of_tasks, tables: written_tables::write(source, stage)? };
    stage.write("index.html", index::page(source, &files)?.as_bytes())?;
    stage.write("report.css", assets::STYLE.as_bytes())?;
    stage.write("report.js", assets::script().as_bytes())?;
    stage.write("plotly.min.js", assets::plotly().as_bytes())?;
    stage.write("timings.js", timings::script(source)?.as_bytes())?;
    Ok(going_on()?)
}
