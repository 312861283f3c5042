//! Cells: groups of variants that share work, on one split of one task.

use std::sync::Arc;

use indexmap::IndexMap;
use tailrank_data::{Dataset, Split};
use tailrank_models::{Cost, Family, Params, steps::Recipe};

use super::{Task, Variant};
use crate::{
    config::{Experiment, Measures, RelevanceSettings},
    digest::CellKey,
};

/// The unit that is scheduled, stored, resumed and reported.
#[derive(Clone)]
pub struct Cell {
    /// Names everything its predictions depend on.
    pub key: CellKey,
    /// Place of its task in the plan.
    pub task: usize,
    /// Place of its split in the task.
    pub split: usize,
    /// Places of its variants in the plan, in order.
    pub variants: Vec<usize>,
    /// The family that fits them.
    pub family: Arc<dyn Family>,
    /// Parameters, parallel to `variants`.
    pub params: Vec<Params>,
    /// The steps around the family, one recipe for all of them.
    pub recipe: Recipe,
    /// Seed of its random streams.
    pub seed: u64,
    /// Forecast for scheduling.
    pub cost: Cost,
}

/// What every cell of an experiment is forecast to take, in the order of the cells.
pub(super) fn costs(tasks: &[Task], variants: &[Variant]) -> Vec<Cost> {
    let groups = group(variants);
    let mut costs = Vec::new();
    for task in tasks {
        let inputs = task.data.inputs(0..task.data.rows());
        for split in 0..task.splits.len() {
            costs.extend(groups.iter().map(|members| {
                let Variant { family, recipe, .. } = &variants[members[0]];
                let params: Vec<Params> = members.iter().map(|&v| variants[v].params.clone()).collect();
                recipe.estimate(&**family, task.shape(split, inputs), &params, OUT_OF_FOLD)
            }));
        }
    }
    costs
}

/// Every cell of an experiment: tasks, splits and groups in order.
pub fn cells(experiment: &Experiment, tasks: &[Task], variants: &[Variant]) -> Vec<Cell> {
    let groups = group(variants);
    let mut costs = costs(tasks, variants).into_iter();
    let mut cells = Vec::new();
    for (t, task) in tasks.iter().enumerate() {
        let content = RowContent::new(&task.data);
        for (s, split) in task.splits.iter().enumerate() {
            let place = format!("seed {}\nrows {}\n", experiment.seed, content.of_split(split));
            let seed = seed_of_training(experiment, &content, split);
            for members in &groups {
                let family = &variants[members[0]].family;
                let params: Vec<Params> = members.iter().map(|&v| variants[v].params.clone()).collect();
                let listed: Vec<String> = params.iter().map(ToString::to_string).collect();
                let recipe = &variants[members[0]].recipe;
                let description = format!(
                    "cell 3\n{place}family {} {} {}\nidentity {:?}\nvariants {:?}\n{}{}{}",
                    family.name(),
                    family.engine(),
                    family.version(),
                    variants[members[0]].identity,
                    listed,
                    recipe_description(recipe, experiment, task),
                    raw_description(&**family, recipe, task),
                    told_description(experiment, &variants[members[0]], task),
                );
                cells.push(Cell {
                    key: CellKey::of(&description),
                    task: t,
                    split: s,
                    variants: members.clone(),
                    cost: costs.next().unwrap_or(Cost { cpu_seconds: 0.0, bytes: 0 }),
                    family: Arc::clone(family),
                    params,
                    recipe: recipe.clone(),
                    seed,
                });
            }
        }
    }
    cells
}

/// The seed of a split's fits: it depends on the experiment's seed and the training rows alone, so that no
/// test row moves a prediction for another.
fn seed_of_training(experiment: &Experiment, content: &RowContent<'_>, split: &Split) -> u64 {
    let only = Split::known_and_new(split.train.clone(), Vec::new());
    seed_of(&format!("seed {}\nrows {}\n", experiment.seed, content.of_split(&only)))
}

/// Variants that share work, groups in order of their first member.
fn group(variants: &[Variant]) -> Vec<Vec<usize>> {
    let mut groups: IndexMap<(String, String, String), Vec<usize>> = IndexMap::new();
    for (v, variant) in variants.iter().enumerate() {
        let family = format!("{} {} {}", variant.family.name(), variant.family.engine(), variant.identity);
        let key = (family, variant.recipe.to_string(), variant.family.sharing_key(&variant.params));
        groups.entry(key).or_default().push(v);
    }
    groups.into_values().collect()
}

/// Folds by which `stretch` and `calibrate` are learned.
pub const OUT_OF_FOLD: usize = 5;

/// What a recipe adds to the description of a cell: nothing for the plain family, whose keys are as they
/// always were.
fn recipe_description(recipe: &Recipe, experiment: &Experiment, task: &Task) -> String {
    if recipe.is_plain() {
        return String::new();
    }
    let trained_by = trained_by(recipe, experiment, task, &task.relevance);
    format!("recipe {recipe}\n{}", trained_by.map_or_else(String::new, |text| format!("{text}\n")))
}

