//! Measures of numeric predictions: ordinary error and error where it matters.
//!
//! Everything here is pure computation: slices in, numbers out. No files, no configuration, no threads.
//!
//! Papers are cited by the short names that the whole project uses:
//! PR09 (Torgo & Ribeiro 2009), UT08 (Ribeiro & Torgo 2008), REC05 (Torgo 2005),
//! WF (Witten & Frank, *Data Mining*, §5.7–5.8), OARP11 (Hossin et al. 2011).

mod accuracy;
pub mod classic;
pub mod classification;
mod error;
mod event_counts;
mod exp;
mod lanes;
pub mod loss;
pub mod murphy;
mod pr_curve;
mod precision_recall;
pub mod rec;
pub mod registry;
pub mod relevance;
mod score;
pub mod scoring;
pub mod sera;
pub mod trading;
pub mod utility;

pub use accuracy::{Accuracy, DEFAULT_SMOOTHNESS};
pub use error::{MetricError, Result};
pub use event_counts::EventCounts;
pub use pr_curve::{PrCurve, PrPoint, pr_curve};
pub use precision_recall::{PrecisionRecall, f_measure, precision_recall};
pub use registry::Measure;
pub use relevance::Relevance;
pub use score::{Better, Score, Undefined};
pub use scoring::{Scorer, Settings};
