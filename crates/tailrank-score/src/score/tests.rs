//! Scores, regret and corrections on numbers small enough to check by hand.

use tailrank_metrics::{
    Accuracy, Better, EventCounts, Measure, Relevance, Score, Settings, Undefined, precision_recall,
};

use tailrank_models::Params;

use super::*;
use crate::config::{Compare, Inference};

pub(super) fn measure(id: &str) -> Measure {
    Measure::from_id(id).unwrap()
}

pub(super) fn fine(parts: &[&[f64]]) -> Predictions {
    Predictions { status: VariantStatus::Fine, parts: parts.iter().map(|p| p.to_vec()).collect() }
}

pub(super) fn truth(values: &[f64]) -> TaskTruth {
    TaskTruth::new(values.to_vec(), Settings::default())
}

pub(super) fn relevant(values: &[f64], repeat: usize) -> TaskTruth {
    let settings = Settings {
        relevance: Some(Relevance::sigmoid(Some(-2.0), Some(2.0), 0.5, 1e-4).unwrap()),
        accuracy: Some(Accuracy::smooth(0.5, 8.0).unwrap()),
        ..Settings::default()
    };
    TaskTruth { repeat, ..TaskTruth::new(values.to_vec(), settings) }
}

pub(super) fn names(tasks: usize, labels: &[&str]) -> Names {
    let variant = |label: &&str| VariantName {
        label: (*label).to_owned(),
        group: "g".to_owned(),
        params: Params::new(),
        recipe: "plain".to_owned(),
        reference: label.starts_with("baseline"),
    };
    Names {
        tasks: (0..tasks).map(|t| format!("task {t}")).collect(),
        variants: labels.iter().map(variant).collect(),
    }
}

#[test]
fn folds_are_pooled_and_kept_apart_in_a_table_of_their_own() {
    // Folds of unequal size: the pooled mean is 5/3, the mean of the folds' means would be 2.
    let parts = [truth(&[0.0, 0.0]), truth(&[0.0])];
    let found = evaluate(&parts, &[measure("mad")], &[fine(&[&[1.0, 1.0], &[3.0]])]).unwrap();
    assert_eq!(found.scores, [[Score::Value(5.0 / 3.0)]]);
    assert_eq!(found.cases, 3);
    let folds: Vec<Score> = found.folds[0].iter().map(|f| f.scores[0]).collect();
    assert_eq!(folds, [Score::Value(1.0), Score::Value(3.0)]);
}

#[test]
fn a_fold_without_a_signal_voids_nothing() {
    let parts = [relevant(&[3.0, 0.1], 0), relevant(&[0.2, 0.3], 0), relevant(&[-3.0, 0.0], 0)];
    let predictions = fine(&[&[2.9, 0.0], &[0.1, 0.1], &[-1.0, 2.5]]);
    let found =
        evaluate(&parts, &[measure("f"), measure("precision")], std::slice::from_ref(&predictions)).unwrap();
    let all_truth: Vec<f64> = parts.iter().flat_map(|p| p.truth.clone()).collect();
    let settings = &parts[0].settings;
    let direct = precision_recall(
        &all_truth,
        &predictions.parts.concat(),
        settings.relevance.as_ref().unwrap(),
        settings.accuracy.as_ref().unwrap(),
        settings.t_e,
        settings.beta,
    )
    .unwrap();
    let close = |a: Score, b: Score| (a.value().unwrap() - b.value().unwrap()).abs() < 1e-12;
    assert!(close(found.scores[0][0], direct.f) && close(found.scores[0][1], direct.precision));
    assert_eq!(found.folds[0][1].scores[0], Score::Undefined(Undefined::NoSignals));
    assert_eq!(found.counts[0], Some(direct.counts));
}

#[test]
fn repeats_are_averaged_with_their_deviation() {
    let parts = [truth(&[0.0]), TaskTruth { repeat: 1, ..truth(&[0.0]) }];
    let found = evaluate(&parts, &[measure("mad")], &[fine(&[&[1.0], &[3.0]])]).unwrap();
    assert_eq!(found.scores[0], [Score::Value(2.0)]);
    assert_eq!(found.deviations[0], [Some(2_f64.sqrt())]);
    assert_eq!((found.cases, found.repeats), (1, 2));
    // A repeat without a signal earns nothing, and does not void the other.
    let parts = [relevant(&[3.0], 0), relevant(&[3.0], 1)];
    let found =
        evaluate(&parts, &[measure("f")], &[fine(&[&[3.0], &[0.0]]), fine(&[&[0.0], &[0.0]])]).unwrap();
    assert!((found.scores[0][0].value().unwrap() - 0.5).abs() < 1e-3, "{:?}", found.scores[0]);
    assert_eq!(found.scores[1], [Score::Undefined(Undefined::NoSignals)]);
}

