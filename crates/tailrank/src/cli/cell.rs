//! `tailrank __cell own`: fits one cell in this process, or, as `tailrank __cell own -- PROGRAM …`, watches over one program. The program
//! calls itself so; it is no command for users and stands in no help, manual or completion.

use std::{ffi::OsString, io, process::ExitStatus};

use tailrank_experiment::threads::STACK;
use tailrank_runner::{
    programs::{NOT_STARTED, NOT_STARTED_WORDS, blames_the_machine, supervise},
    run::fit_one_cell,
};

use super::prelude::*;

const NAME: &str = "__cell";
/// Without this second word, a user who types the hidden command would wait for a cell on standard input.
const OWN: &str = "own";

/// Whether these arguments, the program's own name first, ask for a single cell.
pub(crate) fn is_cell_invocation(arguments: &[OsString]) -> bool {
    arguments.get(1).is_some_and(|a| a == NAME)
}

/// Fits one cell: reads it from standard input, answers on standard output. Or runs a program and ends it when standard
/// input closes.
pub(crate) fn cell(arguments: &[OsString]) -> Result<Exit> {
    match arguments.get(2..).unwrap_or_default() {
        [own] if own == OWN => fit(),
        [own, dashes, program @ ..] if own == OWN && dashes == "--" && !program.is_empty() => {
            let status = match supervise(program, io::stdin()) {
                Ok(status) => code(status),
                Err(e) if blames_the_machine(&e) => {
                    #[allow(clippy::print_stderr, reason = "it is read by the run that started this process")]
                    {
                        eprintln!("{NOT_STARTED_WORDS} {e}");
                    }
                    NOT_STARTED
                }
                Err(e) => {
                    return Err(Failure::input(Path::new(&program[0]), format!("cannot be started: {e}")));
                }
            };
            #[allow(clippy::exit, reason = "the program's exit code is this process's own")]
            std::process::exit(status);
        }
        _ => usage(format!("{NAME} is for this program itself")),
    }
}

fn fit() -> Result<Exit> {
    // One thread whatever --jobs is: the system counts the stacks of threads as memory, and results must not depend on --jobs.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).stack_size(STACK).build_global();
    // A panic is part of the answer.
    std::panic::set_hook(Box::new(|_| {}));
    let fit = || fit_one_cell(io::stdin(), io::stdout().lock());
    // On the pool's thread, whose stack does not depend on `ulimit -s`.
    if pool.is_ok() { rayon::scope(|_| fit()) } else { fit() }?;
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

/// A program as the one that fits single cells; none if nobody knows how it is started.
pub fn program(words: &[OsString]) -> Option<Vec<OsString>> {
    let own = [NAME, OWN].map(OsString::from);
    (!words.is_empty()).then(|| words.iter().cloned().chain(own).collect())
}
