//! What the logs tell a session of those before it and beside it.

use std::collections::HashSet;

use crate::{
    Result, status,
    store::{Store, host_name, now_ms},
};

/// Other sessions of the run.
#[derive(Default)]
pub(super) struct PriorSessions {
    /// Keys of the cells that were being fitted when a session was lost: one that aborts takes the whole
    /// process with it, and would do so again every time. Most only ran beside it; nobody can tell which.
    pub(super) suspects: HashSet<String>,
    /// Whether another session is at work in this folder.
    pub(super) company: bool,
}

impl PriorSessions {
    /// Reads the logs of all workers, before this session has opened the run.
    pub(super) fn of(store: &Store<'_>) -> Result<Self> {
        let now = now_ms();
        let mut found = Self::default();
        for (worker, log) in store.all_events()? {
            for session in status::open_sessions(worker.as_deref(), &log.entries()?) {
                // This process has not opened the run yet: an open session of its number was another process.
                let is_namesake = session.pid == std::process::id() && session.host == host_name();
                let lives = store.process_is_running(&session.process);
                if lives == Some(false) || (lives.is_none() && is_namesake) || session.is_lost(now, lives) {
                    found.suspects.extend(session.running.into_keys());
                } else {
                    found.company = true;
                }
            }
        }
        Ok(found)
    }
}
