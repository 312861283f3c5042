//! From an experiment file to tasks and cells. Loads data, draws splits, checks everything; trains nothing.

mod cells;
mod rescored;
mod sources;
mod splits;

use std::{
    io::ErrorKind,
    path::{Path, PathBuf},
    sync::Arc,
};

pub use cells::{Cell, cells};
use tailrank_data::{Dataset, Encoder, Library, Rows, Split, Warning};
use tailrank_metrics::{Measure, Settings};
use tailrank_models::{Cost, Shape};

use crate::{
    EngineError, Result,
    config::{Experiment, Problem, RelevanceSettings, Variant, expand, missing_programs},
    families::{ProgramFiles, untracked},
    score::{ScoringRules, scoring_rules},
    store::{Basis, digest, settings_digest},
};

/// One target to predict, with its splits.
#[derive(Clone)]
pub struct Task {
    /// Name in tables and figures, such as `KO 3d`.
    pub name: String,
    /// Name of the series or table.
    pub source: String,
    /// Days ahead, for series.
    pub horizon: Option<usize>,
    /// The rows.
    pub data: Arc<Dataset>,
    /// The splits, in order.
    pub splits: Vec<Split>,
    /// Whether the test rows of all splits are scored as one period, or split by split.
    pub pooled: bool,
    /// Which values of the target matter.
    pub relevance: RelevanceSettings,
}

impl Task {
    /// Training targets of one split.
    pub fn train_targets(&self, split: usize) -> Vec<f64> {
        let targets = self.data.targets();
        self.splits[split].train.iter().map(|r| targets[r]).collect()
    }

    /// True values of the test rows of one split.
    pub fn test_targets(&self, split: usize) -> Vec<f64> {
        let targets = self.data.targets();
        self.splits[split].test.iter().map(|r| targets[r]).collect()
    }

    /// True values of the validation rows of one split; none where no model is chosen by them.
    pub fn validation_targets(&self, split: usize) -> Option<Vec<f64>> {
        let targets = self.data.targets();
        self.splits[split].validation.as_ref().map(|rows| rows.iter().map(|r| targets[r]).collect())
    }

    /// Rows a cell predicts: the test rows of its split, then its validation rows.
    pub fn predicted_rows(&self, split: usize) -> usize {
        let split = &self.splits[split];
        split.test.len() + split.validation.as_ref().map_or(0, Rows::len)
    }

    /// The splits that are scored together.
    pub fn parts(&self) -> Vec<Vec<usize>> {
        if self.pooled {
            vec![(0..self.splits.len()).collect()]
        } else {
            (0..self.splits.len()).map(|s| vec![s]).collect()
        }
    }

    /// Inputs of a fit, after encoding: a column of words is an input per word. Goes through the whole table.
    pub fn inputs(&self) -> usize {
        match &*self.data {
            Dataset::Series(e) => e.cols(),
            Dataset::Table(t) => Encoder::fit(t, 0..t.rows()).map_or(t.inputs(), |e| e.cols()),
            _ => 1,
        }
    }

    /// Sizes of one split's fits; a split's training rows may lack some of the words among `inputs`.
    pub fn shape(&self, split: usize, inputs: usize) -> Shape {
        Shape { train_rows: self.splits[split].train.len(), test_rows: self.predicted_rows(split), inputs }
    }
}

/// Everything a run will do.
pub struct Plan {
    /// The experiment.
    pub experiment: Experiment,
    /// The exact text it was read from.
    pub text: String,
    /// All tasks.
    pub tasks: Vec<Task>,
    /// All variants.
    pub variants: Vec<Variant>,
    /// All cells.
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
    /// Reads an experiment file and plans it.
    ///
    /// # Errors
    /// Everything found wrong with the file, at once.
    pub fn load(path: &Path, library: &Library) -> Result<Self> {
        let refuse =
            |problem: &str| EngineError::Input { path: path.to_owned(), problem: problem.to_owned() };
        let text = std::fs::read_to_string(path).map_err(|e| match e.kind() {
            ErrorKind::IsADirectory => refuse("is a folder; name an experiment file"),
            ErrorKind::InvalidData => refuse("is not UTF-8 text; save it as UTF-8"),
            _ => EngineError::io("read", path, e),
        })?;
        let base = path.parent().unwrap_or(Path::new(""));
        Self::from_text(&text, path, base, library)
    }

    /// Plans the text of an experiment; `path` stands for it in messages, `base` is where its files are looked for.
    pub fn from_text(text: &str, path: &Path, base: &Path, library: &Library) -> Result<Self> {
        Self::read(text, path, base, library, None)
    }

    /// Plans the experiment of a run that is only to be read: programs it once ran need not be there any more, if it is known
    /// what was in them.
    pub fn of_run(
        text: &str,
        path: &Path,
        base: &Path,
        library: &Library,
        programs: &ProgramFiles,
    ) -> Result<Self> {
        Self::read(text, path, base, library, Some(programs))
    }

