//! WF §5.8: the scores of Table 5.9, ranked; and the same five measures on real data: how often do they choose the same model?

use tailrank_engine::{
    external::{ScoreTable, scores_of},
    score::{Results, TaskId, VariantId, load_predictions},
};
use tailrank_metrics::{
    Measure,
    classic::{Reference, classic},
};
use tailrank_report::{
    claims::Claim,
    figures::{Heading, RankFlow, Scores, rank_flow, scored_variants},
};
use tailrank_stats::rank_scores;

use super::{
    Conclusion, Figure, Found, Kind, Result, Study, StudyError, Table,
    decide::{digits, says},
};

/// The study.
pub(super) static NUMERIC_MEASURES: Study = Study {
    id: "numeric-measures",
    title: "Do five measures of numeric prediction choose the same model?",
    paper: "Witten & Frank (WF), §5.8, Tables 5.8 and 5.9",
    size: "13 variants, 7 tasks, 10 folds",
    time: "20 s",
    kind: Kind::Experiment { text: include_str!("../../experiments/numeric-measures.toml"), conclude },
};

/// Table 5.9 as printed.
const TABLE_5_9: &str = include_str!("../../experiments/numeric-measures.csv");
const FIVE: [Measure; 5] = [Measure::Rmse, Measure::Mad, Measure::Rrse, Measure::Rae, Measure::Correlation];

fn conclude(found: &Found<'_>) -> Result<Conclusion> {
    let file = scores_of("experiments/numeric-measures.csv", TABLE_5_9.as_bytes())?;
    let printed = file.tasks.first().ok_or_else(|| StudyError::Missing("Table 5.9 is empty".to_owned()))?;
    let ranks: Vec<Vec<f64>> = printed
        .measures
        .iter()
        .map(|m| rank_scores(&m.scores, m.better))
        .collect::<std::result::Result<_, _>>()?;
    let mut claims = table_5_9(printed, &ranks)?;
    claims.push(scale(found)?);
    claims.extend(real_grid(found.results));
    let tables = vec![winners(found.results), ranked(printed, &ranks)];
    Ok(Conclusion { claims, tables, figures: rank_flows(found.results)? })
}

/// The measure with the better rank for A against B: `A`, `B` or a tie.
fn ahead(ranks: &[f64], a: usize, b: usize) -> &'static str {
    match ranks[a].total_cmp(&ranks[b]) {
        std::cmp::Ordering::Less => "A",
        std::cmp::Ordering::Greater => "B",
        std::cmp::Ordering::Equal => "level",
    }
}

fn table_5_9(printed: &ScoreTable, ranks: &[Vec<f64>]) -> Result<Vec<Claim>> {
    let place = |name: &str| {
        let found = printed.models.iter().position(|m| m == name);
        found.ok_or_else(|| StudyError::Missing(format!("Table 5.9 has no method {name}")))
    };
    let (a, b, c, d) = (place("A")?, place("B")?, place("C")?, place("D")?);
    let all = |method: usize, rank: f64| ranks.iter().filter(|r| r[method] == rank).count();
    let against: Vec<&str> = ranks.iter().map(|r| ahead(r, a, b)).collect();
    let list: Vec<String> =
        printed.measures.iter().zip(&against).map(|(m, who)| format!("{} {who}", m.name)).collect();
    Ok(vec![
        says("WF Table 5.9", "Method D is the best by all five measures.").holds(
            all(d, 1.0) == 5,
            format!("First by {} of 5.", all(d, 1.0)),
            "ranks of the printed scores",
        ),
        says("WF Table 5.9", "Method C is the second best by all five.").holds(
            all(c, 2.0) == 5,
            format!("Second by {} of 5.", all(c, 2.0)),
            "ranks of the printed scores",
        ),
        says(
            "WF Table 5.9",
            "A and B are in dispute: A ahead by the squared errors, B by the absolute ones, correlation level.",
        )
        .holds(
            against == ["A", "B", "A", "B", "level"],
            format!("Ahead: {}.", list.join(", ")),
            "ranks of the printed scores",
        ),
        says("WF §5.8", "The weight that squares give to outliers accounts for the dispute.")
            .not_testable("Table 5.9 comes without its predictions."),
    ])
}

/// Twice the predictions: correlation stays, relative errors change.
fn scale(found: &Found<'_>) -> Result<Claim> {
    let task = found
        .plan
        .tasks
        .iter()
        .position(|t| t.name == "boston")
        .ok_or_else(|| StudyError::Missing("the run has no task 'boston'".to_owned()))?;
    let truth = found.plan.tasks[task].test_targets(0);
    let predictions = load_predictions(found.plan, TaskId(task), found.store)?;
    let linear = found.plan.variants.iter().position(|v| v.group == "linear");
    let predicted = linear
        .and_then(|v| predictions[v].parts.first())
        .ok_or_else(|| StudyError::Missing("linear has no predictions".to_owned()))?;
    let twice: Vec<f64> = predicted.iter().map(|p| 2.0 * p).collect();
    let (one, two) =
        (classic(&truth, predicted, Reference::TestMean)?, classic(&truth, &twice, Reference::TestMean)?);
    let value = |s: tailrank_metrics::Score| s.value().unwrap_or(f64::NAN);
    let (r1, r2) = (value(one.correlation), value(two.correlation));
    let (e1, e2) = (value(one.rrse), value(two.rrse));
    Ok(says(
        "WF §5.8",
        "Multiplying all predictions by a constant leaves the correlation as it is, not the relative errors.",
    )
    .holds(
        (r1 - r2).abs() < 1e-12 && (e1 - e2).abs() > 0.1,
        format!(
            "Linear model of boston, predictions doubled: correlation {r1:.4} and {r2:.4}, RRSE {} and {}.",
            digits(e1),
            digits(e2)
        ),
        "first fold; agree if the correlation moves by less than 1e-12 and RRSE by more than 0.1",
    ))
}

