//! Questions that resamples cannot answer get a named reason, never a number that means nothing.

use tailrank_stats::{
    Better, Draws, Hac, NullOrders, Resamples, SignFlips, StatsError, Units, automatic_block_length,
    backtest_overfitting, confidence_set, confidence_set_of_scores, deflated_sharpe, long_run_variance,
    percentile_interval, probabilistic_sharpe, rank_intervals, sharpe_ratio, student_upper,
    superiority_p_values,
};

fn message<T: std::fmt::Debug>(result: Result<T, StatsError>) -> String {
    result.unwrap_err().to_string()
}

fn wave(f: f64) -> Vec<f64> {
    (0..50).map(|i| 1.0 + (f64::from(i) * f).sin()).collect()
}

fn draws(columns: &[Vec<f64>]) -> Draws {
    Draws::from_columns(columns).unwrap()
}

#[test]
fn resamples_name_the_setting() {
    for few in [
        Resamples::stationary(9, 2.0, 10, 1),
        Resamples::cases(9, 10, 1),
        Resamples::grouped(&[0; 9], 10, 1),
        Resamples::from_rows(3, &[vec![0, 1, 2]]),
    ] {
        assert!(message(few).contains("a bootstrap needs 10 or more usable rows"));
    }
    for draws in [Resamples::cases(20, 0, 1), Resamples::from_rows(20, &[])] {
        assert_eq!(message(draws), "draws = 0 is not allowed: draw at least once, usually 1000 times");
    }
    for (block, text) in [(0.5, "0.5"), (20.5, "20.5"), (f64::NAN, "NaN"), (f64::INFINITY, "inf")] {
        let expected =
            format!("block = {text} is not allowed: choose a block length from 1 to the number of cases");
        assert_eq!(message(Resamples::stationary(20, block, 10, 1)), expected);
    }
    let short = Resamples::from_rows(20, &[vec![0; 19]]);
    assert!(message(short).starts_with("a draw has 19 rows but the data has 20"));
    assert!(message(Resamples::from_rows(20, &[vec![20; 20]])).starts_with("row = 20 is not allowed"));
}

#[test]
fn terms_name_their_cell() {
    let resamples = Resamples::cases(50, 10, 1).unwrap();
    let mut bad = wave(1.0);
    bad[6] = f64::INFINITY;
    assert_eq!(
        message(resamples.sums(&[wave(0.5), bad])),
        "terms column 2 row 7 is inf: every value must be finite; leave that column out, or fill it first"
    );
    assert!(
        message(resamples.sums(&[vec![1.0; 49]])).starts_with("terms has 49 rows but the resamples has 50")
    );
    assert!(message(resamples.sums::<Vec<f64>>(&[])).contains("give at least one column"));
    for per_variant in [0, 2] {
        let scores = resamples.scores(&[wave(0.5), wave(0.6), wave(0.7)], per_variant, 1, |_, _| {});
        assert!(message(scores).starts_with(&format!("per_variant = {per_variant} is not allowed")));
    }
}

#[test]
fn intervals_say_why_there_is_none() {
    assert!(message(percentile_interval(f64::NAN, &[0.1, 0.2], 0.9)).contains("is undefined"));
    let never = percentile_interval(0.1, &[f64::NAN, f64::NAN, 0.3], 0.9);
    assert!(message(never).contains("undefined on nearly all draws"));
    assert!(message(percentile_interval(0.1, &[0.1, f64::INFINITY], 0.9)).contains("row 2 is inf"));
    assert!(message(percentile_interval(0.1, &[0.1, 0.2], 95.0)).starts_with("level = 95 is not allowed"));
    let table = draws(&[vec![0.1, 0.2], vec![f64::NAN, f64::NAN]]);
    assert!(message(rank_intervals(&table, Better::Lower, 0.0)).starts_with("level = 0 is not allowed"));
    assert!(message(Draws::from_columns(&[])).contains("usable rows, and draws has 0"));
    assert!(message(Draws::from_columns(&[vec![1.0], vec![]])).contains("a column has 0 rows"));
}

#[test]
fn confidence_sets_say_why_there_is_none() {
    let resamples = Resamples::cases(50, 100, 1).unwrap();
    assert!(message(confidence_set(&[wave(1.0)], &resamples)).contains("one model is the best of one"));
    let constant = [vec![0.3; 50], vec![0.4; 50]];
    assert!(message(confidence_set(&constant, &resamples)).contains("losses are constant"));
    let undefined = draws(&[vec![0.1, f64::NAN], vec![0.2, 0.3]]);
    assert_eq!(
        message(confidence_set_of_scores(&[0.1, 0.2], &undefined, Better::Higher)),
        "resampled scores column 1 row 2 is NaN: every value must be finite; leave that column out, or fill it first"
    );
    let filled = draws(&[vec![0.1, 0.0], vec![0.2, 0.3]]);
    assert!(confidence_set_of_scores(&[0.1, 0.2], &filled, Better::Higher).is_ok());
    let short = confidence_set_of_scores(&[0.1], &filled, Better::Higher);
    assert!(message(short).starts_with("scores has 1 rows but the draws has 2"));
}

