//! What a Python program imports, looked for before it is started.

use std::{
    io::{Read, Seek, SeekFrom},
    path::Path,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// Asks the interpreter for the first module that a program's own lines import and that it cannot find.
///
/// Nothing of the experiment is run: the interpreter starts isolated (`-I`: the current folder and its files
/// are not looked at), reads the program as a text, and looks for modules without loading them. Imports
/// inside functions, branches and `try` are left to the program.
const LOOK: &str = r#"
import ast, importlib.util, os, site, sys
kind, given = sys.argv[1:3]
if kind == "module":
    names = [given.partition(".")[0]]
else:
    source = given.encode() if kind == "code" else open(given, "rb").read()
    names = []
    for node in ast.parse(source).body:
        if isinstance(node, ast.Import):
            names += [alias.name.partition(".")[0] for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names.append(node.module.partition(".")[0])
if not os.environ.get("PYTHONNOUSERSITE"):
    site.addsitedir(site.getusersitepackages())
folder = os.path.dirname(os.path.abspath(given)) if kind == "script" else os.getcwd()
sys.path[:0] = [folder, *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
for name in names:
    try:
        found = name in sys.builtin_module_names or importlib.util.find_spec(name) is not None
    except ValueError:
        found = True
    if not found:
        print(name)
        break
"#;

/// Longer than any interpreter takes to start.
const PATIENCE: Duration = Duration::from_secs(20);

/// A module that a command in Python imports and its interpreter does not have, and what imports it.
///
/// Interpreters given by a path are not asked: nothing of an experiment runs before it is allowed to.
pub(super) fn missing_module(argv: &[String], folder: &Path) -> Option<(String, String)> {
    let program = argv.first().filter(|program| is_python(program))?;
    let (kind, given) = program_of(&argv[1..])?;
    if given.contains('{') {
        return None;
    }
    let mut command = Command::new(program);
    command.args(["-I", "-c", LOOK, kind, given]);
    // A file, not a pipe: whatever holds it open cannot make us wait.
    let mut said = tempfile::tempfile().ok()?;
    command.stdin(Stdio::null()).stdout(said.try_clone().ok()?).stderr(Stdio::null());
    if !folder.as_os_str().is_empty() {
        command.current_dir(folder);
    }
    let mut child = command.spawn().ok()?;
    let started = Instant::now();
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if started.elapsed() < PATIENCE => thread::sleep(Duration::from_millis(2)),
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                return None;
            }
        }
    };
    // What cannot be read as Python says so itself when it runs.
    if !status.success() {
        return None;
    }
    let mut module = String::new();
    said.seek(SeekFrom::Start(0)).and_then(|_| said.read_to_string(&mut module)).ok()?;
    let module = module.trim().to_owned();
    let importer = match kind {
        "script" => format!("'{given}'"),
        "module" => format!("'-m {given}'"),
        _ => "its code".to_owned(),
    };
    (!module.is_empty()).then_some((module, importer))
}

/// `python`, `python3`, `python3.12`, looked for in PATH.
fn is_python(program: &str) -> bool {
    program
        .strip_prefix("python")
        .is_some_and(|version| version.bytes().all(|b| b.is_ascii_digit() || b == b'.'))
}

/// What the interpreter is to run: a script, a module or lines of code.
fn program_of(arguments: &[String]) -> Option<(&'static str, &str)> {
    let mut rest = arguments.iter().map(String::as_str);
    loop {
        match rest.next()? {
            "-c" => return Some(("code", rest.next()?)),
            "-m" => return Some(("module", rest.next()?)),
            "-X" | "-W" => {
                rest.next();
            }
            "-" => return None,
            option if option.starts_with('-') => {}
            script => return Some(("script", script)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn interpreters_and_what_they_run() {
        for (name, is) in [
            ("python", true),
            ("python3", true),
            ("python3.12", true),
            ("./python3", false),
            ("pythonic", false),
            ("Rscript", false),
        ] {
            assert_eq!(is_python(name), is, "{name}");
        }
        let of = |text: &str| program_of(&words(text)).map(|(kind, given)| format!("{kind} {given}"));
        assert_eq!(of("model.py {train}"), Some("script model.py".to_owned()));
        assert_eq!(of("-u -X dev model.py -c x"), Some("script model.py".to_owned()));
        assert_eq!(of("-m pkg.fit {train}"), Some("module pkg.fit".to_owned()));
        assert_eq!(of("-c print() {out}"), Some("code print()".to_owned()));
        assert_eq!(of("-"), None);
    }

    #[test]
    fn modules_are_looked_for_and_never_loaded() {
        if Command::new("python3").arg("--version").stdout(Stdio::null()).status().is_err() {
            return;
        }
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).unwrap();
        // A module of the experiment's own is found beside the script; were it loaded, or taken for Python's
        // own, a file would be there.
        write("beside.py", "open('loaded', 'w')\n");
        write("ast.py", "open('loaded', 'w')\n");
        write("good.py", "import csv, beside\nfrom os import path\ndef f():\n    import no_such_module_7\n");
        write("bad.py", "import csv\nfrom no_such_module_7.part import x\n");
        write("try.py", "try:\n    import no_such_module_7\nexcept ImportError:\n    pass\n");
        write("broken.py", "import (\n");
        let missing = |text: &str| missing_module(&words(text), dir.path());
        for fine in ["good.py", "try.py", "broken.py", "-m beside", "-m json.tool"] {
            assert_eq!(missing(&format!("python3 {fine} {{out}}")), None, "{fine}");
        }
        let module = "no_such_module_7".to_owned();
        assert_eq!(missing("python3 bad.py {out}"), Some((module.clone(), "'bad.py'".to_owned())));
        assert_eq!(
            missing("python3 -m no_such_module_7.x {out}"),
            Some((module, "'-m no_such_module_7.x'".to_owned()))
        );
        assert!(!dir.path().join("loaded").exists());
    }
}
