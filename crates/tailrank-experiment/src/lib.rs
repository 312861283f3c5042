//! Experiments: files that are read strictly, and the plans made of them. Nothing here trains a model.
//!
//! An experiment is a TOML file. It is read (every problem with its line), and planned: data loaded, splits
//! drawn, grids expanded, everything checked. `tailrank-runner` fits a plan, `tailrank-score` scores what was
//! fitted.
//!
//! ```
//! use std::path::Path;
//! use tailrank_data::Library;
//! use tailrank_experiment::plan::Plan;
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
//! let plan = Plan::from_text(text, Path::new("two.toml"), Path::new(""), &Library::default())?;
//! // Three variants of the file, and the references that every answer is held against.
//! assert_eq!((plan.tasks.len(), plan.variants.len()), (1, 3 + 5));
//! # Ok::<(), tailrank_experiment::EngineError>(())
//! ```
//!
//! # Overview
//!
//! | module | what it does | begin with |
//! |---|---|---|
//! | [`config`] | experiment files, read strictly | [`config::Experiment`] |
//! | [`problem`] | what is wrong with a file, and where in its text | [`problem::Problem`] |
//! | [`families`] | which models a file may name: built in, programs, one's own | [`families::Families`] |
//! | [`rules`] | the settings of the measures for one task, and thresholds | [`rules::ScoringRules`] |
//! | [`plan`] | tasks, splits, variants and cells | [`plan::Plan`], [`plan::Planner`] |
//! | [`digest`](mod@digest) | names of what predictions depend on | [`digest::CellKey`] |
//! | [`text`] | numbers and words as people read them | |
//! | [`threads`] | stacks of threads | |

pub mod config;
pub mod digest;
mod error;
pub mod families;
pub mod plan;
pub mod problem;
pub mod rules;
pub mod text;
pub mod threads;

pub use error::{EngineError, Result};
