//! `tailrank report`

use tailrank_data::Library;
use tailrank_experiment::config::{RelevanceKind, differences};
use tailrank_report::{PageInput, ReportError, TaskPages, write_report, write_single_file};
use tailrank_runner::store::Origin;
use tailrank_score::score::write_results;

use super::{prelude::*, settings::SettingArguments};

/// Write the report of a run again, under other settings if asked. Fits nothing.
#[derive(Debug, Args)]
#[command(after_help = include_str!("help/report.txt"))]
pub(crate) struct ReportArguments {
    /// Folder of the run, such as runs/quick.
    run: PathBuf,
    #[command(flatten)]
    settings: SettingArguments,
    /// Folder of the report; RUN/report by default.
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write the page as one HTML file that can be mailed, in the place of a folder.
    #[arg(long, value_name = "FILE", conflicts_with = "out")]
    single_file: Option<PathBuf>,
    /// Tasks that get a page of their own, with figures and tables of scores, by name; or `all`. By default all tasks do; with more
    /// than 100, the 30 that the answer points at: first those where the measure clearly changes the choice, then those where
    /// the other choice costs most. Every task is in the tables over all tasks.
    #[arg(long, value_name = "TASK,…|all", value_delimiter = ',')]
    task_pages: Vec<String>,
    /// Folder that the experiment's data files are relative to, if they were moved since.
    #[arg(long, value_name = "DIR")]
    base: Option<PathBuf>,
    /// Print the summary as JSON, as `tailrank run --json` does.
    #[arg(long)]
    json: bool,
}

pub(crate) fn report(session: &Session, arguments: &ReportArguments) -> Result<Exit> {
    let (store, run_plan, _) = open_run(session, &arguments.run, arguments.base.as_deref())?;
    let plan = run_plan.rescored(&arguments.settings.changes(&run_plan)?)?;
    // Settings that the relevance in force would silently pass over.
    let has_sigmoid = || plan.tasks.iter().any(|t| t.relevance.kind == RelevanceKind::Sigmoid);
    if arguments.settings.names_a_sigmoid() && !has_sigmoid() {
        return usage(
            "--low and --high belong to a sigmoid relevance, and no task has one; add --set relevance.kind=sigmoid",
        );
    }
    let changed = differences(&run_plan.experiment, &plan.experiment);
    session.print_warnings(ten_of_a_kind(&plan.warnings));
    let results = tailrank_score::score::results(&plan, &store)?;
    let missing = check_cells(session, &plan, &store, "report")?;
    let failed = results.failures().count();
    let own = changed.is_empty() && arguments.out.is_none();
    let folder = match &arguments.out {
        Some(folder) => folder.clone(),
        // A page of all cells stays until there is another.
        None if own && missing > 0 => arguments.run.join("report-incomplete"),
        None => default_folder(&arguments.run, &changed),
    };
    if own && missing == 0 {
        store.check_inputs(&results.inputs)?;
    }
    let pages = &arguments.task_pages();
    let source = PageInput { pages, ..PageInput::of_run(&plan, &results, &store) };
    let mut frame = frame(&plan, &arguments.run, None);
    if let Some(file) = &arguments.single_file {
        let bytes = write_single_file(source, file)?;
        frame.places.insert(0, ("Report", one_file(file, bytes)));
        print_screen(&answer::screen(&results, &frame));
        return Ok(Exit::of(failed + missing));
    }
    // Nothing stops it but the end of the process: the old page stays until then.
    let written = write_report(source, &folder)?;
    let tables = if own { store.results() } else { folder.join("tables") };
    // The run's own tables may be of all its cells: poorer ones never take their place.
    let kept = own && missing > 0;
    if own && !kept {
        write_results(&results, &store)?;
    }
    session.print_warnings(store.take_notices());
    session.print_warnings(&written.notices);
    let (index, tables) = (written.index.display().to_string(), tables.display().to_string());
    if arguments.json {
        let mut text = results_json(&plan, &results);
        text["run"] = arguments.run.display().to_string().into();
        text["results"] = (!kept).then_some(tables).into();
        text["report"] = index.into();
        text["cells"] = plan.cells.len().into();
        text["missing_cells"] = missing.into();
        text["failed_fits"] = failed.into();
        let as_json = |d: &Difference| json!({ "key": d.key, "before": d.before, "after": d.after });
        text["changed"] = changed.iter().map(as_json).collect();
        print_json(&text);
    } else {
        frame.facts = vec!["nothing fitted".to_owned()];
        frame.changes =
            changed.iter().map(|d| format!("Changed: {}: {}", d.key, before_after(d, "(none)"))).collect();
        // The stored run has the old settings.
        frame.places.retain(|_| changed.is_empty());
        let left = if kept { " (unchanged)" } else { "" };
        frame.places.splice(0..0, [("Report", index), ("Tables", format!("{tables}{left}"))]);
        print_screen(&answer::screen(&results, &frame));
    }
    Ok(Exit::of(failed + missing))
}

/// How a page in one file is announced.
pub(super) fn one_file(file: &Path, bytes: u64) -> String {
    format!("{} ({:.1} MB, one file)", file.display(), bytes as f64 / 1e6)
}

/// Opens a run and plans it from its stored experiment; with where its data is looked up by name.
pub(super) fn open_run(
    session: &Session,
    run: &Path,
    base: Option<&Path>,
) -> Result<(Store<'static>, Plan, Library)> {
    path_kind::expect_run(run)?;
    let (store, text) = Store::open_existing(&RealDisk, run)?;
    let found = store.origin()?.unwrap_or_else(|| Origin { base: run.to_owned(), ..Origin::default() });
    let base = base.map_or(found.base, Path::to_owned);
    let library = match (&session.data, found.data) {
        (None, Some(folder)) => Library::with_folder(folder),
        _ => session.library.clone(),
    };
    let planned = Plan::of_run(&text, &run.join("experiment.toml"), &base, &library, &found.programs);
    let plan = planned.map_err(|e| match &e {
        EngineError::Experiment { problems, .. } if problems.iter().any(|p| p.key.starts_with("data")) => {
            Failure::Usage(format!(
                "{e}\nScores need the run's data, which was looked for in {}.\nGive --base DIR, the folder its paths are \
                 relative to, or --data DIR for series and tables by name.",
                base.display()
            ))
        }
        _ => e.into(),
    })?;
    Ok((store, plan, library))
}

/// `RUN/report`, or a name made from what was changed.
fn default_folder(run: &Path, changed: &[Difference]) -> PathBuf {
    if changed.is_empty() {
        return run.join("report");
    }
    let text: String = changed.iter().map(|d| format!("{}={:?}\n", d.key, d.after)).collect();
    run.join(format!("report-{}", &tailrank_experiment::digest::CellKey::of(&text).as_str()[..8]))
}

impl From<ReportError> for Failure {
    fn from(e: ReportError) -> Self {
        match e {
            ReportError::Engine(e) => Self::Engine(e),
            ReportError::UnknownTask { .. } => Self::Usage(e.to_string()),
            _ => Self::Other(e.to_string()),
        }
    }
}

impl ReportArguments {
    fn task_pages(&self) -> TaskPages {
        match self.task_pages.as_slice() {
            [] => TaskPages::Chosen,
            [all] if all == "all" => TaskPages::All,
            names => TaskPages::Named(names.to_vec()),
        }
    }
}
