//! What a run found: everything derived from the stored predictions, and the tables it is written to.

use std::collections::{BTreeSet, HashSet};

use rayon::prelude::*;
use tailrank_data::frame;
use tailrank_metrics::Measure;
use tailrank_models::Cancel;

use super::{
    AcrossTasks, Comparison, Loss, Names, Regret, Selection, StepEffect, StoredPredictions, Submission,
    TaskBacktest, TaskId, TaskScores, TradingRow, VariantId, VariantName, VariantStatus, Wins, across,
    answer::{self, Answer, Warning},
    backtest, clusters, comparison,
    episodes::{self, TaskEpisodes},
    inference::{self, TaskInference},
    regret, score_tables,
    scored_task::{ScoredTask, TaskByTask},
    standings::{self, Standings},
    steps, trading,
};
use crate::{
    EngineError, Result,
    config::{Compare, Inference},
    digest::CellKey,
    plan::{InputDigest, Plan},
    store::Store,
    table::Table,
};

/// What a run found.
pub struct Results {
    /// What all of it was made from.
    pub inputs: InputDigest,
    /// What tasks and variants are called.
    pub names: Names,
    /// Significance level of the tests.
    pub alpha: f64,
    /// Scores, task by task.
    pub scores: Vec<TaskScores>,
    /// Comparisons of rankings, pair by pair, task by task.
    pub comparisons: Vec<Comparison>,
    /// Which model to use on each task, or that none is worth using.
    pub answer: Answer,
    /// What choosing by one measure costs by another.
    pub regrets: Vec<Regret>,
    /// How sure the scores are, task by task; empty where inference is off.
    pub inference: Vec<TaskInference>,
    /// The settings of it.
    pub inferred_by: Inference,
    /// Ranks over all tasks.
    pub across: Vec<AcrossTasks>,
    /// Wins over all tasks.
    pub wins: Vec<Wins>,
    /// The trading rule with each measure's best variant.
    pub trading: Vec<TradingRow>,
    /// The rule's account with every candidate, task by task; empty where nothing is traded.
    pub backtests: Vec<TaskBacktest>,
    /// What choosing on validation rows gives on the test; empty without such rows.
    pub selection: Vec<Selection>,
    /// What learning steps did, against the plain families; empty without them.
    pub steps: Vec<StepEffect>,
    /// Families or models over all tasks; empty below two tasks.
    pub standings: Standings,
    /// Episodes and alarms of every model; empty without `[events]`.
    pub episodes: Vec<TaskEpisodes>,
}

/// What is compared, and how.
#[derive(Clone, Copy, Debug)]
pub struct Rules<'a> {
    /// Pairs of measures whose rankings are compared.
    pub pairs: &'a [(Measure, Measure)],
    /// How.
    pub compare: &'a Compare,
    /// How sure the answer is to be.
    pub inference: &'a Inference,
    /// Names the randomness of permutations.
    pub seed: u64,
}

