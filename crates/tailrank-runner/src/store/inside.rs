//! Names from records as paths: a run's folder may come from anybody, so no name in it is believed.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// The path of `name` below `folder`; none unless it stays in the folder.
///
/// Refused are absolute names, `.` and `..`, backslashes and drive letters, names below a symbolic link, and
/// names of anything but a regular file.
pub(super) fn inside(folder: &Path, name: &str) -> Option<PathBuf> {
    let is_plain = |part: &str| !matches!(part, "" | "." | "..") && !part.contains(['\\', ':', '\0']);
    if !name.split('/').all(is_plain) {
        return None;
    }
    let mut path = folder.to_owned();
    let mut parts = name.split('/').peekable();
    while let Some(part) = parts.next() {
        path.push(part);
        let is_last = parts.peek().is_none();
        match fs::symlink_metadata(&path) {
            Ok(found) if is_last && !found.is_file() => return None,
            Ok(found) if !is_last && !found.is_dir() => return None,
            _ => {}
        }
    }
    Some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_names_of_files_in_the_folder_become_paths() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("report");
        fs::create_dir_all(folder.join("tasks")).unwrap();
        fs::write(folder.join("tasks/1.js"), "x").unwrap();
        assert_eq!(inside(&folder, "tasks/1.js"), Some(folder.join("tasks/1.js")));
        assert_eq!(inside(&folder, "not-there.js"), Some(folder.join("not-there.js")));
        let outside = dir.path().join("secret");
        fs::write(&outside, "x").unwrap();
        let absolute = outside.to_str().unwrap();
        for name in [
            "",
            ".",
            "..",
            "../secret",
            "tasks/../../secret",
            "tasks/",
            "/",
            absolute,
            "a\\b",
            "c:x",
            "tasks",
        ] {
            assert_eq!(inside(&folder, name), None, "{name}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_and_pipes_are_refused() {
        use std::os::unix::fs::symlink;
        let dir = tempfile::tempdir().unwrap();
        let (folder, elsewhere) = (dir.path().join("report"), dir.path().join("elsewhere"));
        fs::create_dir_all(&folder).unwrap();
        fs::create_dir_all(&elsewhere).unwrap();
        fs::write(elsewhere.join("1.js"), "x").unwrap();
        symlink(&elsewhere, folder.join("tasks")).unwrap();
        symlink(elsewhere.join("1.js"), folder.join("link.js")).unwrap();
        nix::unistd::mkfifo(&folder.join("pipe"), nix::sys::stat::Mode::S_IRWXU).unwrap();
        for name in ["tasks/1.js", "link.js", "pipe"] {
            assert_eq!(inside(&folder, name), None, "{name}");
        }
    }
}
