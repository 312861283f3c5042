//! `tailrank score`

mod rules;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use tailrank_data::frame;
use tailrank_engine::{
    config::RelevanceKind,
    external::{PredictionTable, read_predictions, score_predictions},
    score::{self, Results, TaskId},
    table::Value,
};
use tailrank_metrics::{MetricError, Settings};

use self::rules::Rules;
use super::{
    Exit, Failure, Result, Session, count, note, output::say_exactly, say, summary::answer, table::print,
    width,
};

/// Score predictions made elsewhere, in Python, R or anything that writes CSV or Parquet.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    tailrank score predictions.csv --low -0.02 --high 0.02 --t-l 0.005\n  \
    tailrank score p.parquet --extremes high --measures mad,rmse,sera\n  \
    tailrank score predictions.csv --settings mine.toml --json\n\n\
    Wide tables have a column with the true values (y, truth, actual, target) and one column per model. Long tables have the \
    columns model, prediction and the true values. A column 'task' splits either into tasks; 'date' is passed over. Beside \
    scores and ranks it says how far the measures' rankings agree, and what choosing by one measure loses by another.")]
pub(crate) struct ScoreArguments {
    /// CSV or Parquet, optionally gzipped.
    predictions: PathBuf,
    /// Take [relevance], [measures], [trading] and the tasks' own relevance from this experiment file: every kind of
    /// relevance, and every measure. Its data and models are not looked at.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["low", "high", "extremes"])]
    settings: Option<PathBuf>,
    /// Measures, by id; by default mad, rmse and sera, and with --t-l also precision, recall, f and utility.
    #[arg(long, value_delimiter = ',', value_name = "ID,...")]
    measures: Vec<String>,
    /// Centre of low relevance: smaller values matter.
    #[arg(long, allow_negative_numbers = true)]
    low: Option<f64>,
    /// Centre of high relevance: larger values matter.
    #[arg(long, allow_negative_numbers = true)]
    high: Option<f64>,
    /// Without --low and --high: which extremes matter, both by default; centres come from the box plot of the true values.
    #[arg(long, value_enum)]
    extremes: Option<Side>,
    /// t_E: a value with relevance of at least this is an event; 0.5 by default.
    #[arg(long)]
    t_e: Option<f64>,
    /// t_L: the largest error that still counts as good, in units of the target.
    #[arg(long)]
    t_l: Option<f64>,
    /// β of F: below 1 favours precision; 1 by default.
    #[arg(long)]
    beta: Option<f64>,
    /// p of the utility: above 0.5, the default, missed events weigh more than false alarms.
    #[arg(long)]
    p: Option<f64>,
    /// Rows are in the order of time and predictions look so many steps ahead: intervals are drawn in blocks, luck by shifts.
    #[arg(long, value_name = "STEPS")]
    horizon: Option<usize>,
    /// Print the table of scores as CSV.
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Print scores, ranks, agreement and regret as JSON.
    #[arg(long)]
    json: bool,
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
    let rules = Rules::new(session, arguments)?;
    let from_data = match rules.relevance.kind {
        RelevanceKind::Sigmoid => rules.relevance.low.is_none() && rules.relevance.high.is_none(),
        RelevanceKind::Pchip => rules.relevance.points.is_empty(),
        RelevanceKind::Table | RelevanceKind::Indicator => false,
    };
    if from_data {
        let why = if arguments.settings.is_some() {
            "its settings leave it open"
        } else {
            "no --low or --high given"
        };
        let text = format!("note: {why}; relevance comes from the box plot of the true values themselves");
        note(session, &text);
    }
    let scoring = score::scoring_rules(&rules.measures, rules.trading()).map_err(|problems| {
        let list: Vec<String> = problems
            .iter()
            .map(|p| p.message.replace("utility.t (or t_l)", "--t-l").replace("needs t_l", "needs --t-l"))
            .collect();
        Failure::Usage(list.join("\n       "))
    })?;
    let refuse = |e: &dyn std::fmt::Display| Failure::input(path, e);
    let mut settings = Vec::with_capacity(tasks.len());
    for task in &tasks {
        let relevance = rules.relevance_of(&task.task);
        let of_task = scoring.for_task(&relevance, &task.truth, None).map_err(|e| refuse(&e))?;
        warn_of_events(session, task, &of_task).map_err(|e| refuse(&e))?;
        settings.push(of_task);
    }
    let compare = rules.compare();
    let results = score_predictions(
        &tasks,
        &settings,
        &scoring.measures,
        arguments.horizon,
        &compare,
        &rules.inference(),
        SEED,
    )?;
    if arguments.csv {
        let table = score::scores_table(&results.names, &results.scores);
        let bytes = frame::to_csv(&table.frame()?).map_err(|e| Failure::Other(e.to_string()))?;
        say_exactly(String::from_utf8_lossy(&bytes).trim_end());
    } else if arguments.json {
        say(&format!("{:#}", results.full_json()));
    } else {
        for task in TaskId::all(tasks.len()) {
            say_task(&results, task);
        }
        say(&answer(&results, width()));
    }
    Ok(Exit::Fine)
}

/// Names the permutations behind p-values; the same file gives the same answer.
const SEED: u64 = 2009;

fn warn_of_events(
    session: &Session,
    task: &PredictionTable,
    settings: &Settings,
) -> std::result::Result<(), MetricError> {
    let Some(phi) = &settings.relevance else { return Ok(()) };
    if let Some(warning) = phi.check_events("true", &task.truth, settings.t_e)?.warning() {
        note(session, &format!("warning: {warning}"));
    }
    Ok(())
}

/// Scores, ranks, agreement and costs of one task.
fn say_task(results: &Results, task: TaskId) {
    let (name, scores) = (results.names.task(task), &results.scores[task]);
    if !name.is_empty() {
        say(&format!("{name}:"));
    }
    say(&format!("{}, {}", count(scores.cases, "case"), count(scores.events, "event")));
    let models = scores.scored().len();
    for (id, heading, least) in [
        ("scores", "", 1),
        ("ranks", "\nRanks:", 2),
        ("comparisons", "\nHow far the rankings agree:", 3),
        ("regret", "\nWhat choosing by one measure loses by another:", 2),
    ] {
        let Some(mut table) = results.table(id).filter(|_| models >= least) else { continue };
        table = table.part(&[("task", name)]);
        // Nothing is lost where both measures choose the same model.
        if let Some(lost) = table.place("regret").filter(|_| id == "regret") {
            table.rows.retain(|row| row[lost].value != Value::Number(0.0));
        }
        if !table.rows.is_empty() {
            if !heading.is_empty() {
                say(heading);
            }
            say(&print(&table.without(&["family"]), width()));
        }
    }
    say("");
}
