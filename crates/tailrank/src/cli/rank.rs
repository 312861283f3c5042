//! `tailrank rank`

use std::path::PathBuf;

use clap::Args;
use serde_json::{Map, Value, json};
use tailrank_engine::{
    external::{ScoreTable, ScoreTables, read_scores},
    text::{digits, or_dash},
};
use tailrank_stats::{Better, RankTable, rank_scores};

use super::{
    Exit, Failure, Result, Session,
    agreement::{Agreement, agreement_table, agreements},
    count, note, say,
    table::{Align, layout, wrap},
    width,
};

/// Rank models by every column of a table of scores, and compare the rankings.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  tailrank rank runs/quick/results/scores.csv\n  \
    tailrank rank scores.csv --lower brier --higher auc\n\n\
    The table has one row per model: a column 'model' or 'variant' (else the first with text) holds the names, every column \
    of numbers is a measure. A column 'task' splits it into tasks, which are ranked one by one. Measures that `tailrank list \
    metrics` knows have their direction; name others with --lower or --higher. An empty cell is an undefined score and ranks \
    last. What `tailrank score --csv` and `tailrank run` write is read as it is.")]
pub(crate) struct RankArguments {
    /// CSV or Parquet with one row per model.
    scores: PathBuf,
    /// Columns where lower is better.
    #[arg(long, value_delimiter = ',')]
    lower: Vec<String>,
    /// Columns where higher is better.
    #[arg(long, value_delimiter = ',')]
    higher: Vec<String>,
    /// Print scores, ranks and their agreement as JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn rank(session: &Session, arguments: &RankArguments) -> Result<Exit> {
    let found = read_scores(&arguments.scores, &arguments.lower, &arguments.higher)?;
    if !found.passed_over.is_empty() {
        note(
            session,
            &wrap(&format!("note: no measures, passed over: {}", found.passed_over.join(", ")), width()),
        );
    }
    if found.without_fit > 0 {
        note(session, &format!("note: {} left out: not fitted, or failed", count(found.without_fit, "row")));
    }
    let mut ranked = Vec::with_capacity(found.tasks.len());
    for table in &found.tasks {
        ranked.push((table, ranks(table).map_err(|e| Failure::input(&arguments.scores, e))?));
    }
    let average = average_ranks(&found.tasks);
    if arguments.json {
        let tasks: Vec<Value> = ranked.iter().map(|(table, ranks)| task_json(table, ranks)).collect();
        let average: Option<Value> = average.as_ref().map(|a| average_json(&found, a));
        say(&format!("{:#}", json!({ "tasks": tasks, "average_ranks": average })));
        return Ok(Exit::Fine);
    }
    for (i, (table, ranks)) in ranked.iter().enumerate() {
        if !table.task.is_empty() {
            say(&format!("{}{}:", if i == 0 { "" } else { "\n" }, table.task));
        }
        say(&rank_table(table, ranks));
        if table.measures.len() > 1 && table.models.len() > 2 {
            say("\nHow far the rankings agree:");
            say(&agreement_table(&agreements(&names(table), ranks)));
        }
        say(&format!("\n{}", wrap(&verdict(table, ranks), width())));
    }
    if let Some(average) = average {
        say(&format!("\nAverage ranks over {}:", count(found.tasks.len(), "task")));
        say(&average_table(&found, &average));
    }
    Ok(Exit::Fine)
}

fn names(table: &ScoreTable) -> Vec<&str> {
    table.measures.iter().map(|m| m.name.as_str()).collect()
}

fn ranks(table: &ScoreTable) -> std::result::Result<Vec<Vec<f64>>, String> {
    table
        .measures
        .iter()
        .map(|m| rank_scores(&m.scores, m.better).map_err(|e| format!("{}: {e}", m.name)))
        .collect()
}

fn headings(table: &ScoreTable) -> Vec<(String, Align)> {
    let mut headings = vec![("model".to_owned(), Align::Left)];
    for m in &table.measures {
        let arrow = if m.better == Better::Lower { "↓" } else { "↑" };
        headings.push((format!("{} {arrow}", m.name), Align::Right));
    }
    headings
}

fn laid_out(table: &ScoreTable, rows: &[Vec<String>]) -> String {
    let headings = headings(table);
    let headings: Vec<(&str, Align)> = headings.iter().map(|(h, a)| (h.as_str(), *a)).collect();
    layout(&headings, rows, width())
}

