//! From stored predictions to scores, ranks, comparisons, verdicts and tables. Nothing here fits a model.
//!
//! [`results`] gives one value, [`Results`]: every printer prints its [`tables`](Results::tables) and its
//! [`answer`]. A new table is a file here with what it holds, how that is computed and its columns, and a
//! line in [`Results::tables`].

mod across;
pub mod answer;
mod backtest;
mod clusters;
mod comparison;
mod episodes;
mod evaluate;
mod ids;
mod inference;
mod regret;
mod results;
mod score_tables;
mod scored_task;
mod standings;
mod steps;
mod stored_predictions;
#[cfg(test)]
mod tests;
mod trading;

use tailrank_stats::{Correction, adjust};

pub use across::{AcrossTasks, Wins, across_tasks};
pub use backtest::{Accountant, Backtester, TaskBacktest};
pub use comparison::{Comparison, compare_tasks};
pub use episodes::{EpisodeTask, TaskEpisodes};
pub use evaluate::{
    FoldScores, Predictions, Submission, Target, TaskScorer, TaskScores, TaskTruth, VariantStatus, evaluate,
};
pub use ids::{Names, TaskId, VariantId, VariantName};
pub use inference::{
    Caution, ChanceTest, Direction, IntervalScope, MeasureInference, Pair, PairMatrix, PairedTest, Pairwise,
    Question, RowDesign, Samples, TaskInference, Tested, infer, pair_matrix,
};
pub use regret::{Loss, Regret, Selection, counted, loss, regrets, selections};
pub(crate) use results::check_cancelled;
pub use results::{Results, Rules, results, results_with, score_share, table_files, write_results};
pub use score_tables::{heading, scores_table};
pub use standings::{EntryKind, Estimate, MOST_RATED, Standing, Standings, Start};
pub use steps::{StepEffect, step_effects};
pub use stored_predictions::{StoredPredictions, load_predictions, test_parts};
pub use trading::{TradingRow, trading_rows};

/// Holm's correction of those that have a p; none where it cannot be made.
pub fn holm(p: &[Option<f64>]) -> Vec<Option<f64>> {
    let known: Vec<f64> = p.iter().copied().flatten().collect();
    let mut adjusted = adjust(&known, Correction::Holm).unwrap_or_default().into_iter();
    p.iter().map(|p| p.and_then(|_| adjusted.next())).collect()
}