/// A table's name, and how it is built.
type NamedTable = (&'static str, fn(&Results) -> Table);

/// The tables of results by their names, in the order in which they are listed.
const TABLES: &[NamedTable] = &[
    ("scores", |r| score_tables::scores_table(&r.names, &r.scores)),
    ("ranks", |r| score_tables::ranks_table(&r.names, &r.scores)),
    ("folds", |r| score_tables::folds_table(&r.names, &r.scores)),
    ("comparisons", |r| comparison::table(&r.names, &r.scores, &r.comparisons, r.alpha)),
    ("decisions", |r| answer::table(&r.names, &r.answer)),
    ("alarms", |r| answer::alarms_table(&r.names, &r.scores, &r.answer.ladders)),
    ("regret", |r| regret::table(&r.names, &r.regrets)),
    ("costs", |r| regret::costs_table(&r.names, &r.regrets, &r.measures())),
    ("average_ranks", |r| across::average_ranks_table(&r.names, &r.across, r.alpha)),
    ("friedman", |r| across::friedman_table(&r.across)),
    ("wins", |r| across::wins_table(&r.names, &r.wins)),
    ("standings", |r| standings::table(&r.standings)),
    ("episodes", |r| episodes::table(&r.names, &r.episodes)),
    ("trading", |r| trading::table(&r.names, &r.trading)),
    ("backtest", |r| backtest::table(&r.names, &r.backtests)),
    ("selection", |r| regret::selection_table(&r.names, &r.selection)),
    ("steps", |r| steps::table(&r.steps)),
    ("intervals", |r| inference::intervals(&r.names, &r.inference, r.inferred_by.level)),
    ("confidence_sets", |r| inference::confidence_sets(&r.names, &r.inference, r.inferred_by.set_level)),
    ("chance", |r| inference::chance_table(&r.names, &r.inference)),
    ("families", |r| inference::families(&r.names, &r.inference)),
    ("pairwise", |r| inference::pairwise_table(&r.names, &r.inference)),
];

impl Results {
    /// Everything that follows from the scores of variants on tasks, those on validation rows where models
    /// are chosen by them, and from how sure these are.
    pub fn of_scores(
        names: Names,
        scores: Vec<TaskScores>,
        validation: &[Option<TaskScores>],
        inference: Vec<TaskInference>,
        rules: Rules<'_>,
    ) -> Self {
        let comparisons = comparison::compare_tasks(&scores, rules.pairs, rules.compare, rules.seed);
        Self::of_comparisons(names, scores, comparisons, validation, inference, rules)
    }

    /// The same where the rankings are compared already.
    fn of_comparisons(
        names: Names,
        scores: Vec<TaskScores>,
        mut comparisons: Vec<Comparison>,
        validation: &[Option<TaskScores>],
        mut inference: Vec<TaskInference>,
        rules: Rules<'_>,
    ) -> Self {
        let (alpha, level) = (rules.compare.alpha, rules.inference.level);
        inference::holm_over_tasks(&mut inference);
        let across = across::across_tasks(&scores, alpha);
        let measures = scores.first().map(|s| s.measures.as_slice()).unwrap_or_default();
        let decide_by = answer::deciding_measure(rules.compare.decide_by(), rules.pairs, measures);
        let answer = answer::decide(answer::Asked {
            names: &names,
            scores: &scores,
            comparisons: &comparisons,
            inference: &inference,
            decide_by,
            alpha,
            set_level: rules.inference.set_level,
        });
        let mut regrets = regret::regrets(&scores);
        let of_a_gain = |loss: Option<Loss>, task: TaskId, by: Measure| {
            loss.map(|loss| loss.of_a_gain(answer.has_gain(task, by, alpha)))
        };
        regrets.iter_mut().for_each(|r| r.loss = of_a_gain(r.loss, r.task, r.judged_by));
        comparisons.iter_mut().for_each(|c| c.loss = of_a_gain(c.loss, c.task, c.judged_by));
        Self {
            inputs: InputDigest::default(),
            alpha,
            answer,
            inferred_by: rules.inference.clone(),
            regrets,
            steps: steps::step_effects(&names, &scores),
            standings: standings::standings(&names, &scores, validation, decide_by, alpha, level),
            wins: across::wins(&scores, &across, rules.inference),
            across,
            trading: Vec::new(),
            episodes: Vec::new(),
            backtests: Vec::new(),
            selection: Vec::new(),
            comparisons,
            inference,
            scores,
            names,
        }
    }

    /// Every table that has rows: what all printers print.
    pub fn tables(&self) -> Vec<Table> {
        self.each_table().collect()
    }

    /// The same one after the other: a table of many tasks and models is large.
    fn each_table(&self) -> impl Iterator<Item = Table> {
        TABLES.iter().map(|(_, build)| build(self)).filter(|table| !table.rows.is_empty())
    }

    /// The comparisons of one pair of measures, as people read them.
    pub fn comparison_table(&self, a: Measure, b: Measure) -> Table {
        let all = comparison::table(&self.names, &self.scores, &self.comparisons, self.alpha);
        comparison::of_pair(&all, a, b)
    }

    /// The measures, in order.
    pub fn measures(&self) -> Vec<Measure> {
        self.scores.first().map(|s| s.measures.clone()).unwrap_or_default()
    }

    /// One of the tables, by its name; none if it has no rows.
    pub fn table(&self, id: &str) -> Option<Table> {
        let (_, build) = TABLES.iter().find(|(name, _)| *name == id)?;
        Some(build(self)).filter(|table| !table.rows.is_empty())
    }

    /// What a reader of the first screen is told, for scripts. Undefined is null.
    pub fn json(&self) -> serde_json::Value {
        let picks: Vec<serde_json::Value> = self.answer.picks.iter().map(|p| self.picks_json(p)).collect();
        let of = |(name, s): (&String, &TaskScores)| serde_json::json!({ "task": name, "cases": s.cases, "events": s.events, "repeats": s.repeats });
        let tasks: Vec<serde_json::Value> = self.names.tasks.iter().zip(&self.scores).map(of).collect();
        let rows = |id: &str| self.table(id).map_or_else(|| serde_json::json!([]), |t| t.json());
        let failures: Vec<serde_json::Value> = self
            .failures()
            .map(|(t, v, reason)| {
                serde_json::json!({ "task": self.names.task(t), "model": self.names.label(v), "reason": reason })
            })
            .collect();
        serde_json::json!({
            "models": self.names.variants.len(),
            "baselines": self.names.variants.iter().filter(|v| v.reference).count(),
            "tasks": tasks,
            "decide_by": self.answer.decide_by.map(Measure::id),
            "decisions": rows("decisions"),
            "picks": picks,
            "warnings": self.warnings_json(),
            "comparisons": rows("comparisons"),
            "chance": rows("chance"),
            "selection": rows("selection"),
            "failures": failures,
            "missing_fits": self.missing_fits(),
        })
    }

    /// Whether two measures pick the same model, task by task, for scripts.
    fn picks_json(&self, picks: &answer::Picks) -> serde_json::Value {
        let label = |v: Option<VariantId>| v.map(|v| self.names.label(v));
        let of_task = |t: &answer::TaskPicks| {
            serde_json::json!({
                "task": self.names.task(t.task),
                "changes": t.changes.code(),
                "reason": match t.changes {
                    answer::Changes::Undecided(why) => Some(why.code()),
                    _ => None,
                },
                "chosen": label(t.chosen),
                "judged": label(t.judged),
                "regret": t.loss.map(|l| l.absolute),
            })
        };
        serde_json::json!({
            "chosen_by": picks.chosen_by.id(),
            "judged_by": picks.judged_by.id(),
            "tasks": picks.tasks.iter().map(of_task).collect::<Vec<_>>(),
        })
    }

    /// The codes of the warnings, task by task.
    fn warnings_json(&self) -> serde_json::Value {
        let of_task = |(task, all): (TaskId, &Vec<answer::Warning>)| {
            let codes: Vec<&str> = all.iter().map(answer::Warning::code).collect();
            serde_json::json!({ "task": self.names.task(task), "warnings": codes })
        };
        TaskId::all(self.answer.warnings.len()).zip(&self.answer.warnings).map(of_task).collect()
    }

    /// [`json`](Self::json) with every table, by its name.
    pub fn full_json(&self) -> serde_json::Value {
        let mut found = self.json();
        for table in self.tables() {
            found[&table.id] = table.json();
        }
        found
    }

    /// Fits of variants on tasks that failed, with their reasons.
    pub fn failures(&self) -> impl Iterator<Item = (TaskId, VariantId, &str)> {
        TaskId::all(self.scores.len()).zip(&self.scores).flat_map(|(t, s)| {
            VariantId::all(s.status.len()).zip(&s.status).filter_map(move |(v, status)| match status {
                VariantStatus::Failed { reason } => Some((t, v, reason.as_str())),
                _ => None,
            })
        })
    }

    /// Fits of variants on tasks that were never made.
    pub fn missing_fits(&self) -> usize {
        self.scores.iter().flat_map(|s| &s.status).filter(|s| **s == VariantStatus::Missing).count()
    }
}

/// Derives everything from the stored predictions, cell by cell, so that memory stays flat as cells grow.
pub fn results(plan: &Plan, store: &Store<'_>) -> Result<Results> {
    results_with(&Cancel::default(), plan, store, None)
}

/// [`results`] with a model of somebody else's among the run's own, given up with [`EngineError::Interrupted`] once `cancel` is set:
/// before the next task, and at the end.
pub fn results_with(
    cancel: &Cancel,
    plan: &Plan,
    store: &Store<'_>,
    submission: Option<&Submission>,
) -> Result<Results> {
    let index = StoredPredictions::list(plan, store)?;
    let mut names = names(plan);
    names.variants.extend(submission.map(Submission::as_variant));
    let tasks = TaskByTask::new(&names, &index, cancel);
    // Side by side, put together in their order.
    let scored: Vec<Result<ScoredTask>> = (0..plan.tasks.len())
        .into_par_iter()
        .map(|t| match submission {
            None => tasks.kept_or_scored(TaskId(t)),
            Some(s) => tasks.score(TaskId(t), Some(&s.tasks[t])),
        })
        .collect();
    let mut scores = Vec::with_capacity(plan.tasks.len());
    let (mut trading, mut backtests, mut episodes) = (Vec::new(), Vec::new(), Vec::new());
    let (mut selection, mut inference, mut validation) = (Vec::new(), Vec::new(), Vec::new());
    let mut comparisons = Vec::with_capacity(plan.tasks.len());
    for task in scored {
        let task = task?;
        scores.push(task.scores);
        comparisons.push(task.comparisons);
        selection.extend(task.selection);
        validation.push(task.validation);
        inference.extend(task.inference);
        trading.extend(task.trading);
        episodes.extend(task.episodes);
        backtests.extend(task.backtest);
    }
    for (scores, cluster) in scores.iter_mut().zip(clusters::clusters(&plan.tasks)) {
        scores.cluster = Some(cluster);
    }
    let experiment = &plan.experiment;
    let rules = Rules {
        pairs: &plan.pairs,
        compare: &experiment.compare,
        inference: &experiment.inference,
        seed: experiment.seed,
    };
    let comparisons = comparison::over_tasks(comparisons);
    let mut found = Results::of_comparisons(names, scores, comparisons, &validation, inference, rules);
    check_cancelled(cancel)?;
    for (task, warnings) in plan.tasks.iter().zip(&mut found.answer.warnings) {
        if task.splits.iter().any(|split| split.leaking > 0) {
            warnings.push(Warning::LabelOverlap);
        }
    }
    for s in &mut selection {
        s.loss = s.loss.map(|loss| loss.of_a_gain(found.answer.has_gain(s.task, s.measure, found.alpha)));
    }
    Ok(Results { inputs: plan.input_digest(), trading, backtests, selection, episodes, ..found })
}

/// Scores what a share has fitted, for the process that gathers: those tasks of its cells, given by their
/// places in the plan, whose cells are all stored. Returns how many were scored now.
///
/// # Errors
/// `Interrupted` once `cancel` is set; what was scored before is kept.
pub fn score_share(cancel: &Cancel, plan: &Plan, store: &Store<'_>, cells: &[usize]) -> Result<usize> {
    let (index, names) = (StoredPredictions::list(plan, store)?, names(plan));
    // Two tasks of the same data share their fits.
    let own: HashSet<&CellKey> = cells.iter().map(|&c| &plan.cells[c].key).collect();
    let tasks: BTreeSet<usize> =
        plan.cells.iter().filter(|cell| own.contains(&cell.key)).map(|cell| cell.task).collect();
    let task_by_task = TaskByTask::new(&names, &index, cancel);
    let kept: Vec<bool> =
        tasks.into_par_iter().map(|t| task_by_task.keep(TaskId(t))).collect::<Result<_>>()?;
    Ok(kept.into_iter().filter(|is_new| *is_new).count())
}

fn names(plan: &Plan) -> Names {
    Names {
        tasks: plan.tasks.iter().map(|t| t.name.clone()).collect(),
        variants: plan
            .variants
            .iter()
            .map(|v| VariantName {
                label: v.label.clone(),
                group: v.group.clone(),
                params: v.params.clone(),
                recipe: v.recipe.to_string(),
                reference: v.family.is_baseline(),
            })
            .collect(),
    }
}

/// Stops with [`EngineError::Interrupted`] once `cancel` is set.
pub(crate) fn check_cancelled(cancel: &Cancel) -> Result<()> {
    if cancel.is_cancelled() { Err(EngineError::Interrupted) } else { Ok(()) }
}

/// Writes every table as CSV and Parquet. Tables of an earlier state that are no longer made are removed.
pub fn write_results(results: &Results, store: &Store<'_>) -> Result<()> {
    store.write_tables(&results.inputs, results.missing_fits(), &table_files(results)?)
}

/// The bytes of every table, by file name: `scores.csv`, `scores.parquet` and so on. CSV is for people and
/// their spreadsheets; Parquet holds every text as it is.
pub fn table_files(results: &Results) -> Result<Vec<(String, Vec<u8>)>> {
    let internal = |e| EngineError::internal("tables", e);
    let mut files = Vec::new();
    for table in results.each_table() {
        let frame = table.frame()?;
        files.push((format!("{}.csv", table.id), frame::to_spreadsheet_csv(&frame).map_err(internal)?));
        files.push((format!("{}.parquet", table.id), frame::to_parquet(&frame, &[]).map_err(internal)?));
    }
    Ok(files)
}
