//! Measures of classification: counts, rates, OP and OARP (OARP11), and lines in cost space (WF §5.7).

mod cost;
mod counts;

pub use cost::CostLine;
pub use counts::BinaryCounts;
