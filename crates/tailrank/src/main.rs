//! The command line.

use std::{env, process::ExitCode};

fn main() -> ExitCode {
    let this = env::current_exe().ok().map(|path| vec![path.into()]);
    tailrank::cli::main(env::args_os().collect(), this.unwrap_or_default()).into()
}
