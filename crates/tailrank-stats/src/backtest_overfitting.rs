//! The probability of backtest overfitting by combinatorially symmetric cross-validation (Bailey, Borwein,
//! López de Prado & Zhu 2017).

use crate::{
    error::{Result, StatsError, check_columns, check_count, check_setting},
    ranking::{Ranked, sort_key},
};

const TEST: &str = "backtest overfitting";

/// The answer of [`backtest_overfitting`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Overfitting {
    /// Share of splits on which the strategy that won in one half stands in the lower half of the other
    /// (PBO).
    pub probability: f64,
    /// Mean relative rank of that winner in the other half; one half without skill, 1 at best.
    pub mean_rank: f64,
    /// Splits of the blocks into halves.
    pub splits: usize,
    /// Strategies without a Sharpe ratio on some half, such as those that seldom trade. They rank last there,
    /// which makes every winner look better: leave them out for a figure without them.
    pub undefined: usize,
}

/// PBO of strategies' returns in time order, one column per strategy, by Sharpe ratio.
///
/// `blocks` (even, 16 in the paper) contiguous blocks are split into all possible halves; returns beyond a
/// multiple of `blocks` are left out at the end.
///
/// ```
/// use tailrank_stats::backtest_overfitting;
///
/// let returns = |mean: f64, f: f64| (0..160).map(|i| mean + (f64::from(i) * f).sin()).collect::<Vec<_>>();
/// let skill = [returns(0.0, 1.3), returns(0.9, 2.1), returns(0.1, 0.7)];
/// assert_eq!(backtest_overfitting(&skill, 8)?.probability, 0.0);
/// # Ok::<(), tailrank_stats::StatsError>(())
/// ```
pub fn backtest_overfitting<C: AsRef<[f64]>>(strategies: &[C], blocks: usize) -> Result<Overfitting> {
    let n = strategies.first().map_or(0, |s| s.as_ref().len());
    check_columns("strategies", strategies, "strategy 1", n)?;
    let k = strategies.len();
    check_count("strategies", k, TEST, 2, "one strategy is not chosen from any; give two or more")?;
    let is_allowed = (2..=20).contains(&blocks) && blocks.is_multiple_of(2);
    check_setting(is_allowed, "blocks", blocks as f64, "choose an even number of blocks from 2 to 20")?;
    let length = n / blocks;
    check_count("returns", n, TEST, 2 * blocks, "use fewer blocks or more periods")?;
    let sums: Vec<Vec<BlockSums>> =
        strategies.iter().map(|s| block_sums(&s.as_ref()[..length * blocks], length)).collect();
    let periods = (length * blocks / 2) as f64;

    let (mut splits, mut low, mut rank_sum) = (0usize, 0usize, 0.0);
    let mut seldom = vec![false; k];
    // Each set bit is a block of the half in which the winner is chosen.
    for half in (0u32..1 << blocks).filter(|m| m.count_ones() as usize == blocks / 2) {
        let ratios =
            |chosen: u32| sums.iter().map(|s| ratio(s, chosen, periods)).collect::<Vec<Option<f64>>>();
        let (chosen, other) = (ratios(half), ratios(!half));
        for (seldom, undefined) in seldom.iter_mut().zip(other.iter().map(Option::is_none)) {
            *seldom |= undefined;
        }
        let winner = chosen
            .iter()
            .enumerate()
            .filter_map(|(j, r)| r.map(|r| (j, r)))
            .reduce(|a, b| if b.1 > a.1 { b } else { a });
        let Some((winner, _)) = winner else {
            let reason = "no strategy trades in one half of the periods";
            return Err(StatsError::Degenerate { what: "the probability of backtest overfitting", reason });
        };
        let ranked = Ranked::of(other.iter().map(|r| r.map_or(0, sort_key)));
        let relative = ranked.ranks[winner] / (k + 1) as f64;
        splits += 1;
        low += usize::from(relative <= 0.5);
        rank_sum += relative;
    }
    Ok(Overfitting {
        probability: low as f64 / splits as f64,
        mean_rank: rank_sum / splits as f64,
        splits,
        undefined: seldom.iter().filter(|s| **s).count(),
    })
}

/// What a block adds to the moments of the half it falls into.
struct BlockSums {
    /// The strategy's mean over all blocks, from which deviations are taken so that nothing cancels.
    centre: f64,
    deviations: f64,
    squares: f64,
    /// The value of the block if it has only one.
    constant: Option<f64>,
}

