//! Runs grids of models over many tasks and says which is best by which measure: experiment files, plans, parallel runs, a store that
//! resumes, and scores without refitting.
//!
//! An experiment is a TOML file. It is planned (data loaded, splits drawn, grids expanded, everything checked), run (every cell that is
//! not stored yet is fitted and stored as it ends) and scored from the stored predictions. A run that is stopped or killed goes on where
//! it was; a changed experiment refits only what the change touches. Nothing here prints; a [`run::Observer`] is told of everything.
//!
//! ```
//! use std::{path::Path, sync::Arc};
//! use tailrank_data::Library;
//! use tailrank_engine::{plan::Plan, run::{self, RunOptions}, score, store::{Store, disk::RealDisk}};
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
//! | [`config`] | experiment files, read strictly, every problem with its line | [`config::Experiment`], [`config::SplitSettings`] |
//! | [`families`] | which models a file may name: built in, programs, one's own | [`families::Families`] |
//! | [`plan`] | tasks, splits, variants and cells; trains nothing | [`plan::Plan`], [`plan::Planner`] |
//! | [`run`] | fits what is not stored yet | [`run::run`], [`run::RunOptions`], [`run::Observer`] |
//! | [`store`] | a run's folder: cells, tables, events | [`store::Store`] |
//! | [`score`] | predictions to scores, intervals, comparisons, verdicts and tables | [`score::results`], [`score::Results`] |
//! | [`predict`](mod@predict) | the winner fitted to everything known, on rows that are new | [`predict::predict`] |
//! | [`table`] | tables whose columns are declared once, for every printer | [`table::Table`] |
//! | [`text`](mod@text) | numbers and words as people read them | |
//! | [`changes`] | what differs between two runs | [`changes::changes`] |
//! | [`external`] | predictions and scores made elsewhere | |
//! | [`status`] | how far a run is | |
//! | [`slurm`] | a run over the nodes of a cluster | [`slurm::write_scripts`] |
//!
//! The `tailrank` crate puts the whole road behind one type, `tailrank::Experiment`.

pub mod changes;
pub mod config;
mod error;
pub mod external;
pub mod families;
pub mod plan;
pub mod predict;
pub mod run;
pub mod score;
pub mod slurm;
pub mod status;
pub mod store;
pub mod table;
pub mod text;
mod threads;

pub use error::{EngineError, Result};
