//! The command line as a user types it.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test may fail, and says what it skips")]

mod arena;
#[cfg(target_os = "linux")]
mod asking;
mod commands;
mod compare;
mod denied;
mod designs;
mod earned;
mod errors;
mod experiments;
mod external_models;
mod golden;
mod help;
#[cfg(target_os = "linux")]
mod isolation;
mod ko_reference;
mod no_answer;
mod one_answer;
mod ownership;
#[path = "../../../tailrank-report/tests/it/packed.rs"]
mod packed;
#[cfg(target_os = "linux")]
mod phases;
mod predict;
mod predictions;
mod readme;
mod report;
mod runs;
#[path = "../../../../.ci/skipped.rs"]
mod skipped;
mod slurm;
#[cfg(target_os = "linux")]
mod small_stacks;
#[cfg(target_os = "linux")]
mod stale;
mod status;
mod strangers;
mod studies;
#[cfg(target_os = "linux")]
mod surroundings;
mod terminal;
#[cfg(target_os = "linux")]
mod tracked;
mod voice;
#[cfg(target_os = "linux")]
mod whose_fault;

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use tempfile::TempDir;

/// A folder of a user's own, where commands are typed.
struct Desk {
    folder: TempDir,
}

impl Desk {
    fn new() -> Self {
        Self { folder: TempDir::new().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::write(self.path(name), text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    fn tailrank(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(program());
        command.current_dir(self.folder.path()).env_remove("COLUMNS").stdin(Stdio::null()).args(arguments);
        command
    }

    /// What a command prints, after checking its exit code.
    fn stdout(&self, arguments: &[&str], code: i32) -> String {
        text(&ends_with(code, &mut self.tailrank(arguments)).stdout)
    }

    /// What a command complains, after checking its exit code.
    fn stderr(&self, arguments: &[&str], code: i32) -> String {
        // Wide enough that no message is broken.
        text(&ends_with(code, self.tailrank(arguments).env("COLUMNS", "5000")).stderr)
    }
}

impl Desk {
    /// Groups of fits that a run made, and those that it found stored.
    fn fits(&self, arguments: &[&str], code: i32) -> (u64, u64) {
        let said = self.stdout(&[arguments, &["--json"]].concat(), code);
        let said: serde_json::Value = serde_json::from_str(&said).unwrap();
        (said["fitted"].as_u64().unwrap(), said["reused"].as_u64().unwrap())
    }
}

/// The program of this build, or the one that `TAILRANK_PROGRAM` names.
fn program() -> std::ffi::OsString {
    std::env::var_os("TAILRANK_PROGRAM").unwrap_or_else(|| env!("CARGO_BIN_EXE_tailrank").into())
}

/// Runs a command that must end with this exit code.
fn ends_with(code: i32, command: &mut Command) -> Output {
    let output = command.output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{command:?}\n{out}\n{err}");
    output
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Words of a message, however its lines are broken.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap()
}

/// Every file below a folder, with its bytes.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for path in fs::read_dir(&next).unwrap().map(|e| e.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else {
                found.insert(path.strip_prefix(folder).unwrap().to_owned(), fs::read(&path).unwrap());
            }
        }
    }
    found
}

/// Numbers that look random and are the same on every machine.
fn noise(n: usize) -> impl Iterator<Item = f64> {
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    (0..n).map(move |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 53) as f64 - 0.5
    })
}

/// Cells and tables of a run: the same however often it was stopped.
fn outputs(run: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = files(run);
    found.retain(|name, _| name.starts_with("cells") || name.starts_with("results"));
    found
}

/// A table with two inputs and a target that has extremes on both sides.
fn table_csv(rows: usize) -> String {
    let values: Vec<f64> = noise(3 * rows).collect();
    let mut csv = String::from("a,b,level\n");
    for r in values.chunks(3) {
        let level = 3.0 * r[0] + 40.0 * (r[1] * r[2]).powi(3) + r[2];
        csv.push_str(&format!("{},{},{}\n", r[0], r[1], level));
    }
    csv
}

/// An experiment on `table.csv` with the given `[[models]]` sections.
fn experiment(name: &str, models: &str) -> String {
    format!(
        r#"name = {name:?}
seed = 7
[data]
tables = [{{ name = "t", file = "table.csv", target = "level" }}]
[split]
kind = "fraction"
train = 0.7
[relevance]
kind = "sigmoid"
low = -1.2
high = 1.2
[measures]
list = ["mad", "f"]
t_l = 0.5
[compare]
pairs = [["mad", "f"]]
[inference]
enabled = false
{models}"#
    )
}

const BASELINES: &str = "[[models]]\nfamily = \"baseline\"\nvariants = [{ kind = \"mean\" }, { kind = \"zero\" }]\n\
                         [[models]]\nfamily = \"linear\"\n";

/// A desk with `table.csv` and `e.toml`.
fn desk_with(models: &str) -> Desk {
    let desk = Desk::new();
    desk.write("table.csv", table_csv(200));
    desk.write("e.toml", experiment("try", models));
    desk
}
