//! The road of an experiment: from its file to a plan, fits, results, tables and a page.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use polars::prelude::DataFrame;
use tailrank_data::Library;
use tailrank_experiment::{
    EngineError, Result, config,
    families::Families,
    plan::{Plan, Planner},
};
use tailrank_models::Cancel;
use tailrank_report::{
    PageInput, Written,
    claims::{Claim, PaperFigure},
    write_report_cancellable,
};
use tailrank_runner::{
    run::{self, Observer, RunOptions, RunSummary},
    store::{Origin, Store, check_origin, disk::RealDisk},
};
use tailrank_score::score::{self, Results};

/// An experiment that can be planned and run; the command line and the studies take the same road.
///
/// ```
/// use tailrank::{Experiment, experiment::families::Families, metrics::Measure, models::engines::own::OwnModel};
///
/// // A model of one's own: tomorrow's return is today's.
/// let persistence = OwnModel::new("persistence", &[], |_train, test, _variant, _context| {
///     Ok(test.iter_rows().map(|row| row[0]).collect())
/// });
/// let text = r#"
///     name = "own"
///     data.series = ["KO"]
///     target = { horizons = [1], lags = 3 }
///     split = { kind = "date", at = "1990-01-01" }
///     relevance = { low = -0.02, high = 0.02 }
///     measures = { list = ["mad", "f"], t_l = 0.01 }
///     models = [{ family = "persistence" }, { family = "linear" }]
/// "#;
/// let folder = tempfile::tempdir()?;
/// let run = Experiment::from_text(text, "")
///     .families(Families::built_in().with(persistence)?)
///     .run(folder.path().join("run"))?;
///
/// let mad = run.results.scores[0].values(Measure::Mad);
/// assert_eq!(run.plan.variants[0].label, "persistence");
/// assert!(mad[1] < mad[0], "a linear model errs less");
/// assert!(run.store.results().join("ranks.csv").is_file());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Experiment {
    text: String,
    path: PathBuf,
    /// The file it was read from.
    file: Option<PathBuf>,
    base: PathBuf,
    library: Library,
    data: Option<PathBuf>,
    families: Families,
    options: RunOptions,
}

