//! What trading with the best by MAD and with the best by F would have done (PR09 §5.2, last part).

use tailrank_engine::score::{Results, TaskId, TradingRow};
use tailrank_metrics::Measure;
use tailrank_report::claims::Claim;
use tailrank_stats::{Alternative, sign_test};

use crate::studies::{
    Table,
    decide::{p_value, percent, says},
};

/// The trades of the best by MAD and of the best by F, task by task.
fn pairs(results: &Results) -> Vec<(&TradingRow, &TradingRow)> {
    let of = |task: TaskId, measure: Measure| {
        results.trading.iter().find(|r| r.task == task && r.chosen_by == measure)
    };
    TaskId::all(results.names.tasks.len())
        .filter_map(|t| Some((of(t, Measure::Mad)?, of(t, Measure::F)?)))
        .collect()
}

pub(super) fn claims(results: &Results) -> Vec<Claim> {
    let pairs = pairs(results);
    let n = pairs.len();
    let signals = |r: &TradingRow| r.record.counts().signal_count();
    let silent = pairs.iter().filter(|(mad, _)| signals(mad) == 0).count();
    let by_mad: u64 = pairs.iter().map(|(mad, _)| signals(mad)).sum();
    let several = pairs.iter().filter(|(_, f)| signals(f) >= 3).count();
    let by_f: u64 = pairs.iter().map(|(_, f)| signals(f)).sum();
    let fewest = pairs.iter().map(|(_, f)| signals(f)).min().unwrap_or(0);
    let most = pairs.iter().map(|(_, f)| signals(f)).max().unwrap_or(0);
    let hits: u64 = pairs.iter().map(|(_, f)| f.record.counts().beyond_threshold).sum();
    let wrong: u64 = pairs.iter().map(|(_, f)| f.record.counts().wrong_side).sum();
    let share = |part: u64| part as f64 / by_f.max(1) as f64;

    let total = |r: &TradingRow| r.record.every_signal().total;
    let gains: Vec<f64> = pairs.iter().map(|(mad, f)| total(f) - total(mad)).collect();
    let better = gains.iter().filter(|g| **g > 0.0).count();
    let worse = gains.iter().filter(|g| **g < 0.0).count();
    let zeros = vec![0.0; gains.len()];
    let test = sign_test(&gains, &zeros, Alternative::Greater).ok();
    let sum = |pick: fn(&(&TradingRow, &TradingRow)) -> f64| pairs.iter().map(pick).sum::<f64>();
    let (sum_mad, sum_f) =
        (sum(|(m, _)| m.record.every_signal().total), sum(|(_, f)| f.record.every_signal().total));
    vec![
        says("PR09 §5.2", "The models selected by MAD almost never issue a single signal in the test years.").holds(
            10 * silent >= 8 * n,
            format!("No signal on {silent} of {n} tasks; {by_mad} signals in all."),
            "trading.csv: predictions beyond ±2 % of the best by MAD; agree if there is none on at least 80 % of the tasks",
        ),
        says("PR09 §5.2", "The models selected by F issue several trading signals.").holds(
            several == n,
            format!("At least three on {several} of {n} tasks: between {fewest} and {most} a task."),
            "trading.csv; agree if at least three on every task",
        ),
        says("PR09 §5.2", "The accuracy of these signals is far from ideal.").holds(
            share(hits) < 0.5,
            format!(
                "{} of the {by_f} signals meet a move beyond 2 % on their side; {} go the wrong way.",
                percent(share(hits)),
                percent(share(wrong))
            ),
            "signals that meet such a move, over all tasks; agree if below half",
        ),
        says("PR09 §5.2", "Selecting by F instead of MAD leads to better trading.").holds(
            test.as_ref().is_some_and(|t| t.p_value < 0.05),
            format!(
                "Sum of the returns of all signals: better on {better} tasks, worse on {worse}, of {n} (sign test p {}); in all \
                 {sum_f:+.2} by F, {sum_mad:+.2} by MAD, one unit staked on each signal, no costs.",
                p_value(test.as_ref().map(|t| t.p_value))
            ),
            "one-sided sign test over the tasks; agree if p < 0.05",
        ),
    ]
}

pub(super) fn table(results: &Results) -> Table {
    let headings = [
        "task",
        "chosen by",
        "model",
        "signals",
        "long",
        "short",
        "beyond 2 %",
        "wrong side",
        "missed moves",
        "return per signal",
        "sum of returns",
        "one account",
    ];
    let title = "Trading with the best by MAD and the best by F: long above +2 %, short below −2 %";
    let mut table = Table::new("trading", title, &headings);
    for (mad, f) in pairs(results) {
        for r in [mad, f] {
            let counts = r.record.counts();
            let all = r.record.every_signal();
            let per_signal =
                all.per_trade.value().map_or_else(|| "–".to_owned(), |v| format!("{:+.2} %", 100.0 * v));
            table.row([
                results.names.tasks[r.task].clone(),
                r.chosen_by.info().symbol.to_owned(),
                results.names.variants[r.variant].label.clone(),
                counts.signal_count().to_string(),
                counts.signals[0].to_string(),
                counts.signals[1].to_string(),
                counts.beyond_threshold.to_string(),
                counts.wrong_side.to_string(),
                counts.missed_moves.to_string(),
                per_signal,
                format!("{:+.0} %", 100.0 * all.total),
                format!("{:+.0} %", 100.0 * r.record.one_position().total),
            ]);
        }
    }
    table
}
