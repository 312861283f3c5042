//! What the trading rule would have done with the best variant of each measure.

use serde::{Deserialize, Serialize};
use tailrank_metrics::{Measure, MetricError, Settings, backtest::Backtest, trading::TradingRecord};
use tailrank_stats::probabilistic_sharpe;

use super::{Accountant, Names, Predictions, TaskId, TaskScores, TaskTruth, VariantId, backtest};
use crate::table::{Format, Table};

/// The trades of the best variant by one measure on one task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TradingRow {
    /// Which task.
    pub task: TaskId,
    /// The measure that chose the variant.
    pub chosen_by: Measure,
    /// The variant.
    pub variant: VariantId,
    /// What the rule did with its predictions.
    pub record: TradingRecord,
    /// Its account day by day; none where the test rows are not one period of a price series.
    pub account: Option<Backtest>,
}

/// The trades of each measure's best variant. Tasks of several parts are not traded: their rows are not one
/// period.
pub fn trading_rows(
    task: TaskId,
    parts: &[TaskTruth],
    scores: &TaskScores,
    predictions: &[Predictions],
    accountant: Option<&Accountant>,
) -> Result<Vec<TradingRow>, MetricError> {
    let [TaskTruth { truth, settings: Settings { trading: Some(rule), .. }, .. }] = parts else {
        return Ok(Vec::new());
    };
    let mut rows = Vec::new();
    for &measure in &scores.measures {
        let Some(variant) = scores.best(measure) else { continue };
        let predicted = &predictions[variant.0].parts[0];
        let record = TradingRecord::new(truth, predicted, *rule)?;
        let account = accountant.map(|a| a.account(predicted)).transpose()?;
        rows.push(TradingRow { task, chosen_by: measure, variant, record, account });
    }
    Ok(rows)
}

/// One row per task and measure.
pub(super) fn table(names: &Names, trading: &[TradingRow]) -> Table {
    use Format::{Count, Name, Number, P, Percent};
    let sharpe = |r: &TradingRow| r.account.as_ref().and_then(backtest::sharpe);
    let above_zero = |a: &Backtest| probabilistic_sharpe(&a.profits, 0.0).ok();
    let table = Table::of(trading)
        .task(names, |r| r.task)
        .column(Name, "chosen_by", ("picked by", "the measure that picks the model"), |r| r.chosen_by.id())
        .model(names, |r| r.variant)
        .column(Count, "signals", "signals", |r| r.record.counts().signal_count() as usize)
        .means("predictions beyond the threshold")
        .column(Count, "long", ("long", "signals to buy"), |r| r.record.counts().signals[0] as usize)
        .column(Count, "short", ("short", "signals to sell"), |r| r.record.counts().signals[1] as usize)
        .column(Count, "beyond_threshold", "beyond", |r| r.record.counts().beyond_threshold as usize)
        .means("signals followed by a move beyond the threshold their way")
        .file_column(Count, "right_way", "right way", |r| r.record.counts().right_way as usize)
        .means("signals followed by a move their way, however small")
        .column(Count, "wrong_side", "wrong side", |r| r.record.counts().wrong_side as usize)
        .means("signals followed by a move the other way")
        .file_column(Count, "missed_moves", "missed", |r| r.record.counts().missed_moves as usize)
        .means("moves beyond the threshold without a signal")
        .column(Percent, "return_per_signal", "per signal", |r| r.record.every_signal().per_trade)
        .means("mean return of a signal")
        .column(Percent, "return_every_signal", "all signals", |r| r.record.every_signal().total)
        .means("one unit on every signal, returns added")
        .column(Count, "trades_one_position", "trades", |r| r.record.one_position().trades as usize)
        .means("trades when one position is held at a time")
        .column(Percent, "return_one_position", "one position", |r| r.record.one_position().total)
        .means("one position at a time, returns compounded")
        .column(Percent, "account_return", "account", |r| r.account.as_ref().map(|a| a.total))
        .means("the account kept day by day by the position rule, after costs, compounded")
        .column(Percent, "drawdown", "drawdown", |r| r.account.as_ref().map(|a| a.drawdown))
        .means("its largest fall from a peak")
        .column(Number, "sharpe", "Sharpe", |r| sharpe(r).map(|s| s.ratio))
        .means("its Sharpe ratio a day; times √252 for a year")
        .file_column(Number, "sharpe_error", "error", |r| sharpe(r).map(|s| s.standard_error))
        .means("standard error of it (HAC)")
        .file_column(P, "above_zero", "P(> 0)", |r| r.account.as_ref().and_then(above_zero))
        .means("probability that the true ratio is above 0, that of not trading")
        .column(Percent, "break_even_cost", "break-even", |r| {
            r.account.as_ref().map(|a| a.break_even_cost().value())
        })
        .means("cost of a side at which the account earns nothing")
        .titled("trading", "What the trading rule earns with each measure's pick");
    table.note("All signals: one unit staked on each, returns added. One position: one at a time, returns compounded.")
}

#[cfg(test)]
mod tests;
