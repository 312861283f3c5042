//! From stored predictions to scores, ranks, comparisons, verdicts and tables. Nothing here fits a model.
//!
//! [`results`] gives one value, [`Results`]: every printer prints its [`tables`](Results::tables) and its
//! [`answer`]. A new table is a file here with what it holds, how that is computed and its columns, and a
//! line in [`Results::tables`].

mod across;
mod alarms;
pub mod answer;
mod backtest;
mod clusters;
mod comparison;
mod evaluate;
mod ids;
mod inference;
mod regret;
mod results;
mod score_tables;
mod selection;
mod steps;
mod stored_predictions;
mod target;
#[cfg(test)]
mod tests;
mod trading;
mod wins;

pub use across::{AcrossTasks, across_tasks};
pub use alarms::{Alarms, frontier};
pub use backtest::{Accountant, Backtester, Performance, TaskBacktest};
pub use comparison::{Comparison, compare_tasks};
pub use evaluate::{FoldScores, Predictions, TaskScorer, TaskScores, TaskTruth, VariantStatus, evaluate};
pub use ids::{Names, TaskId, VariantId, VariantName};
pub use inference::{
    Caution, ChanceTest, Direction, MeasureInference, PAIRED_TESTS, PairedTest, Pairwise, Question,
    RowDesign, TaskInference, Tested, infer,
};
pub use regret::{Loss, Regret, loss, regrets};
pub use results::{Results, Rules, results, results_cancellable, table_files, write_results};
pub use score_tables::{heading, scores_table};
pub use selection::{Selection, selections};
pub use steps::{StepEffect, step_effects};
pub use stored_predictions::{StoredPredictions, load_predictions};
pub use target::{Target, TargetKind};
pub use trading::{TradingRow, trading_rows};
pub use wins::Wins;
