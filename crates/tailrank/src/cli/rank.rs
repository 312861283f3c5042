//! `tailrank rank`

use std::path::PathBuf;

use clap::Args;
use tailrank_engine::external::{ScoreTable, read_scores};
use tailrank_stats::{Alternative, Better, CorrelationMethod, kendall_test, rank_scores, spearman_test};

use super::{
    Exit, Failure, Result, Session, say,
    table::{Align, digits, layout, p_value},
    width,
};

/// Rank models by every column of a table of scores, and compare the rankings.
#[derive(Debug, Args)]
#[command(
    after_help = "The table has one row per model: a column with the names, then one column per measure. Measures that\n\
    `tailrank list metrics` knows have their direction; name others with --lower or --higher. An empty cell is an\n\
    undefined score and ranks last.\n\nExample:\n  tailrank rank scores.csv --lower brier --higher auc"
)]
pub(crate) struct RankArguments {
    /// CSV or Parquet with one row per model.
    scores: PathBuf,
    /// Columns where lower is better.
    #[arg(long, value_delimiter = ',')]
    lower: Vec<String>,
    /// Columns where higher is better.
    #[arg(long, value_delimiter = ',')]
    higher: Vec<String>,
}

pub(crate) fn rank(_: &Session, arguments: &RankArguments) -> Result<Exit> {
    let table = read_scores(&arguments.scores, &arguments.lower, &arguments.higher)?;
    let ranks = ranks(&table).map_err(|e| Failure::input(&arguments.scores, e))?;
    say(&rank_table(&table, &ranks));
    if table.measures.len() > 1 && table.models.len() > 2 {
        say("\nHow far the rankings agree:");
        say(&agreement_table(&table, &ranks));
    }
    say(&format!("\n{}", verdict(&table, &ranks)));
    Ok(Exit::Fine)
}

fn ranks(table: &ScoreTable) -> std::result::Result<Vec<Vec<f64>>, String> {
    table
        .measures
        .iter()
        .map(|m| rank_scores(&m.scores, m.better).map_err(|e| format!("{}: {e}", m.name)))
        .collect()
}

fn rank_table(table: &ScoreTable, ranks: &[Vec<f64>]) -> String {
    let mut headings = vec![("model".to_owned(), Align::Left)];
    for m in &table.measures {
        let arrow = if m.better == Better::Lower { "↓" } else { "↑" };
        headings.push((format!("{} {arrow}", m.name), Align::Right));
    }
    let rows: Vec<Vec<String>> = (0..table.models.len())
        .map(|i| {
            let cells =
                table.measures.iter().zip(ranks).map(|(m, r)| format!("{} #{}", digits(m.scores[i]), r[i]));
            std::iter::once(table.models[i].clone()).chain(cells).collect()
        })
        .collect();
    let headings: Vec<(&str, Align)> = headings.iter().map(|(h, a)| (h.as_str(), *a)).collect();
    layout(&headings, &rows, width())
}

fn agreement_table(table: &ScoreTable, ranks: &[Vec<f64>]) -> String {
    let mut rows = Vec::new();
    for i in 0..ranks.len() {
        for j in i + 1..ranks.len() {
            let auto = CorrelationMethod::Auto;
            let rho = spearman_test(&ranks[i], &ranks[j], auto, Alternative::TwoSided).ok();
            let tau = kendall_test(&ranks[i], &ranks[j], auto, Alternative::TwoSided).ok();
            let two = |e: Option<f64>| e.map_or_else(|| "–".to_owned(), |e| format!("{e:.2}"));
            rows.push(vec![
                format!("{} · {}", table.measures[i].name, table.measures[j].name),
                two(rho.as_ref().and_then(|t| t.estimate)),
                two(tau.as_ref().and_then(|t| t.estimate)),
                p_value(tau.as_ref().map(|t| t.p_value)),
                tau.map_or_else(|| "–".to_owned(), |t| t.method.to_owned()),
            ]);
        }
    }
    let headings = [
        ("measures", Align::Left),
        ("ρ", Align::Right),
        ("τ", Align::Right),
        ("p(τ)", Align::Right),
        ("method", Align::Left),
    ];
    layout(&headings, &rows, width())
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
