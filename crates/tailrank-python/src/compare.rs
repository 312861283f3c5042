//! Predictions made anywhere, scored and compared as `tailrank score` does.

use pyo3::prelude::*;
use tailrank::{
    data::Date,
    experiment::{config::RelevanceSettings, rules::scoring_rules},
    models::Cancel,
    score::external::PredictionTable,
};

use crate::{
    answer::{Answer, Question},
    error::Failure,
    interrupt::abandonable,
    measures::{read_settings, read_trading},
    relevance::{self, Relevance, as_floats},
};

type Result<T> = std::result::Result<T, Failure>;

/// A task: its name, the true values, the predictions of every model by name, and the cases' days where they have some (`2024-02-29`).
type TaskArrays<'py> = (String, Bound<'py, PyAny>, Vec<(String, Bound<'py, PyAny>)>, Option<Vec<String>>);

/// Scores and compares predictions; `settings`, `compare` and `inference` are sections of an experiment file, in JSON.
#[pyfunction]
#[pyo3(signature = (tasks, target, measures, relevance, extremes, t_e, settings, compare, inference, trading = None, horizon = None))]
pub(crate) fn compare(
    py: Python<'_>,
    tasks: Vec<TaskArrays<'_>>,
    target: &str,
    measures: Vec<String>,
    relevance: Option<&Relevance>,
    extremes: &str,
    t_e: f64,
    settings: &str,
    compare: &str,
    inference: &str,
    trading: Option<&str>,
    horizon: Option<usize>,
) -> PyResult<Answer> {
    let numbers = |values: &Bound<'_, PyAny>| -> Result<Vec<f64>> {
        Ok(as_floats(values, "the values")?.as_slice().map(<[f64]>::to_vec).map_err(PyErr::from)?)
    };
    let target = target.to_owned();
    let mut tables = Vec::with_capacity(tasks.len());
    for (task, truth, models, days) in &tasks {
        let models = models.iter().map(|(name, p)| Ok((name.clone(), numbers(p)?))).collect::<Result<_>>()?;
        let mut table = PredictionTable::new(task, numbers(truth)?, models).map_err(Failure::new)?;
        table.target.clone_from(&target);
        table.dates = days.as_deref().map(dates).transpose()?;
        tables.push(table);
    }
    let extremes = relevance::side(extremes)?;
    let open = RelevanceSettings { extremes, event_threshold: t_e, ..RelevanceSettings::default() };
    let phi = relevance.map_or(open, |phi| relevance::settings(&phi.0, t_e));
    let problem = |e: serde_json::Error| Failure::new(e.to_string());
    let compare = serde_json::from_str(compare).map_err(problem)?;
    let inference = serde_json::from_str(inference).map_err(problem)?;
    let (measures, trading) = (read_settings(measures, settings)?, read_trading(trading)?);
    let cancel = Cancel::default();
    let stopped = cancel.clone();
    abandonable(py, &cancel, move || {
        if let Some(problem) = phi.problems("relevance").first() {
            return Err(Failure::new(problem.to_string()));
        }
        let rules = scoring_rules(&measures, trading.as_ref()).map_err(|problems| {
            Failure::new(problems.iter().map(|p| p.message.clone()).collect::<Vec<_>>().join("\n"))
        })?;
        let mut settings = Vec::with_capacity(tables.len());
        let mut warnings = Vec::new();
        for table in &tables {
            let of_task = rules.for_task(&phi, &table.truth, None)?;
            if let Some(phi) = &of_task.relevance {
                warnings.extend(phi.check_events("true", &table.truth, of_task.t_e)?.warning());
            }
            settings.push(of_task);
        }
        let question = Question { tables, settings, rules, compare, inference, horizon };
        let results = question.answer(&question.tables, &stopped)?;
        Ok(Answer { results, question, warnings })
    })
}

fn dates(days: &[String]) -> Result<Vec<Date>> {
    let of = |day: &String| day.parse().map_err(|_| Failure::new(format!("'{day}' is not a valid date")));
    days.iter().map(of).collect()
}
