//! Runs a study from its embedded experiment to its written conclusion.

use std::path::{Path, PathBuf};

use tailrank_data::Library;
use tailrank_experiment::plan::Plan;
use tailrank_models::Cancel;
use tailrank_report::{StudyPage, check_folder, write_study_report};
use tailrank_runner::{
    run::{Observer, RunOptions},
    store::{OutputKind, check_free_for, disk::RealDisk},
};

use super::{Conclusion, Kind, Result, Study, arena, write};
use crate::{Experiment, Run};

/// Where a study reads and writes, and how much it may use.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// Bundled data, behind the user's own.
    pub library: &'a Library,
    /// The study's folder.
    pub out: &'a Path,
    /// Cells at the same time.
    pub jobs: usize,
}

impl<'a> Options<'a> {
    /// One cell at a time.
    pub fn new(library: &'a Library, out: &'a Path) -> Self {
        Self { library, out, jobs: 1 }
    }
}

/// What a reproduction did and found.
pub struct Reproduction {
    /// Claims, tables and figures.
    pub conclusion: Conclusion,
    /// The experiment behind them; none for a calculation.
    pub experiment: Option<Run>,
    /// Folder with the claims, tables and figures as files.
    pub folder: PathBuf,
    /// The page to open.
    pub report: PathBuf,
    /// What a user should be told: files in the study's folder that are not its own, and where they are.
    pub notices: Vec<String>,
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
    check_free_for(&RealDisk, &folder, OutputKind::Study)?;
    let page = options.out.join("report");
    let (conclusion, experiment, report, mut notices) = match study.kind {
        Kind::Calculation(calculate) => {
            check_folder(&page)?;
            let conclusion = calculate(options.library, cancel)?;
            let Conclusion { opening, claims, figures, tables, .. } = &conclusion;
            let found = StudyPage { name: study.id, paper: study.paper, opening, claims, figures, tables };
            let written = write_study_report(&found, &page)?;
            (conclusion, None, written.index, written.notices)
        }
        Kind::Experiment { text, others, conclude } => {
            let mut run = |text: &str, out: &Path, page: Option<&Path>| -> Result<Run> {
                let experiment = experiment(study.id, text, options.library);
                let opened = experiment.open(experiment.plan()?, out)?;
                page.map_or(Ok(()), check_folder)?;
                let wanted = RunOptions { jobs: options.jobs, ..RunOptions::default() };
                let ran = opened.fit(&wanted, cancel, observer)?;
                Ok(opened.score(ran, cancel)?)
            };
            let (main, mut more) = (run(text, options.out, Some(&page))?, Vec::new());
            for (number, text) in (1..).zip(others(text)) {
                more.push(run(&text, &options.out.join(format!("other-{number}")), None)?);
            }
            let conclusion = conclude(&main, &more)?;
            let written = main.write_report_with(&page, &conclusion.claims, &conclusion.figures, cancel)?;
            let mut notices = [main.store.take_notices(), written.notices].concat();
            notices.extend(more.iter().flat_map(|o| o.store.take_notices()));
            (conclusion, Some(main), written.index, notices)
        }
    };
    notices.extend(write::conclusion(study, &conclusion, &folder)?);
    Ok(Reproduction { conclusion, experiment, folder, report, notices })
}

/// The tasks and splits of the arena, where anybody's model can be placed. Nothing is fitted.
///
/// # Errors
/// When its data is not there.
pub fn arena_plan(library: &Library) -> Result<Plan> {
    Ok(experiment("arena", arena::EXPERIMENT, library).plan()?)
}

/// Data is looked up by name alone, so a study runs in any folder.
fn experiment(study: &str, text: &str, library: &Library) -> Experiment {
    Experiment::from_text(text, "").named(format!("experiments/{study}.toml")).library(library)
}
