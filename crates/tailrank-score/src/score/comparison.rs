//! Two measures' rankings of the same variants, set against each other task by task.
//!
//! Variants with the same predictions are one model here: copies would only repeat what the first one says.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use tailrank_metrics::{Measure, Score};
use tailrank_stats::{
    Alternative, CorrelationMethod, TestResult, TopOverlap, kendall_test, permutation_test,
    rank_biased_overlap, rank_scores, spearman_test, top_k_overlap,
};

use super::{
    Names, TaskId, TaskScores, VariantId, holm,
    regret::{Loss, SHARE, judged},
};
use crate::{
    config::Compare,
    table::{Audience, Cell, Format, Table},
    text,
};

/// What one pair of measures says of one task.
///
/// Variants of one family are not independent, so p-values describe a disagreement; they do not prove one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
    let of_task = |(t, scores)| compare_task(TaskId(t), scores, pairs, settings, seed);
    over_tasks(tasks.par_iter().enumerate().map(of_task).collect())
}

/// One task's comparisons, pair by pair; nothing is corrected over the tasks yet.
pub(super) fn compare_task(
    task: TaskId,
    scores: &TaskScores,
    pairs: &[(Measure, Measure)],
    settings: &Compare,
    seed: u64,
) -> Vec<Comparison> {
    pairs.iter().map(|&pair| compare(task, scores, pair, settings, seed)).collect()
}

