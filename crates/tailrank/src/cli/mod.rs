//! Arguments in, engine calls, text out. Nothing is computed here.

mod answer;
mod cell;
mod check;
mod compare;
mod duration;
mod enum_value;
mod explain;
mod export;
mod failure;
mod fitted;
mod init;
mod list;
mod man;
mod output;
mod path_kind;
mod predict;
mod progress;
mod rank;
mod report;
mod reproduce;
mod run;
mod score;
mod settings;
mod slurm;
mod status;
mod stop;
mod threads;
mod topics;

use std::{ffi::OsString, path::PathBuf, thread};

use clap::{Parser, Subcommand};
use tailrank_data::Library;

use self::{
    failure::Failure,
    output::{print, print_error},
};

/// What most commands use: a session, its failures, what is printed, and the types of plans and results.
mod prelude {
    pub(super) use std::path::{Path, PathBuf};

    pub(super) use clap::Args;
    pub(super) use serde_json::{Value, json};
    pub(super) use tailrank_experiment::{
        EngineError,
        config::Difference,
        plan::Plan,
        text::{DASH, count, digits_together, list, ten_of_a_kind, thousands, two_decimals},
    };
    pub(super) use tailrank_metrics::Measure;
    pub(super) use tailrank_report::{
        answer,
        terminal::{Line, Screen, TextTable, Tone, wrap},
    };
    pub(super) use tailrank_runner::{
        run::RunOptions,
        store::{Store, disk::RealDisk},
    };
    pub(super) use tailrank_score::score::{Results, TaskId, VariantId};

    pub(super) use super::{
        Exit, Result, Session,
        answer::{add_fits, frame, print_answer, results_json},
        cell, duration,
        enum_value::enum_value_parser,
        failure::{Failure, usage},
        fitted::{check_cells, check_variants},
        output::*,
        path_kind,
        progress::Progress,
        report::{one_file, open_run},
        run::{check_programs, run_folder},
        stop::Stop,
        width,
    };
    pub(super) use crate::studies::{distinct, with_minus};
}

/// A result of a command.
pub(crate) type Result<T, E = Failure> = std::result::Result<T, E>;

/// What the program says when it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// All fine.
    Fine = 0,
    /// Finished, but some fits failed.
    FailedCells = 3,
}

impl Exit {
    /// How a run ends of which so many fits failed or are missing.
    pub(crate) fn of(failed: usize) -> Self {
        if failed > 0 { Self::FailedCells } else { Self::Fine }
    }
}

/// Ranks regression models by what they do where it matters: the rare extreme values.
#[derive(Debug, Parser)]
#[command(
    version,
    max_term_width = 100,
    after_help = include_str!("help/tailrank.txt")
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
    /// Print only results and errors.
    #[arg(long, short, global = true)]
    quiet: bool,
    /// Folder searched before the bundled data, for files such as DIR/BA.csv.
    #[arg(long, global = true, value_name = "DIR")]
    data: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Command {
    Run(run::RunArguments),
    Check(check::CheckArguments),
    Init(init::InitArguments),
    Score(score::ScoreArguments),
    Rank(rank::RankArguments),
    Report(report::ReportArguments),
    Predict(predict::PredictArguments),
    Export(export::ExportArguments),
    Explain(explain::ExplainArguments),
    Compare(compare::CompareArguments),
    Reproduce(reproduce::ReproduceArguments),
    List(list::ListArguments),
    Slurm(slurm::SlurmArguments),
    Status(status::StatusArguments),
    Completions(man::CompletionsArguments),
    Man(man::ManArguments),
}

/// What every command shares.
pub(crate) struct Session {
    pub(crate) quiet: bool,
    /// Folder searched before the bundled data.
    pub(crate) data: Option<PathBuf>,
    pub(crate) library: Library,
    /// The words that start this program; empty if it does not know them.
    pub(crate) program: Vec<OsString>,
    /// Fits at the same time.
    pub(crate) jobs: usize,
}

