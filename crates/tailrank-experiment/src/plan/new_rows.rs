//! Rows to be predicted behind the rows of a task: later sessions of its series, or new rows of its table.

use std::{path::Path, sync::Arc};

use tailrank_data::{Dataset, Encoder, Library, PriceSeries, Rows, Split, Warning};

use super::{
    Plan, Task, cells,
    files::Loader,
    sources::{LoadedSeries, either},
};
use crate::{
    EngineError, Result,
    config::{SeriesFile, SeriesSource, TableSource},
};

/// A plan of one task, one variant and one cell: fitted on everything that is known, it predicts what is new.
pub struct NewRows {
    /// The plan.
    pub plan: Plan,
    /// When each new row stands: its origin's date, or its number in the file.
    pub names: Vec<String>,
    /// The true value of each new row, where it is known already.
    pub truth: Vec<Option<f64>>,
    /// What the user should know.
    pub warnings: Vec<String>,
}

/// Known rows followed by new ones: how many are known, what the new ones are called, and their true values
/// where known.
type Extended = (Dataset, usize, Vec<String>, Vec<Option<f64>>);

impl Plan {
    /// A task's rows followed by those of `file`, or by what follows its own data where no file is given, to
    /// be predicted by one variant.
    ///
    /// # Errors
    /// When the file cannot be read, lacks a column, or does not continue the run's own data.
    pub fn new_rows(
        &self,
        task: usize,
        variant: usize,
        file: Option<&Path>,
        library: &Library,
    ) -> Result<NewRows> {
        let of = &self.tasks[task];
        let mut warnings = Vec::new();
        let (data, known, names, truth) = match (&*of.data, file) {
            (Dataset::Series(_), _) => self.later_sessions(of, file, library, &mut warnings)?,
            (_, Some(file)) => self.more_rows(of, file, &mut warnings)?,
            (_, None) => {
                return Err(EngineError::Input {
                    path: Path::new(&of.name).to_owned(),
                    problem: "it is a table; give a file with the rows to predict behind the run".to_owned(),
                });
            }
        };
        let first_new = data.rows() - names.len();
        let window = self.experiment.split_of(&of.name, &of.source).scheme().window();
        let train = window.map_or(0, |window| first_new.saturating_sub(window))..known;
        if train.is_empty() {
            return Err(EngineError::Input {
                path: file.unwrap_or(Path::new(&of.source)).to_owned(),
                problem: "leaves no row to train on".to_owned(),
            });
        }
        if let Dataset::Table(table) = &data {
            let encoder = Encoder::fit(table, train.clone()).map_err(|e| refused(file, of, &e))?;
            let fills = encoder.fills(table, first_new..table.rows());
            warnings.extend(fills.iter().map(|fill| format!("new rows: {fill}")));
        }
        let split = Split::known_and_new(Rows::from(train), Rows::from(first_new..data.rows()));
        warnings
            .extend(data.check(&split).map_err(|e| refused(file, of, &e))?.iter().map(Warning::to_string));
        let task = Task { data: Arc::new(data), splits: vec![split], pooled: true, folds: 1, ..of.clone() };
        let variants = vec![self.variants[variant].clone()];
        let cells = cells(&self.experiment, std::slice::from_ref(&task), &variants);
        let plan = Self { tasks: vec![task], variants, cells, warnings: Vec::new(), ..self.clone() };
        Ok(NewRows { plan, names, truth, warnings })
    }

