//! What decides each claim of PR09 §5.2: plain numbers in, standings out.

use tailrank_report::claims::Standing;

use crate::studies::decide::{above, all_of, holds, share_interval};

/// "Almost never": fewer than one forecast in a hundred.
pub(in crate::studies) const ALMOST_NEVER: f64 = 0.01;

/// Signals per forecast, by their interval.
pub(in crate::studies) fn almost_never(signals: u64, forecasts: u64) -> Standing {
    let (low, high) = share_interval(signals as f64, forecasts as f64);
    above((-high, -low), -ALMOST_NEVER)
}

/// "Several": at least three, on every task.
pub(in crate::studies) fn several(signals: &[u64]) -> Standing {
    if signals.is_empty() { Standing::NotTestable } else { holds(signals.iter().all(|s| *s >= 3)) }
}

/// "Far from ideal": fewer than half of the signals meet a move. Returns over h days overlap, so h signals count as one.
pub(super) fn far_from_ideal(hits: f64, signals: f64) -> Standing {
    let (low, high) = share_interval(hits, signals);
    above((-high, -low), -0.5)
}

/// Better trading as the paper means it: a signal on more tasks, and signals that go their way more often than not.
pub(super) fn better_trading(more_signals: usize, tasks: usize, right_way: (f64, f64)) -> Standing {
    all_of(&[holds(more_signals == tasks && tasks > 0), above(right_way, 0.5)])
}

/// Some ability at rare extremes: signals meet moves more often than their sides' base rate, and somewhere F is beyond luck.
pub(super) fn some_ability(hit_rate: (f64, f64), base_rate: f64, tasks_beyond_luck: usize) -> Standing {
    match above(hit_rate, base_rate) {
        Standing::Agree if tasks_beyond_luck == 0 => Standing::TooClose,
        standing => standing,
    }
}

/// More money on the tasks: one-sided sign test.
pub(super) fn more_money(p: Option<f64>, p_less: Option<f64>) -> Standing {
    match (p, p_less) {
        (Some(p), _) if p < 0.05 => Standing::Agree,
        (_, Some(p)) if p < 0.05 => Standing::Differ,
        (Some(_), Some(_)) => Standing::TooClose,
        _ => Standing::NotTestable,
    }
}

/// The top lists share at most so many.
pub(super) fn shared_at_most(shared: &[usize], most: usize) -> Standing {
    if shared.is_empty() { Standing::NotTestable } else { holds(shared.iter().all(|s| *s <= most)) }
}

/// MAD's five score worse than F's five: no F at all, or intervals that do not meet.
pub(super) fn much_worse(best_of_mad: Option<(f64, f64)>, worst_of_f: Option<(f64, f64)>) -> Standing {
    match (best_of_mad, worst_of_f) {
        (None, Some(_)) => Standing::Agree,
        (Some((_, high)), Some((low, _))) if high < low => Standing::Agree,
        (Some((low, _)), Some((_, high))) if high < low => Standing::Differ,
        (Some(_), Some(_)) => Standing::TooClose,
        (_, None) => Standing::NotTestable,
    }
}

/// All of them are silent.
pub(super) fn all_silent(silent: usize, of: usize) -> Standing {
    if of == 0 { Standing::NotTestable } else { holds(silent == of) }
}

/// Most models stand more than ten places apart.
pub(super) fn most_far(far: f64) -> Standing {
    holds(far > 0.5)
}

/// MAD's ten best stand below the 45th place on all tasks.
pub(super) fn below_45(places: &[f64]) -> Standing {
    if places.is_empty() { Standing::NotTestable } else { holds(places.iter().all(|p| *p > 45.0)) }
}

/// τ of one task, by its test: below 0, above 0, or not to be told from 0.
pub(in crate::studies) fn disagree(tau: Option<f64>, p: Option<f64>) -> Standing {
    match (tau, p) {
        (Some(tau), Some(p)) if p < 0.05 => holds(tau < 0.0),
        (Some(_), Some(_)) => Standing::TooClose,
        _ => Standing::NotTestable,
    }
}

/// Disagreement on every task: agree where all are significant, differ where rankings are significantly alike on one.
pub(super) fn disagree_everywhere(tasks: &[Standing]) -> Standing {
    all_of(tasks)
}

/// Exactly four of twelve lack significance.
pub(super) fn four_lack(lacking: usize) -> Standing {
    holds(lacking == 4)
}

