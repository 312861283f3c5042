//! Automatic block lengths and long-run variances and percentile intervals against Python's arch.

use crate::fixture;

use fixture::{Agreement, json, numbers, rows};
use tailrank_stats::{Hac, Resamples, automatic_block_length, long_run_variance, percentile_interval};

fn series() -> Vec<Vec<f64>> {
    let mut all: Vec<Vec<f64>> = Vec::new();
    for row in rows("block_length_series.csv") {
        let number = row.index("series");
        all.resize(all.len().max(number + 1), Vec::new());
        all[number].push(row.get("x"));
    }
    all
}

#[test]
fn block_lengths_and_long_run_variances() {
    let mut agreement = Agreement::default();
    let all = series();
    for row in rows("block_length_arch.csv") {
        let x = &all[row.index("series")];
        let place = format!("{} {}", row.text("series"), row.text("kind"));
        let got = automatic_block_length(x).unwrap();
        // Ours are never below one case.
        agreement.check("stationary", &place, got, row.get("stationary").max(1.0), 1e-13);
        let automatic = long_run_variance(x, Hac::NeweyWest).unwrap();
        agreement.check("NW variance", &place, automatic, row.get("nw_variance"), 1e-13);
        let fixed = long_run_variance(x, Hac::Lags(4)).unwrap();
        agreement.check("4 lags", &place, fixed, row.get("lags4_variance"), 1e-13);
    }
    agreement.report("block_length_arch", 64 * 3);
}

#[test]
fn intervals_of_means_and_ratios() {
    let mut agreement = Agreement::default();
    for case in json("bca_arch.json")["cases"].as_array().unwrap() {
        let (a, b) = (numbers(&case["a"]), numbers(&case["b"]));
        let draws: Vec<Vec<u32>> = case["rows"]
            .as_array()
            .unwrap()
            .iter()
            .map(|draw| numbers(draw).into_iter().map(|r| r as u32).collect())
            .collect();
        let ratio = case["statistic"] == "ratio";
        let ones = vec![1.0; a.len()];
        let terms = if ratio { [&a, &b] } else { [&a, &ones] };
        let finish = |s: &[f64]| s[0] / s[1];
        let resamples = Resamples::from_rows(a.len(), &draws).unwrap();
        let scores = resamples.scores(&terms, 2, 1, |s, out| out[0] = finish(s)).unwrap();
        let estimate = finish(&terms.map(|t| t.iter().sum()));
        let level = case["level"].as_f64().unwrap();
        let values = scores[0].column(0);
        let interval = percentile_interval(estimate, values, level).unwrap();
        for (got, expected) in [interval.lower, interval.upper].iter().zip(numbers(&case["percentile"])) {
            agreement.check("percentile", &case["statistic"].to_string(), *got, expected, 1e-14);
        }
    }
    agreement.report("bca_arch", 3 * 2);
}
