//! `tailrank rank`

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Map, Value, json};
use tailrank_experiment::text::{DASH, count, digits_together, list, p_is, two_decimals};
use tailrank_report::terminal::{Align, Line, Screen, TextTable, Tone};
use tailrank_score::external::{ScoreTable, ScoreTables, read_scores};
use tailrank_stats::{
    Alternative, Better, CorrelationMethod, PostHoc, RankTable, TestResult, TieCorrection,
    critical_difference, iman_davenport, kendall_test, rank_scores, spearman_test,
};

use super::{Exit, Failure, Result, Session, note, output::show, place, say, width};

/// Rank models by every column of a table of scores, and compare the rankings.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  tailrank rank runs/quick/results/scores.csv\n  \
    tailrank rank scores.csv --lower brier --higher auc\n\n\
    The table has one row per model. A column 'model' or 'variant' (else the first with text) holds the names; every column \
    of numbers is a measure. A column 'task' splits it into tasks. Measures of `tailrank list metrics` have their direction; \
    name others with --lower or --higher. An empty score is undefined and ranks last. Files of `tailrank score --csv` and \
    `tailrank run` can be read directly.")]
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
        note(session, &format!("note: ignored (not scores): {}", found.passed_over.join(", ")));
    }
    if found.without_fit > 0 {
        note(session, &format!("note: {} ignored (missing or failed fits)", count(found.without_fit, "row")));
    }
    if found.references > 0 {
        note(session, &format!("note: {} not ranked", count(found.references, "baseline")));
    }
    if found.copies > 0 {
        let rows = count(found.copies, "row");
        note(session, &format!("note: {rows} ignored (same predictions as an earlier row)"));
    }
    let mut ranked = Vec::with_capacity(found.tasks.len());
    for table in &found.tasks {
        ranked.push((table, ranks(table).map_err(|e| Failure::input(&arguments.scores, e))?));
    }
    let average = average_ranks(&found.tasks);
    if arguments.json {
        let tasks: Vec<Value> = ranked.iter().map(|(table, ranks)| task_json(table, ranks)).collect();
        let all = json!({
            "tasks": tasks,
            "average_ranks": average.as_ref().map(|a| average_json(&found, a)),
            "friedman": average_tests(&average),
            "evidence": evidence(&arguments.scores),
        });
        say(&format!("{all:#}"));
        return Ok(Exit::Fine);
    }
    show(&screen(&arguments.scores, &found, &ranked, average.as_ref()));
    Ok(Exit::Fine)
}

type Ranked<'a> = (&'a ScoreTable, Vec<Vec<f64>>);

/// Models shown of a long table.
const MOST_MODELS: usize = 12;

