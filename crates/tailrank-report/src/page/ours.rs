//! Whether a folder may be replaced by a report: nobody's files but ours are ever removed.

use std::{fs, io, path::Path, thread, time::Duration};

use super::escape::GENERATOR;

/// Everything that stands in a report's folder.
const ENTRIES: [&str; 8] =
    ["figures", "index.html", "plotly.min.js", "report.css", "report.js", "tables", "tasks", "timings.js"];

/// How the scripts of a report begin; no other file does.
const SCRIPT: &[u8] = b"tailrank.";

/// Whether a folder is absent, empty, or a report, be it half of one.
pub(super) fn is_free_or_ours(folder: &Path) -> io::Result<bool> {
    const LOOKS: usize = 10;
    for _ in 1..LOOKS {
        if looks_free_or_ours(folder)? {
            return Ok(true);
        }
        // Another process may have replaced the folder between two looks into it.
        thread::sleep(Duration::from_millis(10));
    }
    looks_free_or_ours(folder)
}

fn looks_free_or_ours(folder: &Path) -> io::Result<bool> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(true),
        Err(e) => return Err(e),
    };
    let mut names = Vec::new();
    for entry in entries {
        names.push(entry?.file_name());
    }
    if names.is_empty() {
        return Ok(true);
    }
    match fs::read(folder.join("index.html")) {
        Ok(page) => Ok(String::from_utf8_lossy(&page).contains(GENERATOR)),
        Err(e) if e.kind() == io::ErrorKind::NotFound => {
            // Without its page, a folder is a report's rest only if nothing else is in it and a script of ours is.
            let known = names.iter().all(|name| ENTRIES.iter().any(|entry| name == entry));
            let script = ["timings.js", "tasks/1.js"].iter().any(|name| is_script(&folder.join(name)));
            Ok(known && script)
        }
        Err(e) => Err(e),
    }
}

fn is_script(path: &Path) -> bool {
    fs::read(path).is_ok_and(|bytes| bytes.starts_with(SCRIPT))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_report_left_is_told_from_what_others_wrote() {
        let cases: [(&[(&str, &str)], bool); 6] = [
            (&[], true),
            (&[("index.html", GENERATOR)], true),
            (&[("index.html", "<h1>mine</h1>"), ("timings.js", "tailrank.timings()")], false),
            (&[("tasks/1.js", "tailrank.taskLoaded(1, {})"), ("figures/ranks.svg", "<svg/>")], true),
            (&[("tasks/1.js", "tailrank.taskLoaded(1, {})"), ("thesis.tex", "dear")], false),
            (&[("figures/plot.svg", "<svg/>"), ("tables/mine.csv", "a,b")], false),
        ];
        for (files, expected) in cases {
            let dir = tempfile::tempdir().unwrap();
            for (name, text) in files {
                let path = dir.path().join(name);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text).unwrap();
            }
            assert_eq!(is_free_or_ours(dir.path()).unwrap(), expected, "{files:?}");
        }
        assert!(is_free_or_ours(Path::new("nowhere")).unwrap());
    }
}
