//! Two measures' rankings of the same variants, set against each other task by task.
//!
//! Variants with the same predictions are one model here: copies would only repeat what the first one says.

use rayon::prelude::*;
use tailrank_metrics::{Measure, Score};
use tailrank_stats::{
    Alternative, Correction, CorrelationMethod, TestResult, TopOverlap, adjust, kendall_test,
    permutation_test, rank_biased_overlap_of_ranks, rank_scores, spearman_test, top_k_overlap,
};

use super::{
    Names, TaskId, TaskScores, VariantId,
    regret::{Loss, SHARE, loss},
};
use crate::{
    config::Compare,
    table::{Cell, Format, Table, column},
    text,
};

/// What one pair of measures says of one task.
///
/// Variants of one family are not independent, so p-values describe a disagreement; they do not prove one.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Which task.
    pub task: TaskId,
    /// The measure a user would have chosen by.
    pub chosen_by: Measure,
    /// The measure that matters.
    pub judged_by: Measure,
    /// Variants compared, in the order of the rank vectors.
    pub variants: Vec<VariantId>,
    /// Their ranks by `chosen_by`.
    pub ranks_chosen: Vec<f64>,
    /// Their ranks by `judged_by`.
    pub ranks_judged: Vec<f64>,
    /// Best variant by `chosen_by`; none when all are undefined.
    pub best_chosen: Option<VariantId>,
    /// Best variant by `judged_by`.
    pub best_judged: Option<VariantId>,
    /// Spearman's ρ of the two rankings.
    pub rho: Option<TestResult>,
    /// Kendall's τ-b of the two rankings.
    pub tau: Option<TestResult>,
    /// Permutation p of ρ.
    pub rho_permutation_p: Option<f64>,
    /// Permutation p of τ.
    pub tau_permutation_p: Option<f64>,
    /// p of τ, corrected by Holm over the tasks.
    pub tau_holm_p: Option<f64>,
    /// What the two top lists share.
    pub top: Option<TopOverlap>,
    /// Rank-biased overlap with persistence 0.9.
    pub rbo: Option<f64>,
    /// Score of the best by `chosen_by`, by `judged_by`.
    pub chosen_score: Option<Score>,
    /// Score of the best by `judged_by`.
    pub best_score: Option<Score>,
    /// What is lost on `judged_by` by taking the best by `chosen_by`.
    pub loss: Option<Loss>,
}

/// Compares the rankings of every pair of measures on every task.
pub fn compare_tasks(
    tasks: &[TaskScores],
    pairs: &[(Measure, Measure)],
    settings: &Compare,
    seed: u64,
) -> Vec<Comparison> {
    let mut all = Vec::with_capacity(tasks.len() * pairs.len());
    for &pair in pairs {
        let first = all.len();
        let of_task = |(t, scores)| compare(TaskId(t), scores, pair, settings, seed);
        all.par_extend(tasks.par_iter().enumerate().map(of_task));
        holm_over_tasks(&mut all[first..]);
    }
    all
}

fn compare(
    task: TaskId,
    scores: &TaskScores,
    (a, b): (Measure, Measure),
    settings: &Compare,
    seed: u64,
) -> Comparison {
    let (all_a, all_b) = (scores.values(a), scores.values(b));
    let mut variants = scores.distinct();
    if settings.exclude_undefined {
        variants.retain(|&v| all_a[v].is_some() && all_b[v].is_some());
    }
    let ranks = |all: &Vec<Option<f64>>, measure: Measure| {
        let picked: Vec<Option<f64>> = variants.iter().map(|&v| all[v]).collect();
        rank_scores(&picked, measure.better()).unwrap_or_default()
    };
    let (ranks_chosen, ranks_judged) = (ranks(&all_a, a), ranks(&all_b, b));
    let best = |measure| scores.best_among(variants.iter().copied(), measure);
    let (best_chosen, best_judged) = (best(a), best(b));
    let by_b = |v: Option<VariantId>| v.and_then(|v| scores.score(v, b));
    let (chosen_score, best_score) = (by_b(best_chosen), by_b(best_judged));
    let reference = by_b(scores.best_reference(b));
    let two_sided = Alternative::TwoSided;
    let permuted = permutation_test(
        &ranks_chosen,
        &ranks_judged,
        settings.permutations as u64,
        seed ^ task.0 as u64,
        two_sided,
    )
    .ok();
    let top = settings.top.min(variants.len());
    Comparison {
        task,
        chosen_by: a,
        judged_by: b,
        best_chosen,
        best_judged,
        // Too few variants, or all of them tied, leave these without an answer.
        rho: spearman_test(&ranks_chosen, &ranks_judged, CorrelationMethod::Auto, two_sided).ok(),
        tau: kendall_test(&ranks_chosen, &ranks_judged, CorrelationMethod::Auto, two_sided).ok(),
        rho_permutation_p: permuted.as_ref().map(|p| p.rho.p_value),
        tau_permutation_p: permuted.as_ref().map(|p| p.tau.p_value),
        tau_holm_p: None,
        top: top_k_overlap(&ranks_chosen, &ranks_judged, top).ok(),
        rbo: rank_biased_overlap_of_ranks(&ranks_chosen, &ranks_judged, 0.9).ok(),
        loss: chosen_score.zip(best_score).and_then(|(c, best)| loss(c, best, reference, b.better())),
        chosen_score,
        best_score,
        variants,
        ranks_chosen,
        ranks_judged,
    }
}

