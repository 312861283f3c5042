//! What changed between two runs, from their settings and their tables: neither data nor models are needed.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
};

use indexmap::IndexSet;
use serde::Serialize;
use tailrank_data::frame::{self, Column, Frame};
use tailrank_metrics::Measure;
use tailrank_stats::{Alternative, CorrelationMethod, TestResult, kendall_test, rank_scores, spearman_test};

use crate::{
    EngineError, Result,
    config::{self, Experiment},
    plan::settings_digest,
    store::{Contents, OutputKind, Store, disk::Disk, is_ours},
};

/// One run as its table of scores tells it.
pub struct RunTables {
    /// Its folder.
    pub root: PathBuf,
    /// What was run.
    pub experiment: Experiment,
    /// Its measures, in order.
    pub measures: Vec<Measure>,
    tasks: Vec<String>,
    variants: Vec<String>,
    /// By task and variant.
    rows: HashMap<(String, String), Row>,
    /// What it says of each task, by measure.
    verdicts: HashMap<(String, String), StoredVerdict>,
    /// Fingerprint of its data.
    data: String,
}

/// What a run said of one task by one measure: a row of its `decisions`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StoredVerdict {
    /// Whether the measure decides.
    pub deciding: bool,
    /// `use` or `no_model`.
    pub verdict: String,
    /// Why no model is to be used, as a code; empty otherwise.
    pub reason: String,
    /// The model with the best score, whether or not it is to be used.
    pub model: Option<String>,
    /// Its score.
    pub score: Option<f64>,
}

struct Row {
    failure: Option<String>,
    /// One per measure; none where undefined.
    scores: Vec<Option<f64>>,
}

impl RunTables {
    /// Opens a run, or a report that was written under changed settings.
    ///
    /// # Errors
    /// When the folder is neither, or has no table of scores yet.
    pub fn open(disk: &dyn Disk, root: &Path) -> Result<Self> {
        let tables = root.join("tables");
        // A report keeps its settings beside its tables.
        let (text, folder, scores) = match disk.read(&tables.join("experiment.toml")) {
            Ok(text) => {
                (String::from_utf8_lossy(&text).into_owned(), root.to_owned(), "tables/scores.parquet")
            }
            Err(_) => {
                // A run's own page has the run's tables in the folder above it.
                let is_page = matches!(is_ours(disk, root, OutputKind::Report), Ok(true));
                let run = root.parent().filter(|_| is_page).unwrap_or(root);
                let (store, text) = Store::open_existing(disk, run)?;
                (text, store.results(), "scores.parquet")
            }
        };
        let refuse = |reason: String| EngineError::NotARun { path: root.to_owned(), reason };
        let experiment = Experiment::parse(&text)
            .map_err(|problems| EngineError::Experiment { path: root.join("experiment.toml"), problems })?;
        let path = folder.join(scores);
        let bytes = disk.read(&path).map_err(|e| match e.kind() {
            std::io::ErrorKind::NotFound => {
                refuse("it has no scores yet; finish it with `tailrank run`".to_owned())
            }
            _ => EngineError::io("read", &path, e),
        })?;
        let contents = Contents::read(disk, &folder).map_err(|e| EngineError::io("read", &folder, e))?;
        let data = match contents {
            Some(record) if record.inputs.settings != settings_digest(&experiment) => return Err(refuse("its tables were made under other settings, or by an earlier version; `tailrank run` writes them again and fits nothing twice, `tailrank report` a report".to_owned())),
            Some(record) if record.checksum_matches(scores, &bytes) => record.inputs.data,
            Some(_) => return Err(refuse("scores.parquet does not match its checksum; write it again with `tailrank run`, or `tailrank report` for a report".to_owned())),
            None => return Err(refuse("its tables are not whole (files.json is missing or damaged); `tailrank run` writes them again and fits nothing twice".to_owned())),
        };
        let table = frame::read("scores.parquet", &bytes).map_err(|e| refuse(e.to_string()))?;
        let mut found = Self::new(root, experiment, data, &table).map_err(refuse)?;
        if let Ok(bytes) = disk.read(&path.with_file_name("decisions.parquet")) {
            let table = frame::read("decisions.parquet", &bytes).map_err(|e| refuse(e.to_string()))?;
            found.verdicts = verdicts(&table).map_err(refuse)?;
        }
        Ok(found)
    }

    /// Number of models, baselines among them.
    pub fn models(&self) -> usize {
        self.variants.len()
    }

