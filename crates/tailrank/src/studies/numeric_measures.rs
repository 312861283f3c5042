//! WF §5.8: the scores of Table 5.9, ranked; and the same five measures on real data: how often do they
//! choose the same model?

mod cost_curves;

use std::collections::BTreeSet;

use tailrank_metrics::classic::{Reference, classic};
use tailrank_score::{
    external::{ScoreTable, scores_of},
    score::load_predictions,
};
use tailrank_stats::{FEWEST_CLUSTERS, rank_scores};

use super::prelude::*;

/// The study.
pub(super) const KIND: Kind =
    Kind::experiment(include_str!("../../experiments/numeric-measures.toml"), conclude);

/// Table 5.9 as printed.
const TABLE_5_9: &str = include_str!("../../experiments/numeric-measures.csv");
const FIVE: [Measure; 5] = [Measure::Rmse, Measure::Mad, Measure::Rrse, Measure::Rae, Measure::Correlation];

fn conclude(found: &Run, _: &[Run]) -> Result<Conclusion> {
    let file = scores_of("experiments/numeric-measures.csv", TABLE_5_9.as_bytes())?;
    let printed = file.tasks.first().ok_or_else(|| missing("Table 5.9 is empty"))?;
    let ranks = printed.measures.iter().map(|m| rank_scores(&m.scores, m.better));
    let ranks: Vec<Vec<f64>> = ranks.collect::<Result<_, _>>()?;
    let results = &found.results;
    let tasks: Vec<Task> = tasks(results).map(|(t, _)| Task::new(results, t)).collect();
    let mut claims = table_5_9(printed, &ranks)?;
    claims.push(outliers(found)?);
    claims.push(scale(found)?);
    claims.extend(real_grid(results, &tasks));
    claims.extend(cost_curves::claims()?);
    let count = |wanted| tasks.iter().filter(|t| t.standing == wanted).count();
    let [agree, differ, open] = [Standing::Agree, Standing::Differ, Standing::NotTestable].map(count);
    // The tables, where models differ most, come first.
    let figures = tasks.iter().rev().map(|t| rank_flow_of(results, t.id, &FIVE));
    Ok(Conclusion {
        opening: words::opening("numeric-measures", &[&agree, &tasks.len(), &differ, &open]),
        claims,
        tables: vec![winners(results, &tasks), ranked(printed, &ranks)],
        figures: figures.collect::<Result<_>>()?,
        ..Conclusion::default()
    })
}

fn table_5_9(printed: &ScoreTable, ranks: &[Vec<f64>]) -> Result<Vec<Claim>> {
    let place = |name: &str| {
        let found = printed.models.iter().position(|m| m == name);
        found.ok_or_else(|| missing(format!("Table 5.9 has no method {name}")))
    };
    let (a, b, c, d) = (place("A")?, place("B")?, place("C")?, place("D")?);
    let at = |method: usize, rank: f64| ranks.iter().filter(|r| r[method] == rank).count();
    let ahead = |ranks: &Vec<f64>| match ranks[a].total_cmp(&ranks[b]) {
        std::cmp::Ordering::Less => "A",
        std::cmp::Ordering::Greater => "B",
        std::cmp::Ordering::Equal => "level",
    };
    let against: Vec<&str> = ranks.iter().map(ahead).collect();
    let list: Vec<String> =
        printed.measures.iter().zip(&against).map(|(m, who)| format!("{} {who}", m.name)).collect();
    Ok(vec![
        claim("numeric-measures/method-d").holds(at(d, 1.0) == 5, &[&at(d, 1.0)]),
        claim("numeric-measures/method-c").holds(at(c, 2.0) == 5, &[&at(c, 2.0)]),
        claim("numeric-measures/dispute")
            .holds(against == ["A", "B", "A", "B", "level"], &[&list.join(", ")]),
    ])
}

/// Table 5.9 comes without its predictions; the run has disputes of its own. The winner by squares against
/// the winner by absolute errors, without the cases on which the larger of their errors is an outlier by the
/// box plot's rule.
fn outliers(found: &Run) -> Result<Claim> {
    let (mut lines, mut settled) = (Vec::new(), Vec::new());
    for (t, task) in found.plan.tasks.iter().enumerate() {
        let scores = &found.results.scores[t];
        let (Some(squared), Some(absolute)) = (scores.best(Measure::Rmse), scores.best(Measure::Mad)) else {
            continue;
        };
        if squared == absolute {
            continue;
        }
        let predictions = load_predictions(&found.plan, TaskId(t), &found.store)?;
        let errors = |v: VariantId| -> Vec<f64> {
            let of_part = |(part, predicted): (usize, &Vec<f64>)| {
                let truth = task.test_targets(part);
                truth.iter().zip(predicted).map(|(y, z)| (z - y).abs()).collect::<Vec<f64>>()
            };
            predictions[v.0].parts.iter().enumerate().flat_map(of_part).collect()
        };
        let (removed, cases, order) = without_outliers(&errors(squared), &errors(absolute));
        lines.push(format!(
            "{task}: {removed} of {cases} cases left out, then {} is ahead by squares",
            found.results.names.label(if order { absolute } else { squared }),
            task = task.name
        ));
        settled.push(order);
    }
    let claim = claim("numeric-measures/outliers");
    if lines.is_empty() {
        return Ok(claim.not_testable("RMSE and MAD choose the same model on every task."));
    }
    Ok(claim.stands(accounts(&settled), &[&lines.len(), &lines.join("; ")]))
}