/// The comparisons of all tasks, pair by pair, corrected by Holm over the tasks.
pub(super) fn over_tasks(tasks: Vec<Vec<Comparison>>) -> Vec<Comparison> {
    let mut all = Vec::new();
    let pairs = tasks.first().map_or(0, Vec::len);
    let mut tasks: Vec<_> = tasks.into_iter().map(Vec::into_iter).collect();
    for _ in 0..pairs {
        let first = all.len();
        all.extend(tasks.iter_mut().filter_map(Iterator::next));
        let p: Vec<Option<f64>> = all[first..].iter().map(|c| Some(c.tau.as_ref()?.p_value)).collect();
        all[first..].iter_mut().zip(holm(&p)).for_each(|(c, p)| c.tau_holm_p = p);
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
    let (chosen_score, best_score, loss) = judged(scores, best_chosen, best_judged, b);
    let (x, y, two_sided) = (&ranks_chosen, &ranks_judged, Alternative::TwoSided);
    let seed = seed ^ task.0 as u64;
    let permuted = permutation_test(x, y, settings.permutations as u64, seed, two_sided).ok();
    let top = settings.top.min(variants.len());
    Comparison {
        task,
        chosen_by: a,
        judged_by: b,
        best_chosen,
        best_judged,
        // Too few variants, or all of them tied, leave these without an answer.
        rho: spearman_test(x, y, CorrelationMethod::Auto, two_sided).ok(),
        tau: kendall_test(x, y, CorrelationMethod::Auto, two_sided).ok(),
        rho_permutation_p: permuted.as_ref().map(|p| p.rho.p_value),
        tau_permutation_p: permuted.as_ref().map(|p| p.tau.p_value),
        tau_holm_p: None,
        top: top_k_overlap(x, y, top).ok(),
        rbo: rank_biased_overlap(x, y, 0.9).ok(),
        chosen_score,
        best_score,
        loss,
        variants,
        ranks_chosen,
        ranks_judged,
    }
}

/// One row per pair of measures and task. [`Table::part`] of one pair is what people read.
pub(super) fn table(names: &Names, tasks: &[TaskScores], comparisons: &[Comparison], alpha: f64) -> Table {
    use Format::{Correlation, Count, Name, Number, P, Percent};
    let label = |v: Option<VariantId>| v.map(|v| names.label(v));
    let estimate = |t: &Option<TestResult>| t.as_ref().and_then(|t| t.estimate);
    let p = |t: &Option<TestResult>| t.as_ref().map(|t| t.p_value);
    let method = |t: &Option<TestResult>| t.as_ref().map(|t| t.method);
    let signals = |c: &Comparison, v: Option<VariantId>| v.and_then(|v| tasks[c.task.0].signals(v));
    let shown = |n: Option<usize>| n.map_or_else(|| text::DASH.to_owned(), |n| n.to_string());
    let k = comparisons.iter().find_map(|c| c.top.as_ref()).map_or(0, |t| t.k);
    let mut table = Table::of(comparisons)
        .task(names, |c| c.task)
        .column(Name, "chosen_by", ("chosen by", "the measure chosen by"), |c| c.chosen_by.id())
        .column(Name, "judged_by", ("judged by", "the measure that matters"), |c| c.judged_by.id())
        .column(Name, "chosen", ("first picks", "the pick of the ordinary measure"), |c| label(c.best_chosen))
        .column(Name, "judged", "second picks", |c| label(c.best_judged))
        .means("the pick of the measure that matters")
        .file_column(Count, "models", ("models", "models compared, copies once"), |c| c.variants.len())
        .column(Correlation, "rho", ("ρ", "Spearman's correlation of the two rankings"), |c| {
            estimate(&c.rho)
        })
        .file_column(P, "rho_p", ("p(ρ)", "its p"), |c| p(&c.rho))
        .file_column(Name, "rho_method", ("ρ by", "how p was computed"), |c| method(&c.rho))
        .file_column(P, "rho_permutation_p", "p(ρ) permuted", |c| c.rho_permutation_p)
        .means("p of ρ by permutation")
        .column(Correlation, "tau", "τ", |c| Cell {
            significant: c.tau_holm_p.is_some_and(|p| p < alpha),
            ..Cell::from(estimate(&c.tau))
        })
        .means("Kendall's τ-b of the two rankings")
        .file_column(P, "tau_p", ("p(τ)", "its p"), |c| p(&c.tau))
        .file_column(Name, "tau_method", ("τ by", "how p was computed"), |c| method(&c.tau))
        .file_column(P, "tau_permutation_p", "p(τ) permuted", |c| c.tau_permutation_p)
        .means("p of τ by permutation")
        .column(P, "tau_p_holm", ("p Holm", "p of τ, corrected by Holm over the tasks"), |c| c.tau_holm_p)
        .file_column(Count, "top_k", ("k", "length of the two top lists"), |c| c.top.as_ref().map(|t| t.k))
        .column(Count, "top_shared", format!("top {k}"), |c| c.top.as_ref().map(|t| t.shared))
        .means("shared by the two top lists; ties at the end count in part");
    // Lists of another length on each task, or of all variants, say so row by row.
    let is_plain = |c: &Comparison| c.top.as_ref().is_none_or(|t| t.k == k && t.k < c.variants.len());
    if !comparisons.iter().all(is_plain) {
        let top = |c: &&Comparison| {
            let t = c.top.as_ref().filter(|t| t.k < c.variants.len())?;
            Some(format!("{} of {}", text::two_digits(t.shared), t.k))
        };
        table = table
            .audience(Audience::Files)
            .column(Name, "top", ("shared at the top", "shared by the two top lists"), top)
            .audience(Audience::People);
    }
    table
        .file_column(Correlation, "rbo", ("RBO", "rank-biased overlap, persistence 0.9"), |c| c.rbo)
        .file_column(Count, "signals_chosen", "signals", |c| signals(c, c.best_chosen))
        .means("signals of the first pick")
        .file_column(Count, "signals_judged", "signals", |c| signals(c, c.best_judged))
        .means("signals of the second pick")
        .column(Name, "signals", "signals", |c| {
            format!("{}|{}", shown(signals(c, c.best_chosen)), shown(signals(c, c.best_judged)))
        })
        .means("signals of the two picks")
        .audience(Audience::People)
        .file_column(Number, "chosen_score", "its score", |c| c.chosen_score)
        .means("what the choice scores by the measure that matters")
        .file_column(Number, "judged_score", "top score", |c| c.best_score)
        .means("the top score by the measure that matters")
        .column(Number, "regret", "regret", |c| c.loss.map(|l| l.absolute))
        .means("score lost by the choice, in units of the measure that matters")
        .file_column(Percent, "regret_share", ("of the gain", SHARE), |c| c.loss.and_then(|l| l.share))
        .titled("comparisons", "The picks of two measures, and how their rankings agree")
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
