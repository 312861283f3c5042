//! A report is written beside its place and moved there when it is whole.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use tailrank_runner::store::{
    FILE_RECORD, FileRecord,
    disk::{Disk, RealDisk},
};

use super::{
    carry_over::{Kept, carry_over},
    escape::GENERATOR,
    ownership::is_free_or_ours,
    staging::{abandoned, retired, staged},
};
use crate::{ReportError, Result, Written};

/// What stands in the stage first, so that half a report is known as ours wherever it is found.
const UNFINISHED: &str =
    "<p>This report was not written to its end: write it again with `tailrank report`.</p>\n";

/// Publishes at the same time that one publish waits out; each of them puts its report in place once.
const MOST_RIVALS: usize = 1000;

/// Whether a report may stand in `folder`: to be asked before hours of work.
///
/// # Errors
/// `Occupied` when it holds anything but a report.
pub fn check_folder(folder: &Path) -> Result<()> {
    match is_free_or_ours(folder) {
        Ok(true) => Ok(()),
        Ok(false) => Err(ReportError::Occupied { path: folder.to_owned() }),
        Err(e) => Err(failed(folder, e)),
    }
}

/// The folder a report is written to before it takes its place. No two have the same one, so that several processes may write
/// the report of one run: each publishes a whole one, and the last stays.
pub struct Stage {
    disk: Arc<dyn Disk>,
    target: PathBuf,
    /// Where the target really is.
    place: PathBuf,
    folder: PathBuf,
    record: FileRecord,
    /// Held, so that nobody takes the folder for one that a dead process left.
    _lock: Option<File>,
    files: usize,
    bytes: u64,
    /// What whoever writes the report should be told.
    pub(super) notices: Vec<String>,
}

impl Stage {
    /// Starts a report that is to stand in `target`.
    pub fn new(target: &Path) -> Result<Self> {
        Self::on(Arc::new(RealDisk), target)
    }

    /// Starts a report on a disk.
    pub fn on(disk: Arc<dyn Disk>, target: &Path) -> Result<Self> {
        check_folder(target)?;
        // Behind a link the report takes the place of the folder it leads to, not of the link.
        let place = if target.is_symlink() {
            target.canonicalize().map_err(|e| failed(target, e))?
        } else {
            target.to_owned()
        };
        let folder = staged(&place);
        disk.create_dir(&folder).map_err(|e| failed(&folder, e))?;
        let lock = File::open(&folder).ok().filter(|folder| folder.try_lock().is_ok());
        let stage = Self {
            disk,
            target: target.to_owned(),
            place,
            folder,
            record: FileRecord::default(),
            _lock: lock,
            files: 0,
            bytes: 0,
            notices: Vec::new(),
        };
        let index = stage.folder.join("index.html");
        let unfinished = format!("{GENERATOR}\n{UNFINISHED}");
        stage.disk.write(&index, unfinished.as_bytes()).map_err(|e| failed(&index, e))?;
        Ok(stage)
    }

    /// Writes one file; `name` is a path inside the report that this crate made, never a name from data.
    pub fn write(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        self.put(name, bytes)?;
        self.record.add(name, bytes);
        Ok(())
    }

    fn put(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        let path = self.folder.join(name);
        if let Some(parent) = path.parent() {
            self.disk.create_dir(parent).map_err(|e| failed(parent, e))?;
        }
        let written = self.disk.write(&path, bytes).and_then(|()| self.disk.sync_file(&path));
        written.map_err(|e| failed(&path, e))?;
        self.files += 1;
        self.bytes += bytes.len() as u64;
        Ok(())
    }