    fn new(
        root: &Path,
        experiment: Experiment,
        data: String,
        table: &Frame,
    ) -> std::result::Result<Self, String> {
        let [tasks, variants, status, reason] =
            texts(table, "scores", ["task", "model", "status", "reason"])?;
        let measures: Vec<(Measure, &Column)> =
            table.columns().iter().filter_map(|(name, c)| Some((Measure::from_id(name).ok()?, c))).collect();
        let mut found = Self {
            root: root.to_owned(),
            experiment,
            measures: measures.iter().map(|(m, _)| *m).collect(),
            tasks: Vec::new(),
            variants: Vec::new(),
            rows: HashMap::with_capacity(table.height()),
            verdicts: HashMap::new(),
            data,
        };
        for row in 0..table.height() {
            let scores = measures.iter().map(|(_, c)| number(c, row)).collect();
            let failure = (status[row] == "failed").then(|| reason[row].clone());
            found.rows.insert((tasks[row].clone(), variants[row].clone()), Row { failure, scores });
        }
        let once_each = |names: Vec<String>| IndexSet::<String>::from_iter(names).into_iter().collect();
        (found.tasks, found.variants) = (once_each(tasks), once_each(variants));
        Ok(found)
    }

    fn row(&self, task: &str, variant: &str) -> Option<&Row> {
        self.rows.get(&(task.to_owned(), variant.to_owned()))
    }

    fn score(&self, task: &str, variant: &str, measure: Measure) -> Option<f64> {
        let place = self.measures.iter().position(|m| *m == measure)?;
        self.row(task, variant)?.scores[place]
    }

    /// What the run said of a task by a measure.
    fn verdict(&self, task: &str, measure: Measure) -> Option<StoredVerdict> {
        self.verdicts.get(&(task.to_owned(), measure.id().to_owned())).cloned()
    }
}

fn verdicts(table: &Frame) -> std::result::Result<HashMap<(String, String), StoredVerdict>, String> {
    let [tasks, measures, deciding, verdict, reason, model] =
        texts(table, "decisions", ["task", "measure", "deciding", "verdict", "reason", "model"])?;
    let of_row = |row: usize| StoredVerdict {
        deciding: deciding[row] == "yes",
        verdict: verdict[row].clone(),
        reason: reason[row].clone(),
        model: Some(model[row].clone()).filter(|m| !m.is_empty()),
        score: table.column("score").and_then(|column| number(column, row)),
    };
    let key = |row: usize| (tasks[row].clone(), measures[row].clone());
    Ok((0..table.height()).map(|row| (key(row), of_row(row))).collect())
}

/// What one measure says of one task in the two runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TaskChange {
    /// Name of the task.
    pub task: String,
    /// The measure.
    pub measure: Measure,
    /// What the first run says; none where it says nothing.
    pub before: Option<StoredVerdict>,
    /// What the second run says.
    pub after: Option<StoredVerdict>,
    /// Variants that both runs have.
    #[serde(rename = "models")]
    pub variants: usize,
    /// Spearman's ρ of the two rankings of these; none where all are tied or there are too few.
    pub rho: Option<f64>,
    /// Kendall's τ-b of the two rankings.
    pub tau: Option<f64>,
}

/// A score that differs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScoreChange {
    /// Name of the task.
    pub task: String,
    /// Name of the variant.
    #[serde(rename = "model")]
    pub variant: String,
    /// The measure.
    pub measure: Measure,
    /// Score in the first run; none where undefined.
    pub before: Option<f64>,
    /// Score in the second run.
    pub after: Option<f64>,
    /// Rank among the variants that both runs have, in the first run.
    pub rank_before: f64,
    /// And in the second.
    pub rank_after: f64,
}

/// A fit that failed in one run and not, or for another reason, in the other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FailureChange {
    /// Name of the task.
    pub task: String,
    /// Name of the model.
    #[serde(rename = "model")]
    pub variant: String,
    /// Why it failed in the first run.
    pub before: Option<String>,
    /// Why it failed in the second.
    pub after: Option<String>,
}

/// Everything that changed between two runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Changes {
    /// Settings that differ.
    pub settings: Vec<config::Difference>,
    /// Whether the data differs: then no difference is a setting's alone.
    pub data: bool,
    /// Tasks that only the first and only the second run has.
    pub tasks_only: [Vec<String>; 2],
    /// Variants that only the first and only the second run has.
    pub variants_only: [Vec<String>; 2],
    /// Measures that only the first and only the second run has.
    pub measures_only: [Vec<Measure>; 2],
    /// Verdicts and agreement of rankings, for every task and measure of both runs.
    pub tasks: Vec<TaskChange>,
    /// Scores that differ, the largest moves in rank first.
    pub scores: Vec<ScoreChange>,
    /// Scores that both runs have.
    pub compared: usize,
    /// Failed fits that differ.
    pub failures: Vec<FailureChange>,
}

impl Changes {
    /// Tasks and measures by which another model has the best score.
    pub fn picks(&self) -> impl Iterator<Item = &TaskChange> {
        let model = |v: &Option<StoredVerdict>| v.as_ref().and_then(|v| v.model.clone());
        self.tasks.iter().filter(move |t| model(&t.before) != model(&t.after))
    }
}

