//! Two measures' rankings of the same variants, set against each other task by task.

use rayon::prelude::*;
use tailrank_metrics::{Better, Measure, Score};
use tailrank_stats::{
    Alternative, Correction, CorrelationMethod, TestResult, TopOverlap, adjust, kendall_test,
    permutation_test, rank_biased_overlap_of_ranks, rank_scores, spearman_test, top_k_overlap,
};

use super::TaskScores;
use crate::config::Compare;

/// What one pair of measures says of one task.
///
/// Variants of one family are not independent, so p-values describe a disagreement; they do not prove one.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// Which task, from 0.
    pub task: usize,
    /// The measure a user would have chosen by.
    pub chosen_by: Measure,
    /// The measure that matters.
    pub judged_by: Measure,
    /// Variants compared, from 0, in the order of the rank vectors.
    pub variants: Vec<usize>,
    /// Their ranks by `chosen_by`.
    pub ranks_chosen: Vec<f64>,
    /// Their ranks by `judged_by`.
    pub ranks_judged: Vec<f64>,
    /// Best variant by `chosen_by`; none when all are undefined.
    pub best_chosen: Option<usize>,
    /// Best variant by `judged_by`.
    pub best_judged: Option<usize>,
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
    /// Share of the best `judged_by` score lost by taking the best by `chosen_by`; 1 when that one has no score at all.
    pub regret: Option<f64>,
}

/// Compares the rankings of every pair of measures on every task.
pub fn compare_tasks(
    tasks: &[TaskScores],
    pairs: &[(Measure, Measure)],
    settings: &Compare,
    seed: u64,
) -> Vec<Verdict> {
    let mut verdicts = Vec::with_capacity(tasks.len() * pairs.len());
    for &(a, b) in pairs {
        let first = verdicts.len();
        let of_task = |(t, scores)| verdict(t, scores, a, b, settings, seed);
        verdicts.par_extend(tasks.par_iter().enumerate().map(of_task));
        holm_over_tasks(&mut verdicts[first..]);
    }
    verdicts
}

fn verdict(
    task: usize,
    scores: &TaskScores,
    a: Measure,
    b: Measure,
    settings: &Compare,
    seed: u64,
) -> Verdict {
    let (all_a, all_b) = (scores.values(a), scores.values(b));
    let mut variants = scores.scored();
    if settings.exclude_undefined {
        variants.retain(|&v| all_a[v].is_some() && all_b[v].is_some());
    }
    let pick = |all: &[Option<f64>]| variants.iter().map(|&v| all[v]).collect::<Vec<_>>();
    let (of_a, of_b) = (pick(&all_a), pick(&all_b));
    let ranks_chosen = rank_scores(&of_a, a.better()).unwrap_or_default();
    let ranks_judged = rank_scores(&of_b, b.better()).unwrap_or_default();
    let best = |ranks: &[f64], values: &[Option<f64>]| {
        let place = (0..ranks.len())
            .filter(|&i| values[i].is_some())
            .min_by(|&i, &j| ranks[i].total_cmp(&ranks[j]))?;
        variants.get(place).copied()
    };
    let (best_chosen, best_judged) = (best(&ranks_chosen, &of_a), best(&ranks_judged, &of_b));
    let two_sided = Alternative::TwoSided;
    let permuted = permutation_test(
        &ranks_chosen,
        &ranks_judged,
        settings.permutations as u64,
        seed ^ task as u64,
        two_sided,
    )
    .ok();
    let top = settings.top.min(variants.len());
    Verdict {
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
        regret: relative_regret(
            best_chosen.and_then(|v| scores.score(v, b)),
            best_judged.and_then(|v| scores.score(v, b)),
            b.better(),
        ),
        variants,
        ranks_chosen,
        ranks_judged,
    }
}

/// The share of the best score that is lost; none when the best is zero, where a share says nothing.
pub(super) fn relative_regret(taken: Option<Score>, best: Option<Score>, better: Better) -> Option<f64> {
    let best = best?.value()?;
    match taken?.value() {
        None => Some(1.0),
        Some(taken) if best == 0.0 => (taken == 0.0).then_some(0.0),
        Some(taken) => {
            let lost = match better {
                Better::Higher => best - taken,
                Better::Lower => taken - best,
            };
            Some(lost / best.abs())
        }
    }
}

fn holm_over_tasks(verdicts: &mut [Verdict]) {
    let tested: Vec<usize> = (0..verdicts.len()).filter(|&i| verdicts[i].tau.is_some()).collect();
    let p: Vec<f64> = tested.iter().filter_map(|&i| verdicts[i].tau.as_ref().map(|t| t.p_value)).collect();
    if let Ok(adjusted) = adjust(&p, Correction::Holm) {
        for (&i, p) in tested.iter().zip(adjusted) {
            verdicts[i].tau_holm_p = Some(p);
        }
    }
}
