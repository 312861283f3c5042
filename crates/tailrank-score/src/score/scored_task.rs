//! What the predictions of one task say, and how shares keep it for the process that gathers.

use serde::{Deserialize, Serialize};
use tailrank_data::Dataset;
use tailrank_metrics::{Measure, MetricError};
use tailrank_models::Cancel;

use super::{
    Accountant, Backtester, Comparison, Names, Predictions, Selection, StoredPredictions, Target,
    TaskBacktest, TaskId, TaskScorer, TaskScores, TaskTruth, TradingRow, VariantId, VariantStatus, answer,
    check_cancelled,
    comparison::compare_task,
    episodes::{EpisodeTask, TaskEpisodes},
    inference::{self, TaskInference},
    regret,
    stored_predictions::{Role, truths},
    trading,
};
use crate::{
    EngineError, Result,
    digest::digest,
    plan::{Plan, Task, settings_digest},
};

/// Raise it whenever something that is found out about a task may change: what shares of another version kept
/// is not used then.
const VERSION: u32 = 1;

/// What one task's predictions say.
#[derive(Serialize, Deserialize)]
pub(super) struct ScoredTask {
    pub(super) scores: TaskScores,
    /// Not corrected over the tasks yet.
    pub(super) comparisons: Vec<Comparison>,
    pub(super) validation: Option<TaskScores>,
    pub(super) selection: Vec<Selection>,
    pub(super) trading: Vec<TradingRow>,
    pub(super) episodes: Vec<TaskEpisodes>,
    pub(super) backtest: Option<TaskBacktest>,
    pub(super) inference: Option<TaskInference>,
}

/// Scores the tasks of a plan one by one.
pub(super) struct TaskByTask<'a> {
    names: &'a Names,
    index: &'a StoredPredictions<'a>,
    cancel: &'a Cancel,
    /// Names the settings of scoring.
    settings: String,
}

impl<'a> TaskByTask<'a> {
    pub(super) fn new(names: &'a Names, index: &'a StoredPredictions<'a>, cancel: &'a Cancel) -> Self {
        let settings = settings_digest(&index.plan.experiment);
        Self { names, index, cancel, settings }
    }

    /// What a share kept of a task, or what its predictions say.
    pub(super) fn kept_or_scored(&self, t: TaskId) -> Result<ScoredTask> {
        let read = |key: String| self.index.store.read_scored(t.0, &key);
        let kept = self.key(t).map(read).transpose()?.flatten();
        match kept.and_then(|content| rmp_serde::from_slice(&content).ok()) {
            Some(task) => Ok(task),
            None => self.score(t, None),
        }
    }

    /// Scores a task whose fits are all stored and keeps what was found; tells whether there was something to
    /// do.
    pub(super) fn keep(&self, t: TaskId) -> Result<bool> {
        let (Some(key), store) = (self.key(t), self.index.store) else { return Ok(false) };
        if store.read_scored(t.0, &key)?.is_some() {
            return Ok(false);
        }
        let task = self.score(t, None)?;
        // A file that was there cannot be read.
        if task.scores.status.contains(&VariantStatus::Missing) {
            return Ok(false);
        }
        let content = rmp_serde::to_vec(&task).map_err(|e| EngineError::internal("scored task", e))?;
        store.write_scored(t.0, &key, &content)?;
        Ok(true)
    }

    /// Digest of everything that the scores of a task depend on. None where a cell is not stored, or where a
    /// measure or a test is the program's own: nobody knows when that changes.
    fn key(&self, t: TaskId) -> Option<String> {
        let plan = self.index.plan;
        let has_own_measure = plan.rules.measures.iter().any(|m| matches!(m, Measure::Own(_)));
        if has_own_measure || inference::has_own_tests() {
            return None;
        }
        let (task, settings) = (&plan.tasks[t], &self.settings);
        let (place, count, data) = (t.0, plan.tasks.len(), task.data.content_hash());
        let version = env!("CARGO_PKG_VERSION");
        let mut text = format!("{version} {VERSION} {settings} {place} {count} {data} {:?}", task.name);
        for cell in self.index.groups(t).flatten() {
            for file in self.index.files.get(&cell.key)? {
                text.push('\n');
                text.push_str(file.file_name()?.to_str()?);
            }
        }
        Some(digest(text.as_bytes()))
    }

