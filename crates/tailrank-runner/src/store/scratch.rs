//! `log/tmp`: files on their way to their places, and those between a run and its programs.
//!
//! A name tells the process it belongs to, so that what a killed process left is removed by the next one, and
//! nothing that another machine is still writing.

use std::{
    collections::hash_map::RandomState,
    fs,
    hash::{BuildHasher, Hasher},
    path::{Path, PathBuf},
    process,
    sync::{
        LazyLock,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use super::{Store, alive, host_name, process_lives};
use crate::Result;

/// Age at which what a process on another machine wrote, which cannot be asked, counts as left behind: longer
/// than any fit.
const STALE: Duration = Duration::from_secs(7 * 24 * 3600);

/// Tells this process from an earlier one of the same number.
static PROCESS: LazyLock<String> =
    LazyLock::new(|| format!("{:016x}", RandomState::new().build_hasher().finish()));

/// This process: machine, number, and what tells processes of one number apart.
pub(crate) fn process_name() -> String {
    static HOST: LazyLock<String> = LazyLock::new(host_name);
    format!("{}.{}.{}", *HOST, process::id(), *PROCESS)
}

/// What the names of this process's temporary files begin with.
pub(crate) fn scratch_name() -> String {
    format!("{}.", process_name())
}

/// A name that no other temporary file or folder has, and that tells whose it is:
/// `<machine>.<process>.<mark>.<number>`.
pub fn unique_name() -> String {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    format!("{}{}", scratch_name(), COUNTER.fetch_add(1, Ordering::Relaxed))
}

impl Store<'_> {
    /// Removes what killed processes left. What cannot be removed is harmless.
    pub(super) fn tidy_scratch(&self) -> Result<()> {
        for path in self.list(&self.scratch())? {
            if path.file_name().and_then(|n| n.to_str()).is_some_and(|name| is_left_over(name, &path)) {
                self.discard(&path);
            }
        }
        Ok(())
    }

    /// Removes a file or folder that nobody needs; what stays is harmless.
    pub(super) fn discard(&self, path: &Path) {
        let _ = if path.is_dir() { self.disk.remove_folder(path) } else { self.disk.remove(path) };
    }

    /// The folder for files on their way, as programs in other folders see it.
    pub(crate) fn scratch_folder(&self) -> PathBuf {
        let folder = self.scratch();
        std::path::absolute(&folder).unwrap_or(folder)
    }
}

/// Whether a name is one that [`unique_name`] gives, or a folder between a run and a program: no other file
/// is ever removed.
pub(super) fn is_scratch_name(name: &str) -> bool {
    owner(name).is_some()
}

/// Machine, number and mark of the process that a name belongs to.
fn owner(name: &str) -> Option<(&str, u32, &str)> {
    let mut parts = name.split('.');
    let (host, pid, process) = (parts.next()?, parts.next()?.parse().ok()?, parts.next()?);
    let is_mark = process.len() == 16 && process.bytes().all(|b| b.is_ascii_hexdigit());
    let has_rest = parts.next().is_some_and(|rest| !rest.is_empty()) && parts.next().is_none();
    (!host.is_empty() && is_mark && has_rest).then_some((host, pid, process))
}

/// Whether what bears a [`unique_name`] was left by a process that is gone: the one rule for files on their
/// way and for reports.
pub fn is_left_over(name: &str, path: &Path) -> bool {
    let Some((host, pid, process)) = owner(name) else { return false };
    if host == host_name() {
        // A process in another container has this machine's name and a number that says nothing here.
        let folder = path.parent().unwrap_or(Path::new("."));
        let shown = alive::process_is_running(folder, &format!("{host}.{pid}.{process}"));
        let held = || if path.is_dir() { alive::is_locked(path) } else { None };
        if process != *PROCESS
            && let Some(lives) = shown.or_else(|| held().filter(|locked| *locked))
        {
            return !lives;
        }
        // A process of our own number that is not this one is gone.
        return if pid == process::id() { process != *PROCESS } else { !process_lives(pid) };
    }
    let age = fs::metadata(path).and_then(|m| m.modified()).ok().and_then(|t| t.elapsed().ok());
    age.is_some_and(|age| age > STALE)
}

#[cfg(test)]
mod tests {
    use super::{super::disk::RealDisk, *};

    /// As another container sees it: the name of this machine, and a number that is nobody's here.
    #[test]
    fn what_a_process_that_cannot_be_seen_writes_stays_while_it_lives() {
        let dir = tempfile::tempdir().unwrap();
        let open = || Store::open(&RealDisk, dir.path(), "name = \"t\"\n", "t").unwrap();
        let scratch = open().scratch();
        let far = format!("{}.{}.0123456789abcdef", host_name(), i32::MAX);
        let lock = fs::File::create(scratch.join(format!("{far}.{}", alive::LOCK))).unwrap();
        fs::write(scratch.join(format!("{far}.0")), "half").unwrap();
        lock.lock().unwrap();
        let count = || fs::read_dir(&scratch).unwrap().count();
        drop(open());
        assert_eq!(count(), 2);
        drop(lock);
        drop(open());
        assert_eq!(count(), 0);
        // A folder that is held, as a report on its way.
        let stage = dir.path().join("stage");
        fs::create_dir(&stage).unwrap();
        let name = format!("{far}.1");
        assert!(is_left_over(&name, &stage));
        let held = fs::File::open(&stage).unwrap();
        held.lock().unwrap();
        assert!(!is_left_over(&name, &stage));
    }

    #[test]
    fn what_the_dead_left_goes_and_what_the_living_write_stays() {
        let dir = tempfile::tempdir().unwrap();
        let open = || Store::open(&RealDisk, dir.path(), "name = \"t\"\n", "t").unwrap();
        let scratch = open().scratch();
        let here = host_name();
        let mine = unique_name();
        let mark = "0123456789abcdef";
        let dead = format!("{here}.{}.{mark}.0", i32::MAX);
        let reborn = format!("{here}.{}.{mark}.0", process::id());
        let far = format!("elsewhere.7.{mark}.0");
        for name in [&mine, &dead, &reborn, &far, "0011.tmp"] {
            fs::write(scratch.join(name), "x").unwrap();
        }
        fs::create_dir(scratch.join(format!("{dead}x"))).unwrap();
        open();
        let mut left: Vec<String> =
            fs::read_dir(&scratch).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        left.sort();
        let mut expected = ["0011.tmp".to_owned(), far, mine];
        expected.sort();
        assert_eq!(left, expected, "names of other machines wait for a week, those of nobody stay");
    }
}
