//! `tailrank rank`

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Map, Value, json};
use tailrank_experiment::text::{digits, or_dash, p_value};
use tailrank_score::external::{ScoreTable, ScoreTables, read_scores};
use tailrank_stats::{
    Better, PostHoc, RankTable, TieCorrection, critical_difference, iman_davenport, rank_scores,
};

use super::{
    Exit, Failure, Result, Session,
    agreement::{Agreement, agreement_table, agreements},
    count, note, place, say,
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
    place::expect_table(&arguments.scores, "a table of scores")?;
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
    if found.references > 0 {
        note(session, &format!("note: {} not ranked, as in a run", count(found.references, "baseline")));
    }
    if found.copies > 0 {
        let rows = count(found.copies, "row");
        note(session, &format!("note: {rows} left out: the same predictions as a row before"));
    }
    let mut ranked = Vec::with_capacity(found.tasks.len());
    for table in &found.tasks {
        ranked.push((table, ranks(table).map_err(|e| Failure::input(&arguments.scores, e))?));
    }
    let average_of_tasks = average_ranks(&found.tasks);
    if arguments.json {
        let tasks: Vec<Value> = ranked.iter().map(|(table, ranks)| task_json(table, ranks)).collect();
        let average: Option<Value> = average_of_tasks.as_ref().map(|a| average_json(&found, a));
        let tests = average_tests(&average_of_tasks);
        let sureness = sureness(&arguments.scores);
        let all =
            json!({ "tasks": tasks, "average_ranks": average, "friedman": tests, "sureness": sureness });
        say(&format!("{all:#}"));
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
    if let Some(average) = average_of_tasks {
        say(&format!("\nAverage ranks over {}:", count(found.tasks.len(), "task")));
        say(&average_table(&found, &average));
        let sentences = average.measures.iter().filter_map(|m| m.sentence(&average.models, average.tasks));
        for (i, sentence) in sentences.enumerate() {
            say(&format!("{}{}", if i == 0 { "\n" } else { "" }, wrap(&sentence, width())));
        }
    }
    say(&format!("\n{}", wrap(&sureness(&arguments.scores), width())));
    Ok(Exit::Fine)
}

/// Where to read how sure the ranks of a task are: a bootstrap needs the predictions of each case, which scores have lost.
fn sureness(scores: &Path) -> String {
    let beside = scores.with_file_name("intervals.csv");
    if beside.is_file() {
        format!(
            "How sure the scores of each task are stands beside them: {}, confidence_sets.csv and luck.csv.",
            beside.display()
        )
    } else {
        "How sure the ranks of a task are cannot be told from scores. Give the predictions of each case to `tailrank score`: \
         it adds intervals, confidence sets and tests against luck."
            .to_owned()
    }
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
    tasks: usize,
    /// One entry per measure.
    measures: Vec<AcrossTasks>,
}

/// What one measure says of the models over all tasks.
struct AcrossTasks {
    name: String,
    /// Average ranks, parallel to the models.
    ranks: Vec<f64>,
    /// p of Iman and Davenport's version of Friedman's test: do the models differ at all?
    p: Option<f64>,
    /// Nemenyi's critical difference of average ranks.
    critical_difference: Option<f64>,
}

/// Significance level of the tests over tasks.
const ALPHA: f64 = 0.05;

impl AcrossTasks {
    /// What the tests say, in a sentence.
    fn sentence(&self, models: &[String], tasks: usize) -> Option<String> {
        let (p, cd) = (self.p?, self.critical_difference?);
        if p >= ALPHA {
            return Some(format!(
                "By {} the models cannot be told apart over {} (Friedman, Iman and Davenport: p {}).",
                self.name,
                count(tasks, "task"),
                p_value(p)
            ));
        }
        let best = self.ranks.iter().copied().fold(f64::INFINITY, f64::min);
        let level: Vec<&str> = models
            .iter()
            .zip(&self.ranks)
            .filter(|(_, r)| **r - best <= cd)
            .map(|(m, _)| m.as_str())
            .collect();
        Some(format!(
            "By {} the models differ (Friedman, Iman and Davenport: p {}); level with the best (Nemenyi, critical \
             difference {}): {}.",
            self.name,
            p_value(p),
            digits(cd),
            level.join(", ")
        ))
    }
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
    let of_measure = |(m, measure): (usize, &tailrank_score::external::MeasureColumn)| {
        let rows: Vec<Vec<Option<f64>>> = tasks
            .iter()
            .zip(&places)
            .map(|(t, places)| places.iter().map(|&p| t.measures[m].scores[p]).collect())
            .collect();
        let table = RankTable::from_scores(&rows, measure.better).ok()?;
        Some(AcrossTasks {
            name: measure.name.clone(),
            ranks: table.average_ranks(),
            p: iman_davenport(&table, TieCorrection::Corrected).ok().map(|t| t.p_value),
            critical_difference: critical_difference(PostHoc::Nemenyi, models.len(), tasks.len(), ALPHA).ok(),
        })
    };
    let measures = first.measures.iter().enumerate().map(of_measure).collect::<Option<_>>()?;
    Some(AverageRanks { models, tasks: tasks.len(), measures })
}

fn average_table(found: &ScoreTables, average: &AverageRanks) -> String {
    let row = |(i, model): (usize, &String)| {
        std::iter::once(model.clone())
            .chain(average.measures.iter().map(|m| format!("{:.2}", m.ranks[i])))
            .collect()
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
    let model = |(i, name): (usize, &String)| json!({ "model": name, "ranks": by_measure(&found.tasks[0], |m| average.measures[m].ranks[i].into()) });
    average.models.iter().enumerate().map(model).collect()
}

/// The tests over all tasks, measure by measure.
fn average_tests(average: &Option<AverageRanks>) -> Vec<Value> {
    let test = |m: &AcrossTasks| json!({ "measure": m.name, "p": m.p, "critical_difference": m.critical_difference });
    average.iter().flat_map(|a| a.measures.iter().map(test)).collect()
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
