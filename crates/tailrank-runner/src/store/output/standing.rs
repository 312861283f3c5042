//! What stands where outputs belong: nothing, a folder as it was written, or something else.

use super::*;
use crate::store::lock::{MOST_TRIES, inode};

/// What stands where outputs belong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::store) enum Standing {
    /// Nothing, or an empty folder.
    Nothing,
    /// A folder of ours, file for file as it was written.
    Intact,
    /// Anything else: these files were edited, added or removed, and this names the content.
    Changed(Vec<String>, String),
}

impl Standing {
    /// Looks at a folder; every file is read.
    pub(in crate::store) fn of(disk: &dyn Disk, folder: &Path) -> Result<Self> {
        let number = || inode(folder.symlink_metadata());
        let mut standing = Ok(Self::Nothing);
        for _ in 0..MOST_TRIES {
            let before = number();
            standing = Self::look(disk, folder);
            // Another process may have put its folder there between two looks into it; numbers are given
            // anew.
            let is_gone = standing.as_ref().is_err_and(|e| e.kind() == io::ErrorKind::NotFound);
            if before == number() && !is_gone {
                break;
            }
        }
        standing.map_err(|e| EngineError::io("read", folder, e))
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
        let mut known = record.files.clone();
        if !known.is_empty() {
            known.insert(CONTENTS.to_owned(), digest(&record.to_bytes().map_err(io::Error::other)?));
        }
        let names: BTreeSet<&String> = known.keys().chain(found.keys()).collect();
        let is_changed = |name: &&String| known.get(*name) != found.get(*name);
        let changed: Vec<String> = names.into_iter().filter(is_changed).cloned().collect();
        let content = digest(format!("{found:?}").as_bytes())[..8].to_owned();
        Ok(if changed.is_empty() { Self::Intact } else { Self::Changed(changed, content) })
    }
}

/// Every file below a folder with its checksum; what is neither file nor folder has none.
pub(super) fn files_of(disk: &dyn Disk, folder: &Path) -> io::Result<BTreeMap<String, String>> {
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
