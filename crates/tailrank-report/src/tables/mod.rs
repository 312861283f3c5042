//! Tables for other tools: Markdown, LaTeX, JSON. CSV and Parquet are the engine's (`tailrank_engine::score::tables`).
//!
//! A [`Table`] holds values, not text; [`markdown`] and [`latex`] print it, each with the escapes of its format, because
//! every name comes from a user's file. In a column of scores the best is marked and so is the second.
//!
//! ```
//! use tailrank_report::{claims::{Claim, Standing}, tables};
//! let claim = Claim {
//!     source: "PR09 §5.2".into(),
//!     says: "the top fives are disjoint".into(),
//!     found: "they share 0 of 5".into(),
//!     evidence: "comparisons.csv".into(),
//!     standing: Standing::Agree,
//! };
//! let table = tables::claims(&[claim]);
//! assert!(tables::markdown(&table).contains("| PR09 §5.2 | the top fives are disjoint |"));
//! assert!(tables::latex(&table).contains(r"\toprule"));
//! ```

mod content;
mod json;
mod latex;
mod markdown;
mod verdict;

pub(crate) use content::slug;
pub use content::{Align, Cell, Column, Mark, Table, Value};
pub use json::json;
pub use latex::latex;
pub use markdown::markdown;
pub use verdict::verdicts;

mod average_ranks;
mod claim;
mod regret;
mod scores;
mod trading;

pub use average_ranks::average_ranks;
pub use claim::claims;
pub use regret::regret;
pub use scores::scores;
pub use trading::trading;

use crate::claims::Claim;
use tailrank_engine::{plan::Plan, run::Results};

/// All tables of a run that have rows: verdicts for each pair of measures, scores for each task, average ranks, regret, trading,
/// claims.
pub fn all(plan: &Plan, results: &Results, found: &[Claim]) -> Vec<Table> {
    let alpha = plan.experiment.compare.alpha;
    let mut tables: Vec<Table> = plan.pairs.iter().map(|&(a, b)| verdicts(results, a, b, alpha)).collect();
    tables.extend((0..results.tasks.len()).map(|t| scores(results, t)));
    tables.push(average_ranks(results, alpha));
    tables.push(regret(results));
    tables.push(trading(results));
    tables.push(claims(found));
    tables.retain(|t| !t.rows.is_empty());
    tables
}
