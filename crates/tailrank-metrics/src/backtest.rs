//! A trading rule carried through a test period row by row: what one account would have earned.
//!
//! [`trading`](crate::trading) judges signals by the return over the next h rows. An account lives from row
//! to row: it holds a position w (−1 all short, 0 out, 1 all long), earns w·r on the price's return r to the
//! next row, and pays the cost of a side on every change of w. Signals of neighbouring rows overlap when h >
//! 1; [`Position`] says what the account does about it.
//!
//! | word | meaning |
//! |---|---|
//! | P&L | w·r − cost·∣change of w∣ of a row, as a share of the account's equity |
//! | equity | starts at 1, compounds; once it is lost it stays 0 |
//! | drawdown | largest fall of the equity below its last peak, as a share of the peak |
//! | turnover | Σ∣change of w∣: 2 for a position that is opened and closed |
//! | break-even cost | Σw·r over the turnover: the cost of a side that leaves nothing before compounding |

use crate::error::{Result, check_finite, check_lengths};
use crate::score::{Score, Undefined};
use crate::trading::{Side, TradingRule};

/// What an account does about signals that come while a position is open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema),
    serde(rename_all = "lowercase")
)]
pub enum Position {
    /// One position at a time: it takes all capital for h rows, and signals in the meantime are passed by.
    #[default]
    One,
    /// Every signal gets 1/h of the capital for h rows.
    Overlap,
}

/// An account kept row by row.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Backtest {
    /// P&L of each row after costs.
    pub profits: Vec<f64>,
    /// Positions opened.
    pub trades: u64,
    /// Σ of the profits before costs.
    pub gross: f64,
    /// Σ∣change of position∣.
    pub turnover: f64,
    /// Final equity less 1.
    pub total: f64,
    /// Largest fall from a peak, as a share of it.
    pub drawdown: f64,
}

impl Backtest {
    /// Follows the signals of `predicted`; `steps` are the price's returns from row to row.
    ///
    /// The last signal is held to its end, so there are h − 1 more steps than predictions: step i leads from
    /// row i to row i + 1.
    ///
    /// ```
    /// use tailrank_metrics::{backtest::{Backtest, Position}, trading::TradingRule};
    ///
    /// // Long from row 0 for two rows, then short from row 2.
    /// let steps = [0.10, -0.05, -0.02, 0.01];
    /// let account = Backtest::new(&[0.03, 0.0, -0.04], &steps, TradingRule::new(0.02, 2), Position::One)?;
    /// assert_eq!((account.trades, account.turnover), (2, 4.0));
    /// assert!((account.total - (1.10 * 0.95 * 1.02 * 0.99 - 1.0)).abs() < 1e-15);
    /// # Ok::<(), tailrank_metrics::MetricError>(())
    /// ```
    pub fn new(predicted: &[f64], steps: &[f64], rule: TradingRule, position: Position) -> Result<Self> {
        let rule = rule.check()?;
        check_finite("predictions", predicted)?;
        check_finite("steps", steps)?;
        let rows = predicted.len() + rule.horizon - 1;
        check_lengths("predictions with the rows that the last trade lasts", rows, "steps", steps.len())?;
        let (weights, trades) = match position {
            Position::One => one_at_a_time(predicted, rule),
            Position::Overlap => overlapping(predicted, rule),
        };
        Ok(Self::of_weights(&weights, trades, steps, rule.cost))
    }

    /// Buying on the first row and selling on the last.
    pub fn buy_and_hold(steps: &[f64], cost: f64) -> Result<Self> {
        check_finite("steps", steps)?;
        Ok(Self::of_weights(&vec![1.0; steps.len()], 1, steps, cost))
    }

    /// What is held over each step; everything is sold after the last.
    fn of_weights(weights: &[f64], trades: u64, steps: &[f64], cost: f64) -> Self {
        let (mut before, mut turnover, mut gross) = (0.0, 0.0, 0.0);
        let (mut equity, mut peak, mut drawdown) = (1.0, 1.0_f64, 0.0_f64);
        let mut profits = Vec::with_capacity(steps.len());
        for (i, (&held, &step)) in weights.iter().zip(steps).enumerate() {
            let sold = if i + 1 == weights.len() { f64::abs(held) } else { 0.0 };
            let change = f64::abs(held - before) + sold;
            before = held;
            turnover += change;
            gross += held * step;
            let profit = held * step - cost * change;
            equity *= (1.0 + profit).max(0.0);
            peak = peak.max(equity);
            drawdown = drawdown.max(1.0 - equity / peak);
            profits.push(profit);
        }
        Self { profits, trades, gross, turnover, total: equity - 1.0, drawdown }
    }

    /// The cost of a side at which the gains of all rows add up to nothing; undefined for an account that
    /// never trades.
    pub fn break_even_cost(&self) -> Score {
        Score::ratio(self.gross, self.turnover, Undefined::NoTrades)
    }
}

fn sign(side: Option<Side>) -> f64 {
    side.map_or(0.0, |side| side.profit(1.0))
}

