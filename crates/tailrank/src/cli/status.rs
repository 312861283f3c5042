//! `tailrank status`

use std::path::PathBuf;

use clap::Args;
use tailrank_experiment::text::thousands;
use tailrank_runner::{
    status as engine,
    status::Status,
    store::{Store, disk::RealDisk},
};

use super::{
    Exit, Failure, Result, count,
    duration::seconds as clock,
    place, say,
    table::{Align, layout, wrap},
    width,
};

/// Show how a run stands: done, running, failed, left, and about how long it will take.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tailrank status runs/quick\n  tailrank status runs/quick --json | jq .forecast.seconds\n\n\
    Reads the run's folder only, takes no locks and needs neither data nor Slurm: it may be asked from any machine that \
    sees the folder, while the run is at work. A worker is lost when its process is gone, or when it has been silent for a \
    quarter of an hour; what it had started counts as left."
)]
pub(crate) struct StatusArguments {
    /// The run's folder.
    run: PathBuf,
    /// Print everything as JSON.
    #[arg(long)]
    json: bool,
}

/// Rows shown of a long list.
const MOST: usize = 20;

pub(crate) fn status(arguments: &StatusArguments) -> Result<Exit> {
    place::expect_run(&arguments.run)?;
    let (store, _) = Store::open_existing(&RealDisk, &arguments.run)?;
    let status = engine::status(&store)?;
    if arguments.json {
        let text = serde_json::to_string_pretty(&status).map_err(|e| Failure::Other(e.to_string()))?;
        say(&text);
    } else {
        say(&text(&status, &store.results().display().to_string(), width()));
    }
    Ok(Exit::Fine)
}

fn text(status: &Status, results: &str, width: usize) -> String {
    let failed = if status.failed.is_empty() {
        String::new()
    } else {
        format!(" ({} with failed fits)", status.failed.len())
    };
    let head = format!(
        "{} of {} done{failed} · {} running · {} left",
        status.done,
        count(status.cells, "cell"),
        status.running.len(),
        status.left
    );
    let mut parts = vec![wrap(&format!("{head}\n{}", forecast(status, results)), width)];
    if !status.running.is_empty() {
        let headings =
            [("running", Align::Left), ("worker", Align::Left), ("on", Align::Left), ("for", Align::Right)];
        let rows = status.running.iter().map(|r| {
            vec![format!("{} · {}", r.task, r.model), r.worker.clone(), r.host.clone(), clock(r.seconds)]
        });
        parts.push(list(&headings, rows, width));
    }
    if !status.lost.is_empty() {
        let headings = [
            ("lost worker", Align::Left),
            ("on", Align::Left),
            ("cells", Align::Right),
            ("silent", Align::Right),
        ];
        let rows = status
            .lost
            .iter()
            .map(|l| vec![l.worker.clone(), l.host.clone(), l.cells.to_string(), clock(l.silent_seconds)]);
        parts.push(list(&headings, rows, width));
    }
    if !status.failed.is_empty() {
        let headings = [("failed", Align::Left), ("fits", Align::Right), ("reason", Align::Left)];
        let rows = status
            .failed
            .iter()
            .map(|f| vec![format!("{} · {}", f.task, f.model), f.variants.to_string(), f.reason.clone()]);
        let again = "They are kept as they are; to fit them again: tailrank run EXPERIMENT --retry-failed";
        parts.push(format!("{}\n{}", list(&headings, rows, width), wrap(again, width)));
    }
    parts.join("\n\n")
}

fn forecast(status: &Status, results: &str) -> String {
    if status.done == status.cells {
        return if status.tables {
            format!("Tables: {results}")
        } else {
            "Everything is fitted; `tailrank run` with the experiment writes the tables.".to_owned()
        };
    }
    let f = &status.forecast;
    let basis = if f.timed == 0 { ", a guess until the first cells end" } else { "" };
    let work = format!("About {} of fitting left{basis}", clock(f.fit_seconds));
    match f.seconds {
        Some(seconds) => {
            format!("{work}: {} with {} at a time.", clock(seconds), count(status.running.len(), "cell"))
        }
        None => format!("{work}; nothing is running."),
    }
}

fn list(
    headings: &[(&str, Align)],
    rows: impl ExactSizeIterator<Item = Vec<String>>,
    width: usize,
) -> String {
    let more = rows.len().saturating_sub(MOST);
    let mut text = layout(headings, &rows.take(MOST).collect::<Vec<_>>(), width);
    if more > 0 {
        text.push_str(&format!("\n… and {} more (--json lists all)", thousands(more)));
    }
    text
}
