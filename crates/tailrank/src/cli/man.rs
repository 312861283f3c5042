//! `tailrank man`

use clap::{Args, CommandFactory};
use clap_mangen::Man;

use super::{Arguments, Exit, Failure, Result, say};

/// Print the manual page, or that of one command.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  tailrank man > tailrank.1\n  tailrank man run | man -l -")]
pub(crate) struct ManArguments {
    /// The command whose page to print; the whole program's by default.
    command: Option<String>,
}

pub(crate) fn man(arguments: &ManArguments) -> Result<Exit> {
    let mut program = Arguments::command();
    // Fills in what commands inherit, such as --quiet.
    program.build();
    let page = match &arguments.command {
        None => Man::new(program),
        Some(name) => {
            let names: Vec<String> = program.get_subcommands().map(|c| c.get_name().to_owned()).collect();
            let unknown = || {
                Failure::Usage(format!("no command is called '{name}'; commands are {}", names.join(", ")))
            };
            let command = program.find_subcommand(name).ok_or_else(unknown)?.clone();
            Man::new(command).title(format!("tailrank-{name}"))
        }
    };
    let mut text = Vec::new();
    page.render(&mut text)?;
    say(String::from_utf8_lossy(&text).trim_end());
    Ok(Exit::Fine)
}
