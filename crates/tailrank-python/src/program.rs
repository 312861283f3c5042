//! The program itself, and the papers' studies.

use std::{ffi::OsString, path::PathBuf};

use pyo3::prelude::*;
use tailrank::{cli, data::Library, studies};

use crate::{
    error::Result,
    interrupt::{Stop, stoppable},
};

/// Runs the command line: its arguments with the program's name first, and the words that start it again; returns the exit code.
/// Signals are the program's own from here on.
#[pyfunction]
pub(crate) fn main(py: Python<'_>, arguments: Vec<OsString>, program: Vec<OsString>) -> u8 {
    py.detach(|| cli::main(arguments, program))
}

/// Runs a paper's study; what was found, as JSON.
#[pyfunction]
pub(crate) fn reproduce(
    py: Python<'_>,
    study: &str,
    out: PathBuf,
    jobs: usize,
    data: Option<PathBuf>,
    progress: Option<Py<PyAny>>,
) -> Result<String> {
    let study = studies::find(study)?;
    let library = data.map_or_else(Library::default, Library::with_folder);
    cli::install_panic_hook();
    Ok(stoppable(py, progress, Stop::Awaited, move |mut told, cancel| {
        let options = studies::Options { jobs: jobs.max(1), ..studies::Options::new(&library, &out) };
        let found = studies::reproduce(study, &options, &cancel, &mut told)?;
        Ok(format!("{:#}", cli::study_json(study, &found, &out)))
    })?)
}
