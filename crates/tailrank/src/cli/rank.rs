//! `tailrank rank`

use indexmap::IndexMap;
use serde::Serialize;
use tailrank_experiment::text::p_is;
use tailrank_score::external::{MeasureColumn, ScoreTable, read_scores};
use tailrank_stats::{
    Alternative, Better, CorrelationMethod, PostHoc, RankTable, Word, critical_difference, iman_davenport,
    kendall_test, rank_scores, spearman_test,
};

use super::prelude::*;

/// Rank models by every column of a table of scores, and compare the rankings.
#[derive(Debug, Args)]
#[command(after_help = include_str!("help/rank.txt"))]
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
    path_kind::expect_table(&arguments.scores, "a table of scores")?;
    let found = read_scores(&arguments.scores, &arguments.lower, &arguments.higher)?;
    let ignored = found.passed_over.join(", ");
    let [unfitted, copies] = [found.without_fit, found.copies].map(|n| count(n, "row"));
    for (n, text) in [
        (found.passed_over.len(), format!("ignored (not scores): {ignored}")),
        (found.without_fit, format!("{unfitted} ignored (missing or failed fits)")),
        (found.references, format!("{} not ranked", count(found.references, "baseline"))),
        (found.copies, format!("{copies} ignored (same predictions as an earlier row)")),
    ] {
        if n > 0 {
            session.print_note(&format!("note: {text}"));
        }
    }
    let ranked = |table| Ok((table, ranks(table).map_err(|e| Failure::input(&arguments.scores, e))?));
    let ranked: Vec<Ranked<'_>> = found.tasks.iter().map(ranked).collect::<Result<_>>()?;
    let average = AverageRanks::new(&found.tasks);
    let json = || {
        json!({
            "tasks": ranked.iter().map(task_json).collect::<Vec<_>>(),
            "average_ranks": average.as_ref().map(|a| a.as_json(&found.tasks[0])),
            "friedman": average.as_ref().map_or_else(Vec::new, |a| a.tests_json(&found.tasks[0])),
            "evidence": evidence(&arguments.scores),
        })
    };
    print_found(arguments.json, json, || screen(&arguments.scores, &ranked, average.as_ref()))
}

type Ranked<'a> = (&'a ScoreTable, Vec<Vec<f64>>);

/// Models shown of a long table.
const MOST_MODELS: usize = 12;

fn screen(path: &Path, ranked: &[Ranked<'_>], average: Option<&AverageRanks>) -> Screen {
    let width = width();
    let mut out = Screen::default();
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let Some((first, ranks)) = ranked.first() else { return out };
    let mut facts = vec![count(first.models.len(), "model"), count(first.measures.len(), "measure")];
    if ranked.len() > 1 {
        facts.push(count(ranked.len(), "task"));
    }
    out.headed((Tone::Strong, &name), &format!(" · {}", facts.join(" · ")), width, 2);
    out.wrapped(Tone::Caution, "NO VERDICT. Scores alone cannot be tested.", width, 0);
    out.gap();
    let (table, told) = match average {
        Some(average) => {
            let tasks = count(ranked.len(), "task");
            out.wrapped(Tone::Plain, &format!("Average rank over {tasks}:"), width, 0);
            let rank = |m: usize, i: usize| two_decimals(average.ranks[m][i]);
            let sentences = (0..first.measures.len()).filter_map(|m| average.sentence(first, m));
            let sentences = sentences.map(|sentence| (Tone::Plain, sentence)).collect();
            (model_table(first, &average.models, &average.ranks, rank), sentences)
        }
        None => {
            let mut sentences = vec![(Tone::Plain, leaders(first, ranks))];
            let agreement = agreements(first, ranks).iter().find_map(Agreement::sentence);
            sentences.extend(agreement.map(|sentence| (Tone::Dim, sentence)));
            (rank_table(first, ranks), sentences)
        }
    };
    out.extend(table.lay_out_most(MOST_MODELS, width, ["model", "measure"], "with --json"));
    out.gap();
    for (tone, sentence) in told {
        out.wrapped(tone, &format!(" {sentence}"), width, 1);
    }
    if ranked.len() > 1 && average.is_none() {
        out.push(Line::new(Tone::Dim, format!(" … {} more with --json", count(ranked.len() - 1, "task"))));
    }
    out.gap();
    out.wrapped(Tone::Dim, &format!(" {}", evidence(path)), width, 1);
    out
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
#[derive(Serialize)]
struct Agreement<'a> {
    measures: [&'a str; 2],
    /// None where all models are tied by a measure, or there are too few.
    rho: Option<f64>,
    tau: Option<f64>,
    tau_p: Option<f64>,
    tau_method: Option<Word>,
}

/// Every pair of measures, with the models' ranks by each.
fn agreements<'a>(table: &'a ScoreTable, ranks: &[Vec<f64>]) -> Vec<Agreement<'a>> {
    let (auto, two_sided) = (CorrelationMethod::Auto, Alternative::TwoSided);
    let ranked: Vec<_> = table.measures.iter().map(|m| m.name.as_str()).zip(ranks).collect();
    let mut all = Vec::new();
    for (i, (first, a)) in ranked.iter().enumerate() {
        for (second, b) in &ranked[i + 1..] {
            let measures = [*first, *second];
            let rho = spearman_test(a, b, auto, two_sided).ok().and_then(|t| t.estimate);
            let test = kendall_test(a, b, auto, two_sided).ok();
            let (tau, tau_p) = (test.as_ref().and_then(|t| t.estimate), test.as_ref().map(|t| t.p_value));
            all.push(Agreement { measures, rho, tau, tau_p, tau_method: test.map(|t| t.method) });
        }
    }
    // The pair that most users ask for comes first.
    all.sort_by_key(|a| a.measures != ["mad", "f"]);
    all
}

