//! Who works on a run, from the logs of all workers.

use super::*;

/// A session that was opened and not closed.
pub(crate) struct Session {
    pub(super) worker: String,
    pub(crate) host: String,
    pub(crate) pid: u32,
    /// The process, told from others of its number; empty in logs of earlier versions.
    pub(crate) process: String,
    /// Cells it started and did not store, with the time of the start.
    pub(crate) running: BTreeMap<String, u64>,
    /// When it last wrote anything.
    heard_ms: u64,
}

/// A worker that was never closed and is gone.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LostWorker {
    /// Its name.
    pub worker: String,
    /// Its machine.
    pub host: String,
    /// Cells it had started and not stored.
    pub cells: usize,
    /// How long nothing was heard of it.
    pub silent_seconds: f64,
}

/// Workers whose Slurm task was requeued since, by the names of the logs: whatever these say, they work no
/// more.
pub(super) fn requeued<'a>(workers: &[&'a str]) -> HashSet<&'a str> {
    let mut last: HashMap<String, u32> = HashMap::new();
    for task in workers.iter().copied().filter_map(SlurmTask::of) {
        let restart = last.entry(task.label).or_default();
        *restart = task.restart.max(*restart);
    }
    let is_over = |worker: &&str| SlurmTask::of(worker).is_some_and(|task| task.restart < last[&task.label]);
    workers.iter().copied().filter(is_over).collect()
}

/// The open sessions of one log. The log of a worker holds one session after another; the run's own may hold
/// several at once, told apart by their processes.
pub(crate) fn open_sessions(worker: Option<&str>, entries: &[LogEntry]) -> Vec<Session> {
    let mut open: BTreeMap<u32, Session> = BTreeMap::new();
    for LogEntry { at_ms, pid, event } in entries {
        if let Event::Opened { host, process, .. } = event {
            if worker.is_some() {
                open.clear();
            }
            let name = match worker {
                Some(worker) => SlurmTask::of(worker).map_or_else(|| worker.to_owned(), |task| task.label),
                None => format!("{host}-{pid}"),
            };
            let session = Session {
                worker: name,
                host: host.clone(),
                pid: *pid,
                process: process.clone(),
                running: BTreeMap::new(),
                heard_ms: *at_ms,
            };
            open.insert(*pid, session);
        }
        let Some(session) = open.get_mut(pid) else { continue };
        session.heard_ms = *at_ms;
        match event {
            Event::Started { cell } => {
                session.running.insert(cell.clone(), *at_ms);
            }
            Event::Stored { cell, .. } => {
                session.running.remove(cell);
            }
            Event::Closed { .. } => {
                open.remove(pid);
            }
            Event::Opened { .. } | Event::Alive | Event::Damaged { .. } => {}
        }
    }
    open.into_values().collect()
}

impl Session {
    /// Gone from this machine, or silent for three of its signs of life. `lives` is what its lock says, which
    /// is right where the number of a process is not: in another container of this machine's name.
    pub(crate) fn is_lost(&self, now_ms: u64, lives: Option<bool>) -> bool {
        let silent = u128::from(now_ms.saturating_sub(self.heard_ms)) > 3 * ALIVE.as_millis();
        let is_gone = || self.host == host_name() && !process_lives(self.pid);
        match lives {
            Some(true) => false,
            Some(false) => self.host == host_name() || silent,
            None => silent || is_gone(),
        }
    }

    pub(super) fn as_lost(&self, now_ms: u64) -> LostWorker {
        LostWorker {
            worker: self.worker.clone(),
            host: self.host.clone(),
            cells: self.running.len(),
            silent_seconds: now_ms.saturating_sub(self.heard_ms) as f64 / 1000.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(at_ms: u64, pid: u32, event: Event) -> LogEntry {
        LogEntry { at_ms, pid, event }
    }

    fn opened() -> Event {
        Event::Opened { cells: 3, finished: 0, host: "far".to_owned(), process: String::new() }
    }

    fn started(cell: &str) -> Event {
        Event::Started { cell: cell.to_owned() }
    }

    fn stored(cell: &str) -> Event {
        Event::Stored { cell: cell.to_owned(), failed: 0, reason: None, micros: None }
    }

    #[test]
    fn what_was_started_and_not_stored_is_running() {
        let log = [
            entry(1, 7, opened()),
            entry(2, 7, started("a")),
            entry(3, 7, started("b")),
            entry(4, 7, stored("a")),
        ];
        let open = open_sessions(None, &log);
        assert_eq!(open.len(), 1);
        assert_eq!(open[0].running, BTreeMap::from([("b".to_owned(), 3)]));
        assert_eq!((open[0].worker.as_str(), open[0].heard_ms), ("far-7", 4));
    }

    #[test]
    fn a_closed_session_is_over_and_another_of_the_same_log_is_not() {
        let closed = Event::Closed { outcome: "finished".to_owned() };
        let log =
            [entry(1, 7, opened()), entry(2, 8, opened()), entry(3, 7, started("a")), entry(4, 7, closed)];
        let open = open_sessions(None, &log);
        assert_eq!(open.iter().map(|s| s.pid).collect::<Vec<_>>(), [8]);
    }

    #[test]
    fn a_requeued_worker_forgets_what_it_had_started() {
        let log = [
            entry(1, 7, opened()),
            entry(2, 7, started("a")),
            entry(3, 9, opened()),
            entry(4, 9, started("b")),
        ];
        let open = open_sessions(Some("slurm-1-2"), &log);
        assert_eq!(open.len(), 1);
        assert_eq!(open[0].running.keys().collect::<Vec<_>>(), ["b"]);
        assert_eq!(open[0].worker, "slurm-1-2");
    }

    #[test]
    fn a_requeued_task_has_a_log_of_its_own_and_ends_the_one_before() {
        let names = [
            "slurm-1-2-r0-far-7",
            "slurm-1-2-r1-far-9",
            "slurm-1-2-r1-near-9",
            "slurm-1-3-r0-far-8",
            "far-7",
        ];
        assert_eq!(requeued(&names), HashSet::from([names[0]]), "a duplicate of the last start goes on");
        let open = open_sessions(Some(names[1]), &[entry(1, 9, opened())]);
        assert_eq!(open[0].worker, "slurm-1-2");
    }

    #[test]
    fn silence_or_a_gone_process_means_lost() {
        let far = &open_sessions(None, &[entry(1000, 7, opened())])[0];
        let limit = 3 * u64::try_from(ALIVE.as_millis()).unwrap();
        assert!(!far.is_lost(1000 + limit, None));
        assert!(far.is_lost(1001 + limit, None));
        let here = |pid| {
            let event = Event::Opened { cells: 1, finished: 0, host: host_name(), process: String::new() };
            open_sessions(None, &[entry(1000, pid, event)]).remove(0)
        };
        assert!(!here(std::process::id()).is_lost(1000, None));
        assert!(here(i32::MAX as u32).is_lost(1000, None));
        assert!(!here(i32::MAX as u32).is_lost(1000, Some(true)), "it may be in another container");
        assert!(here(std::process::id()).is_lost(1000, Some(false)));
    }
}
