//! Running a plan: fits what is not stored yet, stores each cell as it ends, and tells an observer.

pub mod cell_file;
mod earlier;
mod ended;
mod execute;
mod fit;
mod isolate;
mod learning;
mod resolve;
pub mod schedule;
mod session;
mod stored;
mod work_clock;

pub use execute::{CellReport, Observer, RunOptions, RunSummary, run};
pub(crate) use fit::fit_alone;
pub use isolate::fit_one_cell;
pub(crate) use resolve::read_files;
pub use stored::missing_cells;

pub use crate::threads::STACK;
