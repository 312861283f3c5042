//! Measures of classification: counts, rates, OP and OARP (OARP11), ROC, precision–recall and cost curves (WF
//! §5.7).

mod cost;
mod counts;
mod curves;

pub use cost::{CostCurve, CostLine, EnvelopePiece};
pub use counts::BinaryCounts;
pub use curves::{RankedCounts, RatePoint};
