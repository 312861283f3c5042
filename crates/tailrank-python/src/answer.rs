//! What a comparison found.

use std::path::PathBuf;

use numpy::IntoPyArray;
use pyo3::prelude::*;
use tailrank::{
    cli,
    experiment::{
        config::{Compare, Inference},
        rules::ScoringRules,
    },
    metrics::{Measure, Settings},
    models::Cancel,
    report::{Origin, PageInput, TaskPages, write_single_file},
    score::{
        external::{PredictionTable, score_predictions},
        score::Results,
    },
};

use crate::{
    error::Result,
    page,
    tables::{Columns, columns},
};

/// What a comparison found.
#[pyclass(frozen, module = "tailrank._tailrank")]
pub(crate) struct Answer {
    pub(crate) results: Results,
    /// Pairs of measures whose rankings were compared.
    pub(crate) pairs: Vec<(Measure, Measure)>,
    pub(crate) question: Question,
    /// What a user should know, though nothing is wrong.
    #[pyo3(get)]
    pub(crate) warnings: Vec<String>,
}

/// What is compared, and by which settings.
pub(crate) struct Question {
    pub(crate) tables: Vec<PredictionTable>,
    pub(crate) settings: Vec<Settings>,
    pub(crate) rules: ScoringRules,
    pub(crate) compare: Compare,
    pub(crate) inference: Inference,
    pub(crate) horizon: Option<usize>,
}

/// A task: its name, the true values, the predictions of every model by name, and the cases' days where they have some (`2024-02-29`).
pub(crate) type TaskParts<'py> =
    (String, Bound<'py, PyAny>, Vec<(String, Bound<'py, PyAny>)>, Option<Vec<String>>);

/// Names the permutations behind p-values: the command line's.
const SEED: u64 = 2009;

impl Question {
    /// What `tailrank score` finds.
    pub(crate) fn answer(&self, tables: &[PredictionTable], cancel: &Cancel) -> Result<Results> {
        Ok(score_predictions(
            cancel,
            tables,
            &self.settings,
            &self.rules.measures,
            self.horizon,
            &self.compare,
            &self.inference,
            SEED,
        )?)
    }
}

impl Answer {
    /// What a page is made from. `results` and `tables` may name tasks that have no name of their own.
    fn page<'a>(
        &'a self,
        results: &'a Results,
        tables: &'a [PredictionTable],
        name: &'a str,
        command: &'a str,
    ) -> PageInput<'a> {
        let Question { settings, rules, compare, horizon, .. } = &self.question;
        PageInput {
            name,
            title: "",
            seed: SEED,
            results,
            rules,
            pairs: &self.pairs,
            compare,
            claims: &[],
            paper_figures: &[],
            pages: &TaskPages::Chosen,
            origin: Origin::Table { tables, settings, horizon: *horizon, command },
        }
    }
}

#[pymethods]
impl Answer {
    /// The screen of `tailrank score`.
    fn text(&self, width: usize) -> String {
        cli::answer_text(&self.results, "predictions", width)
    }

    /// What `tailrank score --json` prints.
    fn json(&self) -> String {
        format!("{:#}", tailrank::report::answer::full_json(&self.results))
    }

    /// Names of the tables that have rows.
    fn table_names(&self) -> Vec<String> {
        self.results.tables().into_iter().map(|table| table.id).collect()
    }

    /// The columns of a table; none if it has no rows.
    fn table<'py>(&self, py: Python<'py>, name: &str) -> Result<Option<Columns<'py>>> {
        self.results.table(name).map(|table| columns(py, &table)).transpose()
    }

    /// The tasks as `compare` takes them: name, true values, predictions by model, and days.
    fn tasks<'py>(&self, py: Python<'py>) -> PyResult<Vec<TaskParts<'py>>> {
        let array = |values: &[f64]| values.to_vec().into_pyarray(py).into_any();
        let of = |table: &PredictionTable| {
            let models = table.models.iter().map(|(name, p)| (name.clone(), array(p))).collect();
            let days = table.dates.as_ref().map(|days| days.iter().map(ToString::to_string).collect());
            Ok((table.task.clone(), array(&table.truth), models, days))
        };
        self.question.tables.iter().map(of).collect()
    }

    /// The answer with its tables and figures as a piece of HTML.
    fn html(&self, py: Python<'_>) -> Result<String> {
        py.detach(|| page::fragment(self.page(&self.results, &self.question.tables, "", "")))
    }

    /// Writes the page of `tailrank score --single-file`, called `name`; `command` stands on it as what makes it again.
    fn write_page(&self, py: Python<'_>, file: PathBuf, name: &str, command: &str) -> Result<()> {
        py.detach(|| {
            let asked = &self.question;
            let mut tables = asked.tables.clone();
            let unnamed = tables.iter().any(|table| table.task.is_empty());
            // As on the command line, a task without a name is called as the page is, in every sentence of it.
            for table in tables.iter_mut().filter(|table| table.task.is_empty()) {
                table.task = name.to_owned();
            }
            let named = if unnamed { Some(asked.answer(&tables, &Cancel::default())?) } else { None };
            let results = named.as_ref().unwrap_or(&self.results);
            write_single_file(self.page(results, &tables, name, command), &file)?;
            Ok(())
        })
    }
}
