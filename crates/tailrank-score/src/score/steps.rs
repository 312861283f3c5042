//! What a learning step did: each variant with the step against the same variant without it, task by task.

use std::collections::BTreeMap;

use rand::RngExt;
use tailrank_metrics::{Better, Measure};
use tailrank_models::FitContext;

use super::{Names, TaskId, TaskScores, VariantId, regret::counted};
use crate::{
    table::{Format, Table, column},
    text::median,
};

/// The effect of one recipe on one measure, against the plain family.
#[derive(Clone, Debug, PartialEq)]
pub struct StepEffect {
    /// The family, or the label of its grid; none for all of them together.
    pub family: Option<String>,
    /// The steps.
    pub step: String,
    /// The measure.
    pub measure: Measure,
    /// Variants on tasks that have both scores. Silence counts as 0, as in regrets.
    pub pairs: usize,
    /// Median of score with the step less score without it, in units of the measure.
    pub change: f64,
    /// Bootstrap interval of it at 95 %, over tasks (over variants on a single task); none of a single pair.
    pub interval: Option<(f64, f64)>,
    /// Tasks with a pair.
    pub tasks: usize,
    /// Tasks on which the median variant is better with the step.
    pub tasks_better: usize,
    /// Tasks on which it is worse.
    pub tasks_worse: usize,
}

/// Draws of the bootstrap.
const DRAWS: usize = 2000;

/// Differences of one recipe's variants, task by task.
type Differences = BTreeMap<TaskId, Vec<f64>>;

/// Every recipe's effect on every measure: family by family, then over all families where there are several.
pub fn step_effects(names: &Names, scores: &[TaskScores], seed: u64) -> Vec<StepEffect> {
    let pairs = pairs(names);
    let mut families: Vec<Option<&str>> = Vec::new();
    let mut recipes: Vec<&str> = Vec::new();
    for &(with, _) in &pairs {
        let name = &names.variants[with];
        if !families.contains(&Some(&name.group)) {
            families.push(Some(&name.group));
        }
        if !recipes.contains(&name.recipe.as_str()) {
            recipes.push(&name.recipe);
        }
    }
    if families.len() > 1 {
        families.push(None);
    }
    let measures = scores.first().map(|s| s.measures.clone()).unwrap_or_default();
    let mut effects = Vec::new();
    for &family in &families {
        for &step in &recipes {
            for &measure in &measures {
                let mut all = Differences::new();
                for &(with, without) in &pairs {
                    let name = &names.variants[with];
                    if name.recipe != step || family.is_some_and(|f| f != name.group) {
                        continue;
                    }
                    for (task, scores) in TaskId::all(scores.len()).zip(scores) {
                        let score = |v| scores.score(v, measure).and_then(counted);
                        if let (Some(with), Some(without)) = (score(with), score(without)) {
                            all.entry(task).or_default().push(with - without);
                        }
                    }
                }
                effects.extend(effect(family, step, measure, &all, seed));
            }
        }
    }
    effects
}

/// Variants with a step, each with the plain variant of the same family and parameters.
fn pairs(names: &Names) -> Vec<(VariantId, VariantId)> {
    let ids = || VariantId::all(names.variants.len()).zip(&names.variants);
    let plain: BTreeMap<(&str, &str), VariantId> = ids()
        .filter(|(_, v)| v.recipe == "plain")
        .map(|(id, v)| ((v.group.as_str(), v.params.as_str()), id))
        .collect();
    let with = ids().filter(|(_, v)| v.recipe != "plain");
    with.filter_map(|(id, v)| Some((id, *plain.get(&(v.group.as_str(), v.params.as_str()))?))).collect()
}

fn effect(
    family: Option<&str>,
    step: &str,
    measure: Measure,
    all: &Differences,
    seed: u64,
) -> Option<StepEffect> {
    let values: Vec<f64> = all.values().flatten().copied().collect();
    let sign = if measure.better() == Better::Higher { 1.0 } else { -1.0 };
    let middles = || all.values().filter_map(|v| median(v)).map(|m| sign * m);
    Some(StepEffect {
        family: family.map(str::to_owned),
        step: step.to_owned(),
        measure,
        pairs: values.len(),
        change: median(&values)?,
        interval: interval(all, &format!("{family:?} {step} {}", measure.id()), seed),
        tasks: all.len(),
        tasks_better: middles().filter(|m| *m > 0.0).count(),
        tasks_worse: middles().filter(|m| *m < 0.0).count(),
    })
}

/// Variants of one task share its rows, so tasks are drawn whole; on a single task, variants are.
fn interval(all: &Differences, name: &str, seed: u64) -> Option<(f64, f64)> {
    let units: Vec<&[f64]> = if all.len() > 1 {
        all.values().map(Vec::as_slice).collect()
    } else {
        all.values().flat_map(|v| v.chunks(1)).collect()
    };
    if units.len() < 2 {
        return None;
    }
    let mut rng = FitContext::new(seed).rng("step effect", name, 0);
    let mut middles = Vec::with_capacity(DRAWS);
    let mut drawn = Vec::new();
    for _ in 0..DRAWS {
        drawn.clear();
        for _ in 0..units.len() {
            drawn.extend_from_slice(units[rng.random_range(0..units.len())]);
        }
        middles.extend(median(&drawn));
    }
    middles.sort_by(f64::total_cmp);
    let at = |share: f64| middles[((share * (DRAWS - 1) as f64).round()) as usize];
    Some((at(0.025), at(0.975)))
}

/// One row per family, step and measure.
pub(super) fn table(effects: &[StepEffect]) -> Table {
    type E<'a> = &'a StepEffect;
    Table::of(
        "steps",
        "What the step did: scores with it less scores of the same variant without it",
        effects,
        vec![
            column("family", "family", Format::Name, "the family", |e: &E<'_>| {
                e.family.clone().unwrap_or_else(|| "all families".to_owned())
            }),
            column("step", "step", Format::Name, "the steps around it", |e: &E<'_>| e.step.clone()),
            column("measure", "measure", Format::Name, "the measure", |e: &E<'_>| e.measure.id()),
            column(
                "change",
                "change",
                Format::Number,
                "median change of the score, in units of the measure",
                |e: &E<'_>| e.change,
            ),
            column(
                "from",
                "from",
                Format::Number,
                "lower end of its 95 % interval, tasks drawn anew (variants on a single task)",
                |e: &E<'_>| e.interval.map(|i| i.0),
            ),
            column("to", "to", Format::Number, "upper end of it", |e: &E<'_>| e.interval.map(|i| i.1)),
            column(
                "tasks_better",
                "better",
                Format::Count,
                "tasks on which the median variant is better with the step",
                |e: &E<'_>| e.tasks_better,
            ),
            column("tasks_worse", "worse", Format::Count, "tasks on which it is worse", |e: &E<'_>| {
                e.tasks_worse
            }),
            column("tasks", "tasks", Format::Count, "tasks with scores of both", |e: &E<'_>| e.tasks),
            column("pairs", "pairs", Format::Count, "variants on tasks with scores of both", |e: &E<'_>| {
                e.pairs
            }),
        ],
    )
}

#[cfg(test)]
mod tests;
