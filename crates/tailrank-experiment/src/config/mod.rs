//! Experiment files: what a user writes, read strictly and checked all at once.
//!
//! A file is first checked for unknown keys against the schema of these very structs, so that every
//! misspelling is reported with its line and the nearest name, then read by serde, then each section that
//! could be read is checked by what it means: every section has its `problems()` beside its struct.

mod by_horizon;
mod change;
mod compare;
mod data;
mod file;
mod inference;
mod keys;
mod learn;
mod limits;
mod measures;
mod models;
mod read;
mod relevance;
mod target;
mod trading;
mod wording;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tailrank_data::SplitSettings;
use tailrank_metrics::EpisodeRule;

pub use by_horizon::{ByHorizon, RelativeNumber, Spread};
pub use change::{Change, Difference, apply, differences};
pub use compare::{Compare, usual_pair};
pub use data::{
    Data, LabelSpanSetting, LongFile, SeriesFile, SeriesSource, TableFile, TableSource, WideFile,
};
pub use file::{MOST_BYTES, read_file};
pub use inference::Inference;
pub use learn::{LearnEntry, LearnStep};
pub use limits::Limits;
pub use measures::{
    AlphaShape, LinexConstants, LossCosts, Measures, MissingSetting, TaskMeasures, UtilitySettings,
};
pub use models::{GridValue, MOST_VARIANTS, ModelGrid};
pub use relevance::{RelevanceKind, RelevanceSettings};
pub use target::{InputSettings, Target};
pub use trading::Trading;

use crate::problem::{Problem, below};

/// Settings that say nothing new are left out where they are written, so that the digests of old runs hold.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// One experiment: data, models, measures, and how to compare them.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Experiment {
    /// Short name: the run's folder and the report's title.
    pub name: String,
    /// One sentence under the title.
    #[serde(default)]
    pub title: String,
    /// Names the randomness of every fit, fold and permutation.
    #[serde(default = "default_seed")]
    pub seed: u64,
    /// Where the data comes from.
    pub data: Data,
    /// What is predicted from what (series only).
    #[serde(default)]
    pub target: Target,
    /// How rows are divided into training and test.
    pub split: SplitSettings,
    /// The model grids.
    pub models: Vec<ModelGrid>,
    /// Grids of references that the plan adds behind the file's own; no part of the file.
    #[serde(skip)]
    pub references: Vec<ModelGrid>,
    /// Which values of the target matter.
    #[serde(default)]
    pub relevance: RelevanceSettings,
    /// Which measures are computed, with their settings.
    #[serde(default)]
    pub measures: Measures,
    /// How rankings are compared.
    #[serde(default)]
    pub compare: Compare,
    /// How sure the answer is.
    #[serde(default)]
    pub inference: Inference,
    /// Episodes and alarms, for rows in time order; without them rows are counted alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub events: Option<EpisodeRule>,
    /// The trading rule, for return series.
    #[serde(default)]
    pub trading: Option<Trading>,
    /// Limits of time and memory.
    #[serde(default)]
    pub limits: Limits,
    /// Settings for single tasks, by task name (`"KO 3d"`) or by series name (`"KO"`).
    #[serde(default)]
    pub tasks: BTreeMap<String, TaskSettings>,
}

/// What a single task does differently.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TaskSettings {
    /// Replaces the experiment's relevance.
    pub relevance: Option<RelevanceSettings>,
    /// Replaces the experiment's split.
    pub split: Option<SplitSettings>,
    /// Replaces single settings of the experiment's measures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measures: Option<TaskMeasures>,
    /// Replaces the experiment's episodes and alarms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub events: Option<EpisodeRule>,
    /// Replaces the target's horizons, for a series.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub horizons: Option<Vec<u32>>,
    /// Tasks that name the same cluster are not independent: they count once in intervals over tasks. Without a
    /// name, tasks of one source and tasks whose test periods overlap are one cluster.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cluster: Option<String>,
}

fn default_seed() -> u64 {
    1
}

impl Experiment {
    /// Reads an experiment from the text of its file.
    ///
    /// ```
    /// use tailrank_experiment::config::Experiment;
    ///
    /// let text = "name = \"t\"\n[data]\nseries = [\"KO\"]\n[split]\nkind = \"fraction\"\ntrain = 0.5\n[measures]\nbeat = 1.0\n";
    /// let problems = Experiment::parse(&format!("{text}[[models]]\nfamily = \"linear\"\n")).unwrap_err();
    /// assert_eq!(problems[0].to_string(), "line 8: measures.beat: unknown key; did you mean 'beta'?");
    /// ```
    ///
    /// # Errors
    /// Every unknown key with its line and the nearest name, and every value that does not fit.
    pub fn parse(text: &str) -> Result<Self, Vec<Problem>> {
        match Self::read(text) {
            (Some(experiment), problems) if problems.is_empty() => Ok(experiment),
            (_, problems) => Err(problems),
        }
    }

