//! Grids expanded to variants.

use std::{collections::HashSet, path::Path, sync::Arc};

use indexmap::IndexMap;
use tailrank_models::{Family, ParamValue, Params, check_variant, steps::Recipe};

use crate::{
    config::{GridValue, ModelGrid},
    families::{Families, ProgramFiles, Tracker, missing_files},
    problem::Problem,
};

/// One variant of one grid.
#[derive(Clone)]
pub struct Variant {
    /// Identifier, from 1, in the order of the file: the number the paper's figures print.
    pub id: usize,
    /// Short name for tables and figures, such as `svm 400/0.01`.
    pub label: String,
    /// Family label: the colour and group in figures.
    pub group: String,
    /// The family that fits it.
    pub family: Arc<dyn Family>,
    /// Place of its grid in the experiment, from 0.
    pub grid: usize,
    /// What tells this family from another of the same name: a command's program, its arguments and its
    /// files, or what a family of the user's says of itself.
    pub identity: String,
    /// The program this variant runs, if any; it needs the user's leave.
    pub program: Option<String>,
    /// Checksums of the files that the program is made of.
    pub program_files: ProgramFiles,
    /// Whether its family is of the library's user: no other program can fit it.
    pub own_family: bool,
    /// Its parameters.
    pub params: Params,
    /// The steps around its family.
    pub recipe: Recipe,
    /// Place of its recipe among those of its grid, from 0.
    pub learn: usize,
}

/// All variants of all grids, in the order of the file, with every problem found. Files of commands are
/// looked for in `base`; `known` tells what was in those that are gone. Grids are to be counted before.
pub(super) fn expand(
    grids: &[ModelGrid],
    families: &Families,
    base: &Path,
    known: &ProgramFiles,
) -> (Vec<Variant>, Vec<Problem>) {
    let mut variants: Vec<Variant> = Vec::new();
    let mut labels: HashSet<String> = HashSet::new();
    let mut problems = Vec::new();
    let tracker = Tracker::new(base, known);
    for (g, grid) in grids.iter().enumerate() {
        let at = format!("models.{}", g + 1);
        let program = grid.program();
        let found = match &program {
            Some(program) => Ok(Arc::new(program.clone()) as Arc<dyn Family>),
            None => families.find(&grid.family, grid.engine.as_deref()),
        };
        let family = match found {
            Ok(family) => family,
            Err(message) => {
                problems.push(Problem::new(format!("{at}.family"), message));
                continue;
            }
        };
        let group = grid.label.clone().unwrap_or_else(|| grid.family.clone());
        let (own_family, named) = (families.is_own(&*family), varying(grid));
        // A parameter that no variant may have is told once, not for every variant.
        let mut told = HashSet::new();
        let recipes = recipes(grid, &*family, &at, &mut problems);
        let all = combinations(grid);
        for (params, (learn, recipe)) in
            recipes.iter().flat_map(|recipe| all.iter().map(move |p| (p, recipe)))
        {
            if let Err(e) = check_variant(&*family, params) {
                let message = e.to_string();
                if told.insert(message.clone()) {
                    problems.push(Problem::new(format!("{at}.grid"), message));
                }
                continue;
            }
            let label = label(&group, &named, params, recipe);
            if !labels.insert(label.clone()) {
                let message = format!("two models are called '{label}'; give one grid a label");
                problems.push(Problem::new(&at, message));
                continue;
            }
            let program_files = program.as_ref().map(|p| tracker.of(p, params)).unwrap_or_default();
            let identity =
                program.as_ref().map_or_else(|| family.identity(), |p| p.cell_identity(&program_files));
            variants.push(Variant {
                id: variants.len() + 1,
                label,
                group: group.clone(),
                family: Arc::clone(&family),
                grid: g,
                identity,
                program: grid.command.first().cloned(),
                program_files,
                own_family,
                params: params.clone(),
                recipe: recipe.clone(),
                learn: *learn,
            });
        }
    }
    (variants, problems)
}

