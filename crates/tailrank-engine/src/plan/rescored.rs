//! The same fits under other settings of scoring: nothing is loaded, split or fitted again.

use std::path::Path;

use super::{
    Plan,
    check::{check_events, unknown_task_settings},
};
use crate::{
    EngineError, Result,
    config::{Change, Difference, Experiment, Problem, apply, differences},
    score::scoring_rules,
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
            .filter(Difference::needs_refit)
            .map(|d| {
                let was = d.before.map_or_else(String::new, |b| format!(" (it was {b})"));
                let message = format!(
                    "decides what is fitted{was}; change the experiment file and `tailrank run` it, which refits only what \
                     the change touches"
                );
                Problem::new(d.key, message)
            })
            .collect();
        problems.extend(experiment.problems());
        let mut tasks = self.tasks.clone();
        unknown_task_settings(&experiment, &tasks, &mut problems);
        if !problems.is_empty() {
            return Err(fail(problems));
        }
        let rules = scoring_rules(&experiment.measures, experiment.trading.as_ref()).map_err(fail)?;
        let (pairs, _) = experiment.compare.measure_pairs(&rules.measures);
        let mut warnings = Vec::new();
        for task in &mut tasks {
            task.relevance = experiment.relevance_of(&task.name, &task.source).clone();
            check_events(&experiment, task, &rules, &mut problems, &mut warnings);
        }
        if !problems.is_empty() {
            return Err(fail(problems));
        }
        let (variants, cells, base) = (self.variants.clone(), self.cells.clone(), self.base.clone());
        Ok(Self { experiment, text, tasks, variants, cells, rules, pairs, warnings, base })
    }
}
