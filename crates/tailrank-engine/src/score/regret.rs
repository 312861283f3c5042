//! What is lost on one measure by choosing on another.

use tailrank_metrics::{Measure, Score};

use super::{TaskScores, compare::relative_regret};

/// What choosing by one measure costs by another, on one task.
#[derive(Clone, Debug, PartialEq)]
pub struct Regret {
    /// Which task, from 0.
    pub task: usize,
    /// The measure chosen by.
    pub chosen_by: Measure,
    /// The variant it chooses.
    pub chosen: usize,
    /// The measure judged by.
    pub judged_by: Measure,
    /// The best variant by that measure.
    pub best: Option<usize>,
    /// Score of the chosen one by `judged_by`.
    pub chosen_score: Score,
    /// Score of the best one by `judged_by`.
    pub best_score: Option<Score>,
    /// Share of the best score lost.
    pub relative: Option<f64>,
}

/// The regrets of all pairs of measures on all tasks.
pub fn regrets(tasks: &[TaskScores]) -> Vec<Regret> {
    let mut all = Vec::new();
    for (task, scores) in tasks.iter().enumerate() {
        let bests: Vec<Option<usize>> = scores.measures.iter().map(|&m| best_variant(scores, m)).collect();
        for (place, &a) in scores.measures.iter().enumerate() {
            let Some(chosen) = bests[place] else { continue };
            for (&b, &best) in scores.measures.iter().zip(&bests) {
                let Some(chosen_score) = scores.score(chosen, b) else { continue };
                let best_score = best.and_then(|v| scores.score(v, b));
                all.push(Regret {
                    task,
                    chosen_by: a,
                    chosen,
                    judged_by: b,
                    best,
                    chosen_score,
                    best_score,
                    relative: relative_regret(Some(chosen_score), best_score, b.better()),
                });
            }
        }
    }
    all
}

/// The best variant by a measure; of equals the first. None when no variant has a score.
pub(crate) fn best_variant(scores: &TaskScores, measure: Measure) -> Option<usize> {
    let candidates = scores.scored().into_iter().filter_map(|v| Some((v, scores.score(v, measure)?)));
    let defined = candidates.filter(|(_, s)| s.value().is_some());
    defined.min_by(|a, b| a.1.compare(b.1, measure.better())).map(|(v, _)| v)
}
