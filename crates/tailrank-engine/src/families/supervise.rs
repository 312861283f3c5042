//! A process between a run and a program: when the run is gone, however it went, so is the program.

use std::{
    ffi::OsString,
    io::{self, Read},
    process::{Command, ExitStatus, Stdio},
    thread,
};

use crate::{EngineError, Result};

/// Runs a program and waits for it. `lifeline` is a pipe that the run holds open: once it closes, this process and everything in
/// its group is killed. A system tells nobody but a parent that a process has ended, and a killed run can tell nobody.
///
/// Call it in a process that does nothing else and leads its group.
///
/// # Errors
/// When the program cannot be started.
pub fn supervise(argv: &[OsString], lifeline: impl Read + Send + 'static) -> Result<ExitStatus> {
    let failed = |e: io::Error| {
        let program = argv.first().map(|p| p.display().to_string()).unwrap_or_default();
        EngineError::Input { path: program.into(), problem: format!("cannot be started: {e}") }
    };
    let (program, arguments) = argv.split_first().ok_or_else(|| failed(io::ErrorKind::NotFound.into()))?;
    thread::spawn(move || {
        let mut lifeline = lifeline;
        let mut buffer = [0; 64];
        while matches!(lifeline.read(&mut buffer), Ok(1..)) {}
        end_own_group();
    });
    Command::new(program).args(arguments).stdin(Stdio::null()).status().map_err(failed)
}

/// Kills this process's group if it leads it; a group that another leads is none of ours.
#[cfg(unix)]
fn end_own_group() {
    use nix::{
        sys::signal::{Signal, killpg},
        unistd::{getpgrp, getpid},
    };
    if getpgrp() == getpid() {
        let _ = killpg(getpgrp(), Signal::SIGKILL);
    }
}

#[cfg(not(unix))]
fn end_own_group() {}
