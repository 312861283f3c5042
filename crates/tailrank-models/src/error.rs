//! The one error type of this crate.

/// A result of this crate.
pub type Result<T> = std::result::Result<T, ModelError>;

/// Why a family could not fit.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// A family or a step that is in no table.
    #[error("no {what} '{name}'{hint}")]
    Unknown {
        /// What was asked for: a family or a step.
        what: &'static str,
        /// The unknown name.
        name: String,
        /// The nearest known name, or the list of all.
        hint: String,
    },
    /// An engine or a parameter the family does not have.
    #[error("{family} has no {what} '{name}'{hint}")]
    Missing {
        /// Family asked.
        family: &'static str,
        /// What was asked for: an engine or a parameter.
        what: &'static str,
        /// The unknown name.
        name: String,
        /// The nearest known name, or the list of all.
        hint: String,
    },
    /// A parameter outside its range.
    #[error("{family}: {name} = {value} is not allowed: {expected}")]
    Parameter {
        /// Family the parameter belongs to.
        family: &'static str,
        /// Parameter name.
        name: String,
        /// The value as the user wrote it.
        value: String,
        /// What would be accepted.
        expected: String,
    },
    /// Case weights for an implementation that cannot heed them.
    #[error("{family} by engine '{engine}' takes no case weights{hint}")]
    NoWeights {
        /// Family asked.
        family: &'static str,
        /// Its implementation.
        engine: &'static str,
        /// The engine that takes them, or what to do without.
        hint: String,
    },
    /// Inputs or targets that no model can be fitted to.
    #[error("data: {problem}")]
    Data {
        /// What is wrong and where.
        problem: String,
    },
    /// A step of a recipe that cannot be applied to these training rows.
    #[error("{step}: {problem}")]
    Step {
        /// The step's name.
        step: &'static str,
        /// What is wrong and what to change.
        problem: String,
    },
    /// The fit broke down numerically.
    #[error("{family}: {problem}")]
    Numerical {
        /// Family that broke down.
        family: &'static str,
        /// What happened and what to change.
        problem: String,
    },
    /// The fit needs more memory than it may use.
    #[error(
        "{family}: needs about {needed_mb} MB but may use {limit_mb} MB; raise the memory limit or {fix}"
    )]
    Memory {
        /// Family that needs the memory.
        family: &'static str,
        /// Estimated need.
        needed_mb: u64,
        /// The limit in force.
        limit_mb: u64,
        /// What else would help.
        fix: &'static str,
    },
    /// The machine failed, not the model: no room on the disk, no process or thread to be had. No result: the
    /// fit is to be tried again.
    #[error("{problem}")]
    System {
        /// What happened.
        problem: String,
    },
    /// Stopped from outside: deadline or interrupt.
    #[error("stopped before the fit was finished")]
    Cancelled,
}

impl ModelError {
    /// [`Data`](Self::Data) with what is wrong and where.
    pub fn data(problem: impl Into<String>) -> Self {
        Self::Data { problem: problem.into() }
    }

    /// [`Numerical`](Self::Numerical) with what happened and what to change.
    pub fn numerical(family: &'static str, problem: impl Into<String>) -> Self {
        Self::Numerical { family, problem: problem.into() }
    }

    /// [`Step`](Self::Step) with what is wrong and what to change.
    pub fn step(step: &'static str, problem: impl Into<String>) -> Self {
        Self::Step { step, problem: problem.into() }
    }

    /// [`Parameter`](Self::Parameter) with what would be accepted.
    pub fn parameter(
        family: &'static str,
        name: &str,
        value: impl ToString,
        expected: impl Into<String>,
    ) -> Self {
        Self::Parameter { family, name: name.into(), value: value.to_string(), expected: expected.into() }
    }

    /// [`Memory`](Self::Memory) under a limit in bytes.
    pub(crate) fn memory(family: &'static str, needed_mb: usize, limit: usize, fix: &'static str) -> Self {
        Self::Memory { family, needed_mb: needed_mb as u64, limit_mb: (limit >> 20) as u64, fix }
    }
}
