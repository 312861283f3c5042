//! Confidence sets and tests against a benchmark on the resamples that Python's arch 8.0.0 drew: p values agree exactly.
//!
//! The studentised test has no oracle in arch, which takes `studentize` and ignores it; `scripts/fixtures/bootstrap.py` computes
//! it from Hansen's formulas.

use crate::fixture;

use fixture::{Agreement, columns, indices, json, numbers};
use serde_json::Value;
use tailrank_stats::{
    Better, Recentring, Resamples, SuperiorityTest, automatic_block_length, confidence_set,
    confidence_set_of_scores,
};

struct Case {
    answer: Value,
    losses: Vec<Vec<f64>>,
    resamples: Resamples,
}

fn cases() -> Vec<Case> {
    let all = json("e_snooping.json");
    let case = |answer: &Value| {
        let name = answer["name"].as_str().unwrap();
        let losses = columns(&format!("e_snooping_{name}_losses.csv"), true);
        let drawn = columns(&format!("e_snooping_{name}_indices.csv"), false);
        let draws = drawn[0].len();
        let rows: Vec<Vec<u32>> =
            (0..draws).map(|b| drawn.iter().map(|column| column[b] as u32).collect()).collect();
        let block = answer["block"].as_f64().unwrap();
        let resamples = Resamples::from_rows(losses[0].len(), block, &rows).unwrap();
        assert_eq!(resamples.draws() as u64, answer["reps"].as_u64().unwrap());
        Case { answer: answer.clone(), losses, resamples }
    };
    all["cases"].as_array().unwrap().iter().map(case).collect()
}

/// p values as numbers of draws: shares read from JSON may differ in the last bit.
fn counts(p_values: &[f64], resamples: &Resamples) -> Vec<usize> {
    let count = |p: &f64| {
        let count = p * resamples.draws() as f64;
        assert!((count - count.round()).abs() < 1e-9, "{p} is not a share of the draws");
        count.round() as usize
    };
    p_values.iter().map(count).collect()
}

#[test]
fn confidence_sets_are_archs() {
    for Case { answer, losses, resamples } in cases() {
        {
            let set = confidence_set(&losses, &resamples).unwrap();
            let order = indices(&answer["mcs_max_order"]);
            let p_values = numbers(&answer["mcs_max_p"]);
            assert_eq!(set.order, order, "{}", answer["name"]);
            let own: Vec<f64> = order.iter().map(|&i| set.p_values[i]).collect();
            assert_eq!(counts(&own, &resamples), counts(&p_values, &resamples));
            let members = set.members(0.9);
            let expected: Vec<usize> = {
                let mut kept: Vec<usize> =
                    order.iter().zip(&p_values).filter(|(_, p)| **p >= 0.1).map(|(i, _)| *i).collect();
                kept.sort_unstable();
                kept
            };
            assert_eq!(members, expected);
        }
    }
}

#[test]
fn a_measure_that_happens_to_be_a_mean_gives_the_set_of_its_losses() {
    for Case { losses, resamples, .. } in cases() {
        let n = losses[0].len() as f64;
        let scores: Vec<f64> = losses.iter().map(|l| -l.iter().sum::<f64>() / n).collect();
        let draws = resamples.scores(&losses, 1, 1, |s, out| out[0] = -s[0] / n).unwrap();
        let by_losses = confidence_set(&losses, &resamples).unwrap();
        assert_eq!(by_losses, confidence_set_of_scores(&scores, &draws[0], Better::Higher).unwrap());
    }
}

#[test]
fn variances_are_archs() {
    let mut agreement = Agreement::default();
    for Case { answer, losses, resamples } in cases() {
        let test = SuperiorityTest::from_losses(&losses[0], &losses[1..], &resamples).unwrap();
        for (got, expected) in test.variances().iter().zip(numbers(&answer["spa_variance"])) {
            agreement.check(
                "variance",
                answer["name"].as_str().unwrap(),
                got * losses[0].len() as f64,
                expected,
                1e-13,
            );
        }
    }
    agreement.report("e_snooping", 5 + 7 + 9 + 4 + 11);
}

#[test]
fn studentised_tests_are_hansens_formulas() {
    let mut agreement = Agreement::default();
    let mut compared = 0;
    let answers = json("spa_studentised.json");
    for (Case { losses, resamples, .. }, answer) in cases().iter().zip(answers["cases"].as_array().unwrap()) {
        let name = answer["name"].as_str().unwrap();
        let test = SuperiorityTest::from_losses(&losses[0], &losses[1..], resamples).unwrap();
        let spa = test.spa();
        let number = |key: &str| answer[key].as_f64().unwrap();
        assert_eq!(
            counts(&[spa.p_lower, spa.p_consistent, spa.p_upper], resamples),
            counts(&["lower", "consistent", "upper"].map(number), resamples),
            "{name}"
        );
        agreement.check("statistic", name, spa.statistic, number("statistic"), 1e-13);
        let t = test.gains().iter().zip(test.variances()).map(|(g, v)| g / v.sqrt());
        for (got, expected) in t.zip(numbers(&answer["t"])) {
            agreement.check("t", name, got, expected, 1e-13);
            compared += 1;
        }
        let p_values = test.adjusted_p_values(Recentring::Consistent).unwrap();
        let superior: Vec<usize> = (0..p_values.len()).filter(|&j| p_values[j] <= 0.05).collect();
        assert_eq!(superior, indices(&answer["superior"]), "{name}");
        compared += 1;
    }
    agreement.report("spa_studentised", compared);
    assert_eq!(compared, 5 + 7 + 9 + 4 + 11 + 5);
}

#[test]
fn gains_of_a_mean_by_draws_agree_with_those_by_cases() {
    // Standard errors over draws instead of the closed form: the same statistic up to the error of B draws.
    let Case { losses, .. } = &cases()[4];
    let resamples = Resamples::stationary(losses[0].len(), 12.0, 20_000, 5).unwrap();
    let by_cases = SuperiorityTest::from_losses(&losses[0], &losses[1..], &resamples).unwrap();
    let draws = resamples.means(losses).unwrap();
    let gains: Vec<Vec<f64>> = (1..losses.len())
        .map(|j| draws.column(0).iter().zip(draws.column(j)).map(|(b, m)| b - m).collect())
        .collect();
    let gains = tailrank_stats::Draws::from_columns(&gains).unwrap();
    let by_draws = SuperiorityTest::from_gains(by_cases.gains(), &gains, losses[0].len()).unwrap();
    for (a, b) in by_cases.variances().iter().zip(by_draws.variances()) {
        assert!((a / b - 1.0).abs() < 0.05, "{a} against {b}");
    }
    assert!((by_cases.spa().p_consistent - by_draws.spa().p_consistent).abs() < 0.02);
}

#[test]
fn automatic_block_lengths_of_the_losses_are_archs() {
    let mut agreement = Agreement::default();
    for Case { answer, losses, .. } in cases() {
        let name = answer["name"].as_str().unwrap();
        let expected = |key: &str| numbers(&answer["optimal_block"][key]);
        for (series, stationary) in losses.iter().zip(expected("stationary")) {
            let got = automatic_block_length(series).unwrap();
            agreement.check("stationary", name, got, stationary.max(1.0), 1e-13);
        }
    }
    agreement.report("optimal_block", 6 + 8 + 10 + 5 + 12);
}
