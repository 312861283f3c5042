//! The answer as sentences, for the page, JSON, Markdown, LaTeX and Python.

use serde_json::{Value, json};
use tailrank_score::score::{Comparison, Results, TaskId, answer::Picks};

use super::{event, sentences as say};

/// The sentences of one task, by its deciding measure; the first is the verdict.
pub fn task_sentences(results: &Results, task: TaskId) -> Vec<String> {
    let Some(decision) = results.answer.deciding(task) else { return Vec::new() };
    let mut all = vec![say::verdict(results, decision).text()];
    all.extend(say::evidence(results, decision));
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
    let is_pair = |c: &&Comparison| (c.chosen_by, c.judged_by) == (first.chosen_by, first.judged_by);
    say::rankings_over_tasks(&results.comparisons.iter().filter(is_pair).collect::<Vec<_>>())
}

/// The comparisons of a pair of measures, task by task.
pub(crate) fn comparisons_of<'a>(results: &'a Results, picks: &Picks) -> Vec<&'a Comparison> {
    let is_pair = |c: &&Comparison| (c.chosen_by, c.judged_by) == (picks.chosen_by, picks.judged_by);
    results.comparisons.iter().filter(is_pair).collect()
}

/// Whether two measures pick the same model, and how their rankings compare.
pub fn pair_sentences(results: &Results, picks: &Picks) -> Vec<String> {
    let of_pair = comparisons_of(results, picks);
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
