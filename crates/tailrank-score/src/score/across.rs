//! Ranks over all tasks: Friedman's test and the critical difference, one measure at a time.

use tailrank_metrics::{Better, Measure};
use tailrank_stats::{
    PostHoc, RankTable, TestResult, TieCorrection, cliques, critical_difference, friedman, iman_davenport,
};

use super::{Names, TaskScores, VariantId};
use crate::{
    table::{Cell, Format, Table, column},
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

/// One row per variant, one column per measure; variants that Nemenyi's test tells from the best are marked.
pub(super) fn average_ranks_table(names: &Names, across: &[AcrossTasks], alpha: f64) -> Table {
    let compared = across.first().map(|a| a.variants.clone()).unwrap_or_default();
    let name = |v: VariantId| &names.variants[v];
    let mut columns = vec![
        column("variant", "model", Format::Name, "the model", |&(_, v): &(usize, VariantId)| {
            name(v).label.clone()
        }),
        column("family", "family", Format::Name, "its family", |&(_, v): &(usize, VariantId)| {
            name(v).group.clone()
        }),
    ];
    for a in across {
        let best = a.average_ranks.iter().copied().fold(f64::INFINITY, f64::min);
        let cell = move |&(place, _): &(usize, VariantId)| {
            let rank = a.average_ranks[place];
            Cell { significant: a.critical_difference.is_some_and(|cd| rank - best > cd), ..Cell::from(rank) }
        };
        let info = a.measure.info();
        let meaning = format!("average rank by {}; 1 is first", info.name);
        columns.push(column(info.id, info.symbol, Format::Number, meaning, cell).better(Better::Lower));
    }
    let caption = format!("Average ranks over {} (1 is first)", text::count(names.tasks.len(), "task"));
    let mut table = Table::of("average_ranks", caption, compared.into_iter().enumerate(), columns);
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
    type A<'a> = &'a AcrossTasks;
    use Format::{Name, Number, P};
    let statistic = |t: &Option<TestResult>| t.as_ref().map(|t| t.statistic);
    let p = |t: &Option<TestResult>| t.as_ref().map(|t| t.p_value);
    Table::of(
        "friedman",
        "Do the models differ over the tasks?",
        across,
        vec![
            column("measure", "measure", Name, "the measure ranked by", |a: &A<'_>| a.measure.id()),
            column("chi_squared", "χ²", Number, "Friedman's statistic", move |a: &A<'_>| {
                statistic(&a.friedman)
            }),
            column("p", "p", P, "its p", move |a: &A<'_>| p(&a.friedman)),
            column("iman_davenport_f", "F", Number, "Iman and Davenport's F", move |a: &A<'_>| {
                statistic(&a.iman_davenport)
            }),
            column("iman_davenport_p", "p(F)", P, "its p", move |a: &A<'_>| p(&a.iman_davenport)),
            column(
                "critical_difference",
                "CD",
                Number,
                "Nemenyi's critical difference of average ranks",
                |a: &A<'_>| a.critical_difference,
            ),
        ],
    )
}

#[cfg(test)]
mod tests;
