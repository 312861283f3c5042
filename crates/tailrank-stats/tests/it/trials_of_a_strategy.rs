//! Sharpe ratios, their probabilistic and deflated forms (purgedcv 0.1.11) and backtest overfitting (ffn
//! 1.4.1); errors of Sharpe ratios by the gradient in the first two moments
//! (`scripts/fixtures/bootstrap.py`).

use crate::fixture;

use fixture::{Agreement, columns, json, numbers};
use tailrank_stats::{Hac, backtest_overfitting, deflated_sharpe, probabilistic_sharpe, sharpe_ratio};

#[test]
fn sharpe_ratios_and_overfitting() {
    let mut agreement = Agreement::default();
    for case in json("h_trials.json")["cases"].as_array().unwrap() {
        let place = case["seed"].to_string();
        let number = |key: &str| case[key].as_f64().unwrap();
        let trials = columns(&format!("h_trials_{place}.csv"), true);
        for (returns, expected) in trials.iter().zip(numbers(&case["sharpe"])) {
            let got = sharpe_ratio(returns, Hac::NeweyWest).unwrap().ratio;
            agreement.check("sharpe", &place, got, expected, 1e-14);
        }
        let best = &trials[case["best"].as_u64().unwrap() as usize];
        let psr = probabilistic_sharpe(best, 0.0).unwrap();
        agreement.check("probabilistic", &place, psr, number("psr_0"), 1e-13);
        let deflated = deflated_sharpe(best, trials.len(), number("var_sharpe_ddof1")).unwrap();
        agreement.check("deflated", &place, deflated.probability, number("deflated_sharpe"), 1e-13);
        let by_luck = case["dsr_details"]["sr_star"].as_f64().unwrap();
        agreement.check("by luck", &place, deflated.by_luck, by_luck, 1e-13);
        let alone = deflated_sharpe(best, 1, 0.1).unwrap();
        assert_eq!((alone.by_luck, alone.probability), (0.0, psr));
        let pbo = backtest_overfitting(&trials, 8).unwrap();
        agreement.check("overfitting", &place, pbo.probability, number("pbo_ffn_8"), 0.0);
        assert_eq!((pbo.splits, pbo.undefined), (70, 0));
    }
    agreement.report("h_trials", 3 * (10 + 4));
}

#[test]
fn errors_of_sharpe_ratios() {
    let mut agreement = Agreement::default();
    let answers = json("sharpe_error.json");
    for case in answers["cases"].as_array().unwrap() {
        let trials = columns(&format!("h_trials_{}.csv", case["seed"]), true);
        let column = case["column"].as_u64().unwrap() as usize;
        let got = sharpe_ratio(&trials[column], Hac::Lags(6)).unwrap().standard_error;
        agreement.check("error", &case["seed"].to_string(), got, case["error"].as_f64().unwrap(), 1e-13);
    }
    agreement.report("sharpe_error", 30);
}
