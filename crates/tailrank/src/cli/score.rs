//! `tailrank score`

mod rules;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde_json::{Map, Value, json};
use tailrank_engine::{
    config::{RelevanceKind, RelevanceSettings},
    external::{PredictionTable, read_predictions},
    score::{self, Predictions, Regret, TaskScores, TaskTruth, VariantStatus},
};
use tailrank_metrics::{Measure, Score};
use tailrank_stats::rank_scores;

use self::rules::Rules;
use super::{
    Exit, Failure, Result, Session,
    agreement::{Agreement, agreement_table, agreements},
    count, note,
    output::say_exactly,
    say,
    table::{Align, digits, layout, percent, wrap},
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
    let mut tables = Vec::new();
    for task in &tasks {
        let relevance = rules.relevance_of(&task.task);
        tables.push(score_task(session, task, &relevance, &scoring).map_err(|e| Failure::input(path, e))?);
    }
    if arguments.csv {
        say_exactly(&csv(&tasks, &tables)?);
        return Ok(Exit::Fine);
    }
    let regrets = score::regrets(&tables);
    let found: Vec<Found<'_>> = tasks
        .iter()
        .zip(&tables)
        .enumerate()
        .map(|(t, (task, scores))| Found {
            task,
            scores,
            ranks: ranks(scores),
            regrets: regrets.iter().filter(|r| r.task == t).collect(),
        })
        .collect();
    if arguments.json {
        let tasks: Vec<Value> = found.iter().map(Found::as_json).collect();
        say(&format!("{:#}", json!({ "tasks": tasks })));
    } else {
        for one in &found {
            one.say();
        }
    }
    Ok(Exit::Fine)
}

/// What the predictions for one task came to.
struct Found<'a> {
    task: &'a PredictionTable,
    scores: &'a TaskScores,
    /// One vector per measure.
    ranks: Vec<Vec<f64>>,
    regrets: Vec<&'a Regret>,
}

fn ranks(scores: &TaskScores) -> Vec<Vec<f64>> {
    scores.measures.iter().map(|&m| rank_scores(&scores.values(m), m.better()).unwrap_or_default()).collect()
}

impl Found<'_> {
    fn agreements(&self, name: impl Fn(Measure) -> &'static str) -> Vec<Agreement> {
        let names: Vec<&str> = self.scores.measures.iter().map(|&m| name(m)).collect();
        agreements(&names, &self.ranks)
    }

    fn say(&self) {
        if !self.task.task.is_empty() {
            say(&format!("{}:", self.task.task));
        }
        say(&format!("{}, {}", count(self.scores.cases, "case"), count(self.scores.events, "event")));
        say(&task_table(self.task, self.scores, &self.ranks));
        if self.scores.measures.len() > 1 && self.task.models.len() > 2 {
            say("\nHow far the rankings agree:");
            say(&agreement_table(&self.agreements(|m| m.info().symbol)));
        }
        if self.scores.measures.len() > 1 && self.task.models.len() > 1 {
            say(&wrap(
                "\nWhat choosing by one measure loses by the others, as a share of the best score:",
                width(),
            ));
            say(&self.regret_table());
        }
        say("");
    }

    /// A row for the measure chosen by, a column for the one judged by.
    fn regret_table(&self) -> String {
        let measures = &self.scores.measures;
        let mut headings: Vec<(&str, Align)> = vec![("chosen by", Align::Left), ("model", Align::Left)];
        headings.extend(measures.iter().map(|m| (m.info().symbol, Align::Right)));
        let rows: Vec<Vec<String>> = measures
            .iter()
            .map(|&by| {
                let of_row: Vec<&&Regret> = self.regrets.iter().filter(|r| r.chosen_by == by).collect();
                let chosen =
                    of_row.first().map_or_else(|| "–".to_owned(), |r| self.task.models[r.chosen].0.clone());
                let lost = measures
                    .iter()
                    .map(|&m| percent(of_row.iter().find(|r| r.judged_by == m).and_then(|r| r.relative)));
                [by.info().symbol.to_owned(), chosen].into_iter().chain(lost).collect()
            })
            .collect();
        layout(&headings, &rows, width())
    }

    fn as_json(&self) -> Value {
        let by_measure = |value: &dyn Fn(usize, Measure) -> Value| {
            let pairs =
                self.scores.measures.iter().enumerate().map(|(i, &m)| (m.id().to_owned(), value(i, m)));
            Value::Object(pairs.collect::<Map<_, _>>())
        };
        let model = |v: usize| {
            let value = |m: Measure| self.scores.score(v, m).and_then(Score::value);
            json!({
                "model": self.task.models[v].0,
                "signals": self.scores.signals[v],
                "scores": by_measure(&|_, m| value(m).into()),
                "ranks": by_measure(&|i, _| self.ranks[i].get(v).copied().into()),
            })
        };
        let regret = |r: &&Regret| {
            json!({
                "chosen_by": r.chosen_by.id(),
                "chosen": self.task.models[r.chosen].0,
                "judged_by": r.judged_by.id(),
                "best": r.best.map(|v| self.task.models[v].0.as_str()),
                "regret": r.relative,
            })
        };
        json!({
            "task": self.task.task,
            "cases": self.scores.cases,
            "events": self.scores.events,
            "models": (0..self.task.models.len()).map(model).collect::<Vec<_>>(),
            "agreement": self.agreements(Measure::id).iter().map(Agreement::as_json).collect::<Vec<_>>(),
            "regret": self.regrets.iter().map(regret).collect::<Vec<_>>(),
        })
    }
}

fn score_task(
    session: &Session,
    task: &PredictionTable,
    relevance: &RelevanceSettings,
    rules: &score::ScoringRules,
) -> std::result::Result<TaskScores, String> {
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

fn task_table(task: &PredictionTable, scores: &TaskScores, ranks: &[Vec<f64>]) -> String {
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

fn csv(tasks: &[PredictionTable], tables: &[TaskScores]) -> Result<String> {
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
