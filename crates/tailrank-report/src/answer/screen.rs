//! The answer on one screen of 80 × 24.

use indexmap::IndexMap;

use super::{
    leaderboard::{leaderboard, marks_ties},
    *,
};
use crate::failure_groups;

/// Lines that fit above the prompt of a terminal with 24.
pub(super) const MOST_LINES: usize = 22;

/// Warnings on the screen; [`explain`](super::explain()) has all.
const MOST_WARNINGS: usize = 2;

/// What the screen says beside the answer itself.
#[derive(Clone, Debug, Default)]
pub struct Frame<'a> {
    /// The experiment or file.
    pub name: &'a str,
    /// Columns of the terminal.
    pub width: usize,
    /// What was done, such as `684 fits` or `7.9 s`, for the header.
    pub facts: Vec<String>,
    /// Further lines below the header, such as changed settings.
    pub changes: Vec<String>,
    /// What a paper says beside what was found.
    pub claims: &'a [Claim],
    /// Labels and places of the last lines: `Report`, `Details`.
    pub places: Vec<(&'a str, String)>,
    /// Where long lists are complete, such as `results/decisions.csv`; none where nothing was written.
    pub decisions: Option<String>,
}

/// The answer on one screen.
pub fn screen(results: &Results, frame: &Frame<'_>) -> Screen {
    let mut out = Screen::default();
    header(results, frame, &mut out);
    let tail = tail(frame);
    let decisions: Vec<&Decision> = results.answer.all_deciding().collect();
    match decisions[..] {
        [] => {
            out.gap();
            out.push(Line::new(Tone::Caution, "NO MODEL.").and(Tone::Plain, " Nothing was scored."));
        }
        [only] => one_task(results, frame, only, &mut out, tail.len()),
        _ => tasks::several(results, frame, &mut out, tail.len()),
    }
    out.gap();
    out.extend(tail);
    out
}

fn header(results: &Results, frame: &Frame<'_>, out: &mut Screen) {
    // Where there are baselines alone, they are the models.
    let baselines = results.scores.first().map_or(0, |s| s.references.iter().filter(|r| **r).count());
    let models = results.names.variants.len() - baselines;
    let mut facts = vec![frame.name.to_owned(), models_and_baselines(models, baselines)];
    if results.names.tasks.len() > 1 {
        facts.push(count(results.names.tasks.len(), "task"));
    }
    facts.extend(folds(results));
    facts.extend(frame.facts.iter().cloned());
    facts.retain(|fact| !fact.is_empty());
    let text = facts.join(" · ");
    out.headed((Tone::Strong, frame.name), text.strip_prefix(frame.name).unwrap_or(&text), frame.width, 2);
    if let Some(event) = event::line(results) {
        out.wrapped(Tone::Plain, &format!("Event: {event}"), frame.width, 2);
    }
    for change in &frame.changes {
        out.wrapped(Tone::Dim, change, frame.width, 2);
    }
    out.gap();
}

/// `14 models + 2 baselines`
pub fn models_and_baselines(models: usize, baselines: usize) -> String {
    let models = count(models, "model");
    if baselines > 0 { format!("{models} + {}", count(baselines, "baseline")) } else { models }
}

/// `5 folds`, `3 × 4 folds`; none for a single test.
fn folds(results: &Results) -> Option<String> {
    let scores = results.scores.first()?;
    let parts = scores.folds.iter().map(Vec::len).max().filter(|n| *n > 1)?;
    let repeats = scores.repeats.max(1);
    let folds = count(parts / repeats, "fold");
    Some(if repeats > 1 { format!("{repeats} × {folds}") } else { folds })
}

/// The verdict in bold and what follows it.
pub(super) fn verdict(line: &VerdictLine, out: &mut Screen, width: usize) {
    let tone = if line.is_use { Tone::Good } else { Tone::Caution };
    out.headed((tone, &line.head), &line.rest, width, 0);
}

fn one_task(results: &Results, frame: &Frame<'_>, decision: &Decision, out: &mut Screen, tail: usize) {
    let width = frame.width;
    verdict(&sentences::verdict(results, decision), out, width);
    let said = [
        sentences::evidence(results, decision),
        sentences::thin(decision),
        sentences::episodes(results, decision),
    ];
    for text in said.into_iter().flatten() {
        out.wrapped(Tone::Plain, &text, width, 0);
    }
    out.gap();

    let picks = results.answer.first_picks().filter(|p| p.judged_by == decision.measure);
    let other = picks.map(|p| p.chosen_by).filter(|m| *m != decision.measure);
    let below = below(results, frame, decision);
    let warnings = warnings(results, frame);
    // One line of headings, and gaps before the tail and between the parts.
    let used = out.len() + below.len() + warnings.len() + tail + 3;
    let top = MOST_LINES.saturating_sub(used + 2).clamp(1, 3);
    let table = leaderboard(results, decision, other, Some(top));
    out.extend(table.lay_out(width).0);
    let ties = match (marks_ties(&table), decision.recommended()) {
        (true, Some(_)) => "= tied with the best.  ",
        (true, None) => "= tied with the first.  ",
        (false, _) => "",
    };
    let said =
        picks.and_then(|p| sentences::pick(results, p, p.tasks.iter().find(|t| t.task == decision.task)?));
    let notes = format!(" {ties}{}", said.unwrap_or_default());
    if notes != " " {
        out.wrapped(Tone::Dim, notes.trim_end(), width, 1);
    }
    out.extend(below);
    out.extend(warnings);
}

