//! Runs plans: fits every cell that is not stored yet, in parallel, and stores each as it ends.
//!
//! A run that is stopped or killed goes on where it was; a changed experiment refits only what the change
//! touches. Nothing here prints; a [`run::Observer`] is told of everything.
//!
//! ```
//! use std::{path::Path, sync::Arc};
//! use tailrank_data::Library;
//! use tailrank_experiment::plan::Plan;
//! use tailrank_models::Cancel;
//! use tailrank_runner::{run::{self, RunOptions}, store::{Store, disk::RealDisk}};
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
//! let folder = tempfile::tempdir()?;
//! let store = Store::open(&RealDisk, &folder.path().join("run"), &plan.text, &plan.experiment.name)?;
//! let first = run::run(&plan, &store, &RunOptions::default(), &Cancel::default(), &mut ())?;
//! assert_eq!((first.fitted, first.reused), (plan.cells.len(), 0));
//! // Everything is stored: the second run has nothing to do.
//! let second = run::run(&plan, &store, &RunOptions::default(), &Cancel::default(), &mut ())?;
//! assert_eq!((second.fitted, second.reused), (0, plan.cells.len()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Overview
//!
//! | module | what it does | begin with |
//! |---|---|---|
//! | [`store`] | a run's folder: cells, tables, events | [`store::Store`] |
//! | [`programs`] | programs as models, and processes that end with the run | [`programs::CommandFamily`] |
//! | [`status`] | how far a run is | |
//! | [`run`] | fits what is not stored yet | [`run::run`], [`run::RunOptions`], [`run::Observer`] |
//! | [`slurm`] | a run over the nodes of a cluster | [`slurm::write_scripts`] |

pub mod programs;
pub mod run;
pub mod slurm;
pub mod status;
pub mod store;

pub use tailrank_experiment::{EngineError, Result};
