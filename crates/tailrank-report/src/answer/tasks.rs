//! The answer over several tasks: counts of verdicts first, then a line for each task.

use super::{
    prose::first_rankings,
    screen::{MOST_LINES, more, verdict, warnings},
    sentences::{compared, is_beaten, is_thin, symbol},
    *,
};

pub(super) fn several(results: &Results, frame: &Frame<'_>, out: &mut Screen, tail: usize) {
    let decisions: Vec<&Decision> = results.answer.all_deciding().collect();
    if let Some(line) = sentences::verdict_over_tasks(results) {
        verdict(&line, out, frame.width);
    }
    out.gap();
    let mut below = Screen::default();
    let thin = decisions.iter().filter(|d| is_thin(d)).count();
    let thin = (thin > 0).then(|| {
        format!("Fewer than 30 events on {thin} of {} tasks: intervals are wide there.", decisions.len())
    });
    let said =
        [(Tone::Dim, first_rankings(results)), (Tone::Plain, sentences::start(results)), (Tone::Plain, thin)];
    for (tone, text) in said.into_iter().filter_map(|(tone, text)| Some((tone, text?))) {
        below.wrapped(tone, &format!(" {text}"), frame.width, 1);
    }
    below.extend(warnings(results, frame));
    // A line of headings and a gap before the tail.
    let room = MOST_LINES.saturating_sub(out.len() + below.len() + tail + 2).max(3);
    let mut shown = decisions.clone();
    if shown.len() > room {
        let p = |d: &Decision| d.p_adjusted.unwrap_or(1.0);
        shown.sort_by(|a, b| p(a).total_cmp(&p(b)));
        shown.sort_by_key(|d| d.verdict != Verdict::Use);
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
    // A baseline may have more of it.
    let is_beaten = decisions.iter().any(|d| is_beaten(d));
    let leader = if is_beaten { "leading model".to_owned() } else { format!("{best} {name}") };
    let score = format!(">{name}");
    let mut headings = vec!["task", "verdict", &leader, &score, ">chance", ">p adj", ">baseline"];
    headings.retain(|heading| has_use || *heading != "verdict");
    if has_counts {
        headings.extend([if has_use { ">caught" } else { ">caught/events" }, ">false"]);
    }
    let row = |d: &&Decision| {
        let [score, chance, baseline] = compared(d);
        let mut cells = vec![results.names.task(d.task).to_owned()];
        if has_use {
            cells.push(match d.verdict {
                Verdict::Use => "use".to_owned(),
                Verdict::NoModel(reason) => format!("no: {}", reason_word(reason)),
            });
        }
        cells.extend([label(results, d.model), score, chance, or_dash(d.p_adjusted, p_value), baseline]);
        if has_counts {
            cells.extend(counts(d));
        }
        cells
    };
    TextTable::new(headings, decisions.iter().map(row))
}

/// A model's name, or a dash.
pub(super) fn label(results: &Results, model: Option<VariantId>) -> String {
    model.map_or(DASH, |m| results.names.label(m)).to_owned()
}

/// Events caught of all, and false alarms; dashes where nothing was counted.
pub(super) fn counts(d: &Decision) -> [String; 2] {
    let caught = d.counts.zip(d.events).map(|(c, e)| format!("{}/{}", thousands(c.caught), thousands(e)));
    [caught, d.counts.map(|c| thousands(c.false_alarms))].map(|n| n.unwrap_or_else(|| DASH.to_owned()))
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
        Warning::Unsure { caution: Caution::FewHits(_), .. } => "The score rests on few hits",
        Warning::Unsure { caution: Caution::FewEvents(_) | Caution::FewBlocks(_), .. } => {
            "The score rests on few events or blocks"
        }
        Warning::Unsure { .. } => "The test is short",
        Warning::AllTied { .. } => "All models are tied",
        Warning::CalibrationSlope { slope, .. } if *slope < 1.0 => "The top model exaggerates",
        Warning::CalibrationSlope { .. } => "The top model understates",
    }
}