    /// Reads what can be read, without the keys that are unknown or do not fit, and tells all of these.
    pub fn read(text: &str) -> (Option<Self>, Vec<Problem>) {
        read::read(text)
    }

    /// The JSON Schema of experiment files, for editors.
    pub fn json_schema() -> serde_json::Value {
        schemars::schema_for!(Experiment).to_value()
    }

    /// The grid of a variant, by its place: the file's own, then the references.
    pub fn grid(&self, place: usize) -> Option<&ModelGrid> {
        self.models.iter().chain(&self.references).nth(place)
    }

    /// What is wrong with its settings before any data is seen or family is known, section by section.
    pub(crate) fn problems(&self) -> Vec<Problem> {
        let mut found = Vec::new();
        if self.name.trim().is_empty() {
            found.push(Problem::new("name", "is empty; it names the run's folder and the report"));
        }
        found.extend(self.data.problems());
        found.extend(self.target.problems(&self.data, self.trading.as_ref()));
        found.extend(split_problems(&self.split, "split"));
        found.extend(models::problems(&self.models));
        found.extend(learn::measure_problems(&self.models, &self.measures, self.trading.as_ref()));
        found.extend(self.relevance.problems("relevance"));
        found.extend(self.measures.problems(self.trading.as_ref()));
        found.extend(self.trading.iter().flat_map(Trading::problems));
        let t_l = self.measures.t_l.as_ref().map(|t_l| ("measures.t_l", t_l));
        let threshold = self.trading.as_ref().map(|trading| ("trading.threshold", &trading.threshold));
        if let Some((key, ByHorizon::Relative(relative))) = threshold {
            let message =
                format!("\"{relative}\" is not a number; a rule's threshold is a return, such as 0.02");
            found.push(Problem::new(key, message));
        }
        let numbers = t_l.into_iter().chain(threshold);
        let target = Target { horizons: self.all_horizons(), ..self.target.clone() };
        found.extend(numbers.flat_map(|(key, number)| number.problems(key, &self.data, &target)));
        found.extend(self.compare.problems(&self.measures.measures().0));
        found.extend(self.limits.problems());
        found.extend(self.inference.problems());
        for (name, task) in &self.tasks {
            let key = |section: &str| format!("tasks.{name}.{section}");
            found.extend(task.relevance.iter().flat_map(|r| r.problems(&key("relevance"))));
            found.extend(task.split.iter().flat_map(|s| split_problems(s, &key("split"))));
            let measures =
                task.measures.iter().flat_map(|own| self.measures.with(own).problems(self.trading.as_ref()));
            let below = |p: Problem| Problem { key: format!("tasks.{name}.{}", p.key), ..p };
            // What is wrong with the experiment's own settings is told once, where it stands.
            let general = self.measures.problems(self.trading.as_ref());
            found.extend(measures.filter(|p| !general.contains(p)).map(below));
            if task.horizons.as_ref().is_some_and(Vec::is_empty) {
                let message = "names no horizon; leave it out to take those of [target]";
                found.push(Problem::new(key("horizons"), message));
            }
        }
        found
    }

    /// The settings of one task: its own, its series', or the experiment's.
    pub fn relevance_of(&self, task: &str, series: &str) -> &RelevanceSettings {
        self.override_of(task, series, |t| t.relevance.as_ref()).unwrap_or(&self.relevance)
    }

    /// The key under which the relevance of one task is found in the file.
    pub fn relevance_key(&self, task: &str, series: &str) -> String {
        self.key_of(task, series, "relevance", |t| t.relevance.is_some())
    }

    /// The settings of one task's measures: its own, its series', then the experiment's.
    pub fn measures_of(&self, task: &str, series: &str) -> Measures {
        let own = self.override_of(task, series, |t| t.measures.as_ref());
        own.map_or_else(|| self.measures.clone(), |own| self.measures.with(own))
    }

    /// The episodes and alarms of one task; none where rows are counted alone.
    pub fn events_of(&self, task: &str, series: &str) -> Option<EpisodeRule> {
        self.override_of(task, series, |t| t.events.as_ref()).copied().or(self.events)
    }

    /// The horizons of one series.
    pub fn horizons_of(&self, series: &str) -> &[u32] {
        let own = self.tasks.get(series).and_then(|t| t.horizons.as_deref());
        own.unwrap_or(&self.target.horizons)
    }

