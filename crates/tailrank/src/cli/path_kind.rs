//! What a path is: an experiment, a run, or data. A command that is given the wrong one says which command takes it.

use tailrank_data::symbol_of;

use super::prelude::*;

/// What stands at a path, by its kind and its ending.
enum PathKind {
    Experiment,
    Data,
    Run,
    Folder,
    /// Nothing, or a file that may be anything.
    Unknown,
}

impl PathKind {
    fn of(path: &Path) -> Self {
        const DATA: [&str; 11] =
            [".csv", ".tsv", ".txt", ".parquet", ".gz", ".xlsx", ".xls", ".xlsb", ".ods", ".numbers", ".zip"];
        let name = path.to_string_lossy().to_lowercase();
        if path.is_dir() {
            return if path.join("run.json").exists() { Self::Run } else { Self::Folder };
        }
        match path.is_file() {
            true if name.ends_with(".toml") => Self::Experiment,
            true if DATA.iter().any(|ending| name.ends_with(ending)) => Self::Data,
            _ => Self::Unknown,
        }
    }
}

/// The command that makes an experiment of data.
fn init(path: &Path) -> String {
    let name = path.display().to_string();
    format!("did you mean: tailrank init {name} --out {}.toml", symbol_of(&name))
}

/// Refuses a path that is something else than what is wanted, and says what to do instead.
fn expect(path: &Path, wanted: PathKind, in_words: &str) -> Result<()> {
    use PathKind::{Data, Experiment, Folder, Run, Unknown};
    let name = path.display();
    let (found, instead) = match (wanted, PathKind::of(path)) {
        (Experiment | Run, Data) => ("data", init(path)),
        (Experiment, Run) => {
            ("a run", format!("its experiment is {}", path.join("experiment.toml").display()))
        }
        (Run, Experiment) => {
            let run = format!("run it with: tailrank run {name}, then name the folder that it writes");
            ("an experiment", run)
        }
        (Run, Unknown) if path.exists() => ("a file", "name a folder such as runs/quick".to_owned()),
        (Data, Experiment) => ("an experiment", format!("run it with: tailrank run {name}")),
        (Data, Run) => {
            let again = format!("`tailrank report {name}` scores it again");
            ("a run", format!("{again}, `tailrank export predictions {name}` writes its predictions"))
        }
        (Data, Folder) => ("a folder", "name a CSV or Parquet file".to_owned()),
        _ => return Ok(()),
    };
    usage(format!("{name} is {found}, not {in_words}; {instead}"))
}

/// Refuses data and runs where an experiment is expected.
pub(super) fn expect_experiment(path: &Path) -> Result<()> {
    expect(path, PathKind::Experiment, "an experiment")
}

/// Refuses files where the folder of a run is expected.
pub(super) fn expect_run(path: &Path) -> Result<()> {
    expect(path, PathKind::Run, "the folder of a run")
}

/// Refuses experiments and folders where a table is expected, of `what`.
pub(super) fn expect_table(path: &Path, what: &str) -> Result<()> {
    expect(path, PathKind::Data, what)
}

/// Refuses files where a run is to be written.
pub(super) fn expect_new_run(path: &Path) -> Result<()> {
    if path.exists() && !path.is_dir() {
        let text = "is a file, and a run is a folder; name another one with --out";
        return usage(format!("{} {text}", path.display()));
    }
    Ok(())
}
