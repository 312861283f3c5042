//! Cells: groups of variants that share work, on one split of one task.

use std::{collections::BTreeMap, sync::Arc};

use tailrank_models::{Cost, Family, Params};

use super::{Task, Variant};
use crate::{config::Experiment, store::CellKey};

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
    /// Seed of its random streams.
    pub seed: u64,
    /// Forecast for scheduling.
    pub cost: Cost,
}

/// Every cell of an experiment: tasks, splits and groups in order.
pub fn cells(experiment: &Experiment, tasks: &[Task], variants: &[Variant]) -> Vec<Cell> {
    let groups = group(variants);
    let mut cells = Vec::new();
    for (t, task) in tasks.iter().enumerate() {
        let data = task.data.content_hash().to_string();
        let inputs = task.inputs();
        for (s, split) in task.splits.iter().enumerate() {
            let rows = rows_digest(split);
            // The seed of a fit depends on what is fitted, not on names or places in the file.
            let place = format!("seed {}\ndata {data}\nrows {rows}\n", experiment.seed);
            let seed = seed_of(&place);
            for members in &groups {
                let family = &variants[members[0]].family;
                let params: Vec<Params> = members.iter().map(|&v| variants[v].params.clone()).collect();
                let listed: Vec<String> = params.iter().map(ToString::to_string).collect();
                let description = format!(
                    "cell 1\n{place}family {} {} {}\nidentity {:?}\nvariants {:?}\n",
                    family.name(),
                    family.engine(),
                    family.version(),
                    variants[members[0]].identity,
                    listed,
                );
                cells.push(Cell {
                    key: CellKey::of(&description),
                    task: t,
                    split: s,
                    variants: members.clone(),
                    cost: family.estimate(task.shape(s, inputs), &params),
                    family: Arc::clone(family),
                    params,
                    seed,
                });
            }
        }
    }
    cells
}

/// Variants that share work, groups in order of their first member.
fn group(variants: &[Variant]) -> Vec<Vec<usize>> {
    let mut places: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (v, variant) in variants.iter().enumerate() {
        let family = format!("{} {} {}", variant.family.name(), variant.family.engine(), variant.identity);
        let place =
            *places.entry((family, variant.family.sharing_key(&variant.params))).or_insert_with(|| {
                groups.push(Vec::new());
                groups.len() - 1
            });
        groups[place].push(v);
    }
    groups
}

fn rows_digest(split: &tailrank_data::Split) -> String {
    let mut hasher = blake3::Hasher::new();
    // A split without validation rows keeps the key it has always had.
    for rows in [&split.train, &split.test].into_iter().chain(&split.validation) {
        hasher.update(&(rows.len() as u64).to_le_bytes());
        for row in rows.iter() {
            hasher.update(&(row as u64).to_le_bytes());
        }
    }
    hasher.finalize().to_hex()[..32].to_owned()
}

fn seed_of(place: &str) -> u64 {
    let hash = blake3::hash(place.as_bytes());
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&hash.as_bytes()[..8]);
    u64::from_le_bytes(bytes)
}
