//! The HTML report: one folder that opens from disk in any browser, without a network.
//!
//! ```text
//! index.html           the first screen, complete without scripts; the frame of the task pages
//! report.css, report.js
//! plotly.min.js        the chart library, loaded after the first screen stands
//! tasks/<n>.js         truth and predictions of one task, loaded when it is opened
//! timings.js           the only file that differs from run to run
//! ```

mod assets;
mod escape;
mod family;
mod index;
mod overview;
mod run_data;
mod scatter;
mod sentences;
mod settings;
mod stage;
mod task_data;
mod timings;

pub use stage::Stage;

use crate::{Result, Source};

/// Writes every file of the report.
pub fn write(source: Source<'_>, stage: &mut Stage) -> Result<()> {
    stage.write("index.html", index::page(source)?.as_bytes())?;
    stage.write("report.css", assets::STYLE.as_bytes())?;
    stage.write("report.js", assets::script().as_bytes())?;
    stage.write("plotly.min.js", assets::plotly().as_bytes())?;
    stage.write("timings.js", timings::script(source)?.as_bytes())?;
    for task in 0..source.plan.tasks.len() {
        stage.write(&format!("tasks/{}.js", task + 1), task_data::script(source, task)?.as_bytes())?;
    }
    Ok(())
}
