//! `tailrank __cell`: fits one cell in this process, for runs with `limits.isolate = true`. Hidden; the program calls itself.

use std::{ffi::OsString, io};

use clap::Args;
use tailrank_engine::run::fit_one_cell;

use super::{Exit, Result};

pub(crate) const NAME: &str = "__cell";

/// Fit one cell: read it from standard input, answer on standard output.
#[derive(Debug, Args)]
pub(crate) struct CellArguments {
    /// Threads of the fit.
    #[arg(long)]
    jobs: usize,
}

pub(crate) fn cell(arguments: &CellArguments) -> Result<Exit> {
    let _ = rayon::ThreadPoolBuilder::new().num_threads(arguments.jobs).build_global();
    // A panic is part of the answer.
    std::panic::set_hook(Box::new(|_| {}));
    fit_one_cell(io::stdin().lock(), io::stdout().lock())?;
    Ok(Exit::Fine)
}

/// This program as the one that fits single cells; none if it cannot find itself.
pub(crate) fn program(jobs: usize) -> Option<Vec<OsString>> {
    let this = std::env::current_exe().ok()?;
    Some(vec![this.into(), NAME.into(), "--jobs".into(), jobs.to_string().into()])
}