fn holm_over_tasks(all: &mut [Comparison]) {
    let tested: Vec<usize> = (0..all.len()).filter(|&i| all[i].tau.is_some()).collect();
    let p: Vec<f64> = tested.iter().filter_map(|&i| all[i].tau.as_ref().map(|t| t.p_value)).collect();
    if let Ok(adjusted) = adjust(&p, Correction::Holm) {
        for (&i, p) in tested.iter().zip(adjusted) {
            all[i].tau_holm_p = Some(p);
        }
    }
}

/// One row per pair of measures and task. [`Table::part`] of one pair is what people read.
pub(super) fn table(names: &Names, tasks: &[TaskScores], comparisons: &[Comparison], alpha: f64) -> Table {
    type C<'a> = &'a Comparison;
    let label = |v: Option<VariantId>| v.map(|v| names.label(v).to_owned());
    let estimate = |t: &Option<TestResult>| t.as_ref().and_then(|t| t.estimate);
    let p = |t: &Option<TestResult>| t.as_ref().map(|t| t.p_value);
    let method = |t: &Option<TestResult>| t.as_ref().map(|t| t.method);
    let signals = |c: C<'_>, v: Option<VariantId>| v.and_then(|v| tasks[c.task.0].signals(v));
    let shown = |n: Option<usize>| n.map_or_else(|| text::DASH.to_owned(), |n| n.to_string());
    let k = comparisons.iter().find_map(|c| c.top.as_ref()).map_or(0, |t| t.k);
    // Lists of another length on each task, or of all variants, say so row by row.
    let is_plain = |c: C<'_>| c.top.as_ref().is_none_or(|t| t.k == k && t.k < c.variants.len());
    let alike = comparisons.iter().all(is_plain);
    let top = move |c: C<'_>| {
        let t = c.top.as_ref().filter(|t| t.k < c.variants.len())?;
        Some(format!("{} of {}", text::two_digits(t.shared), t.k))
    };
    let tau = |c: &C<'_>| Cell {
        significant: c.tau_holm_p.is_some_and(|p| p < alpha),
        ..Cell::from(estimate(&c.tau))
    };
    use Format::{Correlation, Count, Name, Number, P, Percent};
    let mut columns = vec![
        column("task", "task", Name, "the task", |c: &C<'_>| names.task(c.task).to_owned()),
        column("chosen_by", "chosen by", Name, "the measure chosen by", |c: &C<'_>| c.chosen_by.id()),
        column("judged_by", "judged by", Name, "the measure that matters", |c: &C<'_>| c.judged_by.id()),
        column("chosen", "first picks", Name, "the pick of the ordinary measure", {
            move |c: &C<'_>| label(c.best_chosen)
        }),
        column("judged", "second picks", Name, "the pick of the measure that matters", move |c: &C<'_>| {
            label(c.best_judged)
        }),
        column("variants", "models", Count, "models compared, copies once", |c: &C<'_>| c.variants.len())
            .for_files(),
        column("rho", "ρ", Correlation, "Spearman's correlation of the two rankings", move |c: &C<'_>| {
            estimate(&c.rho)
        }),
        column("rho_p", "p(ρ)", P, "its p", move |c: &C<'_>| p(&c.rho)).for_files(),
        column("rho_method", "ρ by", Name, "how p was computed", move |c: &C<'_>| method(&c.rho)).for_files(),
        column("rho_permutation_p", "p(ρ) permuted", P, "p of ρ by permutation", |c: &C<'_>| {
            c.rho_permutation_p
        })
        .for_files(),
        column("tau", "τ", Correlation, "Kendall's τ-b of the two rankings", tau),
        column("tau_p", "p(τ)", P, "its p", move |c: &C<'_>| p(&c.tau)).for_files(),
        column("tau_method", "τ by", Name, "how p was computed", move |c: &C<'_>| method(&c.tau)).for_files(),
        column("tau_permutation_p", "p(τ) permuted", P, "p of τ by permutation", |c: &C<'_>| {
            c.tau_permutation_p
        })
        .for_files(),
        column("tau_p_holm", "p Holm", P, "p of τ, corrected by Holm over the tasks", |c: &C<'_>| {
            c.tau_holm_p
        }),
        column("top_k", "k", Count, "length of the two top lists", |c: &C<'_>| c.top.as_ref().map(|t| t.k))
            .for_files(),
    ];
    let shared = column(
        "top_shared",
        format!("top {k}"),
        Count,
        "shared by the two top lists; ties at the end count in part",
        |c: &C<'_>| c.top.as_ref().map(|t| t.shared),
    );
    if alike {
        columns.push(shared);
    } else {
        let row_by_row = move |c: &C<'_>| top(c);
        columns.push(shared.for_files());
        columns.push(
            column("top", "shared at the top", Name, "shared by the two top lists", row_by_row).for_people(),
        );
    }
    columns.extend([
        column("rbo", "RBO", Correlation, "rank-biased overlap, persistence 0.9", |c: &C<'_>| c.rbo)
            .for_files(),
        column("signals_chosen", "signals", Count, "signals of the first pick", move |c: &C<'_>| {
            signals(c, c.best_chosen)
        })
        .for_files(),
        column("signals_judged", "signals", Count, "signals of the second pick", move |c: &C<'_>| {
            signals(c, c.best_judged)
        })
        .for_files(),
        column("signals", "signals", Name, "signals of the two picks", move |c: &C<'_>| {
            format!("{}|{}", shown(signals(c, c.best_chosen)), shown(signals(c, c.best_judged)))
        })
        .for_people(),
        column(
            "chosen_score",
            "its score",
            Number,
            "what the choice scores by the measure that matters",
            |c: &C<'_>| c.chosen_score,
        )
        .for_files(),
        column(
            "judged_score",
            "top score",
            Number,
            "the top score by the measure that matters",
            |c: &C<'_>| c.best_score,
        )
        .for_files(),
        column(
            "regret",
            "regret",
            Number,
            "score lost by the choice, in units of the measure that matters",
            |c: &C<'_>| c.loss.map(|l| l.absolute),
        ),
        column("regret_share", "of the gain", Percent, SHARE, |c: &C<'_>| c.loss.and_then(|l| l.share))
            .for_files(),
    ]);
    let table = Table::of(
        "comparisons",
        "The picks of two measures, and how their rankings agree",
        comparisons,
        columns,
    );
    table
        .note(format!("* differs from 0 at α = {alpha}, Holm over the tasks."))
        .note("Rank correlations are descriptive: neighbours in a grid are not independent.")
}

/// The rows of one pair, with the measures' symbols in the headings.
pub(super) fn of_pair(table: &Table, a: Measure, b: Measure) -> Table {
    let mut part = table.part(&[("chosen_by", a.id()), ("judged_by", b.id())]);
    let (sa, sb) = (a.info().symbol, b.info().symbol);
    part.caption = format!("Picks of {sa} and {sb}, and how the two rankings agree");
    for column in &mut part.columns {
        match column.id.as_str() {
            "chosen" => column.heading = format!("{sa} picks"),
            "judged" => column.heading = format!("{sb} picks"),
            "regret" => column.heading = format!("{sb} regret"),
            _ => {}
        }
    }
    part
}

#[cfg(test)]
mod tests;
