//! What a worker is called in logs that several machines share.

/// The machine's name; `unknown` where it has none.
pub fn host_name() -> String {
    #[cfg(unix)]
    let name = nix::unistd::gethostname().ok().and_then(|name| name.into_string().ok());
    #[cfg(not(unix))]
    let name = std::env::var("COMPUTERNAME").ok();
    plain(&name.unwrap_or_else(|| "unknown".to_owned()))
}

/// A name no other worker of a run has: a Slurm task's is `slurm-<job>-<task>-r<starts
/// before>-<host>-<process>`, so that a task that was started twice writes two logs, and a requeued one is
/// known as the same task.
pub fn worker_name() -> String {
    let variable = |name| std::env::var(name).ok().filter(|v| !v.is_empty());
    let process = format!("{}-{}", host_name(), std::process::id());
    match (variable("SLURM_ARRAY_JOB_ID"), variable("SLURM_ARRAY_TASK_ID")) {
        (Some(job), Some(task)) => {
            // Slurm sets it from the second start on.
            let restart: u32 = variable("SLURM_RESTART_COUNT").and_then(|n| n.parse().ok()).unwrap_or(0);
            format!("{SLURM}{}-{}-r{restart}-{process}", plain(&job), plain(&task))
        }
        _ => process,
    }
}

const SLURM: &str = "slurm-";

/// The Slurm task in a worker's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SlurmTask {
    /// `slurm-<job>-<task>`.
    pub(crate) label: String,
    /// How often it had been started before.
    pub(crate) restart: u32,
}

impl SlurmTask {
    /// The task in a worker's name; none for a worker that Slurm did not start.
    pub(crate) fn of(worker: &str) -> Option<Self> {
        let mut parts = worker.strip_prefix(SLURM)?.split('-');
        let (job, task) = (parts.next()?, parts.next()?);
        let restart = parts.next().and_then(|r| r.strip_prefix('r')?.parse().ok()).unwrap_or(0);
        Some(Self { label: format!("{SLURM}{job}-{task}"), restart })
    }
}

/// Whether a process of this machine is there.
#[cfg(unix)]
pub fn process_lives(pid: u32) -> bool {
    use nix::{errno::Errno, sys::signal::kill, unistd::Pid};
    // One that has ended and that nobody has asked about keeps its number.
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let is_zombie = stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('Z'));
    !is_zombie && i32::try_from(pid).is_ok_and(|pid| kill(Pid::from_raw(pid), None) != Err(Errno::ESRCH))
}

/// Whether a process of this machine is there; elsewhere than on Unix nobody is asked.
#[cfg(not(unix))]
pub fn process_lives(_: u32) -> bool {
    true
}

/// Letters, digits and dashes: a name from the environment never becomes a path as it is.
fn plain(name: &str) -> String {
    let safe: String =
        name.chars().take(60).map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' }).collect();
    if safe.is_empty() { "unknown".to_owned() } else { safe }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_no_paths() {
        assert_eq!(plain("node7.cluster/../x"), "node7-cluster----x");
        assert_eq!(plain(""), "unknown");
        assert!(!host_name().contains('.'));
    }

    #[test]
    fn a_name_tells_its_task_and_start() {
        let task = |label: &str, restart| Some(SlurmTask { label: label.to_owned(), restart });
        assert_eq!(SlurmTask::of("slurm-7-3-r2-node-1-4711"), task("slurm-7-3", 2));
        assert_eq!(SlurmTask::of("slurm-7-3"), task("slurm-7-3", 0));
        assert_eq!(SlurmTask::of("node-1-4711"), None);
    }
}
