//! `tailrank score`

mod arena;
mod rules;

use std::io::Read;

use tailrank_experiment::{
    config::{MissingSetting, RelevanceKind},
    rules::scoring_rules,
};
use tailrank_metrics::{MetricError, relevance::Extremes};
use tailrank_models::Cancel;
use tailrank_report::{Origin, PageInput, TaskPages, answer::Frame, write_report, write_single_file};
use tailrank_score::{
    external::{ColumnNames, PredictionTable, predictions_of, read_predictions, score_predictions},
    score,
};

use self::rules::Rules;
use super::prelude::*;

/// Score predictions made elsewhere, in Python, R or anything that writes CSV or Parquet.
#[derive(Debug, Args)]
#[command(after_help = include_str!("help/score.txt"))]
pub(crate) struct ScoreArguments {
    /// CSV or Parquet, optionally gzipped; - reads standard input.
    predictions: PathBuf,
    #[command(flatten)]
    columns: ColumnArguments,
    /// Write a page with figures, tables and sliders into this folder.
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,
    /// Write that page as one HTML file that can be mailed.
    #[arg(long, value_name = "FILE")]
    single_file: Option<PathBuf>,
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
    #[arg(long, value_parser = enum_value_parser::<Extremes>(EXTREMES), conflicts_with_all = ["low", "high"])]
    extremes: Option<Extremes>,
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
    /// Rows are in the order of time and predictions look so many steps ahead: intervals are drawn in blocks, chance by shifts.
    #[arg(long, value_name = "STEPS", value_parser = steps)]
    horizon: Option<usize>,
    /// Place the predictions on the board of a run over many tasks: that of `tailrank reproduce arena` by default.
    #[arg(
        long,
        value_name = "RUN",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "runs/arena",
        conflicts_with_all = ["settings", "measures", "low", "high", "extremes", "t_e", "t_l", "beta", "p", "horizon", "report", "single_file", "explain"],
    )]
    arena: Option<PathBuf>,
    /// With --arena: what the model is called on the board; the file's name by default.
    #[arg(long, requires = "arena")]
    name: Option<String>,
    /// Print the table of scores as CSV; with --arena, the board.
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// With --csv: put an apostrophe before text that a spreadsheet would run as a formula. Numbers stay as they are.
    #[arg(long, requires = "csv")]
    spreadsheet: bool,
    /// Print all tests, measures and warnings after the answer.
    #[arg(long, conflicts_with_all = ["csv", "json"])]
    explain: bool,
    /// Print every table as JSON.
    #[arg(long)]
    json: bool,
}

/// What columns of a table are called, where it is not what they are looked for by.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Columns of a table of predictions")]
pub(crate) struct ColumnArguments {
    /// Column of the true values; y, truth, y_true, actual, target or observed by default.
    #[arg(long, value_name = "COLUMN")]
    truth: Option<String>,
    /// Column of days; date, or an unnamed first column that holds days, by default.
    #[arg(long, value_name = "COLUMN")]
    date: Option<String>,
    /// Column that keeps tasks apart; task by default.
    #[arg(long, value_name = "COLUMN")]
    task: Option<String>,
    /// Column that keeps the folds of a cross-validation apart; fold by default.
    #[arg(long, value_name = "COLUMN")]
    fold: Option<String>,
}

impl ScoreArguments {
    /// The tables, from a file or from standard input; a task without a name is called as the file is where a page names it.
    fn read(&self) -> Result<Vec<PredictionTable>> {
        path_kind::expect_table(&self.predictions, "a table of predictions")?;
        let ColumnArguments { truth, date, task, fold } = self.columns.clone();
        let names = ColumnNames { truth, date, task, fold };
        let mut tables = if self.is_stdin() {
            let mut bytes = Vec::new();
            let read = std::io::stdin().lock().read_to_end(&mut bytes);
            read.map_err(|e| Failure::Other(format!("cannot read standard input: {e}")))?;
            predictions_of("standard input", &bytes, &names)?
        } else {
            read_predictions(&self.predictions, &names)?
        };
        if self.report.is_some() || self.single_file.is_some() {
            for table in tables.iter_mut().filter(|t| t.task.is_empty()) {
                table.task = self.name();
            }
        }
        Ok(tables)
    }

    fn is_stdin(&self) -> bool {
        self.predictions.as_os_str() == "-"
    }

    fn name(&self) -> String {
        let stem = self.predictions.file_stem().filter(|_| !self.is_stdin());
        let stem = self.name.as_deref().map(std::ffi::OsStr::new).or(stem);
        stem.map_or_else(|| "predictions".to_owned(), |s| s.to_string_lossy().into_owned())
    }
}

/// Which extremes may matter, as an experiment file names them.
pub(super) const EXTREMES: &[&str] = &["low", "high", "both"];

