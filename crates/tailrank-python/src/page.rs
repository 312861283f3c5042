//! An answer as a piece of HTML for notebooks. Everything stands in it; nothing is loaded.

use tailrank::{
    metrics,
    report::{
        PageInput, answer,
        escape::text as escape,
        figures::{Figure, Heading, Quantity, RelevanceFigure, relevance, task_figures},
        tables::html,
    },
    score::{
        score::{Results, TaskId},
        table::Table,
    },
};

use crate::error::Result;

const STYLE: &str = include_str!("answer.css");
/// Figures of a page that a notebook shows, too.
const FIGURES: [&str; 4] = ["predicted and true", "rank scatter", "rec curves", "relevance"];

/// The answer in sentences, then tables and figures of every task.
pub(crate) fn fragment(source: PageInput<'_>) -> Result<String> {
    let mut out = sentences(source.results);
    for task in TaskId::all(source.results.scores.len()) {
        out.push_str(&task_part(source, task)?);
    }
    out.push_str(&other_tables(source.results, &["scores", "ranks"]));
    Ok(styled(&out))
}

fn styled(inside: &str) -> String {
    format!("<div class=\"tailrank\"><style>{STYLE}</style>\n{inside}</div>\n")
}

/// The same answer for a run: its page has the figures.
pub(crate) fn run_fragment(results: &Results) -> String {
    let mut out = sentences(results);
    if let Some(picks) = results.answer.first_picks() {
        let mut table = results.comparison_table(picks.chosen_by, picks.judged_by);
        table.notes.clear();
        out.push_str(&plain(&table));
    }
    out.push_str(&other_tables(results, &["comparisons"]));
    styled(&out)
}

/// The answer in words, the verdict first; of several tasks each one's.
fn sentences(results: &Results) -> String {
    let paragraph = |said: Vec<String>| {
        let lines = said.iter().enumerate().map(|(i, line)| match i {
            0 => format!("<p><strong>{}</strong></p>\n", escape(line)),
            _ => format!("<p>{}</p>\n", escape(line)),
        });
        lines.collect::<String>()
    };
    let event = answer::event_line(results);
    let mut out = event.map_or_else(String::new, |e| format!("<p>Event: {}.</p>\n", escape(&e)));
    out.push_str(&paragraph(answer::sentences(results)));
    if results.scores.len() > 1 {
        for task in TaskId::all(results.scores.len()) {
            out.push_str(&format!("<h3>{}</h3>\n", escape(results.names.task(task))));
            out.push_str(&paragraph(answer::task_sentences(results, task)));
        }
    }
    out
}

fn task_part(source: PageInput<'_>, task: TaskId) -> Result<String> {
    let results = source.results;
    let (name, scores) = (results.names.task(task), &results.scores[task]);
    let heading = if name.is_empty() { "Scores".to_owned() } else { format!("Scores: {}", escape(name)) };
    let mut out = format!("<h3>{heading}</h3>\n<p>{} cases, {} events</p>\n", scores.cases, scores.events);
    for id in ["scores", "ranks"] {
        if let Some(found) = results.table(id) {
            out.push_str(&plain(&found.part(&[("task", name)]).without(&["family"])));
        }
    }
    out.push_str("<div class=\"figures\">\n");
    for figure in task_figures(source, task, &FIGURES)? {
        out.push_str(&drawn(&figure));
    }
    out.push_str("</div>\n");
    Ok(out)
}

/// The document of a figure, without what only a file has.
fn drawn(figure: &Figure) -> String {
    let svg = figure.svg.find("<svg").map_or(figure.svg.as_str(), |start| &figure.svg[start..]);
    format!("<figure>{svg}</figure>\n")
}

/// φ over a histogram of targets, or in words.
pub(crate) fn relevance_fragment(
    phi: &metrics::Relevance,
    targets: Option<&[f64]>,
    words: &str,
) -> Result<String> {
    let shown = match targets {
        None => format!("<p>{}</p>\n", escape(words)),
        Some(values) => {
            let target = Quantity::new("y", "");
            let data = RelevanceFigure { target, values, relevance: phi, t_e: 0.5 };
            drawn(&relevance(Heading::of(words), &data)?)
        }
    };
    Ok(styled(&shown))
}

/// Every other table, folded.
fn other_tables(results: &Results, shown: &[&str]) -> String {
    let folded = |table: &Table| {
        let caption = if table.caption.is_empty() { &table.id } else { &table.caption };
        format!("<details><summary>{}</summary>\n{}</details>\n", escape(caption), plain(table))
    };
    results.tables().iter().filter(|table| !shown.contains(&table.id.as_str())).map(folded).collect()
}

fn plain(table: &Table) -> String {
    html(table, "", &|_, _| None).into_string()
}
