//! The question which column is to be predicted, with what is known of the columns.

use tailrank_data::{ColumnKind, ColumnProfile, Profile, Suspicion};

use tailrank_report::terminal::{Align, layout};

use super::{
    super::{Session, count, note, output::ask, width},
    look::{Look, Shape},
};

/// Names of columns that hold a part of the date.
pub(super) const PARTS: [&str; 12] =
    ["year", "quarter", "month", "week", "day", "hour", "date", "time", "period", "jahr", "monat", "session"];

/// Names of columns that are there to be predicted.
const TARGETS: [&str; 6] = ["target", "y", "class", "response", "outcome", "label"];

/// Columns that are listed; a table of hundreds would scroll away.
const SHOWN: usize = 40;

/// Asks a terminal for the column, by its number or its name, until it names one. None where nobody answers.
pub(super) fn for_target(session: &Session, look: &Look<'_>) -> Option<String> {
    let profile = look.profile;
    let mut question = format!(
        "{} has {} and {}:\n\n{}\n\nWhich column is to be predicted? Type its number or name (Enter for none):",
        look.path.display(),
        count(profile.rows, "row"),
        count(profile.columns.len(), "column"),
        columns(profile, true)
    );
    loop {
        let answer = ask(session, &question)?;
        if let Some(column) = named(profile, &answer) {
            note(session, &format!("predicting {column}; next time give --target {}", shell(column)));
            return Some(column.to_owned());
        }
        question = format!("'{answer}' is not a column's number or name. Which column?");
    }
}

/// The column that an answer names: a name goes before a number, for columns may be called 1, 2, 3.
fn named<'a>(profile: &'a Profile, answer: &str) -> Option<&'a str> {
    let by_number = || profile.columns.get(answer.parse::<usize>().ok()?.checked_sub(1)?);
    let exact = profile.columns.iter().find(|c| c.name == answer);
    let spelt = || profile.columns.iter().find(|c| c.name.trim().eq_ignore_ascii_case(answer));
    exact.or_else(by_number).or_else(spelt).map(|c| c.name.as_str())
}

/// What is known of the columns, with their numbers if these may be typed.
fn columns(profile: &Profile, numbered: bool) -> String {
    let headings = [
        ("", Align::Right),
        ("column", Align::Left),
        ("type", Align::Left),
        ("missing", Align::Right),
        ("skew", Align::Right),
        ("such as", Align::Left),
    ];
    let first = usize::from(!numbered);
    let numbers = 1..=SHOWN;
    let row = |(n, c): (usize, &ColumnProfile)| {
        [vec![n.to_string()], row(c, profile.rows)].concat().split_off(first)
    };
    let rows: Vec<Vec<String>> = numbers.zip(&profile.columns).map(row).collect();
    let more = profile.columns.len().saturating_sub(SHOWN);
    let more = if more > 0 { format!("\n… and {}", count(more, "more column")) } else { String::new() };
    format!("{}{more}", layout(&headings[first..], &rows, width()))
}

/// What is written where a table has no target yet.
pub(super) fn which_target(look: &Look<'_>) -> String {
    let profile = look.profile;
    let file = look.path.display();
    let candidates: Vec<&ColumnProfile> = profile
        .targets()
        .filter(|c| !is_class(c) && Some(&c.name) != profile.time().map(|t| &t.name))
        .collect();
    // What is called the target is the likeliest question, then a price, then the longest tail; parts of the date and names of rows
    // are not.
    let tail = |c: &&ColumnProfile| match c.kind {
        ColumnKind::Number { skewness, .. }
            if !PARTS.contains(&c.name.to_lowercase().as_str()) && !is_id(&c.name) =>
        {
            skewness.abs()
        }
        _ => -1.0,
    };
    let called =
        candidates.iter().copied().find(|c| TARGETS.contains(&c.name.trim().to_lowercase().as_str()));
    let price = candidates.iter().copied().find(|c| profile.price().is_some_and(|p| p.name == c.name));
    let longest = || candidates.iter().copied().max_by(|a, b| tail(a).total_cmp(&tail(b)));
    let Some(example) = called.or(price).or_else(longest) else {
        let listed = columns(profile, false);
        return format!("{file}: no column holds numbers that could be predicted\n\n{listed}");
    };
    let word = shell(&example.name);
    let name = shell(&look.path.display().to_string());
    let mut text = format!(
        "{file}: which column is to be predicted? It has {} and {}:\n\n{}\n\nName it, for example:\n  tailrank init {name} \
         --target {word} --out mine.toml",
        count(profile.rows, "row"),
        count(profile.columns.len(), "column"),
        columns(profile, false),
    );
    if let Some(time) = profile.time().filter(|_| has_past(look, &example.name)) {
        text.push_str(&format!(
            "\nOr predict a column from its own past, in the order of {}:\n  tailrank init {name} --target {word} --horizon 1 --out \
             mine.toml",
            time.name
        ));
    }
    text
}

/// Whether a column can be predicted from its own past: not where dates repeat, as years do in quarterly data.
fn has_past(look: &Look<'_>, target: &str) -> bool {
    let asked = Look {
        target: Some(target),
        horizons: &[1],
        date_format: look.date_format.clone(),
        date_format_text: look.date_format_text.clone(),
        ..*look
    };
    matches!(asked.shape(), Ok(Shape::Series(_)))
}

/// Whether a column is named as the number of a thing, which nobody predicts.
fn is_id(name: &str) -> bool {
    let lower = name.trim().to_lowercase();
    lower == "id"
        || ["_id", " id", "-id", ".id"].iter().any(|end| lower.ends_with(end))
        || name.ends_with("Id")
}

/// Few values that many rows share: a class rather than a quantity.
pub(super) fn is_class(column: &ColumnProfile) -> bool {
    const CLASSES: usize = 5;
    matches!(column.kind, ColumnKind::Number { discrete: true, .. }) && column.distinct <= CLASSES
}

fn row(column: &ColumnProfile, rows: usize) -> Vec<String> {
    let kind = match (&column.kind, column.suspicion) {
        (_, Some(Suspicion::RowNumber)) => "row number".to_owned(),
        (_, Some(Suspicion::Identifier)) => "name of the row".to_owned(),
        (_, Some(Suspicion::NumbersWithSign)) => "number with a sign".to_owned(),
        (_, Some(Suspicion::Constant)) => "always the same".to_owned(),
        (ColumnKind::Empty, _) => "empty".to_owned(),
        (ColumnKind::Date { .. }, _) => "date".to_owned(),
        (ColumnKind::Text, _) => format!("text, {}", count(column.distinct, "value")),
        (ColumnKind::Number { discrete: true, .. }, _) => {
            format!("number, {}", count(column.distinct, "value"))
        }
        _ => "number".to_owned(),
    };
    let skew = match column.kind {
        // What rounds to zero has no side.
        ColumnKind::Number { skewness, .. } => tailrank_experiment::text::fixed(skewness, 1),
        _ => String::new(),
    };
    let missing = match column.missing {
        0 => "–".to_owned(),
        n => format!("{:.0}%", (100.0 * n as f64 / rows.max(1) as f64).max(1.0)),
    };
    vec![column.name.clone(), kind, missing, skew, column.examples.join(", ")]
}

/// A word as a shell takes it.
fn shell(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "._-/+:@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
