//! The same fits under other settings of scoring: nothing is loaded, split or fitted again.

use std::path::Path;

use super::{Plan, check_events, rules, unknown_task_settings};
use crate::{
    EngineError, Result,
    config::{Change, Experiment, Problem, apply, differences},
};

impl Plan {
    /// This plan with changed relevance, measures, comparisons or trading rule.
    ///
    /// Tasks keep their rows and splits, also where folds were stratified by the relevance of the run itself.
    ///
    /// # Errors
    /// Everything wrong with the changed settings, and every change that would need other fits.
    pub fn rescored(&self, changes: &[Change]) -> Result<Self> {
        let fail = |problems: Vec<Problem>| {
            // Lines would be those of a text the user never saw.
            let problems = problems.into_iter().map(|p| Problem { line: 0, ..p }).collect();
            EngineError::Experiment { path: Path::new("the changed settings").to_owned(), problems }
        };
        let text = apply(&self.text, changes).map_err(|p| fail(vec![p]))?;
        let experiment = Experiment::parse(&text).map_err(fail)?;
        let mut problems: Vec<Problem> = differences(&self.experiment, &experiment)
            .into_iter()
            .filter(crate::config::Difference::needs_refit)
            .map(|d| {
                let was = d.before.map_or_else(String::new, |b| format!(" (it was {b})"));
                let message = format!(
                    "decides what is fitted{was}; change the experiment file and `tailrank run` it, which refits only what \
                     the change touches"
                );
                Problem::new(d.key, message)
            })
            .collect();
        let mut warnings = Vec::new();
        let found = rules(&experiment, &mut problems);
        let (Some((rules, pairs)), true) = (found, problems.is_empty()) else { return Err(fail(problems)) };
        let mut tasks = self.tasks.clone();
        unknown_task_settings(&experiment, &tasks, &mut problems);
        for task in &mut tasks {
            task.relevance = experiment.relevance_of(&task.name, &task.source).clone();
            let key = experiment.relevance_key(&task.name, &task.source);
            // The experiment's own settings are checked once, not for every task.
            if key != "relevance" {
                problems.extend(task.relevance.problems(&key));
            }
        }
        if problems.is_empty() {
            for task in &tasks {
                check_events(&experiment, task, &rules, &mut problems, &mut warnings);
            }
        }
        if !problems.is_empty() {
            return Err(fail(problems));
        }
        let (variants, cells, base) = (self.variants.clone(), self.cells.clone(), self.base.clone());
        Ok(Self { experiment, text, tasks, variants, cells, rules, pairs, warnings, base })
    }
}
