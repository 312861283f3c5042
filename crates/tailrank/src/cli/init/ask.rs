//! The question which column is to be predicted, with what is known of the columns.

use tailrank_data::{ColumnKind, ColumnProfile, Profile, Suspicion};
use tailrank_experiment::text::fixed;

use super::{super::prelude::*, look::Look, question::ask_until};

/// Names of columns that hold a part of the date.
pub(super) const PARTS: [&str; 10] =
    ["year", "quarter", "month", "week", "day", "hour", "date", "time", "jahr", "monat"];

/// Names of columns that are there to be predicted.
const TARGETS: [&str; 6] = ["target", "y", "class", "response", "outcome", "label"];

/// Columns that are listed; a table of hundreds would scroll away.
const SHOWN: usize = 40;

/// Asks a terminal for the column, by its number or its name, until it names one. None where nobody answers.
pub(super) fn for_target(session: &Session, look: &Look<'_>) -> Option<String> {
    let question = format!(
        "{} has {}:\n\n{}\n\nWhich column is to be predicted? Type its number or name (Enter for none):",
        look.arguments.file.display(),
        size(look.profile),
        columns(look.profile, true)
    );
    let again = "is not a column's number or name. Which column?";
    let column = ask_until(session, question, |answer| named(look.profile, answer), again)?;
    session.print_note(&format!("predicting {column}; next time give --target {column}"));
    Some(column)
}

fn size(profile: &Profile) -> String {
    format!("{} and {}", count(profile.rows, "row"), count(profile.columns.len(), "column"))
}

/// The column that an answer names: a name goes before a number, for columns may be called 1, 2, 3.
fn named(profile: &Profile, answer: &str) -> Option<String> {
    let by_number = || profile.columns.get(answer.parse::<usize>().ok()?.checked_sub(1)?);
    let spelt = || profile.columns.iter().find(|c| c.name.trim().eq_ignore_ascii_case(answer));
    profile.column(answer).or_else(by_number).or_else(spelt).map(|c| c.name.clone())
}

/// What is known of the columns, with their numbers if these may be typed.
fn columns(profile: &Profile, numbered: bool) -> String {
    let headings = [">", "column", "type", ">missing", ">skew", "such as"];
    let row = |(n, c): (usize, &ColumnProfile)| {
        let number = numbered.then(|| n.to_string());
        number.into_iter().chain(row(c, profile.rows)).collect()
    };
    let rows = (1..=SHOWN).zip(&profile.columns).map(row);
    let table = TextTable::new(headings.into_iter().skip(usize::from(!numbered)), rows);
    let more = profile.columns.len().saturating_sub(SHOWN);
    let more = if more > 0 { format!("\n… and {}", count(more, "more column")) } else { String::new() };
    format!("{}{more}", TextTable { indent: 0, ..table }.text(width()))
}

/// What is written where a table has no target yet; `commands` name a column each.
pub(super) fn which_target(look: &Look<'_>, commands: &str) -> String {
    let (file, columns) = (look.arguments.file.display(), columns(look.profile, false));
    if candidates(look).is_empty() {
        return format!("{file}: no column holds numbers that could be predicted\n\n{columns}");
    }
    format!(
        "{file}: which column is to be predicted? It has {}:\n\n{columns}\n\nName it with --target, and with --horizon to \
         predict it from its own past, for example:{commands}",
        size(look.profile),
    )
}

/// Columns that could be predicted, the likeliest first: what is called the target, then a price, then the longest tail; not parts of the
/// date or names of rows.
pub(super) fn candidates<'a>(look: &Look<'a>) -> Vec<&'a ColumnProfile> {
    let profile = look.profile;
    let rank = |c: &ColumnProfile| match c.kind {
        _ if TARGETS.contains(&c.name.trim().to_lowercase().as_str()) => f64::INFINITY,
        _ if profile.price().is_some_and(|price| price.name == c.name) => f64::MAX,
        _ if PARTS.contains(&c.name.to_lowercase().as_str()) || is_id(&c.name) => -1.0,
        ColumnKind::Number { skewness, .. } => skewness.abs(),
        _ => -1.0,
    };
    let is_time = |c: &ColumnProfile| look.time.as_ref().is_some_and(|time| time.name == c.name);
    let usable = |c: &&ColumnProfile| !is_class(c) && !is_time(c) && !look.ignores(c);
    let mut found: Vec<&ColumnProfile> = profile.targets().filter(usable).collect();
    found.sort_by(|a, b| rank(b).total_cmp(&rank(a)));
    found
}

/// Whether a column is named as the number of a thing, which nobody predicts.
pub(super) fn is_id(name: &str) -> bool {
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

/// Name, type, share of missing values, skewness and examples.
fn row(column: &ColumnProfile, rows: usize) -> [String; 5] {
    let kind = match (&column.kind, column.suspicion) {
        (_, Some(Suspicion::RowNumber)) => "row number".to_owned(),
        (_, Some(Suspicion::Identifier)) => "name of the row".to_owned(),
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
        ColumnKind::Number { skewness, .. } => fixed(skewness, 1),
        _ => String::new(),
    };
    let missing = match column.missing {
        0 => DASH.to_owned(),
        n => format!("{:.0}%", (100.0 * n as f64 / rows.max(1) as f64).max(1.0)),
    };
    [column.name.clone(), kind, missing, skew, with_minus(&column.examples.join(", "))]
}
