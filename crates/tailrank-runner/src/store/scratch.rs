//! `log/tmp/<process>`: files on their way to their places, and those between a run and its programs.
//!
//! A process holds the lock in its folder as long as it has the run open. The system gives the lock back when
//! the process ends, however it ends, and shows it to everyone who sees the folder, also to another
//! container, which sees no number of a process.

use std::{
    collections::hash_map::RandomState,
    fs,
    hash::{BuildHasher, Hasher},
    path::{Path, PathBuf},
    process,
    sync::atomic::{AtomicU64, Ordering},
};

use super::{
    Store, host_name,
    inside::{absolute, inside},
    lock::{Holder, LOCK, create_held, hold, is_held, is_stale, remove_held},
    process_lives,
};
use crate::{EngineError, Result};

/// This process at a run: machine, number, and what tells processes of one number apart.
pub(super) fn process_name() -> String {
    format!("{}.{}.{:016x}", host_name(), process::id(), RandomState::new().build_hasher().finish())
}

/// A name that no other temporary file of this process has.
pub(super) fn unique_name() -> String {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    COUNTER.fetch_add(1, Ordering::Relaxed).to_string()
}

/// The folder of this process in a run; gone with the value.
pub(super) struct Scratch {
    folder: PathBuf,
    /// Held where the file system knows locks; elsewhere numbers of processes have to do.
    _lock: Holder,
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl Store<'_> {
    /// Makes the folder of this process, and removes those that killed processes left. What cannot be removed
    /// is harmless.
    pub(super) fn open_scratch(&self) -> Result<Scratch> {
        let folder = self.scratch();
        let lock = create_held(self.disk, &folder).map_err(|e| EngineError::io("create", &folder, e))?;
        for path in self.list(&self.root.join("log/tmp"))? {
            if path != folder && path.is_dir() && !path.is_symlink() {
                self.remove_if_left(&path);
            }
        }
        Ok(Scratch { folder, _lock: lock })
    }

    /// Removes the folder of a process that is gone.
    fn remove_if_left(&self, path: &Path) {
        let Some((host, pid)) = owner_of(path) else { return };
        let is_here = host == host_name();
        // Held until it is removed, so that its process sees that it is gone.
        let lock = hold(&path.join(LOCK));
        let is_left = match lock {
            Holder::Others => false,
            Holder::Us { .. } if is_here => true,
            Holder::Unknown if is_here => !process_lives(pid),
            _ => is_stale(path),
        };
        if is_left {
            let aside = format!("{host}.{pid}.{:016x}", RandomState::new().build_hasher().finish());
            remove_held(self.disk, path, &path.with_file_name(aside));
        }
    }

    /// This process, as the logs call it.
    pub(crate) fn process(&self) -> &str {
        &self.process
    }

    /// Where this process writes files on their way.
    pub(super) fn scratch(&self) -> PathBuf {
        self.root.join("log/tmp").join(&self.process)
    }

    /// The same, made if this process only reads the run.
    pub(super) fn scratch_for_writing(&self) -> Result<PathBuf> {
        let folder = self.scratch();
        if self.temporary.is_none() {
            self.create_folder(&folder)?;
        }
        Ok(folder)
    }

    /// The same, as programs in other folders see it.
    pub(crate) fn scratch_folder(&self) -> PathBuf {
        absolute(&self.scratch())
    }

    /// Whether a process holds its folder in this run; none where it has none, or where locks tell nothing.
    pub(crate) fn process_is_running(&self, process: &str) -> Option<bool> {
        is_held(&inside(&self.root.join("log/tmp"), process)?.join(LOCK))
    }
}

/// Machine and number of the process that a folder is named after; none if it is no name that
/// [`process_name`] gives.
pub(super) fn owner_of(folder: &Path) -> Option<(&str, u32)> {
    let name = folder.file_name()?.to_str()?;
    let mut parts = name.split('.');
    let (host, pid, mark) = (parts.next()?, parts.next()?.parse().ok()?, parts.next()?);
    let is_mark = mark.len() == 16 && mark.bytes().all(|b| b.is_ascii_hexdigit()) && parts.next().is_none();
    let is_host = !host.is_empty() && host.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b));
    (is_host && is_mark).then_some((host, pid))
}

#[cfg(test)]
mod tests {
    use super::{super::disk::RealDisk, *};

    #[test]
    fn what_the_dead_left_goes_and_what_the_living_write_stays() {
        let dir = tempfile::tempdir().unwrap();
        let open = || Store::open(&RealDisk, dir.path(), "name = \"t\"\n", "t").unwrap();
        drop(open());
        let folder = dir.path().join("log/tmp");
        let (here, mark) = (host_name(), "0123456789abcdef");
        let dead = format!("{here}.{}.{mark}", i32::MAX);
        // As another container sees it: the name of this machine, and a number that is nobody's here.
        let unseen = format!("{here}.{}.{mark}", i32::MAX - 1);
        let reborn = format!("{here}.{}.{mark}", process::id());
        let far = format!("elsewhere.7.{mark}");
        for name in [&dead, &unseen, &reborn, &far, "mine"] {
            fs::create_dir(folder.join(name)).unwrap();
            fs::write(folder.join(name).join("0"), "half").unwrap();
            fs::write(folder.join(name).join(LOCK), "").unwrap();
        }
        let lock = hold(&folder.join(&unseen).join(LOCK));
        let store = open();
        assert_eq!(
            (
                store.process_is_running(&unseen),
                store.process_is_running("../x"),
                store.process_is_running(&dead)
            ),
            (Some(true), None, None)
        );
        let names = || {
            let entries = fs::read_dir(&folder).unwrap();
            entries
                .map(|e| e.unwrap().file_name().into_string().unwrap())
                .collect::<std::collections::BTreeSet<_>>()
        };
        let stays = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        assert_eq!(names(), stays(&[&unseen, &far, "mine", store.process()]));
        drop(store);
        drop(lock);
        drop(open());
        assert_eq!(names(), stays(&[&far, "mine"]), "other machines have a week, strangers all time");
    }
}
