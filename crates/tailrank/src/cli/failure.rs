//! What can end a command, with its exit code.

use std::{fmt, io::ErrorKind};

use tailrank_engine::EngineError;

/// An error with the exit code users can script on.
#[derive(Debug)]
pub(crate) enum Failure {
    /// From the engine.
    Engine(EngineError),
    /// Bad usage or bad input.
    Usage(String),
    /// Anything else.
    Other(String),
}

impl Failure {
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Engine(
                EngineError::Experiment { .. } | EngineError::Input { .. } | EngineError::Option { .. },
            )
            | Self::Usage(_) => 2,
            // A file or run that was named and is not there is a slip of the fingers, no failure of the system.
            Self::Engine(EngineError::Io { action: "read", source, .. })
                if source.kind() == ErrorKind::NotFound =>
            {
                2
            }
            Self::Engine(EngineError::NotARun { path, .. }) if !path.join("run.json").exists() => 2,
            Self::Engine(EngineError::Interrupted) => 130,
            Self::Engine(_) | Self::Other(_) => 1,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // Readers name the file themselves, as do the engine's errors: once is enough.
            Self::Engine(EngineError::Input { path, problem }) => {
                let file = format!("{}: ", path.display());
                write!(f, "{file}{}", problem.strip_prefix(&file).unwrap_or(problem))
            }
            Self::Engine(e) => e.fmt(f),
            Self::Usage(text) | Self::Other(text) => f.write_str(text),
        }
    }
}

impl From<EngineError> for Failure {
    fn from(e: EngineError) -> Self {
        Self::Engine(e)
    }
}
