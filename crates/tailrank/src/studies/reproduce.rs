//! Runs a study from its embedded experiment to its written conclusion.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use tailrank_data::Library;
use tailrank_engine::{
    EngineError,
    plan::Plan,
    run::{self, Observer, RunOptions, RunSummary},
    score::{self, Results},
    store::{Store, disk::RealDisk},
};
use tailrank_models::Cancel;
use tailrank_report::{Source, check_folder, write_report_cancellable};

use super::{Conclusion, Found, Kind, Result, Setting, Study, StudyError, write};

/// Where a study reads and writes, and how much it may use.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// Bundled data, behind the user's own.
    pub library: &'a Library,
    /// The study's folder.
    pub out: &'a Path,
    /// Cells at the same time.
    pub jobs: usize,
    /// Told how many steps of how many a calculation has done.
    pub progress: &'a (dyn Fn(usize, usize) + Sync),
}

impl<'a> Options<'a> {
    /// Bundled data, one cell at a time, nobody told.
    pub fn new(library: &'a Library, out: &'a Path) -> Self {
        Self { library, out, jobs: 1, progress: &|_, _| {} }
    }
}

/// What a reproduction did and found.
pub struct Reproduction {
    /// Claims, tables and figures.
    pub conclusion: Conclusion,
    /// The experiment behind them; none for a calculation.
    pub experiment: Option<Experiment>,
    /// Folder with the claims, tables and figures as files.
    pub folder: PathBuf,
    /// The page of the run; none for a calculation.
    pub report: Option<PathBuf>,
    /// What a user should be told: files in the study's folder that are not its own, and where they are.
    pub notices: Vec<String>,
}

/// The run of a study's experiment.
pub struct Experiment {
    /// What was run.
    pub plan: Arc<Plan>,
    /// What was found.
    pub results: Results,
    /// What was fitted and reused.
    pub ran: RunSummary,
}

/// Runs a study: fits what is not stored yet, scores, decides the claims and writes them.
///
/// # Errors
/// What ended it; finished cells are kept, and the same call goes on from there.
pub fn reproduce(
    study: &Study,
    options: &Options<'_>,
    cancel: &Cancel,
    observer: &mut dyn Observer,
) -> Result<Reproduction> {
    let folder = options.out.join("study");
    write::check(study, &folder)?;
    let mut notices = Vec::new();
    let (conclusion, experiment, report) = match study.kind {
        Kind::Calculation(calculate) => {
            let setting = Setting { library: options.library, cancel, progress: options.progress };
            (calculate(&setting)?, None, None)
        }
        Kind::Experiment { text, conclude } => {
            let plan = Arc::new(plan(study, text, options.library)?);
            let store = Store::open(&RealDisk, options.out, &plan.text, &plan.experiment.name)?;
            check_folder(&options.out.join("report"))?;
            let wanted = RunOptions { jobs: options.jobs, ..RunOptions::default() };
            let ran = run::run(&plan, &store, &wanted, cancel, observer)?;
            // A signal during the very last cells leaves nothing waiting, yet those cells were not finished.
            if cancel.is_cancelled() {
                return Err(StudyError::Engine(EngineError::Interrupted));
            }
            let results = score::results_cancellable(cancel, &plan, &store)?;
            score::write_results(&results, &store)?;
            let conclusion = conclude(&Found { plan: &plan, results: &results, store: &store })?;
            let source = Source { plan: &plan, results: &results, store: &store, claims: &conclusion.claims };
            let stopped = || cancel.is_cancelled();
            let written = write_report_cancellable(&stopped, source, &options.out.join("report"))?;
            notices = [store.take_notices(), written.notices].concat();
            (conclusion, Some(Experiment { plan, results, ran }), Some(written.index))
        }
    };
    notices.extend(write::conclusion(study, &conclusion, &folder)?);
    Ok(Reproduction { conclusion, experiment, folder, report, notices })
}

/// Plans the embedded experiment; data is looked up by name alone, so it runs in any folder.
fn plan(study: &Study, text: &str, library: &Library) -> Result<Plan> {
    let name = format!("experiments/{}.toml", study.id);
    Ok(Plan::from_text(text, Path::new(&name), Path::new(""), library)?)
}