    fn read(
        text: &str,
        path: &Path,
        base: &Path,
        library: &Library,
        known: Option<&ProgramFiles>,
    ) -> Result<Self> {
        let fail = |problems| EngineError::Experiment { path: path.to_owned(), problems };
        let (experiment, misread) = Experiment::read(text);
        let Some(experiment) = experiment else { return Err(fail(misread)) };
        let fail = |problems: Vec<Problem>| {
            fail(misread.iter().cloned().chain(unrelated(problems, &misread)).collect())
        };
        let mut problems = Vec::new();
        let mut warnings = Vec::new();
        if experiment.name.trim().is_empty() {
            problems.push(Problem::new("name", "is empty; it names the run's folder and the report"));
        }

        let (variants, found) = expand(&experiment.models, base, known.unwrap_or(&ProgramFiles::new()));
        problems.extend(found);
        if known.is_none() {
            problems.extend(missing_programs(&experiment.models, base));
        }
        if variants.is_empty() && problems.is_empty() {
            problems
                .push(Problem::new("models", "no variant to fit; add a [[models]] section with a family"));
        }
        problems.extend(experiment.limits.problems());
        let rules = rules(&experiment, &mut problems);
        let sources = sources::load(&experiment, base, library, &mut problems, &mut warnings);
        let tasks = splits::tasks(&experiment, sources, &mut problems);
        unknown_task_settings(&experiment, &tasks, &mut problems);
        let (Some((rules, pairs)), true) = (rules, problems.is_empty()) else { return Err(fail(problems)) };
        for task in &tasks {
            check_columns(task, &mut problems, &mut warnings);
            check_events(&experiment, task, &rules, &mut problems, &mut warnings);
        }
        if !(problems.is_empty() && misread.is_empty()) {
            return Err(fail(problems));
        }
        let cells = cells(&experiment, &tasks, &variants);
        let (text, base) = (text.to_owned(), base.to_owned());
        Ok(Self { experiment, text, tasks, variants, cells, rules, pairs, warnings, base })
    }

    /// What everything derived from its cells is made from: cells, settings and data.
    pub fn basis(&self) -> Basis {
        let keys: Vec<&str> = self.cells.iter().map(|cell| cell.key.as_str()).collect();
        let data: Vec<String> =
            self.tasks.iter().map(|task| format!("{} {:?}", task.data.content_hash(), task.name)).collect();
        Basis {
            cells: digest(keys.join("\n").as_bytes()),
            settings: settings_digest(&self.experiment),
            data: digest(data.join("\n").as_bytes()),
        }
    }

    /// Checksums of the files that its commands are made of.
    pub fn program_files(&self) -> ProgramFiles {
        self.variants.iter().flat_map(|v| v.program_files.clone()).collect()
    }

    /// What its commands depend on that the keys of their cells do not know of, in sentences: nothing is fitted again when it changes.
    pub fn untracked(&self) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for line in self.experiment.models.iter().flat_map(|grid| untracked(grid, &self.base)) {
            if !found.contains(&line) {
                found.push(line);
            }
        }
        found
    }

    /// A rough forecast of all cells together: CPU seconds in sum, bytes of the largest.
    pub fn cost(&self) -> Cost {
        Cost {
            cpu_seconds: self.cells.iter().map(|c| c.cost.cpu_seconds).sum(),
            bytes: self.cells.iter().map(|c| c.cost.bytes).max().unwrap_or(0),
        }
    }
}

/// The problems that do not come from what could not be read: its defaults are none of the user's choice.
fn unrelated(mut problems: Vec<Problem>, misread: &[Problem]) -> Vec<Problem> {
    fn section(p: &Problem) -> &str {
        p.key.split('.').next().unwrap_or_default()
    }
    let sections: Vec<&str> = misread.iter().map(section).collect();
    // A whole section under an unknown name may be any; and tasks come from data, target and split together.
    if misread.iter().any(|p| !p.key.contains('.')) {
        return Vec::new();
    }
    let rows = ["data", "split", "target"];
    let no_rows = sections.iter().any(|s| rows.contains(s));
    problems.retain(|p| {
        let own = section(p);
        !sections.contains(&own)
            && !(no_rows && (rows.contains(&own) || ["relevance", "tasks"].contains(&own)))
    });
    problems
}

fn pairs(
    experiment: &Experiment,
    rules: &ScoringRules,
    problems: &mut Vec<Problem>,
) -> Vec<(Measure, Measure)> {
    let mut pairs = Vec::new();
    let Some(named) = &experiment.compare.pairs else {
        let listed = |m: Measure| rules.measures.contains(&m);
        return match rules.measures[..] {
            _ if listed(Measure::Mad) && listed(Measure::F) => vec![(Measure::Mad, Measure::F)],
            // The usual pair is not computed: the first two of those that are.
            [first, second, ..] => vec![(first, second)],
            _ => Vec::new(),
        };
    };
    for (i, pair) in named.iter().enumerate() {
        let key = format!("compare.pairs.{}", i + 1);
        let mut known = Vec::new();
        for id in pair {
            match Measure::from_id(id) {
                Ok(m) if rules.measures.contains(&m) => known.push(m),
                Ok(m) => {
                    let message = format!("'{}' is not in measures.list; add it there", m.id());
                    problems.push(Problem::new(key.clone(), message));
                }
                Err(e) => problems.push(Problem::new(key.clone(), e.to_string())),
            }
        }
        if let [a, b] = known[..] {
            pairs.push((a, b));
        }
    }
    pairs
}

