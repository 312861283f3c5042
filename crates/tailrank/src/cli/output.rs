//! Everything that is printed: results to standard output or a new file, notes and errors to standard error.

use std::{
    fs::OpenOptions,
    io::{self, ErrorKind, IsTerminal, Write},
    path::Path,
    sync::OnceLock,
};

use tailrank_experiment::EngineError;

use tailrank_report::terminal::{Screen, visible, wrap};

use super::{Failure, Result, Session, width};

/// Why a result could not be printed. Kept until the command ends: a full disk must not stop the run behind it.
static LOST: OnceLock<io::Error> = OnceLock::new();

/// Prints a result for people, or as JSON.
pub(crate) fn say(text: &str) {
    say_exactly(&visible(text));
}

/// Prints a result byte by byte, such as CSV.
pub(crate) fn say_exactly(text: &str) {
    keep(writeln!(io::stdout().lock(), "{text}"));
}

/// Prints a screen, with colours where a terminal shows them.
pub(crate) fn show(screen: &Screen) {
    say_exactly(&screen.text(has_colours()));
}

/// Whether standard output shows colours. `NO_COLOR` (no-color.org) forbids them, `CLICOLOR_FORCE` wants them in files, too.
fn has_colours() -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if is_set("NO_COLOR") {
        return false;
    }
    if is_set("CLICOLOR_FORCE") {
        return true;
    }
    io::stdout().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// Ends printing.
///
/// # Errors
/// The first result that could not be printed. A closed pipe (`tailrank list models | head`) is no error.
pub(crate) fn finish() -> Result<()> {
    keep(io::stdout().lock().flush());
    match LOST.get() {
        Some(e) => Err(Failure::Other(format!("cannot write to standard output: {e}"))),
        None => Ok(()),
    }
}

fn keep(printed: io::Result<()>) {
    if let Err(e) = printed
        && e.kind() != ErrorKind::BrokenPipe
    {
        let _ = LOST.set(e);
    }
}

/// Prints what is no result, such as progress, and goes on if nobody listens any more: a terminal that went away must not
/// end the run.
pub(crate) fn tell(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", visible(text));
}

/// Prints a warning or a note in lines that fit, unless the user wants results alone.
pub(crate) fn note(session: &Session, text: &str) {
    if !session.quiet {
        tell(&wrap(text, width()));
    }
}

/// Prints what a user should know of files that are not ours.
pub(crate) fn warn_of(session: &Session, notices: &[String]) {
    for notice in notices {
        note(session, &format!("warning: {notice}"));
    }
}

pub(crate) fn print_error(problem: &Failure) {
    match problem {
        Failure::Engine(EngineError::Interrupted) => tell(&problem.to_string()),
        _ => {
            let text = format!("error: {problem}");
            let line = |line: &str| if is_command(line) { line.to_owned() } else { wrap(line, width()) };
            tell(&text.lines().map(line).collect::<Vec<_>>().join("\n"));
        }
    }
}

/// Whether a line is a command to paste, which no line break may cut.
fn is_command(line: &str) -> bool {
    const PROGRAMS: [&str; 4] = ["tailrank ", "sbatch ", "scancel ", "sh "];
    line.starts_with(' ') && PROGRAMS.iter().any(|program| line.trim_start().starts_with(program))
}

/// Asks and reads a line. None where nobody can answer: input or the place of the question is not a terminal, or the user wants
/// results alone; and where the answer is empty or the input ends.
pub(crate) fn ask(session: &Session, question: &str) -> Option<String> {
    if session.quiet || !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return None;
    }
    write!(io::stderr().lock(), "{} ", visible(question)).ok()?;
    let mut line = String::new();
    io::stdin().read_line(&mut line).ok()?;
    let line = line.trim();
    (!line.is_empty()).then(|| line.to_owned())
}

/// Writes a file that must not be there yet: what a user has edited or brought is not overwritten.
pub(crate) fn write_new(path: &Path, text: &str) -> Result<()> {
    let written = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(path)
        .and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|e| match e.kind() {
        ErrorKind::AlreadyExists => {
            Failure::Usage(format!("{} already exists; choose another --out or delete it", path.display()))
        }
        _ => Failure::Other(format!("cannot write {}: {e}", path.display())),
    })
}
