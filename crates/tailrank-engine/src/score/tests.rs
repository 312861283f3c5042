//! Scores, regret and corrections on numbers small enough to check by hand.

use tailrank_metrics::{Better, Measure, Score, Settings, Undefined};

use super::{compare::relative_regret, *};
use crate::config::Compare;

fn measure(id: &str) -> Measure {
    Measure::from_id(id).unwrap()
}

fn fine(parts: &[&[f64]]) -> Predictions {
    Predictions { status: VariantStatus::Fine, parts: parts.iter().map(|p| p.to_vec()).collect() }
}

fn truth(values: &[f64]) -> TaskTruth {
    TaskTruth { truth: values.to_vec(), settings: Settings::default() }
}

#[test]
fn a_score_over_folds_is_the_mean_of_the_folds() {
    // Folds of unequal size: the mean of fold means is 2, the pooled mean would be 5/3.
    let parts = [truth(&[0.0, 0.0]), truth(&[0.0])];
    let predictions = [fine(&[&[1.0, 1.0], &[3.0]])];
    let found = evaluate(&parts, &[measure("mad")], &predictions).unwrap();
    assert_eq!(found.scores, [[Score::Value(2.0)]]);
    assert_eq!(found.cases, 3);
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
    assert_eq!(found.scored(), [1]);
    assert_eq!(found.status[0], failed);
    assert_eq!(found.values(measure("mad")), [None, Some(1.0), None]);
}

#[test]
fn no_variants_and_no_tasks_are_no_panic() {
    let found = evaluate(&[truth(&[0.0])], &[measure("mad")], &[]).unwrap();
    assert!(regrets(std::slice::from_ref(&found)).is_empty());
    let pair = [(measure("mad"), measure("mse"))];
    let verdicts = compare_tasks(&[found], &pair, &Compare::default(), 1);
    assert!(verdicts[0].tau.is_none() && verdicts[0].best_chosen.is_none());
    assert!(across_tasks(&[], 0.05).is_empty());
}

#[test]
fn regret_is_the_share_lost() {
    let value = |v| Some(Score::Value(v));
    assert_eq!(relative_regret(value(0.3), value(0.4), Better::Higher), Some((0.4 - 0.3) / 0.4));
    assert_eq!(relative_regret(value(3.0), value(2.0), Better::Lower), Some(0.5));
    assert_eq!(relative_regret(value(0.0), value(0.0), Better::Lower), Some(0.0));
    assert_eq!(relative_regret(value(1.0), value(0.0), Better::Lower), None);
    assert_eq!(
        relative_regret(Some(Score::Undefined(Undefined::NoSignals)), value(1.0), Better::Higher),
        Some(1.0)
    );
    assert_eq!(
        relative_regret(value(1.0), Some(Score::Undefined(Undefined::NoSignals)), Better::Higher),
        None
    );
    assert_eq!(relative_regret(None, value(1.0), Better::Higher), None);
}

fn scores(rows: &[[f64; 2]]) -> TaskScores {
    TaskScores {
        measures: vec![measure("mad"), measure("mse")],
        scores: rows.iter().map(|r| r.map(Score::Value).to_vec()).collect(),
        status: vec![VariantStatus::Fine; rows.len()],
        cases: 1,
        events: 0,
        signals: vec![None; rows.len()],
        hits: vec![None; rows.len()],
    }
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
        found.iter().find(|r| r.chosen_by == measure(a) && r.judged_by == measure(b)).unwrap().clone()
    };
    assert_eq!((of("mad", "mse").chosen, of("mad", "mse").relative), (1, Some(3.0)));
    assert_eq!((of("mse", "mad").chosen, of("mse", "mad").relative), (0, Some(1.0)));
    assert_eq!(of("mad", "mad").relative, Some(0.0));
}
