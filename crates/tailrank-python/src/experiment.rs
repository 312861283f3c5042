//! Experiments from Python: planned and run.

use std::{collections::BTreeSet, ffi::OsString, path::PathBuf, sync::Arc};

use pyo3::prelude::*;
use tailrank::{
    cli,
    data::{
        BundledContent, bundled,
        frame::{self, Column, Frame},
    },
    experiment::families::Families,
    runner::run::RunOptions,
};

use crate::{
    error::{Failure, Result},
    estimator::Estimator,
    interrupt::{Stop, stoppable},
    relevance::Floats,
    run::Run,
};

/// An experiment: the text of its file, where its paths start, and the estimators it may name.
#[pyclass(frozen, module = "tailrank._tailrank")]
pub(crate) struct Experiment {
    inner: tailrank::Experiment,
}

/// What an experiment would do.
#[pyclass(frozen, get_all, module = "tailrank._tailrank")]
pub(crate) struct Plan {
    tasks: Vec<(String, usize, usize)>,
    variants: Vec<String>,
    cells: usize,
    seconds: f64,
    warnings: Vec<String>,
}

#[pymethods]
impl Experiment {
    /// `name` stands for the experiment in messages, `base` is the folder that its paths start from.
    #[new]
    fn new(text: String, name: PathBuf, base: PathBuf, estimators: Vec<Estimator>) -> Result<Self> {
        let families = estimators.into_iter().try_fold(Families::built_in(), Families::with)?;
        Ok(Self { inner: tailrank::Experiment::from_text(text, base).named(name).families(families) })
    }

    /// Loads the data, draws the splits and checks everything; trains nothing.
    fn plan(&self, py: Python<'_>) -> Result<Plan> {
        py.detach(|| {
            let plan = self.inner.plan()?;
            Ok(Plan {
                tasks: plan.tasks.iter().map(|t| (t.name.clone(), t.data.rows(), t.splits.len())).collect(),
                variants: plan.variants.iter().map(|v| v.label.clone()).collect(),
                cells: plan.cells.len(),
                seconds: plan.cost().cpu_seconds,
                warnings: plan.warnings,
            })
        })
    }

    /// Fits what the folder does not hold yet and scores. `progress` is called with ("planned", cells, finished),
    /// ("started", name) and ("ended", name, failed, reason).
    fn run(
        &self,
        py: Python<'_>,
        out: PathBuf,
        jobs: usize,
        retry_failed: bool,
        allow_commands: bool,
        program: Vec<OsString>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Run> {
        cli::install_panic_hook();
        let options = RunOptions {
            jobs: jobs.max(1),
            retry_failed,
            cell_program: cli::cell_program(&program),
            ..RunOptions::default()
        };
        let experiment = self.inner.clone();
        stoppable(py, progress, Stop::Awaited, move |mut told, cancel| {
            let plan = experiment.plan()?;
            let programs: BTreeSet<&str> =
                plan.variants.iter().filter_map(|v| v.program.as_deref()).collect();
            if !programs.is_empty() && !allow_commands {
                return Err(Failure::new(format!(
                    "this experiment runs programs ({}); read it, then give allow_commands=True",
                    Vec::from_iter(programs).join(", ")
                )));
            }
            let opened = experiment.open(plan, &out)?;
            let ran = opened.fit(&options, &cancel, &mut told)?;
            Ok(Run { inner: Arc::new(opened.score(ran, &cancel)?) })
        })
    }
}

/// Names of the bundled tables; other bundled data are series.
#[pyfunction]
pub(crate) fn bundled_tables() -> Vec<&'static str> {
    bundled().iter().filter(|b| b.content != BundledContent::Series).map(|b| b.name).collect()
}

/// Writes columns as a CSV file that reads back to the same values: arrays of numbers (NaN is a gap) and lists of words (None is one).
#[pyfunction]
pub(crate) fn write_table(path: PathBuf, columns: Vec<(String, Bound<'_, PyAny>)>) -> Result<()> {
    let of = |(name, values): &(String, Bound<'_, PyAny>)| -> PyResult<(String, Column)> {
        let column = match values.extract::<Vec<Option<String>>>() {
            Ok(words) => Column::Text(words.into_iter().map(Option::unwrap_or_default).collect()),
            Err(_) => Column::Real(Floats::of(values, name)?.to_vec()),
        };
        Ok((name.clone(), column))
    };
    let columns = columns.iter().map(of).collect::<PyResult<Vec<_>>>()?;
    let bytes = frame::to_csv(&Frame::new(columns)?)?;
    Ok(std::fs::write(path, bytes).map_err(PyErr::from)?)
}
