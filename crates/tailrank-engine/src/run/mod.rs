//! Running a plan: fits what is not stored yet, stores each cell as it ends, and tells an observer.

pub mod cell_file;
mod execute;
mod results;
pub mod schedule;

pub use execute::{CellReport, Observer, RunOptions, RunSummary, run};
pub use results::{Results, load_predictions, results, write_results};
