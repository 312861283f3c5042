//! `log/tmp`: files on their way to their places, and those between a run and its programs.
//!
//! A name tells the process it belongs to, so that what a killed process left is removed by the next one, and nothing that
//! another machine is still writing.

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

use super::{Store, host_name, process_lives};
use crate::Result;

/// Nothing waits here for longer, on whatever machine it was written.
const STALE: Duration = Duration::from_secs(24 * 3600);

/// Tells this process from an earlier one of the same number.
static PROCESS: LazyLock<String> =
    LazyLock::new(|| format!("{:016x}", RandomState::new().build_hasher().finish()));

/// What the names of this process's temporary files begin with: machine, number, and what tells processes of one number apart.
pub(crate) fn scratch_name() -> String {
    static HOST: LazyLock<String> = LazyLock::new(host_name);
    format!("{}.{}.{}.", *HOST, process::id(), *PROCESS)
}

/// A name that no other temporary file has.
pub(super) fn unique_name() -> String {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    format!("{}{}", scratch_name(), COUNTER.fetch_add(1, Ordering::Relaxed))
}

impl Store<'_> {
    /// Removes what killed processes left. What cannot be removed is harmless.
    pub(super) fn tidy_scratch(&self) -> Result<()> {
        for path in self.list(&self.scratch())?.into_iter().filter(|path| is_left_over(path)) {
            self.discard(&path);
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

fn is_left_over(path: &Path) -> bool {
    let name = path.file_name().and_then(|n| n.to_str()).unwrap_or_default();
    let mut parts = name.split('.');
    let (host, pid, process) = (parts.next(), parts.next().and_then(|p| p.parse().ok()), parts.next());
    if host == Some(host_name().as_str())
        && let (Some(pid), Some(process)) = (pid, process)
    {
        // A process of our own number that is not this one is gone.
        return if pid == process::id() { process != *PROCESS } else { !process_lives(pid) };
    }
    let age = fs::metadata(path).and_then(|m| m.modified()).ok().and_then(|t| t.elapsed().ok());
    age.is_some_and(|age| age > STALE)
}

#[cfg(test)]
mod tests {
    use super::{super::disk::RealDisk, *};

    #[test]
    fn what_the_dead_left_goes_and_what_the_living_write_stays() {
        let dir = tempfile::tempdir().unwrap();
        let open = || Store::open(&RealDisk, dir.path(), "name = \"t\"\n", "t").unwrap();
        let scratch = open().scratch();
        let here = host_name();
        let mine = unique_name();
        let (dead, reborn) = (format!("{here}.{}.ab.0", i32::MAX), format!("{here}.{}.ab.0", process::id()));
        for name in [&mine, &dead, &reborn, "elsewhere.7.ab.0", "0011.tmp"] {
            fs::write(scratch.join(name), "x").unwrap();
        }
        fs::create_dir(scratch.join(format!("{dead}x"))).unwrap();
        open();
        let mut left: Vec<String> =
            fs::read_dir(&scratch).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        left.sort();
        let mut expected = ["0011.tmp".to_owned(), "elsewhere.7.ab.0".to_owned(), mine];
        expected.sort();
        assert_eq!(left, expected, "names of other machines and of nobody wait for a day");
    }
}
