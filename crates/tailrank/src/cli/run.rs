//! `tailrank run`

use std::{collections::BTreeSet, panic::Location, sync::Once, time::Instant};

use tailrank::{Experiment, OpenRun, Run};
use tailrank_experiment::plan::Cell;
use tailrank_report::check_folder;
use tailrank_runner::{
    run::RunSummary,
    slurm::{Share, Shares, share_of_plan},
    store::worker_name,
};

use super::prelude::*;

/// Fit, score, rank and report; run the same command again to resume.
#[derive(Debug, Args)]
#[command(after_help = include_str!("help/run.txt"))]
pub(crate) struct RunArguments {
    /// The experiment file.
    experiment: PathBuf,
    /// Fits at the same time; all cores by default.
    #[arg(long, short)]
    pub(super) jobs: Option<usize>,
    /// Folder of the run; runs/NAME by default.
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Fit only models whose task and family contain these texts; a text without a slash may match either.
    #[arg(long, value_name = "TASK/FAMILY")]
    only: Option<String>,
    /// Fit and score only this share of the work, balanced by forecast cost, and write no tables. When all shares are
    /// done, run the same command without --share.
    #[arg(long, value_name = "I/N", conflicts_with = "only")]
    share: Option<Share>,
    /// Take shares from this file, written by `tailrank slurm`, and refuse an experiment that changed since.
    #[arg(long, value_name = "FILE")]
    shares: Option<PathBuf>,
    /// Repeat failed fits.
    #[arg(long)]
    retry_failed: bool,
    /// Let the experiment run the programs it names.
    #[arg(long)]
    allow_commands: bool,
    /// Write tables only, no report.
    #[arg(long)]
    no_report: bool,
    /// Print all tests, measures and warnings after the answer, as `tailrank explain` does.
    #[arg(long)]
    explain: bool,
    /// Print the answer as JSON: a verdict per task and measure, and every failure with its reason.
    #[arg(long, conflicts_with = "explain")]
    json: bool,
}

pub(crate) fn run(session: &Session, arguments: &RunArguments) -> Result<Exit> {
    path_kind::expect_experiment(&arguments.experiment)?;
    let mut experiment = Experiment::from_file(&arguments.experiment)?;
    if let Some(folder) = &session.data {
        experiment = experiment.data_folder(folder);
    }
    let plan = experiment.plan()?;
    check_programs(&plan, arguments.allow_commands)?;
    let only = match only(&plan, arguments.only.as_deref())? {
        None => share(&plan, arguments)?,
        only => only,
    };
    session.print_platform();
    session.print_warnings(ten_of_a_kind(&plan.warnings));
    if let Some(text) = untracked(&plan) {
        session.print_note(&text);
    }

    let out = run_folder(arguments.out.as_ref(), &plan);
    path_kind::expect_new_run(&out)?;
    let mut opened = experiment.open(plan, &out)?;
    session.print_warnings(opened.store.take_notices());
    if arguments.share.is_some() {
        opened = OpenRun { store: opened.store.as_worker(&worker_name())?, ..opened };
    } else if !arguments.no_report {
        check_folder(&out.join("report"))?;
    }
    let stop = Stop::on_signal();
    let cancel = stop.cancel.clone();

    let started = Instant::now();
    let options = RunOptions {
        jobs: session.jobs,
        retry_failed: arguments.retry_failed,
        only: only.clone(),
        cell_program: cell::program(&session.program),
        ..RunOptions::default()
    };
    let mut progress = Progress::new(session.quiet || arguments.json, only.clone());
    let ran = stop.while_fitting(|| opened.fit(&options, &cancel, &mut progress));
    progress.finish();
    let ran = ran?;
    let damaged = format!("{} damaged; set aside and fitted again", count(ran.damaged, "stored fit"));
    let suspects = format!(
        "an earlier session ended during {}, now run last in separate processes (limits.isolate = true does so for all)",
        count(ran.suspects, "fit")
    );
    session.print_warnings((ran.damaged > 0).then_some(damaged));
    session.print_warnings((ran.suspects > 0).then_some(suspects));
    if let Some(share) = arguments.share {
        let scored = opened.score_share(&only.unwrap_or_default(), &cancel)?;
        print(&share_summary(share, &ran, scored, &out, arguments.json));
        return Ok(Exit::Fine);
    }
    let run = opened.score(ran, &cancel)?;
    let Run { plan, store, results, ran } = &run;
    session.print_warnings(store.take_notices());
    let failed = results.failures().count();
    // Without --only every fit was stored a moment ago.
    let missing = if arguments.only.is_none() { results.missing_fits() } else { 0 };
    let unread = format!("{} cannot be read; run the same command again", count(missing, "stored fit"));
    session.print_warnings((missing > 0).then_some(unread));
    let page = (!arguments.no_report).then(|| run.write_report_with(out.join("report"), &[], &[], &cancel));
    let page = page.transpose()?;
    session.print_warnings(page.iter().flat_map(|page| &page.notices));
    let report = page.map(|page| page.index.display().to_string());
    let tables = store.results().display().to_string();
    let seconds = started.elapsed().as_secs_f64();
    if arguments.json {
        let mut text = results_json(plan, results);
        add_fits(&mut text, ran, results);
        text["report"] = report.into();
        text["run"] = out.display().to_string().into();
        text["results"] = tables.into();
        text["seconds"] = seconds.into();
        print_json(&text);
    } else {
        let mut frame = frame(plan, &out, Some(seconds));
        frame.places.insert(0, report.map_or(("Tables", tables), |report| ("Report", report)));
        print_answer(results, &frame, arguments.explain);
    }
    Ok(Exit::of(failed + missing))
}

