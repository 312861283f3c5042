//! Confidence sets and tests against a benchmark on the resamples that Python's arch 8.0.0 drew: p values
//! agree exactly.
//!
//! The stepwise test has no oracle in arch, whose test is not studentised; `scripts/fixtures/bootstrap.py`
//! computes it.

use crate::fixture;

use fixture::{Agreement, columns, indices, json, numbers};
use serde_json::Value;
use tailrank_stats::{
    Better, Resamples, automatic_block_length, confidence_set, confidence_set_of_scores, student_upper,
    superiority_p_values,
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
        let resamples = Resamples::from_rows(losses[0].len(), &rows).unwrap();
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
fn stepwise_tests_find_the_superior_models() {
    let answers = json("superiority.json");
    let mut compared = 0;
    for (Case { losses, resamples, .. }, answer) in cases().iter().zip(answers["cases"].as_array().unwrap()) {
        let gain = |model: &Vec<f64>| losses[0].iter().zip(model).map(|(b, l)| b - l).collect::<Vec<f64>>();
        let gains: Vec<Vec<f64>> = losses[1..].iter().map(gain).collect();
        let means: Vec<f64> = gains.iter().map(|g| g.iter().sum::<f64>() / g.len() as f64).collect();
        let p_values =
            superiority_p_values(&means, &resamples.means(&gains).unwrap(), 0, |_, t| student_upper(t, 12.0))
                .unwrap();
        let least = 1.0 / (1.0 + resamples.draws() as f64);
        // A p at the bound of the draws is told by the tail of a distribution instead.
        let by_draws: Vec<f64> = p_values.iter().map(|p| p.max(least)).collect();
        for (got, expected) in by_draws.iter().zip(numbers(&answer["p"])) {
            assert!((got - expected).abs() < 1e-12, "{}: {got} against {expected}", answer["name"]);
            compared += 1;
        }
    }
    assert_eq!(compared, 5 + 7 + 9 + 4 + 11);
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
