//! From an experiment file to tasks and cells. Loads data, draws splits, checks everything; trains nothing.
//!
//! [`Plan::load`] reads a file with the families of this program; a [`Planner`] takes others along.

mod cells;
mod check;
mod files;
mod new_rows;
mod plan_warnings;
mod planner;
mod rescored;
mod sources;
mod splits;
mod variants;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

pub use cells::{Cell, OUT_OF_FOLD, cells};
use indexmap::IndexSet;
pub use new_rows::NewRows;
pub use planner::Planner;
use serde::{Deserialize, Serialize};
use tailrank_data::{Dataset, Date, Encoder, Fill, LeakCheck, LeakLine, Library, Rows, Split};
use tailrank_metrics::{Measure, MetricError, Settings};
use tailrank_models::{Cost, Shape};
pub use variants::Variant;

use crate::{
    Result,
    config::{Experiment, Measures, ModelGrid, RelevanceSettings},
    digest::digest,
    families::{ProgramFiles, ProgramSpec, files_to_name, untracked},
    rules::ScoringRules,
};

/// One target to predict, with its splits.
#[derive(Clone)]
pub struct Task {
    /// Name in tables and figures, such as `KO 3d`.
    pub name: String,
    /// Name of the series or table.
    pub source: String,
    /// Sessions ahead, for series: days in a daily one.
    pub horizon: Option<usize>,
    /// The column of the file that a series was read from.
    pub column: Option<String>,
    /// The rows.
    pub data: Arc<Dataset>,
    /// The splits, in order.
    pub splits: Vec<Split>,
    /// Whether the test rows of all splits are scored as one period, or split by split.
    pub pooled: bool,
    /// Splits that make up one repeat of the division.
    pub folds: usize,
    /// Which values of the target matter.
    pub relevance: RelevanceSettings,
    /// Settings of the measures.
    pub measures: Measures,
    /// The cluster it names; none where rows and dates decide.
    pub cluster: Option<String>,
    /// What was looked at for leaks in its splits, what was found and what could not be looked at.
    pub leaks: Vec<LeakLine>,
}

impl Task {
    /// The measures' settings; φ and relative tolerances come from these training targets.
    ///
    /// # Errors
    /// When no φ can be built from them.
    pub fn settings(
        &self,
        rules: &ScoringRules,
        train: &[f64],
    ) -> std::result::Result<Settings, MetricError> {
        rules.with_settings(&self.measures).for_task(&self.relevance, train, self.horizon)
    }

    /// Training targets of one split.
    pub fn train_targets(&self, split: usize) -> Vec<f64> {
        self.targets_of(&self.splits[split].train)
    }

    /// True values of the test rows of one split.
    pub fn test_targets(&self, split: usize) -> Vec<f64> {
        self.targets_of(&self.splits[split].test)
    }

    /// True values of the validation rows of one split; none where no model is chosen by them.
    pub fn validation_targets(&self, split: usize) -> Option<Vec<f64>> {
        self.splits[split].validation.as_ref().map(|rows| self.targets_of(rows))
    }

    fn targets_of(&self, rows: &Rows) -> Vec<f64> {
        let targets = self.data.targets();
        rows.iter().map(|row| targets[row]).collect()
    }

    /// Rows a cell predicts: the test rows of its split, then its validation rows.
    pub fn predicted_rows(&self, split: usize) -> usize {
        let split = &self.splits[split];
        split.test.len() + split.validation.as_ref().map_or(0, Rows::len)
    }

    /// Cases and events of the test rows as scoring counts them: every part with the φ of its own training
    /// rows, the mean over repeats.
    ///
    /// # Errors
    /// When no φ can be built from the training rows.
    pub fn test_events(&self, rules: &ScoringRules) -> std::result::Result<TestEvents, MetricError> {
        let parts = self.parts();
        let repeats = parts.len().checked_sub(1).map_or(1, |last| self.repeat_of(last) + 1);
        let mut sum = TestEvents { cases: 0, events: 0 };
        for splits in &parts {
            let Some(&first) = splits.first() else { continue };
            let settings = self.settings(rules, &self.train_targets(first))?;
            let test: Vec<f64> = splits.iter().flat_map(|&s| self.test_targets(s)).collect();
            sum.cases += test.len();
            if let Some(phi) = &settings.relevance {
                sum.events += test.iter().filter(|y| phi.phi(**y) >= settings.t_e).count();
            }
        }
        let mean = |all: usize| (all as f64 / repeats as f64).round() as usize;
        Ok(TestEvents { cases: mean(sum.cases), events: mean(sum.events) })
    }

    /// What is known about leaks in its splits.
    pub fn leak_check(&self) -> LeakCheck {
        LeakCheck::of(&self.splits, &self.data.timeline())
    }

    /// The first and the last day on which a tested prediction is made; none where rows have no time.
    pub fn test_days(&self) -> Option<(Date, Date)> {
        let timeline = self.data.timeline();
        let dates = timeline.origin_dates()?;
        let days = || self.splits.iter().flat_map(|s| s.test.iter()).map(|row| dates[row]);
        Some((days().min()?, days().max()?))
    }

