//! An old report makes room for a new one: what it was made of goes, what others put into its folder moves on to the new one.

use std::{
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use tailrank_runner::store::{FILE_RECORD, FileRecord, Ownership, disk::RealDisk, quarantine_name};

/// Where files go whose names the new report needs, in its folder.
const ASIDE: &str = "set-aside";

/// Times that a folder is looked through: another process may still be moving files into it.
const LOOKS: usize = 100;

/// Files that are not the report's.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Kept {
    /// Left under their names.
    pub(super) left: Vec<String>,
    /// Moved to another name, which is given too.
    pub(super) moved: Vec<(String, String)>,
}

impl Kept {
    /// What a user should be told.
    pub(super) fn notices(&self, folder: &Path) -> Vec<String> {
        let mut notices = Vec::new();
        if !self.left.is_empty() {
            let folder = folder.display();
            let names = self.left.join(", ");
            notices
                .push(format!("{folder} holds files that are not of the report, left as they are: {names}"));
        }
        for (name, aside) in &self.moved {
            let (file, aside) = (folder.join(name), folder.join(aside));
            notices.push(format!(
                "{} was not as the report had written it and was moved to {}",
                file.display(),
                aside.display()
            ));
        }
        notices
    }
}

/// Empties the folder of an old report and removes it. Its own files go if they are as they were written; all others are moved to
/// `target`, where the new report stands.
pub(super) fn carry_over(old: &Path, target: &Path, kept: &mut Kept) -> io::Result<()> {
    let record = FileRecord::read(&RealDisk, &old.join(FILE_RECORD))?.unwrap_or_default();
    for look in 1.. {
        let mover = Mover { old, target, record: &record };
        match mover.folder(&PathBuf::new(), kept) {
            Err(e) if look < LOOKS && is_passing(&e) => thread::sleep(Duration::from_millis(1)),
            done => return done,
        }
    }
    Ok(())
}

/// What goes by when other processes put their reports into the same place.
fn is_passing(e: &io::Error) -> bool {
    matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::DirectoryNotEmpty)
}

struct Mover<'a> {
    old: &'a Path,
    target: &'a Path,
    record: &'a FileRecord,
}

impl Mover<'_> {
    /// Empties a folder below the old one, then removes it.
    fn folder(&self, name: &Path, kept: &mut Kept) -> io::Result<()> {
        let folder = self.old.join(name);
        let mut files: Vec<(OsString, bool)> = Vec::new();
        match fs::read_dir(&folder) {
            Ok(entries) => {
                for entry in entries {
                    let entry = entry?;
                    files.push((entry.file_name(), entry.file_type()?.is_dir()));
                }
            }
            // Another process has finished here.
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(e) => return Err(e),
        }
        // The record goes last: what is left after a crash is told apart by it.
        files.sort_by_key(|(file, _)| (name.as_os_str().is_empty() && file == FILE_RECORD, file.clone()));
        for (file, is_folder) in files {
            let name = name.join(file);
            if is_folder { self.folder(&name, kept)? } else { self.file(&name, kept)? }
        }
        match fs::remove_dir(&folder) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
            done => done,
        }
    }

    fn file(&self, name: &Path, kept: &mut Kept) -> io::Result<()> {
        let (from, to) = (self.old.join(name), self.target.join(name));
        let shown = name.to_string_lossy().replace('\\', "/");
        let is_link = fs::symlink_metadata(&from)?.is_symlink();
        let bytes = if is_link { Vec::new() } else { fs::read(&from)? };
        let owner = if is_link { Ownership::Foreign } else { self.record.owner_of(&shown, &bytes) };
        let is_record = name == Path::new(FILE_RECORD) && FileRecord::parse(&bytes).is_some();
        if is_record || owner == Ownership::Ours {
            return fs::remove_file(&from);
        }
        match fs::symlink_metadata(&to) {
            Err(e) if e.kind() == io::ErrorKind::NotFound && owner == Ownership::Foreign => {
                if let Some(parent) = to.parent().filter(|parent| *parent != self.target) {
                    fs::create_dir_all(parent)?;
                }
                fs::rename(&from, &to)?;
                kept.left.push(shown);
                Ok(())
            }
            // The new report has a file of this name: nothing is lost where it is the same.
            Ok(_) if !is_link && fs::read(&to).is_ok_and(|new| new == bytes) => fs::remove_file(&from),
            _ => {
                let aside = format!("{ASIDE}/{}", quarantine_name(&shown, &bytes));
                fs::create_dir_all(self.target.join(ASIDE))?;
                fs::rename(&from, self.target.join(&aside))?;
                kept.moved.push((shown, aside));
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(folder: &Path, files: &[(&str, &str)]) {
        for (name, text) in files {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
    }

    fn record(files: &[(&str, &str)]) -> String {
        let mut record = FileRecord::default();
        for (name, text) in files {
            record.add(name, text.as_bytes());
        }
        String::from_utf8(record.to_bytes().unwrap()).unwrap()
    }

    #[test]
    fn what_others_wrote_moves_on_and_ours_goes() {
        let dir = tempfile::tempdir().unwrap();
        let (old, new) = (dir.path().join("old"), dir.path().join("new"));
        let ours = [("index.html", "old page"), ("tasks/1.js", "old"), ("tasks/2.js", "gone")];
        write(&old, &ours);
        write(&old, &[(FILE_RECORD, &record(&ours))]);
        write(&old, &[("notes.md", "dear"), ("tasks/mine/a.txt", "mine"), ("report.css", "my colours")]);
        write(&old, &[("index.html", "old page, edited"), ("same.js", "same")]);
        write(
            &new,
            &[("index.html", "new page"), ("tasks/1.js", "new"), ("report.css", "ours"), ("same.js", "same")],
        );
        let mut kept = Kept::default();
        carry_over(&old, &new, &mut kept).unwrap();
        assert!(!old.exists());
        assert_eq!(kept.left, ["notes.md", "tasks/mine/a.txt"]);
        let moved: Vec<&str> = kept.moved.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(moved, ["index.html", "report.css"]);
        let read = |name: &str| fs::read_to_string(new.join(name)).unwrap();
        assert_eq!((read("index.html"), read("tasks/1.js")), ("new page".to_owned(), "new".to_owned()));
        assert_eq!((read("notes.md"), read("tasks/mine/a.txt")), ("dear".to_owned(), "mine".to_owned()));
        assert_eq!(read(&kept.moved[0].1), "old page, edited");
        assert_eq!(read(&kept.moved[1].1), "my colours");
        assert!(!new.join("tasks/2.js").exists());
        assert_eq!(kept.notices(&new).len(), 3);
    }
}
