//! Statistics for comparing models: who is best, do two measures rank alike, and how sure is that.
//!
//! Pure functions on slices: no files, no configuration, no threads. Randomness comes from a seed and the
//! same input gives the same bytes. Bad input and questions that the data cannot answer get a [`StatsError`]
//! that says why; every hypothesis test answers with a value that names what was done.
//!
//! # How sure is a ranking?
//!
//! One bootstrap serves every measure: a measure that is a function of per-case sums is resampled by adding
//! up its terms over each draw ([`Resamples::scores`]), and all variants share the draws, so that their
//! scores can be compared draw by draw.
//!
//! ```
//! use tailrank_stats::{
//!     Better, Resamples, automatic_block_length, best_shares, confidence_set_of_scores, percentile_interval,
//! };
//!
//! // Signals and hits of two variants on 300 days, 30 of them events; F = 2·hits / (signals + events).
//! let day = |every: u32, offset: u32| (0..300).map(|i| f64::from(i % every == offset)).collect::<Vec<_>>();
//! let (events, early, late) = (day(10, 0), day(15, 0), day(12, 5));
//! let hits = |signals: &[f64]| signals.iter().zip(&events).map(|(s, e)| s * e).collect::<Vec<_>>();
//! let both = |signals: &[f64]| signals.iter().zip(&events).map(|(s, e)| s + e).collect::<Vec<_>>();
//! let terms = [hits(&early), both(&early), hits(&late), both(&late)];
//!
//! let block = automatic_block_length(&terms[1])?;
//! let resamples = Resamples::stationary(300, block, 1000, 42)?;
//! let f = |sums: &[f64]| 2.0 * sums[0] / sums[1];
//! let draws = resamples.scores(&terms, 2, 1, |sums, scores| scores[0] = f(sums))?.remove(0);
//!
//! let score = |v: usize| f(&[terms[2 * v].iter().sum(), terms[2 * v + 1].iter().sum()]);
//! let interval = percentile_interval(score(0), draws.column(0), 0.95)?;
//! assert!(interval.lower < score(0) && score(0) < interval.upper);
//! assert!(best_shares(&draws, Better::Higher)[0] > 0.99);
//! let set = confidence_set_of_scores(&[score(0), score(1)], &draws, Better::Higher)?;
//! assert_eq!(set.members(0.9), [0]);
//! # Ok::<(), tailrank_stats::StatsError>(())
//! ```
//!
//! # What is here
//!
//! | question | functions |
//! |---|---|
//! | Who is best, ties and undefined scores included? | [`rank_scores`], [`average_ranks`], [`RankTable`] |
//! | Do two measures rank alike? | [`kendall_test`], [`spearman_test`], [`permutation_test`] |
//! | Do they share their top? | [`top_k_overlap`], [`rank_biased_overlap`] |
//! | Do models differ over many tasks? | [`friedman`], [`iman_davenport`], [`pairwise`], [`critical_difference`], [`cliques`] |
//! | Do two models differ on paired scores? | [`wilcoxon_signed_rank`], [`sign_test`], [`paired_t`], [`corrected_resampled_t`], [`diebold_mariano`] |
//! | Which cases hang together? | [`Units`]: cases, steps of time, dates, groups |
//! | Which cases would another sample hold? | [`Resamples`]: stationary, cases, grouped; [`automatic_block_length`] |
//! | How sure is a score, or a difference? | [`percentile_interval`], [`accelerated_interval`], [`share_interval`]; for series [`Rescaling`] |
//! | Would the winner win again? | [`best_shares`], [`group_best_shares`], [`rank_intervals`] |
//! | Which models cannot be told from the best? | [`confidence_set`], [`confidence_set_of_scores`], [`confidence_set_in_series`] |
//! | Which are better than a benchmark, all of them counted? | [`superiority_p_values`], [`sign_flip_bound`], [`romano_wolf`] |
//! | Could chance have done it? | draws by [`NullOrders`] or [`SignFlips`]; small p by [`SequentialDraws`] |
//! | How sure is an effect over tasks, or a method over folds? | [`cluster_interval`], [`corrected_interval`], [`pseudo_values`] |
//! | How sure is a mean over time, or a Sharpe ratio? | [`long_run_variance`], [`sharpe_ratio`] |
//! | And after many strategies were tried? | [`probabilistic_sharpe`], [`deflated_sharpe`], [`backtest_overfitting`] |
//! | What remains after many tests? | [`adjust()`] |

mod across_tasks;
mod adjust;
mod backtest_overfitting;
mod block_length;
mod bradley_terry;
mod circular_shifts;
mod confidence_set;
mod cosine_variance;
mod diebold_mariano;
mod distribution;
mod draws;
mod error;
mod interval;
mod kendall;
mod null_orders;
mod overlap;
mod pair_counts;
mod paired_tests;
mod permutation;
mod ranking;
mod resamples;
mod sequential;
mod sharpe;
mod shuffle;
mod sign_flips;
mod spearman;
mod test_result;
mod units;
#[cfg(feature = "serde")]
mod word;

pub use across_tasks::{
    PairComparison, PostHoc, RankTable, cliques, critical_difference, critical_value, friedman,
    iman_davenport, pairwise, studentized_range_quantile, studentized_range_upper,
};
pub use adjust::{Correction, adjust, romano_wolf, sign_flip_bound, superiority_p_values};
pub use backtest_overfitting::{Overfitting, backtest_overfitting};
pub use block_length::automatic_block_length;
pub use bradley_terry::bradley_terry;
pub use confidence_set::{ConfidenceSet, confidence_set, confidence_set_in_series, confidence_set_of_scores};
pub use cosine_variance::{
    COSINES, Rescaling, SLOWEST, Waves, cautious_error, error_of_waves, long_run_waves, student_draws,
};
pub use diebold_mariano::{LongRunVariance, diebold_mariano};
pub use distribution::student_upper;
pub use draws::Draws;
pub use error::{Result, StatsError};
pub use interval::{
    ClusterMethod, FEWEST_CLUSTERS, Interval, accelerated_interval, cluster_interval, corrected_interval,
    percentile_interval, pseudo_values, share_interval, skewness,
};
pub use kendall::{CorrelationMethod, kendall_null_cdf, kendall_tau, kendall_test};
pub use null_orders::NullOrders;
pub use overlap::{TopOverlap, rank_biased_overlap, top_k_overlap};
pub use paired_tests::{WilcoxonMethod, corrected_resampled_t, paired_t, sign_test, wilcoxon_signed_rank};
pub use permutation::{PermutationTest, permutation_test};
pub use ranking::{
    Better, RankInterval, average_ranks, best_shares, group_best_shares, rank_intervals, rank_scores,
};
pub use resamples::Resamples;
pub use sequential::SequentialDraws;
pub use sharpe::{
    DeflatedSharpe, Hac, Sharpe, deflated_sharpe, long_run_variance, probabilistic_sharpe, sharpe_ratio,
};
pub use sign_flips::SignFlips;
pub use spearman::{spearman_rho, spearman_test};
pub use test_result::{Alternative, TestResult};
pub use units::{Dependence, Units};
#[cfg(feature = "serde")]
pub use word::read_word;

/// A word of the program's own, such as the name of a method. Under this name `read_word` can read it back.
pub type Word = &'static str;