    /// What the predictions of a task say, with those of a model made elsewhere.
    pub(super) fn score(&self, t: TaskId, submitted: Option<&Predictions>) -> Result<ScoredTask> {
        check_cancelled(self.cancel)?;
        let Self { names, index, cancel, .. } = *self;
        let (plan, task) = (index.plan, &index.plan.tasks[t]);
        let parts = truths(plan, task, Role::Test)?;
        let validation = truths(plan, task, Role::Validation)?;
        let failed = |e: MetricError| EngineError::score(&task.name, e);
        let references: Vec<bool> = names.variants.iter().map(|v| v.reference).collect();
        let scorer_of = |rows| TaskScorer::new(rows, &plan.rules.measures, &references).map_err(failed);
        let mut scorer = scorer_of(&parts)?;
        let mut chooser = if validation.is_empty() { None } else { Some(scorer_of(&validation)?) };
        let accountant = accountant(plan, task, &parts);
        let mut backtester = accountant.clone().map(Backtester::new);
        let counted = plan.experiment.events_of(&task.name, &task.source).and_then(|rule| {
            let design = inference::RowDesign::of(&task.data);
            EpisodeTask::new(t, &parts, rule, years(task), &design, task.horizon.is_some())
        });
        let mut episodes = Vec::new();
        // The predictions of some variants of the task; the others are missing.
        let only = |variants: &[VariantId]| -> Result<Vec<Predictions>> {
            let mut all = index.only(t, variants.iter().copied())?;
            all.extend(submitted.cloned());
            Ok(all)
        };
        for cells in index.groups(t) {
            for (variant, loaded) in index.load(cells)? {
                episodes.extend(counted.as_ref().and_then(|e| e.of(variant, &loaded.test)));
                scorer.add(variant, &loaded.test).map_err(failed)?;
                if let Some(backtester) = backtester.as_mut().filter(|_| !references[variant.0]) {
                    backtester.add(variant, &loaded.test).map_err(failed)?;
                }
                if let Some(chooser) = &mut chooser {
                    chooser.add(variant, &loaded.validation).map_err(failed)?;
                }
            }
        }
        if let Some(submitted) = submitted {
            let variant = VariantId(plan.variants.len());
            episodes.extend(counted.as_ref().and_then(|e| e.of(variant, submitted)));
            scorer.add(variant, submitted).map_err(failed)?;
        }
        episodes.sort_by_key(|e| e.variant);
        let mut scores = scorer.finish();
        scores.years = years(task);
        scores.target = Target::of_task(task);
        scores.training_events = training_events(task, &parts);
        let validation = chooser.map(TaskScorer::finish);
        let selection = validation.as_ref().map(|v| regret::selections(t, v, &scores)).unwrap_or_default();
        let mut trading = Vec::new();
        // Of a table nobody knows whether its target is a return.
        if plan.rules.trading.is_some() && task.horizon.is_some() && parts.len() == 1 {
            let best: Vec<VariantId> = scores.measures.iter().filter_map(|&m| scores.best(m)).collect();
            let traded = only(&best)?;
            trading.extend(
                trading::trading_rows(t, &parts, &scores, &traded, accountant.as_ref()).map_err(failed)?,
            );
        }
        let backtest = backtester.map(|b| b.finish(t, &scores)).transpose().map_err(failed)?;
        let mut inference = None;
        let settings = &plan.experiment.inference;
        if settings.enabled {
            let deciding = answer::deciding_measure(
                plan.experiment.compare.decide_by(),
                &plan.pairs,
                &plan.rules.measures,
            );
            let judged: Vec<Measure> = plan.pairs.iter().map(|&(_, b)| b).chain(deciding).collect();
            let question = inference::Question {
                task: t,
                names,
                parts: &parts,
                horizon: task.horizon,
                lags: if task.horizon.is_some() { plan.experiment.target.lags as usize } else { 0 },
                scores: &scores,
                judged: &judged,
                design: &inference::RowDesign::of(&task.data),
                tests: plan.tasks.len(),
                alpha: plan.experiment.compare.alpha,
                settings,
                seed: plan.experiment.seed,
            };
            let load = |variants: &[VariantId]| {
                let mut all = only(variants)?;
                Ok(variants.iter().map(|&v| std::mem::replace(&mut all[v], Predictions::missing())).collect())
            };
            inference = Some(inference::infer(&question, &load, cancel)?);
        }
        let Plan { experiment, pairs, .. } = plan;
        let comparisons = compare_task(t, &scores, pairs, &experiment.compare, experiment.seed);
        Ok(ScoredTask { scores, comparisons, validation, selection, trading, episodes, backtest, inference })
    }
}

/// Years that the test cases of a series cover, if they are one period.
fn years(task: &Task) -> Option<f64> {
    let Dataset::Series(embedding) = &*task.data else { return None };
    let (first, last) = task.test_period()?;
    let days = embedding.origin_date(first).until(embedding.label_end_date(last)).ok()?.get_days();
    (days > 0).then(|| f64::from(days) / 365.25)
}

/// Events among the training rows of the part that has the fewest.
fn training_events(task: &Task, parts: &[TaskTruth]) -> Option<usize> {
    let of_part = |(splits, part): (&Vec<usize>, &TaskTruth)| {
        let phi = part.settings.relevance.as_ref()?;
        let train = task.train_targets(*splits.first()?);
        Some(train.into_iter().filter(|&y| phi.phi(y) >= part.settings.t_e).count())
    };
    task.parts().iter().zip(parts).filter_map(of_part).min()
}

/// Keeps the accounts of a task, if it is traded.
fn accountant(plan: &Plan, task: &Task, parts: &[TaskTruth]) -> Option<Accountant> {
    let position = plan.rules.trading.as_ref()?.position;
    Accountant::of_task(task, parts.first()?.settings.trading?, position)
}
