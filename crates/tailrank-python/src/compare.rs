//! Predictions made anywhere, scored and compared as `tailrank score` does.

use pyo3::prelude::*;
use tailrank::{
    data::Date,
    experiment::config::{Compare, RelevanceSettings},
    score::external::PredictionTable,
};

use crate::{
    answer::{Answer, Question, TaskParts},
    error::{Failure, Result},
    interrupt::{Stop, stoppable},
    measures::Rules,
    relevance::{Floats, Relevance, check_threshold, side},
};

/// Scores and compares predictions; `settings` and `inference` are sections of an experiment file, in JSON.
#[pyfunction]
pub(crate) fn compare(
    py: Python<'_>,
    tasks: Vec<TaskParts<'_>>,
    target: String,
    measures: Vec<String>,
    relevance: Option<&Relevance>,
    extremes: &str,
    t_e: f64,
    settings: &str,
    inference: &str,
    trading: Option<&str>,
    horizon: Option<usize>,
) -> Result<Answer> {
    let numbers = |values: &Bound<'_, PyAny>| -> Result<_> { Ok(values.extract::<Floats<'_>>()?.to_vec()) };
    let mut tables = Vec::with_capacity(tasks.len());
    for (task, truth, models, days) in &tasks {
        let models = models.iter().map(|(name, p)| Ok((name.clone(), numbers(p)?))).collect::<Result<_>>()?;
        let mut table = PredictionTable::new(task, numbers(truth)?, models).map_err(Failure::new)?;
        table.target.clone_from(&target);
        table.dates = days.as_deref().map(dates).transpose()?;
        tables.push(table);
    }
    check_threshold(t_e)?;
    let from_truth =
        RelevanceSettings { extremes: side(extremes)?, event_threshold: t_e, ..RelevanceSettings::default() };
    let phi = relevance.map(|phi| phi.0.clone());
    let inference = serde_json::from_str(inference)?;
    let Rules(rules) = Rules::new(measures, settings, trading)?;
    Ok(stoppable(py, None, Stop::AtOnce, move |_, cancel| {
        let mut settings = Vec::with_capacity(tables.len());
        let mut warnings = Vec::new();
        for table in &tables {
            let of_task = match &phi {
                Some(phi) => rules.with_relevance(Some(phi.clone()), t_e, &table.truth, None)?,
                None => rules.for_task(&from_truth, &table.truth, None)?,
            };
            if let Some(phi) = &of_task.relevance {
                warnings.extend(phi.check_events("true", &table.truth, of_task.t_e)?.warning());
            }
            settings.push(of_task);
        }
        let question = Question { tables, settings, rules, compare: Compare::default(), inference, horizon };
        let results = question.answer(&question.tables, &cancel)?;
        let pairs = results.answer.picks.iter().map(|p| (p.chosen_by, p.judged_by)).collect();
        Ok(Answer { results, pairs, question, warnings })
    })?)
}

fn dates(days: &[String]) -> Result<Vec<Date>> {
    let of = |day: &String| day.parse().map_err(|_| Failure::new(format!("'{day}' is not a valid date")));
    days.iter().map(of).collect()
}
