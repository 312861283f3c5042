//! From stored predictions to scores, ranks, comparisons and tables. Nothing here fits a model.

mod across;
mod compare;
mod evaluate;
mod regret;
mod selection;
mod settings;
mod tables;
#[cfg(test)]
mod tests;
mod trading;

pub use across::{AcrossTasks, across_tasks};
pub use compare::{Verdict, compare_tasks};
pub use evaluate::{Predictions, TaskScorer, TaskScores, TaskTruth, VariantStatus, evaluate};
pub(crate) use regret::best_variant;
pub use regret::{Regret, regrets};
pub use selection::{Selection, selections};
pub use settings::{ScoringRules, scoring_rules};
pub use tables::{VariantName, frame, scores_table, tables};
pub use trading::{TradingRow, trading_rows};
