//! A folder of outputs (tables, a page, a study): written beside its place, renamed into it whole, and never
//! changed afterwards.
//!
//! `files.json` in the folder says what it was made from and which files it holds, with their checksums. A
//! folder that is as its record says is ours, and makes room for the next one. One that was edited, or that
//! others put files into, is kept beside under another name. Names in a record are compared with what is
//! there and never become paths.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    time::Duration,
};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tailrank_experiment::{
    digest::{digest, is_digest},
    plan::InputDigest,
};

use super::{
    disk::{Disk, NOT_REGULAR},
    inside::inside,
    lock::{Holder, hold, inode},
};

/// Name of the record in a folder of outputs.
pub const CONTENTS: &str = "files.json";

/// Name of the file in a container that its process locks.
const LOCK: &str = "lock";

/// Name of the record of tables in earlier versions.
const EARLIER: &str = "tables.json";

/// Who writes such records: another tool may use the same name.
const MAKER: &str = "tailrank";

/// Processes that put a folder into the same place at the same time, at most.
const MOST_RIVALS: usize = 1000;

/// Age at which a folder on its way counts as left behind where locks tell nothing.
const STALE: Duration = Duration::from_secs(7 * 24 * 3600);

/// What kind of outputs a folder holds: only one of the same kind takes its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutputKind {
    /// Tables of a run.
    Tables,
    /// A page.
    Report,
    /// A study's claims and figures.
    Study,
}

/// What a folder of outputs holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contents {
    #[serde(default)]
    made_by: String,
    #[serde(default)]
    kind: Option<OutputKind>,
    /// What it was made from.
    #[serde(flatten)]
    pub inputs: InputDigest,
    /// Fits that were not stored when it was made.
    #[serde(default)]
    pub missing: usize,
    /// Checksums by the names of its files.
    files: BTreeMap<String, String>,
}

impl Contents {
    /// Of a folder that was made from this.
    pub fn of(kind: OutputKind, inputs: &InputDigest, missing: usize) -> Self {
        let (made_by, files) = (MAKER.to_owned(), BTreeMap::new());
        Self { made_by, kind: Some(kind), inputs: inputs.clone(), missing, files }
    }

    /// Adds a file.
    pub fn add(&mut self, name: &str, bytes: &[u8]) {
        self.files.insert(name.to_owned(), digest(bytes));
    }

    /// Whether these are the bytes that were written.
    pub fn checksum_matches(&self, name: &str, bytes: &[u8]) -> bool {
        self.files.get(name).is_some_and(|sum| *sum == digest(bytes))
    }

    /// The record as the bytes of its file.
    pub fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let mut text = serde_json::to_vec_pretty(self)?;
        text.push(b'\n');
        Ok(text)
    }

    /// A record from the bytes of its file; none if they are not one.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok()
    }

    /// The record of a folder; none where it is missing, damaged or another tool's.
    pub fn read(disk: &dyn Disk, folder: &Path) -> io::Result<Option<Self>> {
        for (name, is_ours) in [(CONTENTS, (|by| by == MAKER) as fn(&str) -> bool), (EARLIER, str::is_empty)]
        {
            match disk.read(&folder.join(name)) {
                Ok(bytes) => {
                    return Ok(Self::parse(&bytes).filter(|contents| is_ours(&contents.made_by)));
                }
                Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | NOT_REGULAR) => {}
                Err(e) => return Err(e),
            }
        }
        Ok(None)
    }
}

/// What a page holds, also one of an earlier version, which has no such record.
const GENERATOR: &str = "<meta name=\"generator\" content=\"tailrank\">";

/// Whether a folder holds outputs of this kind of ours, whatever became of them since.
pub fn is_ours(disk: &dyn Disk, folder: &Path, kind: OutputKind) -> io::Result<bool> {
    let read = |name: &str| match disk.read(&folder.join(name)) {
        Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | NOT_REGULAR) => Ok(String::new()),
        Err(e) => Err(e),
    };
    let record: Value = serde_json::from_str(&read(CONTENTS)?).unwrap_or_default();
    let is_recorded = record["made_by"] == MAKER && record["kind"] == serde_json::to_value(kind)?;
    Ok(is_recorded || (kind == OutputKind::Report && read("index.html")?.contains(GENERATOR)))
}

