//! Errors in the words of the command line, as Python exceptions.

use pyo3::{
    PyErr, create_exception,
    exceptions::{PyKeyboardInterrupt, PyValueError},
};
use tailrank::{
    data::DataError, experiment::EngineError, metrics::MetricError, models::ModelError, report::ReportError,
    studies::StudyError,
};

create_exception!(tailrank, TailrankError, PyValueError, "What is wrong, where, and how to mend it.");
create_exception!(tailrank, FewRowsError, TailrankError, "Too few rare or normal rows to be re-sampled.");
create_exception!(
    tailrank,
    Interrupted,
    PyKeyboardInterrupt,
    "Stopped by Ctrl-C; finished cells of a run are kept."
);

/// An error of any crate.
pub(crate) struct Failure(PyErr);

pub(crate) type Result<T, E = Failure> = std::result::Result<T, E>;

impl Failure {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self(TailrankError::new_err(text.into()))
    }

    /// What a step of re-sampling cannot do with so few rows; any other error as it is.
    pub(crate) fn of_step(e: ModelError) -> Self {
        match &e {
            // A distance that does not fit the inputs has nothing to do with their number.
            ModelError::Step { problem, .. } if !problem.starts_with("distance") => {
                Self(FewRowsError::new_err(e.to_string()))
            }
            _ => e.into(),
        }
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        failure.0
    }
}

impl From<PyErr> for Failure {
    fn from(e: PyErr) -> Self {
        Self(e)
    }
}

impl From<EngineError> for Failure {
    fn from(e: EngineError) -> Self {
        match e {
            EngineError::Interrupted => Self(Interrupted::new_err(e.to_string())),
            // A file that is named by nobody is not named in the message either.
            EngineError::Input { path, problem } if path.as_os_str().is_empty() => Self::new(problem),
            other => Self::new(other.to_string()),
        }
    }
}

/// Errors that say everything in their own words.
macro_rules! in_their_own_words {
    ($($error:ty),+) => {
        $(impl From<$error> for Failure {
            fn from(e: $error) -> Self {
                Self::new(e.to_string())
            }
        })+
    };
}

in_their_own_words!(DataError, MetricError, ModelError, ReportError, serde_json::Error);

impl From<StudyError> for Failure {
    fn from(e: StudyError) -> Self {
        match e {
            StudyError::Engine(e) => e.into(),
            other => Self::new(other.to_string()),
        }
    }
}
