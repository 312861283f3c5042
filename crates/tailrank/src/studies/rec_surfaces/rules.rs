//! What decides each finding of REC05: 95 % intervals in, standings out.

use tailrank_report::claims::Standing;

use crate::studies::decide::{above, all_of};

/// Lower and upper end.
pub(super) type Range = (f64, f64);

/// Below this share of its cases a curve is flat to the eye.
pub(super) const FLAT: f64 = 0.01;
/// A lead of one curve that the eye does not see.
pub(super) const UNSEEN: f64 = 0.005;

fn below(range: Range, bound: f64) -> Standing {
    above((-range.1, -range.0), -bound)
}

/// Fig. 3 and 9: the curve is flat on the extremes if fewer than 1 % of the small errors fall there.
pub(super) fn flat(far: Range) -> Standing {
    below(far, FLAT)
}

/// Fig. 4: fewer than a fifth of the cases, with a median error above that of all cases (a ratio above 1).
pub(super) fn few_and_large(share: Range, ratio: Range) -> Standing {
    all_of(&[below(share, 0.2), above(ratio, 1.0)])
}

/// Fig. 5: a smaller area over the curve, and nowhere behind by more than 0.5 % of the cases.
pub(super) fn dominates(gain: Range, behind: Range) -> Standing {
    all_of(&[above(gain, 0.0), below(behind, UNSEEN)])
}

/// Fig. 6 and 8: smaller areas over the curve.
pub(super) fn better(gains: &[Range]) -> Standing {
    all_of(&gains.iter().map(|&g| above(g, 0.0)).collect::<Vec<_>>())
}

/// Fig. 7: one curve flat on the extremes, the other's middle 90 % wider.
pub(super) fn flat_and_wider(far: Range, wider: Range) -> Standing {
    all_of(&[flat(far), above(wider, 0.0)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use Standing::{Agree, Differ, TooClose};

    #[test]
    fn flat_is_under_a_hundredth() {
        assert_eq!(flat((0.0, 0.0)), Agree);
        assert_eq!(flat((0.02, 0.04)), Differ);
        assert_eq!(flat((0.004, 0.012)), TooClose);
    }

    #[test]
    fn few_cases_with_large_errors() {
        assert_eq!(few_and_large((0.12, 0.14), (1.2, 1.6)), Agree);
        assert_eq!(few_and_large((0.21, 0.25), (1.2, 1.6)), Differ);
        assert_eq!(few_and_large((0.12, 0.14), (0.6, 0.9)), Differ);
        assert_eq!(few_and_large((0.12, 0.14), (0.9, 1.2)), TooClose);
        assert_eq!(few_and_large((0.19, 0.21), (1.2, 1.6)), TooClose);
    }

    #[test]
    fn to_dominate_is_to_be_ahead_and_nowhere_behind() {
        assert_eq!(dominates((0.001, 0.002), (0.0, 0.004)), Agree);
        assert_eq!(dominates((0.001, 0.002), (0.01, 0.03)), Differ);
        assert_eq!(dominates((-0.002, -0.001), (0.0, 0.004)), Differ);
        assert_eq!(dominates((0.001, 0.002), (0.0, 0.006)), TooClose);
        assert_eq!(dominates((-0.001, 0.001), (0.0, 0.004)), TooClose);
    }

    #[test]
    fn every_gain_must_be_clear() {
        assert_eq!(better(&[(0.1, 0.2), (0.3, 0.4)]), Agree);
        assert_eq!(better(&[(0.1, 0.2), (-0.4, -0.3)]), Differ);
        assert_eq!(better(&[(0.1, 0.2), (-0.1, 0.3)]), TooClose);
    }

    #[test]
    fn flat_beside_wider() {
        assert_eq!(flat_and_wider((0.0, 0.001), (0.002, 0.004)), Agree);
        assert_eq!(flat_and_wider((0.0, 0.001), (-0.004, -0.002)), Differ);
        assert_eq!(flat_and_wider((0.02, 0.03), (0.002, 0.004)), Differ);
        assert_eq!(flat_and_wider((0.0, 0.001), (-0.002, 0.004)), TooClose);
    }
}