/// What stands where outputs belong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// Nothing, or an empty folder.
    Nothing,
    /// A folder of ours, file for file as it was written.
    Intact,
    /// Anything else: these files were edited, added or removed, and this names the content.
    Changed(Vec<String>, String),
}

impl Standing {
    /// Looks at a folder; every file is read.
    pub(super) fn of(disk: &dyn Disk, folder: &Path) -> io::Result<Self> {
        loop {
            let (before, standing, after) = (inode(folder), Self::look(disk, folder), inode(folder));
            // Another process may have put its folder there between two looks into it.
            if before == after {
                return standing;
            }
        }
    }

    fn look(disk: &dyn Disk, folder: &Path) -> io::Result<Self> {
        let found = match fs::symlink_metadata(folder) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Self::Nothing),
            Err(e) => return Err(e),
            Ok(kind) if kind.is_dir() => files_of(disk, folder)?,
            Ok(_) => BTreeMap::from([(String::new(), String::new())]),
        };
        if found.is_empty() {
            return Ok(Self::Nothing);
        }
        let record = Contents::read(disk, folder)?.unwrap_or_default();
        let own = digest(&record.to_bytes()?);
        // A record is as it was written, or an earlier version's.
        let is_record = |name: &str, sum: &str| {
            !record.files.is_empty() && ((name == CONTENTS && sum == own) || name == EARLIER)
        };
        let is_known = |name: &str, sum: &String| record.files.get(name) == Some(sum) || is_record(name, sum);
        let added = found.iter().filter(|(name, sum)| !is_known(name, sum)).map(|(name, _)| name);
        let removed = record.files.keys().filter(|name| !found.contains_key(*name));
        let changed: Vec<String> = added.chain(removed).cloned().collect();
        let content = digest(format!("{found:?}").as_bytes())[..8].to_owned();
        Ok(if changed.is_empty() { Self::Intact } else { Self::Changed(changed, content) })
    }
}

/// Every file below a folder with its checksum; what is neither file nor folder has none.
fn files_of(disk: &dyn Disk, folder: &Path) -> io::Result<BTreeMap<String, String>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![(folder.to_owned(), String::new())];
    while let Some((folder, prefix)) = folders.pop() {
        for path in disk.list(&folder)? {
            let name = format!("{prefix}{}", path.file_name().unwrap_or_default().to_string_lossy());
            let kind = fs::symlink_metadata(&path)?;
            if kind.is_dir() {
                folders.push((path, format!("{name}/")));
            } else {
                let sum = if kind.is_file() { digest(&disk.read(&path)?) } else { String::new() };
                found.insert(name, sum);
            }
        }
    }
    Ok(found)
}

/// A folder of outputs on its way to its place. Dropped before it is published, it leaves nothing.
pub struct Output<'d> {
    disk: &'d dyn Disk,
    target: PathBuf,
    /// Beside the target, held by a lock: the new folder, and the old one while they change places.
    container: PathBuf,
    _lock: Holder,
    contents: Contents,
    /// Bytes written.
    bytes: u64,
}

/// What became of a folder of outputs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Published {
    /// Files written, the record among them.
    pub files: usize,
    /// Their bytes together.
    pub bytes: u64,
    /// What a user should be told: where a folder is kept that was not as it had been written.
    pub notices: Vec<String>,
}

