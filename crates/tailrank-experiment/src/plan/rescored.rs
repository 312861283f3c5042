//! The same fits under other settings of scoring: nothing is loaded, split or fitted again.

use std::path::Path;

use super::{
    Plan, Task, Variant,
    cells::trained_by,
    check::{check_events, unknown_task_settings},
};
use crate::{
    EngineError, Result,
    config::{Change, Difference, Experiment, apply, differences},
    problem::Problem,
    rules::scoring_rules,
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
            EngineError::Experiment { path: Path::new("the changed experiment").to_owned(), problems }
        };
        let text = apply(&self.text, changes).map_err(|p| fail(vec![p]))?;
        let mut experiment = Experiment::parse(&text).map_err(fail)?;
        // As the file says it: references are added to what is planned only.
        let own = Experiment::parse(&self.text).map_err(fail)?;
        let mut problems: Vec<Problem> = differences(&own, &experiment)
            .into_iter()
            .filter(Difference::needs_refit)
            .map(|d| {
                let was = d.before.map_or_else(String::new, |b| format!(" (it was {b})"));
                let message = format!(
                    "decides what is fitted{was}; change the experiment file and `tailrank run` it, which \
                     refits only what the change touches"
                );
                Problem::new(d.key, message)
            })
            .collect();
        problems.extend(experiment.problems());
        let mut tasks = self.tasks.clone();
        // Settings of tasks that the run left out.
        let also_known: Vec<&str> = self.experiment.tasks.keys().map(String::as_str).collect();
        unknown_task_settings(&experiment, &tasks, &also_known, &mut problems);
        if !problems.is_empty() {
            return Err(fail(problems));
        }
        let rules = scoring_rules(&experiment.measures, experiment.trading.as_ref()).map_err(fail)?;
        let (pairs, _) = experiment.compare.measure_pairs(&rules.measures);
        let mut warnings = Vec::new();
        for task in &mut tasks {
            task.relevance = experiment.relevance_of(&task.name, &task.source).clone();
            task.measures = experiment.measures_of(&task.name, &task.source);
            task.cluster = experiment.cluster_of(&task.name, &task.source).cloned();
            check_events(&experiment, task, &rules, &mut problems, &mut warnings);
        }
        if !problems.is_empty() {
            return Err(fail(problems));
        }
        experiment.models.clone_from(&self.experiment.models);
        warnings.extend(self.kept_relevance(&experiment, &tasks));
        Ok(Self { experiment, text, tasks, rules, pairs, warnings, ..self.clone() })
    }

    /// Variants that were taught by settings which are others now, and are not taught again.
    fn kept_relevance(&self, experiment: &Experiment, tasks: &[Task]) -> Option<String> {
        const SHOWN: usize = 5;
        let changed = |variant: &&Variant| {
            self.tasks.iter().zip(tasks).any(|(before, after)| {
                trained_by(&variant.recipe, &self.experiment, before, &before.relevance)
                    != trained_by(&variant.recipe, experiment, after, &after.relevance)
            })
        };
        let labels: Vec<&str> = self.variants.iter().filter(changed).map(|v| v.label.as_str()).collect();
        let more = labels.len().saturating_sub(SHOWN);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let shown = labels[..labels.len().min(SHOWN)].join(", ");
        (!labels.is_empty()).then(|| {
            format!(
                "the predictions of {shown}{more} are those of the relevance they were trained with; change \
                 it in the experiment file and `tailrank run` it, which fits only these again"
            )
        })
    }
}
