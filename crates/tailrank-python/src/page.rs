//! An answer as a piece of HTML for notebooks. Everything stands in it; nothing is loaded.

use tailrank::{
    metrics::{
        self, Measure, Settings,
        rec::{RecError, rec_curve},
    },
    report::{
        answer,
        figures::{
            Figure, Heading, MeasurePair, PredictedTrue, Quantity, RelevanceFigure, Scores, Variant,
            VariantCurve, predicted_true, rank_scatter, rec_curves, relevance, scored_variants,
        },
        tables::html,
    },
    score::{
        external::PredictionTable,
        score::{Results, TaskId, VariantId},
        table::Table,
    },
};

use crate::error::Result;

const STYLE: &str = include_str!("answer.css");
/// More curves cannot be told apart.
const MOST_CURVES: usize = 8;

/// The answer in sentences, then tables and figures of every task.
pub(crate) fn fragment(
    results: &Results,
    tables: &[PredictionTable],
    settings: &[Settings],
) -> Result<String> {
    let mut out = sentences(results);
    for task in TaskId::all(results.scores.len()) {
        out.push_str(&task_part(results, task, &tables[task.0], &settings[task.0])?);
    }
    out.push_str(&other_tables(results, &["scores", "ranks"]));
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

fn task_part(
    results: &Results,
    task: TaskId,
    table: &PredictionTable,
    settings: &Settings,
) -> Result<String> {
    let (name, scores) = (results.names.task(task), &results.scores[task]);
    let heading = if name.is_empty() { "Scores".to_owned() } else { format!("Scores: {}", escape(name)) };
    let mut out = format!("<h3>{heading}</h3>\n<p>{} cases, {} events</p>\n", scores.cases, scores.events);
    for id in ["scores", "ranks"] {
        if let Some(found) = results.table(id) {
            out.push_str(&plain(&found.part(&[("task", name)]).without(&["family"])));
        }
    }
    out.push_str("<div class=\"figures\">\n");
    for figure in figures(results, task, table, settings)? {
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

fn figures(
    results: &Results,
    task: TaskId,
    table: &PredictionTable,
    settings: &Settings,
) -> Result<Vec<Figure>> {
    let (scores, names) = (&results.scores[task], &results.names.variants);
    let context = results.names.task(task);
    let (heading, target) = (Heading::of(context), Quantity::new("y", ""));
    let mut all = Vec::new();
    let pair = results.answer.first_picks().map(|p| (p.chosen_by, p.judged_by));
    let measures: Vec<Measure> = pair.map(|(a, b)| vec![a, b]).unwrap_or_default();
    let predicted = |v: VariantId| table.models.iter().find(|(name, _)| *name == names[v.0].label);
    let variant = |v: VariantId| Variant::from(&names[v.0]);
    if let Some(phi) = &settings.relevance {
        let mut shown = Vec::new();
        for best in measures.iter().filter_map(|&m| scores.best(m)) {
            let Some((_, p)) = predicted(best).filter(|_| !shown.contains(&best)) else { continue };
            shown.push(best);
            let data = PredictedTrue {
                variant: variant(best),
                target,
                truth: &table.truth,
                predicted: p,
                relevance: phi,
                t_e: settings.t_e,
                accuracy: settings.accuracy.as_ref(),
                dates: None,
            };
            all.push(predicted_true(heading, &data)?);
        }
        let data = RelevanceFigure { target, values: &table.truth, relevance: phi, t_e: settings.t_e };
        all.push(relevance(heading, &data)?);
    }
    if let (Some((a, b)), true) = (pair, scores.distinct().len() > 2) {
        let variants = scored_variants(names, scores);
        let (a, b) = (Scores::of_task(scores, a), Scores::of_task(scores, b));
        all.push(rank_scatter(heading, &MeasurePair { variants, a, b }, 10)?);
    }
    let curve = |v| {
        let curve = rec_curve(&table.truth, &predicted(v)?.1, RecError::Absolute).ok()?;
        Some(VariantCurve { variant: variant(v), curve })
    };
    let curves: Vec<_> = scores.distinct().into_iter().take(MOST_CURVES).filter_map(curve).collect();
    if !curves.is_empty() {
        let error = Quantity::new("absolute error", "");
        all.push(rec_curves(heading, error, &curves)?);
    }
    Ok(all)
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

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
