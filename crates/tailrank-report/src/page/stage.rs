//! A report on its way to its folder, which it takes as a whole.

use std::path::Path;

use tailrank_runner::store::{Contents, Output, OutputKind, check_free_for, disk::RealDisk};

use super::Sink;
use crate::{Result, Written};

/// Whether a report may stand in `folder`: to be asked before hours of work.
///
/// # Errors
/// `Occupied` when it holds anything but a report.
pub fn check_folder(folder: &Path) -> Result<()> {
    Ok(check_free_for(&RealDisk, folder, OutputKind::Report)?)
}

/// Starts a report that is to stand in `folder`. Several processes may write the report of one run: each puts
/// a whole one in its place, and the last stays.
pub(crate) fn begin(folder: &Path, contents: Contents) -> Result<Output<'static>> {
    check_folder(folder)?;
    Ok(Output::begin(&RealDisk, folder, contents)?)
}

impl Sink for Output<'_> {
    fn write(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        Ok(self.write(name, bytes)?)
    }
}

impl Written {
    /// A report that stands in `folder`, with what whoever asked for it should be told.
    pub(crate) fn new(folder: &Path, notice: Option<String>, kept: Vec<String>) -> Self {
        Self { index: folder.join("index.html"), notices: notice.into_iter().chain(kept).collect() }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::escape::GENERATOR;

    #[test]
    fn a_report_replaces_a_report_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("report");
        for text in ["one", "two"] {
            let mut report = begin(&target, Contents::default()).unwrap();
            report.write("index.html", format!("{GENERATOR}{text}").as_bytes()).unwrap();
            report.publish().unwrap();
            assert!(fs::read_to_string(target.join("index.html")).unwrap().ends_with(text));
        }
        let record = r#"{ "made_by": "tailrank", "kind": "report", "files": {} }"#;
        let cases: [(&[(&str, &str)], bool); 6] = [
            (&[], true),
            (&[("index.html", GENERATOR)], true),
            (&[("index.html", "<h1>mine</h1>"), ("notes.js", "notes()")], false),
            (
                &[("files.json", record), ("tasks/1.js", "tailrank.taskLoaded(1, {})"), ("notes.md", "dear")],
                true,
            ),
            (&[("files.json", "{}"), ("tasks/1.js", "tailrank.taskLoaded(1, {})")], false),
            (&[("files.json", r#"{ "made_by": "tailrank", "kind": "tables", "files": {} }"#)], false),
        ];
        for (files, expected) in cases {
            let dir = tempfile::tempdir().unwrap();
            for (name, text) in files {
                let path = dir.path().join(name);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text).unwrap();
            }
            match check_folder(dir.path()) {
                Ok(()) => assert!(expected, "{files:?}"),
                Err(e) => assert!(!expected && e.to_string().contains("other files"), "{files:?}: {e}"),
            }
        }
        check_folder(Path::new("nowhere")).unwrap();
    }
}
