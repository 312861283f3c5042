//! The command line.

mod cli;

use std::{ffi::OsString, process::ExitCode};

use clap::Parser;

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let done = if cli::cell::is_asked(&arguments) {
        cli::cell::cell(&arguments)
    } else {
        cli::run(cli::Arguments::parse_from(arguments))
    };
    match done {
        Ok(code) => code.into(),
        Err(problem) => {
            cli::print_error(&problem);
            problem.exit_code().into()
        }
    }
}
