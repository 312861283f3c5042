//! The command line.

mod cli;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let arguments = cli::Arguments::parse();
    match cli::run(arguments) {
        Ok(code) => code.into(),
        Err(problem) => {
            cli::print_error(&problem);
            problem.exit_code().into()
        }
    }
}
