//! `tailrank report`

use std::path::{Path, PathBuf};

use clap::Args;
use tailrank_data::Library;
use tailrank_engine::{
    EngineError,
    config::{Difference, RelevanceKind, differences},
    plan::Plan,
    score::{self, Results},
    store::{Origin, Store, disk::RealDisk},
};
use tailrank_report::{ReportError, Source, Written, write_report};

use super::{
    Exit, Failure, Result, Session, count, note, say,
    settings::SettingArguments,
    summary::{json, summary},
    table::wrap,
    warn_of, width,
};

/// Write the report of a run again, under other settings if asked. Fits nothing.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  tailrank report runs/quick\n  \
    tailrank report runs/quick --t-e 0.8 --beta 1 --pairs mad:f,mad:sera\n  \
    tailrank report runs/quick --set relevance.kind=pchip --out pchip\n\n\
    Every score is made from the stored predictions, so other relevance, thresholds and measures take seconds. With changed \
    settings the run's own results stay as they are: page and tables go to --out, by default RUN/report-<hash of the \
    changes>. What decides the fits (data, target, split, models, seed) is changed in the experiment file and run.")]
pub(crate) struct ReportArguments {
    /// Folder of the run, such as runs/quick.
    run: PathBuf,
    #[command(flatten)]
    settings: SettingArguments,
    /// Folder of the report; RUN/report by default.
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Folder that the experiment's data files are relative to, if they were moved since.
    #[arg(long, value_name = "DIR")]
    base: Option<PathBuf>,
    /// Print the summary as JSON, as `tailrank run --json` does.
    #[arg(long)]
    json: bool,
}

pub(crate) fn report(session: &Session, arguments: &ReportArguments) -> Result<Exit> {
    let (store, run_plan) = open(session, &arguments.run, arguments.base.as_deref())?;
    let plan = run_plan.rescored(&arguments.settings.changes(&run_plan)?)?;
    arguments.settings.check(&plan)?;
    let changed = differences(&run_plan.experiment, &plan.experiment);
    for warning in &plan.warnings {
        note(session, &format!("warning: {warning}"));
    }
    let results = score::results(&plan, &store)?;
    // Counted after reading, which sets damaged cells aside.
    let missing = tailrank_engine::run::missing_cells(&plan, &store)?;
    say_missing(session, &plan, missing)?;
    let folder = arguments.out.clone().unwrap_or_else(|| default_folder(&arguments.run, &changed));
    let own = changed.is_empty() && arguments.out.is_none();
    if own && missing == 0 {
        store.check_basis(&results.basis)?;
    }
    let written = write(&plan, &results, &store, &folder)?;
    let tables = if own { store.results() } else { folder.join("tables") };
    // The run's own tables may be of all its cells: poorer ones never take their place.
    let kept = own && missing > 0;
    if own && !kept {
        score::write_results(&results, &store)?;
    }
    warn_of(session, &store.take_notices());
    warn_of(session, &written.notices);
    let failed = results.failures().count();
    if arguments.json {
        let mut text = json(&plan, &results);
        text["run"] = arguments.run.display().to_string().into();
        text["results"] = if kept { serde_json::Value::Null } else { tables.display().to_string().into() };
        text["report"] = written.index.display().to_string().into();
        text["cells"] = plan.cells.len().into();
        text["missing_cells"] = missing.into();
        text["failed_fits"] = failed.into();
        text["changed"] = changed
            .iter()
            .map(|d| serde_json::json!({ "key": d.key, "before": d.before, "after": d.after }))
            .collect();
        say(&format!("{text:#}"));
    } else {
        let head = format!(
            "{}: {} × {} · nothing fitted · seed {}\n{}",
            plan.experiment.name,
            count(plan.variants.len(), "variant"),
            count(plan.tasks.len(), "task"),
            plan.experiment.seed,
            changed.iter().map(|d| format!("changed: {}\n", change(d))).collect::<String>(),
        );
        say(&wrap(&head, width()));
        say(&summary(&results, width()));
        let left = if kept { " (left as they were)" } else { "" };
        say(&format!("\nTables: {}{left}\nReport: {}", tables.display(), written.index.display()));
    }
    Ok(if failed > 0 || missing > 0 { Exit::FailedCells } else { Exit::Fine })
}

/// Opens a run and plans it from its stored experiment.
fn open(session: &Session, run: &Path, base: Option<&Path>) -> Result<(Store<'static>, Plan)> {
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
    Ok((store, plan))
}

fn say_missing(session: &Session, plan: &Plan, missing: usize) -> Result<()> {
    let all = plan.cells.len();
    if missing == all {
        return Err(Failure::Other(format!(
            "none of the {all} cells of this run is stored under what its experiment, data and models now make: the data or \
             the program changed since, or nothing was fitted yet; `tailrank run` fits what is missing"
        )));
    }
    if missing > 0 {
        note(
            session,
            &format!(
                "warning: {missing} of {all} cells are missing or damaged: the report is incomplete; `tailrank run` fits them"
            ),
        );
    }
    Ok(())
}

/// `RUN/report`, or a name made from what was changed.
fn default_folder(run: &Path, changed: &[Difference]) -> PathBuf {
    if changed.is_empty() {
        return run.join("report");
    }
    let text: String = changed.iter().map(|d| format!("{}={:?}\n", d.key, d.after)).collect();
    run.join(format!("report-{}", &tailrank_engine::store::CellKey::of(&text).as_str()[..8]))
}

/// `relevance.low: -0.02 → -0.03`
fn change(d: &Difference) -> String {
    let value = |v: &Option<String>| v.clone().unwrap_or_else(|| "(none)".to_owned());
    format!("{}: {} → {}", d.key, value(&d.before), value(&d.after))
}

/// Writes the page of a run. Nothing stops it but the end of the process: the old page stays until then.
fn write(plan: &Plan, results: &Results, store: &Store<'_>, folder: &Path) -> Result<Written> {
    Ok(write_report(Source { plan, results, store, claims: &[] }, folder)?)
}

impl From<ReportError> for Failure {
    fn from(e: ReportError) -> Self {
        match e {
            ReportError::Engine(e) => Self::Engine(e),
            ReportError::Occupied { .. } => Self::Usage(e.to_string()),
            _ => Self::Other(e.to_string()),
        }
    }
}

impl SettingArguments {
    /// Settings that the relevance in force would silently pass over.
    fn check(&self, plan: &Plan) -> Result<()> {
        if !self.names_a_sigmoid() || plan.tasks.iter().any(|t| t.relevance.kind == RelevanceKind::Sigmoid) {
            return Ok(());
        }
        Err(Failure::Usage(
            "--low, --high and --k belong to a sigmoid relevance, and no task has one; add --set relevance.kind=sigmoid"
                .to_owned(),
        ))
    }
}
