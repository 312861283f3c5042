//! `[[models]]`: families and their grids.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tailrank_models::ParamValue;

use super::{LearnEntry, Problem, learn};
use crate::{
    families::{FileFormat, ProgramSpec},
    problem::Problems,
};

/// A family with its grid of variants.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelGrid {
    /// The family; `tailrank list models` names all.
    pub family: String,
    /// Which implementation; the family's own solver by default.
    pub engine: Option<String>,
    /// Name in tables and figures, when one family appears twice.
    pub label: Option<String>,
    /// Parameters: single values, or lists that expand to all combinations, the first slowest.
    #[serde(default)]
    pub grid: IndexMap<String, GridValue>,
    /// Variants spelled out one by one, each on top of the grid's single values.
    #[serde(default)]
    pub variants: Vec<IndexMap<String, ParamValue>>,
    /// Recipes, each crossed with the grid: `plain` is the family alone; a step by its name, or with its
    /// parameters; or a list of steps. `tailrank list steps` names all.
    #[serde(default = "learn::plain", skip_serializing_if = "learn::is_plain")]
    pub learn: Vec<LearnEntry>,
    /// `command` only: the program and its arguments, with {train}, {test}, {out}, {seed}, {info} and
    /// parameters filled in. {train} has the inputs by their names in the data, categories as text, gaps left
    /// empty, and the target `y`; {test} has the inputs; {out} takes one number for each of its rows under
    /// the heading `prediction`. {info} is a JSON file with the task, the seed, the variant's parameters and
    /// every column's type. It runs in the folder of the experiment file. Its cells are fitted again when the
    /// program (if given with a path) or an argument that names a file, also behind `=`, has changed; files
    /// that these read in turn are named in `files`.
    #[serde(default)]
    pub command: Vec<String>,
    /// `command` only: the format of the files the program reads and writes.
    #[serde(default)]
    pub format: FileFormat,
    /// `command` only: inputs are the numbers that the built-in families get, called x1, x2, …: categories
    /// coded, gaps filled. So they are, by their names, also where `learn` has steps, which work on numbers.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub encoded: bool,
    /// `command` only: files and folders that the program reads besides: its cells are fitted again when one
    /// has changed.
    #[serde(default)]
    pub files: Vec<String>,
    /// `command` only: environment variables that it depends on: its cells are fitted again when one has
    /// another value.
    #[serde(default)]
    pub env: Vec<String>,
}

/// One value or a list of values.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "a parameter is a number, a text, true or false, or a list of these, such as [5, 10]"
)]
pub enum GridValue {
    /// The same for all variants.
    One(ParamValue),
    /// One variant for each.
    Many(Vec<ParamValue>),
}

/// More could not be fitted, scored or shown; a grid that makes more is counted, not expanded.
pub const MOST_VARIANTS: usize = 1_000_000;

impl ModelGrid {
    /// How many variants it makes; `u128::MAX` stands for more than can be counted.
    pub fn count(&self) -> u128 {
        let lists = self.lists();
        let combined = if lists.is_empty() && !self.variants.is_empty() {
            0
        } else {
            lists.iter().fold(1, |product: u128, list| product.saturating_mul(list.len() as u128))
        };
        combined.saturating_add(self.variants.len() as u128).saturating_mul(self.learn.len() as u128)
    }

    /// The program that its variants run; none if its family is no command.
    pub fn program(&self) -> Option<ProgramSpec> {
        (self.family == "command").then(|| ProgramSpec {
            argv: self.command.clone(),
            format: self.format,
            encoded: self.encoded,
            files: self.files.clone(),
            env: self.env.clone(),
        })
    }

    /// What is wrong with this grid before its family is known; `key` is where it stands.
    pub(crate) fn problems(&self, key: &str) -> Vec<Problem> {
        let mut grid = Problems::of(key);
        for (name, value) in &self.grid {
            let is_empty = matches!(value, GridValue::Many(list) if list.is_empty());
            let message = format!("'{name}' is an empty list; give it a value or remove it");
            grid.check(&format!("grid.{name}"), !is_empty, message);
        }
        let given = [
            ("command", !self.command.is_empty()),
            ("encoded", self.encoded),
            ("files", !self.files.is_empty()),
            ("env", !self.env.is_empty()),
        ];
        for (name, is_given) in given {
            let message = format!("belongs to family = \"command\", not to \"{}\"", self.family);
            grid.check(name, self.family == "command" || !is_given, message);
        }
        grid.found.extend(learn::problems(&self.learn, &format!("{key}.learn")));
        let count = self.count();
        if count > MOST_VARIANTS as u128 {
            let lengths: Vec<String> = self.lists().iter().map(|list| list.len().to_string()).collect();
            let made = if count == u128::MAX { "uncountably many".to_owned() } else { count.to_string() };
            let message = format!(
                "its lists ({}) and variants make {made} models, an experiment may have {MOST_VARIANTS}; \
                 shorten a list, or spell out the models you need in variants",
                lengths.join(" × ")
            );
            grid.check("grid", false, message);
        }
        grid.found
    }

    fn lists(&self) -> Vec<&[ParamValue]> {
        let lists = self.grid.values().filter_map(|value| match value {
            GridValue::Many(list) => Some(list.as_slice()),
            GridValue::One(_) => None,
        });
        lists.collect()
    }
}

/// What is wrong with the grids of an experiment before their families are known.
pub(super) fn problems(grids: &[ModelGrid]) -> Vec<Problem> {
    let mut found: Vec<Problem> =
        grids.iter().enumerate().flat_map(|(g, grid)| grid.problems(&format!("models.{}", g + 1))).collect();
    if grids.is_empty() {
        found.push(Problem::new("models", "no model to fit; add a [[models]] section with a family"));
    }
    let together = grids.iter().fold(0, |sum: u128, grid| sum.saturating_add(grid.count()));
    if together > MOST_VARIANTS as u128 && grids.iter().all(|grid| grid.count() <= MOST_VARIANTS as u128) {
        let message =
            format!("the grids together make {together} models; an experiment may have {MOST_VARIANTS}");
        found.push(Problem::new("models", message));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(text: &str) -> ModelGrid {
        toml::from_str(text).unwrap()
    }

    #[test]
    fn variants_are_counted_without_being_made() {
        assert_eq!(grid("family = \"debug\"").count(), 1);
        assert_eq!(
            grid("family = \"debug\"\nlearn = [\"plain\", \"over\"]\ngrid = { a = [1, 2, 3] }").count(),
            6
        );
        assert_eq!(grid("family = \"debug\"\nvariants = [{ id = 1 }, { id = 2 }]").count(), 2);
        assert_eq!(
            grid("family = \"debug\"\ngrid = { a = [1, 2, 3], b = 3, c = [1, 2] }\nvariants = [{ a = 9 }]")
                .count(),
            7
        );
        let list = format!("[{}]", vec!["1"; 1000].join(","));
        let huge = grid(&format!("family = \"debug\"\ngrid = {{ a = {list}, b = {list}, c = {list} }}"));
        assert_eq!(huge.count(), 1_000_000_000);
        let found = huge.problems("models.1");
        assert_eq!(found[0].key, "models.1.grid");
        assert!(
            found[0].message.contains("(1000 × 1000 × 1000) and variants make 1000000000 models"),
            "{}",
            found[0]
        );
        let square = grid(&format!("family = \"debug\"\ngrid = {{ a = {list}, b = {list} }}"));
        assert_eq!(square.problems("models.1"), []);
        let found = problems(&[square.clone(), square]);
        assert!(found[0].message.contains("together make 2000000"), "{found:?}");
    }
}
