//! A report on its way to its folder, which it takes as a whole.

use std::{
    io,
    path::{Path, PathBuf},
};

use tailrank_runner::store::{Contents, Output, OutputKind, disk::RealDisk, is_free_for};

use super::Sink;
use crate::{ReportError, Result, Written};

/// Whether a report may stand in `folder`: to be asked before hours of work.
///
/// # Errors
/// `Occupied` when it holds anything but a report.
pub fn check_folder(folder: &Path) -> Result<()> {
    let is_free = is_free_for(&RealDisk, folder, OutputKind::Report).map_err(|e| failed(folder, e))?;
    if is_free { Ok(()) } else { Err(ReportError::Occupied { path: folder.to_owned() }) }
}

/// A report on its way. Several processes may write the report of one run: each puts a whole one in its
/// place, and the last stays.
pub(crate) struct Stage {
    output: Output<'static>,
    target: PathBuf,
    /// What whoever writes the page should be told.
    pub(crate) notice: Option<String>,
}

impl Stage {
    /// Starts a report that is to stand in `target`.
    pub(crate) fn new(target: &Path, contents: Contents) -> Result<Self> {
        check_folder(target)?;
        let output = Output::begin(&RealDisk, target, contents).map_err(|e| failed(target, e))?;
        Ok(Self { output, target: target.to_owned(), notice: None })
    }

    /// Puts the report in its place, by `publish`.
    pub(crate) fn publish(self, publish: impl FnOnce(Output<'_>) -> Result<Vec<String>>) -> Result<Written> {
        let notices = self.notice.into_iter().chain(publish(self.output)?).collect();
        Ok(Written { index: self.target.join("index.html"), notices })
    }

    /// Puts the report in its place, whoever uses it.
    pub(crate) fn publish_anywhere(self) -> Result<Written> {
        let target = self.target.clone();
        self.publish(|output| output.publish().map_err(|e| failed(&target, e)))
    }
}

impl Sink for Stage {
    fn write(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        self.output.write(name, bytes).map_err(|e| failed(&self.target.join(name), e))
    }
}

fn failed(path: &Path, source: io::Error) -> ReportError {
    ReportError::Write { path: path.to_owned(), source }
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
            let mut stage = Stage::new(&target, Contents::default()).unwrap();
            stage.write("index.html", format!("{GENERATOR}{text}").as_bytes()).unwrap();
            stage.publish_anywhere().unwrap();
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
