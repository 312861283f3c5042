//! How a run stands: done, running, failed, left, and how long it will take.
//!
//! Everything is read from the run's folder, without locks and without the data: the listing of the plan, the
//! names of the cells in place, and the logs of all workers. It works while they work, from any machine that
//! sees the folder.

mod forecast;
mod listing;
mod sessions;

// What the files of this module are made from; they take it by `use super::*`.
use std::collections::{BTreeMap, HashMap, HashSet};

use serde::{Deserialize, Serialize};
use tailrank_experiment::{
    digest::{CellKey, digest},
    plan::Plan,
};

pub use forecast::Forecast;
use listing::ListedCell;
pub use listing::list_plan;
pub use sessions::LostWorker;
pub(crate) use sessions::open_sessions;
use sessions::{Session, requeued};

use crate::{
    Result,
    store::{ALIVE, Event, LogEntry, SlurmTask, Store, add_json_line, host_name, now_ms, process_lives},
};

/// How a run stands.
#[derive(Clone, Debug, Serialize)]
pub struct Status {
    /// Cells in the plan.
    pub cells: usize,
    /// Cells whose file is in place.
    pub done: usize,
    /// Cells that are being fitted.
    pub running: Vec<RunningCell>,
    /// Cells that are neither done nor running.
    pub left: usize,
    /// Cells done whose fits failed, wholly or in part.
    pub failed: Vec<FailedCell>,
    /// Workers that were never closed and are gone, or have not been heard of for long; none once the run is
    /// over.
    pub lost: Vec<LostWorker>,
    /// How long it will take.
    pub forecast: Forecast,
    /// Whether the tables have been written.
    pub tables: bool,
}

/// A cell that is being fitted.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunningCell {
    /// Its task.
    pub task: String,
    /// Its variant, or its family and how many.
    pub model: String,
    /// Who fits it.
    pub worker: String,
    /// On which machine.
    pub host: String,
    /// For how long.
    pub seconds: f64,
}

/// A cell with fits that failed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FailedCell {
    /// Its task.
    pub task: String,
    /// Its variant, or its family and how many.
    pub model: String,
    /// How many variants failed.
    pub variants: usize,
    /// Why the first of them did.
    pub reason: String,
}

/// Looks at a run's folder.
///
/// ```
#[doc = include_str!("../doc_example_setup.txt")]
/// use tailrank_runner::status::{list_plan, status};
///
/// // `plan` and `store` as on the crate's first page; the listing says what is to be fitted.
/// list_plan(&plan, &store)?;
/// let before = status(&store)?;
/// assert!(before.done == 0 && before.left == before.cells && !before.tables);
/// run::run(&plan, &store, &RunOptions::default(), &Cancel::default(), &mut ())?;
/// let after = status(&store)?;
/// assert!(after.done == after.cells && after.left == 0 && after.failed.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the folder is no run, or holds no listing of its plan yet.
pub fn status(store: &Store<'_>) -> Result<Status> {
    let listed = listing::read_listing(store)?;
    let finished = store.finished()?;
    let mut failures: HashMap<String, (u64, usize, String)> = HashMap::new();
    let mut timings: Vec<(String, f64)> = Vec::new();
    let mut sessions: Vec<Session> = Vec::new();
    let logs = store.all_events()?;
    let workers: Vec<&str> = logs.iter().filter_map(|(worker, _)| worker.as_deref()).collect();
    let over = requeued(&workers);
    for (worker, log) in &logs {
        let entries = log.entries()?;
        for entry in &entries {
            if let Event::Stored { cell, failed, reason, micros } = &entry.event {
                timings.extend(micros.map(|micros| (cell.clone(), micros as f64 / 1e6)));
                // A cell may have been fitted again: the last time counts.
                let last = failures.entry(cell.clone()).or_default();
                if entry.at_ms >= last.0 {
                    *last = (entry.at_ms, *failed, reason.clone().unwrap_or_default());
                }
            }
        }
        if !worker.as_deref().is_some_and(|worker| over.contains(worker)) {
            sessions.extend(sessions::open_sessions(worker.as_deref(), &entries));
        }
    }
    let now = now_ms();
    let (lost, sessions): (Vec<_>, Vec<_>) =
        sessions.into_iter().partition(|s| s.is_lost(now, store.process_is_running(&s.process)));
    let cells = sessions.iter().flat_map(|s| s.running.iter().map(move |(cell, since)| (cell, s, since)));
    let at_work: HashMap<&str, (&Session, u64)> =
        cells.map(|(cell, session, since)| (cell.as_str(), (session, *since))).collect();
    let (mut done, mut running, mut failed, mut open) = (0, Vec::new(), Vec::new(), Vec::new());
    for cell in &listed {
        let (task, model) = (cell.task.clone(), cell.model.clone());
        if CellKey::parse(&cell.cell).is_some_and(|key| finished.contains(&key)) {
            done += 1;
            if let Some((_, variants, reason)) = failures.get(&cell.cell).filter(|f| f.1 > 0) {
                failed.push(FailedCell { task, model, variants: *variants, reason: reason.clone() });
            }
        } else if let Some((session, since)) = at_work.get(cell.cell.as_str()) {
            let seconds = now.saturating_sub(*since) as f64 / 1000.0;
            let (worker, host) = (session.worker.clone(), session.host.clone());
            running.push(RunningCell { task, model, worker, host, seconds });
            open.push((cell, seconds));
        } else {
            open.push((cell, 0.0));
        }
    }
    let tables = store.has_tables()?;
    // Nobody misses a worker once everything is fitted and scored.
    let over = tables && done == listed.len();
    Ok(Status {
        cells: listed.len(),
        left: listed.len() - done - running.len(),
        forecast: forecast::forecast(&listed, &open, running.len(), &timings),
        lost: if over { Vec::new() } else { lost.iter().map(|s| s.as_lost(now)).collect() },
        tables,
        done,
        running,
        failed,
    })
}
