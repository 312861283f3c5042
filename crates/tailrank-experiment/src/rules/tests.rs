//! Settings of a task by hand.

use super::*;

fn rules(text: &str) -> ScoringRules {
    let trading: Trading = toml::from_str("threshold = 0.02\ncost = 0.001").unwrap();
    scoring_rules(&toml::from_str(text).unwrap(), Some(&trading)).unwrap()
}

#[test]
fn references_and_rules_come_from_the_training_rows_and_the_horizon() {
    let rules = rules("list = [\"mad\"]\nt_l = 0.5");
    let relevance: RelevanceSettings = toml::from_str("kind = \"sigmoid\"\nlow = -2\nhigh = 2").unwrap();
    let of = |train: &[f64], horizon| rules.for_task(&relevance, train, horizon).unwrap();
    let settings = of(&[1.0, 2.0, 6.0], Some(3));
    assert_eq!(settings.reference, Some(Reference::TrainingMean(3.0)));
    assert_eq!(of(&[], None).reference, None);
    let rule = |threshold, horizon, cost| TradingRule { threshold, horizon, cost };
    assert_eq!(settings.trading, Some(rule(0.02, 3, 0.001)));
    // A row of a table is one step ahead of nothing.
    assert_eq!(of(&[1.0], None).trading, Some(rule(0.02, 1, 0.001)));
    assert!(settings.accuracy.is_some() && settings.utility.is_some() && settings.uba.is_none());
    assert_eq!(settings.relevance.map(|phi| phi.phi(2.0)), Some(0.5));
}

/// An indicator is 1 inside its ranges and 0 outside, ends included.
#[test]
fn ranges_have_two_ends() {
    let relevance: RelevanceSettings =
        toml::from_str("kind = \"indicator\"\nranges = [[-9, -2], [1, 3]]").unwrap();
    let phi = relevance.build(&[]).unwrap();
    let found: Vec<f64> = [-10.0, -5.0, -2.0, 0.0, 1.0, 2.0, 3.0, 4.0].map(|y| phi.phi(y)).to_vec();
    assert_eq!(found, [0.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 0.0]);
}

/// Hermite's cubic between (0, 0) and (1, 1) with slopes ½ at both ends: at ¼ it is 3t² − 2t³ + ½(t(1 − t)² −
/// t²(1 − t)) = 13/64.
#[test]
fn a_third_number_of_a_point_is_its_slope() {
    let relevance: RelevanceSettings =
        toml::from_str("kind = \"pchip\"\npoints = [[0, 0, 0.5], [1, 1, 0.5]]").unwrap();
    let found = relevance.build(&[]).unwrap().phi(0.25);
    assert!((found - 13.0 / 64.0).abs() < 1e-15, "{found}");
}

/// R: sd(c(1, 2, 3, 4, 5)) is √2.5.
#[test]
fn a_relative_tolerance_is_a_share_of_the_training_spread() {
    let rules = rules("list = [\"mad\"]\nt_l = \"0.5 sd\"");
    let relevance: RelevanceSettings = toml::from_str("low = -2\nhigh = 2").unwrap();
    let of = |train: &[f64]| rules.for_task(&relevance, train, None).unwrap().accuracy.map(|a| a.t_l());
    let is_near = |found: Option<f64>, expected: f64| found.is_some_and(|t_l| (t_l - expected).abs() < 1e-14);
    assert!(is_near(of(&[1.0, 2.0, 3.0, 4.0, 5.0]), 0.5 * 2.5_f64.sqrt()));
    assert!(is_near(of(&[10.0, 20.0, 30.0, 40.0, 50.0]), 5.0 * 2.5_f64.sqrt()));
    let own: crate::config::TaskMeasures = toml::from_str("t_l = \"0.1 iqr\"\nbeta = 2").unwrap();
    let settings =
        rules.with_settings(&rules.settings.with(&own)).for_task(&relevance, &[1.0, 2.0, 4.0, 8.0], None);
    let settings = settings.unwrap();
    assert_eq!((settings.accuracy.map(|a| a.t_l()), settings.beta), (Some(0.1 * 3.25), 2.0));
}

/// The box plot of 1 … 9 has no outlier; with 40 beside them it has one.
#[test]
fn a_fallback_is_taken_where_the_box_plot_has_no_outlier() {
    let relevance: RelevanceSettings = toml::from_str("extremes = \"high\"\nfallback_high = 8.5").unwrap();
    let plain = RelevanceSettings { fallback_high: None, ..relevance.clone() };
    let few: Vec<f64> = (1..10).map(f64::from).collect();
    let centre = |settings: &RelevanceSettings, train: &[f64]| match settings.build(train).unwrap() {
        Relevance::Sigmoid(sigmoid) => sigmoid.centres(),
        _ => unreachable!(),
    };
    assert_eq!(centre(&relevance, &few), (None, Some(8.5)));
    let with_outlier: Vec<f64> = few.iter().copied().chain([40.0]).collect();
    assert_eq!(centre(&relevance, &with_outlier), centre(&plain, &with_outlier));
    assert!(
        !format!("{plain:?}").contains("fallback")
            && format!("{relevance:?}").contains("fallback: (None, Some(8.5))")
    );
}
