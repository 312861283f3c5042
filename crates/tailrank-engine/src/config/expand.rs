//! Grids expanded to variants.

use std::{collections::HashSet, path::Path, sync::Arc};

use tailrank_models::{Family, ParamValue, Params, check_variant, family};

use super::{
    Problem,
    models::{GridFormat, GridScalar, GridValue, ModelGrid},
};
use crate::families::{
    CommandFamily, DebugFamily, FileFormat, ProgramFiles, Tracker, Workplace, missing_files,
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
    /// What tells this family from another of the same name: a command's program, its arguments and its files.
    pub identity: String,
    /// The program this variant runs, if any; it needs the user's leave.
    pub program: Option<String>,
    /// Checksums of the files that the program is made of.
    pub program_files: ProgramFiles,
    /// Its parameters.
    pub params: Params,
}

/// All variants of all grids, in the order of the file, with every problem found. Files of commands are looked for in `base`;
/// `known` tells what was in those that are gone.
pub fn expand(grids: &[ModelGrid], base: &Path, known: &ProgramFiles) -> (Vec<Variant>, Vec<Problem>) {
    let mut variants: Vec<Variant> = Vec::new();
    let mut labels: HashSet<String> = HashSet::new();
    let mut problems = Vec::new();
    let tracker = Tracker::new(base, known);
    for (g, grid) in grids.iter().enumerate() {
        let at = format!("models.{}", g + 1);
        let family = match family_of(grid, Workplace::default()) {
            Ok(family) => family,
            Err(message) => {
                problems.push(Problem::new(at, message));
                continue;
            }
        };
        for (name, _) in
            grid.grid.iter().filter(|(_, v)| matches!(v, GridValue::Many(list) if list.is_empty()))
        {
            problems.push(Problem::new(
                format!("{at}.grid"),
                format!("'{name}' is an empty list; give it a value or remove it"),
            ));
        }
        let command = command_of(grid, Workplace::default());
        let group = grid.label.clone().unwrap_or_else(|| grid.family.clone());
        for params in combinations(grid) {
            if let Err(e) = check_variant(&*family, &params) {
                problems.push(Problem::new(format!("{at}.grid"), e.to_string()));
                continue;
            }
            let label = label(&group, grid, &params);
            if !labels.insert(label.clone()) {
                problems.push(Problem::new(
                    &at,
                    format!("two variants are both called '{label}'; give one grid a label"),
                ));
                continue;
            }
            let program_files = tracker.of(grid, &params);
            let identity = command.as_ref().map(|c| c.identity(&program_files)).unwrap_or_default();
            variants.push(Variant {
                id: variants.len() + 1,
                label,
                group: group.clone(),
                family: Arc::clone(&family),
                grid: g,
                identity,
                program: grid.command.first().cloned(),
                program_files,
                params,
            });
        }
    }
    (variants, problems)
}

/// Programs that the grids run from `base` and that cannot be found, before hours of training.
pub fn missing_programs(grids: &[ModelGrid], base: &Path) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (g, grid) in grids.iter().enumerate() {
        let workplace = Workplace { folder: base.to_owned(), ..Workplace::default() };
        if let Some(Err(problem)) = command_of(grid, workplace).map(|c| c.find_program()) {
            problems.push(Problem::new(format!("models.{}.command", g + 1), problem));
        }
        for name in missing_files(grid, base) {
            let message = format!("'{name}' was not found; its path is relative to the experiment file");
            problems.push(Problem::new(format!("models.{}.files", g + 1), message));
        }
    }
    problems
}

/// The family a grid names; a program runs at the workplace.
///
/// # Errors
/// What is wrong with its name or engine.
pub(crate) fn family_of(grid: &ModelGrid, workplace: Workplace) -> Result<Arc<dyn Family>, String> {
    if let Some(command) = command_of(grid, workplace) {
        return Ok(Arc::new(command));
    }
    for (key, is_given) in [
        ("command", !grid.command.is_empty()),
        ("files", !grid.files.is_empty()),
        ("env", !grid.env.is_empty()),
    ] {
        if is_given {
            return Err(format!("'{key}' belongs to family = \"command\""));
        }
    }
    match grid.family.as_str() {
        "debug" => Ok(Arc::new(DebugFamily)),
        name => Ok(Arc::new(family(name, grid.engine.as_deref()).map_err(|e| e.to_string())?)),
    }
}