    /// The series with the file's later sessions: predicted are the last session of the run's own data and
    /// every later one. All targets of the run's data are known by then, so that all of them train.
    fn later_sessions(
        &self,
        task: &Task,
        file: Option<&Path>,
        library: &Library,
        warnings: &mut Vec<String>,
    ) -> Result<Extended> {
        let experiment = &self.experiment;
        let mut loader = Loader::new(experiment, &self.base, library);
        let refuse = |problem: String| refused(file, task, &problem);
        let mut all: Vec<LoadedSeries<'_>> = Vec::new();
        for source in &experiment.data.series {
            all.extend(loader.own_series(source, "").map_err(refuse)?);
        }
        let Some(own) = all.iter().find(|own| own.series.name() == task.source) else {
            return Err(refuse(format!("the experiment has no series '{}'", task.source)));
        };
        let others = loader.other_series(&all);
        let mut columns = loader.own_columns(own);
        let mut problems = loader.problems;
        let mut series = own.series.clone();
        if let Some(file) = file {
            let mut loader = Loader::new(experiment, Path::new(""), library);
            let source = in_file(own.source, &task.source, file);
            let loaded = loader.own_series(&source, "").map_err(refuse)?;
            warnings.append(&mut loader.warnings);
            let later = loaded
                .into_iter()
                .find(|own| own.series.name() == task.source)
                .ok_or_else(|| refuse(format!("has no series '{}', which this task is of", task.source)))?;
            let more = loader.own_columns(&later);
            problems.extend(loader.problems);
            let join = |first: &PriceSeries, next: &PriceSeries| {
                first.followed_by(next).map_err(|e| refuse(e.to_string()))
            };
            series = join(&series, &later.series)?;
            for (column, more) in columns.iter_mut().zip(&more) {
                if let (Some(known), Some(more)) = (column.as_mut(), more) {
                    *known = join(known, more)?;
                }
            }
        }
        let horizon = task.horizon.unwrap_or(1);
        let mut only = experiment.clone();
        only.target.horizons = vec![horizon as u32];
        only.tasks.values_mut().for_each(|own| own.horizons = None);
        let extended =
            LoadedSeries { key: String::new(), source: own.source, series: series.with_future(horizon) };
        let (mut sources, mut loader) = (Vec::new(), Loader::new(&only, &self.base, library));
        loader.embed(&extended, &either(&others, &columns), &mut sources);
        warnings.extend(loader.warnings);
        problems.extend(loader.problems);
        if let Some(problem) = problems.first() {
            return Err(refuse(problem.message.clone()));
        }
        let Some(Dataset::Series(embedding)) = sources.pop().map(|s| s.data) else {
            return Err(EngineError::internal("new rows", "a series without its embedding"));
        };
        let known = task.data.rows();
        // The row whose origin is the last session of the run's own data.
        let first = known + horizon - 1;
        let names = (first..embedding.rows())
            .map(|row| match embedding.origin_time(row) {
                Some(time) => time.to_string(),
                None => embedding.origin_date(row).to_string(),
            })
            .collect();
        let with_truth = embedding.rows() - horizon;
        let truth = (first..embedding.rows())
            .map(|row| (row < with_truth).then(|| embedding.targets()[row]))
            .collect();
        Ok((Dataset::Series(embedding), known, names, truth))
    }

    /// The table with the file's rows.
    fn more_rows(&self, task: &Task, file: &Path, warnings: &mut Vec<String>) -> Result<Extended> {
        let Dataset::Table(table) = &*task.data else {
            return Err(EngineError::internal("new rows", "a task that is neither a series nor a table"));
        };
        let source = self.experiment.data.tables.iter().find_map(|source| match source {
            TableSource::File(of) if of.name == task.source => Some(of),
            _ => None,
        });
        let loader = Loader::new(&self.experiment, &self.base, &Library::default());
        let options = match source {
            Some(of) => loader.table_options(of),
            None => tailrank_data::TableOptions::new(table.target_name()),
        };
        let trained_on = source.map(|of| self.base.join(&of.file)).filter(|path| path.exists());
        let both = table
            .followed_by(file, &options, trained_on.as_deref())
            .map_err(|e| EngineError::Input { path: file.to_owned(), problem: e.to_string() })?;
        warnings.extend(both.warnings.iter().map(ToString::to_string));
        let (known, all) = (table.rows(), both.value.rows());
        let names = (known..all).map(|row| both.value.file_row(row).to_string()).collect();
        let truth = both.value.targets()[known..].iter().map(|y| Some(*y).filter(|y| !y.is_nan())).collect();
        Ok((Dataset::Table(both.value), known, names, truth))
    }
}

fn refused(file: Option<&Path>, task: &Task, problem: &dyn std::fmt::Display) -> EngineError {
    EngineError::Input {
        path: file.unwrap_or(Path::new(&task.source)).to_owned(),
        problem: problem.to_string(),
    }
}

/// The same kind of source, read from another file.
fn in_file(source: &SeriesSource, name: &str, file: &Path) -> SeriesSource {
    let (mut source, file) = (source.clone(), file.to_owned());
    match &mut source {
        SeriesSource::File(of) => of.file = file,
        SeriesSource::Wide(of) => of.wide = file,
        SeriesSource::Long(of) => of.long = file,
        SeriesSource::Name(_) => {
            source = SeriesSource::File(SeriesFile { name: name.to_owned(), file, ..SeriesFile::default() });
        }
    }
    source
}
