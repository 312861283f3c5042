//! Names as paths: a run's folder, its records and its data may come from anybody, so no name in them is
//! believed.

use std::path::{Path, PathBuf};

/// The path of `name` below `folder`; none if it is absolute, has `.`, `..` or an empty part, or backslashes
/// and drive letters.
///
/// What stands at the path is looked at when it is opened: links are not followed, pipes and devices are
/// refused.
pub(super) fn inside(folder: &Path, name: &str) -> Option<PathBuf> {
    let is_plain = |part: &str| !matches!(part, "" | "." | "..") && !part.contains(['\\', ':', '\0']);
    name.split('/').all(is_plain).then(|| folder.join(name))
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