impl Agreement<'_> {
    /// How alike the two measures rank the models.
    fn sentence(&self) -> Option<String> {
        let (rho, tau, p) = (two_decimals(self.rho?), two_decimals(self.tau?), p_is(self.tau_p?));
        let [a, b] = self.measures;
        Some(format!("Rankings by {a} and {b}: ρ {rho}, τ {tau} ({p})."))
    }
}

fn ranks(table: &ScoreTable) -> Result<Vec<Vec<f64>>, String> {
    let of = |m: &MeasureColumn| rank_scores(&m.scores, m.better).map_err(|e| format!("{}: {e}", m.name));
    table.measures.iter().map(of).collect()
}

/// Models in the order of their mean rank, with a text for each measure.
fn model_table(
    table: &ScoreTable,
    models: &[String],
    ranks: &[Vec<f64>],
    text: impl Fn(usize, usize) -> String,
) -> TextTable {
    let arrow = |m: &MeasureColumn| if m.better == Better::Lower { "↓" } else { "↑" };
    let measures: Vec<String> = table.measures.iter().map(|m| format!(">{} {}", m.name, arrow(m))).collect();
    let headings = std::iter::once("model").chain(measures.iter().map(String::as_str));
    let mut order: Vec<usize> = (0..models.len()).collect();
    let sum = |i: usize| ranks.iter().map(|r| r[i]).sum::<f64>();
    order.sort_by(|&a, &b| sum(a).total_cmp(&sum(b)));
    let row = |i: usize| {
        let texts = (0..ranks.len()).map(|m| text(m, i));
        std::iter::once(models[i].clone()).chain(texts).collect()
    };
    TextTable::new(headings, order.into_iter().map(row))
}

/// Scores with their ranks.
fn rank_table(table: &ScoreTable, ranks: &[Vec<f64>]) -> TextTable {
    let values = |m: &MeasureColumn| m.scores.iter().map(|s| s.unwrap_or(f64::NAN)).collect::<Vec<_>>();
    let texts: Vec<Vec<String>> = table.measures.iter().map(|m| digits_together(&values(m))).collect();
    model_table(table, &table.models, ranks, |m, i| format!("{} #{}", texts[m][i], ranks[m][i]))
}

/// Models that every task has, with their average ranks.
struct AverageRanks {
    models: Vec<String>,
    /// By measure and model.
    ranks: Vec<Vec<f64>>,
    /// p of Iman and Davenport's version of Friedman's test, by measure: do the models differ at all?
    p: Vec<Option<f64>>,
    /// Nemenyi's critical difference of average ranks.
    critical_difference: Option<f64>,
}

/// Significance level of the tests over tasks.
const ALPHA: f64 = 0.05;