impl Experiment {
    /// The experiment of a file; paths in it are relative to its folder.
    ///
    /// # Errors
    /// When the file cannot be read. What is wrong inside is told by [`plan`](Self::plan) and
    /// [`run`](Self::run).
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let text = config::read_file(path)?;
        let experiment = Self::from_text(text, path.parent().unwrap_or(Path::new(""))).named(path);
        Ok(Self { file: Some(path.to_owned()), ..experiment })
    }

    /// The experiment of a text; paths in it are relative to `base`.
    pub fn from_text(text: impl Into<String>, base: impl AsRef<Path>) -> Self {
        Self {
            text: text.into(),
            path: PathBuf::from("experiment.toml"),
            file: None,
            base: base.as_ref().to_owned(),
            library: Library::default(),
            data: None,
            families: Families::built_in(),
            options: RunOptions::default(),
        }
    }

    /// What stands for the experiment in messages.
    #[must_use]
    pub fn named(mut self, path: impl AsRef<Path>) -> Self {
        self.path = path.as_ref().to_owned();
        self
    }

    /// A folder searched before the bundled data.
    #[must_use]
    pub fn data_folder(mut self, folder: impl Into<PathBuf>) -> Self {
        let folder = folder.into();
        self.library = self.library.in_folder(&folder);
        self.data = Some(folder);
        self
    }

    /// A frame of polars, which a table or series of the experiment names as its `file`. It is held in
    /// memory: whoever opens the run again gives the same frame, and `tailrank report` needs a file instead.
    ///
    /// # Errors
    /// A column has a type that Parquet does not store.
    pub fn frame(mut self, name: impl Into<String>, table: &DataFrame) -> Result<Self> {
        let added = self.library.with_frame(name, table);
        self.library = added.map_err(|e| EngineError::Option { option: "frame", problem: e.to_string() })?;
        Ok(self)
    }

    /// Data is looked up by name in this library; a report of the run will look in the bundled data.
    #[must_use]
    pub fn library(mut self, library: &Library) -> Self {
        self.library = library.clone();
        self
    }

    /// The families that `[[models]]` may name.
    #[must_use]
    pub fn families(mut self, families: Families) -> Self {
        self.families = families;
        self
    }

    /// What a run may use; one cell at a time unless this says otherwise.
    #[must_use]
    pub fn options(mut self, options: RunOptions) -> Self {
        self.options = options;
        self
    }

    /// Loads the data, draws the splits and checks everything; trains nothing.
    ///
    /// ```
    /// let text = "name = \"t\"\ndata.series = [\"KO\"]\nsplit = { kind = \"fraction\", train = 0.7 }\n\
    ///             measures = { list = [\"mad\", \"f\"] }\nmodels = [{ family = \"svn\" }]\n";
    /// let wrong = tailrank::Experiment::from_text(text, "").plan().err().unwrap().to_string();
    /// assert!(wrong.contains("no family 'svn'; did you mean 'svm'?"));
    /// assert!(wrong.contains("'f' needs t_l"));
    /// ```
    ///
    /// # Errors
    /// Everything found wrong with the experiment, at once.
    pub fn plan(&self) -> Result<Plan> {
        Planner::new(&self.library).families(&self.families).from_text(&self.text, &self.path, &self.base)
    }

    /// Opens the folder of a run for this plan, creating it if needed.
    ///
    /// # Errors
    /// When the folder holds anything but a run of this experiment: nothing is written then.
    pub fn open(&self, plan: Plan, out: impl AsRef<Path>) -> Result<OpenRun> {
        if let Some(file) = &self.file {
            check_origin(&RealDisk, out.as_ref(), file, &plan.text)?;
        }
        let store = Store::open(&RealDisk, out.as_ref(), &plan.text, &plan.experiment.name)?;
        let programs = plan.program_files();
        let (base, file, data) = (self.base.clone(), self.file.clone(), self.data.clone());
        store.remember_origin(&Origin { base, file, data, programs })?;
        Ok(OpenRun { plan: Arc::new(plan), store })
    }

    /// Plans, fits what the folder `out` does not hold yet, scores, and writes the tables.
    ///
    /// # Errors
    /// What is wrong with the experiment, or what ended the run: finished cells are kept, and the same call
    /// goes on from there. A model that fails is a row of the results, not an error.
    pub fn run(&self, out: impl AsRef<Path>) -> Result<Run> {
        let opened = self.open(self.plan()?, out)?;
        let cancel = Cancel::default();
        let ran = opened.fit(&self.options, &cancel, &mut ())?;
        opened.score(ran, &cancel)
    }
}

/// A plan with the folder its cells are stored in.
pub struct OpenRun {
    /// What is run.
    pub plan: Arc<Plan>,
    /// Where its cells are.
    pub store: Store<'static>,
}

impl OpenRun {
    /// Fits what is not stored yet.
    ///
    /// # Errors
    /// `Interrupted` when `cancel` fired, and what else ended the run; finished cells are kept.
    pub fn fit(
        &self,
        options: &RunOptions,
        cancel: &Cancel,
        observer: &mut dyn Observer,
    ) -> Result<RunSummary> {
        let ran = run::run(&self.plan, &self.store, options, cancel, observer)?;
        // A signal during the very last cells leaves nothing waiting, yet those cells were not finished.
        if cancel.is_cancelled() { Err(EngineError::Interrupted) } else { Ok(ran) }
    }

    /// Scores the tasks of some cells, given by their places in the plan, whose fits are all stored, and
    /// keeps what is found for [`score`](Self::score). Returns how many were scored now.
    ///
    /// # Errors
    /// `Interrupted` when `cancel` fired; what was scored before is kept.
    pub fn score_share(&self, cells: &[usize], cancel: &Cancel) -> Result<usize> {
        score::score_share(cancel, &self.plan, &self.store, cells)
    }

    /// Scores what is stored and writes the tables.
    ///
    /// # Errors
    /// `Interrupted` when `cancel` fired, and what else kept the tables from being written.
    pub fn score(self, ran: RunSummary, cancel: &Cancel) -> Result<Run> {
        let results = score::results_with(cancel, &self.plan, &self.store, None)?;
        score::write_results(&results, &self.store)?;
        Ok(Run { plan: self.plan, store: self.store, results, ran })
    }
}

