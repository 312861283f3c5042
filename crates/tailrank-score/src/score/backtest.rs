//! The trading rule as an account kept day by day, for every candidate of a task: what the best earned, and
//! what remains of it once the choice among all candidates is counted.

use serde::{Deserialize, Serialize};
use tailrank_data::Dataset;
use tailrank_metrics::{
    MetricError,
    backtest::{Backtest, Position},
    trading::TradingRule,
};
use tailrank_stats::{
    DeflatedSharpe, Hac, Overfitting, Sharpe, StatsError, backtest_overfitting, deflated_sharpe, sharpe_ratio,
};

use super::{Names, Predictions, TaskId, TaskScores, VariantId};
use crate::{
    plan::Task,
    table::{Format, Table},
};

/// Profits that may be held at once: all candidates by all days of a task (256 MB).
const MOST_PROFITS: usize = 1 << 25;

/// Blocks of cross-validation behind PBO: 924 ways to choose half of them.
const PBO_BLOCKS: usize = 12;

/// Sharpe ratio a day with its HAC error; none for an account that never trades.
pub(super) fn sharpe(account: &Backtest) -> Option<Sharpe> {
    sharpe_ratio(&account.profits, Hac::NeweyWest).ok()
}

/// Keeps accounts of one task by one rule.
#[derive(Clone)]
pub struct Accountant {
    rule: TradingRule,
    position: Position,
    steps: Vec<f64>,
}

impl Accountant {
    /// The price's returns from `steps`, one row after the other; see [`Backtest::new`].
    pub fn new(rule: TradingRule, position: Position, steps: Vec<f64>) -> Self {
        Self { rule, position, steps }
    }

    /// For the test days of a task; none where they are not one period of consecutive days of a price series.
    pub(super) fn of_task(task: &Task, rule: TradingRule, position: Position) -> Option<Self> {
        let Dataset::Series(embedding) = &*task.data else { return None };
        let (first, last) = task.test_period()?;
        // The last signal's position is closed `horizon` days after it.
        let step = |row: usize| embedding.origin_price(row + 1) / embedding.origin_price(row) - 1.0;
        Some(Self::new(rule, position, (first..last + rule.horizon).map(step).collect()))
    }

    /// The account of one variant.
    pub fn account(&self, predicted: &[f64]) -> Result<Backtest, MetricError> {
        Backtest::new(predicted, &self.steps, self.rule, self.position)
    }

    /// Buying on the first day and selling on the last.
    pub fn buy_and_hold(&self) -> Result<Backtest, MetricError> {
        Backtest::buy_and_hold(&self.steps, self.rule.cost)
    }
}

/// The accounts of all candidates of a task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TaskBacktest {
    /// Which task.
    pub task: TaskId,
    /// Candidates tried; copies count once.
    pub candidates: usize,
    /// Those of them that trade.
    pub trading: usize,
    /// The candidate with the highest Sharpe ratio.
    pub best: Option<(VariantId, Backtest)>,
    /// Its Sharpe ratio against the expected best of as many candidates without skill.
    pub deflated: Option<DeflatedSharpe>,
    /// Probability of backtest overfitting among all candidates.
    pub overfitting: Option<Overfitting>,
    /// The same among those that trade in every half of the days.
    pub overfitting_of_traders: Option<Overfitting>,
    /// Buying and holding.
    pub hold: Backtest,
    /// Why something is missing, if so.
    pub reason: Option<String>,
}

/// Collects accounts while predictions are read, one variant at a time.
pub struct Backtester {
    accountant: Accountant,
    accounts: Vec<(VariantId, Backtest)>,
    held: usize,
}

impl Backtester {
    /// Nothing read yet.
    pub fn new(accountant: Accountant) -> Self {
        Self { accountant, accounts: Vec::new(), held: 0 }
    }

    /// Keeps the account of a variant. Beyond what may be held only their number counts.
    pub fn add(&mut self, variant: VariantId, predictions: &Predictions) -> Result<(), MetricError> {
        let [predicted] = predictions.parts.as_slice() else { return Ok(()) };
        self.held += self.accountant.steps.len();
        if self.held <= MOST_PROFITS {
            self.accounts.push((variant, self.accountant.account(predicted)?));
        }
        Ok(())
    }