    /// The first and the last test row, where the test is one period of consecutive rows. Folds leave gaps,
    /// or show the same rows again.
    pub fn test_period(&self) -> Option<(usize, usize)> {
        let rows: Vec<usize> = self.splits.iter().flat_map(|split| split.test.iter()).collect();
        let is_period = self.parts().len() == 1 && rows.windows(2).all(|pair| pair[1] == pair[0] + 1);
        Some((*rows.first()?, *rows.last()?)).filter(|_| is_period)
    }

    /// How missing inputs are filled in the first split; every split learns it from its own training rows.
    pub fn fills(&self) -> Vec<Fill> {
        match &*self.data {
            Dataset::Table(table) if table.missing() > 0 => {
                let encoder = self.splits.first().and_then(|s| Encoder::fit(table, s.train.iter()).ok());
                encoder.map(|e| e.fills(table, 0..table.rows())).unwrap_or_default()
            }
            _ => Vec::new(),
        }
    }

    /// The splits that are scored together.
    pub fn parts(&self) -> Vec<Vec<usize>> {
        if self.pooled {
            vec![(0..self.splits.len()).collect()]
        } else {
            (0..self.splits.len()).map(|s| vec![s]).collect()
        }
    }

    /// Which repeat of the division a part belongs to, from 0.
    pub fn repeat_of(&self, part: usize) -> usize {
        if self.pooled { 0 } else { part / self.folds.max(1) }
    }

    /// Sizes of one split's fits; a split's training rows may lack some of the words among `inputs`.
    pub fn shape(&self, split: usize, inputs: usize) -> Shape {
        Shape { train_rows: self.splits[split].train.len(), test_rows: self.predicted_rows(split), inputs }
    }
}

/// What is tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TestEvents {
    /// Test cases of one repeat.
    pub cases: usize,
    /// Those with φ(y) ≥ t_E.
    pub events: usize,
}

/// Everything a run will do.
#[derive(Clone)]
pub struct Plan {
    /// The experiment.
    pub experiment: Experiment,
    /// The exact text it was read from.
    pub text: String,
    /// All tasks.
    pub tasks: Vec<Task>,
    /// All variants.
    pub variants: Vec<Variant>,
    /// All cells; none in an outline.
    pub cells: Vec<Cell>,
    /// What the tasks are scored by.
    pub rules: ScoringRules,
    /// Pairs of measures whose rankings are compared.
    pub pairs: Vec<(Measure, Measure)>,
    /// What the user should know, though nothing is wrong.
    pub warnings: Vec<String>,
    /// Folder of the experiment file, which paths in it are relative to.
    pub base: PathBuf,
}

impl Plan {
    /// What a cell is called while it runs: its task and its model.
    pub fn cell_name(&self, cell: usize) -> String {
        let cell = &self.cells[cell];
        format!("{} · {}", self.tasks[cell.task].name, self.cell_model(cell))
    }

    /// The model of a cell, or how many models of a group are fitted together.
    pub fn cell_model(&self, cell: &Cell) -> String {
        let first = &self.variants[cell.variants[0]];
        match cell.variants.len() {
            1 => first.label.clone(),
            n => format!("{} ({n} models)", first.group),
        }
    }

    /// Reads an experiment file and plans it.
    ///
    /// # Errors
    /// Everything found wrong with the file, at once.
    pub fn load(path: &Path, library: &Library) -> Result<Self> {
        Planner::new(library).load(path)
    }

    /// Plans the text of an experiment; `path` stands for it in messages, `base` is where its files are
    /// looked for.
    ///
    /// ```
    /// use std::path::Path;
    /// use tailrank_data::Library;
    /// use tailrank_experiment::plan::Plan;
    ///
    /// let text = r#"
    ///     name = "plan"
    ///     data.series = ["KO"]
    ///     split = { kind = "date", at = "1990-01-01" }
    ///     relevance = { low = -0.02, high = 0.02 }
    ///     measures = { list = ["mad", "f"], t_l = 0.01 }
    ///     models = [{ family = "svm", grid = { cost = [1, 10, 100] } }]
    /// "#;
    /// let plan = Plan::from_text(text, Path::new("plan.toml"), Path::new(""), &Library::default())?;
    /// let tested = plan.tasks[0].test_events(&plan.rules)?;
    /// assert!(plan.tasks[0].name == "KO 1d" && tested.events * 5 < tested.cases);
    /// assert!(plan.cost().cpu_seconds > 0.0 && plan.plan_warnings().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Everything found wrong with the text, at once.
    pub fn from_text(text: &str, path: &Path, base: &Path, library: &Library) -> Result<Self> {
        Planner::new(library).from_text(text, path, base)
    }

    /// Plans the experiment of a run that is only to be read: programs it once ran need not be there any
    /// more, if it is known what was in them.
    ///
    /// # Errors
    /// Everything found wrong with the text, at once.
    pub fn of_run(
        text: &str,
        path: &Path,
        base: &Path,
        library: &Library,
        programs: &ProgramFiles,
    ) -> Result<Self> {
        Planner::new(library).programs(programs).from_text(text, path, base)
    }

