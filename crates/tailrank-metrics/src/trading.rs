//! The trading rule of PR09 §5.2: go long when the predicted return is above +θ, short when it is below −θ.
//!
//! Words used for a case with true return y and predicted return ŷ over the next h rows:
//!
//! | word | meaning |
//! |---|---|
//! | signal | ŷ > θ (long) or ŷ < −θ (short) |
//! | move | y > θ (up) or y < −θ (down): the "true signals" of PR09 |
//! | beyond threshold | a signal and a move on the same side |
//! | right way | a signal whose return went its way: long with y > 0, short with y < 0 |
//! | wrong side | a signal whose return went the other way: long with y < 0, short with y > 0 |
//! | missed move | a move without a signal |
//! | trade return | y for long, −y for short (futures), less the cost of both sides |
//!
//! A hit is something else: see [`EventCounts`](crate::EventCounts).
//!
//! Rows are consecutive trading days and a trade lasts h of them, so signals on neighbouring rows overlap.
//! Two accounts are kept:
//!
//! * **every signal**: each signal stakes one unit, up to h positions at once; returns add up. It judges the
//!   signals.
//! * **one position**: a signal is taken only when no position is open, held for h rows, then the next signal
//!   may be taken; the whole capital is staked and returns compound. It is what one account could have
//!   earned.

use crate::error::{Result, check_pair, check_setting};
use crate::lanes::lane_sums;
use crate::score::{Score, Undefined};
use crate::term::{Sums, Term};

/// Which way a trade bets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Side {
    /// On a rise.
    Long,
    /// On a fall.
    Short,
}

impl Side {
    /// The profit of a price change, before costs.
    #[inline]
    pub fn profit(self, change: f64) -> f64 {
        match self {
            Self::Long => change,
            Self::Short => -change,
        }
    }
}

/// The rule's settings.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TradingRule {
    /// θ: the smallest return worth a trade (PR09: 0.02).
    pub threshold: f64,
    /// h: rows that a trade lasts.
    pub horizon: usize,
    /// Cost of a side, as a share of what is bought or sold; a trade has two (PR09: 0, costs being the reason
    /// for θ).
    pub cost: f64,
}

impl TradingRule {
    /// A rule without costs.
    pub const fn new(threshold: f64, horizon: usize) -> Self {
        Self { threshold, horizon, cost: 0.0 }
    }

    /// Checks the settings.
    pub fn check(self) -> Result<Self> {
        let is_return = |value: f64| value.is_finite() && value >= 0.0;
        let expected = "a finite return, at least 0, such as 0.02";
        check_setting(is_return(self.threshold), "trading.threshold", self.threshold, expected)?;
        check_setting(self.horizon > 0, "trading.horizon", 0.0, "at least 1 row")?;
        check_setting(is_return(self.cost), "trading.cost", self.cost, "a finite return, at least 0")?;
        Ok(self)
    }

    /// What opening and closing a position costs.
    #[inline]
    pub fn round_trip(&self) -> f64 {
        2.0 * self.cost
    }

    /// The signal that a predicted return gives, if any.
    #[inline]
    pub fn signal(&self, predicted: f64) -> Option<Side> {
        side(predicted, self.threshold)
    }

    /// The move that a true return makes, if any.
    #[inline]
    pub fn movement(&self, truth: f64) -> Option<Side> {
        side(truth, self.threshold)
    }
}

#[inline]
fn side(value: f64, threshold: f64) -> Option<Side> {
    if value > threshold {
        Some(Side::Long)
    } else if value < -threshold {
        Some(Side::Short)
    } else {
        None
    }
}

/// One trade.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Trade {
    /// Row of the signal, from 0.
    pub row: usize,
    /// The bet.
    pub side: Side,
    /// Its return after costs.
    pub profit: f64,
}

/// How signals and moves met. See the [module](self) for the words.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TradingCounts {
    /// Long and short signals.
    pub signals: [u64; 2],
    /// Moves up and down.
    pub moves: [u64; 2],
    /// Signals that met a move on their side: the return went beyond the threshold.
    pub beyond_threshold: u64,
    /// Signals whose return went their way, however far.
    pub right_way: u64,
    /// Signals whose return went the other way.
    pub wrong_side: u64,
    /// Moves without a signal.
    pub missed_moves: u64,
    /// Sum of the returns of all signals after costs.
    pub profit: f64,
}

impl TradingCounts {
    /// Counts over every row.
    pub fn new(truth: &[f64], predicted: &[f64], rule: TradingRule) -> Result<Self> {
        let rule = rule.check()?;
        check_pair(truth, predicted)?;
        // Whole numbers below 2^53 add up exactly.
        let [long, short, up, down, beyond, right, wrong, missed, profit] =
            lane_sums([truth, predicted], trading_parts(rule));
        Ok(Self {
            signals: [long as u64, short as u64],
            moves: [up as u64, down as u64],
            beyond_threshold: beyond as u64,
            right_way: right as u64,
            wrong_side: wrong as u64,
            missed_moves: missed as u64,
            profit,
        })
    }