fn rank_table(table: &ScoreTable, ranks: &[Vec<f64>]) -> String {
    let rows: Vec<Vec<String>> = (0..table.models.len())
        .map(|i| {
            let cells = table
                .measures
                .iter()
                .zip(ranks)
                .map(|(m, r)| format!("{} #{}", or_dash(m.scores[i], digits), r[i]));
            std::iter::once(table.models[i].clone()).chain(cells).collect()
        })
        .collect();
    laid_out(table, &rows)
}

/// Models that every task has, with their average rank by each measure.
struct AverageRanks {
    models: Vec<String>,
    /// One vector per measure, parallel to `models`.
    ranks: Vec<Vec<f64>>,
}

/// Nothing to say with fewer than two tasks, or two models that all of them have.
fn average_ranks(tasks: &[ScoreTable]) -> Option<AverageRanks> {
    let [first, others @ ..] = tasks else { return None };
    let everywhere = |model: &&String| others.iter().all(|t| t.models.contains(model));
    let models: Vec<String> = first.models.iter().filter(everywhere).cloned().collect();
    if others.is_empty() || models.len() < 2 {
        return None;
    }
    let places: Vec<Vec<usize>> = tasks
        .iter()
        .map(|t| models.iter().filter_map(|m| t.models.iter().position(|n| n == m)).collect())
        .collect();
    let of_measure = |(m, measure): (usize, &tailrank_engine::external::MeasureColumn)| {
        let rows: Vec<Vec<Option<f64>>> = tasks
            .iter()
            .zip(&places)
            .map(|(t, places)| places.iter().map(|&p| t.measures[m].scores[p]).collect())
            .collect();
        Some(RankTable::from_scores(&rows, measure.better).ok()?.average_ranks())
    };
    let ranks = first.measures.iter().enumerate().map(of_measure).collect::<Option<_>>()?;
    Some(AverageRanks { models, ranks })
}

fn average_table(found: &ScoreTables, average: &AverageRanks) -> String {
    let row = |(i, model): (usize, &String)| {
        std::iter::once(model.clone()).chain(average.ranks.iter().map(|r| format!("{:.2}", r[i]))).collect()
    };
    let rows: Vec<Vec<String>> = average.models.iter().enumerate().map(row).collect();
    laid_out(&found.tasks[0], &rows)
}

/// A value for every measure, by its name.
fn by_measure(table: &ScoreTable, value: impl Fn(usize) -> Value) -> Value {
    let pairs = table.measures.iter().enumerate().map(|(m, measure)| (measure.name.clone(), value(m)));
    Value::Object(pairs.collect::<Map<_, _>>())
}

fn task_json(table: &ScoreTable, ranks: &[Vec<f64>]) -> Value {
    let model = |(i, name): (usize, &String)| {
        json!({
            "model": name,
            "scores": by_measure(table, |m| table.measures[m].scores[i].into()),
            "ranks": by_measure(table, |m| ranks[m][i].into()),
        })
    };
    let agreement: Vec<Value> = agreements(&names(table), ranks).iter().map(Agreement::as_json).collect();
    json!({
        "task": table.task,
        "models": table.models.iter().enumerate().map(model).collect::<Vec<_>>(),
        "agreement": agreement,
    })
}

fn average_json(found: &ScoreTables, average: &AverageRanks) -> Value {
    let model = |(i, name): (usize, &String)| json!({ "model": name, "ranks": by_measure(&found.tasks[0], |m| average.ranks[m][i].into()) });
    average.models.iter().enumerate().map(model).collect()
}

/// Who is first by all measures, and between whom they disagree.
fn verdict(table: &ScoreTable, ranks: &[Vec<f64>]) -> String {
    let n = table.models.len();
    let first: Vec<&str> =
        (0..n).filter(|&i| ranks.iter().all(|r| r[i] < 1.5)).map(|i| table.models[i].as_str()).collect();
    let mut text = match first[..] {
        [one] => format!("All measures put {one} first."),
        _ => "The measures do not agree on one winner.".to_owned(),
    };
    let mut disputed = Vec::new();
    for i in 0..n {
        for j in i + 1..n {
            let ahead = ranks.iter().any(|r| r[i] < r[j]);
            let behind = ranks.iter().any(|r| r[i] > r[j]);
            if ahead && behind {
                disputed.push(format!("{} and {}", table.models[i], table.models[j]));
            }
        }
    }
    let shown = disputed.len().min(5);
    if shown > 0 {
        let more = if disputed.len() > shown {
            format!(" and {} other pairs", disputed.len() - shown)
        } else {
            String::new()
        };
        text.push_str(&format!(" In dispute: {}{more}.", disputed[..shown].join("; ")));
    }
    text
}
