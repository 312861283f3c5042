//! Whether a report may stand in a folder: one that others use is refused.

use std::{fs, io, path::Path, thread, time::Duration};

use tailrank_runner::store::{FILE_RECORD, FileRecord, disk::RealDisk};

use super::escape::GENERATOR;

/// Whether a folder is absent, empty, or a report, be it half of one; files that others put into a report stay.
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
    match fs::read_dir(folder) {
        Ok(mut entries) => match entries.next() {
            None => return Ok(true),
            Some(entry) => entry?,
        },
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(true),
        Err(e) => return Err(e),
    };
    if FileRecord::read(&RealDisk, &folder.join(FILE_RECORD))?.is_some() {
        return Ok(true);
    }
    // A report of an earlier version has no record of its files.
    match fs::read(folder.join("index.html")) {
        Ok(page) => Ok(String::from_utf8_lossy(&page).contains(GENERATOR)),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(e) => Err(e),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_report_left_is_told_from_what_others_wrote() {
        let record = String::from_utf8(FileRecord::default().to_bytes().unwrap()).unwrap();
        let cases: [(&[(&str, &str)], bool); 6] = [
            (&[], true),
            (&[("index.html", GENERATOR)], true),
            (&[("index.html", "<h1>mine</h1>"), ("timings.js", "tailrank.timings()")], false),
            (
                &[
                    ("files.json", &record),
                    ("tasks/1.js", "tailrank.taskLoaded(1, {})"),
                    ("notes.md", "dear"),
                ],
                true,
            ),
            (&[("files.json", "{}"), ("tasks/1.js", "tailrank.taskLoaded(1, {})")], false),
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
