//! A report is written beside its place and moved there when it is whole.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use super::escape::GENERATOR;
use crate::{ReportError, Result, Written};

/// The folder a report is written to before it takes its place.
pub struct Stage {
    target: PathBuf,
    folder: PathBuf,
    files: usize,
    bytes: u64,
}

impl Stage {
    /// Starts a report that is to stand in `target`.
    pub fn new(target: &Path) -> Result<Self> {
        if !replaceable(target).map_err(|e| failed(target, e))? {
            return Err(ReportError::Occupied { path: target.to_owned() });
        }
        let folder = sibling(target, "new");
        clear(&folder)?;
        fs::create_dir_all(&folder).map_err(|e| failed(&folder, e))?;
        Ok(Self { target: target.to_owned(), folder, files: 0, bytes: 0 })
    }

    /// Writes one file; `name` is a path inside the report that this crate made, never a name from data.
    pub fn write(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        let path = self.folder.join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(|e| failed(parent, e))?;
        }
        fs::write(&path, bytes).map_err(|e| failed(&path, e))?;
        self.files += 1;
        self.bytes += bytes.len() as u64;
        Ok(())
    }

    /// Puts the report in its place.
    pub fn publish(self) -> Result<Written> {
        let old = sibling(&self.target, "old");
        clear(&old)?;
        if self.target.exists() {
            fs::rename(&self.target, &old).map_err(|e| failed(&self.target, e))?;
        }
        fs::rename(&self.folder, &self.target).map_err(|e| failed(&self.target, e))?;
        clear(&old)?;
        Ok(Written { index: self.target.join("index.html"), files: self.files, bytes: self.bytes })
    }
}

impl Drop for Stage {
    /// After an error nothing is left behind; after `publish` there is nothing to remove.
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Whether a folder is absent, empty, or a report.
fn replaceable(folder: &Path) -> io::Result<bool> {
    let mut entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(true),
        Err(e) => return Err(e),
    };
    if entries.next().is_none() {
        return Ok(true);
    }
    match fs::read_to_string(folder.join("index.html")) {
        Ok(page) => Ok(page.contains(GENERATOR)),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(e) => Err(e),
    }
}

/// `report` → `.report.new`, in the same folder and so on the same disk.
fn sibling(folder: &Path, ending: &str) -> PathBuf {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    folder.with_file_name(format!(".{name}.{ending}"))
}

fn clear(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => Err(failed(folder, e)),
        _ => Ok(()),
    }
}

fn failed(path: &Path, source: io::Error) -> ReportError {
    ReportError::Write { path: path.to_owned(), source }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_replaces_a_report_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("report");
        let write = |text: &str| {
            let mut stage = Stage::new(&target)?;
            stage.write("index.html", format!("{GENERATOR}{text}").as_bytes())?;
            stage.write("tasks/1.js", b"x")?;
            stage.publish()
        };
        write("one").unwrap();
        fs::write(target.join("stale.js"), "left over").unwrap();
        let written = write("two").unwrap();
        assert_eq!(written.files, 2);
        assert!(!target.join("stale.js").exists());
        assert!(fs::read_to_string(&written.index).unwrap().ends_with("two"));
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "no folder is left beside it");

        let other = dir.path().join("thesis");
        fs::create_dir(&other).unwrap();
        fs::write(other.join("chapter.tex"), "dear").unwrap();
        let refused = Stage::new(&other).err().unwrap().to_string();
        assert!(refused.contains("no report"), "{refused}");
        assert!(other.join("chapter.tex").exists());
    }

    #[test]
    fn a_report_that_is_given_up_leaves_the_old_one() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("report");
        let mut stage = Stage::new(&target).unwrap();
        stage.write("index.html", GENERATOR.as_bytes()).unwrap();
        stage.publish().unwrap();
        let mut stage = Stage::new(&target).unwrap();
        stage.write("index.html", b"half").unwrap();
        drop(stage);
        assert_eq!(fs::read_to_string(target.join("index.html")).unwrap(), GENERATOR);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }
}
