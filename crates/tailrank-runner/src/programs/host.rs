//! What fitting in other processes asks of the machine, behind a trait so that tests can make each of it
//! fail; and whose fault a failure is. Only a model's own end is a result: a full disk or a process that
//! cannot be started says nothing of the model.

use std::fmt;

use tempfile::TempDir;

use super::*;

/// The few things that fitting in other processes asks of the machine; the machine's own unless a test
/// replaces them.
pub trait Host: fmt::Debug + Send + Sync {
    /// A new folder in `parent`, or where the system keeps temporary files; it is removed with the value.
    fn folder(&self, parent: Option<&Path>, prefix: &str) -> io::Result<TempDir> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(prefix);
        parent.map_or_else(|| builder.tempdir(), |parent| builder.tempdir_in(parent))
    }
    /// Writes a file.
    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        fs::write(path, bytes)
    }
    /// Reads a file, but no more than `most` bytes of it.
    fn read(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        fs::File::open(path)?.take(most).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
    /// Starts a process.
    fn spawn(&self, command: &mut Command) -> io::Result<Child> {
        command.spawn()
    }
}

/// The real machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct RealHost;

impl Host for RealHost {}

/// Whether the machine is to blame for what came of starting a program: one that is missing, not executable
/// or not a program is the experiment's own fault, and fails the same way next time.
pub fn blames_the_machine(error: &io::Error) -> bool {
    use io::ErrorKind as Kind;
    const ENOEXEC: i32 = 8;
    let own = [
        Kind::NotFound,
        Kind::PermissionDenied,
        Kind::InvalidInput,
        Kind::NotADirectory,
        Kind::IsADirectory,
        Kind::ArgumentListTooLong,
        Kind::InvalidFilename,
    ];
    !own.contains(&error.kind()) && error.raw_os_error() != Some(ENOEXEC)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_program_is_not_the_machines_fault() {
        let errno = io::Error::from_raw_os_error;
        // ENOENT, E2BIG, ENOEXEC, EACCES, ENOTDIR.
        assert!([2, 7, 8, 13, 20].into_iter().all(|n| !blames_the_machine(&errno(n))));
        // EIO, EAGAIN, ENOMEM, ENFILE, EMFILE, ETXTBSY, ENOSPC, EDQUOT.
        assert!([5, 11, 12, 23, 24, 26, 28, 122].into_iter().all(|n| blames_the_machine(&errno(n))));
    }
}
