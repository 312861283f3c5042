//! Everything that is printed: results to standard output, notes and errors to standard error.

use std::{
    borrow::Cow,
    io::{self, ErrorKind, Write},
    sync::OnceLock,
};

use tailrank_engine::EngineError;

use super::{Failure, Result, Session};

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

/// Prints a warning or a note, unless the user wants results alone.
pub(crate) fn note(session: &Session, text: &str) {
    if !session.quiet {
        tell(text);
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
        _ => tell(&format!("error: {problem}")),
    }
}

/// The text with its control characters written out (`\u001b`), but for line breaks and tabs: names come from data, and a
/// terminal obeys what it is sent. In JSON the written-out form means the same character.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    let shown = |c: char| !c.is_control() || c == '\n' || c == '\t';
    if text.chars().all(shown) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if shown(c) {
            out.push(c);
        } else {
            out.push_str(&format!("\\u{:04x}", u32::from(c)));
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::visible;

    #[test]
    fn control_characters_are_written_out() {
        assert_eq!(visible("t\u{1b}[31mRED\u{7}\n\tnaïve"), "t\\u001b[31mRED\\u0007\n\tnaïve");
        let json = serde_json::json!({ "task": "a\u{9b}b\u{7f}" });
        let read: serde_json::Value = serde_json::from_str(&visible(&json.to_string())).unwrap();
        assert_eq!(read, json);
    }
}