/// A family that looks at the data as it is depends on more than the numbers made of it.
fn raw_description(family: &dyn Family, recipe: &Recipe, task: &Task) -> String {
    match &*task.data {
        Dataset::Table(table) if family.takes_raw() && recipe.is_plain() => {
            format!("inputs {}\n", table.content_hash())
        }
        _ => String::new(),
    }
}

/// A program that is told its task may predict by it.
fn told_description(experiment: &Experiment, variant: &Variant, task: &Task) -> String {
    match experiment.grid(variant.grid) {
        Some(grid) if grid.program().is_some_and(|p| p.knows_task()) => format!("task {:?}\n", task.name),
        _ => String::new(),
    }
}

/// The settings of relevance and measures that the fits of a recipe depend on; none where they depend on
/// neither.
///
/// What the settings leave open comes from the training rows, which a cell's key names besides.
pub(super) fn trained_by(
    recipe: &Recipe,
    experiment: &Experiment,
    task: &Task,
    relevance: &RelevanceSettings,
) -> Option<String> {
    if !recipe.uses_relevance() {
        return None;
    }
    let stretched = recipe.steps().iter().any(|step| step.spec().key == "stretch");
    if stretched {
        let measures = Measures { ids: Vec::new(), ..task.measures.at(task.horizon) };
        let trading = experiment.trading.as_ref().and_then(|trading| trading.at(task.horizon));
        return Some(format!("relevance {relevance:?}\nmeasures {measures:?} {trading:?}"));
    }
    // Which values are events is asked by measures only.
    let event_threshold = RelevanceSettings::default().event_threshold;
    Some(format!("relevance {:?}", RelevanceSettings { event_threshold, ..relevance.clone() }))
}

/// What is in the rows of a data set. A cell's key comes from the rows it trains and predicts on and from no
/// others, so that data that is added later changes no earlier window.
struct RowContent<'a> {
    data: &'a Dataset,
    /// Digests of single rows, where a row's inputs are the same in every split.
    rows: Option<Vec<[u8; 16]>>,
}

impl<'a> RowContent<'a> {
    fn new(data: &'a Dataset) -> Self {
        let rows = data.fixed_rows().map(|inputs| {
            let targets = data.targets().iter().enumerate();
            targets.map(|(row, target)| digest_of_row(&inputs(row), *target)).collect()
        });
        Self { data, rows }
    }

    /// A digest of the rows of a split, part by part, in order.
    fn of_split(&self, split: &Split) -> String {
        let mut hasher = blake3::Hasher::new();
        let parts = || [&split.train, &split.test].into_iter().chain(&split.validation);
        if let Some(digests) = &self.rows {
            if let Dataset::Table(table) = self.data {
                hasher.update(&(table.inputs() as u64).to_le_bytes());
            }
            for rows in parts() {
                hasher.update(&(rows.len() as u64).to_le_bytes());
                let own: Vec<[u8; 16]> = rows.iter().map(|row| digests[row]).collect();
                hasher.update(own.as_flattened());
            }
        } else if let Ok(prepared) = self.data.prepare(split) {
            // Words become numbers by the training rows of a split: what a family gets is hashed.
            let cols = prepared.input_names.len();
            hasher.update(&(cols as u64).to_le_bytes());
            for part in [&prepared.train, &prepared.test].into_iter().chain(&prepared.validation) {
                hasher.update(&(part.targets.len() as u64).to_le_bytes());
                for (row, target) in part.targets.iter().enumerate() {
                    hasher.update(&digest_of_row(&part.inputs[row * cols..(row + 1) * cols], *target));
                }
            }
        } else {
            // It fails when it is fitted, in its own words.
            hasher.update(self.data.content_hash().as_bytes());
            for rows in parts() {
                hasher.update(&(rows.len() as u64).to_le_bytes());
                rows.iter().for_each(|row| _ = hasher.update(&(row as u64).to_le_bytes()));
            }
        }
        hasher.finalize().to_hex()[..32].to_owned()
    }
}

fn digest_of_row(inputs: &[f64], target: f64) -> [u8; 16] {
    let mut bytes = Vec::with_capacity(8 * (inputs.len() + 1));
    for value in inputs.iter().chain([&target]) {
        bytes.extend_from_slice(&value.to_bits().to_le_bytes());
    }
    let mut digest = [0; 16];
    digest.copy_from_slice(&blake3::hash(&bytes).as_bytes()[..16]);
    digest
}

fn seed_of(place: &str) -> u64 {
    let hash = blake3::hash(place.as_bytes());
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&hash.as_bytes()[..8]);
    u64::from_le_bytes(bytes)
}
