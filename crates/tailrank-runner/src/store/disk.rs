//! The few file operations the store is made of, behind a trait so that tests can make each of them fail.

use std::{
    fs::OpenOptions,
    io::{Read, Write},
    sync::atomic::{AtomicU64, Ordering},
};

use super::*;

/// What the store asks of a file system; every method is the system's own unless a test replaces it.
pub trait Disk: Send + Sync {
    /// Creates a folder and its parents.
    fn create_dir(&self, path: &Path) -> io::Result<()> {
        fs::create_dir_all(path)
    }
    /// Writes a new file.
    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        fs::write(path, bytes)
    }
    /// Makes a file's content durable.
    fn sync_file(&self, path: &Path) -> io::Result<()> {
        OpenOptions::new().write(true).open(path)?.sync_all()
    }
    /// Makes a folder's entries durable.
    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        // Folders can be opened for syncing on Unix only; elsewhere the rename itself is all there is.
        if cfg!(unix) { File::open(path)?.sync_all() } else { Ok(()) }
    }
    /// Moves a file; replaces the target in one step.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }
    /// Adds to the end of a file, creating it if needed.
    fn append(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        open_regular(OpenOptions::new().create(true).append(true), path)?.write_all(bytes)
    }
    /// Reads a whole file.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        open_regular(OpenOptions::new().read(true), path)?.read_to_end(&mut bytes)?;
        Ok(bytes)
    }
    /// The entries of a folder, sorted; empty if the folder does not exist.
    fn list(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        let entries = match fs::read_dir(path) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let mut paths = entries.map(|e| Ok(e?.path())).collect::<io::Result<Vec<_>>>()?;
        paths.sort();
        Ok(paths)
    }
    /// Removes a folder and everything in it.
    fn remove_folder(&self, path: &Path) -> io::Result<()> {
        fs::remove_dir_all(path)
    }
}

/// The real file system.
#[derive(Clone, Copy, Debug, Default)]
pub struct RealDisk;

impl Disk for RealDisk {}

/// How a link, pipe or device in the place of a file is refused.
pub(super) const NOT_REGULAR: io::ErrorKind = io::ErrorKind::InvalidInput;

/// Opens a regular file of a run. A symbolic link is not followed, and a pipe or device is refused instead of
/// waited for: both may have been put there by somebody else.
pub(super) fn open_regular(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;

        use nix::fcntl::OFlag;
        options.custom_flags((OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK).bits());
    }
    let refused = || io::Error::new(NOT_REGULAR, "it is not a regular file; remove it");
    let file = options.open(path).map_err(|e| if path.is_symlink() { refused() } else { e })?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(refused()) }
}

/// A file's content; none where there is no such file.
pub(super) fn read_if_there(disk: &dyn Disk, path: &Path) -> Result<Option<Vec<u8>>> {
    match disk.read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(EngineError::io("read", path, e)),
    }
}

/// The text of a record: JSON for people and programs.
pub(super) fn json_text(record: &impl Serialize) -> Result<Vec<u8>> {
    let mut text = serde_json::to_vec_pretty(record).map_err(|e| EngineError::internal("record", e))?;
    text.push(b'\n');
    Ok(text)
}

/// Adds a record to a text of one a line.
pub(crate) fn add_json_line(text: &mut Vec<u8>, record: &impl Serialize) -> Result<()> {
    serde_json::to_writer(&mut *text, record).map_err(|e| EngineError::internal("record", e))?;
    text.push(b'\n');
    Ok(())
}

impl Store<'_> {
    /// Writes `bytes` to `target` so that a reader sees the old content or the new, whole, and a kill leaves
    /// one of them; `is_durable` is for what a loss of power must not tear.
    ///
    /// The temporary file is on the same file system and gone with the session, so that neither an error nor
    /// a kill leaves anything beside results.
    pub(super) fn write_atomically(&self, target: &Path, bytes: &[u8], is_durable: bool) -> Result<()> {
        static FILES: AtomicU64 = AtomicU64::new(0);
        // A process that only reads the run has none yet.
        self.create_folder(&self.scratch)?;
        let temporary = self.scratch.join(FILES.fetch_add(1, Ordering::Relaxed).to_string());
        let write = || {
            self.disk.write(&temporary, bytes)?;
            if is_durable {
                self.disk.sync_file(&temporary)?;
            }
            self.disk.rename(&temporary, target)?;
            match target.parent().filter(|_| is_durable) {
                Some(folder) => self.disk.sync_dir(folder),
                None => Ok(()),
            }
        };
        write().map_err(|e| EngineError::io("write", target, e))
    }
}
