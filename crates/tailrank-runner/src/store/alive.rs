//! Whether a process lives, also one that no number tells of: containers may share a host's name and a
//! folder, and see none of each other's processes.
//!
//! A process holds a lock on a file of its own in `log/tmp` as long as it has the run open. The system gives
//! the lock back when the process ends, however it ends, and shows it to everyone who has the folder.

use std::{
    fs::{self, File, TryLockError},
    path::{Path, PathBuf},
};

use super::scratch::process_name;

/// Ending of the names of such files.
pub(super) const LOCK: &str = "lock";

/// A sign that this process lives; gone with the value.
pub(super) struct Alive {
    held: Option<(File, PathBuf)>,
}

impl Alive {
    /// Shows in `folder` that this process lives. Where the file system knows no locks, numbers of processes
    /// have to do.
    pub(super) fn new(folder: &Path) -> Self {
        let path = folder.join(format!("{}.{LOCK}", process_name()));
        let lock = || {
            let file = File::options().create(true).truncate(false).write(true).open(&path).ok()?;
            file.try_lock().ok()?;
            Some((file, path.clone()))
        };
        Self { held: lock() }
    }
}

impl Drop for Alive {
    fn drop(&mut self) {
        if let Some((_, path)) = &self.held {
            let _ = fs::remove_file(path);
        }
    }
}

/// Whether the process of this name (`<machine>.<number>.<mark>`) has shown in `folder` that it lives; none
/// where it never did, or where locks tell nothing.
pub(super) fn process_is_running(folder: &Path, process: &str) -> Option<bool> {
    is_locked(&folder.join(format!("{process}.{LOCK}")))
}

/// Whether somebody holds a lock on a file or folder; none where that cannot be known.
pub(super) fn is_locked(path: &Path) -> Option<bool> {
    let file = File::open(path).ok()?;
    match file.try_lock_shared() {
        Ok(()) => Some(false),
        Err(TryLockError::WouldBlock) => Some(true),
        Err(TryLockError::Error(_)) => None,
    }
}