#[test]
fn failed_and_missing_variants_have_no_scores() {
    let failed = VariantStatus::Failed { reason: "why".to_owned() };
    let predictions = [
        Predictions { status: failed.clone(), parts: Vec::new() },
        fine(&[&[1.0]]),
        Predictions { status: VariantStatus::Missing, parts: Vec::new() },
    ];
    let found = evaluate(&[truth(&[0.0])], &[measure("mad")], &predictions).unwrap();
    assert_eq!(found.scored(), [VariantId(1)]);
    assert_eq!(found.status[0], failed);
    assert_eq!(found.values(measure("mad")), [None, Some(1.0), None]);
    assert_eq!(found.ranks(measure("mad")), [None, Some(1.0), None]);
}

#[test]
fn no_variants_and_no_tasks_give_no_answer() {
    let found = evaluate(&[truth(&[0.0])], &[measure("mad")], &[]).unwrap();
    assert!(regrets(std::slice::from_ref(&found)).is_empty());
    let pair = [(measure("mad"), measure("mse"))];
    let comparisons = compare_tasks(std::slice::from_ref(&found), &pair, &Compare::default(), 1);
    assert!(comparisons[0].tau.is_none() && comparisons[0].best_chosen.is_none());
    assert!(across_tasks(&[], 0.05).is_empty());
}

#[test]
fn a_loss_is_absolute_and_a_share_of_the_way_from_the_reference() {
    let value = Score::Value;
    let silent = Score::Undefined(Undefined::NoSignals);
    let of =
        |taken, best, reference, better| loss(taken, best, reference, better).map(|l| (l.absolute, l.share));
    let near = |found: Option<(f64, Option<f64>)>, absolute: f64, share: Option<f64>| {
        let (a, s) = found.unwrap();
        assert!((a - absolute).abs() < 1e-12, "{a}");
        assert_eq!(s.is_some(), share.is_some());
        assert!(s.zip(share).is_none_or(|(s, share)| (s - share).abs() < 1e-12), "{s:?}");
    };
    near(of(value(0.3), value(0.4), Some(value(0.2)), Better::Higher), 0.1, Some(0.5));
    near(of(value(3.0), value(2.0), Some(value(4.0)), Better::Lower), 1.0, Some(0.5));
    // Silence earns nothing; a best of 0 or a crossing of 0 makes no percentage.
    near(of(silent, value(0.4), None, Better::Higher), 0.4, None);
    near(of(silent, value(0.4), Some(silent), Better::Higher), 0.4, Some(1.0));
    near(of(value(1.0), value(0.0), None, Better::Lower), 1.0, None);
    near(of(value(-0.1), value(0.001), Some(value(0.001)), Better::Higher), 0.101, None);
    assert_eq!(of(value(1.0), silent, None, Better::Higher), None);
    assert_eq!(of(Score::Undefined(Undefined::ZeroVariance), value(1.0), None, Better::Lower), None);
}

pub(super) fn scores(rows: &[[f64; 2]]) -> TaskScores {
    let predictions: Vec<Predictions> = (0..rows.len()).map(|v| fine(&[&[v as f64]])).collect();
    let parts = [truth(&[-1.0])];
    let references: Vec<bool> = (0..rows.len()).map(|v| rows[v] == [9.0, 9.0]).collect();
    let mut scorer = TaskScorer::new(&parts, &[measure("mad"), measure("mse")], &references).unwrap();
    for (v, predictions) in predictions.iter().enumerate() {
        scorer.add(VariantId(v), predictions).unwrap();
    }
    let mut found = scorer.finish();
    found.scores = rows.iter().map(|r| r.map(Score::Value).to_vec()).collect();
    found
}

#[test]
fn holm_runs_over_the_tasks_of_a_pair() {
    let agree: Vec<[f64; 2]> = (0..8).map(|i| [i as f64, i as f64]).collect();
    let mixed: Vec<[f64; 2]> = (0..8).map(|i| [i as f64, ((i * 3) % 8) as f64]).collect();
    let pair = [(measure("mad"), measure("mse"))];
    let found = compare_tasks(&[scores(&agree), scores(&mixed)], &pair, &Compare::default(), 1);
    let p: Vec<f64> = found.iter().map(|v| v.tau.as_ref().unwrap().p_value).collect();
    assert!(p[0] < p[1]);
    // Two tests: the smaller p doubles, the larger stays, never below the smaller's.
    assert_eq!(found[0].tau_holm_p, Some((2.0 * p[0]).min(1.0)));
    assert_eq!(found[1].tau_holm_p, Some(p[1].max((2.0 * p[0]).min(1.0))));
}

