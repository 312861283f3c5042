//! Draws the splits an experiment asks for.

use std::sync::Arc;

use tailrank_data::{Kind, Past, Rows, Split, SplitPlan, WindowStart, strata_by_class, strata_by_relevance};

use super::{Task, sources::Source};
use crate::config::{Day, Experiment, Problem, SplitSettings, Stratify};

/// Every source as a task with its splits; none where the settings are wrong in themselves, which is a problem already told.
pub(super) fn tasks(experiment: &Experiment, sources: Vec<Source>, problems: &mut Vec<Problem>) -> Vec<Task> {
    let mut tasks = Vec::new();
    for source in sources {
        let (settings, key) = (
            experiment.split_of(&source.task, &source.source),
            experiment.split_key(&source.task, &source.source),
        );
        if !settings.problems(&key).is_empty() {
            continue;
        }
        let mut task = Task {
            relevance: experiment.relevance_of(&source.task, &source.source).clone(),
            name: source.task,
            source: source.source,
            horizon: source.horizon,
            column: source.column,
            data: Arc::new(source.data),
            splits: Vec::new(),
            pooled: settings.pooled(),
            folds: settings.folds(),
        };
        match draw(settings, &task, experiment.seed) {
            Ok(splits) => {
                task.splits = splits;
                tasks.push(task);
            }
            Err(message) => problems.push(Problem::new(key, format!("task '{}': {message}", task.name))),
        }
    }
    tasks
}

fn draw(settings: &SplitSettings, task: &Task, seed: u64) -> Result<Vec<Split>, String> {
    let splits = scheme(settings, task, seed)?.splits(&task.data.timeline(), settings.leak());
    let mut splits = splits.map_err(|e| e.to_string())?;
    if let SplitSettings::Date { until: Some(until), .. } = settings {
        for split in &mut splits {
            split.test = before(*until, task, &split.test)?;
        }
    }
    match splits {
        none if none.is_empty() => Err("it has no split; raise repeats or folds".to_owned()),
        splits => Ok(splits),
    }
}

/// The test rows whose predictions are made before a day.
fn before(until: Day, task: &Task, test: &Rows) -> Result<Rows, String> {
    let timeline = task.data.timeline();
    let dates = timeline.origin_dates().ok_or("until needs rows with dates")?;
    let kept: Vec<usize> = test.iter().filter(|&row| dates[row] < until.0).collect();
    match (kept.first(), kept.last()) {
        (Some(&first), Some(&last)) if last - first + 1 == kept.len() => Ok((first..last + 1).into()),
        (Some(_), Some(_)) => Ok(kept.into()),
        _ => Err(format!("until = {until} leaves no row to test on")),
    }
}

fn scheme(settings: &SplitSettings, task: &Task, seed: u64) -> Result<SplitPlan, String> {
    let rows = task.data.rows();
    Ok(match *settings {
        SplitSettings::Date { at, validation_at, .. } => {
            SplitPlan::Date { at: at.0, validation_at: validation_at.map(|day| day.0) }
        }
        SplitSettings::Fraction { train, validation, .. } => SplitPlan::Fraction { train, validation },
        SplitSettings::Sliding { window, step, .. } => {
            SplitPlan::Windows { start: start(window, rows)?, step, past: Past::Sliding { window } }
        }
        SplitSettings::Growing { window, step, .. } => {
            SplitPlan::Windows { start: start(window, rows)?, step, past: Past::Growing }
        }
        SplitSettings::Kfold { folds, repeats, shuffle, stratify, .. } => {
            if folds > rows {
                return Err(format!("folds = {folds} is more than the task's {rows} rows"));
            }
            SplitPlan::KFold {
                folds,
                repeats,
                // Neighbouring rows of a series share most of their inputs: blocks keep folds apart.
                shuffle: shuffle.unwrap_or(task.horizon.is_none()),
                strata: stratify.map(|by| strata(by, task)).transpose()?,
                seed,
            }
        }
        SplitSettings::Bootstrap { repeats, .. } => SplitPlan::Bootstrap { repeats, seed },
    })
}

/// The first row that is tested, which the first window ends before.
fn start(window: usize, rows: usize) -> Result<WindowStart, String> {
    if window < rows {
        return Ok(WindowStart::Row(window));
    }
    Err(format!("window = {window} leaves no test row: the task has {rows} rows"))
}

fn strata(by: Stratify, task: &Task) -> Result<Vec<usize>, String> {
    match by {
        Stratify::Class => match task.data.kind() {
            Kind::Classification { .. } => Ok(strata_by_class(task.data.targets())),
            Kind::Regression => {
                Err("stratify = \"class\" needs a classification target; use \"relevance\"".to_owned())
            }
        },
        Stratify::Relevance => {
            // Only the spread of events over folds depends on this φ; every fold's own φ is fitted on its training rows.
            let phi = task.relevance.build(task.data.targets()).map_err(|e| e.to_string())?;
            let mut relevance = vec![0.0; task.data.rows()];
            phi.phi_into(task.data.targets(), &mut relevance);
            Ok(strata_by_relevance(&relevance, 4))
        }
    }
}
