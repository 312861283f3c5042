//! The answer as sentences, for the page, JSON, Markdown, LaTeX and Python.

use serde_json::{Value, json};
use tailrank_score::table;

use super::{sentences as say, *};

/// The sentences of one task, by its deciding measure; the first is the verdict.
pub fn task_sentences(results: &Results, task: TaskId) -> Vec<String> {
    let Some(decision) = results.answer.deciding(task) else { return Vec::new() };
    let mut all = vec![say::verdict(results, decision).text()];
    all.extend(say::evidence(results, decision).into_iter().chain(say::thin(decision)));
    all.extend(results.answer.first_picks().and_then(|picks| pick(results, picks, task)));
    all.extend(results.comparisons.iter().find(|c| c.task == task).and_then(say::rankings));
    all.extend(results.answer.warnings.get(task.0).into_iter().flatten().map(|w| say::warning(results, w)));
    all
}

fn pick(results: &Results, picks: &Picks, task: TaskId) -> Option<String> {
    say::pick(results, picks, picks.tasks.iter().find(|t| t.task == task)?)
}

/// The sentences of the whole run; the first is the verdict.
pub fn sentences(results: &Results) -> Vec<String> {
    if let [_] = results.scores[..] {
        return task_sentences(results, TaskId(0));
    }
    let mut all: Vec<String> = say::verdict_over_tasks(results).map(|line| line.text()).into_iter().collect();
    all.extend(first_rankings(results));
    all
}

/// How the rankings by the first pair of measures compare over all tasks.
pub(super) fn first_rankings(results: &Results) -> Option<String> {
    let first = results.comparisons.first()?;
    say::rankings_over_tasks(&comparisons_by(results, first.chosen_by, first.judged_by))
}

/// The comparisons by a pair of measures, task by task.
pub fn comparisons_by(results: &Results, a: Measure, b: Measure) -> Vec<&Comparison> {
    results.comparisons.iter().filter(|c| (c.chosen_by, c.judged_by) == (a, b)).collect()
}

/// Whether two measures pick different models, and how their rankings compare.
pub fn pair_sentences(results: &Results, picks: &Picks) -> Vec<String> {
    let of_pair = comparisons_by(results, picks.chosen_by, picks.judged_by);
    if let ([task], [comparison]) = (&picks.tasks[..], &of_pair[..]) {
        let both =
            [say::changes(results, picks, task), say::pick(results, picks, task), say::rankings(comparison)];
        return both.into_iter().flatten().collect();
    }
    let [yes, no, undecided] = picks.counts();
    let (a, b) = (say::symbol(picks.chosen_by), say::symbol(picks.judged_by));
    let n = picks.tasks.len();
    let first = format!(
        "{a} and {b} pick different models on {yes} of {n} tasks, the same on {no}; undecided on {undecided}."
    );
    std::iter::once(first).chain(say::rankings_over_tasks(&of_pair)).collect()
}

/// A table whose codes of verdicts and reasons are the words that people read.
pub(crate) fn in_words(mut table: table::Table) -> table::Table {
    let [verdict, reason, deciding] = ["verdict", "reason", "deciding"].map(|id| table.place(id));
    for row in &mut table.rows {
        let text = |row: &[table::Cell], place: Option<usize>| match &row[place?].value {
            table::Value::Text(text) => Some(text.clone()),
            _ => None,
        };
        let decides = text(row, deciding).is_none_or(|d| d == "yes");
        if let (Some(place), Some(code)) = (verdict, text(row, verdict)) {
            row[place].value = say::verdict_of_code(&code, decides).into();
        }
        if let (Some(place), Some(code)) = (reason, text(row, reason)) {
            row[place].value = say::reason_of_code(&code).into();
        }
    }
    table
}

/// What a reader of the first screen is told, for scripts, with the sentences that people read.
pub fn json(results: &Results) -> Value {
    with_words(results, results.json())
}

/// [`json()`] with every table, by its name.
pub fn full_json(results: &Results) -> Value {
    with_words(results, results.full_json())
}

fn with_words(results: &Results, mut found: Value) -> Value {
    let of_task = |task: TaskId| {
        json!({
            "task": results.names.task(task),
            "event": event::definition(&results.scores[task]),
            "sentences": task_sentences(results, task),
        })
    };
    found["event"] = event::line(results).into();
    found["sentences"] = sentences(results).into();
    found["tasks_in_words"] = TaskId::all(results.scores.len()).map(of_task).collect();
    found
}
