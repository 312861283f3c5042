//! Names as paths: a run's folder, its records and its data may come from anybody, so no name in them is
//! believed.

use super::*;

/// The path of `name` below `folder`; none if it is absolute, has `.`, `..` or an empty part, or backslashes
/// and drive letters.
///
/// What stands at the path is looked at when it is opened: links are not followed, pipes and devices are
/// refused.
pub(super) fn inside(folder: &Path, name: &str) -> Option<PathBuf> {
    let is_plain = |part: &str| !matches!(part, "" | "." | "..") && !part.contains(['\\', ':', '\0']);
    name.split('/').all(is_plain).then(|| folder.join(name))
}

/// The folder that a path is in.
pub(super) fn parent(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Whether something stood where a rename was to put a file or folder.
pub(super) fn is_taken(refused: &io::Error) -> bool {
    use io::ErrorKind::{AlreadyExists, DirectoryNotEmpty, IsADirectory, NotADirectory};
    matches!(refused.kind(), AlreadyExists | DirectoryNotEmpty | IsADirectory | NotADirectory)
}

/// This path, with a number where it is taken.
pub(super) fn free_name(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let others = (2..).map(|n| path.with_file_name(format!("{name}-{n}")));
    let mut paths = [path.to_owned()].into_iter().chain(others);
    paths.find(|path| path.symlink_metadata().is_err()).unwrap_or_default()
}

/// An absolute path; an empty one is the current folder.
pub(crate) fn absolute(path: &Path) -> PathBuf {
    // `std` refuses to name an empty path.
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_names_become_paths() {
        let folder = Path::new("run/report");
        assert_eq!(inside(folder, "tasks/1.js"), Some(folder.join("tasks/1.js")));
        for name in
            ["", ".", "..", "../x", "tasks/../../x", "tasks/", "/", "/etc/passwd", "a\\b", "c:x", "a\0"]
        {
            assert_eq!(inside(folder, name), None, "{name}");
        }
    }
}