pub(crate) fn score(session: &Session, arguments: &ScoreArguments) -> Result<Exit> {
    if let Some(run) = &arguments.arena {
        return arena::place(session, arguments, run);
    }
    let path = &arguments.predictions;
    let tasks = arguments.read()?;
    check_horizon(arguments.horizon, &tasks)?;
    let rules = Rules::new(session, arguments)?;
    let relevance = &rules.relevance;
    let from_data = match relevance.kind {
        RelevanceKind::Sigmoid => relevance.low.is_none() && relevance.high.is_none(),
        RelevanceKind::Pchip => relevance.points.is_empty(),
        RelevanceKind::Table | RelevanceKind::Indicator => false,
    };
    if from_data {
        let open = "its settings leave it open";
        let why = arguments.settings.as_ref().map_or("no --low or --high given", |_| open);
        let source = "relevance comes from the box plot of the true values themselves";
        session.print_note(&format!("note: {why}; {source}"));
    }
    let refuse = |list: Vec<String>| Failure::Usage(list.join("\n       "));
    let lacks = rules.measures.missing_settings(rules.trading.as_ref());
    if !lacks.is_empty() {
        return Err(refuse(lacks.iter().map(lacking).collect()));
    }
    let scoring = scoring_rules(&rules.measures, rules.trading.as_ref())
        .map_err(|problems| refuse(problems.into_iter().map(|p| p.message).collect()))?;
    let refuse = |e: &dyn std::fmt::Display| Failure::input(path, e);
    let mut settings = Vec::with_capacity(tasks.len());
    for task in &tasks {
        let relevance = rules.relevance_of(&task.task);
        let of_task = scoring.for_task(&relevance, &task.truth, None).map_err(|e| match e {
            MetricError::Parameter { name: "low centre" | "high centre", value, .. }
                if from_data && value == 0.0 && arguments.settings.is_none() =>
            {
                refuse(&no_fence(value))
            }
            e => refuse(&e),
        })?;
        if let Some(phi) = &of_task.relevance {
            let checked = phi.check_events("true", &task.truth, of_task.t_e);
            session.print_warnings(checked.map_err(|e| refuse(&e))?.warning());
        }
        settings.push(of_task);
    }
    let measures = &scoring.measures;
    let Rules { compare, inference, .. } = &rules;
    let cancel = Cancel::default();
    let horizon = arguments.horizon;
    let results = score_predictions(&cancel, &tasks, &settings, measures, horizon, compare, inference, SEED)?;
    let pairs: Vec<_> = results.answer.picks.iter().map(|p| (p.chosen_by, p.judged_by)).collect();
    let command: Vec<String> = std::env::args().skip(1).collect();
    let name = arguments.name();
    let command = format!("tailrank {}", command.join(" "));
    let source = PageInput {
        name: &name,
        title: "",
        seed: SEED,
        results: &results,
        rules: &scoring,
        pairs: &pairs,
        compare,
        claims: &[],
        paper_figures: &[],
        pages: &TaskPages::Chosen,
        origin: Origin::Table { tables: &tasks, settings: &settings, horizon, command: &command },
    };
    let pages = pages(session, arguments, source)?;
    if arguments.csv {
        let table = score::scores_table(&results.names, &results.scores);
        print_csv(&table.frame()?, arguments.spreadsheet)?;
    } else if arguments.json {
        print_json(&answer::full_json(&results));
    } else {
        let mut places: Vec<_> = pages.into_iter().map(|page| ("Report", page)).collect();
        if places.is_empty() && !arguments.explain {
            let details = "the same command with --explain     (other measures, tests, warnings)";
            places.push(("Details", details.to_owned()));
        }
        let frame = Frame { name: &name, width: width(), places, ..Frame::default() };
        print_answer(&results, &frame, arguments.explain);
        return Ok(Exit::Fine);
    }
    // Where results are for a program, standard output holds nothing else.
    for page in pages {
        session.print_note(&format!("Report: {page}"));
    }
    Ok(Exit::Fine)
}

/// Steps ahead: at least one.
fn steps(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|steps| *steps > 0).ok_or_else(|| {
        "give the steps that a prediction looks ahead, such as 1; leave it out where rows are not in order of time"
            .to_owned()
    })
}

/// A prediction that looks further ahead than there are rows cannot have been checked by them.
fn check_horizon(horizon: Option<usize>, tasks: &[PredictionTable]) -> Result<()> {
    let Some(steps) = horizon else { return Ok(()) };
    let Some(task) = tasks.iter().find(|task| steps >= task.truth.len()) else { return Ok(()) };
    let name = if task.task.is_empty() { "the table".to_owned() } else { format!("'{}'", task.task) };
    let rows = count(task.truth.len(), "row");
    let why = "and predictions look fewer steps ahead than that; give the steps of one prediction, such as 1";
    usage(format!("--horizon {steps}: {name} has {rows}, {why}"))
}

/// Why the box plot gives no relevance, with the options that do.
fn no_fence(value: f64) -> String {
    format!(
        "a fence of the box plot of the true values lies at {value}, where the relevance of this kind has no width; say which values \
         matter with --extremes low or high, with --low and --high, or with --settings FILE"
    )
}

/// What a measure needs, by the option that gives it.
fn lacking(lack: &MissingSetting) -> String {
    let tolerance = ("--t-l", "the largest error that still counts as good, in units of the target");
    let is_tolerance = ["t_l", "utility.t"].contains(&lack.key);
    let (option, what) = if is_tolerance { tolerance } else { (lack.key, lack.what) };
    format!("'{}' needs {option}, {what}", lack.measure.id())
}

/// Writes the pages asked for; returns where they are.
fn pages(session: &Session, arguments: &ScoreArguments, source: PageInput<'_>) -> Result<Vec<String>> {
    let mut written = Vec::new();
    if let Some(folder) = &arguments.report {
        let report = write_report(source, folder)?;
        session.print_warnings(&report.notices);
        written.push(report.index.display().to_string());
    }
    if let Some(file) = &arguments.single_file {
        let bytes = write_single_file(source, file)?;
        written.push(one_file(file, bytes));
    }
    Ok(written)
}

/// Names the permutations behind p-values; the same file gives the same answer.
const SEED: u64 = 2009;