    /// Puts the report in its place. Folders move by renames only, so that whoever looks finds a whole report, or for a
    /// moment none. Files that others put beside an earlier report move on to the new one.
    pub fn publish(mut self) -> Result<Written> {
        let record = self.record.to_bytes().map_err(|e| failed(&self.folder, e))?;
        self.put(FILE_RECORD, &record)?;
        self.sync_folders()?;
        let mut old_ones: Vec<PathBuf> = Vec::new();
        for rivals in 0.. {
            // Succeeds where nothing stands, or an empty folder.
            let refused = match self.disk.rename(&self.folder, &self.place) {
                Ok(()) => break,
                Err(e) => e,
            };
            // The old report stays until there is a new one to put in its place.
            if rivals == MOST_RIVALS || !self.folder.exists() {
                if let Some(old) = old_ones.last() {
                    let _ = fs::rename(old, &self.place);
                }
                return Err(failed(&self.place, refused));
            }
            let old = retired(&self.place);
            match self.disk.rename(&self.place, &old) {
                Ok(()) => old_ones.push(old),
                // Another process has just taken the old report away, and may put its own there before us.
                Err(e) if e.kind() == io::ErrorKind::NotFound => {}
                Err(e) => return Err(failed(&self.place, e)),
            }
        }
        let mut kept = Kept::default();
        for old in old_ones {
            carry_over(&old, &self.place, &mut kept).map_err(|e| failed(&old, e))?;
        }
        for left in abandoned(&self.place) {
            // What cannot be cleared now is tried again with the next report.
            let _ = match left.was_published {
                true => carry_over(&left.folder, &self.place, &mut kept),
                false => fs::remove_dir_all(&left.folder),
            };
        }
        if let Some(parent) = self.place.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            self.disk.sync_dir(parent).map_err(|e| failed(parent, e))?;
        }
        let mut notices = std::mem::take(&mut self.notices);
        notices.extend(kept.notices(&self.target));
        Ok(Written { index: self.target.join("index.html"), files: self.files, bytes: self.bytes, notices })
    }
}

impl Stage {
    /// Makes the names of all files durable, before the report takes its place.
    fn sync_folders(&self) -> Result<()> {
        let mut folders = vec![self.folder.clone()];
        while let Some(folder) = folders.pop() {
            let entries = self.disk.list(&folder).map_err(|e| failed(&folder, e))?;
            folders.extend(entries.into_iter().filter(|path| path.is_dir()));
            self.disk.sync_dir(&folder).map_err(|e| failed(&folder, e))?;
        }
        Ok(())
    }
}

impl Drop for Stage {
    /// After an error nothing is left behind; after `publish` there is nothing to remove.
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn failed(path: &Path, source: io::Error) -> ReportError {
    ReportError::Write { path: path.to_owned(), source }
}

#[cfg(test)]
mod tests {
    use std::{
        sync::atomic::{AtomicUsize, Ordering},
        thread,
    };

    use super::*;

    const FILES: usize = 12;

    fn publish(target: &Path, text: &str) -> Result<Written> {
        publish_on(Arc::new(RealDisk), target, text)
    }

    fn publish_on(disk: Arc<dyn Disk>, target: &Path, text: &str) -> Result<Written> {
        let mut stage = Stage::on(disk, target)?;
        for n in 1..FILES {
            stage.write(&format!("tasks/{n}.js"), text.as_bytes())?;
        }
        stage.write("index.html", format!("{GENERATOR}{text}").as_bytes())?;
        stage.publish()
    }

    /// Which report stands there; all its files must be of the same one.
    fn published(target: &Path) -> String {
        let index = fs::read_to_string(target.join("index.html")).unwrap();
        let text = index.strip_prefix(GENERATOR).unwrap().to_owned();
        for n in 1..FILES {
            assert_eq!(fs::read_to_string(target.join(format!("tasks/{n}.js"))).unwrap(), text);
        }
        assert_eq!(fs::read_dir(target.join("tasks")).unwrap().count(), FILES - 1);
        text
    }

    #[test]
    fn a_report_replaces_a_report_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("report");
        publish(&target, "one").unwrap();
        let written = publish(&target, "two").unwrap();
        assert_eq!((written.files, written.notices.len()), (FILES + 1, 0));
        assert_eq!(published(&target), "two");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "no folder is left beside it");