fn one_at_a_time(predicted: &[f64], rule: TradingRule) -> (Vec<f64>, u64) {
    let mut weights = vec![0.0; predicted.len() + rule.horizon - 1];
    let (mut free_from, mut trades) = (0, 0);
    for (row, &p) in predicted.iter().enumerate() {
        let held = sign(rule.signal(p));
        if row >= free_from && held != 0.0 {
            weights[row..row + rule.horizon].fill(held);
            free_from = row + rule.horizon;
            trades += 1;
        }
    }
    (weights, trades)
}

fn overlapping(predicted: &[f64], rule: TradingRule) -> (Vec<f64>, u64) {
    let signs: Vec<i64> = predicted.iter().map(|&p| sign(rule.signal(p)) as i64).collect();
    // Whole numbers: a position that is closed leaves nothing behind by rounding.
    let mut open = 0i64;
    let weights = (0..signs.len() + rule.horizon - 1).map(|row| {
        open += signs.get(row).unwrap_or(&0);
        open -= row.checked_sub(rule.horizon).map_or(0, |closed| signs[closed]);
        open as f64 / rule.horizon as f64
    });
    (weights.collect(), signs.iter().filter(|s| **s != 0).count() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEPS: [f64; 5] = [0.10, -0.20, 0.05, 0.10, -0.10];

    fn near(found: &[f64], expected: &[f64]) {
        assert_eq!(found.len(), expected.len());
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15), "{found:?} {expected:?}");
    }

    #[test]
    fn overlapping_signals_share_the_capital() {
        let rule = TradingRule { cost: 0.01, ..TradingRule::new(0.02, 2) };
        let account = Backtest::new(&[0.03, 0.03, 0.0, -0.03], &STEPS, rule, Position::Overlap).unwrap();
        // Held: ½, 1, ½, −½, −½; changes ½, ½, ½, 1, 0, and ½ at the end.
        let expected = [0.05 - 0.005, -0.20 - 0.005, 0.025 - 0.005, -0.05 - 0.01, 0.05 - 0.005];
        near(&account.profits, &expected);
        assert_eq!((account.trades, account.turnover), (3, 3.0));
        assert!((account.gross - (0.05 - 0.2 + 0.025 - 0.05 + 0.05)).abs() < 1e-15);
        assert!((account.break_even_cost().value().unwrap() - account.gross / 3.0).abs() < 1e-15);
        let total = expected.iter().map(|p| 1.0 + p).product::<f64>() - 1.0;
        assert!((account.total - total).abs() < 1e-15);
        // The peak stands after the first row, the trough after the fourth.
        let trough = (1.0 - 0.205) * (1.0 + 0.02) * (1.0 - 0.06);
        assert!((account.drawdown - (1.0 - trough)).abs() < 1e-15);
    }

    #[test]
    fn one_position_passes_signals_by_and_pays_each_side() {
        let rule = TradingRule { cost: 0.01, ..TradingRule::new(0.02, 2) };
        let account = Backtest::new(&[0.03, -0.03, 0.0, -0.03], &STEPS, rule, Position::One).unwrap();
        // Long over steps 0 and 1, out over step 2, short over steps 3 and 4.
        near(&account.profits, &[0.10 - 0.01, -0.20, -0.01, -0.10 - 0.01, 0.10 - 0.01]);
        assert_eq!((account.trades, account.turnover), (2, 4.0));
    }

    #[test]
    fn holding_pays_twice_and_silence_earns_nothing() {
        let held = Backtest::buy_and_hold(&STEPS, 0.01).unwrap();
        near(&held.profits, &[0.09, -0.20, 0.05, 0.10, -0.11]);
        assert_eq!(held.turnover, 2.0);
        let rule = TradingRule::new(0.02, 2);
        let silent = Backtest::new(&[0.0; 4], &STEPS, rule, Position::Overlap).unwrap();
        assert_eq!((silent.trades, silent.total, silent.drawdown), (0, 0.0, 0.0));
        assert_eq!(silent.break_even_cost().undefined(), Some(Undefined::NoTrades));
        assert!(Backtest::new(&[0.0; 5], &STEPS, rule, Position::One).is_err());
    }

    #[test]
    fn the_break_even_cost_leaves_nothing() {
        let rule = TradingRule::new(0.02, 2);
        let predicted = [0.03, 0.03, -0.05, 0.03];
        for position in [Position::One, Position::Overlap] {
            let free = Backtest::new(&predicted, &[0.02, 0.03, 0.01, -0.01, 0.04], rule, position).unwrap();
            let cost = free.break_even_cost().value().unwrap();
            assert!(cost > 0.0, "{position:?}");
            let paid = TradingRule { cost, ..rule };
            let account =
                Backtest::new(&predicted, &[0.02, 0.03, 0.01, -0.01, 0.04], paid, position).unwrap();
            assert!(account.profits.iter().sum::<f64>().abs() < 1e-15, "{position:?}");
        }
    }
}
