//! What the trading rule would have done with the best variant of each measure.

use tailrank_metrics::{Measure, MetricError, Settings, trading::TradingRecord};

use super::{Accountant, Names, Performance, Predictions, TaskId, TaskScores, TaskTruth, VariantId};
use crate::table::{Format, Table, column};

/// The trades of the best variant by one measure on one task.
#[derive(Clone, Debug, PartialEq)]
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
    pub account: Option<Performance>,
}

/// The trades of each measure's best variant. Tasks of several parts are not traded: their rows are not one period.
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
    type R<'a> = &'a TradingRow;
    use Format::{Count, Name, Number, P, Percent};
    let sharpe = |r: &R<'_>| r.account.as_ref().and_then(|a| a.sharpe);
    let table = Table::of(
        "trading",
        "What the trading rule earns with each measure's pick",
        trading,
        vec![
            column("task", "task", Name, "the task", |r: &R<'_>| names.task(r.task).to_owned()),
            column("chosen_by", "picked by", Name, "the measure that picks the model", |r: &R<'_>| {
                r.chosen_by.id()
            }),
            column("variant", "model", Name, "the model", |r: &R<'_>| names.label(r.variant).to_owned()),
            column("signals", "signals", Count, "predictions beyond the threshold", |r: &R<'_>| {
                r.record.counts().signal_count() as usize
            }),
            column("long", "long", Count, "signals to buy", |r: &R<'_>| {
                r.record.counts().signals[0] as usize
            }),
            column("short", "short", Count, "signals to sell", |r: &R<'_>| {
                r.record.counts().signals[1] as usize
            }),
            column(
                "beyond_threshold",
                "beyond",
                Count,
                "signals followed by a move beyond the threshold their way",
                |r: &R<'_>| r.record.counts().beyond_threshold as usize,
            ),
            column(
                "right_way",
                "right way",
                Count,
                "signals followed by a move their way, however small",
                |r: &R<'_>| r.record.counts().right_way as usize,
            )
            .for_files(),
            column(
                "wrong_side",
                "wrong side",
                Count,
                "signals followed by a move the other way",
                |r: &R<'_>| r.record.counts().wrong_side as usize,
            ),
            column(
                "missed_moves",
                "missed",
                Count,
                "moves beyond the threshold without a signal",
                |r: &R<'_>| r.record.counts().missed_moves as usize,
            )
            .for_files(),
            column("return_per_signal", "per signal", Percent, "mean return of a signal", |r: &R<'_>| {
                r.record.every_signal().per_trade
            }),
            column(
                "return_every_signal",
                "all signals",
                Percent,
                "one unit on every signal, returns added",
                |r: &R<'_>| r.record.every_signal().total,
            ),
            column(
                "trades_one_position",
                "trades",
                Count,
                "trades when one position is held at a time",
                |r: &R<'_>| r.record.one_position().trades as usize,
            ),
            column(
                "return_one_position",
                "one position",
                Percent,
                "one position at a time, returns compounded",
                |r: &R<'_>| r.record.one_position().total,
            ),
            column(
                "account_return",
                "account",
                Percent,
                "the account kept day by day by the position rule, after costs, compounded",
                |r: &R<'_>| r.account.as_ref().map(|a| a.total),
            ),
            column("drawdown", "drawdown", Percent, "its largest fall from a peak", |r: &R<'_>| {
                r.account.as_ref().map(|a| a.drawdown)
            }),
            column(
                "sharpe",
                "Sharpe",
                Number,
                "its Sharpe ratio a day; times √252 for a year",
                move |r: &R<'_>| sharpe(r).map(|s| s.ratio),
            ),
            column("sharpe_error", "error", Number, "standard error of it (HAC)", move |r: &R<'_>| {
                sharpe(r).map(|s| s.standard_error)
            })
            .for_files(),
            column(
                "above_zero",
                "P(> 0)",
                P,
                "probability that the true ratio is above 0, that of not trading",
                |r: &R<'_>| r.account.as_ref().and_then(|a| a.above_zero),
            )
            .for_files(),
            column(
                "break_even_cost",
                "break-even",
                Percent,
                "cost of a side at which the account earns nothing",
                |r: &R<'_>| r.account.as_ref().map(|a| a.break_even_cost.value()),
            ),
        ],
    );
    table.note("All signals: one unit staked on each, returns added. One position: one at a time, returns compounded.")
}

#[cfg(test)]
mod tests;