/// The whole program: arguments in, its own name first, exit code out. `program` are the words that start it
/// again, for cells in processes of their own and for jobs.
#[must_use]
pub fn main(arguments: Vec<OsString>, program: Vec<OsString>) -> u8 {
    // A process of one cell has a thread of its own for it, and its stacks count as memory.
    if cell::is_cell_invocation(&arguments) {
        return answer(arguments, program);
    }
    let again = (arguments.clone(), program.clone());
    let thread = thread::Builder::new().name("main".to_owned()).stack_size(STACK);
    match thread.spawn(move || answer(arguments, program)) {
        // What a panic says is printed by then; 101 is how Rust ends after one.
        Ok(thread) => thread.join().unwrap_or(101),
        // Where no thread can be had, the stack that there is may do.
        Err(_) => answer(again.0, again.1),
    }
}

/// What the program needs where the system gives less (`ulimit -s`): its own thread has a stack of this size,
/// the usual one on Linux.
const STACK: usize = 8 << 20;

fn answer(arguments: Vec<OsString>, program: Vec<OsString>) -> u8 {
    let done = if cell::is_cell_invocation(&arguments) {
        cell::cell(&arguments)
    } else if let Some(chapter) = topics::asked(&arguments, width()) {
        print(&chapter);
        output::finish().map(|()| Exit::Fine)
    } else {
        match Arguments::try_parse_from(arguments) {
            Ok(arguments) => run(arguments, program),
            // Help and version are printed this way, too.
            Err(usage) => {
                let _ = usage.print();
                return usage.exit_code().try_into().unwrap_or(2);
            }
        }
    };
    match done {
        Ok(exit) => exit as u8,
        Err(problem) => {
            print_error(&problem);
            problem.exit_code()
        }
    }
}

pub use answer::text as answer_text;
pub use cell::program as cell_program;
pub use reproduce::as_json as study_json;
pub use run::install_panic_hook;

fn run(arguments: Arguments, program: Vec<OsString>) -> Result<Exit> {
    install_panic_hook();
    let library = arguments.data.clone().map_or_else(Library::default, Library::with_folder);
    let jobs = match &arguments.command {
        Command::List(_) | Command::Completions(_) | Command::Man(_) => 1,
        Command::Run(a) => threads::use_threads(a.jobs)?,
        Command::Reproduce(a) => threads::use_threads(a.jobs)?,
        _ => threads::use_threads(None)?,
    };
    let session = Session { quiet: arguments.quiet, data: arguments.data, library, program, jobs };
    let exit = match arguments.command {
        Command::Run(a) => run::run(&session, &a),
        Command::Check(a) => check::check(&session, &a),
        Command::Init(a) => init::init(&session, &a),
        Command::Score(a) => score::score(&session, &a),
        Command::Rank(a) => rank::rank(&session, &a),
        Command::Report(a) => report::report(&session, &a),
        Command::Predict(a) => predict::predict(&session, &a),
        Command::Export(a) => export::export(&session, &a),
        Command::Explain(a) => explain::explain(&session, &a),
        Command::Compare(a) => compare::compare(&session, &a),
        Command::Reproduce(a) => reproduce::reproduce(&session, &a),
        Command::List(a) => list::list(&a),
        Command::Slurm(a) => slurm::slurm(&session, &a),
        Command::Status(a) => status::status(&a),
        Command::Completions(a) => man::completions(&a),
        Command::Man(a) => man::man(&a),
    }?;
    output::finish()?;
    Ok(exit)
}

/// Columns to write in: COLUMNS if set, else the terminal's, 80 when there is none, and never fewer than 40.
pub(crate) fn width() -> usize {
    let asked = std::env::var("COLUMNS").ok().and_then(|c| c.parse().ok());
    let terminal = || terminal_size::terminal_size_of(std::io::stdout()).map(|(w, _)| usize::from(w.0));
    asked.or_else(terminal).unwrap_or(80).max(40)
}