    /// Compares the candidates.
    pub fn finish(self, task: TaskId, scores: &TaskScores) -> Result<TaskBacktest, MetricError> {
        let distinct = scores.distinct();
        let mut found = TaskBacktest {
            task,
            candidates: distinct.len(),
            trading: 0,
            best: None,
            deflated: None,
            overfitting: None,
            overfitting_of_traders: None,
            hold: self.accountant.buy_and_hold()?,
            reason: None,
        };
        if self.held > MOST_PROFITS {
            let days = self.accountant.steps.len();
            found.reason = Some(format!(
                "the profits of {} candidates on {days} days are too much to hold",
                distinct.len()
            ));
            return Ok(found);
        }
        let accounts: Vec<&(VariantId, Backtest)> =
            self.accounts.iter().filter(|(v, _)| distinct.contains(v)).collect();
        let traders: Vec<&(VariantId, Backtest)> =
            accounts.iter().copied().filter(|(_, a)| a.trades > 0).collect();
        found.trading = traders.len();
        let ratios: Vec<(f64, &(VariantId, Backtest))> =
            traders.iter().filter_map(|t| Some((sharpe(&t.1)?.ratio, *t))).collect();
        // Of equals the first.
        let best = ratios.iter().copied().reduce(|a, b| if b.0 > a.0 { b } else { a });
        let Some((_, best)) = best else {
            let why = traders.first().and_then(|(_, a)| sharpe_ratio(&a.profits, Hac::NeweyWest).err());
            found.reason = Some(why.map_or("no candidate trades".to_owned(), |e| e.to_string()));
            return Ok(found);
        };
        let mut note = |answer: Result<(), StatsError>| {
            if let Err(e) = answer {
                found.reason.get_or_insert(e.to_string());
            }
        };
        let values: Vec<f64> = ratios.iter().map(|r| r.0).collect();
        note(
            deflated_sharpe(&best.1.profits, values.len(), variance(&values))
                .map(|d| found.deflated = Some(d)),
        );
        let profits = |of: &[&(VariantId, Backtest)]| {
            let columns: Vec<&[f64]> = of.iter().map(|(_, a)| a.profits.as_slice()).collect();
            backtest_overfitting(&columns, PBO_BLOCKS)
        };
        note(profits(&accounts).map(|o| found.overfitting = Some(o)));
        // Who is out of the market for a whole half ranks last there.
        let often: Vec<_> = traders.into_iter().filter(|(_, a)| trades_in_every_half(&a.profits)).collect();
        note(profits(&often).map(|o| found.overfitting_of_traders = Some(o)));
        found.best = Some(best.clone());
        Ok(found)
    }
}

/// The variance (n − 1); 0 of a single value.
fn variance(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    if values.len() < 2 { 0.0 } else { values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0) }
}

/// Whether any half of the blocks holds a day with profit or loss.
fn trades_in_every_half(profits: &[f64]) -> bool {
    let blocks = profits.chunks_exact((profits.len() / PBO_BLOCKS).max(1)).take(PBO_BLOCKS);
    2 * blocks.filter(|block| block.iter().any(|p| *p != 0.0)).count() > PBO_BLOCKS
}

