//! Which files and variables a command is made of, and what is in them: an edited script is another model.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet, HashMap},
    fs::{self, File},
    path::{Component, Path},
};

use tailrank_models::Params;

use super::program::{ProgramSpec, fill};
use crate::digest::digest;

/// Digests of what a command is made of, by the name it is given by: the program if it is given with a path,
/// every other argument that names a file once its parameters are filled in, also behind `=`, the module
/// behind `-m` if it is found in the folder, and what `files` and `env` name. A bare program name is looked
/// for in PATH and is not read: what the system installed differs from machine to machine.
pub type ProgramFiles = BTreeMap<String, String>;

/// Files of one folder that is to be read are no more than this.
const MOST_FILES: usize = 10_000;

/// Looks for what commands are made of, in the folder of an experiment. What several variants share is read
/// once.
pub struct Tracker<'a> {
    folder: &'a Path,
    /// What was in files that cannot be read any more, and in variables.
    known: &'a ProgramFiles,
    seen: RefCell<HashMap<String, Option<String>>>,
}

impl<'a> Tracker<'a> {
    /// For programs of this folder; `known` tells what was in files that are gone.
    pub fn new(folder: &'a Path, known: &'a ProgramFiles) -> Self {
        Self { folder, known, seen: RefCell::default() }
    }

    /// What one variant's command is made of.
    pub fn of(&self, program: &ProgramSpec, variant: &Params) -> ProgramFiles {
        let mut found = ProgramFiles::new();
        let mut add = |name: String, digest: Option<String>| {
            if let Some(digest) = digest {
                found.insert(name, digest);
            }
        };
        let argv: Vec<String> = program
            .argv
            .iter()
            .map(|argument| fill(argument, |name| variant.get(name).map(ToString::to_string)))
            .collect();
        for (place, argument) in argv.iter().enumerate() {
            if place == 0 && !is_path(argument) {
                continue;
            }
            add(argument.clone(), self.file(argument));
            if let Some((_, value)) = argument.split_once('=') {
                add(value.to_owned(), self.file(value));
            }
            if place > 0 && argv[place - 1] == "-m" {
                add(format!("-m {argument}"), self.module(argument));
            }
        }
        for path in &program.files {
            add(path.clone(), self.file(path).or_else(|| self.tree(path)));
        }
        for name in &program.env {
            // A report of a finished run needs no variables.
            let label = format!("env {name}");
            let now = || digest(format!("{:?}", std::env::var_os(name)).as_bytes());
            let digest = self.known.get(&label).cloned().unwrap_or_else(now);
            add(label, Some(digest));
        }
        found
    }

    fn file(&self, name: &str) -> Option<String> {
        self.once(name, || {
            let path = self.folder.join(name);
            if path.is_file() { digest_of(&path) } else { None }
        })
    }

    /// A Python module of the experiment's own: a file, or a folder with everything of Python's in it.
    fn module(&self, name: &str) -> Option<String> {
        let path = self.folder.join(name.replace('.', "/"));
        let is_python = |path: &Path| path.extension().is_some_and(|e| e == "py");
        self.once(&format!("-m {name}"), || {
            digest_of(&self.folder.join(format!("{}.py", name.replace('.', "/"))))
                .or_else(|| digest_of_tree(&path, is_python))
        })
    }

    /// Everything below a folder.
    fn tree(&self, name: &str) -> Option<String> {
        self.once(&format!("{name}/"), || digest_of_tree(&self.folder.join(name), |_| true))
    }

    fn once(&self, name: &str, look: impl FnOnce() -> Option<String>) -> Option<String> {
        if let Some(seen) = self.seen.borrow().get(name) {
            return seen.clone();
        }
        let found = look().or_else(|| self.known.get(name.trim_end_matches('/')).cloned());
        self.seen.borrow_mut().insert(name.to_owned(), found.clone());
        found
    }
}

/// What a program depends on that its cells' keys do not know of, in sentences: cells are not fitted again
/// when it changes.
pub(crate) fn untracked(program: &ProgramSpec, folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let Some(name) = program.argv.first() else { return found };
    if !is_path(name) {
        found.push(format!("the program '{name}', which is looked for in PATH, and what it loads"));
    }
    let named = |path: &str| program.files.iter().any(|file| Path::new(file) == Path::new(path));
    for (place, argument) in program.argv.iter().enumerate().skip(1) {
        let value = argument.split_once('=').map_or(argument.as_str(), |(_, value)| value);
        if !value.is_empty() && folder.join(value).is_dir() && !named(value) {
            found.push(format!("the folder '{value}' (name it in files)"));
        }
        if program.argv[place - 1] == "-m" {
            let path = argument.replace('.', "/");
            let is_here = folder.join(format!("{path}.py")).is_file() || folder.join(&path).is_dir();
            if !is_here {
                found.push(format!("the module '{argument}', which is not in the experiment's folder"));
            }
        }
    }
    found.push("files that scripts read or import in turn (name them in files)".to_owned());
    found.push("environment variables (name them in env)".to_owned());
    if !program.files.is_empty() {
        found.retain(|line| !line.starts_with("files that scripts"));
        found.push("files that scripts read or import in turn, beyond those in files".to_owned());
    }
    found
}

