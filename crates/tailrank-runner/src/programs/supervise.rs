//! A process between a run and a program: when the run is gone, however it went, so is the program.

use super::*;

/// The exit code of a supervisor that could not start its program because the machine had no room for it, as
/// `env` and `timeout` use it.
pub const NOT_STARTED: i32 = 125;

/// What such a supervisor says before its reason, so that it is told from a program of the same exit code.
pub const NOT_STARTED_WORDS: &str = "tailrank: the system cannot start the program:";

/// The variable that tells a supervisor how many megabytes its program may use; the program does not see it.
pub(super) const MEMORY_MB: &str = "TAILRANK_PROGRAM_MEMORY_MB";

/// Runs a program and waits for it. `lifeline` is a pipe that the run holds open: once it closes, this
/// process and everything in its group is killed, and so is whatever the program started that left the group:
/// a daemon's parent is this process. A system tells nobody but a parent that a process has ended, and a
/// killed run can tell nobody.
///
/// Call it in a process that does nothing else and leads its group.
///
/// # Errors
/// When the program cannot be started: [`blames_the_machine`](super::blames_the_machine) tells whose fault
/// that is.
pub fn supervise(argv: &[OsString], lifeline: impl Read + Send + 'static) -> io::Result<ExitStatus> {
    let (program, arguments) = argv.split_first().ok_or(io::ErrorKind::NotFound)?;
    leave_stopping_to_the_parent();
    #[cfg(target_os = "linux")]
    nix::sys::prctl::set_child_subreaper(true)?;
    spawn("lifeline", move || {
        wait_until_closed(lifeline);
        end_descendants();
        // A group that another process leads is none of ours.
        #[cfg(unix)]
        if nix::unistd::getpgrp() == nix::unistd::getpid() {
            let _ = nix::sys::signal::killpg(nix::unistd::getpgrp(), nix::sys::signal::Signal::SIGKILL);
        }
    })?;
    if let Some(mb) = std::env::var(MEMORY_MB).ok().and_then(|mb| mb.parse().ok()) {
        limit_memory(Some(mb))?;
    }
    let mut command = Command::new(program);
    let status = command.args(arguments).env_remove(MEMORY_MB).stdin(Stdio::null()).status();
    end_descendants();
    status
}

/// Kills every process below this one. The children of one that is killed become this process's own, so it
/// looks until none is left.
fn end_descendants() {
    #[cfg(target_os = "linux")]
    for _ in 0..200 {
        use nix::{sys::signal, unistd::Pid};
        let lives = |pid: &u32| crate::store::process_lives(*pid);
        let living: Vec<u32> = own_children().into_iter().filter(lives).collect();
        if living.is_empty() {
            return;
        }
        for pid in living.into_iter().filter_map(|pid| i32::try_from(pid).ok()) {
            let _ = signal::kill(Pid::from_raw(pid), signal::Signal::SIGKILL);
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

#[cfg(target_os = "linux")]
fn own_children() -> Vec<u32> {
    let Ok(threads) = std::fs::read_dir("/proc/self/task") else { return Vec::new() };
    let lists = threads.flatten().filter_map(|t| std::fs::read_to_string(t.path().join("children")).ok());
    let pids = lists.collect::<Vec<_>>().join(" ");
    pids.split_whitespace().filter_map(|pid| pid.parse().ok()).collect()
}