/// Another model on top: agree if MAD's best can be told from F's best by F (it is outside the set of models that cannot), differ if both
/// are the same.
pub(in crate::studies) fn other_on_top(same: bool, in_the_set: bool) -> Standing {
    match (same, in_the_set) {
        (true, _) => Standing::Differ,
        (false, true) => Standing::TooClose,
        (false, false) => Standing::Agree,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Standing::{Agree, Differ, NotTestable, TooClose};

    #[test]
    fn almost_never_is_under_a_hundredth() {
        assert_eq!(almost_never(69, 56_000), Agree);
        assert_eq!(almost_never(2_000, 56_000), Differ);
        assert_eq!(almost_never(1, 90), TooClose);
        assert_eq!(almost_never(0, 0), NotTestable);
    }

    #[test]
    fn several_on_every_task() {
        assert_eq!(several(&[3, 500]), Agree);
        assert_eq!(several(&[2, 500]), Differ);
        assert_eq!(several(&[]), NotTestable);
    }

    #[test]
    fn ideal_signals_would_meet_moves() {
        assert_eq!(far_from_ideal(3_000.0, 10_000.0), Agree);
        assert_eq!(far_from_ideal(7_000.0, 10_000.0), Differ);
        assert_eq!(far_from_ideal(9.0, 20.0), TooClose);
    }

    #[test]
    fn better_trading_needs_signals_and_their_side() {
        assert_eq!(better_trading(12, 12, (0.51, 0.55)), Agree);
        assert_eq!(better_trading(11, 12, (0.51, 0.55)), Differ);
        assert_eq!(better_trading(12, 12, (0.42, 0.49)), Differ);
        assert_eq!(better_trading(12, 12, (0.49, 0.53)), TooClose);
    }

    #[test]
    fn ability_is_beyond_base_rate_and_luck() {
        assert_eq!(some_ability((0.30, 0.33), 0.2, 3), Agree);
        assert_eq!(some_ability((0.30, 0.33), 0.2, 0), TooClose);
        assert_eq!(some_ability((0.18, 0.22), 0.2, 3), TooClose);
        assert_eq!(some_ability((0.10, 0.15), 0.2, 3), Differ);
    }

    #[test]
    fn money_by_the_sign_test() {
        assert_eq!(more_money(Some(0.01), Some(0.99)), Agree);
        assert_eq!(more_money(Some(0.99), Some(0.01)), Differ);
        assert_eq!(more_money(Some(0.07), Some(0.98)), TooClose);
        assert_eq!(more_money(None, None), NotTestable);
    }

    #[test]
    fn places_of_figure_2() {
        assert_eq!(shared_at_most(&[0, 0], 0), Agree);
        assert_eq!(shared_at_most(&[0, 2], 1), Differ);
        assert_eq!(shared_at_most(&[], 1), NotTestable);
        assert_eq!(most_far(0.7), Agree);
        assert_eq!(most_far(0.4), Differ);
        assert_eq!(below_45(&[50.5, 46.0]), Agree);
        assert_eq!(below_45(&[50.5, 42.0]), Differ);
        assert_eq!(below_45(&[]), NotTestable);
        assert_eq!(all_silent(5, 5), Agree);
        assert_eq!(all_silent(4, 5), Differ);
        assert_eq!(all_silent(0, 0), NotTestable);
    }

    #[test]
    fn scores_are_worse_where_intervals_do_not_meet() {
        assert_eq!(much_worse(None, Some((0.03, 0.04))), Agree);
        assert_eq!(much_worse(Some((0.0, 0.01)), Some((0.03, 0.04))), Agree);
        assert_eq!(much_worse(Some((0.05, 0.06)), Some((0.03, 0.04))), Differ);
        assert_eq!(much_worse(Some((0.02, 0.035)), Some((0.03, 0.04))), TooClose);
        assert_eq!(much_worse(None, None), NotTestable);
    }

    #[test]
    fn rankings_disagree_by_their_test() {
        assert_eq!(disagree(Some(-0.8), Some(1e-9)), Agree);
        assert_eq!(disagree(Some(0.8), Some(1e-9)), Differ);
        assert_eq!(disagree(Some(-0.1), Some(0.4)), TooClose);
        assert_eq!(disagree(None, None), NotTestable);
        assert_eq!(disagree_everywhere(&[Agree, Agree]), Agree);
        assert_eq!(disagree_everywhere(&[Agree, Differ]), Differ);
        assert_eq!(disagree_everywhere(&[Agree, TooClose]), TooClose);
        assert_eq!(four_lack(4), Agree);
        assert_eq!(four_lack(0), Differ);
    }

    #[test]
    fn another_winner_or_a_tie() {
        assert_eq!(other_on_top(false, false), Agree);
        assert_eq!(other_on_top(true, true), Differ);
        assert_eq!(other_on_top(false, true), TooClose);
    }
}
