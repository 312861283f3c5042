//! Cells that may have ended a session: one that aborts takes the whole process with it, and would do so again every time.

use std::collections::HashSet;

use crate::{
    Result, status,
    store::{Store, host_name, now_ms},
};

/// Keys of the cells that were being fitted when a session was lost. Most of them only ran beside the one that did harm; nobody can tell which, so all of
/// them are fitted last and apart.
pub(super) fn suspects(store: &Store<'_>) -> Result<HashSet<String>> {
    let now = now_ms();
    let mut found = HashSet::new();
    for (worker, log) in store.all_events()? {
        for session in status::open_sessions(worker.as_deref(), &log.entries()?) {
            // This process has not opened the run yet: an open session of its number was another process.
            let is_namesake = session.pid == std::process::id() && session.host == host_name();
            if is_namesake || session.is_lost(now) {
                found.extend(session.running.into_keys());
            }
        }
    }
    Ok(found)
}
