//! The answer over several tasks: counts of verdicts first, then a line for each task.

use tailrank_experiment::text::{DASH, digits_together, p_value, thousands};
use tailrank_score::score::{
    Comparison, Results,
    answer::{Decision, Verdict, Warning},
};

use super::{
    screen::{Frame, MOST_LINES, more, verdict, warnings},
    sentences::{self, end, reason_word, symbol},
};
use crate::terminal::{Align, Screen, TextTable, Tone};

pub(super) fn several(
    results: &Results,
    frame: &Frame<'_>,
    decisions: &[&Decision],
    out: &mut Screen,
    tail: usize,
) {
    if let Some(line) = sentences::verdict_over_tasks(results) {
        verdict(&line, out, frame.width);
    }
    out.gap();
    let mut below = Screen::default();
    let first = results.comparisons.first().map(|c| (c.chosen_by, c.judged_by));
    let of_pair: Vec<&Comparison> =
        results.comparisons.iter().filter(|c| Some((c.chosen_by, c.judged_by)) == first).collect();
    if let Some(text) = sentences::rankings_over_tasks(&of_pair) {
        below.wrapped(Tone::Dim, &format!(" {text}"), frame.width, 1);
    }
    below.extend(warnings(results, frame));
    // A line of headings and a gap before the tail.
    let room = MOST_LINES.saturating_sub(out.len() + below.len() + tail + 2).max(3);
    let mut shown = decisions.to_vec();
    if shown.len() > room {
        shown.sort_by(|a, b| {
            let key = |d: &Decision| (d.verdict != Verdict::Use, d.p_adjusted.unwrap_or(1.0));
            let (a, b) = (key(a), key(b));
            a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
        });
        shown.truncate(room - 1);
    }
    out.extend(table(results, &shown).lay_out(frame.width).0);
    if shown.len() < decisions.len() {
        out.push(more(decisions.len() - shown.len(), frame));
    }
    out.extend(below);
}

/// One line per task: the leading model beside chance and the best baseline, and what became of its signals.
pub(super) fn table(results: &Results, decisions: &[&Decision]) -> TextTable {
    let has_use = decisions.iter().any(|d| d.verdict == Verdict::Use);
    let has_counts = decisions.iter().any(|d| d.counts.is_some());
    let measure = decisions.first().map(|d| d.measure);
    let (name, best) = measure.map_or(("score", "highest"), |m| (symbol(m), end(m)));
    let mut headings = vec![("task".to_owned(), Align::Left)];
    if has_use {
        headings.push(("verdict".to_owned(), Align::Left));
    }
    headings.extend([
        (format!("{best} {name}"), Align::Left),
        (name.to_owned(), Align::Right),
        ("chance".to_owned(), Align::Right),
        ("p adj".to_owned(), Align::Right),
        ("baseline".to_owned(), Align::Right),
    ]);
    if has_counts {
        headings.push((if has_use { "caught" } else { "caught/events" }.to_owned(), Align::Right));
        headings.push(("false".to_owned(), Align::Right));
    }
    let row = |d: &&Decision| {
        let numbers = [d.score, d.chance, d.baseline_score].map(|v| v.unwrap_or(f64::NAN));
        let numbers = digits_together(&numbers);
        let dash = || DASH.to_owned();
        let mut cells = vec![results.names.task(d.task).to_owned()];
        if has_use {
            cells.push(match d.verdict {
                Verdict::Use => "use".to_owned(),
                Verdict::NoModel(reason) => format!("no: {}", reason_word(reason)),
            });
        }
        cells.extend([
            d.model.map_or_else(dash, |m| results.names.label(m).to_owned()),
            numbers[0].clone(),
            numbers[1].clone(),
            d.p_adjusted.map_or_else(dash, p_value),
            numbers[2].clone(),
        ]);
        if has_counts {
            let caught =
                d.counts.zip(d.events).map(|(c, e)| format!("{}/{}", thousands(c.caught), thousands(e)));
            cells.push(caught.unwrap_or_else(dash));
            cells.push(d.counts.map_or_else(dash, |c| thousands(c.false_alarms)));
        }
        cells
    };
    let strong = (0..decisions.len()).filter(|&i| decisions[i].verdict == Verdict::Use).collect();
    TextTable { headings, rows: decisions.iter().map(row).collect(), strong, indent: 1 }
}

/// What a warning is about, where tasks share it.
pub(super) fn warning_kind(warning: &Warning) -> &'static str {
    match warning {
        Warning::EventsNotRare { .. } => "Events are not rare",
        Warning::FewEvents { .. } => "Fewer than 10 events",
        Warning::FewTrainingEvents { .. } => "Fewer than 10 training events",
        Warning::GridEdge { .. } => "The top model is at the edge of the grid",
        Warning::NotConverged { .. } => "The top model stopped at its iteration limit",
        Warning::LabelOverlap => "Training labels overlap the test period",
        Warning::FewHits { .. } => "The score rests on few hits",
        Warning::ShortSeries { .. } => "The test is short",
        Warning::AllTied { .. } => "All models are tied",
        Warning::CalibrationSlope { .. } => "The top model exaggerates",
    }
}