/// What `files` would have to name so that every file beside the experiment that a script speaks of is
/// tracked; empty where it does.
///
/// A word of a script counts if a file or folder of the experiment's bears that name, with or without the
/// script's ending: that finds imports, sourced scripts and data in any language, and now and then a file too
/// many, which costs a fit and no result.
pub(crate) fn files_to_name(program: &ProgramSpec, folder: &Path) -> Vec<String> {
    const LONGEST: u64 = 1 << 20;
    let known = ProgramFiles::new();
    let tracked = Tracker::new(folder, &known).of(program, &Params::new());
    let mut wanted: BTreeSet<String> = program.files.iter().cloned().collect();
    let mut scripts: Vec<String> = tracked.keys().cloned().collect();
    let is_known = |name: &str| tracked.contains_key(name) || tracked.contains_key(&format!("{name}/"));
    while let Some(script) = scripts.pop() {
        let path = folder.join(&script);
        if !fs::metadata(&path).is_ok_and(|found| found.is_file() && found.len() <= LONGEST) {
            continue;
        }
        let Ok(text) = fs::read_to_string(&path) else { continue };
        let ending = Path::new(&script).extension().and_then(|e| e.to_str()).unwrap_or_default();
        let words = text.split(|c: char| !(c.is_alphanumeric() || "_-./".contains(c)));
        for word in words.map(|word| word.trim_matches(|c| "./".contains(c))).filter(|word| !word.is_empty())
        {
            let dotted = word.replace('.', "/");
            let names = [word.to_owned(), format!("{word}.{ending}"), format!("{dotted}.{ending}")];
            let is_new = |name: &&String| {
                is_source(folder, name, ending) && !is_known(name) && !wanted.contains(*name)
            };
            if let Some(name) = names.iter().find(is_new).cloned() {
                scripts.push(name.clone());
                wanted.insert(name);
            }
        }
    }
    if wanted.len() == program.files.len() { Vec::new() } else { wanted.into_iter().collect() }
}

/// Whether a name is of a file below the folder, or of a folder with files of this ending.
fn is_source(folder: &Path, name: &str, ending: &str) -> bool {
    let stays = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
    let path = folder.join(name);
    let is_script = |entry: fs::DirEntry| entry.path().extension().is_some_and(|e| e == ending);
    stays && (path.is_file() || fs::read_dir(&path).is_ok_and(|mut e| e.any(|e| e.is_ok_and(is_script))))
}

/// The entries of `files` that are neither a file nor a folder with files in it.
pub(crate) fn missing_files(program: &ProgramSpec, folder: &Path) -> Vec<String> {
    let known = ProgramFiles::new();
    let tracker = Tracker::new(folder, &known);
    let is_missing = |name: &&String| tracker.file(name).or_else(|| tracker.tree(name)).is_none();
    program.files.iter().filter(is_missing).cloned().collect()
}

/// Whether a program is named by a path, and so not looked for in PATH.
pub fn is_path(program: &str) -> bool {
    Path::new(program).components().count() > 1
}

fn digest_of(path: &Path) -> Option<String> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(File::open(path).ok()?).ok()?;
    Some(hasher.finalize().to_hex()[..32].to_owned())
}