#[test]
fn of_equals_the_first_is_chosen() {
    let found = regrets(&[scores(&[[2.0, 1.0], [1.0, 4.0], [1.0, 2.0]])]);
    let of = |a: &str, b: &str| {
        let r = found.iter().find(|r| r.chosen_by == measure(a) && r.judged_by == measure(b)).unwrap();
        (r.chosen.0, r.loss.unwrap().absolute)
    };
    assert_eq!(of("mad", "mse"), (1, 3.0));
    assert_eq!(of("mse", "mad"), (0, 1.0));
    assert_eq!(of("mad", "mad"), (1, 0.0));
}

#[test]
fn models_with_the_same_predictions_are_one_model() {
    let predictions = [fine(&[&[3.0]]), fine(&[&[1.0]]), fine(&[&[1.0]]), fine(&[&[2.0]]), fine(&[&[-0.0]])];
    let found = evaluate(&[truth(&[0.0])], &[measure("mad"), measure("mse")], &predictions).unwrap();
    assert_eq!(found.same_as.iter().map(|v| v.0).collect::<Vec<_>>(), [0, 1, 1, 3, 4]);
    assert_eq!(found.copies(), [1, 2, 2, 1, 1]);
    // Four distinct models: ranks run to 4, and copies share theirs.
    let ranks: Vec<f64> = found.ranks(measure("mad")).into_iter().flatten().collect();
    assert_eq!(ranks, [4.0, 2.0, 2.0, 3.0, 1.0]);
    let pair = [(measure("mad"), measure("mse"))];
    let compared = compare_tasks(&[found], &pair, &Compare::default(), 1);
    assert_eq!(compared[0].variants.len(), 4);
}

pub(super) fn caught(hits: usize, near_misses: usize, false_alarms: usize) -> Option<EventCounts> {
    let (events, signals) = (100, hits + near_misses + false_alarms);
    let missed = events - hits - near_misses;
    Some(EventCounts { events, signals, hits, near_misses, false_alarms, missed })
}

fn ladder(found: &TaskScores) -> Vec<(usize, f64)> {
    let rungs = answer::Ladder::new(TaskId(0), found).rungs;
    rungs.iter().filter_map(|r| Some((r.model?.0, r.from))).collect()
}

#[test]
fn the_model_to_act_on_changes_with_the_price_of_a_miss() {
    let mut found = scores(&[[1.0, 1.0], [2.0, 2.0], [3.0, 3.0], [4.0, 4.0], [5.0, 5.0]]);
    // Silent; 10 for 5 alarms; 30 for 45; 20 for 40, which no price favours; 5 for none, too few to tell.
    found.counts =
        vec![caught(0, 0, 0), caught(4, 6, 5), caught(30, 0, 45), caught(10, 10, 40), caught(5, 0, 0)];
    assert_eq!(ladder(&found), [(1, 0.5), (2, 2.0)]);
    // Between the prices each is the cheapest.
    let cost = |v: usize, price: f64| {
        let c = found.counts[v].unwrap();
        price * c.missed as f64 + c.false_alarms as f64
    };
    for (price, best) in [(0.4, 0), (0.6, 1), (1.9, 1), (2.1, 2)] {
        for other in 0..4 {
            assert!(cost(best, price) <= cost(other, price), "at {price}: {best} against {other}");
        }
    }
    found.counts = vec![None; 5];
    assert_eq!(ladder(&found), []);
}

#[test]
fn wins_are_counted_over_tasks() {
    let tasks: Vec<TaskScores> = (0..12)
        .map(|t| if t < 9 { scores(&[[1.0, 1.0], [3.0, 1.0]]) } else { scores(&[[2.0, 1.0], [1.0, 1.0]]) })
        .collect();
    let across = across_tasks(&tasks, 0.05);
    let found = across::wins(&tasks, &across, &Inference::default());
    let by_mad: Vec<&Wins> = found.iter().filter(|w| w.measure == measure("mad")).collect();
    assert_eq!(by_mad.iter().map(|w| w.wins).collect::<Vec<_>>(), [9.0, 3.0]);
    let rate = by_mad[0].rate.unwrap();
    assert!(rate.lower < 0.75 && rate.upper > 0.75 && rate.upper <= 1.0, "{rate:?}");
    // Equals share a win, and with few tasks there is no interval.
    let by_mse: Vec<&Wins> = found.iter().filter(|w| w.measure == measure("mse")).collect();
    assert_eq!(by_mse.iter().map(|w| w.wins).collect::<Vec<_>>(), [6.0, 6.0]);
    let few = &tasks[..5];
    let found = across::wins(few, &across_tasks(few, 0.05), &Inference::default());
    assert!(found.iter().all(|w| w.rate.is_none()));
}
