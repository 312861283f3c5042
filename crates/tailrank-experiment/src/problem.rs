//! What is wrong with an experiment file, and where in its text.

use std::{
    collections::{HashMap, HashSet},
    fmt,
    ops::Range,
};

use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use crate::text::limit_repeats;

/// One thing wrong with an experiment file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Problem {
    /// Line, from 1; 0 when the problem has no single line.
    pub line: usize,
    /// Dotted path of the key, such as `models.2.grid`.
    pub key: String,
    /// What is wrong and what to do.
    pub message: String,
}

impl Problem {
    /// A problem of a key; its line is found later, from the text of the file.
    pub fn new(key: impl Into<String>, message: impl Into<String>) -> Self {
        Self { line: 0, key: key.into(), message: message.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "line {}: ", self.line)?;
        }
        if !self.key.is_empty() {
            write!(f, "{}: ", self.key)?;
        }
        f.write_str(&self.message)
    }
}

/// The problems of one section, as they are found.
pub(crate) struct Problems<'a> {
    pub(crate) section: &'a str,
    pub(crate) found: Vec<Problem>,
}

impl<'a> Problems<'a> {
    pub(crate) fn of(section: &'a str) -> Self {
        Self { section, found: Vec::new() }
    }

    /// A problem of a key of the section, unless the key is fine.
    pub(crate) fn check(&mut self, key: &str, is_fine: bool, message: impl Into<String>) {
        if !is_fine {
            self.found.push(Problem::new(below(self.section, key), message));
        }
    }

    /// A number that is not as it should be.
    pub(crate) fn number(&mut self, key: &str, number: impl fmt::Display, is_fine: bool, expected: &str) {
        self.check(key, is_fine, format!("{number} {expected}"));
    }
}

/// Problems with the lines of their keys; of the nearest section that stands in the text where a key does
/// not.
pub(crate) fn with_lines(text: &str, mut problems: Vec<Problem>) -> Vec<Problem> {
    let mut told = HashSet::new();
    problems.retain(|p| told.insert(p.clone()));
    if problems.iter().all(|p| p.line > 0) {
        return problems;
    }
    let lines = Lines::of(text);
    let entries = entries(DeTable::parse_recoverable(text).0.get_ref());
    let places: HashMap<&str, usize> = entries.iter().map(|e| (e.path.as_str(), e.place)).collect();
    for problem in problems.iter_mut().filter(|p| p.line == 0) {
        let mut key = problem.key.as_str();
        while !key.is_empty() && problem.line == 0 {
            problem.line = places.get(key).map_or(0, |place| lines.line(*place));
            key = key.rsplit_once('.').map_or("", |(section, _)| section);
        }
    }
    problems
}

/// A line for each problem, ten at most of those that differ in names and numbers alone.
pub(crate) fn listed(problems: &[Problem]) -> String {
    let (shown, left_out) = limit_repeats(problems, kind_of);
    let mut lines: Vec<String> = shown.iter().map(|problem| format!("  - {problem}")).collect();
    if left_out > 0 {
        lines.push(format!("  … and {left_out} more of these kinds"));
    }
    lines.join("\n")
}

/// A problem without its line, the numbers of its key and message, and what is in quotation marks.
fn kind_of(problem: &Problem) -> String {
    let section = problem.key.rsplit_once('.').map_or("", |(section, _)| section);
    let mut quote = None;
    let plain = |c: &char| {
        match (quote, *c) {
            (None, '\'' | '"' | '`') => quote = Some(*c),
            (Some(open), close) if open == close => quote = None,
            _ => {}
        }
        quote.is_none() && !c.is_ascii_digit()
    };
    let section: String = section.chars().filter(|c| !c.is_ascii_digit()).collect();
    format!("{section} {}", problem.message.chars().filter(plain).collect::<String>())
}

/// A key of a text, or an item of a list.
pub(crate) struct Entry {
    /// Such as `models.2.grid`.
    pub(crate) path: String,
    /// Where it stands.
    pub(crate) place: usize,
    /// Where its key stands; of an item, that of the list.
    pub(crate) key: Range<usize>,
    /// Where its value stands.
    pub(crate) value: Range<usize>,
    /// Whether its value is a table.
    pub(crate) is_table: bool,
}