/// The recipes of a grid with their places in it; wrong ones are told already, but not those that the family
/// cannot follow.
fn recipes(
    grid: &ModelGrid,
    family: &dyn Family,
    at: &str,
    problems: &mut Vec<Problem>,
) -> Vec<(usize, Recipe)> {
    let mut recipes = Vec::with_capacity(grid.learn.len());
    for (place, entry) in grid.learn.iter().enumerate() {
        let Ok(recipe) = entry.recipe() else { continue };
        if recipe.uses_weights() && !family.takes_weights() {
            let message = format!(
                "'{recipe}' needs case weights, which engine '{}' of family '{}' does not take; re-sample \
                 instead, or choose another engine",
                family.engine(),
                family.name()
            );
            problems.push(Problem::new(format!("{at}.learn.{}", place + 1), message));
            continue;
        }
        recipes.push((place, recipe));
    }
    recipes
}

/// Programs that the grids run from `base` and that cannot be found, before hours of training.
pub(super) fn missing_programs(grids: &[ModelGrid], base: &Path) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (g, program) in grids.iter().enumerate().filter_map(|(g, grid)| Some((g, grid.program()?))) {
        if let Err(problem) = program.find_program(base) {
            problems.push(Problem::new(format!("models.{}.command", g + 1), problem));
        }
        for name in missing_files(&program, base) {
            let message = format!("'{name}' was not found; its path is relative to the experiment file");
            problems.push(Problem::new(format!("models.{}.files", g + 1), message));
        }
    }
    problems
}

/// The grid's combinations, first parameter slowest, then the explicit variants.
fn combinations(grid: &ModelGrid) -> Vec<Params> {
    let mut fixed = Params::new();
    let mut lists: Vec<(&str, &[ParamValue])> = Vec::new();
    for (name, value) in &grid.grid {
        match value {
            GridValue::One(v) => fixed.insert(name, v.clone()),
            GridValue::Many(list) => lists.push((name, list)),
        }
    }
    let mut all = Vec::new();
    if !lists.is_empty() || grid.variants.is_empty() {
        all.push(fixed.clone());
        for (name, list) in &lists {
            all =
                all.iter().flat_map(|base| list.iter().map(|v| base.clone().with(name, v.clone()))).collect();
        }
    }
    let on_top = |variant: &IndexMap<String, ParamValue>| {
        variant.iter().fold(fixed.clone(), |params, (name, value)| params.with(name, value.clone()))
    };
    all.extend(grid.variants.iter().map(on_top));
    all
}

/// The parameters that vary, in the order of the file.
fn varying(grid: &ModelGrid) -> Vec<&str> {
    let explicit: HashSet<&str> = grid.variants.iter().flat_map(|v| v.keys()).map(String::as_str).collect();
    let in_grid = grid
        .grid
        .iter()
        .filter(|(name, value)| matches!(value, GridValue::Many(_)) || explicit.contains(name.as_str()));
    let in_variants = grid.variants.iter().flat_map(|v| v.keys());
    let mut seen = HashSet::new();
    in_grid.map(|(name, _)| name).chain(in_variants).map(String::as_str).filter(|n| seen.insert(*n)).collect()
}