fn block_sums(returns: &[f64], length: usize) -> Vec<BlockSums> {
    let centre = returns.iter().sum::<f64>() / returns.len() as f64;
    let block = |values: &[f64]| BlockSums {
        centre,
        deviations: values.iter().map(|v| v - centre).sum(),
        squares: values.iter().map(|v| (v - centre).powi(2)).sum(),
        constant: values.iter().all(|v| *v == values[0]).then_some(values[0]),
    };
    returns.chunks_exact(length).map(block).collect()
}

/// The Sharpe ratio over the blocks of `half`; `None` where the returns do not vary.
fn ratio(sums: &[BlockSums], half: u32, periods: f64) -> Option<f64> {
    let own = || sums.iter().enumerate().filter(|(b, _)| half >> b & 1 == 1).map(|(_, s)| s);
    let first = own().next()?.constant;
    if first.is_some() && own().all(|s| s.constant == first) {
        return None;
    }
    let (deviations, squares) = own().fold((0.0, 0.0), |a, s| (a.0 + s.deviations, a.1 + s.squares));
    let shift = deviations / periods;
    let variance = (squares - deviations * shift) / (periods - 1.0);
    (variance > 0.0).then(|| (sums[0].centre + shift) / variance.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strategies_that_never_trade_rank_last_and_are_counted() {
        let wave = |f: f64| (0..80).map(|i| (f64::from(i) * f).sin()).collect::<Vec<f64>>();
        let mut strategies = vec![wave(1.3), wave(0.4), wave(2.2)];
        let without = backtest_overfitting(&strategies, 8).unwrap();
        assert_eq!((without.splits, without.undefined), (70, 0));
        strategies.extend(vec![vec![0.0; 80]; 20]);
        let with = backtest_overfitting(&strategies, 8).unwrap();
        assert_eq!(with.undefined, 20);
        assert!(with.probability < without.probability && with.mean_rank > without.mean_rank);
        assert!(backtest_overfitting(&vec![vec![0.0; 80]; 3], 8).is_err());
    }

    /// Returns 0, 0, 1, 3: mean 1, variance 6/3; the first half alone, or both with one value, have no ratio.
    #[test]
    fn a_block_without_trades_is_no_strategy_without_trades() {
        let sums = block_sums(&[0.0, 0.0, 1.0, 3.0], 2);
        assert!((ratio(&sums, 0b11, 4.0).unwrap() - 1.0 / 2f64.sqrt()).abs() < 1e-15);
        assert_eq!(ratio(&sums, 0b01, 2.0), None);
        assert!((ratio(&sums, 0b10, 2.0).unwrap() - 2.0 / 2f64.sqrt()).abs() < 1e-15);
        assert_eq!(ratio(&block_sums(&[0.1; 4], 2), 0b11, 4.0), None);
        assert!(ratio(&block_sums(&[0.1, 0.1, 0.2, 0.2], 2), 0b11, 4.0).is_some());
    }

    #[test]
    fn the_middle_rank_counts_as_overfitting() {
        // The best of each half is second of three in the other: a logit of zero.
        let half = |mean: f64| [mean - 1.0, mean + 1.0, mean - 1.0, mean + 1.0];
        let strategies = [(3.0, 2.0), (2.0, 3.0), (1.0, 1.0)].map(|(a, b)| [half(a), half(b)].concat());
        let answer = backtest_overfitting(&strategies, 2).unwrap();
        assert_eq!((answer.probability, answer.mean_rank, answer.splits), (1.0, 0.5, 2));
    }

    /// Sums of equal returns are rounded, and what is left must not pass for a spread.
    #[test]
    fn one_return_throughout_a_half_has_no_ratio() {
        let wave = |f: f64| (0..40).map(|i| (f64::from(i) * f).sin()).collect::<Vec<f64>>();
        for tenths in 1..100 {
            let mut still = wave(0.7);
            still[..20].fill(0.1 * f64::from(tenths));
            let found = backtest_overfitting(&[wave(1.3), still, wave(2.2)], 4).unwrap();
            assert_eq!(found.undefined, 1, "{tenths}");
        }
    }

    #[test]
    fn one_strategy_is_refused() {
        let error = backtest_overfitting(&[vec![0.1; 40]], 4).unwrap_err();
        assert!(matches!(error, StatsError::TooFew { rows: 1, needed: 2, .. }), "{error:?}");
    }
}
