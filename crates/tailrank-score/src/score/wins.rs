//! How often each variant is the best of a task, with intervals over the tasks.

use tailrank_metrics::{Better, Measure};
use tailrank_stats::{ClusterMethod, Interval, cluster_interval};

use super::{AcrossTasks, Names, TaskScores, VariantId, clusters::Clusters, regret::counted};
use crate::{
    config::Inference,
    table::{Format, Table},
};

/// One variant by one measure over all tasks.
#[derive(Clone, Debug, PartialEq)]
pub struct Wins {
    /// The measure.
    pub measure: Measure,
    /// The variant.
    pub variant: VariantId,
    /// Tasks on which it is the best; of equals each has its share.
    pub wins: f64,
    /// Tasks counted: those on which it has a score.
    pub tasks: usize,
    /// Share of the tasks that it wins, with Student's interval over clusters of tasks that share neither rows nor dates; none below
    /// six.
    pub rate: Option<Interval>,
}

/// Wins of the variants that are compared over all tasks.
pub(super) fn wins(tasks: &[TaskScores], across: &[AcrossTasks], inference: &Inference) -> Vec<Wins> {
    let clusters = Clusters::of(tasks);
    let interval = |values: &[f64]| {
        let means = clusters.means(&values.iter().copied().enumerate().collect::<Vec<_>>());
        let found = cluster_interval(&means, ClusterMethod::T, inference.level).ok()?;
        let (lower, upper) = (found.lower.max(0.0), found.upper.min(1.0));
        inference.enabled.then_some(Interval { lower, upper, ..found })
    };
    let mut all = Vec::new();
    for a in across {
        let sign = if a.measure.better() == Better::Higher { 1.0 } else { -1.0 };
        // One row per task, one value per variant; higher is better.
        let rows: Vec<Vec<f64>> = tasks
            .iter()
            .map(|t| {
                let value =
                    |&v: &VariantId| t.score(v, a.measure).and_then(counted).map_or(f64::NAN, |s| sign * s);
                a.variants.iter().map(value).collect()
            })
            .collect();
        for (place, &variant) in a.variants.iter().enumerate() {
            if rows.iter().any(|row| !row[place].is_finite()) {
                continue;
            }
            let best = |row: &[f64]| row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let won = |row: &Vec<f64>| {
                let best = best(row);
                let equal = row.iter().filter(|v| **v == best).count();
                if row[place] == best { 1.0 / equal as f64 } else { 0.0 }
            };
            let won: Vec<f64> = rows.iter().map(won).collect();
            all.push(Wins {
                measure: a.measure,
                variant,
                wins: won.iter().sum(),
                tasks: rows.len(),
                rate: interval(&won),
            });
        }
    }
    all
}

/// One row per measure and variant.
pub(super) fn table(names: &Names, wins: &[Wins]) -> Table {
    use Format::{Count, Number, Percent};
    Table::of(wins)
        .measure(|w| w.measure)
        .model(names, |w| w.variant)
        .column(Number, "wins", ("first", "tasks on which it is first; equals share one"), |w| w.wins)
        .column(Count, "tasks", ("tasks", "tasks"), |w| w.tasks)
        .column(Percent, "win_rate", "share first", |w| w.wins / w.tasks as f64)
        .means("share of the tasks on which it is first")
        .column(Percent, "win_rate_lower", "from", |w| w.rate.map(|i| i.lower))
        .means("lower end of its interval over tasks")
        .column(Percent, "win_rate_upper", ("to", "upper end of its interval"), |w| w.rate.map(|i| i.upper))
        .titled("wins", "How often each model is first on a task")
}
