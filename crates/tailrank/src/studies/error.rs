use tailrank_data::DataError;
use tailrank_experiment::EngineError;
use tailrank_metrics::MetricError;
use tailrank_report::ReportError;

/// What can end a study.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StudyError {
    /// No study has this name.
    #[error("no study is called '{name}'; there are {}", has.join(", "))]
    Unknown {
        /// The name asked for.
        name: String,
        /// The names there are.
        has: Vec<&'static str>,
    },
    /// The experiment could not be run.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// Data could not be read.
    #[error(transparent)]
    Data(#[from] DataError),
    /// A measure could not be computed.
    #[error(transparent)]
    Metric(#[from] MetricError),
    /// A figure or the report could not be made.
    #[error(transparent)]
    Report(#[from] ReportError),
    /// A test could not be computed.
    #[error(transparent)]
    Stats(#[from] tailrank_stats::StatsError),
    /// A model could not be fitted.
    #[error(transparent)]
    Model(#[from] tailrank_models::ModelError),
    /// The run lacks what the study reads, such as a task that `--data` replaced.
    #[error("the study cannot be concluded: {0}")]
    Missing(String),
}

/// A run or a file without what the study reads.
pub(super) fn missing(what: impl Into<String>) -> StudyError {
    StudyError::Missing(what.into())
}

/// A result of a study.
pub type Result<T, E = StudyError> = std::result::Result<T, E>;
