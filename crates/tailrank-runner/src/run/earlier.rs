//! What the logs tell a session of those before it.

use std::collections::HashSet;

use crate::{
    Result, status,
    store::{Store, host_name, now_ms},
};

/// Keys of the cells that were being fitted when a session was lost: one that aborts takes the whole process
/// with it, and would do so again every time. Most only ran beside it; nobody can tell which. To be asked
/// before this session has opened the run.
pub(super) fn interrupted_cells(store: &Store<'_>) -> Result<HashSet<String>> {
    let now = now_ms();
    let mut found = HashSet::new();
    for (worker, log) in store.all_events()? {
        for session in status::open_sessions(worker.as_deref(), &log.entries()?) {
            // An open session of this process's number was another process.
            let is_namesake = session.pid == std::process::id() && session.host == host_name();
            let lives = store.process_is_running(&session.process);
            if lives == Some(false) || (lives.is_none() && is_namesake) || session.is_lost(now, lives) {
                found.extend(session.running.into_keys());
            }
        }
    }
    Ok(found)
}
