//! What a path is: an experiment, a run, or data. A command that is given the wrong one says which command takes it.

use std::path::Path;

use tailrank_data::symbol_of;

use super::{Failure, Result};

/// What stands at a path, by its kind and its ending.
enum Place {
    Experiment,
    Data,
    Run,
    Folder,
    /// Nothing, or a file that may be anything.
    Unknown,
}

impl Place {
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

fn refuse(path: &Path, what: &str, instead: &str) -> Result<()> {
    Err(Failure::Usage(format!("{} {what}; {instead}", path.display())))
}

/// The command that makes an experiment of data.
fn init(path: &Path) -> String {
    let name = path.display().to_string();
    format!("did you mean: tailrank init {name} --out {}.toml", symbol_of(&name))
}

fn run(path: &Path) -> String {
    format!("run it with: tailrank run {}", path.display())
}

/// Refuses data and runs where an experiment is expected.
pub(super) fn expect_experiment(path: &Path) -> Result<()> {
    match Place::of(path) {
        Place::Data => refuse(path, "is data, not an experiment", &init(path)),
        Place::Run => {
            let own = path.join("experiment.toml");
            refuse(path, "is a run, not an experiment", &format!("its experiment is {}", own.display()))
        }
        _ => Ok(()),
    }
}

/// Refuses files where the folder of a run is expected.
pub(super) fn expect_run(path: &Path) -> Result<()> {
    match Place::of(path) {
        Place::Data => refuse(path, "is data, not the folder of a run", &init(path)),
        Place::Experiment => {
            let then = format!("{}, then name the folder that it writes", run(path));
            refuse(path, "is an experiment, not the folder of a run", &then)
        }
        Place::Unknown if path.exists() => {
            refuse(path, "is a file, not the folder of a run", "name a folder such as runs/quick")
        }
        _ => Ok(()),
    }
}

/// Refuses files where a run is to be written.
pub(super) fn expect_new_run(path: &Path) -> Result<()> {
    if path.exists() && !path.is_dir() {
        return refuse(path, "is a file, and a run is a folder", "name another one with --out");
    }
    Ok(())
}

/// Refuses experiments and folders where a table is expected, of `what`.
pub(super) fn expect_table(path: &Path, what: &str) -> Result<()> {
    let name = path.display();
    match Place::of(path) {
        Place::Experiment => refuse(path, &format!("is an experiment, not {what}"), &run(path)),
        Place::Run => refuse(
            path,
            &format!("is a run, not {what}"),
            &format!(
                "`tailrank report {name}` scores it again, `tailrank export predictions {name}` writes its predictions"
            ),
        ),
        Place::Folder => refuse(path, &format!("is a folder, not {what}"), "name a CSV or Parquet file"),
        Place::Data | Place::Unknown => Ok(()),
    }
}
