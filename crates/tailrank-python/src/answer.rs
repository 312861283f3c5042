//! What a comparison found.

use std::path::PathBuf;

use pyo3::prelude::*;
use tailrank::{
    cli,
    experiment::{
        config::{Compare, Inference},
        rules::ScoringRules,
    },
    metrics::Settings,
    report::{TableSource, TaskPages, write_table_single_file},
    score::{
        external::{PredictionTable, score_predictions},
        score::Results,
    },
};

use crate::{
    error::Failure,
    page,
    tables::{Columns, columns},
};

/// What a comparison found.
#[pyclass(frozen, module = "tailrank._tailrank")]
pub(crate) struct Answer {
    pub(crate) results: Results,
    pub(crate) question: Question,
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

/// Names the permutations behind p-values: the command line's.
const SEED: u64 = 2009;

impl Question {
    /// What `tailrank score` finds.
    pub(crate) fn answer(&self, tables: &[PredictionTable]) -> Result<Results, Failure> {
        Ok(score_predictions(
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

#[pymethods]
impl Answer {
    /// What `tailrank score` prints.
    fn text(&self, width: usize) -> String {
        cli::score_text(&self.results, width)
    }

    /// What `tailrank score --json` prints.
    fn json(&self) -> String {
        format!("{:#}", self.results.full_json())
    }

    /// Names of the tables that have rows.
    fn table_names(&self) -> Vec<String> {
        self.results.tables().into_iter().map(|table| table.id).collect()
    }

    /// The columns of a table; none if it has no rows.
    fn table<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Option<Columns<'py>>> {
        self.results.table(name).map(|table| columns(py, &table)).transpose()
    }

    /// What a user should know, though nothing is wrong.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.warnings.clone()
    }

    /// The answer with its tables and figures as a piece of HTML.
    fn html(&self, py: Python<'_>) -> Result<String, Failure> {
        py.detach(|| page::fragment(&self.results, &self.question.tables, &self.question.settings))
    }

    /// Writes the page of `tailrank score --single-file`, called `name`; `command` stands on it as what makes it again.
    fn write_page(&self, py: Python<'_>, file: PathBuf, name: &str, command: &str) -> Result<(), Failure> {
        py.detach(|| {
            let asked = &self.question;
            let mut tables = asked.tables.clone();
            let unnamed = tables.iter().any(|table| table.task.is_empty());
            // As on the command line, a task without a name is called as the page is, in every sentence of it.
            for table in tables.iter_mut().filter(|table| table.task.is_empty()) {
                table.task = name.to_owned();
            }
            let named = if unnamed { Some(asked.answer(&tables)?) } else { None };
            let results = named.as_ref().unwrap_or(&self.results);
            let pairs: Vec<_> = results.verdicts.iter().map(|v| (v.chosen_by, v.judged_by)).collect();
            let source = TableSource {
                name,
                tables: &tables,
                settings: &asked.settings,
                rules: &asked.rules,
                pairs: &pairs,
                compare: &asked.compare,
                horizon: asked.horizon,
                results,
                seed: SEED,
                command,
                pages: &TaskPages::Chosen,
            };
            write_table_single_file(&source, &file)?;
            Ok(())
        })
    }
}
