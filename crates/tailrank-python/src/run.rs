//! A run that came to its end.

use std::{path::PathBuf, sync::Arc};

use numpy::IntoPyArray;
use pyo3::{prelude::*, types::PyDict};
use tailrank::{
    cli,
    data::{Dataset, Library},
    experiment::plan::Task,
    report::{answer, write_single_file},
    runner::run::RunOptions,
    score::{
        predict::{self, Question},
        score::{StoredPredictions, TaskId, VariantId},
    },
};

use crate::{
    error::{Failure, Result},
    interrupt::{Stop, stoppable},
    page,
    tables::{Columns, columns},
};

/// A run that came to its end.
#[pyclass(frozen, module = "tailrank._tailrank")]
pub(crate) struct Run {
    pub(crate) inner: Arc<tailrank::Run>,
}

#[pymethods]
impl Run {
    /// The answer in words, as `tailrank run` prints it.
    fn text(&self, width: usize) -> String {
        cli::answer_text(&self.inner.results, &self.inner.plan.experiment.name, width)
    }

    /// Everything that was found, as JSON.
    fn json(&self) -> String {
        format!("{:#}", tailrank::report::answer::full_json(&self.inner.results))
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
    fn table<'py>(&self, py: Python<'py>, name: &str) -> Result<Option<Columns<'py>>> {
        self.inner.results.table(name).map(|table| columns(py, &table)).transpose()
    }

    /// Fits that failed: task, model, reason.
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
    fn report(&self, py: Python<'_>, folder: PathBuf) -> Result<PathBuf> {
        py.detach(|| Ok(self.inner.write_report(folder)?.index))
    }

    /// Writes the page as one file.
    fn write_page(&self, py: Python<'_>, file: PathBuf) -> Result<()> {
        py.detach(|| {
            write_single_file(self.inner.source(), &file)?;
            Ok(())
        })
    }

    /// Names of tasks and labels of variants.
    fn names(&self) -> (Vec<String>, Vec<String>) {
        let plan = &self.inner.plan;
        (
            plan.tasks.iter().map(|t| t.name.clone()).collect(),
            plan.variants.iter().map(|v| v.label.clone()).collect(),
        )
    }

    /// The number of the variant that a measure says to use on a task, the deciding one if none is given; the verdict where it says none.
    fn best(&self, task: usize, measure: Option<&str>) -> Result<usize> {
        let results = &self.inner.results;
        let all = results.measures();
        let named = |id| all.iter().find(|m| m.id() == id);
        let decision = match measure {
            Some(id) => named(id).and_then(|found| results.answer.decision(TaskId(task), *found)),
            None => results.answer.deciding(TaskId(task)),
        };
        let decision = decision.ok_or_else(|| {
            let asked = measure.map_or("to decide by".to_owned(), |id| format!("'{id}'"));
            let ids: Vec<&str> = all.iter().map(|m| m.id()).collect();
            Failure::new(format!(
                "the run has no measure {asked}; it has {}; or name a model",
                ids.join(", ")
            ))
        })?;
        decision.recommended().map(|variant| variant.0).ok_or_else(|| {
            let verdict = answer::verdict(results, decision).text();
            let best = decision.model.map(|v| format!(", such as {:?}", results.names.label(v)));
            let best = best.unwrap_or_default();
            Failure::new(format!("{verdict} To use a model all the same, name it: model=…{best}"))
        })
    }

    /// Fits a variant to everything that is known and predicts the rows of a file, or what follows a series: a table, and warnings.
    fn forecast<'py>(
        &self,
        py: Python<'py>,
        task: usize,
        variant: usize,
        file: Option<PathBuf>,
        level: f64,
    ) -> Result<(Columns<'py>, Vec<String>)> {
        let run = self.inner.clone();
        let forecast = stoppable(py, None, Stop::Awaited, move |_, cancel| {
            let question =
                Question { task: TaskId(task), variant: VariantId(variant), file: file.as_deref(), level };
            let (library, options) = (Library::default(), RunOptions::default());
            Ok(predict::predict(&run.plan, &run.store, &library, question, &options, &cancel)?)
        })?;
        Ok((columns(py, &forecast.table())?, forecast.warnings))
    }

    /// Truth and predictions of every test row: a wide table over all tasks; NaN where a fit failed.
    fn predictions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (plan, store) = (&self.inner.plan, &self.inner.store);
        let found = py.detach(|| -> Result<_> {
            let stored = StoredPredictions::list(plan, store)?;
            (0..plan.tasks.len()).map(|t| Ok(stored.of_task(TaskId(t))?)).collect::<Result<Vec<_>>>()
        })?;
        // The task, split and row of every prediction.
        let mut rows: Vec<(&Task, usize, usize)> = Vec::new();
        let mut values: Vec<Vec<f64>> = vec![Vec::new(); plan.variants.len()];
        for (task, of_variants) in plan.tasks.iter().zip(&found) {
            for (part, members) in task.parts().iter().enumerate() {
                for &split in members {
                    rows.extend(task.splits[split].test.iter().map(|row| (task, split, row)));
                }
                for (column, predictions) in values.iter_mut().zip(of_variants) {
                    match predictions.parts.get(part) {
                        Some(numbers) => column.extend(numbers),
                        None => column.resize(rows.len(), f64::NAN),
                    }
                }
            }
        }
        let whole = |of: fn(&(&Task, usize, usize)) -> i64| -> Vec<i64> { rows.iter().map(of).collect() };
        let day = |&(task, _, row): &(&Task, usize, usize)| {
            task.data.timeline().origin_dates().map(|days| days[row].to_string())
        };
        let dates: Vec<Option<String>> = rows.iter().map(day).collect();
        let truth: Vec<f64> = rows.iter().map(|&(task, _, row)| task.data.targets()[row]).collect();
        let table = PyDict::new(py);
        table.set_item("task", rows.iter().map(|(task, ..)| &task.name).collect::<Vec<_>>())?;
        table.set_item("split", whole(|&(_, split, _)| split as i64 + 1).into_pyarray(py))?;
        table.set_item("row", whole(|&(task, _, row)| file_row(&task.data, row)).into_pyarray(py))?;
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

/// Where a row stands in the file or data frame that it was read from, from 0.
fn file_row(data: &Dataset, row: usize) -> i64 {
    match data {
        Dataset::Table(table) => table.file_row(row) as i64 - 1,
        _ => row as i64,
    }
}
