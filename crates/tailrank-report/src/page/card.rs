//! The decision card: which model to take, by which measures, what it gives, and how sure that is. Every number comes from the
//! table of camps, so that page, JSON and papers say the same.

use tailrank_experiment::text::{count, digits, percent, true_minus};
use tailrank_score::{
    score::{Decision, TaskId},
    table::{Table, Value},
};

use super::{
    escape::text,
    index::Files,
    overview::{chip, variant_name},
    static_figures::StaticFigure,
};
use crate::{
    Rate,
    subject::Subject,
    tables::{self, Decoration},
    task_pages::notice,
};

/// Figures on the card, one question each.
const FIGURES: [(&str, &str); 4] = [
    ("rank flow", "Who wins by which measure?"),
    ("trade-off", "What does one measure cost by the other?"),
    ("what you get", "How many events for how many false alarms?"),
    ("score over the grid", "Is the best setting a plateau or a spike?"),
];

/// The first section of the page.
pub(super) fn html(subject: Subject<'_>, files: &Files) -> String {
    let results = subject.results;
    if results.decisions.is_empty() {
        return String::new();
    }
    let rates: Vec<Rate> = TaskId::all(results.names.tasks.len()).map(|t| subject.rate(t)).collect();
    let camps = tables::camps(results, &rates);
    let body = match &results.decisions[..] {
        [only] => one(subject, files, &camps, only),
        _ => several(subject, files, &camps),
    };
    format!(
        "<section aria-labelledby=\"decision\" class=\"decision\">\n<h2 id=\"decision\">Which model to take</h2>\n{body}</section>\n"
    )
}

fn paragraph(decision: &Decision) -> String {
    prose(&decision.sentences())
}

/// Sentences, each on a line of its own.
fn prose(sentences: &[String]) -> String {
    let lines: Vec<String> = sentences.iter().map(|s| format!("<p>{}</p>", text(s))).collect();
    format!("<div class=\"paragraph\">{}</div>\n", lines.join("\n"))
}

fn one(subject: Subject<'_>, files: &Files, camps: &Table, decision: &Decision) -> String {
    let figures = files.of_tasks.first().map(Vec::as_slice).unwrap_or_default();
    format!(
        "{}{}{}{}<p><a class=\"open\" href=\"#task={}\">Move thresholds and costs, look at every model</a></p>\n",
        paragraph(decision),
        panels(subject, camps, decision.task),
        cost(subject, decision.task),
        four(figures),
        decision.task.0 + 1
    )
}

/// One line per task, then a card for each, the first one open.
fn several(subject: Subject<'_>, files: &Files, camps: &Table) -> String {
    let results = subject.results;
    let mut out = String::new();
    if let Some(verdict) = results.verdicts.first() {
        out.push_str(&prose(&verdict.sentences()));
        let table = tables::choices(results, verdict);
        let tasks = &verdict.tasks;
        let cell = |row: usize, column: &str| {
            let v = &tasks[row];
            match column {
                "task" if files.pages[v.task.0] => Some(format!(
                    "<a href=\"#task={}\">{}</a>",
                    v.task.0 + 1,
                    text(results.names.task(v.task))
                )),
                "chosen" => v.chosen.as_ref().map(|p| variant_name(subject, p.variant)),
                "judged" => v.judged.as_ref().map(|p| variant_name(subject, p.variant)),
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
    for decision in results.decisions.iter().filter(|d| files.pages[d.task.0]) {
        let task = decision.task;
        let figures = files.of_tasks.get(task.0).map(Vec::as_slice).unwrap_or_default();
        let no_gain = decision.no_gain.iter().map(|(_, by)| format!("none by {}", by[0].info().symbol));
        // Who learns nothing worth more than a baseline has the baseline to take.
        let take = decision.camps.iter().map(|c| {
            let unbeaten = c.beside.as_ref().filter(|b| b.is_unbeaten());
            format!("{} by {}", unbeaten.map_or(&c.family, |b| &b.label), c.measures[0].info().symbol)
        });
        let take: Vec<String> = no_gain.chain(take).collect();
        out.push_str(&format!(
            "<details class=\"card\"{}><summary>{}: {}</summary>\n{}{}{}{}<p><a class=\"open\" href=\"#task={}\">Move \
             thresholds and costs, look at every model</a></p>\n</details>\n",
            std::mem::take(&mut open),
            text(results.names.task(task)),
            text(&take.join(", ")),
            paragraph(decision),
            panels(subject, camps, task),
            cost(subject, task),
            four(figures),
            task.0 + 1
        ));
    }
    out
}

/// A panel for each camp of measures.
fn panels(subject: Subject<'_>, camps: &Table, task: TaskId) -> String {
    let name = subject.results.names.task(task);
    let of_task = |row: &usize| matches!(value(camps, *row, "task"), Some(Value::Text(t)) if t == name);
    let panels: String =
        (0..camps.rows.len()).filter(of_task).map(|row| panel(subject, camps, row)).collect();
    if panels.is_empty() { String::new() } else { format!("<div class=\"camps\">\n{panels}</div>\n") }
}

fn value<'t>(table: &'t Table, row: usize, column: &str) -> Option<&'t Value> {
    table.place(column).map(|c| &table.rows[row][c].value)
}

fn words<'t>(table: &'t Table, row: usize, column: &str) -> &'t str {
    match value(table, row, column) {
        Some(Value::Text(t)) => t,
        _ => "",
    }
}

