//! A run that came to its end.

use std::path::PathBuf;

use numpy::IntoPyArray;
use pyo3::{prelude::*, types::PyDict};
use tailrank::{
    cli,
    report::{Source, TaskPages, write_single_file},
    score::score::{StoredPredictions, TaskId},
};

use crate::{
    error::Failure,
    page,
    tables::{Columns, columns},
};

/// A run that came to its end.
#[pyclass(frozen, module = "tailrank._tailrank")]
pub(crate) struct Run {
    inner: tailrank::Run,
}

impl Run {
    pub(crate) fn new(inner: tailrank::Run) -> Self {
        Self { inner }
    }
}

#[pymethods]
impl Run {
    /// The answer in words, as `tailrank run` prints it.
    fn text(&self, width: usize) -> String {
        cli::run_text(&self.inner.results, width)
    }

    /// Everything that was found, as JSON.
    fn json(&self) -> String {
        format!("{:#}", self.inner.results.full_json())
    }

    /// The answer as a piece of HTML.
    fn html(&self) -> String {
        page::run_fragment(&self.inner.results)
    }

    /// Names of the tables that have rows.
    fn table_names(&self) -> Vec<String> {
        self.inner.results.tables().into_iter().map(|table| table.id).collect()
    }

    /// The columns of a table; none if it has no rows.
    fn table<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Option<Columns<'py>>> {
        self.inner.results.table(name).map(|table| columns(py, &table)).transpose()
    }

    /// Fits that failed: task, variant, reason.
    fn failures(&self) -> Vec<(String, String, String)> {
        let results = &self.inner.results;
        let named = |(t, v, reason): (TaskId, _, &str)| {
            (results.names.task(t).to_owned(), results.names.label(v).to_owned(), reason.to_owned())
        };
        results.failures().map(named).collect()
    }

    /// How many cells there are, were fitted now, and were reused.
    #[getter]
    fn cells(&self) -> (usize, usize, usize) {
        (self.inner.ran.cells, self.inner.ran.fitted, self.inner.ran.reused)
    }

    /// The folder of the run.
    #[getter]
    fn folder(&self) -> PathBuf {
        self.inner.store.root().to_owned()
    }

    /// Writes the page and returns the file to open.
    fn report(&self, py: Python<'_>, folder: PathBuf) -> Result<PathBuf, Failure> {
        py.detach(|| Ok(self.inner.write_report(folder)?.index))
    }

    /// Writes the page as one file.
    fn write_page(&self, py: Python<'_>, file: PathBuf) -> Result<(), Failure> {
        py.detach(|| {
            let run = &self.inner;
            let source = Source {
                plan: &run.plan,
                results: &run.results,
                store: &run.store,
                claims: &[],
                pages: &TaskPages::Chosen,
            };
            write_single_file(source, &file)?;
            Ok(())
        })
    }

    /// Truth and predictions of every test row: a wide table over all tasks; NaN where a fit failed.
    fn predictions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (plan, store) = (&self.inner.plan, &self.inner.store);
        let found = py.detach(|| -> Result<_, Failure> {
            let stored = StoredPredictions::list(plan, store)?;
            (0..plan.tasks.len()).map(|t| Ok(stored.of_task(TaskId(t))?)).collect::<Result<Vec<_>, Failure>>()
        })?;
        let (mut tasks, mut dates) = (Vec::new(), Vec::new());
        let (mut splits, mut rows, mut truth) = (Vec::<i64>::new(), Vec::<i64>::new(), Vec::new());
        let mut values: Vec<Vec<f64>> = vec![Vec::new(); plan.variants.len()];
        for (task, of_variants) in plan.tasks.iter().zip(&found) {
            let timeline = task.data.timeline();
            for (part, members) in task.parts().iter().enumerate() {
                let before = truth.len();
                for &split in members {
                    for row in task.splits[split].test.iter() {
                        tasks.push(task.name.clone());
                        dates.push(timeline.origin_dates().map(|days| days[row].to_string()));
                        splits.push(split as i64 + 1);
                        rows.push(row as i64);
                        truth.push(task.data.targets()[row]);
                    }
                }
                for (column, predictions) in values.iter_mut().zip(of_variants) {
                    match predictions.parts.get(part) {
                        Some(numbers) => column.extend(numbers),
                        None => column.extend(std::iter::repeat_n(f64::NAN, truth.len() - before)),
                    }
                }
            }
        }
        let table = PyDict::new(py);
        table.set_item("task", tasks)?;
        table.set_item("split", splits.into_pyarray(py))?;
        table.set_item("row", rows.into_pyarray(py))?;
        if dates.iter().any(Option::is_some) {
            table.set_item("date", dates)?;
        }
        table.set_item("y", truth.into_pyarray(py))?;
        for (variant, column) in plan.variants.iter().zip(values) {
            table.set_item(&variant.label, column.into_pyarray(py))?;
        }
        Ok(table)
    }
}
