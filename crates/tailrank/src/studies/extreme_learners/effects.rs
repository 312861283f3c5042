//! What each step did, as the run found it.

use tailrank_metrics::Measure;
use tailrank_score::score::{Results, StepEffect};

use super::super::{
    Result, StudyError, Table,
    decide::{digits, digits_or_dash},
};

/// The effect of a step on a measure over all families.
pub(super) fn effect<'a>(results: &'a Results, step: &str, measure: Measure) -> Result<&'a StepEffect> {
    let found = results.steps.iter().find(|e| e.family.is_none() && e.step == step && e.measure == measure);
    found.ok_or_else(|| StudyError::Missing(format!("the run has no effect of '{step}' on {}", measure.id())))
}

/// `0.011 [0.004, 0.019], better on 7 of 8 tasks`.
pub(super) fn told(effect: &StepEffect) -> String {
    let interval =
        effect.interval.map_or_else(String::new, |(from, to)| format!(" [{}, {}]", digits(from), digits(to)));
    let StepEffect { change, tasks_better, tasks, .. } = effect;
    format!("{}{interval}, better on {tasks_better} of {tasks} tasks", digits(*change))
}

/// Measures of the headline: F and its parts, the usual error, and the errors where it matters.
const SHOWN: [Measure; 5] = [Measure::F, Measure::Precision, Measure::Recall, Measure::Mad, Measure::Rwse];

/// Every step's effect over all families.
pub(super) fn effects_table(results: &Results) -> Table {
    let headings = ["step", "measure", "change", "from", "to", "better", "worse", "tasks"];
    let title = "Scores with a step less scores of the same model without it: median over all families and tasks, its 95 % interval, \
         and tasks on which the median model is better or worse";
    let mut table = Table::new("effects", title, &headings);
    for e in results.steps.iter().filter(|e| e.family.is_none() && SHOWN.contains(&e.measure)) {
        let counts = [e.tasks_better, e.tasks_worse, e.tasks].map(|n| n.to_string());
        let ends = [e.interval.map(|i| i.0), e.interval.map(|i| i.1)].map(digits_or_dash);
        let start = [e.step.clone(), e.measure.id().to_owned(), digits(e.change)];
        table.row(start.into_iter().chain(ends).chain(counts));
    }
    table
}
