//! `tailrank score`

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use tailrank_engine::{
    config::{self, Measures, RelevanceKind, RelevanceSettings, Trading},
    external::{PredictionTable, read_predictions},
    score::{self, Predictions, TaskTruth, VariantStatus},
};
use tailrank_metrics::{Measure, Score};
use tailrank_stats::rank_scores;

use super::{
    Exit, Failure, Result, Session, note, say,
    table::{Align, digits, layout},
    width,
};

/// Score predictions made elsewhere, in Python, R or anything that writes CSV or Parquet.
#[derive(Debug, Args)]
#[command(
    after_help = "Wide tables have a column with the true values (y, truth, actual, target) and one column per model.\n\
    Long tables have the columns model, prediction and the true values. A column 'task' splits either into tasks; 'date'\n\
    is passed over.\n\nExamples:\n  \
    tailrank score predictions.csv --low -0.02 --high 0.02 --t-l 0.005 --beta 0.5\n  \
    tailrank score predictions.parquet --extremes high --measures mad,rmse,sera,utility --t-l 2"
)]
pub(crate) struct ScoreArguments {
    /// CSV or Parquet, optionally gzipped.
    predictions: PathBuf,
    /// Measures, by id; by default mad, rmse and sera, and with --t-l also precision, recall, f and utility.
    #[arg(long, value_delimiter = ',', value_name = "ID,...")]
    measures: Vec<String>,
    /// Centre of low relevance: smaller values matter.
    #[arg(long, allow_negative_numbers = true)]
    low: Option<f64>,
    /// Centre of high relevance: larger values matter.
    #[arg(long, allow_negative_numbers = true)]
    high: Option<f64>,
    /// Without --low and --high: which extremes matter; centres come from the box plot of the true values.
    #[arg(long, value_enum, default_value_t = Side::Both)]
    extremes: Side,
    /// t_E: a value with relevance of at least this is an event.
    #[arg(long, default_value_t = 0.5)]
    t_e: f64,
    /// t_L: the largest error that still counts as good, in units of the target.
    #[arg(long)]
    t_l: Option<f64>,
    /// β of F: below 1 favours precision.
    #[arg(long, default_value_t = 1.0)]
    beta: f64,
    /// p of the utility: above 0.5 missed events weigh more than false alarms.
    #[arg(long, default_value_t = 0.5)]
    p: f64,
    /// Print the table as CSV.
    #[arg(long)]
    csv: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Side {
    Low,
    High,
    Both,
}

pub(crate) fn score(session: &Session, arguments: &ScoreArguments) -> Result<Exit> {
    let path = &arguments.predictions;
    let tasks = read_predictions(path)?;
    let relevance = RelevanceSettings {
        kind: RelevanceKind::Sigmoid,
        low: arguments.low,
        high: arguments.high,
        extremes: match arguments.extremes {
            Side::Low => config::Extremes::Low,
            Side::High => config::Extremes::High,
            Side::Both => config::Extremes::Both,
        },
        event_threshold: arguments.t_e,
        ..RelevanceSettings::default()
    };
    if arguments.low.is_none() && arguments.high.is_none() {
        note(
            session,
            "note: no --low or --high given; relevance comes from the box plot of the true values themselves",
        );
    }
    let settings = Measures {
        ids: measures(session, arguments),
        t_l: arguments.t_l,
        beta: arguments.beta,
        utility: config::UtilitySettings { p: arguments.p, ..Default::default() },
        ..Measures::default()
    };
    let rules = score::scoring_rules(&settings, None::<&Trading>).map_err(|problems| {
        let list: Vec<String> = problems
            .iter()
            .map(|p| p.message.replace("utility.t (or t_l)", "--t-l").replace("needs t_l", "needs --t-l"))
            .collect();
        Failure::Usage(list.join("\n       "))
    })?;
    let mut tables = Vec::new();
    for task in &tasks {
        tables.push(score_task(session, task, &relevance, &rules).map_err(|e| Failure::input(path, e))?);
    }
    let names: Vec<String> = tasks.iter().map(|t| t.task.clone()).collect();
    if arguments.csv {
        say(&csv(&tasks, &tables)?);
    } else {
        for ((name, task), scores) in names.iter().zip(&tasks).zip(&tables) {
            if tasks.len() > 1 || !name.is_empty() {
                say(&format!("{name}:"));
            }
            say(&format!("{} cases, {} events", scores.cases, scores.events));
            say(&task_table(task, scores));
            say("");
        }
    }
    Ok(Exit::Fine)
}

/// The measures asked for, or all usual ones that the given options allow.
fn measures(session: &Session, arguments: &ScoreArguments) -> Vec<String> {
    let usual: &[&str] = match (arguments.measures.is_empty(), arguments.t_l) {
        (false, _) => return arguments.measures.clone(),
        (true, Some(_)) => &["mad", "rmse", "precision", "recall", "f", "utility", "sera"],
        (true, None) => {
            note(
                session,
                "note: with --t-l, the largest error that still counts as good, precision, recall, F and utility are scored too",
            );
            &["mad", "rmse", "sera"]
        }
    };
    usual.iter().map(|id| (*id).to_owned()).collect()
}

fn score_task(
    session: &Session,
    task: &PredictionTable,
    relevance: &RelevanceSettings,
    rules: &score::ScoringRules,
) -> std::result::Result<score::TaskScores, String> {
    let settings = rules.for_task(relevance, &task.truth, None).map_err(|e| e.to_string())?;
    if let Some(phi) = &settings.relevance {
        let check = phi.check_events("true", &task.truth, settings.t_e).map_err(|e| e.to_string())?;
        if let Some(warning) = check.warning() {
            note(session, &format!("warning: {warning}"));
        }
    }
    let predictions: Vec<Predictions> = task
        .models
        .iter()
        .map(|(_, p)| Predictions { status: VariantStatus::Fine, parts: vec![p.clone()] })
        .collect();
    let parts = [TaskTruth { truth: task.truth.clone(), settings }];
    score::evaluate(&parts, &rules.measures, &predictions).map_err(|e| e.to_string())
}

fn task_table(task: &PredictionTable, scores: &score::TaskScores) -> String {
    let ranks: Vec<Vec<f64>> = scores
        .measures
        .iter()
        .map(|&m| rank_scores(&scores.values(m), m.better()).unwrap_or_default())
        .collect();
    let mut headings: Vec<(&str, Align)> = vec![("model", Align::Left), ("signals", Align::Right)];
    headings.extend(scores.measures.iter().map(|m| (m.info().symbol, Align::Right)));
    let rows: Vec<Vec<String>> = task
        .models
        .iter()
        .enumerate()
        .map(|(v, (name, _))| {
            let signals = scores.signals[v].map_or_else(|| "–".to_owned(), |s| s.to_string());
            let cells = scores.measures.iter().enumerate().map(|(m, &measure)| {
                let value = scores.score(v, measure).and_then(Score::value);
                format!("{} #{}", digits(value), ranks[m].get(v).copied().unwrap_or(f64::NAN))
            });
            [name.clone(), signals].into_iter().chain(cells).collect()
        })
        .collect();
    layout(&headings, &rows, width())
}

fn csv(tasks: &[PredictionTable], tables: &[score::TaskScores]) -> Result<String> {
    use tailrank_data::frame::{Column, Frame, to_csv};
    let rows = || {
        tasks
            .iter()
            .zip(tables)
            .flat_map(|(t, s)| t.models.iter().enumerate().map(move |(v, m)| (t, s, v, m)))
    };
    let measures: Vec<Measure> = tables.first().map(|t| t.measures.clone()).unwrap_or_default();
    let mut columns = vec![
        ("task".to_owned(), Column::Text(rows().map(|(t, ..)| t.task.clone()).collect())),
        ("model".to_owned(), Column::Text(rows().map(|(.., m)| m.0.clone()).collect())),
    ];
    for measure in measures {
        let values =
            rows().map(|(_, s, v, _)| s.score(v, measure).and_then(Score::value).unwrap_or(f64::NAN));
        columns.push((measure.id().to_owned(), Column::Real(values.collect())));
    }
    let other = |e: tailrank_data::DataError| Failure::Other(e.to_string());
    let bytes = to_csv(&Frame::new(columns).map_err(other)?).map_err(other)?;
    Ok(String::from_utf8_lossy(&bytes).trim_end().to_owned())
}
