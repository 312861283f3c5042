//! Everything that is printed: results to standard output or a new file, notes and errors to standard error.

use std::{
    fmt::Display,
    fs::OpenOptions,
    io::{self, ErrorKind, IsTerminal, Write},
    path::Path,
    sync::OnceLock,
};

use tailrank_data::frame::{self, Frame};
use tailrank_experiment::{EngineError, config::Difference};
use tailrank_report::terminal::{Line, Screen, TextTable, Tone, visible, wrap};

use super::{Exit, Failure, Result, Session, width};
use crate::studies::with_minus;

/// The first error of writing to standard output. It is kept until the command ends, so that a full disk does not stop a run.
static LOST: OnceLock<io::Error> = OnceLock::new();

/// Prints a result, with control characters written out.
pub(crate) fn print(text: &str) {
    print_exactly(&visible(text));
}

/// Prints a result byte by byte, such as CSV.
pub(crate) fn print_exactly(text: &str) {
    keep(writeln!(io::stdout().lock(), "{text}"));
}

/// Prints a result for scripts.
pub(crate) fn print_json(value: &serde_json::Value) {
    print(&format!("{value:#}"));
}

/// Prints a screen, with colours where a terminal shows them.
pub(crate) fn print_screen(screen: &Screen) {
    print_exactly(&screen.text(has_colours()));
}

/// Whether standard output shows colours. `NO_COLOR` (no-color.org) forbids them, `CLICOLOR_FORCE` wants them in files, too.
fn has_colours() -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_dumb = || std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    !is_set("NO_COLOR") && (is_set("CLICOLOR_FORCE") || io::stdout().is_terminal() && !is_dumb())
}

/// Prints a table as CSV, for programs or for a spreadsheet.
pub(crate) fn print_csv(table: &Frame, spreadsheet: bool) -> Result<()> {
    print_exactly(String::from_utf8_lossy(&csv(table, spreadsheet)?).trim_end());
    Ok(())
}

/// A table as CSV, for programs or for a spreadsheet.
pub(crate) fn csv(table: &Frame, spreadsheet: bool) -> Result<Vec<u8>> {
    let written = if spreadsheet { frame::to_spreadsheet_csv(table) } else { frame::to_csv(table) };
    written.map_err(|e| Failure::Other(e.to_string()))
}

/// What a setting was and is, in words; `none` where there is none.
pub(crate) fn before_after(d: &Difference, none: &str) -> String {
    let value = |v: &Option<String>| with_minus(v.as_deref().unwrap_or(none));
    format!("{} → {}", value(&d.before), value(&d.after))
}

/// Ends printing.
///
/// # Errors
/// The first result that could not be printed. A closed pipe (`tailrank list models | head`) is no error.
pub(crate) fn finish() -> Result<()> {
    keep(io::stdout().lock().flush());
    LOST.get().map_or(Ok(()), |e| Err(Failure::Other(format!("cannot write to standard output: {e}"))))
}

fn keep(printed: io::Result<()>) {
    if let Err(e) = printed
        && e.kind() != ErrorKind::BrokenPipe
    {
        let _ = LOST.set(e);
    }
}

/// Prints progress, notes and errors to standard error. A terminal that was closed must not end the run, so that errors are
/// ignored.
pub(crate) fn print_status(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", visible(text));
}

impl Session {
    /// Prints a warning or a note in lines that fit, unless the user wants results alone.
    pub(crate) fn print_note(&self, text: &str) {
        if !self.quiet {
            print_status(&wrap(text, width()));
        }
    }

    /// Says what a run on this system has to do without.
    pub(crate) fn print_platform(&self) {
        if cfg!(windows) {
            self.print_note(
                "note: on Windows fits have no process of their own (limits.isolate), and programs have no limit of memory and \
                outlive a run that is killed",
            );
        }
    }

    /// Prints warnings, unless the user wants results alone.
    pub(crate) fn print_warnings(&self, warnings: impl IntoIterator<Item = impl Display>) {
        for warning in warnings {
            self.print_note(&format!("warning: {warning}"));
        }
    }
}

/// Ends a command: what it found as JSON, or as a screen.
pub(crate) fn print_found(
    as_json: bool,
    json: impl FnOnce() -> serde_json::Value,
    screen: impl FnOnce() -> Screen,
) -> Result<Exit> {
    if as_json {
        print_json(&json());
    } else {
        print_screen(&screen());
    }
    Ok(Exit::Fine)
}

/// Adds a table of at most `most` rows to a screen, and how many more there are, and `elsewhere`.
pub(crate) fn add_table(out: &mut Screen, mut table: TextTable, most: usize, elsewhere: &str) {
    let more = table.rows.len().saturating_sub(most);
    table.rows.truncate(most);
    out.extend(TextTable { indent: 1, ..table }.lay_out(width()).0);
    if more > 0 {
        out.push(Line::new(Tone::Dim, format!(" … {more} more {elsewhere}")));
    }
}

pub(crate) fn print_error(problem: &Failure) {
    if let Failure::Engine(EngineError::Interrupted) | Failure::Stopped = problem {
        return print_status(&problem.to_string());
    }
    let text = format!("error: {problem}");
    let line = |line: &str| if is_command(line) { line.to_owned() } else { wrap(line, width()) };
    print_status(&text.lines().map(line).collect::<Vec<_>>().join("\n"));
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
    let opened = OpenOptions::new().write(true).create_new(true).open(path);
    opened.and_then(|mut file| file.write_all(text.as_bytes())).map_err(|e| match e.kind() {
        ErrorKind::AlreadyExists => {
            Failure::Usage(format!("{} already exists; choose another --out or delete it", path.display()))
        }
        _ => cannot_write(path, &e),
    })
}

pub(crate) fn cannot_write(path: &Path, e: &io::Error) -> Failure {
    Failure::Other(format!("cannot write {}: {e}", path.display()))
}
