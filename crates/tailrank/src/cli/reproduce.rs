//! `tailrank reproduce`

use std::{
    path::{Path, PathBuf},
    time::Instant,
};

use clap::Args;
use indicatif::ProgressBar;
use tailrank::studies::{self, Kind, Reproduction, Study, StudyError};
use tailrank_experiment::EngineError;
use tailrank_report::claims::{Claim, Standing, Tag};

use super::{
    Exit, Failure, Result, Session, count, duration, note,
    progress::Progress,
    say,
    stop::Stop,
    summary::{json, summary},
    table::{Align, layout, layout_prose, wrap},
    warn_of, width,
};

/// Run a paper's study again, from data that comes along, and say where the paper holds.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  tailrank reproduce\n  tailrank reproduce utility --jobs 2\n  \
    tailrank reproduce stock-returns --data quotes   with quotes/BA.csv\n  \
    tailrank reproduce rec-surfaces --json | jq '.claims[] | .standing'\n\n\
    `tailrank list studies` shows all. A study that was stopped goes on where it stopped.")]
pub(crate) struct ReproduceArguments {
    /// The study; stock-returns if none is named.
    study: Option<String>,
    /// Fits at the same time; all cores by default.
    #[arg(long, short)]
    pub(super) jobs: Option<usize>,
    /// Folder of the run; runs/STUDY by default.
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print verdicts and claims as JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn reproduce(session: &Session, arguments: &ReproduceArguments) -> Result<Exit> {
    let study = match &arguments.study {
        Some(name) => studies::find(name)?,
        None => studies::studies()[0],
    };
    let out = arguments.out.clone().unwrap_or_else(|| Path::new("runs").join(study.id));
    let stop = Stop::on_signal();

    let silent = session.quiet || arguments.json;
    if !silent {
        note(session, &format!("{}: {}", study.id, study.title));
    }
    let started = Instant::now();
    let steps = if silent { ProgressBar::hidden() } else { ProgressBar::new(0) };
    let told = |done: usize, total: usize| {
        steps.set_length(total as u64);
        steps.set_position(done as u64);
    };
    let options =
        studies::Options { library: &session.library, out: &out, jobs: session.jobs, progress: &told };
    let fits = !matches!(study.kind, Kind::Calculation(_));
    let mut progress = Progress::new(silent || !fits, None);
    let found = stop.while_fitting(|| studies::reproduce(study, &options, &stop.cancel, &mut progress));
    progress.finish();
    steps.finish_and_clear();
    let found = found?;
    warn_of(session, &found.notices);
    let seconds = started.elapsed().as_secs_f64();
    let failed = found.experiment.as_ref().map_or(0, |e| e.results.failures().count());
    if arguments.json {
        let mut text = as_json(study, &found, &out);
        text["seconds"] = seconds.into();
        say(&format!("{text:#}"));
    } else {
        for line in text(study, &found, seconds) {
            say(&line);
        }
    }
    Ok(if failed > 0 { Exit::FailedCells } else { Exit::Fine })
}

/// The end of a study in the terminal: verdicts, claims, time and where everything is.
fn text(study: &Study, found: &Reproduction, seconds: f64) -> Vec<String> {
    let width = width();
    let mut lines = Vec::new();
    if let Some(e) = &found.experiment {
        let head = format!(
            "{}: {} × {} · {} fitted, {} reused · seed {}\n",
            study.id,
            count(e.plan.variants.len(), "variant"),
            count(e.plan.tasks.len(), "task"),
            count(e.ran.fitted, "cell"),
            e.ran.reused,
            e.plan.experiment.seed,
        );
        lines.push(wrap(&head, width));
        lines.push(summary(&e.results, width));
    } else if let Some(table) = found.conclusion.tables.first() {
        lines.push(wrap(&table.title, width));
        let headings: Vec<(&str, Align)> = table
            .headings
            .iter()
            .enumerate()
            .map(|(i, h)| (h.as_str(), if i == 0 { Align::Left } else { Align::Right }))
            .collect();
        lines.push(format!("\n{}", layout(&headings, &table.rows, width)));
    }
    lines.push(String::new());
    lines.push(wrap(&format!("What the paper says ({}), and what was found:", study.paper), width));
    lines.push(String::new());
    let opening = found.conclusion.opening.text();
    if !opening.is_empty() {
        lines.push(wrap(&opening, width));
        lines.push(String::new());
    }
    lines.push(claims_table(&found.conclusion.claims, width));
    lines.push(String::new());
    lines.push(wrap(&studies::headline_of(&found.conclusion.claims), width));
    lines.push(format!("\nTotal time {}", duration::seconds(seconds)));
    lines.push(format!("Claims, tables, figures: {}", found.folder.display()));
    if let Some(report) = &found.report {
        lines.push(format!("Report: {}", report.display()));
    }
    lines
}

/// One claim a block: the decision, what the paper says, and below it what was found.
fn claims_table(claims: &[Claim], width: usize) -> String {
    let mut rows = Vec::new();
    // Findings first: what holds by construction or is not the paper's comes after them.
    for claim in Tag::ALL.iter().flat_map(|&tag| claims.iter().filter(move |c| c.tag == tag)) {
        if !rows.is_empty() {
            rows.push(vec![String::new(), String::new()]);
        }
        let mark = match claim.standing {
            Standing::Agree => "agree",
            Standing::Differ => "DIFFER",
            Standing::TooClose => "too close",
            Standing::NotTestable => "no test",
        };
        let kind = if claim.tag == Tag::Finding { String::new() } else { format!("{}; ", claim.tag) };
        rows.push(vec![mark.to_owned(), format!("{} [{kind}{}]", claim.says, claim.source)]);
        rows.push(vec![String::new(), format!("→ {}", claim.found)]);
    }
    layout_prose(&["", "claim → found"], &rows, width)
}

/// What a study found, for scripts.
#[must_use]
pub fn as_json(study: &Study, found: &Reproduction, out: &Path) -> serde_json::Value {
    let mut text = match &found.experiment {
        Some(e) => {
            let mut text = json(&e.plan, &e.results);
            text["cells"] = e.ran.cells.into();
            text["fitted"] = e.ran.fitted.into();
            text["reused"] = e.ran.reused.into();
            text["failed_fits"] = e.results.failures().count().into();
            text
        }
        None => serde_json::json!({}),
    };
    text["study"] = study.id.into();
    text["paper"] = study.paper.into();
    text["claims"] = serde_json::to_value(&found.conclusion.claims).unwrap_or_default();
    text["run"] = out.display().to_string().into();
    text["study_folder"] = found.folder.display().to_string().into();
    text["report"] = found.report.as_ref().map(|r| r.display().to_string()).into();
    text
}

impl From<StudyError> for Failure {
    fn from(e: StudyError) -> Self {
        match e {
            StudyError::Engine(e) => Self::Engine(e),
            StudyError::Interrupted => Self::Engine(EngineError::Interrupted),
            usage @ (StudyError::Unknown { .. } | StudyError::Occupied { .. }) => {
                Self::Usage(usage.to_string())
            }
            StudyError::Report(e) => e.into(),
            other => Self::Other(other.to_string()),
        }
    }
}
