//! WF §5.8: the scores of Table 5.9, ranked; and the same five measures on real data: how often do they choose the same model?

mod cost_curves;
mod rules;

use tailrank_metrics::{
    Measure,
    classic::{Reference, classic},
};
use tailrank_report::{
    claims::{Claim, Standing},
    figures::{Heading, RankFlow, Scores, rank_flow, scored_variants},
};
use tailrank_score::{
    external::{ScoreTable, scores_of},
    score::{Results, TaskId, VariantId, load_predictions},
};
use tailrank_stats::rank_scores;

use super::{
    Conclusion, Figure, Found, Kind, Opening, Result, Study, StudyError, Table,
    decide::{digits, finding, identity, most_of, ours},
};

/// The study.
pub(super) static NUMERIC_MEASURES: Study = Study {
    id: "numeric-measures",
    title: "Do five measures of numeric prediction choose the same model?",
    paper: "Witten & Frank (WF), §5.8, Tables 5.8 and 5.9",
    size: "13 models, 7 tasks, 10 folds",
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
    claims.extend(cost_curves::claims()?);
    let tables = vec![winners(found.results), ranked(printed, &ranks)];
    let standings: Vec<Standing> =
        (0..found.results.names.tasks.len()).map(|t| one_winner(found.results, t)).collect();
    let tasks = |wanted: Standing| standings.iter().filter(|s| **s == wanted).count();
    let opening = Opening {
        paper: "The book says that in most practical situations the best method for numbers is the best by every measure.".to_owned(),
        found: format!(
            "One of 13 models is the best by all five measures on {} of {} tasks, clearly none is on {}, and {} cannot tell.",
            tasks(Standing::Agree),
            standings.len(),
            tasks(Standing::Differ),
            tasks(Standing::NotTestable)
        ),
        sure: "Winners are told apart by confidence sets of a bootstrap; where a model that predicts one number wins, correlation is undefined and \
               the task cannot tell, which leaves few tasks."
            .to_owned(),
    };
    Ok(Conclusion { opening, claims, tables, figures: rank_flows(found.results)?, ..Conclusion::default() })
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
        identity("WF Table 5.9", "Method D is the best by all five measures.").holds(
            rules::all_five(all(d, 1.0)),
            format!("First by {} of 5.", all(d, 1.0)),
            "ranks of the printed scores; differ if by fewer",
        ),
        identity("WF Table 5.9", "Method C is the second best by all five.").holds(
            rules::all_five(all(c, 2.0)),
            format!("Second by {} of 5.", all(c, 2.0)),
            "ranks of the printed scores; differ if by fewer",
        ),
        identity(
            "WF Table 5.9",
            "A and B are in dispute: A ahead by the squared errors, B by the absolute ones, correlation level.",
        )
        .holds(
            rules::in_dispute(&against),
            format!("Ahead: {}.", list.join(", ")),
            "ranks of the printed scores; differ if any measure has another order",
        ),
        finding("WF §5.8", "The weight that squares give to outliers accounts for the dispute.")
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
    Ok(identity(
        "WF §5.8",
        "Multiplying all predictions by a constant leaves the correlation as it is, not the relative errors.",
    )
    .holds(
        rules::scale_free((r1, r2), (e1, e2)),
        format!(
            "Linear model of boston, predictions doubled: correlation {r1:.4} and {r2:.4}, RRSE {} and {}.",
            digits(e1),
            digits(e2)
        ),
        "first fold; agree if the correlation moves by less than 1e-12 and RRSE by more than 0.1, differ otherwise",
    ))
}

/// The best variant by each of the five measures.
fn winners_of(results: &Results, task: usize) -> Vec<Option<VariantId>> {
    let scores = &results.scores[task];
    FIVE.iter().map(|&m| scores.best(m)).collect()
}