/// One row per task.
pub(super) fn table(names: &Names, all: &[TaskBacktest]) -> Table {
    use Format::{Count, Name, Number, P, Percent};
    let best = |b: &TaskBacktest| b.best.as_ref().map(|(_, account)| account.clone());
    let best_sharpe = |b: &TaskBacktest| b.best.as_ref().and_then(|(_, account)| sharpe(account));
    let table = Table::of(all)
        .task(names, |b| b.task)
        .column(Count, "candidates", ("candidates", "candidates tried; copies count once"), |b| b.candidates)
        .column(Count, "trading", ("trading", "those of them that trade"), |b| b.trading)
        .column(Name, "model", "model", |b| b.best.as_ref().map(|(v, _)| names.label(*v)))
        .means("the model with the highest Sharpe ratio")
        .column(Percent, "return", "return", |b| best(b).map(|a| a.total))
        .means("what its account earned after costs, compounded")
        .column(Percent, "drawdown", "drawdown", |b| best(b).map(|a| a.drawdown))
        .means("its largest fall from a peak")
        .column(Number, "sharpe", "Sharpe", |b| best_sharpe(b).map(|s| s.ratio))
        .means("its Sharpe ratio a day; times √252 for a year")
        .column(Number, "sharpe_error", "error", |b| best_sharpe(b).map(|s| s.standard_error))
        .means("standard error of it (HAC)")
        .column(Number, "sharpe_by_luck", "chance", |b| b.deflated.map(|d| d.by_luck))
        .means("the highest ratio expected of as many trading candidates without skill")
        .column(P, "deflated_sharpe", "DSR", |b| b.deflated.map(|d| d.probability))
        .means("deflated Sharpe ratio: probability that its true ratio is above chance")
        .column(Percent, "overfitting", "PBO", |b| b.overfitting.map(|o| o.probability))
        .means(
            "probability of backtest overfitting: how often the best of half the days is in the lower \
            half on the others",
        )
        .column(Percent, "overfitting_of_traders", "PBO, traders", |b| {
            b.overfitting_of_traders.map(|o| o.probability)
        })
        .means("the same among candidates that trade in every half of the days")
        .file_column(Count, "seldom_trading", "seldom", |b| b.overfitting.map(|o| o.undefined))
        .means("candidates without a Sharpe ratio on some half")
        .file_column(Count, "splits", "splits", |b| b.overfitting.map(|o| o.splits))
        .means("divisions of the days behind PBO")
        .column(Percent, "hold_return", ("held", "what buying and holding earned"), |b| b.hold.total)
        .column(Percent, "hold_drawdown", ("drawdown", "its largest fall from a peak"), |b| b.hold.drawdown)
        .column(Number, "hold_sharpe", "Sharpe", |b| sharpe(&b.hold).map(|s| s.ratio))
        .means("its Sharpe ratio a day")
        .file_column(Number, "hold_sharpe_error", "error", |b| sharpe(&b.hold).map(|s| s.standard_error))
        .means("standard error of it (HAC)")
        .file_column(Name, "reason", "reason", |b| b.reason.clone().unwrap_or_default())
        .means("why something is missing")
        .titled("backtest", "The account with the highest Sharpe ratio, beside buying and holding");
    table
        .note("Candidates that never trade rank last in every half, so that many of them make PBO look good: see PBO, traders.")
        .note("DSR takes trials as independent; candidates that trade alike count for fewer, and it is then too strict.")
        .note("Not trading at all earns 0.")
}

#[cfg(test)]
mod tests {
    use tailrank_metrics::{Measure, Settings};

    use super::{
        super::{TaskScorer, TaskTruth, VariantStatus},
        *,
    };

    fn wave(n: usize, speed: f64, size: f64) -> Vec<f64> {
        (0..n).map(|i| size * (i as f64 * speed).sin()).collect()
    }

    fn backtest(predictions: &[Vec<f64>], steps: Vec<f64>, horizon: usize) -> TaskBacktest {
        let n = predictions[0].len();
        let parts = [TaskTruth::new(wave(n, 0.7, 1.0), Settings::default())];
        let none = vec![false; predictions.len()];
        let mut scorer = TaskScorer::new(&parts, &[Measure::Mad], &none).unwrap();
        let accountant = Accountant::new(TradingRule::new(0.02, horizon), Position::Overlap, steps);
        let mut backtester = Backtester::new(accountant);
        for (v, p) in predictions.iter().enumerate() {
            let p = Predictions { status: VariantStatus::Fine, parts: vec![p.clone()] };
            scorer.add(VariantId(v), &p).unwrap();
            backtester.add(VariantId(v), &p).unwrap();
        }
        backtester.finish(TaskId(0), &scorer.finish()).unwrap()
    }

    #[test]
    fn foresight_survives_the_choice_and_noise_does_not() {
        let steps = wave(240, 1.1, 0.03);
        let mut predictions = vec![steps.clone(), wave(240, 0.4, 0.05), wave(240, 2.9, 0.05), vec![0.0; 240]];
        let found = backtest(&predictions, steps.clone(), 1);
        assert_eq!((found.candidates, found.trading), (4, 3));
        assert_eq!(found.best.as_ref().unwrap().0, VariantId(0));
        assert!(found.deflated.unwrap().probability > 0.99);
        assert_eq!(found.overfitting.unwrap().probability, 0.0);
        assert_eq!((found.overfitting.unwrap().undefined, found.overfitting.unwrap().splits), (1, 924));
        assert_eq!(found.overfitting_of_traders.unwrap().undefined, 0);
        let best = found.best.unwrap().1;
        assert!(sharpe(&best).unwrap().ratio > sharpe(&found.hold).unwrap().ratio);
        assert_eq!(best.drawdown, 0.0);
        predictions.remove(0);
        assert!(backtest(&predictions, steps, 1).deflated.unwrap().probability < 0.9);
    }

