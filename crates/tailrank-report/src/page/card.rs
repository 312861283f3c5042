//! The answer: which model to use on each task, or that none is worth using, and what stands behind it. Every number is one of
//! `decisions.csv`, so that page, JSON and papers say the same.

use tailrank_experiment::text::{count, digits, digits_together, p_value, thousands};
use tailrank_score::{
    score::{TaskId, answer::Decision},
    table::Table,
};

use super::{
    escape::text,
    index::Files,
    overview::{chip, variant_name},
    static_figures::StaticFigure,
};
use crate::{
    answer,
    subject::Subject,
    tables::{self, Decoration},
    task_pages::notice,
};

/// Figures on the card, one question each.
const FIGURES: [(&str, &str); 4] = [
    ("rank flow", "How does each measure rank the models?"),
    ("trade-off", "What does one measure cost by the other?"),
    ("what you get", "How many events for how many false alarms?"),
    ("score over the grid", "Is the first setting a plateau or a spike?"),
];

/// The first section of the page.
pub(super) fn html(subject: Subject<'_>, files: &Files) -> String {
    let results = subject.results;
    let decisions: Vec<&Decision> = results.answer.all_deciding().collect();
    let body = match decisions[..] {
        [] => return String::new(),
        [only] => one(subject, files, only),
        _ => several(subject, files, &decisions),
    };
    let event = answer::event_line(results)
        .map_or_else(String::new, |e| format!("<p class=\"event\">Event: {}.</p>\n", text(&e)));
    format!(
        "<section aria-labelledby=\"decision\" class=\"decision\">\n<h2 id=\"decision\">Which model to use</h2>\n{event}{body}</section>\n"
    )
}

/// Sentences, each on a line of its own, the verdict first.
fn prose(sentences: &[String]) -> String {
    let line = |(i, s): (usize, &String)| match i {
        0 => format!("<p class=\"verdict\"><strong>{}</strong></p>", text(s)),
        _ => format!("<p>{}</p>", text(s)),
    };
    let lines: Vec<String> = sentences.iter().enumerate().map(line).collect();
    format!("<div class=\"paragraph\">{}</div>\n", lines.join("\n"))
}

fn one(subject: Subject<'_>, files: &Files, decision: &Decision) -> String {
    let figures = files.of_tasks.first().map(Vec::as_slice).unwrap_or_default();
    format!("{}{}", body(subject, decision, figures), by_measure(subject, decision.task))
}

/// What stands behind a task's verdict, its costs and figures.
fn body(subject: Subject<'_>, decision: &Decision, figures: &[StaticFigure]) -> String {
    format!(
        "{}{}{}{}<p><a class=\"open\" href=\"#task={}\">Move thresholds and costs, look at every model</a></p>\n",
        prose(&answer::task_sentences(subject.results, decision.task)),
        panel(subject, decision),
        cost(subject, decision.task),
        four(figures),
        decision.task.0 + 1
    )
}

/// One line per task, then a card for each, the first one open.
fn several(subject: Subject<'_>, files: &Files, decisions: &[&Decision]) -> String {
    let results = subject.results;
    let mut out = prose(&answer::sentences(results));
    if let Some(table) = deciding(subject) {
        let cell = |row: usize, column: &str| {
            let d = decisions[row];
            match column {
                "task" if files.pages[d.task.0] => Some(format!(
                    "<a href=\"#task={}\">{}</a>",
                    d.task.0 + 1,
                    text(results.names.task(d.task))
                )),
                "model" => d.model.map(|m| variant_name(subject, m)),
                _ => None,
            }
        };
        out.push_str(&tables::html(
            &table,
            Decoration { class: "choices", cell: Some(&cell), ..Decoration::default() },
        ));
    }
    if let Some(notice) = notice(&files.pages) {
        out.push_str(&format!("<p class=\"note\">{}.</p>\n", text(&notice)));
    }
    let mut open = " open";
    for decision in decisions.iter().filter(|d| files.pages[d.task.0]) {
        let figures = files.of_tasks.get(decision.task.0).map(Vec::as_slice).unwrap_or_default();
        out.push_str(&format!(
            "<details class=\"card\"{}><summary>{}: {}</summary>\n{}</details>\n",
            std::mem::take(&mut open),
            text(results.names.task(decision.task)),
            text(&headline(subject, decision)),
            body(subject, decision, figures)
        ));
    }
    out
}

/// `use mars 2`, `no model (chance)`
fn headline(subject: Subject<'_>, decision: &Decision) -> String {
    match decision.recommended() {
        Some(model) => format!("use {}", subject.results.names.label(model)),
        None => answer::verdict_word(decision.verdict),
    }
}

/// The rows of `decisions` by the deciding measure.
fn deciding(subject: Subject<'_>) -> Option<Table> {
    let measure = subject.results.answer.decide_by?.id();
    let table = subject.results.table("decisions")?.part(&[("measure", measure)]);
    Some(table.without(&[
        "deciding",
        "family",
        "p_verdict",
        "signals",
        "missed",
        "cost_from",
        "cost_to",
        "tied",
    ]))
}

/// What every measure says of one task.
fn by_measure(subject: Subject<'_>, task: TaskId) -> String {
    let name = subject.results.names.task(task);
    let Some(table) = subject.results.table("decisions") else { return String::new() };
    let table =
        table.part(&[("task", name)]).without(&["family", "p_verdict", "cost_from", "cost_to", "tied"]);
    format!(
        "<details><summary>Every measure; only the deciding one carries a verdict</summary>\n{}</details>\n",
        tables::html(&table, Decoration { class: "choices", ..Decoration::default() })
    )
}

