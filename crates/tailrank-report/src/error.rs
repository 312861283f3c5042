use std::path::PathBuf;

/// What can go wrong while a report is written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// Stored predictions could not be read or scored.
    #[error(transparent)]
    Engine(#[from] tailrank_experiment::EngineError),
    /// A file could not be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A page was asked for of a task that there is not.
    #[error("no task is called '{name}'; the tasks are {known}")]
    UnknownTask {
        /// The name.
        name: String,
        /// Names of tasks.
        known: String,
    },
    /// A figure does not fit into the width of a printed page.
    #[error("figure '{figure}' needs a width of at least {needed}mm")]
    TooNarrow {
        /// Which figure.
        figure: String,
        /// The width that it needs, in millimetres.
        needed: f64,
    },
    /// A figure could not be drawn.
    #[error("figure '{figure}': {problem}")]
    Figure {
        /// Which figure.
        figure: String,
        /// Why.
        problem: String,
    },
}

/// A result of this crate.
pub type Result<T> = std::result::Result<T, ReportError>;

/// A figure, or another part of a report, that cannot be made, and why.
pub(crate) fn problem(figure: &str, problem: &dyn std::fmt::Display) -> ReportError {
    ReportError::Figure { figure: figure.to_owned(), problem: problem.to_string() }
}