impl<'d> Output<'d> {
    /// Starts a folder that is to stand at `target`, and removes what killed processes left of such folders.
    pub fn begin(disk: &'d dyn Disk, target: &Path, contents: Contents) -> io::Result<Self> {
        if target.is_symlink() {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "it is a link; name the folder that it leads to",
            ));
        }
        tidy(disk, target)?;
        for number in 0..MOST_RIVALS {
            let state = format!("{:?} {} {number}", contents.inputs, contents.missing);
            let container = container(target, &digest(state.as_bytes()));
            disk.create_dir(&container)?;
            let lock = hold(&container.join(LOCK));
            // Another process may be at it, or have just removed it as nobody's.
            let is_alone = !matches!(lock, Holder::Others)
                && disk.list(&container)?.iter().all(|path| path.ends_with(LOCK))
                && container.exists();
            if is_alone {
                let output =
                    Self { disk, target: target.to_owned(), container, _lock: lock, contents, bytes: 0 };
                disk.create_dir(&output.new_folder())?;
                return Ok(output);
            }
        }
        Err(io::Error::new(io::ErrorKind::WouldBlock, "too many processes write it at the same time"))
    }

    /// Writes one file; `name` is a path inside the folder.
    pub fn write(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.put(name, bytes)?;
        self.contents.add(name, bytes);
        Ok(())
    }

    fn put(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let refused =
            || io::Error::new(io::ErrorKind::InvalidInput, format!("{name:?} is no name of a file"));
        let path = inside(&self.new_folder(), name).ok_or_else(refused)?;
        if let Some(folder) = path.parent().filter(|_| name.contains('/')) {
            self.disk.create_dir(folder)?;
        }
        self.bytes += bytes.len() as u64;
        self.disk.write_durably(&path, bytes)
    }

    /// Puts the folder in its place by renames, so that whoever looks finds a whole one, or for a moment
    /// none.
    pub fn publish(mut self) -> io::Result<Published> {
        let record = self.contents.to_bytes()?;
        self.put(CONTENTS, &record)?;
        self.sync_folders()?;
        let mut notices = Vec::new();
        let mut moved = None;
        for rivals in 0.. {
            // Succeeds where nothing stands, or an empty folder.
            let Err(refused) = self.disk.rename(&self.new_folder(), &self.target) else { break };
            let is_taken = matches!(
                refused.kind(),
                io::ErrorKind::DirectoryNotEmpty
                    | io::ErrorKind::AlreadyExists
                    | io::ErrorKind::NotADirectory
            );
            if rivals == MOST_RIVALS || !is_taken {
                // The old folder stays until there is a new one to put in its place.
                if let Some(moved) = moved {
                    let _ = fs::rename(moved, &self.target);
                }
                return Err(refused);
            }
            moved = self.make_room(rivals, &mut notices)?.or(moved);
        }
        self.sync_parent()?;
        Ok(Published { files: self.contents.files.len() + 1, bytes: self.bytes, notices })
    }

    /// Moves what stands in the place out of it: into the container if it is ours, beside it otherwise.
    fn make_room(&self, number: usize, notices: &mut Vec<String>) -> io::Result<Option<PathBuf>> {
        let (to, notice) = match Standing::of(self.disk, &self.target)? {
            Standing::Nothing if !self.target.exists() => return Ok(None),
            Standing::Nothing | Standing::Intact => (self.container.join(format!("old-{number}")), None),
            Standing::Changed(names, content) => {
                let to = self.free_name(&content);
                let what = listed(&names);
                let (target, kept) = (self.target.display(), to.display());
                let notice =
                    format!("{target} is not as tailrank had written it ({what}); it is kept as {kept}");
                (to, Some(notice))
            }
        };
        match self.disk.rename(&self.target, &to) {
            Ok(()) => {
                notices.extend(notice);
                Ok(Some(to))
            }
            // Another process was faster.
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(e) => Err(e),
        }
    }

    /// `report-kept-1a2b3c4d`, with a number where that is taken.
    fn free_name(&self, content: &str) -> PathBuf {
        let name =
            format!("{}-kept-{content}", self.target.file_name().unwrap_or_default().to_string_lossy());
        let first = self.target.with_file_name(&name);
        let mut others = (2..).map(|n| self.target.with_file_name(format!("{name}-{n}")));
        let is_free = |path: &PathBuf| fs::symlink_metadata(path).is_err();
        Some(first).filter(is_free).or_else(|| others.find(is_free)).unwrap_or_default()
    }

    /// Makes the names of all files durable, before the folder takes its place.
    fn sync_folders(&self) -> io::Result<()> {
        let mut folders = vec![self.new_folder()];
        while let Some(folder) = folders.pop() {
            folders.extend(self.disk.list(&folder)?.into_iter().filter(|path| path.is_dir()));
            self.disk.sync_dir(&folder)?;
        }
        Ok(())
    }

    fn sync_parent(&self) -> io::Result<()> {
        let parent = self.target.parent().filter(|parent| !parent.as_os_str().is_empty());
        self.disk.sync_dir(parent.unwrap_or(Path::new(".")))
    }

    fn new_folder(&self) -> PathBuf {
        self.container.join("new")
    }
}