        let other = dir.path().join("thesis");
        fs::create_dir(&other).unwrap();
        fs::write(other.join("chapter.tex"), "dear").unwrap();
        let refused = Stage::new(&other).err().unwrap().to_string();
        assert!(refused.contains("other files"), "{refused}");
        assert!(other.join("chapter.tex").exists());
    }

    #[test]
    fn files_of_others_stay_in_a_report() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("report");
        publish(&target, "one").unwrap();
        fs::write(target.join("notes.md"), "dear").unwrap();
        fs::write(target.join("index.html"), "edited").unwrap();
        let written = publish(&target, "two").unwrap();
        assert_eq!(fs::read_to_string(target.join("notes.md")).unwrap(), "dear");
        assert_eq!(published(&target), "two");
        assert!(
            written.notices[0].contains("notes.md") && written.notices[1].contains("set-aside"),
            "{written:?}"
        );
        let aside = fs::read_dir(target.join("set-aside")).unwrap().next().unwrap().unwrap().path();
        assert_eq!(fs::read_to_string(aside).unwrap(), "edited");
        // What a process left that was killed between two renames.
        let owner = format!("{}.{}.0123456789abcdef.0", tailrank_runner::store::host_name(), i32::MAX);
        let left = dir.path().join(format!(".report.old.{owner}"));
        fs::create_dir(&left).unwrap();
        fs::write(left.join("more.md"), "dearer").unwrap();
        publish(&target, "three").unwrap();
        assert_eq!(fs::read_to_string(target.join("more.md")).unwrap(), "dearer");
        assert_eq!(fs::read_to_string(target.join("notes.md")).unwrap(), "dear");
        assert!(!left.exists());
    }

    /// Fails once, with half of the bytes on their way.
    struct FaultyDisk {
        fail_at: usize,
        calls: AtomicUsize,
    }

    impl FaultyDisk {
        fn turn(&self) -> io::Result<()> {
            match self.calls.fetch_add(1, Ordering::Relaxed) == self.fail_at {
                true => Err(io::Error::from_raw_os_error(28)),
                false => Ok(()),
            }
        }
    }

    impl Disk for FaultyDisk {
        fn create_dir(&self, path: &Path) -> io::Result<()> {
            self.turn().and_then(|()| RealDisk.create_dir(path))
        }
        fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
            if let Err(e) = self.turn() {
                RealDisk.write(path, &bytes[..bytes.len() / 2])?;
                return Err(e);
            }
            RealDisk.write(path, bytes)
        }
        fn sync_file(&self, _: &Path) -> io::Result<()> {
            self.turn()
        }
        fn sync_dir(&self, _: &Path) -> io::Result<()> {
            self.turn()
        }
        fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
            self.turn().and_then(|()| RealDisk.rename(from, to))
        }
        fn append(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
            self.turn().and_then(|()| RealDisk.append(path, bytes))
        }
        fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
            self.turn().and_then(|()| RealDisk.read(path))
        }
        fn list(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
            self.turn().and_then(|()| RealDisk.list(path))
        }
        fn remove(&self, path: &Path) -> io::Result<()> {
            self.turn().and_then(|()| RealDisk.remove(path))
        }
    }

    #[test]
    fn every_call_to_the_disk_may_fail_once() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("report");
        let disk = |fail_at| Arc::new(FaultyDisk { fail_at, calls: AtomicUsize::new(0) });
        publish(&target, "old").unwrap();
        fs::write(target.join("notes.md"), "dear").unwrap();
        let counting = disk(usize::MAX);
        publish_on(Arc::<FaultyDisk>::clone(&counting), &target, "old").unwrap();
        let calls = counting.calls.load(Ordering::Relaxed);
        assert!(calls > 3 * FILES, "{calls}");
        for n in 0..calls {
            let done = publish_on(disk(n), &target, &format!("new {n}"));
            // A rename that fails is tried again.
            let now = published(&target);
            assert!(now == "old" || now == format!("new {n}"), "call {n}: {now}");
            assert!(done.is_err() || now == format!("new {n}"), "call {n}: it says that it was written");
            assert_eq!(fs::read_to_string(target.join("notes.md")).unwrap(), "dear", "call {n}");
            publish(&target, "old").unwrap();
            assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "call {n}: a folder is left beside it");
        }
    }

    #[test]
    fn a_report_that_is_given_up_leaves_the_old_one() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("report");
        publish(&target, "old").unwrap();
        let mut stage = Stage::new(&target).unwrap();
        stage.write("index.html", b"half").unwrap();
        drop(stage);
        assert_eq!(published(&target), "old");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn many_at_once_leave_one_whole_report() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("report");
        publish(&target, "first").unwrap();
        fs::write(target.join("notes.md"), "dear").unwrap();
        for round in 0..10 {
            thread::scope(|scope| {
                for writer in 0..8 {
                    let target = &target;
                    scope.spawn(move || {
                        for again in 0..3 {
                            publish(target, &format!("{round} {writer} {again}")).unwrap();
                        }
                    });
                }
            });
            assert!(published(&target).starts_with(&format!("{round} ")));
            assert_eq!(fs::read_to_string(target.join("notes.md")).unwrap(), "dear");
            assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "no folder is left beside it");
        }
    }

    #[test]
    fn half_a_report_is_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("report");
        let mut stage = Stage::new(&target).unwrap();
        stage.write("tasks/1.js", b"half").unwrap();
        fs::rename(&stage.folder, &target).unwrap();
        drop(stage);
        assert!(fs::read_to_string(target.join("index.html")).unwrap().contains("not written to its end"));
        publish(&target, "whole").unwrap();
        assert_eq!(published(&target), "whole");
    }
}
