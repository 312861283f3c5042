//! Ranks, rank correlation, tests and corrections for comparing models.
//!
//! Pure functions on slices: no files, no configuration, no threads. Every test answers with a [`TestResult`],
//! which names the test, the method of its p value and the cases it used.
//!
//! | question | functions |
//! |---|---|
//! | Who is best, ties and undefined scores included? | [`rank_scores`], [`average_ranks`], [`RankTable`] |
//! | Do two measures rank alike? | [`kendall_test`], [`spearman_test`], [`permutation_test`], [`weighted_tau`], [`somers_d`], [`pearson_test`] |
//! | Do they share their top, and who moves? | [`top_k_overlap`], [`rank_biased_overlap`], [`largest_movers`] |
//! | Do models differ over many tasks? | [`friedman`], [`iman_davenport`], [`pairwise`], [`critical_difference`], [`cliques`] |
//! | Do two models differ on paired scores? | [`wilcoxon_signed_rank`], [`sign_test`], [`paired_t`], [`corrected_resampled_t`], [`diebold_mariano`] |
//! | And on unpaired ones? | [`welch_t`], [`mann_whitney`] |
//! | How sure is a score of a time series? | [`stationary_bootstrap`], [`automatic_block_length`] |
//! | What remains after many tests? | [`adjust()`] |

mod adjust;
mod backtest_overfitting;
mod best;
mod block_length;
mod confidence_set;
mod diebold_mariano;
mod distribution;
mod draws;
mod error;
mod friedman;
mod interval;
mod kendall;
mod kendall_null;
mod long_run_variance;
mod luck;
mod luck_maps;
mod mann_whitney;
mod overlap;
mod pair_counts;
mod pearson;
mod permutation;
mod posthoc;
mod rank_table;
mod ranking;
mod resampled_sums;
mod resamples;
mod sharpe;
mod shuffle;
mod sign_test;
mod somers_d;
mod spearman;
mod stationary_variance;
mod studentized_range;
mod superiority;
mod t_test;
mod test_result;
mod weighted_tau;
mod wilcoxon;

pub use adjust::{Correction, adjust};
pub use backtest_overfitting::{Overfitting, backtest_overfitting};
pub use best::{RankInterval, best_shares, group_best_shares, rank_intervals};
pub use block_length::{BlockLength, automatic_block_length};
pub use confidence_set::{ConfidenceSet, SetStatistic, confidence_set, confidence_set_of_scores};
pub use diebold_mariano::{LongRunVariance, diebold_mariano};
pub use draws::Draws;
pub use error::{Result, StatsError};
pub use friedman::{TieCorrection, friedman, iman_davenport};
pub use interval::{
    Interval, bca_interval, difference_interval, jackknife_scores, percentile_interval, resampled_interval,
};
pub use kendall::{CorrelationMethod, kendall_tau, kendall_tau_c, kendall_test};
pub use kendall_null::kendall_null_cdf;
pub use long_run_variance::{Hac, LongRun, hac_standard_error, long_run_variance};
pub use luck::{LuckTest, luck_test};
pub use luck_maps::{CircularShifts, GroupPermutations, SignFlips};
pub use mann_whitney::mann_whitney;
pub use overlap::{
    Mover, TopOverlap, largest_movers, rank_biased_overlap, rank_biased_overlap_of_ranks, top_k_overlap,
};
pub use pearson::{pearson, pearson_test};
pub use permutation::{PermutationTest, permutation_test};
pub use posthoc::{
    PairComparison, PostHoc, against_control, cliques, critical_difference, critical_value, pairwise,
};
pub use rank_table::RankTable;
pub use ranking::{Better, average_ranks, rank_scores};
pub use resamples::Resamples;
pub use sharpe::{DeflatedSharpe, Sharpe, deflated_sharpe, probabilistic_sharpe, sharpe_ratio};
pub use sign_test::sign_test;
pub use somers_d::somers_d;
pub use spearman::{spearman_rho, spearman_test};
pub use studentized_range::{studentized_range_quantile, studentized_range_upper};
pub use superiority::{Recentring, Spa, Studentise, SuperiorityTest};
pub use t_test::{corrected_resampled_t, paired_t, welch_t};
pub use test_result::{Alternative, TestResult};
pub use weighted_tau::weighted_tau;
pub use wilcoxon::{SignedRanks, WilcoxonMethod, ZeroMethod, signed_rank_null_cdf, wilcoxon_signed_rank};
