//! `timings.js`: how long fitting took. Times differ from run to run, so they stand in a file of their own.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;
use tailrank_runner::store::Event;

use super::escape::json;
use crate::{Result, subject::Subject};

#[derive(Serialize)]
struct Timings {
    cells: usize,
    seconds: f64,
    families: BTreeMap<String, f64>,
}

/// The script, from the run's log; empty times where there is no log.
pub(super) fn script(subject: Subject<'_>) -> Result<String> {
    let mut timings = Timings { cells: 0, seconds: 0.0, families: BTreeMap::new() };
    if let Some((plan, store)) = subject.run() {
        let families: HashMap<&str, &str> =
            plan.cells.iter().map(|cell| (cell.key.as_str(), cell.family.name())).collect();
        for event in store.events().read().unwrap_or_default() {
            let Event::Stored { cell, micros: Some(micros), .. } = event else { continue };
            let Some(family) = families.get(cell.as_str()) else { continue };
            let seconds = micros as f64 / 1e6;
            timings.cells += 1;
            timings.seconds += seconds;
            *timings.families.entry((*family).to_owned()).or_default() += seconds;
        }
    }
    Ok(format!("tailrank.timings({});\n", json(&timings)?))
}
