//! `tailrank __cell`: fits one cell in this process, or watches over one program. Hidden; the program calls itself.

use std::{ffi::OsString, io, process::ExitStatus};

use clap::Args;
use tailrank_engine::{families::supervise, run::fit_one_cell};

use super::{Exit, Result};

pub(crate) const NAME: &str = "__cell";

/// Fit one cell: read it from standard input, answer on standard output.
#[derive(Debug, Args)]
pub(crate) struct CellArguments {
    /// Run this program instead, and end it when standard input closes.
    #[arg(last = true)]
    program: Vec<OsString>,
}

pub(crate) fn cell(arguments: &CellArguments) -> Result<Exit> {
    if !arguments.program.is_empty() {
        let status = supervise(&arguments.program, io::stdin())?;
        #[allow(clippy::exit, reason = "the program's exit code is this process's own")]
        std::process::exit(code(status));
    }
    // One thread whatever --jobs is: the system counts the stacks of threads as memory, and results must not depend on --jobs.
    let _ = rayon::ThreadPoolBuilder::new().num_threads(1).build_global();
    // A panic is part of the answer.
    std::panic::set_hook(Box::new(|_| {}));
    fit_one_cell(io::stdin().lock(), io::stdout().lock())?;
    Ok(Exit::Fine)
}

/// The exit code; 128 and the signal's number where a signal ended it, as shells say it.
fn code(status: ExitStatus) -> i32 {
    #[cfg(unix)]
    let signal = std::os::unix::process::ExitStatusExt::signal(&status);
    #[cfg(not(unix))]
    let signal: Option<i32> = None;
    status.code().or_else(|| signal.map(|n| 128 + n)).unwrap_or(1)
}

/// This program as the one that fits single cells; none if it cannot find itself.
pub(crate) fn program() -> Option<Vec<OsString>> {
    let this = std::env::current_exe().ok()?;
    Some(vec![this.into(), NAME.into()])
}
