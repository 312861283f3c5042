//! Choosing on a validation period, judged on the test: what a user who never sees the test would get.

use tailrank_metrics::{Measure, Score};
use tailrank_stats::rank_scores;

use super::{TaskScores, compare::relative_regret, regret::best_variant};

/// What choosing by one measure on the validation rows of one task gives on its test rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Selection {
    /// Which task, from 0.
    pub task: usize,
    /// The measure chosen and judged by.
    pub measure: Measure,
    /// The best variant on the validation rows; none when all are undefined there.
    pub chosen: Option<usize>,
    /// Its score on the validation rows.
    pub validation_score: Option<Score>,
    /// Its score on the test rows.
    pub test_score: Option<Score>,
    /// Its rank on the test rows, among all variants that have scores.
    pub test_rank: Option<f64>,
    /// The best variant on the test rows: the choice of one who knows the answers.
    pub best: Option<usize>,
    /// Score of that one on the test rows.
    pub best_score: Option<Score>,
    /// Share of the best test score lost by choosing on the validation rows.
    pub regret: Option<f64>,
}

/// The choices of every measure on one task.
pub fn selections(task: usize, validation: &TaskScores, test: &TaskScores) -> Vec<Selection> {
    test.measures.iter().map(|&measure| selection(task, measure, validation, test)).collect()
}

fn selection(task: usize, measure: Measure, validation: &TaskScores, test: &TaskScores) -> Selection {
    let chosen = best_variant(validation, measure);
    let best = best_variant(test, measure);
    let test_score = chosen.and_then(|v| test.score(v, measure));
    let best_score = best.and_then(|v| test.score(v, measure));
    Selection {
        task,
        measure,
        chosen,
        validation_score: chosen.and_then(|v| validation.score(v, measure)),
        test_rank: chosen.and_then(|v| rank(test, measure, v)),
        regret: relative_regret(test_score, best_score, measure.better()),
        test_score,
        best,
        best_score,
    }
}

fn rank(scores: &TaskScores, measure: Measure, variant: usize) -> Option<f64> {
    let scored = scores.scored();
    let values = scores.values(measure);
    let picked: Vec<Option<f64>> = scored.iter().map(|&v| values[v]).collect();
    let place = scored.iter().position(|&v| v == variant)?;
    rank_scores(&picked, measure.better()).ok()?.get(place).copied()
}
