//! `learn` of a model grid: the recipes it is crossed with.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tailrank_metrics::Measure;
use tailrank_models::{
    ModelError, ParamValue, Params,
    steps::{Recipe, Step},
};

use super::{Measures, ModelGrid, Problem, Trading};

/// One recipe: a step, or several in the order they are applied.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "a recipe is the name of a step, a step with its parameters such as { resample = \"smote\", \
                 k = 5 }, or a list of these; `tailrank list steps` names all"
)]
pub enum LearnEntry {
    /// `plain`, or one step.
    One(LearnStep),
    /// Several: re-sampling, weights, stretch, calibrate, in this order.
    Several(Vec<LearnStep>),
}

/// One step of a recipe.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(untagged, expecting = "a step is a name, or a table such as { resample = \"smote\", k = 5 }")]
pub enum LearnStep {
    /// A step by its name, with its defaults.
    Name(String),
    /// A key that names the step, and its parameters: { resample = "smote", k = 5 }.
    Settings(IndexMap<String, ParamValue>),
}

impl LearnEntry {
    /// The recipe it names.
    ///
    /// # Errors
    /// An unknown step, a wrong parameter, or steps that cannot follow each other.
    pub fn recipe(&self) -> Result<Recipe, ModelError> {
        match self {
            Self::One(LearnStep::Name(name)) => Recipe::named(name),
            Self::One(step) => Recipe::new(vec![step.step()?]),
            Self::Several(steps) => Recipe::new(steps.iter().map(LearnStep::step).collect::<Result<_, _>>()?),
        }
    }

    /// The measures that predictions are stretched for, if they are; none of a recipe that is wrong.
    fn stretched_for(&self) -> Vec<String> {
        let recipe = self.recipe().unwrap_or_else(|_| Recipe::plain());
        let stretches = recipe.steps().iter().filter(|step| step.spec().key == "stretch");
        stretches.map(|step| step.name().to_owned()).collect()
    }
}

impl LearnStep {
    fn step(&self) -> Result<Step, ModelError> {
        match self {
            Self::Name(name) => Step::named(name),
            Self::Settings(settings) => {
                let given =
                    settings.iter().fold(Params::new(), |given, (name, v)| given.with(name, v.clone()));
                Step::parse(&given)
            }
        }
    }
}

/// The family alone: what a grid without `learn` means.
pub(super) fn plain() -> Vec<LearnEntry> {
    vec![LearnEntry::One(LearnStep::Name("plain".to_owned()))]
}

pub(super) fn is_plain(learn: &[LearnEntry]) -> bool {
    learn == plain()
}

/// What is wrong with the recipes of one grid; `key` is where they stand.
pub(super) fn problems(learn: &[LearnEntry], key: &str) -> Vec<Problem> {
    let mut found = Vec::new();
    if learn.is_empty() {
        found.push(Problem::new(key, "is an empty list; leave it out for the plain family, or name a step"));
    }
    for (i, entry) in learn.iter().enumerate() {
        if let Err(e) = entry.recipe() {
            found.push(Problem::new(format!("{key}.{}", i + 1), e.to_string()));
        }
    }
    found
}

/// Measures that predictions are to be stretched for, but that do not exist or lack a setting.
pub(super) fn measure_problems(
    grids: &[ModelGrid],
    measures: &Measures,
    trading: Option<&Trading>,
) -> Vec<Problem> {
    let mut found = Vec::new();
    for (g, grid) in grids.iter().enumerate() {
        for (i, entry) in grid.learn.iter().enumerate() {
            let key = format!("models.{}.learn.{}", g + 1, i + 1);
            for name in entry.stretched_for() {
                match Measure::from_id(&name) {
                    Ok(measure) => found.extend(
                        measures
                            .missing(measure, trading)
                            .map(|lack| Problem::new(&key, format!("stretch for '{name}' needs {lack}"))),
                    ),
                    Err(e) => found.push(Problem::new(&key, e.to_string())),
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn learn(text: &str) -> Vec<LearnEntry> {
        let grid: ModelGrid = toml::from_str(&format!("family = \"forest\"\n{text}")).unwrap();
        grid.learn
    }

    #[test]
    fn recipes_are_written_as_names_settings_and_lists() {
        let entries = learn(
            "learn = [\"plain\", \"weights\", { resample = \"smote\", k = 5 }, { stretch = \"f\" }, \
             [\"over\", \"stretch\"]]",
        );
        let recipes: Vec<String> = entries.iter().map(|e| e.recipe().unwrap().to_string()).collect();
        assert_eq!(recipes, ["plain", "weights", "smote k=5", "stretch f", "over + stretch f"]);
        assert!(problems(&entries, "models.1.learn").is_empty());
        assert!(is_plain(&learn("")), "a grid without recipes is plain");
    }

    #[test]
    fn what_is_written_can_be_read_again() {
        let text = "family = \"forest\"\nlearn = [\"plain\", { resample = \"under\", share = \"extreme\" }, \
                    [\"over\", { stretch = \"utility\" }]]";
        let grid: ModelGrid = toml::from_str(text).unwrap();
        let again: ModelGrid = toml::from_str(&toml::to_string(&grid).unwrap()).unwrap();
        assert_eq!(again.learn, grid.learn);
        let plain: ModelGrid = toml::from_str("family = \"forest\"").unwrap();
        assert!(
            !toml::to_string(&plain).unwrap().contains("learn"),
            "files without recipes stay as they were"
        );
    }

    #[test]
    fn wrong_steps_are_told_by_their_place() {
        let entries = learn(
            "learn = [\"plain\", \"smot\", { resample = \"smote\", pert = 0.1 }, [\"stretch\", \"over\"], { \
             stretch = \"ff\" }]",
        );
        let found = problems(&entries, "models.1.learn");
        let keys: Vec<&str> = found.iter().map(|p| p.key.as_str()).collect();
        assert_eq!(keys, ["models.1.learn.2", "models.1.learn.3", "models.1.learn.4"]);
        assert!(found[0].message.contains("did you mean 'smote'?"), "{}", found[0]);
        assert_eq!(problems(&[], "models.1.learn")[0].key, "models.1.learn");
        let grid: ModelGrid = toml::from_str(
            "family = \"forest\"\nlearn = [\"stretch\", { stretch = \"ff\" }, { stretch = \"trading\" }, { \
             stretch = \"mad\" }]",
        )
        .unwrap();
        let found = measure_problems(&[grid], &Measures::default(), None);
        let keys: Vec<&str> = found.iter().map(|p| p.key.as_str()).collect();
        assert_eq!(keys[..2], ["models.1.learn.1", "models.1.learn.2"]);
        assert!(found[0].message.starts_with("stretch for 'f' needs t_l"), "{}", found[0]);
        assert!(!keys.contains(&"models.1.learn.4"));
    }
}