fn screen(path: &Path, found: &ScoreTables, ranked: &[Ranked<'_>], average: Option<&AverageRanks>) -> Screen {
    let width = width();
    let mut out = Screen::default();
    let name = path.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
    let Some((first, ranks)) = ranked.first() else { return out };
    let mut facts = vec![count(first.models.len(), "model"), count(first.measures.len(), "measure")];
    if ranked.len() > 1 {
        facts.push(count(ranked.len(), "task"));
    }
    out.headed((Tone::Strong, &name), &format!(" · {}", facts.join(" · ")), width, 2);
    out.wrapped(Tone::Caution, "NO VERDICT. Scores alone cannot be tested.", width, 0);
    out.gap();
    match average {
        Some(average) => {
            let tasks = count(ranked.len(), "task");
            out.wrapped(Tone::Plain, &format!("Average rank over {tasks}:"), width, 0);
            show_models(&mut out, average_table(found, average), width);
            out.gap();
            for sentence in average.measures.iter().filter_map(|m| m.sentence(&average.models)) {
                out.wrapped(Tone::Plain, &format!(" {sentence}"), width, 1);
            }
        }
        None => {
            show_models(&mut out, rank_table(first, ranks), width);
            out.gap();
            out.wrapped(Tone::Plain, &format!(" {}", leaders(first, ranks)), width, 1);
            let pair = agreements(&names(first), ranks).into_iter().find_map(|a| a.sentence());
            if let Some(text) = pair {
                out.wrapped(Tone::Dim, &format!(" {text}"), width, 1);
            }
        }
    }
    if ranked.len() > 1 && average.is_none() {
        out.push(Line::new(Tone::Dim, format!(" … {} more with --json", count(ranked.len() - 1, "task"))));
    }
    out.gap();
    out.wrapped(Tone::Dim, &format!(" {}", evidence(path)), width, 1);
    out
}

/// The first models of a table; how many are left out is said below.
fn show_models(out: &mut Screen, mut table: TextTable, width: usize) {
    let left = table.rows.len().saturating_sub(MOST_MODELS);
    table.rows.truncate(MOST_MODELS);
    table.indent = 1;
    let (lines, columns) = table.lay_out(width);
    out.extend(lines);
    let more: Vec<String> = [(left, "more model"), (columns, "more measure")]
        .into_iter()
        .filter(|(n, _)| *n > 0)
        .map(|(n, what)| count(n, what))
        .collect();
    if !more.is_empty() {
        out.push(Line::new(Tone::Dim, format!(" … {} with --json", more.join(" and "))));
    }
}

/// Where tests are to be had: a bootstrap needs the predictions of each case.
fn evidence(scores: &Path) -> String {
    let beside = scores.with_file_name("decisions.csv");
    match beside.is_file() {
        true => format!("Verdicts, intervals and tests: {}", beside.display()),
        false => "A verdict needs the predictions of each case: tailrank score PREDICTIONS.csv".to_owned(),
    }
}

/// Two measures' rankings of the same models.
struct Agreement {
    measures: [String; 2],
    /// None where all models are tied by a measure, or there are too few.
    rho: Option<TestResult>,
    tau: Option<TestResult>,
}

/// Every pair of measures; `ranks` are parallel to their names.
fn agreements(names: &[&str], ranks: &[Vec<f64>]) -> Vec<Agreement> {
    let (auto, two_sided) = (CorrelationMethod::Auto, Alternative::TwoSided);
    let mut all = Vec::new();
    for i in 0..ranks.len() {
        for j in i + 1..ranks.len() {
            all.push(Agreement {
                measures: [names[i].to_owned(), names[j].to_owned()],
                rho: spearman_test(&ranks[i], &ranks[j], auto, two_sided).ok(),
                tau: kendall_test(&ranks[i], &ranks[j], auto, two_sided).ok(),
            });
        }
    }
    // The pair that most users ask for comes first.
    all.sort_by_key(|a| a.measures != ["mad", "f"]);
    all
}

impl Agreement {
    fn sentence(&self) -> Option<String> {
        let (rho, tau) = (self.rho.as_ref()?.estimate?, self.tau.as_ref()?);
        let [a, b] = &self.measures;
        let (rho, p) = (two_decimals(rho), p_is(tau.p_value));
        Some(format!("Rankings by {a} and {b}: ρ {rho}, τ {} ({p}).", two_decimals(tau.estimate?)))
    }

    /// For scripts; undefined is null.
    fn as_json(&self) -> Value {
        json!({
            "measures": self.measures,
            "rho": self.rho.as_ref().and_then(|t| t.estimate),
            "tau": self.tau.as_ref().and_then(|t| t.estimate),
            "tau_p": self.tau.as_ref().map(|t| t.p_value),
            "tau_method": self.tau.as_ref().map(|t| t.method),
        })
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

/// Scores with their ranks, the models with the smallest mean rank first.
fn rank_table(table: &ScoreTable, ranks: &[Vec<f64>]) -> TextTable {
    let texts: Vec<Vec<String>> = table
        .measures
        .iter()
        .map(|m| digits_together(&m.scores.iter().map(|s| s.unwrap_or(f64::NAN)).collect::<Vec<_>>()))
        .collect();
    let mut order: Vec<usize> = (0..table.models.len()).collect();
    let sum = |i: usize| ranks.iter().map(|r| r[i]).sum::<f64>();
    order.sort_by(|&a, &b| sum(a).total_cmp(&sum(b)));
    let row = |i: usize| {
        let cells = texts.iter().zip(ranks).map(|(t, r)| format!("{} #{}", t[i], r[i]));
        std::iter::once(table.models[i].clone()).chain(cells).collect()
    };
    TextTable {
        headings: headings(table),
        rows: order.into_iter().map(row).collect(),
        ..TextTable::default()
    }
}

/// Models that every task has, with their average rank by each measure.
struct AverageRanks {
    models: Vec<String>,
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
    fn sentence(&self, models: &[String]) -> Option<String> {
        let (p, cd) = (self.p?, self.critical_difference?);
        let (name, p_text) = (&self.name, p_is(p));
        if p >= ALPHA {
            return Some(format!("By {name} the models do not differ clearly (Friedman, {p_text})."));
        }
        let first = self.ranks.iter().copied().fold(f64::INFINITY, f64::min);
        let tied = self.ranks.iter().filter(|r| **r - first <= cd).count();
        let leader = self.ranks.iter().position(|r| *r == first).map_or(DASH, |i| models[i].as_str());
        let tied = match tied {
            0 | 1 => String::new(),
            n => format!(", tied with {}", count(n - 1, "other")),
        };
        Some(format!("By {name} the models differ (Friedman, {p_text}); first is {leader}{tied}."))
    }
}

/// None with fewer than two tasks, or two models that all of them have.
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
    Some(AverageRanks { models, measures })
}

fn average_table(found: &ScoreTables, average: &AverageRanks) -> TextTable {
    let mut order: Vec<usize> = (0..average.models.len()).collect();
    let sum = |i: usize| average.measures.iter().map(|m| m.ranks[i]).sum::<f64>();
    order.sort_by(|&a, &b| sum(a).total_cmp(&sum(b)));
    let row = |i: usize| {
        std::iter::once(average.models[i].clone())
            .chain(average.measures.iter().map(|m| two_decimals(m.ranks[i])))
            .collect()
    };
    let rows = order.into_iter().map(row).collect();
    TextTable { headings: headings(&found.tasks[0]), rows, ..TextTable::default() }
}

/// Which model is first by which measures.
fn leaders(table: &ScoreTable, ranks: &[Vec<f64>]) -> String {
    let mut first: Vec<(String, Vec<&str>)> = Vec::new();
    for (measure, ranks) in table.measures.iter().zip(ranks) {
        let Some(place) = ranks.iter().position(|r| *r < 1.5) else { continue };
        let model = &table.models[place];
        match first.iter_mut().find(|(known, _)| known == model) {
            Some((_, by)) => by.push(&measure.name),
            None => first.push((model.clone(), vec![&measure.name])),
        }
    }
    match &first[..] {
        [] => "No model is alone in first place.".to_owned(),
        [(model, _)] => format!("{model} is first by every measure."),
        several => {
            let told: Vec<String> = several.iter().map(|(m, by)| format!("{m} by {}", list(by))).collect();
            format!("First: {}.", told.join("; "))
        }
    }
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
