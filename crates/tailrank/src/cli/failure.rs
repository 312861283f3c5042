//! What can end a command, with its exit code.

use std::{
    io::{self, ErrorKind},
    path::Path,
};

use tailrank_experiment::EngineError;

/// An error with the exit code users can script on.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// From the engine.
    #[error("{}", in_words(.0))]
    Engine(#[from] EngineError),
    /// Stopped by the user, where nothing is stored on the way.
    #[error("interrupted; nothing is stored before the end: the same command starts afresh")]
    Stopped,
    /// Bad usage or bad input.
    #[error("{0}")]
    Usage(String),
    /// Anything else.
    #[error("{0}")]
    Other(String),
    /// A file or a stream.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Refuses a command that is wrong in itself.
pub(crate) fn usage<T>(text: impl Into<String>) -> Result<T, Failure> {
    Err(Failure::Usage(text.into()))
}

impl Failure {
    /// An input file that cannot be used.
    pub(crate) fn input(path: &Path, problem: impl ToString) -> Self {
        Self::Engine(EngineError::Input { path: path.to_owned(), problem: problem.to_string() })
    }

    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Usage(_) => 2,
            Self::Other(_) | Self::Io(_) => 1,
            Self::Stopped => 130,
            Self::Engine(e) => match e {
                EngineError::Experiment { .. } | EngineError::Input { .. } | EngineError::Option { .. } => 2,
                EngineError::Occupied { .. } => 2,
                // A file or run that was named and does not exist is a typing error, not a failure of the system.
                EngineError::Io { action: "read", source, .. } if source.kind() == ErrorKind::NotFound => 2,
                EngineError::NotARun { path, .. } if !path.join("run.json").exists() => 2,
                EngineError::Interrupted => 130,
                _ => 1,
            },
        }
    }
}

/// Disk full, out of memory or too many open files: the same command may succeed later.
fn is_out_of_resources(error: &io::Error) -> bool {
    const ENFILE: i32 = 23;
    const EMFILE: i32 = 24;
    matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::OutOfMemory)
        || matches!(error.raw_os_error(), Some(ENFILE | EMFILE))
}

fn in_words(error: &EngineError) -> String {
    match error {
        // Readers name the file themselves, as do the engine's errors: once is enough.
        EngineError::Input { path, problem } => {
            let file = format!("{}: ", path.display());
            format!("{file}{}", problem.strip_prefix(&file).unwrap_or(problem))
        }
        EngineError::Io { source, .. } if is_out_of_resources(source) => format!(
            "{error}. That is the machine's fault; what is finished is kept, run the same command again to go on"
        ),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    #[test]
    fn missing_resources_say_what_to_do_next() {
        let said = |errno| {
            let source = io::Error::from_raw_os_error(errno);
            Failure::Engine(EngineError::Io { action: "write", path: PathBuf::from("runs/a"), source })
                .to_string()
        };
        // ENOMEM, ENFILE, EMFILE, ENOSPC, EDQUOT.
        for errno in [12, 23, 24, 28, 122] {
            let said = said(errno);
            assert!(said.starts_with("cannot write runs/a: ") && said.contains("machine's fault"), "{said}");
        }
        // ENOENT, EACCES, EISDIR: the same next time.
        assert!([2, 13, 21].into_iter().all(|errno| !said(errno).contains("again")));
    }
}
