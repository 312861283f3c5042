//! The command line.

use std::{env, process::ExitCode};

fn main() -> ExitCode {
    #[cfg(unix)]
    start_again_without_a_small_stack();
    let this = env::current_exe().ok().map(|path| vec![path.into()]);
    tailrank::cli::main(env::args_os().collect(), this.unwrap_or_default()).into()
}

/// Replaces this process by itself without RUST_MIN_STACK where that asks for less than the standard
/// library's default.
///
/// The pool of polars takes its stacks from this variable alone and overflows small ones. A variable can be
/// removed safely only for a new program, which happens at most once because the new one no longer has it.
/// Where it fails, the program goes on.
#[cfg(unix)]
fn start_again_without_a_small_stack() {
    use std::{os::unix::process::CommandExt, process::Command};

    const NAME: &str = "RUST_MIN_STACK";
    const DEFAULT: usize = 2 << 20;
    let asked = env::var(NAME).ok().and_then(|bytes| bytes.parse::<usize>().ok());
    if asked.is_some_and(|bytes| bytes < DEFAULT)
        && let Ok(this) = env::current_exe()
    {
        let mut words = env::args_os();
        let mut again = Command::new(this);
        if let Some(name) = words.next() {
            again.arg0(name);
        }
        let _ = again.args(words).env_remove(NAME).exec();
    }
}