impl Drop for Output<'_> {
    fn drop(&mut self) {
        // What cannot be removed is tried again with the next folder.
        let _ = self.disk.remove_folder(&self.container);
    }
}

/// Removes a folder of outputs; one that is not as it was written is kept under another name. Returns what a
/// user should be told.
pub(super) fn retire(disk: &dyn Disk, target: &Path) -> io::Result<Vec<String>> {
    let mut notices = Vec::new();
    // What a link leads to is not ours.
    if target.is_symlink() || Standing::of(disk, target)? == Standing::Nothing {
        tidy(disk, target)?;
        return Ok(notices);
    }
    let output = Output::begin(disk, target, Contents::default())?;
    output.make_room(0, &mut notices)?;
    output.sync_parent()?;
    Ok(notices)
}

/// `report` → `.report.<digest>`, in the same folder and so on the same disk.
fn container(target: &Path, state: &str) -> PathBuf {
    target.with_file_name(format!("{}{state}", prefix(target)))
}

fn prefix(target: &Path) -> String {
    // A file system takes 255 bytes of a name: a long one is cut.
    let name: String = target.file_name().unwrap_or_default().to_string_lossy().chars().take(30).collect();
    format!(".{name}.")
}

/// Removes the folders beside a target that nobody holds any more.
fn tidy(disk: &dyn Disk, target: &Path) -> io::Result<()> {
    let parent = target.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    for path in disk.list(parent)? {
        let name = path.file_name().and_then(|n| n.to_str()).unwrap_or_default();
        if name.strip_prefix(&prefix(target)).is_some_and(is_digest) && path.is_dir() && !path.is_symlink() {
            let age = || fs::metadata(&path).ok()?.modified().ok()?.elapsed().ok();
            let held = hold(&path.join(LOCK));
            let is_left = match held {
                Holder::Us { .. } => true,
                Holder::Others => false,
                Holder::Unknown => age().is_some_and(|age| age > STALE),
            };
            if is_left {
                let _ = disk.remove_folder(&path);
            }
        }
    }
    Ok(())
}

/// `a, b, c and 4 more`
pub(super) fn listed(names: &[String]) -> String {
    const SHOWN: usize = 3;
    let shown = names.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use std::{
        sync::atomic::{AtomicUsize, Ordering},
        thread,
    };

    use super::{super::disk::RealDisk, *};

    const FILES: usize = 12;

    fn publish(disk: &dyn Disk, target: &Path, text: &str) -> io::Result<Published> {
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
                publish(&RealDisk, &target, "new").unwrap().notices
            };
            let [notice] = notices.try_into().unwrap();
            let kept = names(dir.path()).into_iter().find(|name| name.contains("-kept-")).unwrap();
            assert!(notice.contains(&kept), "{notice}");
            assert_eq!(files_of(&RealDisk, &dir.path().join(&kept)).unwrap(), before);
            assert_eq!(publish(&RealDisk, &target, "newer").unwrap().notices, [""; 0]);
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
        fn remove(&self, path: &Path) -> io::Result<()> {
            self.turn().and_then(|()| RealDisk.remove(path))
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
            output._lock = Holder::Unknown;
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
            assert!(container(&target, &digest(b"")).as_os_str().len() <= 255);
        }
    }
}
