//! Measures of numeric predictions: ordinary error, and error where it matters.
//!
//! A forecast of returns, of river levels or of claims is used for its extremes, and the mean error hardly
//! sees them. This crate says how well a vector of predictions does where a *relevance function* φ says it
//! matters, with the ordinary measures beside, so that a reader sees when the two would choose different
//! models.
//!
//! ```
//! use tailrank_metrics::{Accuracy, Measure, Relevance, Scorer, Settings};
//!
//! // Returns beyond ±2 % matter; an error of half a percent is still good.
//! let settings = Settings {
//!     relevance: Some(Relevance::sigmoid(Some(-0.02), Some(0.02), 0.5, 1e-4)?),
//!     accuracy: Some(Accuracy::smooth(0.005, 8.0)?),
//!     beta: 0.5,
//!     ..Settings::default()
//! };
//! let truth = [0.031, -0.004, -0.045, 0.002, 0.001];
//! let scorer = Scorer::new(&truth, settings)?;
//!
//! let timid = [0.004, -0.001, -0.005, 0.001, 0.000];
//! let bold = [0.029, 0.012, -0.047, -0.022, 0.010];
//! let measures = [Measure::Mad, Measure::F, Measure::Rwse];
//! let timid_scores = scorer.score(&timid, &measures)?;
//! let bold_scores = scorer.score(&bold, &measures)?;
//! assert!(timid_scores[1].value().is_none()); // it never signals, so it has no F …
//! assert!(bold_scores[1].value() > Some(0.5));
//! let counts = scorer.event_counts(&[bold])?.ok_or("no φ")?;
//! assert_eq!((counts.hits, counts.false_alarms, counts.missed), (2, 1, 0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Everything here is pure computation: slices in, numbers out. No files, no configuration, no threads. A
//! score that has no value says why ([`Undefined`]), and is never 0 or NaN instead.
//!
//! | you want | look at |
//! |---|---|
//! | many measures of many predictions | [`Scorer`], [`Settings`], the list [`registry::MEASURES`] |
//! | one score over the folds of a cross-validation | [`Scorer::pooled`] |
//! | hits, near misses, false alarms, missed events | [`EventCounts`] |
//! | episodes caught, alarms, lead times | [`EpisodeCounts`] |
//! | bootstrap scores as one matrix product | [`scoring::TermTable`] |
//! | scores under shifts, permutations, flipped signs | [`scoring::NullScorer`] |
//! | what matters: sigmoids, box plots, control points, tables | [`Relevance`], [`mod@relevance`] |
//! | precision and recall for regression | [`fn@precision_recall`], [`pr_curve`](fn@pr_curve), [`Accuracy`] |
//! | scores that rank the conditional mean first | [`Measure::Rwse`], [`Measure::Rwae`] |
//! | whether signals are too large | [`Scorer::calibration_slope`] |
//! | utility surfaces | [`utility`] |
//! | SERA, REC curves and surfaces | [`sera`], [`rec`] |
//! | ordinary and asymmetric errors | [`classic`], [`loss`] |
//! | what a trading rule would have earned | [`trading`]; row by row [`backtest`] |
//! | classes instead of numbers | [`classification`] |
//!
//! Precision, recall, F and SERA reward exaggeration: in a simulation of 200,000 returns the conditional mean
//! E\[y | x\] has an F of .009, the same forecast doubled .098. `rwse` and `rwae` rank the conditional mean
//! first.
//!
//! Papers are cited by the short names that the whole project uses:
//! PR09 (Torgo & Ribeiro 2009), UT08 (Ribeiro & Torgo 2008), REC05 (Torgo 2005),
//! WF (Witten & Frank, *Data Mining*, §5.7–5.8), OARP11 (Hossin et al. 2011).

mod accuracy;
pub mod backtest;
pub mod classic;
pub mod classification;
mod episodes;
mod error;
mod exp;
mod lanes;
pub mod loss;
mod pr_curve;
mod precision_recall;
pub mod rec;
pub mod registry;
pub mod relevance;
mod score;
pub mod scoring;
pub mod sera;
mod term;
pub mod trading;
pub mod utility;

pub use accuracy::Accuracy;
pub use episodes::{Episode, EpisodeCounts, EpisodeMeetings, EpisodeRule, episodes};
pub use error::{MetricError, Result, check_finite, check_lengths, check_setting};
pub use pr_curve::{PrCurve, PrPoint, pr_curve};
pub use precision_recall::{EventCounts, PrecisionRecall, f_measure, precision_recall};
pub use registry::Measure;
pub use relevance::Relevance;
pub use score::{Better, Score, Undefined};
pub use scoring::{Scorer, Settings};
