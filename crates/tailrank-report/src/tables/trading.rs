//! What the trading rule did with the best variant by each compared measure.

use tailrank_engine::run::Results;

use super::content::{Align, Table, Value};

/// One row per task and measure that a verdict compares.
pub fn trading(results: &Results) -> Table {
    let mut table = Table::new(
        "trading",
        "The trading rule with the best variant by each measure",
        &[
            ("task", Align::Left),
            ("chosen by", Align::Left),
            ("variant", Align::Left),
            ("signals", Align::Right),
            ("hits", Align::Right),
            ("wrong side", Align::Right),
            ("missed moves", Align::Right),
            ("return per signal", Align::Right),
            ("return of all signals", Align::Right),
            ("one position: trades", Align::Right),
            ("return", Align::Right),
        ],
    );
    let compared = |m| results.verdicts.iter().any(|v| v.chosen_by == m || v.judged_by == m);
    for row in results.trading.iter().filter(|r| compared(r.chosen_by)) {
        let (counts, all, one) = (row.record.counts(), row.record.every_signal(), row.record.one_position());
        let percent = |v: Option<f64>| v.filter(|v| v.is_finite()).map_or(Value::Undefined, Value::Percent);
        table.rows.push(vec![
            results.tasks[row.task].as_str().into(),
            row.chosen_by.info().symbol.into(),
            results.variants[row.variant].label.as_str().into(),
            Value::Count(counts.signal_count() as usize).into(),
            Value::Count(counts.beyond_threshold as usize).into(),
            Value::Count(counts.wrong_side as usize).into(),
            Value::Count(counts.missed_moves as usize).into(),
            percent(all.per_trade.value()).into(),
            percent((all.trades > 0).then_some(all.total)).into(),
            Value::Count(one.trades as usize).into(),
            percent((one.trades > 0).then_some(one.total)).into(),
        ]);
    }
    table.notes.push(
        "All signals: one unit staked on each, returns added. One position: one at a time, returns compounded."
            .to_owned(),
    );
    table
}