    /// What everything derived from its cells is made from: cells, settings and data.
    pub fn input_digest(&self) -> InputDigest {
        let keys: Vec<&str> = self.cells.iter().map(|cell| cell.key.as_str()).collect();
        let data: Vec<String> =
            self.tasks.iter().map(|task| format!("{} {:?}", task.data.content_hash(), task.name)).collect();
        InputDigest {
            cells: digest(keys.join("\n").as_bytes()),
            settings: settings_digest(&self.experiment),
            data: digest(data.join("\n").as_bytes()),
        }
    }

    /// Checksums of the files that its commands are made of.
    pub fn program_files(&self) -> ProgramFiles {
        self.variants.iter().flat_map(|v| v.program_files.clone()).collect()
    }

    /// What its commands depend on that the keys of their cells do not know of, in sentences: nothing is
    /// fitted again when it changes.
    pub fn untracked(&self) -> Vec<String> {
        self.of_programs(|program| untracked(program, &self.base))
    }

    /// The `files = […]` that would track every file beside the experiment that its commands' scripts name,
    /// for each command that does not name them all.
    pub fn files_to_name(&self) -> Vec<String> {
        self.of_programs(|program| {
            let names = files_to_name(program, &self.base);
            if names.is_empty() { Vec::new() } else { vec![format!("files = {names:?}")] }
        })
    }

    /// Lines about its commands, each once.
    fn of_programs(&self, lines: impl Fn(&ProgramSpec) -> Vec<String>) -> Vec<String> {
        let programs = self.experiment.models.iter().filter_map(ModelGrid::program);
        let all: IndexSet<String> = programs.flat_map(|program| lines(&program)).collect();
        all.into_iter().collect()
    }

    /// What would make a run say little, though it would run: too many or too few events, errors that are all
    /// good, relevance that no value has, more memory than is given. In sentences, each with what to change.
    pub fn plan_warnings(&self) -> Vec<String> {
        plan_warnings::plan_warnings(self)
    }

    /// A rough forecast of all cells together: CPU seconds in sum, bytes of the largest.
    pub fn cost(&self) -> Cost {
        let all = self.costs();
        Cost {
            cpu_seconds: all.iter().map(|cost| cost.cpu_seconds).sum(),
            bytes: all.iter().map(|cost| cost.bytes).max().unwrap_or(0),
        }
    }

    /// A rough forecast of each cell; [`Planner::outline`] has them too.
    pub fn costs(&self) -> Vec<Cost> {
        match self.cells.is_empty() {
            true => cells::costs(&self.tasks, &self.variants),
            false => self.cells.iter().map(|cell| cell.cost).collect(),
        }
    }

    /// A rough forecast of the CPU seconds that scoring a task takes, which is inference: every model on
    /// every draw.
    pub fn scoring_seconds(&self, task: usize) -> f64 {
        const A_CASE: f64 = 2e-9;
        let settings = &self.experiment.inference;
        let draws = if settings.enabled { settings.resamples + settings.shifts } else { 0 };
        let cases: usize = self.tasks[task].splits.iter().map(|s| s.test.len()).sum();
        A_CASE * (cases * self.variants.len() * self.rules.measures.len() * draws) as f64
    }

    /// A rough forecast of the most memory that a run takes, from reading to the page: the program, the data,
    /// the largest cell, every prediction twice, as scoring and the page hold them, and what inference holds
    /// of the largest task. The two constants are fitted to runs of 100,000 to 5,000,000 rows of one table
    /// (results/benchmarks/memory.md).
    pub fn peak_bytes(&self) -> usize {
        const PROGRAM: usize = 96 << 20;
        const NUMBERS_OF_INFERENCE: usize = 20;
        let inputs = |task: &Task| match &*task.data {
            Dataset::Table(table) => table.inputs() + 1,
            _ => 1,
        };
        let data: usize = self.tasks.iter().map(|task| task.data.rows() * inputs(task)).sum();
        let tested = |task: &Task| task.splits.iter().map(|s| s.test.len()).sum::<usize>();
        let predictions: usize = self.tasks.iter().map(|task| tested(task) * self.variants.len()).sum();
        let largest = self.tasks.iter().map(tested).max().unwrap_or(0) * self.variants.len();
        let inference = if self.experiment.inference.enabled { NUMBERS_OF_INFERENCE * largest } else { 0 };
        PROGRAM + (data + 2 * predictions + inference) * size_of::<f64>() + self.cost().bytes
    }
}

/// What tables are made from: tables of the same inputs are the same bytes, whoever writes them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputDigest {
    /// Names the cells of the plan.
    pub cells: String,
    /// Digest of the experiment's settings.
    #[serde(default)]
    pub settings: String,
    /// Fingerprint of the data of all tasks.
    #[serde(default)]
    pub data: String,
}

/// Names the settings of an experiment, whatever its text looks like. Limits decide whether a fit fails,
/// never what is made of the fits.
pub fn settings_digest(experiment: &Experiment) -> String {
    let mut settings = serde_json::to_value(experiment).unwrap_or_default();
    if let Some(keys) = settings.as_object_mut() {
        keys.remove("limits");
    }
    digest(settings.to_string().as_bytes())
}
