//! What a worker is called in logs that several machines share.

/// The machine's name; `unknown` where it has none.
pub fn host_name() -> String {
    #[cfg(unix)]
    let name = nix::unistd::gethostname().ok().and_then(|name| name.into_string().ok());
    #[cfg(not(unix))]
    let name = std::env::var("COMPUTERNAME").ok();
    plain(&name.unwrap_or_else(|| "unknown".to_owned()))
}

/// A name no other worker of a run has at the same time: a Slurm task keeps its own when it is requeued, so that its log
/// goes on.
pub fn worker_name() -> String {
    let variable = |name| std::env::var(name).ok().filter(|v| !v.is_empty());
    match (variable("SLURM_ARRAY_JOB_ID"), variable("SLURM_ARRAY_TASK_ID")) {
        (Some(job), Some(task)) => plain(&format!("slurm-{job}-{task}")),
        _ => format!("{}-{}", host_name(), std::process::id()),
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
}
