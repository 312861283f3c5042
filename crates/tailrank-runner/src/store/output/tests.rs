use std::{
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use super::{standing::files_of, *};
use crate::store::disk::RealDisk;

const FILES: usize = 12;

fn publish(disk: &dyn Disk, target: &Path, text: &str) -> Result<Vec<String>> {
    let mut output =
        Output::begin(disk, target, Contents::of(OutputKind::Report, &InputDigest::default(), 0))?;
    for n in 0..FILES {
        output.write(&format!("tasks/{n}.js"), text.as_bytes())?;
    }
    output.publish()
}

/// Which folder stands there; all its files must be of the same one.
fn published(target: &Path) -> String {
    assert_eq!(Standing::of(&RealDisk, target).unwrap(), Standing::Intact);
    let texts = (0..FILES).map(|n| fs::read_to_string(target.join(format!("tasks/{n}.js"))).unwrap());
    let texts: Vec<String> = texts.collect();
    assert!(texts.iter().all(|text| *text == texts[0]));
    texts[0].clone()
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn what_was_edited_or_added_is_kept_beside_and_said_once() {
    let dir = tempfile::tempdir().unwrap();
    let target = dir.path().join("report");
    let edits: [fn(&Path); 4] = [
        |folder| fs::write(folder.join("notes.md"), "dear").unwrap(),
        |folder| fs::write(folder.join("tasks/1.js"), "edited").unwrap(),
        |folder| fs::remove_file(folder.join("tasks/1.js")).unwrap(),
        |folder| fs::remove_file(folder.join(CONTENTS)).unwrap(),
    ];
    for (n, edit) in edits.into_iter().enumerate() {
        publish(&RealDisk, &target, "old").unwrap();
        edit(&target);
        let before = files_of(&RealDisk, &target).unwrap();
        let notices = if n == 3 {
            retire(&RealDisk, &target).unwrap()
        } else {
            publish(&RealDisk, &target, "new").unwrap()
        };
        let [notice] = notices.try_into().unwrap();
        let kept = names(dir.path()).into_iter().find(|name| name.contains("-kept-")).unwrap();
        assert!(notice.contains(&kept), "{notice}");
        assert_eq!(files_of(&RealDisk, &dir.path().join(&kept)).unwrap(), before);
        assert_eq!(publish(&RealDisk, &target, "newer").unwrap(), [""; 0]);
        assert_eq!(names(dir.path()), ["report", &kept]);
        fs::remove_dir_all(dir.path().join(kept)).unwrap();
    }
    assert_eq!(retire(&RealDisk, &target).unwrap(), [""; 0]);
    assert_eq!(names(dir.path()), [""; 0]);
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
    fn remove_folder(&self, path: &Path) -> io::Result<()> {
        self.turn().and_then(|()| RealDisk.remove_folder(path))
    }
}

#[test]
fn every_call_to_the_disk_may_fail_once() {
    let dir = tempfile::tempdir().unwrap();
    let target = dir.path().join("report");
    let disk = |fail_at| FaultyDisk { fail_at, calls: AtomicUsize::new(0) };
    publish(&RealDisk, &target, "old").unwrap();
    let counting = disk(usize::MAX);
    publish(&counting, &target, "old").unwrap();
    let calls = counting.calls.load(Ordering::Relaxed);
    assert!(calls > 3 * FILES, "{calls}");
    for n in 0..calls {
        let done = publish(&disk(n), &target, &format!("new {n}"));
        // A rename that fails is tried again.
        let now = published(&target);
        assert!(now == "old" || now == format!("new {n}"), "call {n}: {now}");
        assert!(done.is_err() || now == format!("new {n}"), "call {n}: it says that it was written");
        assert!(names(dir.path()).len() <= 2, "call {n}");
        publish(&RealDisk, &target, "old").unwrap();
        assert_eq!(names(dir.path()), ["report"], "call {n}: a folder is left beside it");
    }
}

#[test]
fn one_that_is_given_up_or_killed_leaves_the_old_one_and_no_pile() {
    let dir = tempfile::tempdir().unwrap();
    let target = dir.path().join("report");
    publish(&RealDisk, &target, "old").unwrap();
    for missing in 0..20 {
        let mut output = Output::begin(
            &RealDisk,
            &target,
            Contents::of(OutputKind::Report, &InputDigest::default(), missing),
        )
        .unwrap();
        output.write("index.html", b"half").unwrap();
        // As a kill leaves it: no lock, and nothing removed.
        output.container._lock = None;
        std::mem::forget(output);
        assert_eq!(published(&target), "old");
        assert_eq!(names(dir.path()).len(), 2, "one unfinished folder at most");
    }
    let mut output = Output::begin(&RealDisk, &target, Contents::default()).unwrap();
    assert_eq!(names(dir.path()).len(), 2);
    assert!(output.write("../x", b"half").is_err() && output.write("/x", b"half").is_err());
    drop(output);
    assert_eq!(names(dir.path()), ["report"]);
    fs::create_dir(dir.path().join(".report.notes")).unwrap();
    publish(&RealDisk, &target, "new").unwrap();
    assert_eq!(names(dir.path()), [".report.notes", "report"], "a folder of others stays");
}

#[test]
fn many_at_once_leave_one_whole_folder() {
    let dir = tempfile::tempdir().unwrap();
    let target = dir.path().join("report");
    publish(&RealDisk, &target, "first").unwrap();
    for round in 0..10 {
        thread::scope(|scope| {
            for writer in 0..8 {
                let target = &target;
                scope.spawn(move || {
                    for again in 0..3 {
                        publish(&RealDisk, target, &format!("{round} {writer} {again}")).unwrap();
                    }
                });
            }
        });
        assert!(published(&target).starts_with(&format!("{round} ")));
        // A writer may lose its folder to another one's cleaning and leave it: the next one removes it.
        assert!(names(dir.path()).len() <= 2, "{:?}", names(dir.path()));
        publish(&RealDisk, &target, "alone").unwrap();
        assert_eq!(names(dir.path()), ["report"], "no folder is left beside it");
    }
}

#[test]
fn a_long_name_leaves_room() {
    for letter in ["x", "株"] {
        let target = PathBuf::from(letter.repeat(255 / letter.len()));
        assert!(container(&target).as_os_str().len() <= 255);
    }
}