/// The command of a grid; none if its family is no command.
fn command_of(grid: &ModelGrid, workplace: Workplace) -> Option<CommandFamily> {
    let format = match grid.format {
        GridFormat::Csv => FileFormat::Csv,
        GridFormat::Parquet => FileFormat::Parquet,
    };
    (grid.family == "command").then(|| CommandFamily::new(grid.command.clone(), format, workplace))
}

/// The grid's combinations, first parameter slowest, then the explicit variants.
fn combinations(grid: &ModelGrid) -> Vec<Params> {
    let mut fixed = Params::new();
    let mut lists: Vec<(&str, &[GridScalar])> = Vec::new();
    for (name, value) in &grid.grid {
        match value {
            GridValue::One(v) => fixed.insert(name, v.to_param()),
            GridValue::Many(list) => lists.push((name, list)),
        }
    }
    let mut all = Vec::new();
    if !lists.is_empty() || grid.variants.is_empty() {
        all.push(fixed.clone());
        for (name, list) in &lists {
            all = all
                .iter()
                .flat_map(|base| list.iter().map(|v| base.clone().with(name, v.to_param())))
                .collect();
        }
    }
    for variant in &grid.variants {
        let mut params = fixed.clone();
        for (name, value) in variant {
            params.insert(name, value.to_param());
        }
        all.push(params);
    }
    all
}

/// `svm 400/0.01`: the values that vary, in the order of the file, so that labels stay short.
fn label(group: &str, grid: &ModelGrid, params: &Params) -> String {
    let varies = |name: &str| {
        matches!(grid.grid.get(name), Some(GridValue::Many(_)))
            || grid.variants.iter().any(|v| v.contains_key(name))
    };
    let explicit = grid.variants.iter().flat_map(|v| v.keys());
    let mut names: Vec<&str> = Vec::new();
    for name in grid.grid.keys().chain(explicit) {
        if varies(name) && !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let values: Vec<String> = names.iter().filter_map(|n| params.get(n)).map(ToString::to_string).collect();
    if values.is_empty() { group.to_owned() } else { format!("{group} {}", values.join("/")) }
}

impl GridScalar {
    /// The value as families take it.
    pub(crate) fn to_param(&self) -> ParamValue {
        match self {
            Self::Flag(v) => ParamValue::Flag(*v),
            Self::Int(v) => ParamValue::Int(*v),
            Self::Real(v) => ParamValue::Real(*v),
            Self::Text(v) => ParamValue::Text(v.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(text: &str) -> ModelGrid {
        toml::from_str(text).unwrap()
    }

    fn labels(grids: &[ModelGrid]) -> Vec<String> {
        let (variants, problems) = expand(grids, Path::new(""), &ProgramFiles::new());
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
        let (variants, problems) = expand(&grids, Path::new(""), &ProgramFiles::new());
        assert_eq!(variants.len(), 1);
        let keys: Vec<&str> = problems.iter().map(|p| p.key.as_str()).collect();
        assert_eq!(keys, ["models.2", "models.3", "models.4.grid"]);
    }

    #[test]
    fn engines_take_the_same_words() {
        for engine in ["native", "libsvm", "linfa"] {
            for word in ["eps", "epsilon"] {
                let text = format!("family = \"svm\"\nengine = \"{engine}\"\ngrid = {{ type = \"{word}\" }}");
                assert_eq!(labels(&[grid(&text)]), ["svm"], "{engine} {word}");
            }
        }
    }

    #[test]
    fn an_empty_list_is_named() {
        let (variants, problems) =
            expand(&[grid("family = \"debug\"\ngrid = { id = [] }")], Path::new(""), &ProgramFiles::new());
        assert!(variants.is_empty());
        assert!(problems[0].message.contains("'id' is an empty list"), "{problems:?}");
    }
}
