//! tailrank for Python: thin functions over the same code as the command line's. What users call stands in `python/tailrank`.

mod answer;
mod compare;
mod error;
mod estimator;
mod experiment;
mod interrupt;
mod measures;
mod page;
mod program;
mod relevance;
mod resample;
mod run;
mod splits;
mod tables;

use pyo3::prelude::*;

#[pymodule]
mod _tailrank {
    #[pymodule_export]
    use super::{
        answer::Answer,
        compare::compare,
        error::{FewRowsError, Interrupted, TailrankError},
        experiment::{Experiment, Plan, bundled_tables, write_table},
        measures::{
            Rules, episodes, event_counts, event_curves, list_measures, pr_curve, rec_curve, score, ser_curve,
        },
        program::{main, reproduce},
        relevance::Relevance,
        resample::apply_step,
        run::Run,
        splits::draw_splits,
    };

    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
