//! What can be found wrong with a task before anything is trained.

use std::collections::HashSet;

use tailrank_data::Warning;
use tailrank_metrics::{Settings, relevance::EventCheck};
use tailrank_models::nearest;

use super::Task;
use crate::{config::Experiment, problem::Problem, rules::ScoringRules};

/// A task that cannot be tried: the others are.
pub(super) struct LeftOut {
    /// Its name.
    pub(super) task: String,
    /// The name of its series or table.
    pub(super) source: String,
    /// Why.
    pub(super) problems: Vec<Problem>,
}

impl std::fmt::Display for LeftOut {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let own = format!("task '{}': ", self.task);
        let reasons: Vec<&str> =
            self.problems.iter().map(|p| p.message.strip_prefix(&own).unwrap_or(&p.message)).collect();
        write!(f, "{} is left out: {}", self.task, reasons.join("; "))
    }
}

/// A `[tasks."…"]` section that names nothing would silently do nothing.
pub(super) fn unknown_task_settings(
    experiment: &Experiment,
    tasks: &[Task],
    also_known: &[&str],
    problems: &mut Vec<Problem>,
) {
    const SHOWN: usize = 20;
    if tasks.is_empty() {
        return;
    }
    let mut known: HashSet<&str> = tasks.iter().flat_map(|t| [t.name.as_str(), t.source.as_str()]).collect();
    known.extend(also_known);
    for name in experiment.tasks.keys().filter(|name| !known.contains(name.as_str())) {
        let message = match nearest(name, known.iter().copied()) {
            Some(near) if tasks.len() > SHOWN => {
                format!("no task or series is called that; did you mean '{near}'?")
            }
            _ => {
                let names: Vec<&str> = tasks.iter().take(SHOWN).map(|t| t.name.as_str()).collect();
                let more = if tasks.len() > SHOWN { ", …" } else { "" };
                format!("no task or series is called that; tasks are {}{more}", names.join(", "))
            }
        };
        problems.push(Problem::new(format!("tasks.{name}"), message));
    }
}

/// A column without a value to learn from is found here, as are levels that no training row has.
pub(super) fn check_columns(task: &Task, problems: &mut Vec<Problem>, warnings: &mut Vec<String>) {
    const SHOWN: usize = 3;
    let (mut known, mut unseen) = (HashSet::new(), Vec::new());
    for split in &task.splits {
        match task.data.check(split) {
            Ok(found) => {
                for warning in found {
                    let text = warning.to_string();
                    let Warning::UnseenLevel { column, level, .. } = warning else { continue };
                    // One level can be missing from the training rows of many splits.
                    if known.insert((column, level)) {
                        unseen.push(text);
                    }
                }
            }
            Err(e) => {
                let message = format!("{e} ({})", split.description);
                problems.push(Problem::new("data.tables", message));
                return;
            }
        }
    }
    warnings.extend(unseen.iter().take(SHOWN).map(|text| format!("{}: {text}", task.name)));
    if unseen.len() > SHOWN {
        warnings.push(format!("{}: {} more such levels", task.name, unseen.len() - SHOWN));
    }
}

/// "All relevance is zero" is found here, before anything is trained; and that φ can be built for every part.
pub(super) fn check_events(
    experiment: &Experiment,
    task: &Task,
    rules: &ScoringRules,
    problems: &mut Vec<Problem>,
    warnings: &mut Vec<String>,
) {
    let key = experiment.relevance_key(&task.name, &task.source);
    let in_task = |e: &dyn std::fmt::Display| format!("task '{}': {e}", task.name);
    let mut first = None;
    for part in task.parts() {
        let Some(&split) = part.first() else { continue };
        let train = task.train_targets(split);
        match task.settings(rules, &train) {
            Ok(settings) => first = first.or(Some((settings, train))),
            Err(e) => {
                problems.push(Problem::new(key, in_task(&e)));
                return;
            }
        }
    }
    let Some((Settings { relevance: Some(phi), t_e, .. }, train)) = first else { return };
    let test: Vec<f64> = (0..task.splits.len()).flat_map(|s| task.test_targets(s)).collect();
    for (sample, values) in [("training", &train), ("test", &test)] {
        match phi.check_events(sample, values, t_e) {
            Ok(check) => warnings.extend(check.warning().map(|w| format!("{}: {w}", task.name))),
            Err(e) => problems.push(Problem::new(&key, in_task(&e))),
        }
    }
    let validation: Vec<f64> =
        (0..task.splits.len()).filter_map(|s| task.validation_targets(s)).flatten().collect();
    if !validation.is_empty() {
        // Nothing is judged by these rows: without events they only leave a choice undefined.
        let check = phi.check_events("validation", &validation, t_e);
        let warning = check.map_or_else(|e| Some(e.to_string()), EventCheck::warning);
        warnings.extend(warning.map(|w| format!("{}: {w}", task.name)));
    }
}
