//! A folder of outputs (tables, a page, a study): written beside its place, renamed into it whole, and never
//! changed afterwards.
//!
//! `files.json` in the folder says what it was made from and which files it holds, with their checksums. A
//! folder that is as its record says is ours, and makes room for the next one. One that was edited, or that
//! others put files into, is kept beside under another name. Names in a record are compared with what is
//! there and never become paths.

mod contents;
mod standing;

use super::{inside::is_taken, *};

pub use contents::{CONTENTS, Contents, GENERATOR, OutputKind, check_free_for, is_ours};
pub(super) use standing::Standing;

/// Processes that put a folder into the same place at the same time, at most.
const MOST_RIVALS: usize = 1000;

/// A folder of outputs on its way to its place. Dropped before it is published, it leaves nothing.
pub struct Output<'d> {
    disk: &'d dyn Disk,
    target: PathBuf,
    /// Beside the target: the new folder, and the old one while they change places.
    container: HeldFolder<'d>,
    contents: Contents,
}

impl<'d> Output<'d> {
    /// Starts a folder that is to stand at `target`, and removes what killed processes left of such folders.
    pub fn begin(disk: &'d dyn Disk, target: &Path, contents: Contents) -> Result<Self> {
        let failed = |e| EngineError::io("write", target, e);
        if target.is_symlink() {
            return Err(failed(refused("it is a link; name the folder that it leads to")));
        }
        tidy(disk, target)?;
        let container = HeldFolder::create(disk, container(target))?;
        let output = Self { disk, target: target.to_owned(), container, contents };
        disk.create_dir(&output.new_folder()).map_err(failed)?;
        Ok(output)
    }

    /// Writes one file; `name` is a path inside the folder.
    pub fn write(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        self.put(name, bytes)?;
        self.contents.add(name, bytes);
        Ok(())
    }

    fn put(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let put = || {
            let path = inside(&self.new_folder(), name)
                .ok_or_else(|| refused(&format!("{name:?} is no name of a file")))?;
            if let Some(folder) = path.parent().filter(|_| name.contains('/')) {
                self.disk.create_dir(folder)?;
            }
            self.disk.write(&path, bytes).and_then(|()| self.disk.sync_file(&path))
        };
        put().map_err(|e| EngineError::io("write", &self.target.join(name), e))
    }

    /// Puts the folder in its place by renames, so that whoever looks finds a whole one, or for a moment
    /// none. Returns what a user should be told: where a folder is kept that was not as it had been written.
    pub fn publish(self) -> Result<Vec<String>> {
        self.put(CONTENTS, &self.contents.to_bytes()?)?;
        let mut notices = Vec::new();
        let mut moved = None;
        for rivals in 0.. {
            // Succeeds where nothing stands, or an empty folder.
            let Err(refused) = self.disk.rename(&self.new_folder(), &self.target) else { break };
            if rivals == MOST_RIVALS || !is_taken(&refused) {
                // The old folder stays until there is a new one to put in its place.
                if let Some(moved) = moved {
                    let _ = fs::rename(moved, &self.target);
                }
                return Err(EngineError::io("write", &self.target, refused));
            }
            moved = self.make_room(rivals, &mut notices)?.or(moved);
        }
        Ok(notices)
    }

    /// Moves what stands in the place out of it: into the container if it is ours, beside it otherwise.
    fn make_room(&self, number: usize, notices: &mut Vec<String>) -> Result<Option<PathBuf>> {
        let mut to = self.container.path.join(format!("old-{number}"));
        let mut notice = None;
        match Standing::of(self.disk, &self.target)? {
            Standing::Nothing if !self.target.exists() => return Ok(None),
            Standing::Nothing | Standing::Intact => {}
            Standing::Changed(names, content) => {
                let name = self.target.file_name().unwrap_or_default().to_string_lossy();
                to = free_name(&self.target.with_file_name(format!("{name}-kept-{content}")));
                let (target, what, kept) = (self.target.display(), listed(&names), to.display());
                notice = Some(format!(
                    "{target} is not as tailrank had written it ({what}); it is kept as {kept}"
                ));
            }
        }
        match self.disk.rename(&self.target, &to) {
            // Another process was faster.
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
            moved => moved.map_err(|e| EngineError::io("move", &self.target, e))?,
        }
        notices.extend(notice);
        Ok(Some(to))
    }

    fn new_folder(&self) -> PathBuf {
        self.container.path.join("new")
    }
}

/// Removes a folder of outputs; one that is not as it was written is kept under another name. Returns what a
/// user should be told.
pub(super) fn retire(disk: &dyn Disk, target: &Path) -> Result<Vec<String>> {
    let mut notices = Vec::new();
    // What a link leads to is not ours.
    if target.is_symlink() || Standing::of(disk, target)? == Standing::Nothing {
        tidy(disk, target)?;
    } else {
        Output::begin(disk, target, Contents::default())?.make_room(0, &mut notices)?;
    }
    Ok(notices)
}

fn refused(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, why)
}

/// `report` → `.report.<process>`, in the same folder and so on the same disk.
fn container(target: &Path) -> PathBuf {
    target.with_file_name(format!("{}{}", prefix(target), process_name()))
}

fn prefix(target: &Path) -> String {
    // A file system takes 255 bytes of a name: a long one is cut.
    let name: String = target.file_name().unwrap_or_default().to_string_lossy().chars().take(30).collect();
    format!(".{name}.")
}

/// Removes the folders beside a target that nobody holds any more.
fn tidy(disk: &dyn Disk, target: &Path) -> Result<()> {
    sweep(disk, parent(target), &prefix(target))
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
mod tests;
