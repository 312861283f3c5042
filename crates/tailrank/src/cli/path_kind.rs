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

fn refuse(path: &Path, found: &str, wanted: &str, instead: &str) -> Result<()> {
    usage(format!("{} is {found}, not {wanted}; {instead}", path.display()))
}

/// The command that makes an experiment of data.
fn init(path: &Path) -> String {
    let name = path.display().to_string();
    format!("did you mean: tailrank init {name} --out {}.toml", symbol_of(&name))
}

/// Refuses data and runs where an experiment is expected.
pub(super) fn expect_experiment(path: &Path) -> Result<()> {
    let (found, instead) = match PathKind::of(path) {
        PathKind::Data => ("data", init(path)),
        PathKind::Run => ("a run", format!("its experiment is {}", path.join("experiment.toml").display())),
        _ => return Ok(()),
    };
    refuse(path, found, "an experiment", &instead)
}

/// Refuses files where the folder of a run is expected.
pub(super) fn expect_run(path: &Path) -> Result<()> {
    let name = path.display();
    let (found, instead) = match PathKind::of(path) {
        PathKind::Data => ("data", init(path)),
        PathKind::Experiment => {
            let run = format!("run it with: tailrank run {name}, then name the folder that it writes");
            ("an experiment", run)
        }
        PathKind::Unknown if path.exists() => ("a file", "name a folder such as runs/quick".to_owned()),
        _ => return Ok(()),
    };
    refuse(path, found, "the folder of a run", &instead)
}

/// Refuses files where a run is to be written.
pub(super) fn expect_new_run(path: &Path) -> Result<()> {
    if path.exists() && !path.is_dir() {
        let text = "is a file, and a run is a folder; name another one with --out";
        return usage(format!("{} {text}", path.display()));
    }
    Ok(())
}

/// Refuses experiments and folders where a table is expected, of `what`.
pub(super) fn expect_table(path: &Path, what: &str) -> Result<()> {
    let name = path.display();
    let (found, instead) = match PathKind::of(path) {
        PathKind::Experiment => ("an experiment", format!("run it with: tailrank run {name}")),
        PathKind::Run => (
            "a run",
            format!(
                "`tailrank report {name}` scores it again, `tailrank export predictions {name}` writes its predictions"
            ),
        ),
        PathKind::Folder => ("a folder", "name a CSV or Parquet file".to_owned()),
        PathKind::Data | PathKind::Unknown => return Ok(()),
    };
    refuse(path, found, what, &instead)
}
