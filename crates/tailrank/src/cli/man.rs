//! `tailrank man` and `tailrank completions`

use clap::CommandFactory;
use clap_complete::{Shell, generate};
use clap_mangen::Man;

use super::{Arguments, prelude::*};

/// Print completions for a shell.
#[derive(Debug, Args)]
#[command(after_help = include_str!("help/completions.txt"))]
pub(crate) struct CompletionsArguments {
    /// The shell.
    shell: Shell,
}

pub(crate) fn completions(arguments: &CompletionsArguments) -> Result<Exit> {
    let mut text = Vec::new();
    generate(arguments.shell, &mut Arguments::command(), "tailrank", &mut text);
    print(String::from_utf8_lossy(&text).trim_end());
    Ok(Exit::Fine)
}

/// Print the manual page, or that of one command.
#[derive(Debug, Args)]
#[command(after_help = include_str!("help/man.txt"))]
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
            let Some(command) = program.find_subcommand(name) else {
                let names: Vec<&str> = program.get_subcommands().map(clap::Command::get_name).collect();
                let text = format!("no command is called '{name}'; commands are {}", names.join(", "));
                return usage(text);
            };
            Man::new(command.clone()).title(format!("tailrank-{name}"))
        }
    };
    let mut text = Vec::new();
    page.render(&mut text)?;
    print(String::from_utf8_lossy(&text).trim_end());
    Ok(Exit::Fine)
}
