//! Running a plan: fits what is not stored yet, stores each cell as it ends, and tells an observer.

mod execute;
mod fit;
mod isolate;
mod learning;
pub mod schedule;
mod stored;
mod work_clock;

pub use execute::{CellReport, Observer, RunOptions, RunSummary, run};
pub use fit::fit_alone;
pub use isolate::fit_one_cell;
pub use stored::missing_cells;
