//! `tailrank status`

use tailrank_data::frame::{self, Column};
use tailrank_runner::status::{self as engine, Status};

use super::{duration::seconds as clock, prelude::*};

/// Show the progress of a run, and its verdicts once it is finished.
#[derive(Debug, Args)]
#[command(after_help = include_str!("help/status.txt"))]
pub(crate) struct StatusArguments {
    /// The run's folder.
    run: PathBuf,
    /// Print everything as JSON.
    #[arg(long)]
    json: bool,
}

/// Rows shown of a long list.
const MOST: usize = 8;

pub(crate) fn status(arguments: &StatusArguments) -> Result<Exit> {
    path_kind::expect_run(&arguments.run)?;
    let (store, _) = Store::open_existing(&RealDisk, &arguments.run)?;
    let status = engine::status(&store)?;
    if arguments.json {
        print(&serde_json::to_string_pretty(&status).map_err(|e| Failure::Other(e.to_string()))?);
    } else {
        print(&text(&status, &store.results().display().to_string(), width()));
        if let Some(line) = verdicts(&store) {
            print(&wrap(&line, width()));
        }
    }
    Ok(Exit::Fine)
}

/// The verdicts of a finished run, from its own table.
fn verdicts(store: &Store<'_>) -> Option<String> {
    let bytes = std::fs::read(store.results().join("decisions.parquet")).ok()?;
    let table = frame::read("decisions.parquet", &bytes).ok()?;
    let column = |name: &str| match table.column(name) {
        Some(Column::Text(words)) => Some(words.clone()),
        _ => None,
    };
    let (deciding, verdict, model, measure) =
        (column("deciding")?, column("verdict")?, column("model")?, column("measure")?);
    let rows: Vec<usize> = (0..deciding.len()).filter(|&r| deciding[r] == "yes").collect();
    let uses = rows.iter().filter(|&&r| verdict[r] == "use").count();
    Some(match (&rows[..], uses) {
        ([], _) => return None,
        ([only], 1) => format!("Verdict by {}: use {}.", measure[*only], model[*only]),
        ([only], _) => format!("Verdict by {}: no model.", measure[*only]),
        (all, n) => format!("Verdict by {}: use a model on {n} of {} tasks.", measure[all[0]], all.len()),
    })
}

fn text(status: &Status, results: &str, width: usize) -> String {
    let Status { done, cells, left, running, failed, .. } = status;
    let failed = if failed.is_empty() { String::new() } else { format!(" ({} failed)", failed.len()) };
    let head =
        format!("{done} of {cells} groups of fits done{failed} · {} running · {left} left", running.len());
    let mut parts = vec![wrap(&format!("{head}\n{}", forecast(status, results)), width)];
    let rows = status.running.iter().map(|r| {
        vec![format!("{} · {}", r.task, r.model), r.worker.clone(), r.host.clone(), clock(r.seconds)]
    });
    parts.extend(list(&["running", "worker", "on", ">for"], rows, width));
    let rows = status
        .lost
        .iter()
        .map(|l| vec![l.worker.clone(), l.host.clone(), l.cells.to_string(), clock(l.silent_seconds)]);
    parts.extend(list(&["lost worker", "on", ">fits", ">silent"], rows, width));
    let rows = status
        .failed
        .iter()
        .map(|f| vec![format!("{} · {}", f.task, f.model), f.variants.to_string(), f.reason.clone()]);
    let again = wrap("To repeat failed fits: tailrank run EXPERIMENT --retry-failed", width);
    let failed = list(&["failed", ">fits", "reason"], rows, width);
    parts.extend(failed.map(|failed| format!("{failed}\n{again}")));
    parts.join("\n\n")
}

fn forecast(status: &Status, results: &str) -> String {
    if status.done == status.cells && status.tables {
        return format!("Tables: {results}");
    }
    if status.done == status.cells {
        return "All fits are done; `tailrank run` with the experiment writes the tables.".to_owned();
    }
    let f = &status.forecast;
    let basis = if f.timed == 0 { " (a guess until the first fits end)" } else { "" };
    let work = format!("About {} of fitting left{basis}", clock(f.fit_seconds));
    match f.seconds {
        Some(seconds) => format!("{work}: {} with {} running.", clock(seconds), status.running.len()),
        None => format!("{work}; nothing is running."),
    }
}

/// The first rows under headings; none where there are none.
fn list(headings: &[&str], rows: impl ExactSizeIterator<Item = Vec<String>>, width: usize) -> Option<String> {
    let (all, more) = (rows.len(), rows.len().saturating_sub(MOST));
    let table = TextTable::new(headings.iter().copied(), rows.take(MOST));
    let mut text = TextTable { indent: 0, ..table }.text(width);
    if more > 0 {
        text.push_str(&format!("\n… {} more with --json", thousands(more)));
    }
    (all > 0).then_some(text)
}
