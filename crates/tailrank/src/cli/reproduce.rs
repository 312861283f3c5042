//! `tailrank reproduce`

use std::time::Instant;

use tailrank::studies::{self, Kind, Reproduction, Study, StudyError};
use tailrank_report::claims::{Claim, by_tag};

use super::prelude::*;

/// Reproduce a paper's study from bundled data, and check what the paper says.
#[derive(Debug, Args)]
#[command(after_help = include_str!("help/reproduce.txt"))]
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
        None => &studies::studies()[0],
    };
    let out = arguments.out.clone().unwrap_or_else(|| Path::new("runs").join(study.id));
    let fits = !matches!(study.kind, Kind::Calculation(_));
    let stop = if fits { Stop::on_signal() } else { Stop::of_calculation() };

    let silent = session.quiet || arguments.json;
    if !arguments.json {
        session.print_note(&format!("{}: {}", study.id, study.title));
    }
    let started = Instant::now();
    let options = studies::Options { library: &session.library, out: &out, jobs: session.jobs };
    let mut progress = Progress::new(silent || !fits, None);
    let found = stop.while_fitting(|| studies::reproduce(study, &options, &stop.cancel, &mut progress));
    progress.finish();
    let found = found.map_err(|e| match e {
        StudyError::Engine(EngineError::Interrupted) if !fits => Failure::Stopped,
        e => e.into(),
    })?;
    session.print_warnings(&found.notices);
    let seconds = started.elapsed().as_secs_f64();
    if arguments.json {
        let mut text = as_json(study, &found, &out);
        text["seconds"] = seconds.into();
        print_json(&text);
    } else {
        print_screen(&screen(study, &found, &out, seconds));
    }
    let failed = found.experiment.as_ref().map_or(0, |e| e.results.failures().count());
    Ok(Exit::of(failed))
}

/// The end of a study in the terminal: the answer of its experiment or its first table, and how the paper's
/// claims stand.
fn screen(study: &Study, found: &Reproduction, out: &Path, seconds: f64) -> Screen {
    let claims = &found.conclusion.claims;
    let report = ("Report", found.report.display().to_string());
    let folder = ("Claims", found.folder.join("claims.md").display().to_string());
    if let Some(e) = &found.experiment {
        let mut frame = frame(&e.plan, out, Some(seconds));
        frame.name = study.id;
        frame.claims = claims;
        frame.places.splice(0..0, [report, folder]);
        return answer::screen(&e.results, &frame);
    }
    let width = width();
    let mut screen = Screen::default();
    let time = duration::seconds(seconds);
    screen.headed((Tone::Strong, study.id), &format!(" · {} · {time}", study.paper), width, 2);
    screen.gap();
    screen.wrapped(Tone::Plain, &found.conclusion.opening, width, 0);
    screen.gap();
    screen.wrapped(Tone::Strong, &studies::headline_of(claims), width, 0);
    screen.gap();
    let row = |c: &Claim| vec![c.standing.to_string(), c.says.clone(), c.source.clone()];
    let listed = TextTable::new(["standing", "the paper says", "where"], by_tag(claims).into_iter().map(row));
    add_table(&mut screen, listed, MOST_CLAIMS, &format!("in {}", folder.1));
    screen.gap();
    for (what, place) in [report, folder] {
        screen.push(Line::new(Tone::Dim, format!(" {what}  ")).and(Tone::Plain, place));
    }
    screen
}

/// Claims shown of a study that runs no experiment.
const MOST_CLAIMS: usize = 9;

/// What a study found, for scripts.
#[must_use]
pub fn as_json(study: &Study, found: &Reproduction, out: &Path) -> serde_json::Value {
    let mut text = serde_json::json!({});
    if let Some(e) = &found.experiment {
        text = results_json(&e.plan, &e.results);
        add_fits(&mut text, &e.ran, &e.results);
    }
    text["study"] = study.id.into();
    text["paper"] = study.paper.into();
    text["claims"] = serde_json::to_value(&found.conclusion.claims).unwrap_or_default();
    text["run"] = out.display().to_string().into();
    text["study_folder"] = found.folder.display().to_string().into();
    text["report"] = found.report.display().to_string().into();
    text
}

impl From<StudyError> for Failure {
    fn from(e: StudyError) -> Self {
        match e {
            StudyError::Engine(e) => Self::Engine(e),
            StudyError::Unknown { .. } => Self::Usage(e.to_string()),
            StudyError::Report(e) => e.into(),
            _ => Self::Other(e.to_string()),
        }
    }
}
