//! How often each variant is the best of a task, and what taking it costs on average, with intervals over the tasks.

use tailrank_metrics::{Better, Measure};
use tailrank_stats::{Interval, Resamples, percentile_interval};

use super::{AcrossTasks, Names, TaskScores, VariantId, inference::counted};
use crate::{
    config::Inference,
    table::{Format, Table, column},
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
    /// Share of the tasks that it wins; tasks are drawn anew. None with fewer than ten tasks.
    pub rate: Option<Interval>,
    /// Mean distance to the best score of a task.
    pub regret: f64,
    /// Its interval.
    pub regret_interval: Option<Interval>,
}

/// Wins and regret of the variants that are compared over all tasks.
pub(super) fn wins(
    tasks: &[TaskScores],
    across: &[AcrossTasks],
    inference: &Inference,
    seed: u64,
) -> Vec<Wins> {
    let resamples = inference
        .enabled
        .then(|| Resamples::cases(tasks.len(), inference.resamples, seed ^ 0x7769_6E73).ok())
        .flatten();
    let interval = |values: &[f64]| {
        let estimate = values.iter().sum::<f64>() / values.len() as f64;
        let draws = resamples.as_ref()?.means(&[values]).ok()?;
        percentile_interval(estimate, draws.column(0), inference.level).ok()
    };
    let mut all = Vec::new();
    for a in across {
        let sign = if a.measure.better() == Better::Higher { 1.0 } else { -1.0 };
        // One row per task, one value per variant; higher is better.
        let rows: Vec<Vec<f64>> = tasks
            .iter()
            .map(|t| {
                let value = |&v: &VariantId| t.score(v, a.measure).map_or(f64::NAN, |s| sign * counted(s));
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
            let lost: Vec<f64> = rows.iter().map(|row| best(row) - row[place]).collect();
            all.push(Wins {
                measure: a.measure,
                variant,
                wins: won.iter().sum(),
                tasks: rows.len(),
                rate: interval(&won),
                regret: lost.iter().sum::<f64>() / lost.len() as f64,
                regret_interval: interval(&lost),
            });
        }
    }
    all
}

/// One row per measure and variant.
pub(super) fn table(names: &Names, wins: &[Wins]) -> Table {
    use Format::{Count, Name, Number, Percent};
    type W<'a> = &'a Wins;
    Table::of(
        "wins",
        "How often each variant is the best of a task, and how far it stays behind the best on average",
        wins,
        vec![
            column("measure", "measure", Name, "the measure", |w: &W<'_>| w.measure.id()),
            column("variant", "variant", Name, "the variant", |w: &W<'_>| names.label(w.variant).to_owned()),
            column("wins", "wins", Number, "tasks on which it is the best; equals share one", |w: &W<'_>| {
                w.wins
            }),
            column("tasks", "tasks", Count, "tasks", |w: &W<'_>| w.tasks),
            column("win_rate", "win rate", Percent, "share of the tasks that it wins", |w: &W<'_>| {
                w.wins / w.tasks as f64
            }),
            column("win_rate_lower", "from", Percent, "lower end of its interval over tasks", |w: &W<'_>| {
                w.rate.map(|i| i.lower)
            }),
            column("win_rate_upper", "to", Percent, "upper end of its interval", |w: &W<'_>| {
                w.rate.map(|i| i.upper)
            }),
            column(
                "mean_regret",
                "mean regret",
                Number,
                "mean distance to the best of a task",
                |w: &W<'_>| w.regret,
            ),
            column("mean_regret_lower", "from", Number, "lower end of its interval", |w: &W<'_>| {
                w.regret_interval.map(|i| i.lower)
            }),
            column("mean_regret_upper", "to", Number, "upper end of its interval", |w: &W<'_>| {
                w.regret_interval.map(|i| i.upper)
            }),
        ],
    )
}
