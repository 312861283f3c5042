//! Scores what a run stored, compares models and measures, and says which model to take and how sure that is.
//! Nothing is fitted to score.
//!
//! Predictions come from the store of a run, or from any table made elsewhere.
//!
//! ```
//! use std::{path::Path, sync::Arc};
//! use tailrank_data::Library;
//! use tailrank_experiment::plan::Plan;
//! use tailrank_runner::{run::{self, RunOptions}, store::{Store, disk::RealDisk}};
//! use tailrank_score::score;
//! use tailrank_metrics::Measure;
//! use tailrank_models::Cancel;
//!
//! let text = r#"
//!     name = "two models"
//!     data.series = ["KO"]
//!     target = { horizons = [1], lags = 3 }
//!     split = { kind = "date", at = "1990-01-01" }
//!     relevance = { low = -0.02, high = 0.02 }
//!     measures = { list = ["mad", "f"], t_l = 0.01 }
//!     models = [{ family = "linear" }, { family = "knn", grid = { k = [5, 20] } }]
//! "#;
//! let plan = Arc::new(Plan::from_text(text, Path::new("two.toml"), Path::new(""), &Library::default())?);
//! // Three variants of the file, and the references that every answer is held against.
//! assert_eq!((plan.tasks.len(), plan.variants.len()), (1, 3 + 5));
//!
//! let folder = tempfile::tempdir()?;
//! let store = Store::open(&RealDisk, &folder.path().join("run"), &plan.text, &plan.experiment.name)?;
//! let summary = run::run(&plan, &store, &RunOptions::default(), &Cancel::default(), &mut ())?;
//! let results = score::results(&plan, &store)?;
//! assert!(summary.fitted > 0);
//! assert!(results.scores[0].values(Measure::Mad).iter().all(Option::is_some));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Overview
//!
//! | module | what it does | begin with |
//! |---|---|---|
//! | [`score`] | predictions to scores, intervals, comparisons, verdicts and tables | [`score::results`], [`score::Results`] |
//! | [`predict`](mod@predict) | the winner fitted to everything known, on rows that are new | [`predict::predict`] |
//! | [`table`] | tables whose columns are declared once, for every printer | [`table::Table`] |
//! | [`changes`] | what differs between two runs | [`changes::changes`] |
//! | [`external`] | predictions and scores made elsewhere | |
//!
//! The `tailrank` crate puts the whole road behind one type, `tailrank::Experiment`.

pub mod changes;
pub mod external;
pub mod predict;
pub mod score;
pub mod table;

pub use tailrank_experiment::{EngineError, Result};
// The crates below, by the names that every module here uses.
use tailrank_experiment::{config, digest, plan, rules, text};
use tailrank_runner::{run, store};
