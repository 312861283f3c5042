//! Which kinds of processors the cells of a run were fitted on.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use tailrank_experiment::{plan::Plan, text::count};

use crate::{
    Result,
    store::{Event, Store, rounding_class},
};

/// A caution where the cells of a plan were fitted on processors that may round differently; none where they
/// were not, or where the logs do not say.
///
/// # Errors
/// When a log cannot be read.
pub fn mixed_processors(plan: &Plan, store: &Store<'_>) -> Result<Option<String>> {
    let planned: BTreeSet<&str> = plan.cells.iter().map(|cell| cell.key.as_str()).collect();
    // The last fit of a cell is the one in place.
    let mut fitted: HashMap<String, (u64, String)> = HashMap::new();
    for (_, log) in store.all_events()? {
        let mut at_work: HashMap<u32, String> = HashMap::new();
        for entry in log.entries()? {
            match entry.event {
                Event::Opened { processor, .. } => {
                    at_work.insert(entry.pid, processor);
                }
                Event::Stored { cell, .. } if planned.contains(cell.as_str()) => {
                    let Some(processor) = at_work.get(&entry.pid).filter(|p| !p.is_empty()) else { continue };
                    let last = fitted.entry(cell).or_default();
                    if entry.at_ms >= last.0 {
                        *last = (entry.at_ms, rounding_class(processor));
                    }
                }
                _ => {}
            }
        }
    }
    let mut classes: BTreeMap<String, usize> = BTreeMap::new();
    for (_, class) in fitted.into_values() {
        *classes.entry(class).or_default() += 1;
    }
    if classes.len() < 2 {
        return Ok(None);
    }
    let parts: Vec<String> =
        classes.iter().map(|(class, cells)| format!("{} on {class}", count(*cells, "fit"))).collect();
    Ok(Some(format!(
        "processors of different kinds fitted this run: {}; the last digits of some fits may be others than \
         on one kind alone",
        parts.join(", ")
    )))
}
