//! Which files a command is made of, and what is in them: an edited script is another model.

use std::{collections::BTreeMap, fs::File, path::Path};

/// Digests of the files among a command's arguments, by the argument as it is written: the program if it is given with a path,
/// and every other argument that names a file. A bare program name is looked for in PATH and is not read: what the system
/// installed differs from machine to machine.
pub type ProgramFiles = BTreeMap<String, String>;

/// Looks for the files of a command in `folder`; where one cannot be read, `known` may still tell what was in it.
pub(crate) fn program_files(argv: &[String], folder: &Path, known: &ProgramFiles) -> ProgramFiles {
    let mut found = ProgramFiles::new();
    for (place, argument) in argv.iter().enumerate() {
        if place == 0 && !is_path(argument) {
            continue;
        }
        let digest = digest_of(&folder.join(argument)).or_else(|| known.get(argument).cloned());
        if let Some(digest) = digest {
            found.insert(argument.clone(), digest);
        }
    }
    found
}

/// Whether a program is named by a path, and so not looked for in PATH.
pub(super) fn is_path(program: &str) -> bool {
    Path::new(program).components().count() > 1
}

fn digest_of(path: &Path) -> Option<String> {
    if !path.is_file() {
        return None;
    }
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(File::open(path).ok()?).ok()?;
    Some(hasher.finalize().to_hex()[..32].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_by_path_and_scripts_are_read_and_what_is_gone_is_remembered() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["model.sh", "model.py", "python3"] {
            std::fs::write(dir.path().join(name), name).unwrap();
        }
        let argv = |words: &[&str]| words.iter().map(ToString::to_string).collect::<Vec<_>>();
        let files = |words: &[&str]| program_files(&argv(words), dir.path(), &ProgramFiles::new());
        assert!(files(&["./model.sh", "{train}"]).keys().eq(["./model.sh"]));
        assert!(files(&["python3", "model.py", "-x"]).keys().eq(["model.py"]), "a bare name is not read");
        let before = files(&["sh", "model.sh"]);
        std::fs::remove_file(dir.path().join("model.sh")).unwrap();
        assert_eq!(files(&["sh", "model.sh"]), ProgramFiles::new());
        assert_eq!(program_files(&argv(&["sh", "model.sh"]), dir.path(), &before), before);
    }
}
