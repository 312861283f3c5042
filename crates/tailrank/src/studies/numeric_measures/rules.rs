//! What decides each claim of WF §5.8: plain numbers in, standings out.

use tailrank_report::claims::Standing;

use crate::studies::decide::{above, share_interval};

/// One winner by all five on a task. A constant winner has no correlation, so that the task cannot tell; a model in all five confidence sets
/// leaves it open.
pub(super) fn one_winner(same: bool, constant: bool, in_all_sets: bool) -> Standing {
    match (constant, same, in_all_sets) {
        (true, ..) => Standing::NotTestable,
        (false, true, _) => Standing::Agree,
        (false, false, true) => Standing::TooClose,
        (false, false, false) => Standing::Differ,
    }
}

/// How a task is shown in the table.
pub(super) fn said(standing: Standing) -> &'static str {
    match standing {
        Standing::Agree => "yes",
        Standing::Differ => "no",
        Standing::TooClose => "too close to call",
        Standing::NotTestable => "no correlation",
    }
}

/// More than half of the pairs.
pub(super) fn mostly(same: usize, pairs: usize) -> Standing {
    above(share_interval(same as f64, pairs as f64), 0.5)
}

/// By all five measures.
pub(super) fn all_five(measures: usize) -> bool {
    measures == 5
}

/// A ahead by the squared errors, B by the absolute ones, correlation level.
pub(super) fn in_dispute(ahead: &[&str]) -> bool {
    ahead == ["A", "B", "A", "B", "level"]
}

/// Correlation stays, the relative error does not.
pub(super) fn scale_free(correlation: (f64, f64), relative: (f64, f64)) -> bool {
    (correlation.0 - correlation.1).abs() < 1e-12 && (relative.0 - relative.1).abs() > 0.1
}

/// A number that the book gives as "about": to half a unit of its last digit.
pub(super) fn about(value: f64, printed: f64, unit: f64) -> bool {
    (value - printed).abs() <= unit / 2.0 + 1e-12
}

#[cfg(test)]
mod tests {
    use super::*;
    use Standing::{Agree, Differ, NotTestable, TooClose};

    #[test]
    fn one_winner_or_several_or_none_that_can_tell() {
        assert_eq!(one_winner(true, false, true), Agree);
        assert_eq!(one_winner(false, false, false), Differ);
        assert_eq!(one_winner(false, false, true), TooClose);
        assert_eq!(one_winner(true, true, true), NotTestable);
        assert_eq!(said(one_winner(false, true, false)), "no correlation");
    }

    #[test]
    fn most_pairs_by_their_interval() {
        assert_eq!(mostly(9, 9), Agree);
        assert_eq!(mostly(0, 9), Differ);
        assert_eq!(mostly(5, 9), TooClose);
        assert_eq!(mostly(0, 0), NotTestable);
    }

    #[test]
    fn printed_ranks_and_scales() {
        assert!(all_five(5) && !all_five(4));
        assert!(in_dispute(&["A", "B", "A", "B", "level"]) && !in_dispute(&["A", "A", "A", "B", "level"]));
        assert!(
            scale_free((0.8, 0.8), (0.5, 2.5))
                && !scale_free((0.8, 0.7), (0.5, 2.5))
                && !scale_free((0.8, 0.8), (0.5, 0.5))
        );
        assert!(about(0.0425, 0.04, 0.01) && !about(0.0625, 0.04, 0.01) && !about(f64::NAN, 0.04, 0.01));
    }
}
