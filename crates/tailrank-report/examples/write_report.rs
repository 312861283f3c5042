//! Writes the report of a run: `cargo run --example write_report <run> <folder> [experiment.toml]`.
//!
//! Another experiment file gives other settings of measures and relevance on the same predictions.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for the terminal")]

use std::{path::Path, process::ExitCode};

use tailrank_data::Library;
use tailrank_experiment::plan::Plan;
use tailrank_report::{PageInput, write_report};
use tailrank_runner::store::{Store, disk::RealDisk};
use tailrank_score::score::{results, write_results};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    match write(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("{e}");
            ExitCode::FAILURE
        }
    }
}

fn write(arguments: &[String]) -> Result<(), Box<dyn std::error::Error>> {
    let [_, run, folder, other @ ..] = arguments else {
        return Err("usage: write_report <run> <folder> [experiment.toml]".into());
    };
    let (store, text) = Store::open_existing(&RealDisk, Path::new(run))?;
    let text = other.first().map_or(Ok(text), std::fs::read_to_string)?;
    let path = Path::new("experiment.toml");
    let plan = Plan::from_text(&text, path, Path::new(""), &Library::default())?;
    let results = results(&plan, &store)?;
    if !other.is_empty() {
        write_results(&results, &store)?;
    }
    let written = write_report(PageInput::of_run(&plan, &results, &store), Path::new(folder))?;
    println!("{}", written.index.display());
    Ok(())
}