/// What tasks are scored and compared by, as far as the settings allow.
fn rules(
    experiment: &Experiment,
    problems: &mut Vec<Problem>,
) -> Option<(ScoringRules, Vec<(Measure, Measure)>)> {
    problems.extend(experiment.relevance.problems("relevance"));
    problems.extend(experiment.compare.problems());
    match scoring_rules(&experiment.measures, experiment.trading.as_ref()) {
        Ok(rules) => {
            let pairs = pairs(experiment, &rules, problems);
            Some((rules, pairs))
        }
        Err(found) => {
            problems.extend(found);
            None
        }
    }
}

/// A `[tasks."…"]` section that names nothing would silently do nothing.
fn unknown_task_settings(experiment: &Experiment, tasks: &[Task], problems: &mut Vec<Problem>) {
    if tasks.is_empty() {
        return;
    }
    for name in experiment.tasks.keys() {
        if !tasks.iter().any(|t| t.name == *name || t.source == *name) {
            let names: Vec<&str> = tasks.iter().map(|t| t.name.as_str()).collect();
            let message = format!("no task or series is called that; tasks are {}", names.join(", "));
            problems.push(Problem::new(format!("tasks.{name}"), message));
        }
    }
}

/// A column without a value to learn from is found here, as are levels that no training row has.
fn check_columns(task: &Task, problems: &mut Vec<Problem>, warnings: &mut Vec<String>) {
    const SHOWN: usize = 3;
    let mut unseen: Vec<(String, String)> = Vec::new();
    for split in &task.splits {
        match task.data.check(split) {
            Ok(found) => {
                for warning in found {
                    let text = warning.to_string();
                    let Warning::UnseenLevel { column, level, .. } = warning else { continue };
                    // One level can be missing from the training rows of many splits.
                    let level = format!("{column}={level}");
                    if !unseen.iter().any(|(known, _)| *known == level) {
                        unseen.push((level, text));
                    }
                }
            }
            Err(e) => {
                let message = format!("{e} ({})", split.description);
                problems.push(Problem::new("data.tables", message));
                return;
            }
        }
    }
    warnings.extend(unseen.iter().take(SHOWN).map(|(_, text)| format!("{}: {text}", task.name)));
    if unseen.len() > SHOWN {
        warnings.push(format!("{}: {} more such levels", task.name, unseen.len() - SHOWN));
    }
}

/// "All relevance is zero" is found here, before anything is trained; and that φ can be built for every part.
fn check_events(
    experiment: &Experiment,
    task: &Task,
    rules: &ScoringRules,
    problems: &mut Vec<Problem>,
    warnings: &mut Vec<String>,
) {
    let key = experiment.relevance_key(&task.name, &task.source);
    // Relevance functions are also built without a file: their words for its keys are shorter.
    let in_task = |e: &dyn std::fmt::Display| {
        let said = e.to_string().replace("`coef`", "`coefficient`").replace("with `range`", "with `points`");
        format!("task '{}': {said}", task.name)
    };
    let mut first = None;
    for part in task.parts() {
        let Some(&split) = part.first() else { continue };
        let train = task.train_targets(split);
        match rules.for_task(&task.relevance, &train, task.horizon) {
            Ok(settings) => first = first.or(Some((settings, train))),
            Err(e) => {
                problems.push(Problem::new(key, in_task(&e)));
                return;
            }
        }
    }
    let Some((Settings { relevance: Some(phi), t_e, .. }, train)) = first else { return };
    let test: Vec<f64> = (0..task.splits.len()).flat_map(|s| task.test_targets(s)).collect();
    for (sample, values) in [("training", &train), ("test", &test)] {
        match phi.check_events(sample, values, t_e) {
            Ok(check) => warnings.extend(check.warning().map(|w| format!("{}: {w}", task.name))),
            Err(e) => problems.push(Problem::new(&key, in_task(&e))),
        }
    }
    let validation: Vec<f64> =
        (0..task.splits.len()).filter_map(|s| task.validation_targets(s)).flatten().collect();
    if !validation.is_empty() {
        // Nothing is judged by these rows: without events they only leave a choice undefined.
        let check = phi.check_events("validation", &validation, t_e);
        let warning = check.map_or_else(|e| Some(e.to_string()), |c| c.warning());
        warnings.extend(warning.map(|w| format!("{}: {w}", task.name)));
    }
}
