//! What only the user knows: in a terminal a question, elsewhere an error with the command for each reading.

use clap::ValueEnum;
use tailrank_runner::slurm::shell_word;

use super::{super::prelude::*, InitArguments};

/// Why no experiment is written.
pub(super) enum Refusal {
    /// The file or what was asked of it is wrong.
    Wrong(String),
    /// It can be read in several ways.
    Ask(Question),
    /// It is a table, and nobody said which column to predict.
    Target,
    /// The command is wrong, whatever the file holds.
    Failed(Failure),
}

impl Refusal {
    /// A question that only the user can answer.
    pub(super) fn ask<const N: usize>(text: String, readings: [Reading; N]) -> Self {
        Self::Ask(Question { text, readings: readings.into() })
    }
}

impl From<String> for Refusal {
    fn from(problem: String) -> Self {
        Self::Wrong(problem)
    }
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

/// A question with its answers.
pub(super) struct Question {
    /// What is not known, as a sentence without its end.
    pub(super) text: String,
    pub(super) readings: Vec<Reading>,
}

/// One way to read a file: in words, and as what it adds to the command.
pub(super) type Reading = (&'static str, fn(&mut InitArguments));

impl Question {
    /// The answer of a terminal; none where nobody answers.
    pub(super) fn put(&self, session: &Session, file: &str) -> Option<fn(&mut InitArguments)> {
        let lines = self.readings.iter().zip(1..).map(|((words, _), n)| format!("\n  {n}  {words}"));
        let lines: String = lines.collect();
        let question =
            format!("{file}: {}.\n{lines}\n\nWhich is it? Type its number (Enter for none):", self.text);
        let reading = |typed: &str| self.readings.get(typed.parse::<usize>().ok()?.checked_sub(1)?);
        let (words, answer) = ask_until(session, question, reading, "is none of the numbers. Which?")?;
        session.print_note(&format!("taking it so: {words}"));
        Some(*answer)
    }
}

/// Asks a terminal until what is typed can be read; none where nobody answers.
pub(super) fn ask_until<T>(
    session: &Session,
    mut question: String,
    read: impl Fn(&str) -> Option<T>,
    again: &str,
) -> Option<T> {
    loop {
        let typed = ask(session, &question)?;
        match read(&typed) {
            None => question = format!("'{typed}' {again}"),
            read => return read,
        }
    }
}

/// The command that calls `init` with these arguments.
pub(super) fn command(arguments: &InitArguments) -> String {
    let InitArguments { file, target, horizon, kind, panel, order, .. } = arguments;
    let InitArguments { ignore, models, name, date_format, decimal, out, .. } = arguments;
    let horizons: Vec<String> = horizon.iter().map(ToString::to_string).collect();
    let listed = |words: &[String]| (!words.is_empty()).then(|| words.join(","));
    let options = [
        ("target", target.clone()),
        ("horizon", listed(&horizons)),
        ("kind", kind.map(|kind| kind.id().to_owned())),
        ("panel", panel.and_then(|panel| Some(panel.to_possible_value()?.get_name().to_owned()))),
        ("order", order.map(|_| "rows".to_owned())),
        ("ignore", listed(ignore)),
        ("models", listed(models)),
        ("name", name.clone()),
        ("date-format", date_format.clone()),
        ("decimal", super::decimal(*decimal).map(str::to_owned)),
        ("out", out.as_ref().map(|out| out.display().to_string())),
    ];
    let given = options.into_iter().filter_map(|(name, value)| Some((name, value?)));
    let words: String = given.map(|(name, value)| format!(" --{name} {}", shell_word(&value))).collect();
    format!("tailrank init {}{words}", shell_word(&file.display().to_string()))
}