/// `svm 400/0.01 · smote`: the values that vary, so that labels stay short, and the recipe if there is one.
fn label(group: &str, varying: &[&str], params: &Params, recipe: &Recipe) -> String {
    let values: Vec<String> = varying.iter().filter_map(|n| params.get(n)).map(ToString::to_string).collect();
    let plain = if values.is_empty() { group.to_owned() } else { format!("{group} {}", values.join("/")) };
    if recipe.is_plain() { plain } else { format!("{plain} · {recipe}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    include!("../../../../.ci/cpu_time.rs");

    fn grid(text: &str) -> ModelGrid {
        toml::from_str(text).unwrap()
    }

    fn built(grids: &[ModelGrid]) -> (Vec<Variant>, Vec<Problem>) {
        expand(grids, &Families::built_in(), Path::new(""), &ProgramFiles::new())
    }

    fn labels(grids: &[ModelGrid]) -> Vec<String> {
        let (variants, problems) = built(grids);
        assert!(problems.is_empty(), "{problems:?}");
        assert!(variants.iter().enumerate().all(|(i, v)| v.id == i + 1));
        variants.into_iter().map(|v| v.label).collect()
    }

    #[test]
    fn the_first_parameter_is_the_slowest_and_single_values_stay_out_of_labels() {
        let g = grid("family = \"debug\"\ngrid = { id = [2, 1], fault = \"none\", sleep_ms = [0, 5] }");
        assert_eq!(labels(&[g]), ["debug 2/0", "debug 2/5", "debug 1/0", "debug 1/5"]);
    }

    #[test]
    fn explicit_variants_follow_the_grid() {
        let text = "family = \"debug\"\nlabel = \"d\"\ngrid = { sleep_ms = 1, id = [1] }\n\
                    variants = [{ id = 7 }, { id = 8, sleep_ms = 2 }]";
        assert_eq!(labels(&[grid(text)]), ["d 1/1", "d 1/7", "d 2/8"]);
        let only = "family = \"debug\"\nvariants = [{ id = 3 }, { id = 4 }]";
        assert_eq!(labels(&[grid(only)]), ["debug 3", "debug 4"]);
    }

    #[test]
    fn recipes_are_crossed_with_the_grid_plain_ones_first() {
        let g = grid(
            "family = \"forest\"\ngrid = { trees = [5, 9] }\nlearn = [\"plain\", { resample = \"smote\", k = \
             3 }]",
        );
        assert_eq!(labels(&[g]), ["forest 5", "forest 9", "forest 5 · smote k=3", "forest 9 · smote k=3"]);
        let (variants, problems) = built(&[grid("family = \"debug\"\nlearn = [\"plain\", \"weights\"]")]);
        assert_eq!((variants.len(), problems[0].key.as_str()), (1, "models.1.learn.2"));
    }

    #[test]
    fn a_family_without_a_grid_is_one_variant() {
        assert_eq!(labels(&[grid("family = \"debug\"")]), ["debug"]);
    }

    #[test]
    fn every_problem_is_found_at_once() {
        let grids = [
            "family = \"debug\"",
            "family = \"debug\"",
            "family = \"nonsense\"",
            "family = \"debug\"\ngrid = { idd = 1 }",
        ]
        .map(grid);
        let (variants, problems) = built(&grids);
        assert_eq!(variants.len(), 1);
        let keys: Vec<&str> = problems.iter().map(|p| p.key.as_str()).collect();
        assert_eq!(keys, ["models.2", "models.3.family", "models.4.grid"]);
    }

    #[test]
    fn engines_take_the_same_words() {
        for engine in ["native", "linfa"] {
            for word in ["eps", "epsilon"] {
                let text = format!("family = \"svm\"\nengine = \"{engine}\"\ngrid = {{ type = \"{word}\" }}");
                assert_eq!(labels(&[grid(&text)]), ["svm"], "{engine} {word}");
            }
        }
    }

    #[test]
    fn a_parameter_that_no_variant_has_is_told_once() {
        let (variants, problems) = built(&[grid("family = \"debug\"\ngrid = { idd = [1, 2, 3] }")]);
        assert!(variants.is_empty());
        assert_eq!(problems.len(), 1, "{problems:?}");
    }

    /// Labels must not take a multiple of the time per variant as variants become more.
    #[test]
    fn very_many_variants_are_expanded_soon() {
        let before = cpu_seconds();
        let list = |n: usize| (0..n).map(|i| i.to_string()).collect::<Vec<_>>().join(",");
        let product = format!(
            "family = \"debug\"\nlabel = \"a\"\ngrid = {{ id = [{}], sleep_ms = [{}] }}",
            list(400),
            list(250)
        );
        assert_eq!(labels(&[grid(&product)]).len(), 100_000);
        let spelled = (0..100_000).map(|i| format!("{{ id = {i} }}")).collect::<Vec<_>>().join(",");
        assert_eq!(labels(&[grid(&format!("family = \"debug\"\nvariants = [{spelled}]"))]).len(), 100_000);
        let taken = cpu_seconds().zip(before).map_or(0.0, |(now, before)| now - before);
        assert!(taken < 30.0, "{taken} s");
    }
}
