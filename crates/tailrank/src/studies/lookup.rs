//! What the studies look up in the results of their experiments.

use std::hash::Hash;

use indexmap::IndexSet;
use tailrank_experiment::text::DASH;
use tailrank_metrics::{Measure, Score};
pub(super) use tailrank_report::answer::comparisons_by as comparisons;
use tailrank_report::{
    claims::Standing,
    figures::{self, Heading, PredictedTrue, RankFlow, Scores, predicted_true, rank_flow, scored_variants},
};
use tailrank_score::score::{Comparison, Results, StepEffect, TaskId, TaskInference, TaskScores, VariantId};
use tailrank_stats::rank_scores;

use super::{
    Figure, Result,
    decide::{digits, digits_or_dash},
};

/// The tasks of an experiment with their names.
pub(super) fn tasks(results: &Results) -> impl Iterator<Item = (TaskId, &str)> {
    let names = &results.names.tasks;
    TaskId::all(names.len()).zip(names.iter().map(String::as_str))
}

/// Intervals and tests of a task.
pub(super) fn inference_of(results: &Results, task: TaskId) -> Option<&TaskInference> {
    results.inference.iter().find(|i| i.task == task)
}

/// Ranks of some models by a measure; undefined scores are last.
pub(super) fn ranks_of(scores: &TaskScores, models: &[VariantId], measure: Measure) -> Vec<f64> {
    let all = scores.values(measure);
    let picked: Vec<Option<f64>> = models.iter().map(|&v| all[v]).collect();
    rank_scores(&picked, measure.better()).unwrap_or_default()
}

/// Each item once, in the order in which they come.
pub(crate) fn distinct<T: Eq + Hash>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    items.into_iter().collect::<IndexSet<T>>().into_iter().collect()
}

/// How many tasks have another first model by the second measure.
pub(super) fn other_first(comparisons: &[&Comparison]) -> usize {
    comparisons.iter().filter(|c| c.best_chosen != c.best_judged).count()
}

/// A model's name, or a dash.
pub(super) fn label(results: &Results, variant: Option<VariantId>) -> String {
    variant.map_or(DASH, |v| results.names.label(v)).to_owned()
}

/// A model's score, if it is defined.
pub(super) fn score_of(results: &Results, task: TaskId, variant: VariantId, measure: Measure) -> Option<f64> {
    results.scores[task].score(variant, measure).and_then(Score::value)
}

/// A model's score, or a dash.
pub(super) fn shown(results: &Results, task: TaskId, variant: Option<VariantId>, measure: Measure) -> String {
    digits_or_dash(variant.and_then(|v| score_of(results, task, v, measure)))
}

/// Another model on top: agree if the first by one measure is outside the confidence set of the first by the
/// other, differ if both are the same.
pub(super) fn other_on_top(results: &Results, c: &Comparison) -> Standing {
    let in_the_set = inference_of(results, c.task).is_some_and(|i| {
        let place = c.best_chosen.and_then(|b| i.place(b, &results.scores[c.task]));
        let set = i.measure(c.judged_by).map(|m| m.in_set(results.inferred_by.set_level)).unwrap_or_default();
        place.is_some_and(|place| set.contains(&place))
    });
    apart(c.best_chosen == c.best_judged, in_the_set)
}

fn apart(same: bool, in_the_set: bool) -> Standing {
    match (same, in_the_set) {
        (true, _) => Standing::Differ,
        (false, true) => Standing::TooClose,
        (false, false) => Standing::Agree,
    }
}

/// A file's name for a task.
pub(super) fn slug(task: &str) -> String {
    task.to_lowercase().replace(|c: char| !c.is_ascii_alphanumeric(), "_")
}

/// How the models' places move from measure to measure on a task.
pub(super) fn rank_flow_of(results: &Results, task: TaskId, measures: &[Measure]) -> Result<Figure> {
    let (name, scores) = (&results.names.tasks[task], &results.scores[task]);
    let data = RankFlow {
        variants: scored_variants(&results.names.variants, scores),
        measures: measures.iter().map(|&m| Scores::of_task(scores, m)).collect(),
        ranges: Vec::new(),
    };
    Ok(figure(&format!("ranks_{}", slug(name)), rank_flow(Heading::of(name), &data)?))
}

/// A model's predictions against the true values, in the file `<file>_<model>`.
pub(super) fn scatter(file: &str, heading: Heading<'_>, data: &PredictedTrue<'_>) -> Result<Figure> {
    Ok(figure(&format!("{file}_{}", data.variant.label.to_lowercase()), predicted_true(heading, data)?))
}

/// A row of a table of effects: what of which measure changes by how much, with its interval and the tasks
/// that it is better and worse on, of how many.
pub(super) fn effect_row(effect: &StepEffect, measure: &str) -> impl Iterator<Item = String> + use<> {
    let ends = [effect.interval.map(|i| i.0), effect.interval.map(|i| i.1)].map(digits_or_dash);
    let start = [effect.step.clone(), measure.to_owned(), digits(effect.change)];
    let tasks = [effect.tasks_better, effect.tasks_worse, effect.tasks].map(|n| n.to_string());
    start.into_iter().chain(ends).chain(tasks)
}

/// A drawn figure with the name of its file.
pub(super) fn figure(name: &str, drawn: figures::Figure) -> Figure {
    Figure { name: name.to_owned(), title: drawn.title, svg: drawn.svg }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_winner_or_a_tie() {
        assert_eq!(apart(false, false), Standing::Agree);
        assert_eq!(apart(true, true), Standing::Differ);
        assert_eq!(apart(false, true), Standing::TooClose);
    }
}
