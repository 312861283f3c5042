//! What a learning step did: each variant with the step against the same variant without it, task by task.

use std::collections::BTreeMap;

use indexmap::IndexSet;
use tailrank_metrics::{Better, Measure};
use tailrank_stats::{ClusterMethod, cluster_interval};

use super::{Names, TaskId, TaskScores, VariantId, clusters::Clusters, regret::counted};
use crate::{
    table::{Format, Table},
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
    /// Interval at 95 % of the median change over clusters of tasks that share neither rows nor dates, by the
    /// sign test; none below six clusters.
    pub interval: Option<(f64, f64)>,
    /// Such clusters.
    pub clusters: usize,
    /// Tasks with a pair.
    pub tasks: usize,
    /// Tasks on which the median variant is better with the step.
    pub tasks_better: usize,
    /// Tasks on which it is worse.
    pub tasks_worse: usize,
}

/// Coverage of the interval.
const LEVEL: f64 = 0.95;

/// Differences of one recipe's variants, task by task.
type Differences = BTreeMap<TaskId, Vec<f64>>;

/// Every recipe's effect on every measure: family by family, then over all families where there are several.
pub fn step_effects(names: &Names, scores: &[TaskScores]) -> Vec<StepEffect> {
    let pairs = pairs(names);
    let stepped = || pairs.iter().map(|&(with, _)| &names.variants[with]);
    let mut families: IndexSet<Option<&str>> = stepped().map(|v| Some(v.group.as_str())).collect();
    let recipes: IndexSet<&str> = stepped().map(|v| v.recipe.as_str()).collect();
    if families.len() > 1 {
        families.insert(None);
    }
    let clusters = Clusters::of(scores);
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
                effects.extend(effect(family, step, measure, &all, &clusters));
            }
        }
    }
    effects
}

/// Variants with a step, each with the plain variant of the same family and parameters.
fn pairs(names: &Names) -> Vec<(VariantId, VariantId)> {
    let ids = || VariantId::all(names.variants.len()).zip(&names.variants);
    let plain: BTreeMap<(&str, String), VariantId> = ids()
        .filter(|(_, v)| v.recipe == "plain")
        .map(|(id, v)| ((v.group.as_str(), v.params.to_string()), id))
        .collect();
    let with = ids().filter(|(_, v)| v.recipe != "plain");
    with.filter_map(|(id, v)| Some((id, *plain.get(&(v.group.as_str(), v.params.to_string()))?))).collect()
}

fn effect(
    family: Option<&str>,
    step: &str,
    measure: Measure,
    all: &Differences,
    clusters: &Clusters,
) -> Option<StepEffect> {
    let values: Vec<f64> = all.values().flatten().copied().collect();
    let sign = if measure.better() == Better::Higher { 1.0 } else { -1.0 };
    let of_clusters = clusters.values(all.iter().map(|(task, changes)| (task.0, changes.as_slice())));
    let of_clusters: Vec<f64> = of_clusters.iter().filter_map(|changes| median(changes)).collect();
    let middles = || all.values().filter_map(|v| median(v)).map(|m| sign * m);
    Some(StepEffect {
        family: family.map(str::to_owned),
        step: step.to_owned(),
        measure,
        pairs: values.len(),
        change: median(&values)?,
        interval: cluster_interval(&of_clusters, ClusterMethod::Sign, LEVEL).ok().map(|i| (i.lower, i.upper)),
        clusters: of_clusters.len(),
        tasks: all.len(),
        tasks_better: middles().filter(|m| *m > 0.0).count(),
        tasks_worse: middles().filter(|m| *m < 0.0).count(),
    })
}

/// One row per family, step and measure.
pub(super) fn table(effects: &[StepEffect]) -> Table {
    use Format::{Count, Name, Number};
    Table::of(effects)
        .column(Name, "family", ("family", "the family"), |e| e.family.as_deref().unwrap_or("all families"))
        .column(Name, "step", ("step", "the steps around it"), |e| e.step.as_str())
        .measure(|e| e.measure)
        .column(Number, "change", "change", |e| e.change)
        .means("median change of the score, in units of the measure")
        .column(Number, "from", "from", |e| e.interval.map(|i| i.0))
        .means(
            "lower end of its 95 % interval over clusters of tasks that share neither rows nor dates, \
            by the sign test; none below six",
        )
        .column(Number, "to", ("to", "upper end of it"), |e| e.interval.map(|i| i.1))
        .column(Count, "tasks_better", "improved", |e| e.tasks_better)
        .means("tasks on which the median model gains by the step")
        .column(Count, "tasks_worse", ("worse", "tasks on which it is worse"), |e| e.tasks_worse)
        .column(Count, "tasks", ("tasks", "tasks with scores of both"), |e| e.tasks)
        .column(Count, "clusters", ("clusters", "clusters of tasks that share rows or dates"), |e| e.clusters)
        .column(Count, "pairs", ("pairs", "models on tasks with scores of both"), |e| e.pairs)
        .titled("steps", "Effect of each learning step: score with it minus score without it")
}

#[cfg(test)]
mod tests;