    /// Twelve blocks: with six of them empty some half has no trade. Fewer days than blocks are blocks of
    /// one.
    #[test]
    fn traders_trade_in_more_than_half_of_the_blocks() {
        let days = |blocks: usize, length: usize| -> Vec<f64> {
            (0..12 * length).map(|i| if i % length == 0 && i / length < blocks { 0.1 } else { 0.0 }).collect()
        };
        for length in [1, 2, 20] {
            assert!(
                !trades_in_every_half(&days(6, length)) && trades_in_every_half(&days(7, length)),
                "{length}"
            );
        }
        assert!(trades_in_every_half(&[0.1; 7]) && !trades_in_every_half(&[0.1; 6]));
    }

    #[test]
    fn one_value_has_no_variance() {
        assert_eq!([variance(&[7.0]), variance(&[1.0, 3.0]), variance(&[1.0, 2.0, 6.0])], [0.0, 2.0, 7.0]);
    }

    /// A price that goes 100, 110, 99, 99, 198, …: an account follows its days from the first tested one to
    /// the close of the last position, and needs them without a gap.
    #[test]
    fn accounts_follow_the_days_of_one_period() {
        use tailrank_data::{Date, Embedding, PriceSeries, Split, TableOptions, read_table_bytes};
        let prices = vec![80.0, 100.0, 110.0, 99.0, 99.0, 198.0, 99.0, 100.0];
        let days = (1..=8).map(|d| Date::constant(2008, 7, d)).collect();
        let series = PriceSeries::new("S", days, prices, None).unwrap();
        let task = |data: Dataset, tests: &[&[usize]], pooled: bool| Task {
            name: "S".to_owned(),
            source: "S".to_owned(),
            horizon: Some(2),
            column: None,
            data: std::sync::Arc::new(data),
            splits: tests.iter().map(|test| Split::known_and_new(0..0, test.to_vec())).collect(),
            leaks: Vec::new(),
            pooled,
            folds: 1,
            relevance: Default::default(),
            measures: Default::default(),
            cluster: None,
        };
        // Two sessions ahead with one lag, the first row is at the third session, 110.
        let embedding = || Dataset::from(Embedding::new(&series, 2, 1).unwrap());
        let steps = |tests: &[&[usize]], pooled: bool| {
            let rule = TradingRule::new(0.02, 2);
            Accountant::of_task(&task(embedding(), tests, pooled), rule, Position::Overlap).map(|a| a.steps)
        };
        let near = |found: Option<Vec<f64>>, expected: &[f64]| {
            let found = found.unwrap();
            let is_near = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-15;
            assert!(found.len() == expected.len() && found.iter().zip(expected).all(is_near), "{found:?}");
        };
        near(steps(&[&[0, 1]], true), &[-0.1, 0.0, 1.0]);
        near(steps(&[&[1], &[2, 3]], true), &[0.0, 1.0, -0.5, 100.0 / 99.0 - 1.0]);
        assert_eq!(steps(&[&[0], &[2]], true), None, "a gap");
        assert_eq!(steps(&[&[0], &[1]], false), None, "two periods");
        assert_eq!(steps(&[], true), None, "no day");
        let table =
            read_table_bytes("t.csv", b"x,y\n1,2\n3,4\n5,6\n", &TableOptions::new("y")).unwrap().value;
        let rule = TradingRule::new(0.02, 2);
        assert!(
            Accountant::of_task(&task(table.into(), &[&[0, 1]], true), rule, Position::Overlap).is_none()
        );
    }

    #[test]
    fn what_cannot_be_told_has_a_reason() {
        let silent = backtest(&[vec![0.0; 60], vec![0.01; 60]], wave(60, 1.1, 0.03), 1);
        assert_eq!((silent.trading, silent.reason.as_deref()), (0, Some("no candidate trades")));
        assert!(silent.best.is_none() && silent.overfitting.is_none());
        let one = backtest(&[wave(60, 1.3, 0.05)], wave(62, 1.1, 0.03), 3);
        assert!(one.reason.unwrap().contains("one strategy is not chosen from any"));
        assert!(one.best.is_some() && one.overfitting.is_none());
        let short = backtest(&[wave(8, 1.3, 0.05), wave(8, 0.3, 0.05)], wave(8, 1.1, 0.03), 1);
        assert!(short.reason.unwrap().contains("10"), "needs ten days");
        assert_eq!((short.trading, short.best), (2, None));
    }
}
