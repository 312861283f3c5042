//! What trading with the best by MAD and with the best by F would have done (PR09 §5.2, last part).

use tailrank_score::score::{TaskInference, TradingRow};
use tailrank_stats::{Alternative, FEWEST_CLUSTERS, sign_test};

use crate::studies::prelude::*;

/// "Almost never": fewer than one forecast in a hundred.
pub(in crate::studies) const ALMOST_NEVER: f64 = 0.01;
/// "Several" signals.
pub(in crate::studies) const SEVERAL: u64 = 3;

/// The trades of the best by MAD and of the best by F, task by task.
fn pairs(results: &Results) -> Vec<(&TradingRow, &TradingRow)> {
    let of = |task: TaskId, measure: Measure| {
        results.trading.iter().find(|r| r.task == task && r.chosen_by == measure)
    };
    tasks(results).filter_map(|(t, _)| Some((of(t, Measure::Mad)?, of(t, Measure::F)?))).collect()
}

/// Tasks on which the best F is beyond chance, Holm over the tasks.
pub(super) fn beyond_chance(results: &Results) -> usize {
    let p = |i: &TaskInference| Some(i.measure(Measure::F)?.chance.as_ref()?.p_holm);
    results.inference.iter().filter(|i| p(i).is_some_and(|p| p < results.alpha)).count()
}

/// What the signals of the best by F met, all tasks together. Returns over h days overlap: h of them count as
/// one.
#[derive(Default)]
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
    fn add(&mut self, row: &TradingRow, cases: usize, horizon: usize) {
        let counts = row.record.counts();
        self.all += counts.signal_count();
        self.beyond += counts.beyond_threshold;
        self.right += counts.right_way;
        self.wrong += counts.wrong_side;
        self.apart += counts.signal_count() as f64 / horizon.max(1) as f64;
        for (signals, moves) in counts.signals.iter().zip(counts.moves) {
            self.by_base_rate += *signals as f64 * moves as f64 / cases as f64;
        }
    }

    fn share(&self, part: u64) -> f64 {
        part as f64 / self.all as f64
    }

    /// The interval of a share of the signals.
    fn interval(&self, part: u64) -> (f64, f64) {
        share_interval(self.share(part) * self.apart, self.apart)
    }

    /// A share of the signals with its interval.
    fn shown(&self, part: u64) -> String {
        let (low, high) = self.interval(part);
        format!("{} ({} to {})", percent(self.share(part)), percent(low), percent(high))
    }
}

/// Some ability at rare extremes: signals meet moves more often than their sides' base rate, and somewhere F
/// is beyond chance.
fn some_ability(hit_rate: (f64, f64), base_rate: f64, tasks_beyond_chance: usize) -> Standing {
    match above(hit_rate, base_rate) {
        Standing::Agree if tasks_beyond_chance == 0 => Standing::TooClose,
        standing => standing,
    }
}

pub(super) fn claims(results: &Results, horizon: &dyn Fn(TaskId) -> usize) -> Vec<Claim> {
    let pairs = pairs(results);
    let n = pairs.len();
    let signals = |r: &TradingRow| r.record.counts().signal_count();
    let (by_mad, by_f): (Vec<u64>, Vec<u64>) =
        pairs.iter().map(|(mad, f)| (signals(mad), signals(f))).unzip();
    let (in_all, silent) = (by_mad.iter().sum::<u64>(), by_mad.iter().filter(|s| **s == 0).count());
    let (mut met, mut forecasts) = (Signals::default(), 0);
    for (_, f) in &pairs {
        let cases = results.scores[f.task].cases;
        forecasts += cases;
        met.add(f, cases, horizon(f.task));
    }
    let more = by_mad.iter().zip(&by_f).filter(|(mad, f)| f > mad).count();
    let several = by_f.iter().filter(|s| **s >= SEVERAL).count();
    let [fewest, most] = [by_f.iter().min(), by_f.iter().max()].map(|signals| *signals.unwrap_or(&0));
    let (hit, base) = (met.interval(met.beyond), met.by_base_rate / met.all as f64);
    let beyond = beyond_chance(results);

    let total = |r: &TradingRow| r.record.every_signal().total;
    let (sums_mad, sums_f): (Vec<f64>, Vec<f64>) =
        pairs.iter().map(|(mad, f)| (total(mad), total(f))).unzip();
    let count =
        |side: fn(&f64, &f64) -> bool| sums_f.iter().zip(&sums_mad).filter(|(f, mad)| side(f, mad)).count();
    let [all_f, all_mad] = [&sums_f, &sums_mad].map(|sums| sums.iter().sum::<f64>());
    let test = |side| sign_test(&sums_f, &sums_mad, side).ok().map(|t| t.p_value);
    let earns = match test(Alternative::Less) {
        // Stocks that share dates, and horizons of one stock, are not so many independent answers.
        _ if results.standings.clusters < FEWEST_CLUSTERS => Standing::NotTestable,
        Some(p_less) if p_less < 0.05 => Standing::Differ,
        _ => test(Alternative::Greater).map_or(Standing::NotTestable, |p| tested(true, p)),
    };
    vec![
        claim("stock-returns/mad-silent").stands(
            below(share_interval(in_all as f64, forecasts as f64), ALMOST_NEVER),
            &[&in_all, &forecasts, &silent, &n],
        ),
        claim("stock-returns/f-signals")
            .stands(every(&by_f, |s| *s >= SEVERAL), &[&several, &n, &fewest, &most]),
        claim("stock-returns/accuracy")
            .stands(below(hit, 0.5), &[&met.shown(met.beyond), &met.all, &percent(met.share(met.wrong))]),
        claim("stock-returns/better-trading").stands(
            all_of(&[holds(more == n && n > 0), above(met.interval(met.right), 0.5)]),
            &[&more, &n, &met.shown(met.right)],
        ),
        claim("stock-returns/ability")
            .stands(some_ability(hit, base, beyond), &[&met.shown(met.beyond), &percent(base), &beyond, &n]),
        claim("stock-returns/money")
            .stands(earns, &[&count(|f, mad| f > mad), &count(|f, mad| f < mad), &n, &all_f, &all_mad]),
    ]
}

pub(super) fn table(results: &Results) -> Table {
    let row = |r: &TradingRow| {
        let (counts, all) = (r.record.counts(), r.record.every_signal());
        let numbers = [
            counts.signal_count(),
            counts.signals[0],
            counts.signals[1],
            counts.beyond_threshold,
            counts.wrong_side,
            counts.missed_moves,
        ];
        let mut row = vec![
            results.names.tasks[r.task].clone(),
            r.chosen_by.info().symbol.to_owned(),
            label(results, Some(r.variant)),
        ];
        row.extend(numbers.map(|n| n.to_string()));
        row.push(or_dash(all.per_trade.value(), |v| format!("{:+.2} %", 100.0 * v)));
        row.extend([all.total, r.record.one_position().total].map(|v| format!("{:+.0} %", 100.0 * v)));
        row
    };
    words::table("stock-returns/trading")
        .with_rows(pairs(results).into_iter().flat_map(|(mad, f)| [mad, f]).map(row))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ability_is_beyond_base_rate_and_chance() {
        assert_eq!(some_ability((0.30, 0.33), 0.2, 3), Standing::Agree);
        assert_eq!(some_ability((0.30, 0.33), 0.2, 0), Standing::TooClose);
        assert_eq!(some_ability((0.18, 0.22), 0.2, 3), Standing::TooClose);
        assert_eq!(some_ability((0.10, 0.15), 0.2, 3), Standing::Differ);
    }
}
