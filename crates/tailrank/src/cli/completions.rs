//! `tailrank completions`

use clap::{Args, CommandFactory};
use clap_complete::{Shell, generate};

use super::{Arguments, Exit, Result, say};

/// Print completions for a shell.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    tailrank completions bash > ~/.bash_completion.d/tailrank\n  \
    tailrank completions zsh > ~/.zfunc/_tailrank\n  \
    tailrank completions fish > ~/.config/fish/completions/tailrank.fish")]
pub(crate) struct CompletionsArguments {
    /// The shell.
    shell: Shell,
}

pub(crate) fn completions(arguments: &CompletionsArguments) -> Result<Exit> {
    let mut text = Vec::new();
    generate(arguments.shell, &mut Arguments::command(), "tailrank", &mut text);
    say(String::from_utf8_lossy(&text).trim_end());
    Ok(Exit::Fine)
}