/// A number with its name in `decisions.csv` and its exact value, so that either can be checked against the other.
fn exact(column: &str, value: Option<f64>, text: &str) -> Option<String> {
    value.map(|v| format!("<span data-json=\"{column}\" title=\"{v}\">{text}</span>"))
}

fn panel(subject: Subject<'_>, decision: &Decision) -> String {
    let names = &subject.results.names;
    let Some(model) = decision.model else { return String::new() };
    let all = [decision.score, decision.lower, decision.upper, decision.chance, decision.baseline_score];
    let texts = digits_together(&all.map(|v| v.unwrap_or(f64::NAN)));
    let mut facts = String::new();
    let mut fact = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            facts.push_str(&format!("<dt>{name}</dt><dd>{value}</dd>"));
        }
    };
    let ends = exact("lower", decision.lower, &texts[1]).zip(exact("upper", decision.upper, &texts[2]));
    let ends = ends.map_or_else(String::new, |(low, high)| format!(" <small>[{low}, {high}]</small>"));
    let symbol = text(decision.measure.info().symbol);
    fact(&symbol, exact("score", decision.score, &texts[0]).map(|s| format!("<strong>{s}</strong>{ends}")));
    let p = |column: &str, value: Option<f64>| {
        let shown = value.map(p_value).unwrap_or_default();
        exact(column, value, &text(&shown)).map_or_else(String::new, |p| format!(" <small>p {p}</small>"))
    };
    let chance = exact("chance", decision.chance, &texts[3]);
    fact("chance", chance.map(|s| s + &p("p_chance", decision.p_chance)));
    let baseline = decision.baseline.map(|b| text(names.label(b))).unwrap_or_default();
    let of_baseline = exact("baseline_score", decision.baseline_score, &texts[4]);
    let p_baseline = p("p_baseline", decision.p_baseline);
    fact("best baseline", of_baseline.map(|s| format!("{s} <small>{baseline}</small>{p_baseline}")));
    if let (Some(counts), Some(events)) = (decision.counts, decision.events) {
        let whole = |column: &str, n: usize| exact(column, Some(n as f64), &thousands(n));
        fact("caught", whole("caught", counts.caught).map(|c| format!("{c} of {}", count(events, "event"))));
        fact("false alarms", whole("false_alarms", counts.false_alarms));
    }
    let tied = match &decision.tied[..] {
        [] => String::new(),
        tied => {
            let which = tied.iter().map(|&v| format!("<li>{}</li>", text(names.label(v))));
            format!(
                "<details class=\"level\"><summary>{} tied</summary><ul>{}</ul></details>",
                count(tied.len(), "model"),
                which.collect::<String>()
            )
        }
    };
    let family = &names.variants[model].group;
    format!(
        "<div class=\"camps\"><div class=\"camp\">\n<h3>By {symbol}</h3>\n<p class=\"take\">{}{}</p>\n{tied}\n<dl>{facts}</dl>\n</div></div>\n",
        chip(subject, family),
        text(names.label(model))
    )
}

/// At which cost of a missed event which model is the one to act on: a list that reads without scripts, and a slider with them.
fn cost(subject: Subject<'_>, task: TaskId) -> String {
    let answer = &subject.results.answer;
    let ladder = answer.ladders.iter().find(|l| l.task == task).map(|l| &l.rungs[..]);
    let steps = ladder.unwrap_or_default();
    // Where no model is to be used, none is recommended at any cost.
    if steps.len() < 2 || answer.deciding(task).is_none_or(|d| d.recommended().is_none()) {
        return String::new();
    }
    let items: String = steps
        .iter()
        .enumerate()
        .map(|(i, step)| {
            let next = steps.get(i + 1).map(|s| s.from);
            let range = match (i, next) {
                (0, Some(next)) => format!("below {}", digits(next)),
                (_, Some(next)) => format!("{} to {}", digits(step.from), digits(next)),
                (_, None) => format!("above {}", digits(step.from)),
            };
            let take = match step.model {
                Some(v) => {
                    let rate = subject.rate(task);
                    format!(
                        "{}: {} events caught, {} false alarms {}",
                        variant_name(subject, v),
                        digits(step.caught as f64 * rate.factor),
                        digits(step.false_alarms as f64 * rate.factor),
                        rate.unit
                    )
                }
                None => "act on no model".to_owned(),
            };
            format!("<li data-from=\"{}\"><span class=\"range\">{range}</span> {take}</li>", step.from)
        })
        .collect();
    format!(
        "<div class=\"cost\"><p>A missed event costs as much as <output></output> false alarms:</p>\n<ol>{items}</ol></div>\n"
    )
}

/// The four figures, one question each; those that the data do not allow are left out.
fn four(figures: &[StaticFigure]) -> String {
    let one = |&(name, question): &(&str, &str)| {
        let figure = figures.iter().find(|f| f.name == name)?;
        Some(format!(
            "<figure class=\"drawn{2}\"><figcaption>{question}</figcaption><a href=\"{0}\"><img src=\"{0}\" loading=\"lazy\" \
             alt=\"{1}\"></a></figure>\n",
            figure.file,
            text(&figure.title),
            // These are wide.
            if ["rank flow", "score over the grid"].contains(&name) { " hero" } else { "" }
        ))
    };
    let drawn: String = FIGURES.iter().filter_map(one).collect();
    if drawn.is_empty() { String::new() } else { format!("<div class=\"four\">\n{drawn}</div>\n") }
}