/// Every key and every item of a list, those below it before each.
pub(crate) fn entries(table: &DeTable<'_>) -> Vec<Entry> {
    let mut found = Vec::new();
    add_keys(table, "", &mut found);
    found
}

fn add_keys(table: &DeTable<'_>, path: &str, found: &mut Vec<Entry>) {
    for (key, value) in table {
        add_value(value, below(path, key.get_ref()), key.span().start, key.span(), found);
    }
}

fn add_value(
    value: &Spanned<DeValue<'_>>,
    path: String,
    place: usize,
    key: Range<usize>,
    found: &mut Vec<Entry>,
) {
    match value.get_ref() {
        DeValue::Table(table) => add_keys(table, &path, found),
        DeValue::Array(items) => {
            for (i, item) in items.iter().enumerate() {
                add_value(item, format!("{path}.{}", i + 1), item.span().start, key.clone(), found);
            }
        }
        _ => {}
    }
    let is_table = matches!(value.get_ref(), DeValue::Table(_));
    found.push(Entry { path, place, key, value: value.span(), is_table });
}

/// The path of a key inside a section.
pub(crate) fn below(section: &str, key: &str) -> String {
    if section.is_empty() { key.to_owned() } else { format!("{section}.{key}") }
}

/// Where the lines of a text begin, so that a place's line is found without counting from the front.
pub(crate) struct Lines {
    ends: Vec<usize>,
}

impl Lines {
    pub(crate) fn of(text: &str) -> Self {
        Self { ends: text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i).collect() }
    }

    /// The line of a place, from 1.
    pub(crate) fn line(&self, place: usize) -> usize {
        self.ends.partition_point(|end| *end < place) + 1
    }

    /// A problem that the TOML reader found.
    pub(crate) fn problem(&self, error: &toml::de::Error) -> Problem {
        let line = error.span().map_or(0, |span| self.line(span.start));
        // The reader's own words: it stops at 80 levels.
        let message = match error.message() {
            deep if deep.contains("recurs") => "nests too deep for an experiment file",
            other => other,
        };
        Problem { line, key: String::new(), message: message.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_of_a_kind_are_enough() {
        let mut all: Vec<Problem> =
            (1..=14).map(|i| Problem::new(format!("models.{i}.grid"), format!("'p{i}' is {i}"))).collect();
        all.push(Problem::new("name", "is empty"));
        let text = listed(&all);
        assert_eq!(text.lines().count(), 12, "{text}");
        assert!(text.contains("models.10.grid: 'p10'") && !text.contains("models.11"), "{text}");
        assert!(text.ends_with("- name: is empty\n  … and 4 more of these kinds"), "{text}");
        let twice = with_lines("name = 1", vec![all[0].clone(), all[0].clone()]);
        assert_eq!(twice.len(), 1);
    }

    #[test]
    fn a_problem_gets_the_line_of_its_key_or_of_its_section() {
        let text = "name = \"t\"\n[compare]\n# none\nalpha = 3\n[[models]]\nfamily = \"svm\"\n\n[[models]]\n\
                    grid = { cost = [1,\n 2] }\n[tasks.\"BRK.A 1d\".relevance]\nk = 3\n";
        let lines = |keys: &[&str]| -> Vec<usize> {
            let problems = keys.iter().map(|key| Problem::new(*key, "")).collect();
            with_lines(text, problems).iter().map(|p| p.line).collect()
        };
        assert_eq!(lines(&["name", "compare", "compare.alpha", "compare.top"]), [1, 2, 4, 2]);
        assert_eq!(
            lines(&["models.1.label", "models.2", "models.2.grid", "models.2.grid.cost.2"]),
            [5, 8, 9, 10]
        );
        assert_eq!(lines(&["tasks.BRK.A 1d.relevance.k", "split.at", ""]), [12, 0, 0]);
        let known = vec![Problem { line: 7, ..Problem::new("name", "") }];
        assert_eq!(with_lines(text, known.clone()), known);
    }
}