impl AverageRanks {
    /// None with fewer than two tasks, or two models that all of them have.
    fn new(tasks: &[ScoreTable]) -> Option<Self> {
        let [first, others @ ..] = tasks else { return None };
        let everywhere = |model: &&String| others.iter().all(|t| t.models.contains(model));
        let models: Vec<String> = first.models.iter().filter(everywhere).cloned().collect();
        if others.is_empty() || models.len() < 2 {
            return None;
        }
        let (mut ranks, mut p) = (Vec::new(), Vec::new());
        for (m, measure) in first.measures.iter().enumerate() {
            let scores = |task: &ScoreTable| -> Vec<Option<f64>> {
                let place = |model| task.models.iter().position(|name| name == model);
                models.iter().filter_map(place).map(|place| task.measures[m].scores[place]).collect()
            };
            let rows: Vec<Vec<Option<f64>>> = tasks.iter().map(scores).collect();
            let table = RankTable::from_scores(&rows, measure.better).ok()?;
            ranks.push(table.average_ranks());
            p.push(iman_davenport(&table).ok().map(|t| t.p_value));
        }
        let critical_difference =
            critical_difference(PostHoc::Nemenyi, models.len(), tasks.len(), ALPHA).ok();
        Some(Self { models, ranks, p, critical_difference })
    }

    /// What the tests say of one measure, in a sentence.
    fn sentence(&self, table: &ScoreTable, m: usize) -> Option<String> {
        let (measure, ranks) = (&table.measures[m].name, &self.ranks[m]);
        let (p, cd) = (self.p[m]?, self.critical_difference?);
        let p_text = p_is(p);
        if p >= ALPHA {
            return Some(format!("By {measure} the models do not differ clearly (Friedman, {p_text})."));
        }
        let first = ranks.iter().copied().fold(f64::INFINITY, f64::min);
        let leader = ranks.iter().position(|r| *r == first).map_or(DASH, |i| self.models[i].as_str());
        let tied = match ranks.iter().filter(|r| **r - first <= cd).count() {
            0 | 1 => String::new(),
            n => format!(", tied with {}", count(n - 1, "other")),
        };
        Some(format!("By {measure} the models differ (Friedman, {p_text}); first is {leader}{tied}."))
    }

    fn tests_json(&self, table: &ScoreTable) -> Vec<Value> {
        let test = |(measure, p): (&MeasureColumn, &Option<f64>)| json!({ "measure": measure.name, "p": p, "critical_difference": self.critical_difference });
        table.measures.iter().zip(&self.p).map(test).collect()
    }

    fn as_json(&self, table: &ScoreTable) -> Value {
        let ranks = |i: usize| by_measure(table, |m| self.ranks[m][i].into());
        let model = |(i, name): (usize, &String)| json!({ "model": name, "ranks": ranks(i) });
        self.models.iter().enumerate().map(model).collect()
    }
}

/// Which model is first by which measures.
fn leaders(table: &ScoreTable, ranks: &[Vec<f64>]) -> String {
    let mut first: IndexMap<&str, Vec<&str>> = IndexMap::new();
    for (measure, ranks) in table.measures.iter().zip(ranks) {
        if let Some(place) = ranks.iter().position(|r| *r < 1.5) {
            first.entry(&table.models[place]).or_default().push(&measure.name);
        }
    }
    let told: Vec<String> = first.iter().map(|(model, by)| format!("{model} by {}", list(by))).collect();
    match first.first() {
        None => "No model is alone in first place.".to_owned(),
        Some((model, _)) if first.len() == 1 => format!("{model} is first by every measure."),
        Some(_) => format!("First: {}.", told.join("; ")),
    }
}

/// A value for every measure, by its name.
fn by_measure(table: &ScoreTable, value: impl Fn(usize) -> Value) -> Value {
    table.measures.iter().enumerate().map(|(m, measure)| (measure.name.clone(), value(m))).collect()
}

fn task_json((table, ranks): &Ranked<'_>) -> Value {
    let model = |(i, name): (usize, &String)| {
        json!({
            "model": name,
            "scores": by_measure(table, |m| table.measures[m].scores[i].into()),
            "ranks": by_measure(table, |m| ranks[m][i].into()),
        })
    };
    json!({
        "task": table.task,
        "models": table.models.iter().enumerate().map(model).collect::<Vec<_>>(),
        "agreement": agreements(table, ranks),
    })
}
