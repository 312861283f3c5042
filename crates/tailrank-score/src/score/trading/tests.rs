//! Trades by hand.

use tailrank_metrics::{backtest::Position, trading::TradingRule};

use super::{
    super::{
        evaluate,
        tests::{fine, measure, truth},
    },
    *,
};

/// The first is nearer, and signals a rise and a fall that both come; the second signals a rise that does
/// not.
#[test]
fn the_best_of_each_measure_is_traded() {
    let rule = TradingRule::new(0.02, 1);
    let mut part = truth(&[0.05, -0.05, 0.0]);
    part.settings.trading = Some(rule);
    let predictions = [fine(&[&[0.03, -0.03, 0.0]]), fine(&[&[0.0, 0.0, 0.03]])];
    let parts = [part];
    let scores = evaluate(&parts, &[measure("mad"), measure("mse")], &predictions).unwrap();
    let accountant = Accountant::new(rule, Position::Overlap, vec![0.05, -0.05, 0.0]);
    let rows = |parts: &[TaskTruth], accountant| {
        trading_rows(TaskId(0), parts, &scores, &predictions, accountant).unwrap()
    };
    let found = rows(&parts, Some(&accountant));
    assert_eq!(
        found.iter().map(|r| (r.chosen_by, r.variant.0)).collect::<Vec<_>>(),
        [(measure("mad"), 0), (measure("mse"), 0)]
    );
    let counts = found[0].record.counts();
    assert_eq!((counts.signals, counts.beyond_threshold, counts.missed_moves), ([1, 1], 2, 0));
    // 5 % up and 5 % of a fall.
    assert_eq!(found[0].account.as_ref().unwrap().trades, 2);
    assert!((found[0].account.as_ref().unwrap().total - (1.05 * 1.05 - 1.0)).abs() < 1e-12);
    assert!(rows(&parts, None).iter().all(|r| r.account.is_none()));
    // Without a rule, or in parts, nothing is traded.
    assert_eq!(rows(&[truth(&[0.05, -0.05, 0.0])], None), []);
    assert_eq!(rows(&[parts[0].clone(), parts[0].clone()], None), []);
}