/// Whether the five choose one model on a task.
fn one_winner(results: &Results, task: usize) -> Standing {
    let winners = winners_of(results, task);
    let constant = winners.iter().any(|w| w.is_some_and(|v| is_constant(results, task, v)));
    let same = winners.iter().all(|w| w.is_some() && *w == winners[0]);
    // A model that belongs to every measure's set of those that cannot be told from the best.
    let in_all_sets = results.inference.iter().find(|i| i.task == TaskId(task)).is_some_and(|i| {
        let sets: Vec<Vec<usize>> =
            FIVE.iter().filter_map(|&m| Some(i.measure(m)?.in_set(results.inferred_by.set_level))).collect();
        let is_model = |place: &usize| !results.scores[task].references[i.variants[*place]];
        let in_all = |place: &usize| sets.iter().all(|s| s.contains(place));
        sets.len() == FIVE.len() && sets[0].iter().any(|place| is_model(place) && in_all(place))
    });
    rules::one_winner(same, constant, in_all_sets)
}

/// A model that predicts one number has no correlation at all.
fn is_constant(results: &Results, task: usize, v: VariantId) -> bool {
    results.scores[task].score(v, Measure::Correlation).and_then(tailrank_metrics::Score::value).is_none()
}

fn real_grid(results: &Results) -> Vec<Claim> {
    let n = results.names.tasks.len();
    let standings: Vec<Standing> = (0..n).map(|t| one_winner(results, t)).collect();
    let names = |wanted: Standing| {
        let list: Vec<&str> =
            (0..n).filter(|&t| standings[t] == wanted).map(|t| results.names.tasks[t].as_str()).collect();
        if list.is_empty() { "none".to_owned() } else { list.join(", ") }
    };
    // RRSE orders models as RMSE does and RAE as MAD, so three measures are independent: three pairs a task.
    let independent = [0, 1, 4];
    let mut pairs = (0, 0);
    let mut squared_absolute = 0;
    let mut one = 0;
    for t in 0..n {
        let w = winners_of(results, t);
        one += usize::from(w[0] == w[2] && w[1] == w[3]);
        squared_absolute += usize::from(w[0] == w[1]);
        if standings[t] == Standing::NotTestable {
            continue;
        }
        for (i, &a) in independent.iter().enumerate() {
            for &b in &independent[..i] {
                pairs.1 += 1;
                pairs.0 += usize::from(w[a].is_some() && w[a] == w[b]);
            }
        }
    }
    vec![
        finding("WF §5.8", "In most practical situations the best method is the best by every measure.").stands(
            most_of(&standings),
            format!(
                "One model by all five on {}; clearly not on {}; too close on {}. On {} a winner predicts one number for every case, which has no \
                 correlation: these tasks cannot tell.",
                names(Standing::Agree),
                names(Standing::Differ),
                names(Standing::TooClose),
                names(Standing::NotTestable)
            ),
            "winners.csv; agree if the five choose one model on more than half of the tasks that can tell, differ if on at least half of them no \
             model is in all five confidence sets, else too close",
        ),
        ours("beyond the book", "Any two independent measures mostly choose the same model.").stands(
            rules::mostly(pairs.0, pairs.1),
            format!(
                "{} of {} pairs of RMSE, MAD and correlation on the tasks that can tell; RMSE and MAD on {squared_absolute} of all {n} tasks.",
                pairs.0, pairs.1
            ),
            "winners.csv; agree if more than half of the pairs by the whole interval of the share, differ if fewer, else too close",
        ),
        identity("WF Table 5.8", "RRSE orders models as RMSE does, and RAE as MAD: their denominators are the same for all models.").holds(
            one == n,
            format!("The same winners on {one} of {n} tasks."),
            "differ by a wrong program alone",
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
            w.map_or_else(
                || "–".to_owned(),
                |v| {
                    let note = if is_constant(results, t, v) { " (one number)" } else { "" };
                    format!("{}{note}", results.names.variants[v].label)
                },
            )
        };
        let mut row = vec![task.clone()];
        row.extend(winners.iter().map(label));
        row.push(rules::said(one_winner(results, t)).to_owned());
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
            ranges: Vec::new(),
        };
        let name = task.to_lowercase().replace(|c: char| !c.is_ascii_alphanumeric(), "_");
        figures.push(Figure { name: format!("ranks_{name}"), svg: rank_flow(&data)?.svg });
    }
    Ok(figures)
}
