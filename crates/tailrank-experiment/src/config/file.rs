//! An experiment file as text.

use std::{
    fs::File,
    io::{ErrorKind, Read},
    path::Path,
};

use crate::{EngineError, Result};

/// Largest experiment file that is read: a hundred thousand variants spelled out need less.
pub const MOST_BYTES: u64 = 16 << 20;

/// The text of an experiment file.
///
/// # Errors
/// When it cannot be read, is not text, or is so large that it must be something else.
pub fn read_file(path: &Path) -> Result<String> {
    let refuse = |problem: String| EngineError::Input { path: path.to_owned(), problem };
    let mut bytes = Vec::new();
    // One byte more than allowed tells that there is more, however long the file is.
    let read = File::open(path).and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut bytes));
    read.map_err(|e| match e.kind() {
        ErrorKind::IsADirectory => refuse("is a folder; name an experiment file".to_owned()),
        _ => EngineError::io("read", path, e),
    })?;
    if bytes.len() as u64 > MOST_BYTES {
        let most = MOST_BYTES >> 20;
        return Err(refuse(format!(
            "is larger than {most} MiB, too large for an experiment file; is it the data?"
        )));
    }
    String::from_utf8(bytes).map_err(|_| refuse("is not UTF-8 text; save it as UTF-8".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_an_experiment_file_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let said = |name: &str| read_file(&dir.path().join(name)).unwrap_err().to_string();
        assert!(said("").contains("is a folder"));
        assert!(said("none.toml").contains("cannot read"));
        std::fs::write(dir.path().join("latin.toml"), b"name = \"\xe4\"").unwrap();
        assert!(said("latin.toml").contains("is not UTF-8"));
        std::fs::File::create(dir.path().join("huge.toml")).unwrap().set_len(MOST_BYTES + 1).unwrap();
        assert!(said("huge.toml").contains("is larger than 16 MiB"));
        // As much as is allowed is allowed.
        std::fs::File::create(dir.path().join("large.toml")).unwrap().set_len(MOST_BYTES).unwrap();
        assert_eq!(read_file(&dir.path().join("large.toml")).unwrap().len() as u64, MOST_BYTES);
        std::fs::write(dir.path().join("good.toml"), "name = \"ä\"").unwrap();
        assert_eq!(read_file(&dir.path().join("good.toml")).unwrap(), "name = \"ä\"");
    }
}
