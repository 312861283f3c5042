//! `timings.js`: how long fitting took. Times differ from run to run, so they stand in a file of their own.

use std::collections::BTreeMap;

use serde::Serialize;

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
    let log = subject
        .run()
        .and_then(|(_, store)| std::fs::read_to_string(store.root().join("log/timings.csv")).ok());
    let log = log.unwrap_or_default();
    let mut timings = Timings { cells: 0, seconds: 0.0, families: BTreeMap::new() };
    // Task names may hold commas; family and seconds are the last two fields. A line torn by a crash has no number.
    for line in log.lines().skip(1) {
        let mut fields = line.rsplit(',');
        let (Some(seconds), Some(family)) =
            (fields.next().and_then(|s| s.parse::<f64>().ok()), fields.next())
        else {
            continue;
        };
        timings.cells += 1;
        timings.seconds += seconds;
        *timings.families.entry(family.to_owned()).or_default() += seconds;
    }
    Ok(format!("tailrank.timings({});\n", json(&timings)?))
}
