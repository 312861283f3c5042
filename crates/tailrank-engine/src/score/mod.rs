//! From stored predictions to scores, ranks, comparisons and tables. Nothing here fits a model.

mod across;
mod compare;
mod evaluate;
mod regret;
mod settings;
mod tables;
mod trading;

pub use across::{AcrossTasks, across_tasks};
pub use compare::{Verdict, compare_tasks};
pub use evaluate::{Predictions, TaskScores, TaskTruth, VariantStatus, evaluate};
pub use regret::{Regret, regrets};
pub use settings::{ScoringRules, scoring_rules};
pub use tables::{VariantName, frame, scores_table, tables};
pub use trading::{TradingRow, trading_rows};