fn number(table: &Table, row: usize, column: &str) -> Option<f64> {
    match value(table, row, column) {
        Some(Value::Number(v)) => Some(*v),
        _ => None,
    }
}

/// A number with its name in JSON and its exact value, so that either can be checked against the other.
fn exact(table: &Table, row: usize, column: &str, print: fn(f64) -> String) -> Option<String> {
    number(table, row, column)
        .map(|v| format!("<span data-json=\"{column}\" title=\"{v}\">{}</span>", true_minus(&print(v))))
}

fn whole(value: f64) -> String {
    tailrank_experiment::text::thousands(value as usize)
}

fn panel(subject: Subject<'_>, camps: &Table, row: usize) -> String {
    let (family, variant) = (words(camps, row, "family"), words(camps, row, "variant"));
    let mut facts = String::new();
    let mut fact = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            facts.push_str(&format!("<dt>{name}</dt><dd>{value}</dd>"));
        }
    };
    fact("P(best)", exact(camps, row, "family_share", percent).map(|p| format!("{p} of the resamples")));
    let ends = exact(camps, row, "lower", digits).zip(exact(camps, row, "upper", digits));
    let ends = ends.map_or_else(String::new, |(low, high)| format!(" <small>[{low}, {high}]</small>"));
    let symbol = text(words(camps, row, "measure"));
    fact(&symbol, exact(camps, row, "score", digits).map(|s| format!("<strong>{s}</strong>{ends}")));
    let p = exact(camps, row, "p_luck", tailrank_experiment::text::p_value);
    let p = p.map_or_else(String::new, |p| format!(" <small>p {p}</small>"));
    fact("by luck", exact(camps, row, "by_luck", digits).map(|s| s + &p));
    let reference = text(words(camps, row, "reference"));
    let of_reference = exact(camps, row, "reference_score", digits);
    fact("best baseline", of_reference.map(|s| format!("{s} <small>{reference}</small>")));
    let level = number(camps, row, "level").unwrap_or(0.0) as usize;
    let level = if level == 0 {
        String::new()
    } else {
        let which = words(camps, row, "level_settings").split("; ").map(|s| format!("<li>{}</li>", text(s)));
        format!(
            "<details class=\"level\"><summary>{} {} level with it</summary><ul>{}</ul></details>",
            count(level, "other setting"),
            if level == 1 { "is" } else { "are" },
            which.collect::<String>()
        )
    };
    let mut setting =
        if family == variant { String::new() } else { format!("<p class=\"setting\">{}</p>", text(variant)) };
    let unbeaten = words(camps, row, "unbeaten");
    if !unbeaten.is_empty() {
        setting.push_str(&format!("<p class=\"setting\">no better than {}</p>", text(unbeaten)));
    }
    format!(
        "<div class=\"camp\">\n<h3>By {}</h3>\n<p class=\"take\">{}{}</p>\n{setting}{level}\n<dl>{facts}</dl>\n{}</div>\n",
        text(words(camps, row, "measures")),
        chip(subject, family),
        text(family),
        counts(camps, row)
    )
}

/// Hits, false alarms and missed events, in the whole test and at a rate.
fn counts(camps: &Table, row: usize) -> String {
    if number(camps, row, "events").is_none() {
        return String::new();
    }
    let repeats = match number(camps, row, "repeats") {
        Some(n) if n > 1.0 => format!(" in {n} repeats"),
        _ => String::new(),
    };
    if number(camps, row, "signals") == Some(0.0) {
        let events = exact(camps, row, "events", whole).unwrap_or_default();
        return format!(
            "<p class=\"silent\">It never signals{repeats}: all {events} events are missed.</p>\n"
        );
    }
    let columns = [
        ("hits", "hits"),
        ("near_misses", "near misses"),
        ("false_alarms", "false alarms"),
        ("missed", "missed"),
    ];
    let heads: String =
        columns.iter().map(|(_, h)| format!("<th scope=\"col\" class=\"n\">{h}</th>")).collect();
    let cells = |ending: &str, print: fn(f64) -> String| -> String {
        columns
            .iter()
            .map(|(id, _)| {
                let cell =
                    exact(camps, row, &format!("{id}{ending}"), print).unwrap_or_else(|| "–".to_owned());
                format!("<td class=\"n\">{cell}</td>")
            })
            .collect()
    };
    format!(
        "<table class=\"counts\"><thead><tr><td></td>{heads}</tr></thead><tbody><tr><th scope=\"row\">of {} events{repeats}</th>{}</tr>\
         <tr><th scope=\"row\">{}</th>{}</tr></tbody></table>\n",
        exact(camps, row, "events", whole).unwrap_or_default(),
        cells("", whole),
        text(words(camps, row, "rate")),
        cells("_rate", digits)
    )
}

/// At which cost of a missed event which model is to be taken: a list that reads without scripts, and a slider with them.
fn cost(subject: Subject<'_>, task: TaskId) -> String {
    let steps = crate::figures::recommendations(&subject.results.scores[task]);
    if steps.len() < 2 {
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
            let take = match step.variant {
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
