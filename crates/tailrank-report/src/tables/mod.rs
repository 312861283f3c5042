//! The engine's tables for other tools: Markdown, LaTeX, HTML, JSON. CSV and Parquet are the engine's
//! (`tailrank_score::score::table_files`).
//!
//! A [`Table`] holds values, not text; [`markdown`], [`latex`] and [`html`](html()) print it, each with the
//! escapes of its format, because every name comes from a user's file. In a column of scores Markdown and
//! LaTeX mark the best and the second.
//!
//! ```
//! use tailrank_report::{claims::{Claim, Standing, Tag}, tables};
//! let claim = Claim {
//!     tag: Tag::Finding,
//!     source: "PR09 §5.2".into(),
//!     says: "the top fives are disjoint".into(),
//!     found: "they share 0 of 5".into(),
//!     evidence: "comparisons.csv".into(),
//!     standing: Standing::Agree,
//! };
//! let table = tables::claims(&[claim]);
//! assert!(tables::markdown(&table).contains("| PR09 §5.2 | the top fives are disjoint |"));
//! assert!(tables::latex(&table).contains(r"\toprule"));
//! ```

mod html;
mod latex;
mod markdown;
mod printed;

pub use html::{CellMarkup, html};
pub use latex::latex;
pub use markdown::markdown;
pub use printed::PrintedTable;

use serde_json::{Value, json as value};
use tailrank_metrics::Measure;
use tailrank_score::{
    score::{Results, answer::Picks},
    table::{Cell, Format, Mark, Table, slug},
};

use crate::{answer, claims::Claim, words::better_word};

/// The tables of a run that a paper would print: the winners of each pair of measures, the scores of each
/// task that is `shown`, and all tables that are short; those with a row for every fit are files only.
pub fn all(results: &Results, found: &[Claim], shown: impl Fn(usize) -> bool) -> Vec<Table> {
    let mut tables: Vec<Table> =
        results.answer.picks.iter().map(|picks| comparison(results, picks)).collect();
    tables.extend((0..results.names.tasks.len()).filter(|&t| shown(t)).filter_map(|t| scores(results, t)));
    let short =
        ["decisions", "costs", "average_ranks", "friedman", "trading", "selection", "steps", "chance"];
    tables.extend(short.iter().filter_map(|id| results.table(id)).map(answer::in_words));
    tables.push(claims(found));
    tables.retain(|t| !t.rows.is_empty());
    tables
}

/// What a paper says beside what a run found, one row per claim.
pub fn claims(found: &[Claim]) -> Table {
    use Format::{Name, Prose};
    Table::of(found)
        .column(Name, "tag", "kind", |c| c.tag.to_string())
        .means("identity, set-up, the paper's finding, or ours")
        .column(Name, "source", "source", |c| c.source.as_str())
        .means("where the paper says it")
        .column(Prose, "says", "the paper says", |c| c.says.as_str())
        .means("the claim")
        .column(Prose, "found", "this run found", |c| c.found.as_str())
        .means("what was found")
        .column(Prose, "evidence", "evidence", |c| c.evidence.as_str())
        .means("the rule that decides, and what would have made it come out otherwise")
        .column(Name, "standing", "standing", |c| c.standing.to_string())
        .means("whether they agree")
        .titled("claims", "What the paper says, and what this run found")
}

/// The rankings of a pair of measures, task by task, with the answer in words below.
fn comparison(results: &Results, picks: &Picks) -> Table {
    let mut table = results.comparison_table(picks.chosen_by, picks.judged_by);
    table.notes.splice(0..0, answer::pair_sentences(results, picks));
    table
}

/// The scores of one task, with the best and the second of every measure marked.
pub fn scores(results: &Results, task: usize) -> Option<Table> {
    let name = results.names.tasks.get(task)?;
    let scores = results.scores.get(task)?;
    // Two tasks may have names that look alike in a file name.
    let number = task + 1;
    let mut table =
        tailrank_score::score::scores_table(&results.names, &results.scores).part(&[("task", name)]);
    table.id = format!("scores-{number}-{}", slug(name));
    table.caption = format!("Scores on {name}: {} cases, {} events", scores.cases, scores.events);
    table.mark_best();
    Some(table)
}

/// A cell's text with the marks of a format: around the best, around the second, and after what is
/// significant.
fn marked(cell: &Cell, text: &str, best: [&str; 2], second: [&str; 2], star: &str) -> String {
    let [before, after] = match cell.mark {
        Mark::None => ["", ""],
        Mark::Best => best,
        Mark::Second => second,
    };
    format!("{before}{text}{after}{}", if cell.significant { star } else { "" })
}

/// What stands below a table; where the best is marked, how.
fn notes(table: &Table, escape: fn(&str) -> String, marks: &str) -> String {
    let is_marked = table.rows.iter().flatten().any(|c| c.mark == Mark::Best);
    let marks = is_marked.then(|| marks.to_owned());
    marks.into_iter().chain(table.notes.iter().map(|n| escape(n))).collect::<Vec<_>>().join(" ")
}

/// Everything that was found: measures, the answer in sentences, every table, claims, failures.
pub fn json(name: &str, title: &str, seed: u64, results: &Results, claims: &[Claim]) -> Value {
    let mut found = answer::full_json(results);
    found["name"] = name.into();
    found["title"] = title.into();
    found["seed"] = seed.into();
    found["measures"] = results.measures().iter().map(|&m| measure(m)).collect();
    found["claims"] = value!(claims);
    found
}

/// A document with a line for every row of its tables: two thirds of what full indentation takes, and still
/// read by people and by `diff`.
pub fn json_lines(document: &Value) -> String {
    let Value::Object(entries) = document else { return format!("{document}\n") };
    let entry = |(key, value): (&String, &Value)| {
        let key = Value::from(key.as_str());
        match value {
            Value::Array(rows) if !rows.is_empty() => {
                let rows: Vec<String> = rows.iter().map(|row| format!("    {row}")).collect();
                format!("  {key}: [\n{}\n  ]", rows.join(",\n"))
            }
            value => format!("  {key}: {value}"),
        }
    };
    let entries: Vec<String> = entries.iter().map(entry).collect();
    format!("{{\n{}\n}}\n", entries.join(",\n"))
}

fn measure(m: Measure) -> Value {
    let (info, better) = (m.info(), better_word(m.better()));
    value!({ "id": info.id, "name": info.name, "symbol": info.symbol, "better": better, "citation": info.citation })
}