/// What a program's cells do not depend on by their keys, with what to add to the experiment.
fn untracked(plan: &Plan) -> Option<String> {
    let found = plan.untracked();
    if found.is_empty() {
        return None;
    }
    let files = plan.files_to_name();
    let to_name = files.iter().map(|line| format!("\nAdd to the model to track its files: {line}"));
    let to_name: String = to_name.collect();
    Some(format!("note: a change of these fits nothing again: {}.{to_name}", found.join("; ")))
}

/// A panic inside a cell becomes a row with its reason, one inside polars or its decompressors an error that
/// names the file: printed by the hook as well, the first would tear the progress bar, and neither tells the
/// user what to do.
pub fn install_panic_hook() {
    const READERS: [&str; 6] = ["polars-", "brotli", "lz4", "planus-", "snap-", "zstd-"];
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            let of_cell = std::thread::current().name().is_some_and(|name| name.starts_with("cell-"));
            let is_reader = |place: &Location<'_>| READERS.iter().any(|name| place.file().contains(name));
            if !(of_cell || panic.location().is_some_and(is_reader)) {
                usual(panic);
            }
        }));
    });
}

/// What a worker did. Failed fits are rows that the gathering run reports.
fn share_summary(share: Share, ran: &RunSummary, scored: usize, out: &Path, json: bool) -> String {
    let Share { number, of } = share;
    if json {
        let run = out.display().to_string();
        let facts = serde_json::json!({
            "share": number, "of": of, "run": run, "fitted": ran.fitted, "reused": ran.reused, "scored": scored
        });
        return format!("{facts:#}");
    }
    let (fitted, reused, scored) = (count(ran.fitted, "group"), ran.reused, count(scored, "task"));
    let next = "When all shares are done, run the same command without --share.";
    let text = format!("Share {number} of {of}: {fitted} fitted, {reused} reused, {scored} scored. {next}");
    wrap(&text, width())
}

pub(super) fn check_programs(plan: &Plan, allowed: bool) -> Result<()> {
    let programs: BTreeSet<&str> = plan.variants.iter().filter_map(|v| v.program.as_deref()).collect();
    if programs.is_empty() || allowed {
        return Ok(());
    }
    let names = joined(programs);
    usage(format!("this experiment runs programs ({names}); read it, then give --allow-commands"))
}

fn joined<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    names.into_iter().collect::<Vec<_>>().join(", ")
}

/// Places of the cells that `--only` names: TASK/FAMILY, TASK/, /FAMILY, or a text in either.
fn only(plan: &Plan, text: Option<&str>) -> Result<Option<Vec<usize>>> {
    let Some(text) = text else { return Ok(None) };
    let matching = |wanted: &dyn Fn(&str, &str) -> bool| -> Vec<usize> {
        let is_wanted = |c: &Cell| wanted(&plan.tasks[c.task].name, &plan.variants[c.variants[0]].group);
        (0..plan.cells.len()).filter(|&place| is_wanted(&plan.cells[place])).collect()
    };
    let mut cells = match text.rsplit_once('/') {
        Some((task, family)) => matching(&|t, f| t.contains(task) && f.contains(family)),
        None => Vec::new(),
    };
    // A name may have a slash of its own.
    if cells.is_empty() {
        cells = matching(&|t, f| t.contains(text) || f.contains(text));
    }
    if cells.is_empty() {
        let families: BTreeSet<&str> = plan.variants.iter().map(|v| v.group.as_str()).collect();
        let (tasks, families) = (joined(plan.tasks.iter().map(|t| t.name.as_str())), joined(families));
        let all = format!("tasks are {tasks}; families are {families}");
        return usage(format!("--only {text} matches no task or family; {all}"));
    }
    Ok(Some(cells))
}

/// Places of the cells in the share asked for; all if none is.
fn share(plan: &Plan, arguments: &RunArguments) -> Result<Option<Vec<usize>>> {
    let Some(file) = &arguments.shares else {
        return Ok(arguments.share.map(|share| share_of_plan(plan, share)));
    };
    let text = std::fs::read_to_string(file).map_err(|e| Failure::input(file, e))?;
    let shares = Shares::from_text(&text).map_err(|e| Failure::input(file, e))?;
    let places = match arguments.share {
        Some(share) => shares.places(plan, share).map(Some),
        None => shares.check(plan).map(|()| None),
    };
    places.map_err(|e| Failure::input(file, e))
}

/// The folder of a run: as asked for, or by the experiment's name.
pub(super) fn run_folder(out: Option<&PathBuf>, plan: &Plan) -> PathBuf {
    out.cloned().unwrap_or_else(|| PathBuf::from("runs").join(folder_name(&plan.experiment.name)))
}

/// A name from an experiment never becomes a path as it is.
fn folder_name(name: &str) -> String {
    let safe = name.chars().map(|c| if c.is_alphanumeric() || "-_".contains(c) { c } else { '-' });
    let safe: String = safe.take(80).collect();
    if safe.trim_matches('-').is_empty() { "run".to_owned() } else { safe }
}
