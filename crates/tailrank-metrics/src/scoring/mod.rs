//! Every measure of the registry for one vector of predictions after another.
//!
//! A [`Scorer`] holds what depends on the true values alone: φ(y), events, reference errors. Scoring a vector
//! computes φ(ŷ), losses and accuracies once and derives every measure asked for from them.
//!
//! ```
//! use tailrank_metrics::{Accuracy, Measure, Relevance, Scorer, Settings};
//!
//! let settings = Settings {
//!     relevance: Some(Relevance::sigmoid(Some(-0.02), Some(0.02), 0.5, 1e-4)?),
//!     accuracy: Some(Accuracy::smooth(0.005, 8.0)?),
//!     beta: 0.5,
//!     ..Settings::default()
//! };
//! let scorer = Scorer::new(&[0.03, -0.01, -0.04, 0.00], settings)?;
//! let scores = scorer.score(&[0.029, 0.00, 0.01, 0.00], &[Measure::Mad, Measure::Recall, Measure::F])?;
//! assert!((scores[0].value().unwrap_or(f64::NAN) - 0.01525).abs() < 1e-15);
//! assert!(scores[1].value() < Some(0.5)); // one event of two was found
//! # Ok::<(), tailrank_metrics::MetricError>(())
//! ```
//!
//! * [`Scorer::pooled`] scores the folds of a cross-validation as one set, each case with the settings of its
//!   fold.
//! * [`TermTable`] holds what each case adds to each sum, so that a score and its bootstrap are made of the
//!   same numbers.
//! * [`NullScorer`] scores the same predictions shifted, permuted or with flipped signs: what chance
//!   alone would give.

mod formula;
mod groups;
mod null_scorer;
mod part;
mod scorer;
mod settings;
mod table;

pub use crate::term::Term;
pub use formula::Statistic;
pub use null_scorer::{Alignment, NullScorer, Permutation};
pub use part::Part;
pub use scorer::{Buffers, Scorer};
pub use settings::{Reference, Settings};
pub use table::TermTable;
