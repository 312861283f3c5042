//! The folders beside a report while it is written: each belongs to one process, whose name it bears.

use std::{
    fs,
    path::{Path, PathBuf},
};

use tailrank_runner::store::{is_left_over, unique_name};

const STAGED: &str = "new";
const RETIRED: &str = "old";

/// Where a new report is written: `report` → `.report.new.<owner>`, in the same folder and so on the same disk. No two calls give the
/// same.
pub(super) fn staged(target: &Path) -> PathBuf {
    named(target, STAGED)
}

/// Where an old report goes before its files are removed.
pub(super) fn retired(target: &Path) -> PathBuf {
    named(target, RETIRED)
}

fn named(target: &Path, kind: &str) -> PathBuf {
    target.with_file_name(format!("{}{kind}.{}", prefix(target), unique_name()))
}

fn prefix(target: &Path) -> String {
    // A file system takes 255 bytes of a name: a long one is cut, so that there is room for its owner's.
    let name: String = target.file_name().unwrap_or_default().to_string_lossy().chars().take(30).collect();
    format!(".{name}.")
}

/// What a killed process left beside a report.
pub(super) struct Abandoned {
    /// The folder.
    pub(super) folder: PathBuf,
    /// Whether an earlier report stood in it, which others may have put files into.
    pub(super) was_published: bool,
}

/// Finds what killed processes left beside a report.
pub(super) fn abandoned(target: &Path) -> Vec<Abandoned> {
    let parent = target.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Ok(entries) = fs::read_dir(parent) else { return Vec::new() };
    let prefix = prefix(target);
    let mut found = Vec::new();
    for entry in entries.flatten() {
        let (name, folder) = (entry.file_name(), entry.path());
        let Some((kind, owner)) =
            name.to_str().and_then(|n| n.strip_prefix(&prefix)).and_then(|n| n.split_once('.'))
        else {
            continue;
        };
        if [STAGED, RETIRED].contains(&kind) && is_left_over(owner, &folder) {
            found.push(Abandoned { folder, was_published: kind == RETIRED });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use tailrank_runner::store::host_name;

    use super::*;

    #[test]
    fn only_folders_of_the_dead_are_found() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("report");
        let mine = staged(&target);
        let owner = format!("{}.{}.0123456789abcdef.0", host_name(), i32::MAX);
        let gone = [format!(".report.new.{owner}"), format!(".report.old.{owner}")];
        let kept = [
            mine.file_name().unwrap().to_str().unwrap().to_owned(),
            ".report.new.far.7.0123456789abcdef.0".to_owned(),
            ".report.notes".to_owned(),
            format!(".report.mine.{owner}"),
            format!(".other.new.{owner}"),
        ];
        for name in gone.iter().chain(&kept) {
            fs::create_dir(dir.path().join(name)).unwrap();
        }
        let mut found: Vec<_> = abandoned(&target).into_iter().map(|a| (a.folder, a.was_published)).collect();
        found.sort();
        assert_eq!(found, [(dir.path().join(&gone[0]), false), (dir.path().join(&gone[1]), true)]);
        assert_ne!(staged(&target), mine);
    }

    #[test]
    fn a_long_name_leaves_room() {
        for letter in ["x", "株"] {
            let target = PathBuf::from(letter.repeat(255 / letter.len()));
            assert!(staged(&target).as_os_str().len() <= 255);
        }
    }
}