/// The comparison of rankings and the cost ladder.
fn below(results: &Results, frame: &Frame<'_>, decision: &Decision) -> Screen {
    let mut out = Screen::default();
    let comparison = results.comparisons.iter().find(|c| c.task == decision.task);
    if let Some(text) = comparison.and_then(sentences::rankings) {
        out.wrapped(Tone::Dim, &format!(" {text}"), frame.width, 1);
    }
    let ladder = results.answer.ladders.iter().find(|l| l.task == decision.task);
    if let Some(ladder) = ladder.filter(|l| decision.recommended().is_some() && !l.rungs.is_empty()) {
        out.gap();
        out.push(Line::new(Tone::Plain, " Model to act on, by the cost of a missed event in false alarms:"));
        let rungs = format!("  {}", sentences::ladder(results, ladder));
        out.push(Line::new(Tone::Plain, shorten(&rungs, frame.width)));
    }
    out
}

/// What changes the decision, and what is missing: two lines at most.
pub(super) fn warnings(results: &Results, frame: &Frame<'_>) -> Screen {
    let mut all: Vec<String> = missing(results).into_iter().chain(failed(results)).collect();
    let several = results.names.tasks.len() > 1;
    let mut of_tasks: IndexMap<String, Vec<TaskId>> = IndexMap::new();
    for (task, warnings) in TaskId::all(results.answer.warnings.len()).zip(&results.answer.warnings) {
        let is_recommended = results.answer.deciding(task).is_some_and(|d| d.recommended().is_some());
        // Few hits are no news where no model is recommended.
        let is_of_hits = |w: &Warning| matches!(w, Warning::Unsure { caution: Caution::FewHits(_), .. });
        let belongs = |w: &&Warning| w.changes_decision() && (is_recommended || !is_of_hits(w));
        for warning in warnings.iter().filter(belongs) {
            let text = match several {
                true => tasks::warning_kind(warning).to_owned(),
                false => sentences::warning(results, warning),
            };
            let tasks = of_tasks.entry(text).or_default();
            if tasks.last() != Some(&task) {
                tasks.push(task);
            }
        }
    }
    for (text, tasks) in of_tasks {
        all.push(match tasks[..] {
            _ if !several => text,
            [only] => format!("{text} on {}.", results.names.task(only)),
            _ => format!("{text} on {} of {} tasks.", tasks.len(), results.names.tasks.len()),
        });
    }
    let mut out = Screen::default();
    let left = all.len().saturating_sub(MOST_WARNINGS);
    for (i, text) in all.into_iter().take(MOST_WARNINGS).enumerate() {
        let is_last = i + 1 == MOST_WARNINGS && left > 0;
        let more = if is_last { format!(" (+{left} more)") } else { String::new() };
        let room = frame.width.saturating_sub(" ! ".len() + more.len());
        let cut = shorten(&text, room);
        out.push(Line::new(Tone::Caution, " ! ").and(Tone::Plain, cut + &more));
    }
    out
}

/// What the answer leaves out because it was not fitted.
fn missing(results: &Results) -> Option<String> {
    let (missing, all) = (results.missing_fits(), results.names.variants.len());
    let has_baselines = results.scores.first().is_some_and(|s| s.references.contains(&true));
    let models = if has_baselines { "models and baselines" } else { "models" };
    let of_task = |s: &TaskScores| s.status.iter().filter(|s| **s != VariantStatus::Missing).count();
    let fitted: Vec<usize> = results.scores.iter().map(of_task).collect();
    let first = fitted.first().copied().unwrap_or(0);
    (missing > 0).then(|| match fitted.iter().all(|n| *n == first) {
        true => format!("{first} of {all} {models} are fitted; the answer leaves out the rest."),
        false => format!("{} are missing; the answer leaves them out.", count(missing, "fit")),
    })
}

/// Fits that failed, with the commonest reason.
fn failed(results: &Results) -> Option<String> {
    let groups = failure_groups(results);
    let first = groups.first()?;
    let (fits, who) = (count(results.failures().count(), "fit"), first.who(results));
    let reason = first.reason.lines().next().unwrap_or("");
    Some(format!("{fits} failed (repeat with --retry-failed): {who}: {reason}"))
}

/// The last lines: what the paper says, and where everything is.
fn tail(frame: &Frame<'_>) -> Screen {
    let mut out = Screen::default();
    if !frame.claims.is_empty() {
        let found = findings(frame.claims).count();
        let text = match found {
            0 => " The paper: no finding to compare.".to_owned(),
            n => format!(" The paper: {}: {}.", count(n, "finding"), tally(findings(frame.claims))),
        };
        out.wrapped(Tone::Plain, &text, frame.width, 1);
    }
    let widest = frame.places.iter().map(|(label, _)| label.len()).max().unwrap_or(0);
    for (label, place) in &frame.places {
        let space = " ".repeat(widest - label.len() + 2);
        out.push(Line::new(Tone::Dim, format!(" {label}{space}")).and(Tone::Plain, place.clone()));
    }
    out
}

/// `… 6 more in results/decisions.csv`
pub(super) fn more(left: usize, frame: &Frame<'_>) -> Line {
    let place = frame.decisions.as_ref().map(|place| format!(" in {place}")).unwrap_or_default();
    Line::new(Tone::Dim, format!(" … {} more{place}", thousands(left)))
}
