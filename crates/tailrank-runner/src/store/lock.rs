//! Locks on files, which the system gives back when a process ends, however it ends.

use std::{
    collections::hash_map::RandomState,
    fs::{Metadata, OpenOptions, TryLockError},
    hash::{BuildHasher, Hasher},
    process,
    time::Duration,
};

use super::{disk::open_regular, *};

/// Name of the file that a process locks in a folder of its own.
pub(super) const LOCK: &str = "lock";

/// Opens a file to be locked, which is made if it is not there: for writing, because network file systems
/// lock nothing else.
pub(super) fn open_lock(path: &Path) -> io::Result<File> {
    open_regular(OpenOptions::new().create(true).truncate(false).write(true), path)
}

/// Takes the lock on a file, as long as the answer is kept; none where another process has it or its folder
/// has just gone.
///
/// # Errors
/// Nobody knows who has it: the file cannot be opened, or the file system knows no locks.
pub(super) fn hold(path: &Path) -> io::Result<Option<File>> {
    let file = match open_lock(path) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        file => file?,
    };
    match file.try_lock() {
        // One that was removed meanwhile protects nothing: another may stand in its place.
        Ok(()) if inode(file.metadata()) == inode(path.symlink_metadata()) => Ok(Some(file)),
        Ok(()) | Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(e)) => Err(e),
    }
}

/// A folder of this process, named after it, which holds the lock in it. Gone with the value; what cannot be
/// removed is tried again by the next process.
pub(super) struct HeldFolder<'d> {
    disk: &'d dyn Disk,
    pub(super) path: PathBuf,
    /// None where the file system knows no locks.
    pub(super) _lock: Option<File>,
}

impl<'d> HeldFolder<'d> {
    /// Makes the folder and takes its lock.
    pub(super) fn create(disk: &'d dyn Disk, path: PathBuf) -> Result<Self> {
        for _ in 0..MOST_TRIES {
            match disk.create_dir(&path) {
                // It was there, and was moved away before it could be looked at.
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => continue,
                made => made.map_err(|e| EngineError::io("create", &path, e))?,
            }
            match hold(&path.join(LOCK)) {
                // Another process took it for nobody's before it was locked.
                Ok(None) => {}
                lock => return Ok(Self { disk, path, _lock: lock.ok().flatten() }),
            }
        }
        let taken = io::Error::new(io::ErrorKind::AlreadyExists, "something else stands there");
        Err(EngineError::io("create", &path, taken))
    }
}

impl Drop for HeldFolder<'_> {
    fn drop(&mut self) {
        if cfg!(windows) {
            // A folder whose file is open stays.
            self._lock = None;
        }
        let _ = self.disk.remove_folder(&self.path);
    }
}

/// Removes the folders of processes that are gone, whose names are a prefix and [`process_name`]. What cannot
/// be removed is harmless.
pub(super) fn sweep(disk: &dyn Disk, parent: &Path, prefix: &str) -> Result<()> {
    for path in disk.list(parent).map_err(|e| EngineError::io("list", parent, e))? {
        let Some((host, pid)) = owner_of(&path, prefix) else { continue };
        if !path.is_dir() || path.is_symlink() {
            continue;
        }
        let is_here = host == host_name();
        // Held until it is removed, so that its process sees that it is gone.
        let lock = hold(&path.join(LOCK));
        let is_left = match &lock {
            Ok(None) => false,
            // Locks of other machines may not be seen; files on their way to outputs are few and whole.
            Ok(Some(_)) if is_here || !prefix.is_empty() => true,
            Err(_) if is_here => !process_lives(pid),
            _ => is_stale(&path),
        };
        if cfg!(windows) {
            // A folder whose file is open cannot be moved: not by us, nor from under a process that has just
            // taken it.
            drop(lock);
        }
        // It is moved first, so that whoever makes it anew never finds it half removed.
        let aside = path.with_file_name(format!("{prefix}{}", process_name()));
        if is_left && disk.rename(&path, &aside).is_ok() {
            let _ = disk.remove_folder(&aside);
        }
    }
    Ok(())
}

/// This process at a run: machine, number, and what tells processes of one number apart.
pub(super) fn process_name() -> String {
    format!("{}.{}.{:016x}", host_name(), process::id(), RandomState::new().build_hasher().finish())
}

/// Machine and number of the process that a folder is named after; none if it is no name of ours.
pub(super) fn owner_of<'a>(folder: &'a Path, prefix: &str) -> Option<(&'a str, u32)> {
    let name = folder.file_name()?.to_str()?.strip_prefix(prefix)?;
    let mut parts = name.split('.');
    let (host, pid, mark) = (parts.next()?, parts.next()?.parse().ok()?, parts.next()?);
    let is_mark = mark.len() == 16 && mark.bytes().all(|b| b.is_ascii_hexdigit()) && parts.next().is_none();
    let is_host = !host.is_empty() && host.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b));
    (is_host && is_mark).then_some((host, pid))
}

/// Times that other processes may get in between.
pub(super) const MOST_TRIES: usize = 1000;

/// What tells a file or folder from another that took its name; none where nothing is there.
pub(super) fn inode(found: io::Result<Metadata>) -> Option<u64> {
    #[cfg(unix)]
    let number = |found| std::os::unix::fs::MetadataExt::ino(&found);
    #[cfg(not(unix))]
    let number = |_| 0;
    found.ok().map(number)
}

/// Whether a folder is older than any fit or page takes: what cannot be asked of its process counts as left
/// behind then.
fn is_stale(folder: &Path) -> bool {
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
