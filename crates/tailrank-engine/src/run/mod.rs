//! Running a plan: fits what is not stored yet, stores each cell as it ends, and tells an observer.

pub mod cell_file;
mod chosen;
mod earlier;
mod execute;
mod fit;
mod isolate;
mod learning;
pub mod schedule;
mod stored;
mod work_clock;

pub(crate) use chosen::read_files;
pub use execute::{CellReport, Observer, RunOptions, RunSummary, run};
pub use isolate::fit_one_cell;