/// A run that came to its end.
pub struct Run {
    /// What was run.
    pub plan: Arc<Plan>,
    /// Where its cells and tables are.
    pub store: Store<'static>,
    /// What was found.
    pub results: Results,
    /// What was fitted and reused.
    pub ran: RunSummary,
}

impl Run {
    /// The scores of every model on every task, one row a model and task.
    ///
    /// # Errors
    /// As [`table`](Self::table).
    pub fn scores(&self) -> Result<DataFrame> {
        self.table("scores")
    }

    /// A table of the results by the name of its file, such as `decisions`, as a frame of polars.
    ///
    /// ```
    /// let text = r#"
    ///     name = "frames"
    ///     data.series = ["KO"]
    ///     target = { horizons = [1], lags = 3 }
    ///     split = { kind = "date", at = "2000-01-01" }
    ///     relevance = { low = -0.02, high = 0.02 }
    ///     measures = { list = ["mad", "f"], t_l = 0.01 }
    ///     models = [{ family = "linear" }, { family = "knn", grid = { k = 5 } }]
    /// "#;
    /// let folder = tempfile::tempdir()?;
    /// let run = tailrank::Experiment::from_text(text, "").run(folder.path().join("run"))?;
    /// assert_eq!(run.scores()?.column("mad")?.null_count(), 0);
    /// assert_eq!(run.table("decisions")?.column("deciding")?.len(), 2);
    /// assert!(run.table("scors").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When no table has this name.
    pub fn table(&self, name: &str) -> Result<DataFrame> {
        let found = self.results.table(name).ok_or_else(|| {
            let names: Vec<String> = self.results.tables().into_iter().map(|table| table.id).collect();
            let problem = format!("no table of results is called '{name}'; there are {}", names.join(", "));
            EngineError::Option { option: "table", problem }
        })?;
        DataFrame::try_from(&found.frame()?).map_err(|e| EngineError::internal("tables", e))
    }

    /// Writes the page of the run into `folder`, replacing an earlier page there.
    ///
    /// ```
    /// let text = r#"
    ///     name = "page"
    ///     data.series = ["KO"]
    ///     target = { horizons = [1], lags = 3 }
    ///     split = { kind = "date", at = "2000-01-01" }
    ///     relevance = { low = -0.02, high = 0.02 }
    ///     measures = { list = ["mad", "f"], t_l = 0.01 }
    ///     models = [{ family = "linear" }, { family = "knn", grid = { k = 5 } }]
    /// "#;
    /// let folder = tempfile::tempdir()?;
    /// let run = tailrank::Experiment::from_text(text, "").run(folder.path().join("run"))?;
    /// run.write_report(folder.path().join("page"))?;
    /// assert!(folder.path().join("page/index.html").is_file());
    /// // What the page's first screen says, for programs.
    /// assert!(tailrank::report::answer::sentences(&run.results)[0].starts_with("NO MODEL."));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the folder holds anything but a page, or a file cannot be written.
    pub fn write_report(&self, folder: impl AsRef<Path>) -> tailrank_report::Result<Written> {
        self.write_report_with(folder, &[], &[], &Cancel::default())
    }

    /// [`write_report`](Self::write_report) with what a paper claims and draws beside what was found, given up once `cancel` fired.
    ///
    /// # Errors
    /// As [`write_report`](Self::write_report).
    pub fn write_report_with(
        &self,
        folder: impl AsRef<Path>,
        claims: &[Claim],
        figures: &[PaperFigure],
        cancel: &Cancel,
    ) -> tailrank_report::Result<Written> {
        let source = PageInput { claims, paper_figures: figures, ..self.source() };
        write_report_cancellable(&|| cancel.is_cancelled(), source, folder.as_ref())
    }

    /// What a page of the run is made from.
    pub fn source(&self) -> PageInput<'_> {
        PageInput::of_run(&self.plan, &self.results, &self.store)
    }
}