/// What changed from one run to another.
///
/// ```
#[doc = include_str!("doc_example_setup.txt")]
/// use tailrank_score::changes::{RunTables, changes};
///
/// // `root` holds the run of the crate's first page with its tables written.
/// # run::run(&plan, &store, &RunOptions::default(), &Cancel::default(), &mut ())?;
/// # score::write_results(&score::results(&plan, &store)?, &store)?;
/// let (before, after) = (RunTables::open(&RealDisk, &root)?, RunTables::open(&RealDisk, &root)?);
/// let found = changes(&before, &after);
/// assert!(found.compared > 0 && found.settings.is_empty() && found.picks().next().is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn changes(a: &RunTables, b: &RunTables) -> Changes {
    let mut found = Changes {
        settings: config::differences(&a.experiment, &b.experiment),
        data: a.data != b.data,
        tasks_only: only(&a.tasks, &b.tasks),
        variants_only: only(&a.variants, &b.variants),
        measures_only: only(&a.measures, &b.measures),
        tasks: Vec::new(),
        scores: Vec::new(),
        compared: 0,
        failures: Vec::new(),
    };
    for task in a.tasks.iter().filter(|t| b.tasks.contains(t)) {
        for &measure in a.measures.iter().filter(|m| b.measures.contains(m)) {
            compare(a, b, task, measure, &mut found);
        }
        for variant in a.variants.iter().filter(|v| b.variants.contains(v)) {
            let why = |run: &RunTables| run.row(task, variant).and_then(|r| r.failure.clone());
            let (before, after) = (why(a), why(b));
            if before != after {
                let (task, variant) = (task.clone(), variant.clone());
                found.failures.push(FailureChange { task, variant, before, after });
            }
        }
    }
    found.scores.sort_by(|x, y| y.size().partial_cmp(&x.size()).unwrap_or(std::cmp::Ordering::Equal));
    found
}

impl ScoreChange {
    /// Moves in rank compare across measures; the share of the score that changed tells equal moves apart.
    fn size(&self) -> (f64, f64) {
        let relative = match (self.before, self.after) {
            (Some(a), Some(b)) => (b - a).abs() / a.abs().max(b.abs()),
            _ => 1.0,
        };
        ((self.rank_after - self.rank_before).abs(), relative)
    }
}

fn compare(a: &RunTables, b: &RunTables, task: &str, measure: Measure, found: &mut Changes) {
    // A failed variant has no place in a ranking, so both runs must have fitted it.
    let fitted = |run: &RunTables, v: &str| run.row(task, v).is_some_and(|r| r.failure.is_none());
    let shared: Vec<&String> = a.variants.iter().filter(|v| fitted(a, v) && fitted(b, v)).collect();
    let ranked = |run: &RunTables| {
        let values: Vec<Option<f64>> = shared.iter().map(|v| run.score(task, v, measure)).collect();
        let ranks = rank_scores(&values, measure.better()).unwrap_or_default();
        (values, ranks)
    };
    let ((before, ranks_before), (after, ranks_after)) = (ranked(a), ranked(b));
    found.compared += shared.len();
    for (i, variant) in shared.iter().enumerate().filter(|(i, _)| before[*i] != after[*i]) {
        found.scores.push(ScoreChange {
            task: task.to_owned(),
            variant: (*variant).clone(),
            measure,
            before: before[i],
            after: after[i],
            rank_before: ranks_before[i],
            rank_after: ranks_after[i],
        });
    }
    let estimate = |test: tailrank_stats::Result<TestResult>| test.ok().and_then(|t| t.estimate);
    let (auto, both) = (CorrelationMethod::Auto, Alternative::TwoSided);
    found.tasks.push(TaskChange {
        task: task.to_owned(),
        measure,
        before: a.verdict(task, measure),
        after: b.verdict(task, measure),
        variants: shared.len(),
        rho: estimate(spearman_test(&ranks_before, &ranks_after, auto, both)),
        tau: estimate(kendall_test(&ranks_before, &ranks_after, auto, both)),
    });
}

fn only<T: PartialEq + Clone>(a: &[T], b: &[T]) -> [Vec<T>; 2] {
    let without = |x: &[T], y: &[T]| x.iter().filter(|v| !y.contains(v)).cloned().collect();
    [without(a, b), without(b, a)]
}

/// Columns of names.
fn texts<const N: usize>(
    table: &Frame,
    of: &str,
    names: [&str; N],
) -> std::result::Result<[Vec<String>; N], String> {
    if let Some(name) = names.iter().find(|name| table.column(name).is_none()) {
        return Err(format!("its table of {of} has no column '{name}'"));
    }
    Ok(names.map(|name| table.column(name).map(Column::texts).unwrap_or_default()))
}

/// A number of a column; none where it is undefined.
fn number(column: &Column, row: usize) -> Option<f64> {
    match column {
        Column::Real(v) => Some(v[row]).filter(|v| !v.is_nan()),
        Column::Int(v) => Some(v[row] as f64),
        Column::Text(_) => None,
    }
}