    /// The horizons of all series, those of `[target]` first.
    fn all_horizons(&self) -> Vec<u32> {
        let mut all = self.target.horizons.clone();
        for horizon in self.tasks.values().filter_map(|t| t.horizons.as_ref()).flatten() {
            if !all.contains(horizon) {
                all.push(*horizon);
            }
        }
        all
    }

    /// The cluster that one task names.
    pub fn cluster_of(&self, task: &str, series: &str) -> Option<&String> {
        self.override_of(task, series, |t| t.cluster.as_ref())
    }

    /// The split of one task: its own, its series', or the experiment's.
    pub fn split_of(&self, task: &str, series: &str) -> &SplitSettings {
        self.override_of(task, series, |t| t.split.as_ref()).unwrap_or(&self.split)
    }

    /// The key under which the split of one task is found in the file.
    pub fn split_key(&self, task: &str, series: &str) -> String {
        self.key_of(task, series, "split", |t| t.split.is_some())
    }

    fn key_of(&self, task: &str, series: &str, section: &str, has: impl Fn(&TaskSettings) -> bool) -> String {
        match [task, series].into_iter().find(|name| self.tasks.get(*name).is_some_and(&has)) {
            Some(name) => format!("tasks.{name}.{section}"),
            None => section.to_owned(),
        }
    }

    fn override_of<'a, T>(
        &'a self,
        task: &str,
        series: &str,
        pick: impl Fn(&'a TaskSettings) -> Option<&'a T>,
    ) -> Option<&'a T> {
        self.tasks.get(task).and_then(&pick).or_else(|| self.tasks.get(series).and_then(&pick))
    }
}

/// What is wrong with a split before any data is seen; `key` is where it stands.
pub(crate) fn split_problems(split: &SplitSettings, key: &str) -> Vec<Problem> {
    let found = split.scheme().problems().into_iter();
    found.map(|(name, message)| Problem::new(below(key, name), message)).collect()
}

#[cfg(test)]
mod tests {
    use tailrank_data::Leak;

    use super::*;

    #[test]
    fn an_experiment_without_a_seed_has_the_first() {
        let text = "name = \"t\"\n[data]\nseries = [\"KO\"]\n[split]\nkind = \"fraction\"\ntrain = 0.5\n\
                    [[models]]\nfamily = \"linear\"\n";
        assert_eq!(Experiment::parse(text).unwrap().seed, 1);
        assert_eq!(Experiment::parse(&format!("seed = 7\n{text}")).unwrap().seed, 7);
    }

    const GOOD: [&str; 7] = [
        "kind = \"date\"\nat = \"1990-01-01\"\nuntil = \"1991-01-01\"\nvalidation_at = \"1989-01-01\"",
        "kind = \"fraction\"\ntrain = 0.6\nvalidation = 0.2",
        "kind = \"sliding\"\nwindow = 10\nstep = 2",
        "kind = \"growing\"\nwindow = 10\nstep = 2\nleak = \"paper\"",
        "kind = \"kfold\"\nfolds = 3\nrepeats = 2\nshuffle = true\nstratify = \"class\"",
        "kind = \"bootstrap\"\nrepeats = 2",
        "kind = \"rows\"\nrows = [{ train = \"1-3\", test = \"4, 6\" }, { train = \"1-2, 4\", test = \"3, 5\" }]",
    ];

    fn read(text: &str) -> Result<SplitSettings, toml::de::Error> {
        toml::from_str(text)
    }

    #[test]
    fn every_scheme_is_written_as_it_is_read() {
        for text in GOOD {
            let settings = read(text).unwrap();
            assert_eq!(split_problems(&settings, "split"), [], "{text}");
            let written = toml::to_string(&settings).unwrap();
            assert_eq!(read(&written).unwrap(), settings, "{written}");
        }
        assert_eq!(read(GOOD[3]).unwrap().leak(), Leak::Paper);
        // A date of TOML's own, and nulls of JSON.
        let date = read("kind = \"date\"\nat = 1990-01-01").unwrap();
        assert_eq!(read("kind = \"date\"\nat = \"1990-01-01\"").unwrap(), date);
        let json = r#"{"at":"1990-01-01","kind":"date","leak":"purge","validation_at":null}"#;
        assert_eq!(serde_json::to_value(&date).unwrap().to_string(), json);
        assert_eq!(serde_json::from_str::<SplitSettings>(json).unwrap(), date);
        for once in ["kind = \"bootstrap\"\nrepeats = 1", "kind = \"kfold\"\nfolds = 2\nrepeats = 10000"] {
            assert_eq!(split_problems(&read(once).unwrap(), "split"), [], "{once}");
        }
        // Folds make up a repeat; all other splits are one.
        let folds: Vec<usize> = GOOD.iter().map(|text| read(text).unwrap().scheme().folds()).collect();
        assert_eq!(folds, [1, 1, 1, 1, 3, 1, 2]);
    }

