//! What trading with the best by MAD and with the best by F would have done (PR09 §5.2, last part).

use tailrank_metrics::Measure;
use tailrank_report::claims::Claim;
use tailrank_score::score::{Results, TaskId, TradingRow};
use tailrank_stats::{Alternative, sign_test};

use super::rules;
use crate::studies::{
    Table,
    decide::{finding, ours, p_value, percent, share_interval},
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

/// R's own 57 models on Coca-Cola 1990–2022, h = 3 (results/benchmarks/r-grid.md): the best by MAD, its signals, the forecasts.
const IN_R: (&str, u64, u64) = ("nnet 5/0.1", 0, 3284);

/// Tasks on which the best F is beyond luck, Holm over the tasks.
pub(super) fn beyond_luck(results: &Results) -> usize {
    let p = |i: &tailrank_score::score::TaskInference| Some(i.measure(Measure::F)?.chance.as_ref()?.p_holm);
    results.inference.iter().filter(|i| p(i).is_some_and(|p| p < results.alpha)).count()
}

/// What the signals of the best by F met, all tasks together. Returns over h days overlap: h of them count as one.
struct Signals {
    all: u64,
    beyond: u64,
    right: u64,
    wrong: u64,
    /// Signals that do not overlap.
    apart: f64,
    /// Moves that as many signals on the same sides would meet by their frequency alone.
    by_base_rate: f64,
}

impl Signals {
    fn of(
        results: &Results,
        pairs: &[(&TradingRow, &TradingRow)],
        horizon: &dyn Fn(TaskId) -> usize,
    ) -> Self {
        let mut sum = Self { all: 0, beyond: 0, right: 0, wrong: 0, apart: 0.0, by_base_rate: 0.0 };
        for (_, f) in pairs {
            let counts = f.record.counts();
            sum.all += counts.signal_count();
            sum.beyond += counts.beyond_threshold;
            sum.right += counts.right_way;
            sum.wrong += counts.wrong_side;
            sum.apart += counts.signal_count() as f64 / horizon(f.task).max(1) as f64;
            let cases = results.scores[f.task].cases as f64;
            for (signals, moves) in counts.signals.iter().zip(counts.moves) {
                sum.by_base_rate += *signals as f64 * moves as f64 / cases;
            }
        }
        sum
    }

    fn share(&self, part: u64) -> f64 {
        part as f64 / self.all as f64
    }

    /// The interval of a share of the signals.
    fn interval(&self, part: u64) -> (f64, f64) {
        share_interval(self.share(part) * self.apart, self.apart)
    }
}

pub(super) fn claims(results: &Results, horizon: &dyn Fn(TaskId) -> usize) -> Vec<Claim> {
    let pairs = pairs(results);
    let n = pairs.len();
    let signals = |r: &TradingRow| r.record.counts().signal_count();
    let silent = pairs.iter().filter(|(mad, _)| signals(mad) == 0).count();
    let by_mad: u64 = pairs.iter().map(|(mad, _)| signals(mad)).sum();
    let forecasts: u64 = pairs.iter().map(|(mad, _)| results.scores[mad.task].cases as u64).sum();
    let of_f: Vec<u64> = pairs.iter().map(|(_, f)| signals(f)).collect();
    let more = pairs.iter().filter(|(mad, f)| signals(f) > signals(mad)).count();
    let met = Signals::of(results, &pairs, horizon);
    let (hit, right) = (met.interval(met.beyond), met.interval(met.right));
    let base = met.by_base_rate / met.all as f64;
    let beyond = beyond_luck(results);

    let total = |r: &TradingRow| r.record.every_signal().total;
    let gains: Vec<f64> = pairs.iter().map(|(mad, f)| total(f) - total(mad)).collect();
    let better = gains.iter().filter(|g| **g > 0.0).count();
    let worse = gains.iter().filter(|g| **g < 0.0).count();
    let zeros = vec![0.0; gains.len()];
    let test = |side| sign_test(&gains, &zeros, side).ok().map(|t| t.p_value);
    let (p, p_less) = (test(Alternative::Greater), test(Alternative::Less));
    let sum = |pick: fn(&(&TradingRow, &TradingRow)) -> f64| pairs.iter().map(pick).sum::<f64>();
    let (sum_mad, sum_f) =
        (sum(|(m, _)| m.record.every_signal().total), sum(|(_, f)| f.record.every_signal().total));
    vec![
        finding("PR09 §5.2", "The models selected by MAD almost never issue a single signal in the test years.").stands(
            rules::almost_never(by_mad, forecasts),
            format!(
                "{by_mad} signals in {forecasts} forecasts, none on {silent} of {n} tasks. (R's own best by MAD of the same grid on \
                 Coca-Cola, 1990–2022, h = 3, {}: {} in {}.)",
                IN_R.0, IN_R.1, IN_R.2
            ),
            "trading.csv: predictions beyond ±2 % of the best by MAD; agree if fewer than one forecast in a hundred by the whole interval, \
             differ if more: the moves themselves are many more",
        ),
        finding("PR09 §5.2", "The models selected by F issue several trading signals.").stands(
            rules::several(&of_f),
            format!(
                "At least three on {} of {n} tasks: between {} and {} a task.",
                of_f.iter().filter(|s| **s >= 3).count(),
                of_f.iter().min().copied().unwrap_or(0),
                of_f.iter().max().copied().unwrap_or(0)
            ),
            "trading.csv; agree if at least three on every task, differ if fewer on any",
        ),
        finding("PR09 §5.2", "The accuracy of these signals is far from ideal.").stands(
            rules::far_from_ideal(met.share(met.beyond) * met.apart, met.apart),
            format!(
                "{} ({} to {}) of the {} signals meet a move beyond 2 % on their side; {} go the wrong way.",
                percent(met.share(met.beyond)),
                percent(hit.0),
                percent(hit.1),
                met.all,
                percent(met.share(met.wrong))
            ),
            "all tasks together, h overlapping returns counted as one; agree if fewer than half meet such a move by the whole interval, differ \
             if more",
        ),
        finding("PR09 §5.2", "Selecting by F instead of MAD leads to better trading: signals, and on the right side.").stands(
            rules::better_trading(more, n, right),
            format!(
                "More signals on {more} of {n} tasks; {} ({} to {}) of them go their way.",
                percent(met.share(met.right)),
                percent(right.0),
                percent(right.1)
            ),
            "trading.csv; agree if there are more signals on every task and more than half go their way by the whole interval, differ if either \
             is clearly not so",
        ),
        finding("PR09 §5.2", "F detects models that have some ability at predicting rare extreme values.").stands(
            rules::some_ability(hit, base, beyond),
            format!(
                "{} ({} to {}) of the signals meet a move on their side, {} would by the moves' frequency alone; the best F is beyond luck on \
                 {beyond} of {n} tasks (Holm).",
                percent(met.share(met.beyond)),
                percent(hit.0),
                percent(hit.1),
                percent(base)
            ),
            "agree if the whole interval lies above the base rate of the signals' sides and F is beyond luck (shifted predictions, the choice \
             among all models counted) on some task, differ if the whole interval lies below, else too close",
        ),
        ours("beyond the paper", "Selecting by F instead of MAD earns more.").stands(
            rules::more_money(p, p_less),
            format!(
                "Sum of the returns of all signals: better on {better} tasks, worse on {worse}, of {n} (sign test p {}); in all \
                 {sum_f:+.2} by F, {sum_mad:+.2} by MAD, one unit staked on each signal, no costs.",
                p_value(p)
            ),
            "one-sided sign tests over the tasks; agree if more at p < 0.05, differ if less at p < 0.05, else too close",
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
