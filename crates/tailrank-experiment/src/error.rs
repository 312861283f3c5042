//! The one error type of this crate.

use std::{
    fmt, io,
    path::{Path, PathBuf},
};

use crate::{
    problem::{Problem, listed},
    text::count,
};

/// A result of this crate.
pub type Result<T> = std::result::Result<T, EngineError>;

/// Why an experiment could not be read, run or reported.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The experiment file is wrong; every problem found is listed.
    #[error("{path} has {n}:\n{list}", path = .path.display(), n = count(.problems.len(), "problem"), list = listed(.problems))]
    Experiment {
        /// The experiment file.
        path: PathBuf,
        /// All problems, in the order found.
        problems: Vec<Problem>,
    },
    /// A file operation failed.
    #[error("cannot {action} {path}: {source}", path = .path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// On which file.
        path: PathBuf,
        /// What the system answered.
        source: io::Error,
    },
    /// A folder that cannot be opened as a run.
    #[error("{path} cannot be opened as a run: {reason}", path = .path.display())]
    NotARun {
        /// The folder.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// A folder for outputs that holds something else.
    #[error("{path} holds other files and no {what}; give another folder, or move them away", path = .path.display())]
    Occupied {
        /// The folder.
        path: PathBuf,
        /// What belongs there.
        what: &'static str,
    },
    /// Input made elsewhere that cannot be used.
    #[error("{path}: {problem}", path = .path.display())]
    Input {
        /// The file.
        path: PathBuf,
        /// What is wrong, where, and what to change.
        problem: String,
    },
    /// An option of a command that cannot be used.
    #[error("--{option}: {problem}")]
    Option {
        /// The option.
        option: &'static str,
        /// What is wrong and what to give.
        problem: String,
    },
    /// A task that cannot be scored.
    #[error("task '{task}': {source}")]
    Score {
        /// The task.
        task: String,
        /// What is wrong and what to change.
        source: tailrank_metrics::MetricError,
    },
    /// A family that cannot be added to those an experiment may name.
    #[error("family '{name}': {problem}")]
    Family {
        /// Its name.
        name: String,
        /// What is wrong and what to change.
        problem: String,
    },
    /// A test of two models that cannot be added to those of every experiment.
    #[error("the test '{id}' cannot be registered: its name is taken, or is no word in lower case")]
    PairedTest {
        /// Its name in files.
        id: String,
    },
    /// A model that was to be used could not be fitted.
    #[error("{model}: {reason}")]
    Fit {
        /// The model and its task.
        model: String,
        /// Why.
        reason: String,
    },
    /// Cells are to run in processes of their own, and nobody said which program fits one.
    #[error(
        "limits.isolate = true needs a program that fits single cells; name it in RunOptions::cell_program"
    )]
    NoCellProgram,
    /// The whole run is forecast to need more memory than it is given; nothing was fitted.
    #[error(
        "the run is forecast to need {forecast_mb} MB, more than limits.memory_mb = {limit_mb}, and nothing was fitted; \
         give fewer rows or models at once, turn inference off, or raise limits.memory_mb if \
         the machine has the memory"
    )]
    Memory {
        /// Forecast of the whole run.
        forecast_mb: usize,
        /// `limits.memory_mb`.
        limit_mb: usize,
    },
    /// The machine failed while a cell was fitted: no room, process or thread was to be had. It is not a
    /// result of the model.
    #[error(
        "{cell}: {problem}. That is the machine's fault, not the model's, and was not stored; finished cells \
         are kept, run the same command again to go on"
    )]
    Machine {
        /// Task and model, or what else was at work.
        cell: String,
        /// What happened.
        problem: String,
    },
    /// A program was edited while it fitted.
    #[error(
        "{cell}: '{file}' was changed while the run was at work, so that nobody knows what was fitted, and \
         nothing was stored; finished cells are kept, run the same command again. A file that the program \
         itself writes must not be among its arguments or files"
    )]
    ProgramChanged {
        /// Model and task.
        cell: String,
        /// What was changed.
        file: String,
    },
    /// Another session has taken a run's folder over.
    #[error(
        "{path}: a run with other settings, data or programs has taken this folder over since; its tables \
         and report are left as they are, and finished cells are kept. Run the command again to make the \
         folder this experiment's",
        path = .path.display()
    )]
    Superseded {
        /// The folder.
        path: PathBuf,
    },
    /// Stopped by the user; finished cells are kept.
    #[error("interrupted; finished fits are kept, run the same command again to resume")]
    Interrupted,
    /// A bug of this program.
    #[error("internal error in {place}: {problem}")]
    Internal {
        /// Where.
        place: &'static str,
        /// What.
        problem: String,
    },
}

impl EngineError {
    /// A file operation that failed.
    pub fn io(action: &'static str, path: &Path, source: io::Error) -> Self {
        Self::Io { action, path: path.to_owned(), source }
    }

    /// A task that cannot be scored.
    pub fn score(task: &str, source: tailrank_metrics::MetricError) -> Self {
        Self::Score { task: task.to_owned(), source }
    }

    /// No thread could be started for `what`.
    pub fn no_thread(what: &str, source: &io::Error) -> Self {
        Self::Machine { cell: what.to_owned(), problem: format!("cannot start a thread ({source})") }
    }

    /// A bug of this program.
    pub fn internal(place: &'static str, problem: impl fmt::Display) -> Self {
        Self::Internal { place, problem: problem.to_string() }
    }
}