    #[test]
    fn named_rows_are_one_period_where_they_run_with_time() {
        let of = |rows: &str| read(&format!("kind = \"rows\"\nrows = [{rows}]")).unwrap();
        let onwards = of("{ train = \"1-3\", test = \"4-5\" }, { train = \"1-5\", test = \"6, 8\" }");
        assert!(onwards.scheme().pooled() && onwards.scheme().folds() == 2);
        // A later row trains, a row is tested twice, the second period comes before the first.
        for rows in [
            "{ train = \"1-3, 6\", test = \"4-5\" }",
            "{ train = \"1-3\", test = \"4-5\" }, { train = \"1-3\", test = \"5-6\" }",
            "{ train = \"1-5\", test = \"6\" }, { train = \"1-3\", test = \"4-5\" }",
        ] {
            assert!(!of(rows).scheme().pooled(), "{rows}");
        }
        assert_eq!(
            of("{ train = \"1\", test = \"3\" }, { train = \"2\", test = \"3\" }").scheme().folds(),
            1
        );
        assert_eq!(split_problems(&of(""), "split").len(), 1);
    }

    #[test]
    fn missing_keys_are_refused() {
        for (text, said) in [
            ("kind = \"date\"", "needs at = "),
            ("kind = \"fraction\"", "needs train"),
            ("kind = \"sliding\"\nstep = 3", "needs window"),
            ("kind = \"growing\"\nwindow = 3", "needs step"),
            ("kind = \"kfold\"", "needs folds"),
            ("kind = \"rows\"", "needs rows"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.message().contains(said), "{text}: {error}");
        }
    }

    #[test]
    fn the_schema_knows_the_keys_that_are_read() {
        let schema = schemars::schema_for!(SplitSettings).to_value();
        let forms = schema["oneOf"].as_array().unwrap();
        assert_eq!(forms.len(), GOOD.len());
        for (form, text) in forms.iter().zip(GOOD) {
            let kind = form["properties"]["kind"]["const"].as_str().unwrap();
            assert!(text.starts_with(&format!("kind = \"{kind}\"")), "{text}");
            let required: Vec<&str> =
                form["required"].as_array().unwrap().iter().map(|k| k.as_str().unwrap()).collect();
            assert!(required.iter().all(|key| text.contains(&format!("{key} = "))), "{kind}: {required:?}");
            for key in form["properties"].as_object().unwrap().keys().filter(|key| *key != "kind") {
                // A key that is known is refused for its value alone.
                let others: Vec<&str> =
                    text.lines().filter(|line| !line.starts_with(&format!("{key} = "))).collect();
                let error = read(&format!("{}\n{key} = {{}}", others.join("\n"))).unwrap_err();
                assert!(!error.message().contains("unknown field"), "{kind}.{key}: {error}");
            }
            let error = read(&format!("{text}\nsteps = 3")).unwrap_err();
            assert!(error.message().contains("unknown field `steps`"), "{kind}: {error}");
        }
    }

    #[test]
    fn numbers_that_divide_nothing_are_named() {
        for (text, key) in [
            ("kind = \"date\"\nat = \"1990-01-01\"\nvalidation_at = \"1990-01-01\"", "split.validation_at"),
            ("kind = \"fraction\"\ntrain = 1.0", "split.train"),
            ("kind = \"fraction\"\ntrain = nan", "split.train"),
            ("kind = \"fraction\"\ntrain = 0.7\nvalidation = 0.0", "split.validation"),
            ("kind = \"fraction\"\ntrain = 0.7\nvalidation = 0.4", "split.validation"),
            ("kind = \"fraction\"\ntrain = 0.7\nvalidation = 0.3", "split.validation"),
            // One mistake is told once.
            ("kind = \"fraction\"\ntrain = 1.5\nvalidation = 0.3", "split.train"),
            ("kind = \"fraction\"\ntrain = 0.5\nvalidation = 1.5", "split.validation"),
            ("kind = \"date\"\nat = \"1990-01-01\"\nuntil = \"1990-01-01\"", "split.until"),
            ("kind = \"sliding\"\nwindow = 0\nstep = 1", "split.window"),
            ("kind = \"growing\"\nwindow = 1\nstep = 0", "split.step"),
            ("kind = \"kfold\"\nfolds = 1", "split.folds"),
            ("kind = \"kfold\"\nfolds = 2\nrepeats = 0", "split.repeats"),
            ("kind = \"bootstrap\"\nrepeats = 10001", "split.repeats"),
        ] {
            let found = split_problems(&read(text).unwrap(), "split");
            assert_eq!(found.iter().map(|p| p.key.as_str()).collect::<Vec<_>>(), [key], "{text}");
        }
    }
}
