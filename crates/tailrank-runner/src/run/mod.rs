//! Running a plan: fits what is not stored yet, stores each cell as it ends, and tells an observer.

mod execute;
mod fit;
mod isolate;
mod learning;
pub mod schedule;
mod stored;
mod work_clock;

// What the parts of a run are made from; they take it by `use super::*`.
use std::{
    collections::HashSet,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize};
use tailrank_experiment::{
    digest::CellKey,
    plan::{Cell, Plan},
};
use tailrank_models::{Cancel, Cost, Family, FitContext, MatrixView, Params, TrainSet};

pub use execute::{CellReport, Observer, RunOptions, RunSummary, run};
pub use fit::fit_alone;
use fit::{CellWork, fit_cell, name_of, variants_of};
use isolate::Isolation;
pub use isolate::fit_one_cell;
use learning::RecipeInputs;
use schedule::{Capacity, JobEnd, Step, panic_text, run_jobs};
pub use stored::missing_cells;
use stored::{Work, interrupted_cells};
use work_clock::{TICK, WorkClock};

use crate::{
    EngineError, Result,
    programs::Workplace,
    status,
    store::{
        Event, Store,
        cell_file::{self, CellFailure, CellFit, CellVariant, FailureKind},
        host_name,
    },
};
