//! Ranks and how two rankings agree.

use tailrank_stats::{Better, kendall_tau, rank_scores, spearman_rho, top_k_overlap};

use crate::{Answer, answer, given, told};

/// Ranks of the scores given as input, 1 for the best; a score that is not a number is undefined and stands
/// last.
#[unsafe(no_mangle)]
pub extern "C" fn ranks(lower_is_better: i32) -> i32 {
    answer(|page| {
        let scores: Vec<Option<f64>> = page.input.iter().map(|&s| given(s)).collect();
        let better = if lower_is_better == 1 { Better::Lower } else { Better::Higher };
        rank_scores(&scores, better).map_err(told)
    })
}

/// Two rankings given as input, one after the other: Spearman's ρ, Kendall's τ-b and how many the first `top`
/// share, each not a number where it is not defined.
#[unsafe(no_mangle)]
pub extern "C" fn agreement(top: usize) -> i32 {
    answer(|page| -> Answer {
        let (a, b) = page.input.split_at(page.input.len() / 2);
        let or_none = |value: Option<f64>| value.unwrap_or(f64::NAN);
        Ok(vec![
            or_none(spearman_rho(a, b).ok()),
            or_none(kendall_tau(a, b).ok()),
            or_none(top_k_overlap(a, b, top).ok().map(|t| t.shared)),
        ])
    })
}