/// Cases left out, all cases, and whether the second model is ahead by squares without the cases on which the
/// larger of the two errors lies beyond 1.5 box lengths.
fn without_outliers(first: &[f64], second: &[f64]) -> (usize, usize, bool) {
    let larger: Vec<f64> = first.iter().zip(second).map(|(a, b)| a.max(*b)).collect();
    let mut sorted = larger.clone();
    sorted.sort_by(f64::total_cmp);
    let quartile = |q: usize| sorted.get(q * sorted.len() / 4).copied().unwrap_or(f64::INFINITY);
    let most = quartile(3) + 1.5 * (quartile(3) - quartile(1));
    let sum = |errors: &[f64]| -> f64 {
        errors.iter().zip(&larger).filter(|(_, l)| **l <= most).map(|(e, _)| e * e).sum()
    };
    let removed = larger.iter().filter(|l| **l > most).count();
    (removed, larger.len(), sum(second) < sum(first))
}

/// Outliers account for disputes: all of them are settled without; differ if none is.
fn accounts(settled: &[bool]) -> Standing {
    match settled.iter().filter(|s| **s).count() {
        n if n == settled.len() => Standing::Agree,
        0 => Standing::Differ,
        _ => Standing::TooClose,
    }
}

/// Twice the predictions: correlation stays, relative errors change.
fn scale(found: &Run) -> Result<Claim> {
    let task = found.plan.tasks.iter().position(|t| t.name == "boston");
    let task = task.ok_or_else(|| missing("the run has no task 'boston'"))?;
    let truth = found.plan.tasks[task].test_targets(0);
    let predictions = load_predictions(&found.plan, TaskId(task), &found.store)?;
    let linear = found.plan.variants.iter().position(|v| v.group == "linear");
    let predicted = linear.and_then(|v| predictions[v].parts.first());
    let predicted = predicted.ok_or_else(|| missing("linear has no predictions"))?;
    let twice: Vec<f64> = predicted.iter().map(|p| 2.0 * p).collect();
    let of = |predicted: &[f64]| -> Result<[f64; 2]> {
        let scores = classic(&truth, predicted, Reference::TestMean)?;
        Ok([scores.correlation, scores.rrse].map(|s| s.value().unwrap_or(f64::NAN)))
    };
    let ([r1, e1], [r2, e2]) = (of(predicted)?, of(&twice)?);
    Ok(claim("numeric-measures/scale")
        .holds((r1 - r2).abs() < 1e-12 && (e1 - e2).abs() > 0.1, &[&r1, &r2, &digits(e1), &digits(e2)]))
}

/// What the five measures choose on a task.
struct Task {
    id: TaskId,
    winners: [Option<VariantId>; 5],
    /// Whether they choose one model.
    standing: Standing,
    /// Tasks that share rows or dates are one.
    cluster: usize,
}

impl Task {
    fn new(results: &Results, id: TaskId) -> Self {
        let scores = &results.scores[id];
        let winners = FIVE.map(|m| scores.best(m));
        let constant = winners.iter().flatten().any(|&v| is_constant(results, id, v));
        let same = winners.iter().all(|w| w.is_some() && *w == winners[0]);
        // A model that belongs to every measure's set of those that cannot be told from the best.
        let in_all_sets = inference_of(results, id).is_some_and(|i| {
            let level = results.inferred_by.set_level;
            let sets: Vec<Vec<usize>> =
                FIVE.iter().filter_map(|&m| Some(i.measure(m)?.in_set(level))).collect();
            let is_model = |place: &usize| !scores.references[i.variants[*place]];
            let in_all = |place: &usize| sets.iter().all(|s| s.contains(place));
            sets.len() == FIVE.len() && sets[0].iter().any(|place| is_model(place) && in_all(place))
        });
        let standing = one_winner(same, constant, in_all_sets);
        Self { id, winners, standing, cluster: scores.cluster.unwrap_or(id.0) }
    }
}

/// One winner by all five on a task. A constant winner has no correlation, so that the task cannot tell; a
/// model in all five confidence sets leaves it open.
fn one_winner(same: bool, constant: bool, in_all_sets: bool) -> Standing {
    match (constant, same, in_all_sets) {
        (true, ..) => Standing::NotTestable,
        (false, true, _) => Standing::Agree,
        (false, false, true) => Standing::TooClose,
        (false, false, false) => Standing::Differ,
    }
}

/// A model that predicts one number has no correlation at all.
fn is_constant(results: &Results, task: TaskId, v: VariantId) -> bool {
    score_of(results, task, v, Measure::Correlation).is_none()
}