/// Gains of models over a benchmark and their means on resamples.
fn gains_of(models: &[Vec<f64>], draws: usize) -> (Vec<f64>, Draws) {
    let benchmark = wave(1.0);
    let gain = |model: &Vec<f64>| benchmark.iter().zip(model).map(|(b, l)| b - l).collect::<Vec<f64>>();
    let gains: Vec<Vec<f64>> = models.iter().map(gain).collect();
    let drawn = Resamples::cases(50, draws, 1).unwrap().means(&gains).unwrap();
    (gains.iter().map(|g| g.iter().sum::<f64>() / 50.0).collect(), drawn)
}

#[test]
fn superiority_says_why_it_cannot_be_tested() {
    let benchmark = wave(1.0);
    let constant: Vec<f64> = benchmark.iter().map(|v| v + 0.5).collect();
    let test = |models: &[Vec<f64>]| {
        let (gains, draws) = gains_of(models, 100);
        superiority_p_values(&gains, &draws, 0, |_, t| student_upper(t, 12.0))
    };
    for models in [vec![benchmark.clone()], vec![constant.clone(), benchmark.clone()]] {
        assert!(message(test(&models)).contains("differs from the benchmark by a constant"));
    }
    let (gains, draws) = gains_of(&[wave(0.7), wave(2.3)], 100);
    let adjusted = |gains: &[f64]| superiority_p_values(gains, &draws, 0, |_, t| student_upper(t, 12.0));
    assert!(message(adjusted(&gains[..1])).starts_with("gains has 1 rows"));
    assert!(message(adjusted(&[0.1, f64::NAN])).contains("is NaN"));
    let p_values = test(&[wave(0.7), constant, benchmark.clone()]).unwrap();
    assert!(p_values.iter().all(|p| (0.0..=1.0).contains(p)), "{p_values:?}");
}

#[test]
fn a_certain_gain_is_found_and_a_certain_loss_is_not() {
    let benchmark = wave(1.0);
    let by = |d: f64| benchmark.iter().map(|v| v + d).collect::<Vec<f64>>();
    let noisy: Vec<f64> = benchmark.iter().zip(wave(2.3)).map(|(b, w)| b + w - 1.0).collect();
    let (gains, draws) = gains_of(&[by(0.25), noisy, by(-0.25)], 200);
    let p_values = superiority_p_values(&gains, &draws, 0, |_, t| student_upper(t, 12.0)).unwrap();
    assert!(p_values[0] > 0.05 && p_values[1] > 0.05 && p_values[2] < 0.05, "{p_values:?}");
}

#[test]
fn null_draws_name_short_blocks() {
    let steps = |cases: usize, excluded, draws| {
        NullOrders::new(&Units::steps(cases), &vec![0; cases], excluded, draws, 1)
    };
    assert_eq!(
        message(steps(20, 10, 50)),
        "test block = 20 is not allowed: every test block must be longer than twice the excluded shifts plus one"
    );
    assert!(steps(21, 10, 50).is_err() && steps(22, 10, 50).is_ok());
    assert!(message(steps(100, 1, 0)).starts_with("draws = 0"));
    assert!(message(SignFlips::new(50, 26, 10, 1)).starts_with("block = 26"));
    assert!(message(SignFlips::new(50, 0, 10, 1)).starts_with("block = 0"));
    assert!(message(SignFlips::new(9, 1, 10, 1)).contains("needs 10 or more"));
    assert!(message(NullOrders::new(&Units::cases(9), &[0; 9], 0, 10, 1)).contains("needs 10 or more"));
}

#[test]
fn series_and_strategies_that_do_not_vary() {
    assert!(message(automatic_block_length(&[0.3; 40])).contains("needs no bootstrap"));
    assert!(message(long_run_variance(&[0.3; 40], Hac::NeweyWest)).contains("no spread"));
    assert!(message(long_run_variance(&[0.3; 9], Hac::NeweyWest)).contains("needs 10 or more"));
    assert!(message(long_run_variance(&wave(1.0), Hac::Lags(50))).starts_with("lags = 50"));
    assert!(message(sharpe_ratio(&[0.0; 40], Hac::NeweyWest)).contains("never trades has no Sharpe ratio"));
    assert!(message(probabilistic_sharpe(&[0.1; 5], 0.0)).contains("needs 10 or more"));
    assert!(message(deflated_sharpe(&wave(1.0), 0, 0.1)).starts_with("trials = 0"));
    assert!(message(deflated_sharpe(&wave(1.0), 3, -0.1)).starts_with("variance = -0.1"));
    assert!(message(backtest_overfitting(&[wave(1.0)], 8)).contains("one strategy is not chosen"));
    assert!(message(backtest_overfitting(&[wave(1.0), wave(0.5)], 7)).starts_with("blocks = 7"));
    assert!(message(backtest_overfitting(&[[0.1; 10], [0.2; 10]], 8)).contains("use fewer blocks"));
}
