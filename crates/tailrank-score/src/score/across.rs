//! Ranks over all tasks, one measure at a time: Friedman's test and the critical difference, and how often
//! each variant is the best of a task.

use tailrank_metrics::{Better, Measure};
use tailrank_stats::{
    ClusterMethod, Interval, PostHoc, RankTable, TestResult, cliques, cluster_interval, critical_difference,
    friedman, iman_davenport,
};

use super::{Names, TaskScores, VariantId, clusters::Clusters, regret::counted};
use crate::{
    config::Inference,
    table::{Cell, Format, Table},
    text,
};

/// What one measure says of the variants over all tasks.
#[derive(Clone, Debug, PartialEq)]
pub struct AcrossTasks {
    /// The measure.
    pub measure: Measure,
    /// Variants that were scored on every task; of those with the same predictions everywhere the first.
    pub variants: Vec<VariantId>,
    /// Their average ranks.
    pub average_ranks: Vec<f64>,
    /// Friedman's test, corrected for ties; none with fewer than five tasks.
    pub friedman: Option<TestResult>,
    /// Iman and Davenport's correction of it.
    pub iman_davenport: Option<TestResult>,
    /// Nemenyi's critical difference of average ranks.
    pub critical_difference: Option<f64>,
    /// Groups of variants that do not differ by more than that, as places in `variants`.
    pub groups: Vec<Vec<usize>>,
}

/// Tasks from which on tests over tasks are made: below, the χ² approximation is too far off (Demšar 2006,
/// §3.2.2).
const FEWEST_TASKS: usize = 5;

/// Compares variants over all tasks by every measure. Nothing to say with fewer than two tasks or variants.
pub fn across_tasks(tasks: &[TaskScores], alpha: f64) -> Vec<AcrossTasks> {
    let Some(first) = tasks.first() else { return Vec::new() };
    let is_scored = |v: VariantId| tasks.iter().all(|t| !t.scores[v].is_empty());
    let is_copy = |v: VariantId| {
        let original = first.same_as[v];
        original != v && tasks.iter().all(|t| t.same_as[v] == t.same_as[original])
    };
    let variants: Vec<VariantId> =
        first.candidates().into_iter().filter(|&v| is_scored(v) && !is_copy(v)).collect();
    if tasks.len() < 2 || variants.len() < 2 {
        return Vec::new();
    }
    first.measures.iter().filter_map(|&measure| across(tasks, measure, &variants, alpha)).collect()
}

fn across(tasks: &[TaskScores], measure: Measure, variants: &[VariantId], alpha: f64) -> Option<AcrossTasks> {
    let rows: Vec<Vec<Option<f64>>> = tasks
        .iter()
        .map(|t| {
            let values = t.values(measure);
            variants.iter().map(|&v| values[v]).collect()
        })
        .collect();
    let table = RankTable::from_scores(&rows, measure.better()).ok()?;
    let average_ranks = table.average_ranks();
    let difference = critical_difference(PostHoc::Nemenyi, variants.len(), tasks.len(), alpha).ok();
    let groups = difference.and_then(|d| cliques(&average_ranks, d).ok()).unwrap_or_default();
    let enough = tasks.len() >= FEWEST_TASKS;
    Some(AcrossTasks {
        measure,
        variants: variants.to_vec(),
        friedman: friedman(&table).ok().filter(|_| enough),
        iman_davenport: iman_davenport(&table).ok().filter(|_| enough),
        critical_difference: difference,
        groups,
        average_ranks,
    })
}

/// One row per variant, one column per measure; variants that Nemenyi's test tells from the best are marked.
pub(super) fn average_ranks_table(names: &Names, across: &[AcrossTasks], alpha: f64) -> Table {
    let compared = across.first().map(|a| a.variants.clone()).unwrap_or_default();
    let mut table =
        Table::of(compared.into_iter().enumerate()).model(names, |&(_, v)| v).family(names, |&(_, v)| v);
    for a in across {
        let best = a.average_ranks.iter().copied().fold(f64::INFINITY, f64::min);
        let info = a.measure.info();
        table = table
            .column(Format::Number, info.id, info.symbol, |&(place, _)| {
                let rank = a.average_ranks[place];
                let significant = a.critical_difference.is_some_and(|cd| rank - best > cd);
                Cell { significant, ..Cell::from(rank) }
            })
            .means(format!("average rank by {}; 1 is first", info.name))
            .better(Better::Lower);
    }
    let caption = format!("Average ranks over {} (1 is first)", text::count(names.tasks.len(), "task"));
    let mut table = table.titled("average_ranks", caption);
    table.mark_best();
    if table.rows.iter().flatten().any(|c| c.significant) {
        table.notes.push(format!("* significantly below the first (Nemenyi, α = {alpha})."));
    }
    if let Some(cd) = across.first().and_then(|a| a.critical_difference) {
        table.notes.push(format!("Critical difference: {}.", text::digits(cd)));
    }
    table
}

/// One row per measure: the tests over all variants and tasks.
pub(super) fn friedman_table(across: &[AcrossTasks]) -> Table {
    use Format::{Name, Number, P};
    let statistic = |t: &Option<TestResult>| t.as_ref().map(|t| t.statistic);
    let p = |t: &Option<TestResult>| t.as_ref().map(|t| t.p_value);
    Table::of(across)
        .column(Name, "measure", ("measure", "the measure ranked by"), |a| a.measure.id())
        .column(Number, "chi_squared", ("χ²", "Friedman's statistic"), |a| statistic(&a.friedman))
        .column(P, "p", ("p", "its p"), |a| p(&a.friedman))
        .column(Number, "iman_davenport_f", ("F", "Iman and Davenport's F"), |a| statistic(&a.iman_davenport))
        .column(P, "iman_davenport_p", ("p(F)", "its p"), |a| p(&a.iman_davenport))
        .column(Number, "critical_difference", "CD", |a| a.critical_difference)
        .means("Nemenyi's critical difference of average ranks")
        .titled("friedman", "Do the models differ over the tasks?")
}

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
    /// Share of the tasks that it wins, with Student's interval over clusters of tasks that share neither
    /// rows nor dates; none below six.
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
        // The best of each row, and what each of several equals has of the win.
        let best = |row: &Vec<f64>| {
            let best = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            (best, 1.0 / row.iter().filter(|v| **v == best).count() as f64)
        };
        let bests: Vec<(f64, f64)> = rows.iter().map(best).collect();
        for (place, &variant) in a.variants.iter().enumerate() {
            if rows.iter().any(|row| !row[place].is_finite()) {
                continue;
            }
            let won = |(row, &(best, share)): (&Vec<f64>, &(f64, f64))| {
                if row[place] == best { share } else { 0.0 }
            };
            let won: Vec<f64> = rows.iter().zip(&bests).map(won).collect();
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
pub(super) fn wins_table(names: &Names, wins: &[Wins]) -> Table {
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

#[cfg(test)]
mod tests;