/// Whether tasks are at least six that share neither rows nor dates.
fn are_enough(clusters: impl Iterator<Item = usize>) -> bool {
    clusters.collect::<BTreeSet<_>>().len() >= FEWEST_CLUSTERS
}

fn real_grid(results: &Results, tasks: &[Task]) -> Vec<Claim> {
    let n = tasks.len();
    let names = |wanted: Standing| {
        let standing_so = tasks.iter().filter(|t| t.standing == wanted);
        let of: Vec<&str> = standing_so.map(|t| results.names.task(t.id)).collect();
        if of.is_empty() { "none".to_owned() } else { of.join(", ") }
    };
    let [agree, differ, too_close, not_testable] = Standing::ALL.map(names);
    let count = |rule: &dyn Fn(&Task) -> bool| tasks.iter().filter(|t| rule(t)).count();
    let one = count(&|t| t.winners[0] == t.winners[2] && t.winners[1] == t.winners[3]);
    let squared_absolute = count(&|t| t.winners[0] == t.winners[1]);
    let tells: Vec<&Task> = tasks.iter().filter(|t| t.standing != Standing::NotTestable).collect();
    let enough = are_enough(tells.iter().map(|t| t.cluster));
    // Pairs of RMSE, MAD and correlation: the relative errors order as the first two.
    let pairs =
        || tells.iter().flat_map(|t| [(0, 1), (0, 4), (1, 4)].map(|(a, b)| [a, b].map(|m| t.winners[m])));
    let (same, pairs) = (pairs().filter(|[a, b]| a.is_some() && a == b).count(), pairs().count());
    let if_enough = |standing: Standing| if enough { standing } else { Standing::NotTestable };
    vec![
        claim("numeric-measures/most-situations").stands(
            if_enough(most_of(&tells.iter().map(|t| t.standing).collect::<Vec<_>>())),
            &[&agree, &differ, &too_close, &not_testable],
        ),
        claim("numeric-measures/pairs").stands(
            if_enough(above(share_interval(same as f64, pairs as f64), 0.5)),
            &[&same, &pairs, &squared_absolute, &n],
        ),
        claim("numeric-measures/same-denominators").holds(one == n, &[&one, &n]),
    ]
}

fn winners(results: &Results, tasks: &[Task]) -> Table {
    let row = |task: &Task| {
        let winners = task.winners.map(|w| {
            let constant = w.is_some_and(|v| is_constant(results, task.id, v));
            label(results, w) + if constant { " (one number)" } else { "" }
        });
        let said = match task.standing {
            Standing::Agree => "yes",
            Standing::Differ => "no",
            Standing::TooClose => "too close to call",
            Standing::NotTestable => "no correlation",
        };
        let name = results.names.tasks[task.id].clone();
        [name].into_iter().chain(winners).chain([said.to_owned()])
    };
    words::table("numeric-measures/winners").with_rows(tasks.iter().map(row))
}

fn ranked(printed: &ScoreTable, ranks: &[Vec<f64>]) -> Table {
    let row = |(m, model): (usize, &String)| {
        let cells = printed.measures.iter().zip(ranks).map(move |(measure, of)| {
            let score = or_dash(measure.scores[m], |score| score.to_string());
            format!("{score} (#{})", of[m])
        });
        [model.clone()].into_iter().chain(cells)
    };
    let measures = printed.measures.iter().map(|m| &m.name);
    words::table("numeric-measures/table_5_9")
        .with_headings(measures)
        .with_rows(printed.models.iter().enumerate().map(row))
}

#[cfg(test)]
mod tests {
    use super::*;
    use Standing::{Agree, Differ, NotTestable, TooClose};

    #[test]
    fn one_winner_or_several_or_none_that_can_tell() {
        assert_eq!(one_winner(true, false, true), Agree);
        assert_eq!(one_winner(false, false, false), Differ);
        assert_eq!(one_winner(false, false, true), TooClose);
        assert_eq!(one_winner(true, true, true), NotTestable);
    }

    #[test]
    fn six_tasks_that_share_nothing_are_enough() {
        assert!(are_enough([0, 1, 2, 3, 4, 5].into_iter()));
        assert!(!are_enough([0, 1, 1, 3, 4, 5].into_iter()) && !are_enough([0, 1, 2, 3, 4].into_iter()));
    }

    #[test]
    fn a_dispute_is_settled_without_its_outliers_or_not() {
        // The second model errs less, but for one large error.
        let first = [1.0; 20];
        let mut second = [0.9; 20];
        second[7] = 9.0;
        assert_eq!(without_outliers(&first, &second), (1, 20, true));
        // Here no error is an outlier: the dispute stays.
        let wide: Vec<f64> = (0..20).map(|i| f64::from(i % 2) * 1.6).collect();
        assert_eq!(without_outliers(&first, &wide), (0, 20, false));
        assert_eq!(accounts(&[true, true]), Agree);
        assert_eq!(accounts(&[true, false]), TooClose);
        assert_eq!(accounts(&[false]), Differ);
    }
}
