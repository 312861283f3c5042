//! Ranks over all tasks: Friedman's test and the critical difference, one measure at a time.

use tailrank_metrics::Measure;
use tailrank_stats::{
    PostHoc, RankTable, TestResult, TieCorrection, cliques, critical_difference, friedman, iman_davenport,
};

use super::TaskScores;

/// What one measure says of the variants over all tasks.
#[derive(Clone, Debug, PartialEq)]
pub struct AcrossTasks {
    /// The measure.
    pub measure: Measure,
    /// Variants that were scored on every task, from 0.
    pub variants: Vec<usize>,
    /// Their average ranks.
    pub average_ranks: Vec<f64>,
    /// Friedman's test, corrected for ties.
    pub friedman: Option<TestResult>,
    /// Iman and Davenport's correction of it.
    pub iman_davenport: Option<TestResult>,
    /// Nemenyi's critical difference of average ranks.
    pub critical_difference: Option<f64>,
    /// Groups of variants that do not differ by more than that, as places in `variants`.
    pub groups: Vec<Vec<usize>>,
}

/// Compares variants over all tasks by every measure. Nothing to say with fewer than two tasks or variants.
pub fn across_tasks(tasks: &[TaskScores], alpha: f64) -> Vec<AcrossTasks> {
    let Some(first) = tasks.first() else { return Vec::new() };
    let variants: Vec<usize> =
        first.scored().into_iter().filter(|&v| tasks.iter().all(|t| !t.scores[v].is_empty())).collect();
    if tasks.len() < 2 || variants.len() < 2 {
        return Vec::new();
    }
    first.measures.iter().filter_map(|&measure| across(tasks, measure, &variants, alpha)).collect()
}

fn across(tasks: &[TaskScores], measure: Measure, variants: &[usize], alpha: f64) -> Option<AcrossTasks> {
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
    Some(AcrossTasks {
        measure,
        variants: variants.to_vec(),
        friedman: friedman(&table, TieCorrection::Corrected).ok(),
        iman_davenport: iman_davenport(&table, TieCorrection::Corrected).ok(),
        critical_difference: difference,
        groups,
        average_ranks,
    })
}
