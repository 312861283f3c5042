//! `tailrank __cell --jobs N`: fits one cell in this process, for runs with `limits.isolate = true`. The program calls itself
//! so; it is no command for users and stands in no help, manual or completion.

use std::{ffi::OsString, io};

use tailrank_engine::run::fit_one_cell;

use super::{Exit, Failure, Result};

const NAME: &str = "__cell";
const JOBS: &str = "--jobs";

/// Whether these arguments, the program's own name first, ask for a single cell.
pub(crate) fn is_asked(arguments: &[OsString]) -> bool {
    arguments.get(1).is_some_and(|a| a == NAME)
}

/// Fits one cell: reads it from standard input, answers on standard output.
pub(crate) fn cell(arguments: &[OsString]) -> Result<Exit> {
    let jobs = match arguments {
        [_, _, name, jobs] if name == JOBS => jobs.to_str().and_then(|j| j.parse().ok()),
        _ => None,
    };
    let jobs = jobs.ok_or_else(|| Failure::Usage(format!("{NAME} is for this program itself")))?;
    let _ = rayon::ThreadPoolBuilder::new().num_threads(jobs).build_global();
    // A panic is part of the answer.
    std::panic::set_hook(Box::new(|_| {}));
    fit_one_cell(io::stdin().lock(), io::stdout().lock())?;
    Ok(Exit::Fine)
}

/// This program as the one that fits single cells; none if it cannot find itself.
pub(crate) fn program(jobs: usize) -> Option<Vec<OsString>> {
    let this = std::env::current_exe().ok()?;
    Some(vec![this.into(), NAME.into(), JOBS.into(), jobs.to_string().into()])
}