/// Names and contents of everything below a folder; none if there is nothing, or too much.
fn digest_of_tree(root: &Path, wanted: impl Fn(&Path) -> bool) -> Option<String> {
    let (mut folders, mut lines) = (vec![root.to_owned()], Vec::new());
    while let Some(next) = folders.pop() {
        for path in fs::read_dir(&next).ok()?.flatten().map(|entry| entry.path()) {
            if path.is_dir() && !path.is_symlink() {
                folders.push(path);
            } else if path.is_file() && wanted(&path) {
                let shown = path.strip_prefix(root).unwrap_or(&path).display().to_string();
                lines.push(format!("{shown:?} {}", digest_of(&path)?));
            }
            if lines.len() > MOST_FILES {
                return None;
            }
        }
    }
    lines.sort();
    (!lines.is_empty()).then(|| digest(lines.join("\n").as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(argv: &[&str], files: &[&str], env: &[&str]) -> ProgramSpec {
        let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        ProgramSpec { argv: owned(argv), files: owned(files), env: owned(env), ..ProgramSpec::default() }
    }

    #[test]
    fn programs_by_path_and_scripts_are_read_and_what_is_gone_is_remembered() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["model.sh", "model.py", "python3"] {
            fs::write(dir.path().join(name), name).unwrap();
        }
        let none = ProgramFiles::new();
        let of = |words: &[&str], known: &ProgramFiles| {
            Tracker::new(dir.path(), known).of(&program(words, &[], &[]), &Params::new())
        };
        assert!(of(&["./model.sh", "{train}"], &none).keys().eq(["./model.sh"]));
        assert!(of(&["python3", "model.py", "-x"], &none).keys().eq(["model.py"]), "a bare name is not read");
        let before = of(&["sh", "model.sh"], &none);
        fs::remove_file(dir.path().join("model.sh")).unwrap();
        assert_eq!(of(&["sh", "model.sh"], &none), none);
        assert_eq!(of(&["sh", "model.sh"], &before), before);
    }

    #[test]
    fn grid_values_options_modules_folders_and_variables_are_tracked() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("pkg/sub")).unwrap();
        for name in ["a.toml", "b.toml", "one.py", "pkg/__init__.py", "pkg/sub/x.py", "pkg/data.bin"] {
            fs::write(dir.path().join(name), name).unwrap();
        }
        let none = ProgramFiles::new();
        let of = |program: &ProgramSpec, cfg: &str| {
            Tracker::new(dir.path(), &none).of(program, &Params::new().with("cfg", cfg))
        };
        let option = program(&["python3", "-m", "one", "--config={cfg}", "{out}"], &[], &[]);
        assert!(of(&option, "a.toml").keys().eq(["-m one", "a.toml"]));
        assert!(of(&option, "b.toml").keys().eq(["-m one", "b.toml"]));
        assert!(of(&option, "none.toml").keys().eq(["-m one"]));
        let package = program(&["python3", "-m", "pkg", "{out}"], &["pkg"], &["TAILRANK_NOT_SET"]);
        let before = of(&package, "");
        assert!(before.keys().eq(["-m pkg", "env TAILRANK_NOT_SET", "pkg"]));
        fs::write(dir.path().join("pkg/data.bin"), "edited").unwrap();
        let after = of(&package, "");
        assert_eq!(before["-m pkg"], after["-m pkg"], "only what is Python's");
        assert_ne!(before["pkg"], after["pkg"]);
        fs::write(dir.path().join("pkg/sub/x.py"), "edited").unwrap();
        assert_ne!(before["-m pkg"], of(&package, "")["-m pkg"]);
        assert_eq!(missing_files(&program(&["sh"], &["pkg", "gone"], &[]), dir.path()), ["gone"]);
    }

    #[test]
    fn files_that_scripts_speak_of_are_ready_to_paste() {
        let dir = tempfile::tempdir().unwrap();
        for folder in ["pkg", "runs"] {
            fs::create_dir(dir.path().join(folder)).unwrap();
        }
        for (name, text) in [
            (
                "m.py",
                "import numpy, helper\nfrom pkg.deep import f\nopen('weights.json'); runs = '../x.py'\n",
            ),
            ("helper.py", "import second\n"),
            ("second.py", ""),
            ("third.py", ""),
            ("weights.json", "{}"),
            ("pkg/deep.py", ""),
            ("runs/a.csv", "1"),
        ] {
            fs::write(dir.path().join(name), text).unwrap();
        }
        let to_name =
            |files: &[&str]| files_to_name(&program(&["python3", "m.py", "{out}"], files, &[]), dir.path());
        let all = ["helper.py", "pkg/deep.py", "second.py", "weights.json"];
        assert_eq!(to_name(&[]), all);
        assert_eq!(to_name(&all), [""; 0]);
        assert_eq!(to_name(&["helper.py"]), all);
    }

    #[test]
    fn what_is_not_tracked_is_said() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("src")).unwrap();
        let said =
            untracked(&program(&["python3", "-m", "xgb", "src", "{out}"], &[], &[]), dir.path()).join("; ");
        for words in ["'python3'", "module 'xgb'", "folder 'src'", "environment variables", "import in turn"]
        {
            assert!(said.contains(words), "{words}: {said}");
        }
        let said = untracked(&program(&["./model.sh", "src", "{out}"], &["src"], &[]), dir.path()).join("; ");
        assert!(!said.contains("PATH") && !said.contains("'src'"), "{said}");
    }
}