    /// Number of signals.
    pub const fn signal_count(&self) -> u64 {
        self.signals[0] + self.signals[1]
    }
}

/// Long, short, up, down, beyond threshold, right way, wrong side, missed move and profit of a case.
fn trading_parts(rule: TradingRule) -> impl Fn([f64; 2]) -> [f64; 9] {
    let (theta, cost) = (rule.threshold, rule.round_trip());
    #[inline(always)]
    move |[y, z]| {
        let flag = |condition: bool| if condition { 1.0 } else { 0.0 };
        let (long, short) = (flag(z > theta), flag(z < -theta));
        let (up, down) = (flag(y > theta), flag(y < -theta));
        let (rise, fall) = (flag(y > 0.0), flag(y < 0.0));
        let signal = long + short;
        [
            long,
            short,
            up,
            down,
            long * up + short * down,
            long * rise + short * fall,
            long * fall + short * rise,
            (up + down) * (1.0 - signal),
            (long - short) * y - signal * cost,
        ]
    }
}

/// What [`trading_terms`] gives for each case.
pub(crate) const TRADING_TERMS: [Term; 6] =
    [Term::Trade, Term::TradeBeyond, Term::TradeWrong, Term::Move, Term::MissedMove, Term::Profit];

/// The terms of a case from y and ŷ.
pub(crate) fn trading_terms(rule: TradingRule) -> impl Fn([f64; 2]) -> [f64; 6] {
    let parts = trading_parts(rule);
    #[inline(always)]
    move |case| {
        let [long, short, up, down, beyond, _, wrong, missed, profit] = parts(case);
        [long + short, beyond, wrong, up + down, missed, profit]
    }
}

/// A sum over signals per signal.
pub(crate) fn per_signal(s: &Sums, term: Term) -> Score {
    Score::ratio(s[term], s[Term::Trade], Undefined::NoTrades)
}

/// What the rule did over a test period, trade by trade.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TradingRecord {
    rule: TradingRule,
    counts: TradingCounts,
    trades: Vec<Trade>,
}

impl TradingRecord {
    /// Applies the rule to every row.
    ///
    /// ```
    /// use tailrank_metrics::trading::{TradingRecord, TradingRule};
    ///
    /// let truth = [0.03, 0.03, -0.04, 0.00, 0.05];
    /// let predicted = [0.025, 0.021, -0.03, 0.03, 0.00];
    /// let record = TradingRecord::new(&truth, &predicted, TradingRule::new(0.02, 1))?;
    /// let counts = record.counts();
    /// assert_eq!((counts.beyond_threshold, counts.wrong_side, counts.missed_moves), (3, 0, 1));
    /// assert!((record.every_signal().total - 0.10).abs() < 1e-15);
    /// # Ok::<(), tailrank_metrics::MetricError>(())
    /// ```
    pub fn new(truth: &[f64], predicted: &[f64], rule: TradingRule) -> Result<Self> {
        let counts = TradingCounts::new(truth, predicted, rule)?;
        let trades = truth.iter().zip(predicted).enumerate().filter_map(|(row, (&y, &z))| {
            let side = rule.signal(z)?;
            Some(Trade { row, side, profit: side.profit(y) - rule.round_trip() })
        });
        Ok(Self { rule, counts, trades: trades.collect() })
    }

    /// How signals and moves met.
    pub const fn counts(&self) -> &TradingCounts {
        &self.counts
    }

    /// One trade per signal, in order.
    pub fn trades(&self) -> &[Trade] {
        &self.trades
    }

    /// The account in which every signal stakes one unit; equity starts at 0 and adds up.
    pub fn every_signal(&self) -> Account {
        Account::keep(self.trades.iter().copied(), self.rule.horizon, 0.0, |equity, profit| equity + profit)
    }

    /// The account with one position at a time; equity starts at 1 and compounds. Once it is lost it stays 0.
    pub fn one_position(&self) -> Account {
        Account::keep(self.unhindered(), self.rule.horizon, 1.0, |equity, profit| {
            equity * (1.0 + profit).max(0.0)
        })
    }

    /// The signals that find no position open.
    fn unhindered(&self) -> impl Iterator<Item = Trade> + '_ {
        let mut free_from = 0;
        self.trades.iter().copied().filter(move |trade| {
            let taken = trade.row >= free_from;
            if taken {
                free_from = trade.row + self.rule.horizon;
            }
            taken
        })
    }
}

/// An account kept over a series of trades.
#[derive(Clone, Debug, PartialEq)]
pub struct Account {
    /// Trades taken.
    pub trades: u64,
    /// Final equity less the starting equity.
    pub total: f64,
    /// Mean return per trade.
    pub per_trade: Score,
    /// (row at which a trade is closed, equity after it).
    pub equity: Vec<(usize, f64)>,
    /// Largest fall of the equity from an earlier peak, in units of equity.
    pub drawdown: f64,
}

