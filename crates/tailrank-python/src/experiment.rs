//! Experiments from Python: planned and run.

use std::{collections::BTreeSet, ffi::OsString, path::PathBuf};

use pyo3::prelude::*;
use tailrank::{
    cli,
    data::{
        BundledContent, bundled,
        frame::{self, Column, Frame},
    },
    experiment::{families::Families, plan},
    runner::run::RunOptions,
};

use crate::{
    error::{Failure, Result},
    estimator::Estimator,
    interrupt::interruptible,
    relevance::as_floats,
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
    name: String,
    tasks: Vec<(String, usize, usize)>,
    variants: Vec<String>,
    cells: usize,
    seconds: f64,
    warnings: Vec<String>,
    programs: Vec<String>,
}

impl Plan {
    fn of(plan: &plan::Plan) -> Self {
        let programs: BTreeSet<String> = plan.variants.iter().filter_map(|v| v.program.clone()).collect();
        Self {
            name: plan.experiment.name.clone(),
            tasks: plan.tasks.iter().map(|t| (t.name.clone(), t.data.rows(), t.splits.len())).collect(),
            variants: plan.variants.iter().map(|v| v.label.clone()).collect(),
            cells: plan.cells.len(),
            seconds: plan.cost().cpu_seconds,
            warnings: plan.warnings.clone(),
            programs: programs.into_iter().collect(),
        }
    }
}

#[pymethods]
impl Experiment {
    /// `name` stands for the experiment in messages; `data` is a folder whose files go before the bundled data.
    #[new]
    #[pyo3(signature = (text, name, base, data = None, estimators = Vec::new()))]
    fn new(
        text: String,
        name: PathBuf,
        base: PathBuf,
        data: Option<PathBuf>,
        estimators: Vec<Bound<'_, PyAny>>,
    ) -> Result<Self> {
        let mut families = Families::built_in();
        for bridge in &estimators {
            families = families.with(Estimator::new(bridge)?)?;
        }
        let mut inner = tailrank::Experiment::from_text(text, base).named(name).families(families);
        if let Some(folder) = data {
            inner = inner.data_folder(folder);
        }
        Ok(Self { inner })
    }

    /// Loads the data, draws the splits and checks everything; trains nothing.
    fn plan(&self, py: Python<'_>) -> Result<Plan> {
        py.detach(|| Ok(Plan::of(&self.inner.plan()?)))
    }

    /// Fits what the folder does not hold yet and scores. `progress` is called with ("planned", cells, finished),
    /// ("started", name) and ("ended", name, failed, reason).
    #[pyo3(signature = (out, jobs, retry_failed, allow_commands, program, progress = None))]
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
        interruptible(py, progress, move |mut told, cancel| {
            let plan = experiment.plan()?;
            let programs = Plan::of(&plan).programs;
            if !programs.is_empty() && !allow_commands {
                return Err(Failure::new(format!(
                    "this experiment runs programs ({}); read it, then give allow_commands=True",
                    programs.join(", ")
                )));
            }
            let opened = experiment.open(plan, &out)?;
            let ran = opened.fit(&options, &cancel, &mut told)?;
            Ok(Run::new(opened.score(ran, &cancel)?))
        })
    }
}

/// Names of the bundled tables; other bundled data are series.
#[pyfunction]
pub(crate) fn bundled_tables() -> Vec<&'static str> {
    let tables = bundled().iter().filter(|b| b.content != BundledContent::Series);
    tables.map(|b| b.name).collect()
}

/// Writes columns as a CSV file that reads back to the same values: arrays of numbers (NaN is a gap) and lists of words (None is one).
#[pyfunction]
pub(crate) fn write_table(path: PathBuf, columns: Vec<(String, Bound<'_, PyAny>)>) -> Result<()> {
    let of = |(name, values): &(String, Bound<'_, PyAny>)| -> PyResult<(String, Column)> {
        let column = match values.extract::<Vec<Option<String>>>() {
            Ok(words) => Column::Text(words.into_iter().map(Option::unwrap_or_default).collect()),
            Err(_) => Column::Real(as_floats(values, name)?.as_slice()?.to_vec()),
        };
        Ok((name.clone(), column))
    };
    let columns = columns.iter().map(of).collect::<PyResult<Vec<_>>>()?;
    let bytes = frame::to_csv(&Frame::new(columns)?)?;
    Ok(std::fs::write(path, bytes).map_err(PyErr::from)?)
}
