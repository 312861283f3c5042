//! Ranks regression models by what they do where it matters: the rare extreme values.
//!
//! An [`Experiment`] goes the whole road: it reads an experiment file, fits its grids of models on every
//! task, scores them by ordinary error and by measures of the extremes, and tells how the choice of measure
//! changes the winner. Models of one's own take part by name; `examples/own_family.rs` shows it, and
//! `examples/own_parts.rs` does so for measures, splits, learning steps and tests.
//!
//! ```
//! use polars::prelude::df;
//! use tailrank::{Experiment, report::answer};
//!
//! // Sales of 400 days. Warm weekends sell most; which days are warm is known the day before.
//! let warmth: Vec<i32> = (0..400).map(|day| day * 37 % 100).collect();
//! let weekend: Vec<i32> = (0..400).map(|day| i32::from(day % 7 > 4)).collect();
//! let sales: Vec<i32> = (0..400).map(|day| warmth[day] + 80 * weekend[day] + (day as i32 * 53 % 11)).collect();
//! let table = df!("warmth" => warmth, "weekend" => weekend, "sales" => sales)?;
//!
//! let text = r#"
//!     name = "sales"
//!     data.tables = [{ name = "sales", file = "sales", target = "sales" }]
//!     split = { kind = "kfold", folds = 5 }
//!     relevance = { low = 20, high = 160, event_threshold = 0.5 }
//!     measures = { list = ["mad", "f"], t_l = 10 }
//!     models = [{ family = "linear" }, { family = "knn", grid = { k = [5, 20] } }]
//! "#;
//! let folder = tempfile::tempdir()?;
//! let run = Experiment::from_text(text, "").frame("sales", &table)?.run(folder.path().join("run"))?;
//! assert!(answer::sentences(&run.results)[0].starts_with("USE linear."));
//! // Every table of the results is a frame again.
//! assert_eq!(run.table("decisions")?.column("verdict")?.str()?.get(0), Some("use"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The measures stand on their own, too:
//!
//! ```
//! use tailrank::metrics::{Accuracy, Relevance, precision_recall};
//!
//! // PR09's example: two models with the same mean absolute error.
//! let truth = [-5.29, -2.65, -2.43, -0.20, -0.03, 0.03, 0.51, 1.46, 2.53, 2.94];
//! let m1 = [-4.40, -2.06, -2.20, 0.10, -0.23, -0.27, 0.97, 2.00, 1.86, 2.15];
//! let m2 = [-5.09, -2.95, -2.89, 0.69, -0.82, 0.70, -0.08, 0.92, 2.83, 3.17];
//! let phi = Relevance::sigmoid(Some(-2.0), Some(2.0), 0.5, 1e-4)?;
//! let alpha = Accuracy::smooth(0.5, 8.0)?;
//! let recall = |m: &[f64]| precision_recall(&truth, m, &phi, &alpha, 0.75, 1.0).map(|r| r.recall);
//! assert_eq!(format!("{:.3} {:.3}", recall(&m1)?, recall(&m2)?), "0.178 0.670");
//! # Ok::<(), tailrank::metrics::MetricError>(())
//! ```
//!
//! # Overview
//!
//! This crate is the door to the others and the home of the command line.
//!
//! | here | what it does |
//! |---|---|
//! | [`Experiment`] | file, plan, run, results, tables and page in a few lines |
//! | [`metrics`] | relevance, precision, recall and F for regression, utility, REC, SERA, classic measures |
//! | [`stats`] | ranks, rank correlation, tests, bootstrap, confidence sets and corrections |
//! | [`data`] | series, tables, embeddings and leak-free splits |
//! | [`models`] | families that fit whole grids |
//! | [`experiment`] | experiment files and their plans |
//! | [`runner`] | runs of plans and their store |
//! | [`score`] | scores, comparisons, evidence and verdicts |
//! | [`report`] | figures, tables and the page of a run |
//! | [`studies`] | the papers' studies, ready to run |

mod api;
// The command line is part of the library so that the Python package can offer the same `tailrank` command.
#[doc(hidden)]
pub mod cli;
pub mod studies;

// The command line calls this crate by its name, as any user would.
extern crate self as tailrank;

pub use api::{Experiment, OpenRun, Run};
pub use tailrank_data as data;
pub use tailrank_experiment as experiment;
pub use tailrank_metrics as metrics;
pub use tailrank_models as models;
pub use tailrank_report as report;
pub use tailrank_runner as runner;
pub use tailrank_score as score;
pub use tailrank_stats as stats;