impl Account {
    fn keep(
        trades: impl Iterator<Item = Trade>,
        horizon: usize,
        start: f64,
        book: impl Fn(f64, f64) -> f64,
    ) -> Self {
        let (mut value, mut peak, mut drawdown, mut sum) = (start, start, 0.0_f64, 0.0);
        let mut equity = Vec::new();
        for trade in trades {
            value = book(value, trade.profit);
            peak = value.max(peak);
            drawdown = drawdown.max(peak - value);
            sum += trade.profit;
            equity.push((trade.row + horizon, value));
        }
        let trades = equity.len() as u64;
        let per_trade = Score::ratio(sum, trades as f64, Undefined::NoTrades);
        Self { trades, total: value - start, per_trade, equity, drawdown }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_position_waits_for_the_horizon() {
        let truth = [0.10, 0.20, 0.30, -0.50, 0.10];
        let predicted = [0.05, 0.05, 0.05, 0.05, -0.05];
        let record = TradingRecord::new(&truth, &predicted, TradingRule::new(0.02, 3)).unwrap();
        assert_eq!(record.trades().len(), 5);
        let account = record.one_position();
        // Rows 0 and 3; rows 1, 2 and 4 find a position open.
        assert_eq!(account.equity, [(3, 1.1), (6, 1.1 * 0.5)]);
        assert!((account.total + 0.45).abs() < 1e-15);
        assert!((account.per_trade.value().unwrap() + 0.2).abs() < 1e-15);
        assert!((account.drawdown - 0.55).abs() < 1e-15);
        let all = record.every_signal();
        assert_eq!(all.trades, 5);
        assert!((all.total - (0.1 + 0.2 + 0.3 - 0.5 - 0.1)).abs() < 1e-15);
        let counts = record.counts();
        assert_eq!((counts.signals, counts.moves), ([4, 1], [4, 1]));
        assert_eq!((counts.beyond_threshold, counts.right_way, counts.wrong_side), (3, 3, 2));
        assert!((counts.profit - all.total).abs() < 1e-15);
    }

    #[test]
    fn the_threshold_itself_is_no_signal() {
        let rule = TradingRule::new(0.02, 1);
        assert_eq!((rule.signal(0.02), rule.signal(-0.02)), (None, None));
        assert_eq!((rule.signal(0.0201), rule.signal(-0.0201)), (Some(Side::Long), Some(Side::Short)));
    }

    #[test]
    fn a_short_can_lose_everything_once() {
        let record = TradingRecord::new(&[2.0, 0.5], &[-0.1, 0.1], TradingRule::new(0.02, 1)).unwrap();
        assert_eq!(record.one_position().equity, [(1, 0.0), (2, 0.0)]);
        assert_eq!(record.counts().wrong_side, 1);
    }

    #[test]
    fn silence_is_undefined_and_costs_count() {
        let silent = TradingRecord::new(&[0.1], &[0.0], TradingRule::new(0.02, 1)).unwrap();
        assert_eq!(silent.every_signal().per_trade.undefined(), Some(Undefined::NoTrades));
        assert_eq!((silent.counts().missed_moves, silent.every_signal().total), (1, 0.0));
        let rule = TradingRule { cost: 0.01, ..TradingRule::new(0.02, 1) };
        let record = TradingRecord::new(&[0.03], &[0.03], rule).unwrap();
        assert!((record.trades()[0].profit - 0.01).abs() < 1e-15);
    }

    #[test]
    fn settings_are_checked() {
        let message = |rule: TradingRule| rule.check().unwrap_err().to_string();
        assert_eq!(
            message(TradingRule::new(-0.02, 1)),
            "trading.threshold = -0.02 is not allowed: a finite return, at least 0, such as 0.02"
        );
        assert_eq!(message(TradingRule::new(0.02, 0)), "trading.horizon = 0 is not allowed: at least 1 row");
        let rule = TradingRule { cost: f64::NAN, ..TradingRule::new(0.02, 1) };
        assert_eq!(message(rule), "trading.cost = NaN is not allowed: a finite return, at least 0");
    }

    #[test]
    fn a_return_at_the_threshold_is_not_a_move() {
        let counts =
            TradingCounts::new(&[0.02, -0.02, 0.03, -0.03], &[0.0; 4], TradingRule::new(0.02, 1)).unwrap();
        assert_eq!((counts.moves, counts.missed_moves), ([1, 1], 2));
    }

    #[test]
    fn units_staked_add_up_from_nothing() {
        let record = TradingRecord::new(&[-0.5, 1.0], &[0.1, 0.1], TradingRule::new(0.02, 1)).unwrap();
        let account = record.every_signal();
        assert_eq!((account.equity, account.total, account.drawdown), (vec![(1, -0.5), (2, 0.5)], 0.5, 0.5));
    }

    #[test]
    fn moves_and_signals_have_one_threshold() {
        let rule = TradingRule::new(0.02, 1);
        assert_eq!((rule.movement(0.03), rule.movement(-0.03)), (Some(Side::Long), Some(Side::Short)));
        assert_eq!((rule.movement(0.02), rule.movement(-0.02)), (None, None));
    }
}
