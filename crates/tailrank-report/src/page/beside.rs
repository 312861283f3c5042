//! The folders beside a report while it is written: each belongs to one process, whose name it bears.

use std::{
    collections::hash_map::RandomState,
    fs,
    hash::{BuildHasher, Hasher},
    path::{Path, PathBuf},
    time::Duration,
};

use tailrank_engine::store::{host_name, process_lives};

const STAGED: &str = "new";
const RETIRED: &str = "old";

/// Age at which the folder of a process on another machine, which cannot be asked, counts as left behind.
const ABANDONED: Duration = Duration::from_secs(7 * 24 * 3600);

/// Names for the folders of one writer: `report` → `.report.new.<host>.<process>.<random>`, in the same folder and so on the
/// same disk.
pub(super) struct Beside {
    target: PathBuf,
    owner: String,
}

impl Beside {
    /// Names that no other writer has.
    pub(super) fn new(target: &Path) -> Self {
        let random = RandomState::new().build_hasher().finish();
        let owner = format!("{}.{}.{random:016x}", host_name(), std::process::id());
        Self { target: target.to_owned(), owner }
    }

    /// Where the new report is written.
    pub(super) fn staged(&self) -> PathBuf {
        self.named(STAGED)
    }

    /// Where the old report goes before it is removed.
    pub(super) fn retired(&self) -> PathBuf {
        self.named(RETIRED)
    }

    fn named(&self, kind: &str) -> PathBuf {
        self.target.with_file_name(format!("{}{kind}.{}", prefix(&self.target), self.owner))
    }
}

fn prefix(target: &Path) -> String {
    // A file system takes 255 bytes of a name: a long one is cut, so that there is room for its owner's.
    let name: String = target.file_name().unwrap_or_default().to_string_lossy().chars().take(30).collect();
    format!(".{name}.")
}

/// Removes what killed processes left beside a report. What cannot be removed now is tried again with the next report.
pub(super) fn remove_abandoned(target: &Path) {
    let parent = target.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Ok(entries) = fs::read_dir(parent) else { return };
    let prefix = prefix(target);
    for entry in entries.flatten() {
        let name = entry.file_name();
        let owner = name.to_str().and_then(|n| n.strip_prefix(&prefix)).and_then(owner);
        if owner.is_some_and(|owner| owner.is_gone(&entry.path())) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

struct Owner<'a> {
    host: &'a str,
    pid: u32,
}

/// `new.<host>.<process>.<random>`; a host's name has no dots.
fn owner(name: &str) -> Option<Owner<'_>> {
    let mut parts = name.split('.');
    let kind = parts.next()?;
    let (host, pid, _random) = (parts.next()?, parts.next()?.parse().ok()?, parts.next()?);
    ([STAGED, RETIRED].contains(&kind) && parts.next().is_none()).then_some(Owner { host, pid })
}

impl Owner<'_> {
    fn is_gone(&self, folder: &Path) -> bool {
        if self.host == host_name() {
            return !process_lives(self.pid);
        }
        let age = fs::metadata(folder).and_then(|m| m.modified()).ok().and_then(|at| at.elapsed().ok());
        age.is_some_and(|age| age > ABANDONED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_folders_of_the_dead_are_removed() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("report");
        let mine = Beside::new(&target);
        let dead = |kind: &str| format!(".report.{kind}.{}.{}.0", host_name(), i32::MAX);
        let gone = [dead(STAGED), dead(RETIRED)];
        let kept = [
            mine.staged().file_name().unwrap().to_str().unwrap().to_owned(),
            ".report.new.far.7.0".to_owned(),
            ".report.notes".to_owned(),
            format!(".other.new.{}.{}.0", host_name(), i32::MAX),
        ];
        for name in gone.iter().chain(&kept) {
            fs::create_dir(dir.path().join(name)).unwrap();
        }
        remove_abandoned(&target);
        assert!(gone.iter().all(|name| !dir.path().join(name).exists()));
        assert!(kept.iter().all(|name| dir.path().join(name).exists()));
        assert_ne!(Beside::new(&target).staged(), mine.staged());
    }

    #[test]
    fn a_long_name_leaves_room() {
        for letter in ["x", "株"] {
            let target = PathBuf::from(letter.repeat(255 / letter.len()));
            assert!(Beside::new(&target).staged().as_os_str().len() <= 255);
        }
    }
}