/// The best variant by each of the five measures.
fn winners_of(results: &Results, task: usize) -> Vec<Option<VariantId>> {
    let scores = &results.scores[task];
    FIVE.iter().map(|&m| scores.best(m)).collect()
}

fn agree(winners: &[Option<VariantId>]) -> bool {
    winners.iter().all(|w| w.is_some() && *w == winners[0])
}

fn real_grid(results: &Results) -> Vec<Claim> {
    let all: Vec<Vec<Option<VariantId>>> =
        (0..results.names.tasks.len()).map(|t| winners_of(results, t)).collect();
    let n = all.len();
    let same = all.iter().filter(|w| agree(w)).count();
    let names = |wanted: bool| {
        let list: Vec<&str> =
            (0..n).filter(|&t| agree(&all[t]) == wanted).map(|t| results.names.tasks[t].as_str()).collect();
        if list.is_empty() { "none".to_owned() } else { list.join(", ") }
    };
    // The share of pairs of measures, over all tasks, that choose the same model.
    let mut pairs = (0, 0);
    let mut squared_absolute = 0;
    for w in &all {
        for i in 0..FIVE.len() {
            for j in 0..i {
                pairs.1 += 1;
                pairs.0 += usize::from(w[i].is_some() && w[i] == w[j]);
            }
        }
        squared_absolute += usize::from(w[0] == w[1]);
    }
    vec![
        says("WF §5.8", "In most practical situations the best method is the best by every measure.").holds(
            2 * same > n,
            format!(
                "All five choose the same model on {same} of {n} tasks ({}); not on {}.",
                names(true),
                names(false)
            ),
            "winners.csv; agree if on more than half of the tasks",
        ),
        says("beyond the book", "Any two of the five measures mostly choose the same model.").holds(
            2 * pairs.0 > pairs.1,
            format!(
                "{} of {} pairs of measures and tasks; RMSE and MAD on {squared_absolute} of {n} tasks.",
                pairs.0, pairs.1
            ),
            "winners.csv; agree if more than half of the pairs",
        ),
    ]
}

fn winners(results: &Results) -> Table {
    let headings = ["task", "RMSE", "MAD (MAE)", "RRSE", "RAE", "correlation", "all the same"];
    let mut table =
        Table::new("winners", "The best of 13 models by each of the five measures of Table 5.9", &headings);
    for (t, task) in results.names.tasks.iter().enumerate() {
        let winners = winners_of(results, t);
        let label = |w: &Option<VariantId>| {
            w.map_or_else(|| "–".to_owned(), |v| results.names.variants[v].label.clone())
        };
        let mut row = vec![task.clone()];
        row.extend(winners.iter().map(label));
        row.push(if agree(&winners) { "yes" } else { "no" }.to_owned());
        table.row(row);
    }
    table
}

fn ranked(printed: &ScoreTable, ranks: &[Vec<f64>]) -> Table {
    let names: Vec<&str> = printed.measures.iter().map(|m| m.name.as_str()).collect();
    let headings: Vec<&str> = std::iter::once("method").chain(names).collect();
    let mut table = Table::new("table_5_9", "WF Table 5.9 with the rank of every score", &headings);
    for (m, model) in printed.models.iter().enumerate() {
        let cells = printed.measures.iter().zip(ranks).map(|(measure, of)| {
            let score = measure.scores[m].map_or_else(|| "–".to_owned(), |s| s.to_string());
            format!("{score} (#{})", of[m])
        });
        table.row(std::iter::once(model.clone()).chain(cells));
    }
    table
}

/// How the variants' places move from measure to measure, task by task; the tables, where models differ most, come first.
fn rank_flows(results: &Results) -> Result<Vec<Figure>> {
    let mut figures = Vec::new();
    for (task, scores) in results.names.tasks.iter().zip(&results.scores).rev() {
        let data = RankFlow {
            heading: Heading { title: None, context: task },
            variants: scored_variants(&results.names.variants, scores),
            measures: FIVE.map(|m| Scores::of_task(scores, m)).to_vec(),
            highlight: Vec::new(),
        };
        let name = task.to_lowercase().replace(|c: char| !c.is_ascii_alphanumeric(), "_");
        figures.push(Figure { name: format!("ranks_{name}"), svg: rank_flow(&data)? });
    }
    Ok(figures)
}
