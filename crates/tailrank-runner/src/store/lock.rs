//! Locks on files, which the system gives back when a process ends, however it ends.

use std::{
    fs::{self, File, Metadata, OpenOptions, TryLockError},
    io,
    path::Path,
    time::Duration,
};

use super::disk::{Disk, open_regular};

/// Name of the file that a process locks in a folder of its own.
pub(super) const LOCK: &str = "lock";

/// Who has a lock.
pub(super) enum Holder {
    /// This process, as long as it keeps the file.
    Us {
        /// Locked.
        _file: File,
    },
    /// Another one, or its folder has just gone.
    Others,
    /// Nobody knows: the file cannot be opened, or the file system knows no locks.
    Unknown,
}

/// Takes the lock on a file, which is made if it is not there.
pub(super) fn hold(path: &Path) -> Holder {
    // Open for writing: network file systems lock nothing else.
    match open_regular(OpenOptions::new().create(true).truncate(false).write(true), path) {
        Ok(file) => match file.try_lock() {
            // One that was removed meanwhile protects nothing: another may stand in its place.
            Ok(()) if file.metadata().is_ok_and(|held| Some(number(&held)) == inode(path)) => {
                Holder::Us { _file: file }
            }
            Ok(()) | Err(TryLockError::WouldBlock) => Holder::Others,
            Err(TryLockError::Error(_)) => Holder::Unknown,
        },
        Err(e) if e.kind() == io::ErrorKind::NotFound => Holder::Others,
        Err(_) => Holder::Unknown,
    }
}

/// Makes a folder that this process holds, by the lock in it.
pub(super) fn create_held(disk: &dyn Disk, folder: &Path) -> io::Result<Holder> {
    let mut tries = 0;
    loop {
        tries += 1;
        // It was there, and was moved away before it could be looked at; or something else stands there for good.
        let was_moved = |e: &io::Error| e.kind() == io::ErrorKind::AlreadyExists && tries < MOST_TRIES;
        match disk.create_dir(folder) {
            Err(e) if !was_moved(&e) => return Err(e),
            Err(_) => continue,
            Ok(()) => {}
        }
        match hold(&folder.join(LOCK)) {
            // Another process took it for nobody's before it was locked.
            Holder::Others => {}
            lock => return Ok(lock),
        }
    }
}

/// Times that other processes may get in between.
pub(super) const MOST_TRIES: usize = 1000;

/// Removes a folder whose lock this process has. It is moved first, so that its name is free at once: whoever makes it anew
/// never finds it half removed.
pub(super) fn remove_held(disk: &dyn Disk, folder: &Path, aside: &Path) {
    // What cannot be moved or removed is tried again another time.
    if disk.rename(folder, aside).is_ok() {
        let _ = disk.remove_folder(aside);
    }
}

/// What tells a file or folder from another that took its name; none where nothing is there.
pub(super) fn inode(path: &Path) -> Option<u64> {
    fs::symlink_metadata(path).ok().map(|found| number(&found))
}

#[cfg(unix)]
fn number(found: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(found)
}

#[cfg(not(unix))]
fn number(_: &Metadata) -> u64 {
    0
}

/// Whether a folder is older than any fit or page takes: what cannot be asked of its process counts as left
/// behind then.
pub(super) fn is_stale(folder: &Path) -> bool {
    const STALE: Duration = Duration::from_secs(7 * 24 * 3600);
    let age = || fs::metadata(folder).ok()?.modified().ok()?.elapsed().ok();
    age().is_some_and(|age| age > STALE)
}

/// Whether somebody holds the lock on a file that is there; none where that cannot be known.
pub(super) fn is_held(path: &Path) -> Option<bool> {
    let file = open_regular(OpenOptions::new().read(true), path).ok()?;
    match file.try_lock_shared() {
        Ok(()) => Some(false),
        Err(TryLockError::WouldBlock) => Some(true),
        Err(TryLockError::Error(_)) => None,
    }
}
