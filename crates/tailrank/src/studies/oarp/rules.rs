//! What decides each claim of OARP11: plain numbers in, standings out.

use tailrank_report::claims::Standing;

use crate::studies::decide::{all_of, holds};

/// A difference said to be above zero, by its test: agree where it is significantly so, differ where it is significantly below.
pub(super) fn better(difference: f64, p: Option<f64>, level: f64) -> Standing {
    match p {
        Some(p) if p < level => holds(difference > 0.0),
        // Without any spread there is no test, and no difference either.
        _ => Standing::TooClose,
    }
}

/// Better in every set.
pub(super) fn better_everywhere(sets: &[(f64, Option<f64>)], level: f64) -> Standing {
    all_of(&sets.iter().map(|&(d, p)| better(d, p, level)).collect::<Vec<_>>())
}

/// Table 4: at least as many significant wins as printed and no more losses agree. Where the main reading does not get there, another
/// reading of the set-up that does leaves it open.
pub(super) fn wins(found: [usize; 3], printed: [usize; 3], readings_that_do: usize) -> Standing {
    let [wins, _, losses] = found;
    if wins >= printed[0] && losses <= printed[2] {
        Standing::Agree
    } else if readings_that_do > 0 {
        Standing::TooClose
    } else {
        Standing::Differ
    }
}

/// A printed number within the range of the runs, to the four digits printed.
pub(super) fn within(by_run: &[f64], printed: f64) -> bool {
    let (low, high) =
        by_run.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(*v), h.max(*v)));
    (low - 5e-5..=high + 5e-5).contains(&printed)
}

/// Finer in every set: more different values, and fewer candidates that share the best one.
pub(super) fn finer(sets: &[([f64; 2], [f64; 2])]) -> Standing {
    let one = |&([values, values_other], [tied, tied_other]): &([f64; 2], [f64; 2])| {
        if values > values_other && tied < tied_other {
            Standing::Agree
        } else if values < values_other || tied > tied_other {
            Standing::Differ
        } else {
            Standing::TooClose
        }
    };
    all_of(&sets.iter().map(one).collect::<Vec<_>>())
}

/// A clear advantage "for almost all" sets, by the corrected test: all but one.
pub(super) fn almost_all(found: [usize; 3]) -> Standing {
    let [wins, none, losses] = found;
    if losses == 0 && none <= 1 && wins > 0 {
        Standing::Agree
    } else if wins == 0 && losses > 0 || losses > wins {
        Standing::Differ
    } else {
        Standing::TooClose
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Standing::{Agree, Differ, TooClose};

    #[test]
    fn a_difference_needs_its_test() {
        assert_eq!(better(0.02, Some(0.01), 0.05), Agree);
        assert_eq!(better(-0.02, Some(0.01), 0.05), Differ);
        assert_eq!(better(0.02, Some(0.2), 0.05), TooClose);
        assert_eq!(better(0.0, None, 0.05), TooClose);
    }

    #[test]
    fn everywhere_is_every_set() {
        let (win, loss, none) = ((0.02, Some(0.01)), (-0.02, Some(0.01)), (0.02, Some(0.5)));
        assert_eq!(better_everywhere(&[win, win], 0.05), Agree);
        assert_eq!(better_everywhere(&[win, none, loss], 0.05), Differ);
        assert_eq!(better_everywhere(&[win, none], 0.05), TooClose);
    }

    #[test]
    fn table_4_by_its_tally() {
        assert_eq!(wins([4, 1, 0], [4, 1, 0], 0), Agree);
        assert_eq!(wins([5, 0, 0], [4, 1, 0], 0), Agree);
        assert_eq!(wins([4, 0, 1], [4, 1, 0], 0), Differ);
        assert_eq!(wins([2, 3, 0], [4, 1, 0], 0), Differ);
        assert_eq!(wins([2, 3, 0], [4, 1, 0], 1), TooClose);
    }

    #[test]
    fn four_digits_are_within_the_runs_or_not() {
        assert!(within(&[0.80, 0.82], 0.81) && within(&[0.80, 0.82], 0.820_05));
        assert!(!within(&[0.80, 0.82], 0.85) && !within(&[], 0.85));
    }

    #[test]
    fn finer_in_values_and_ties() {
        assert_eq!(finer(&[([400.0, 100.0], [1.0, 1.4])]), Agree);
        assert_eq!(finer(&[([400.0, 100.0], [1.0, 1.4]), ([90.0, 100.0], [1.0, 1.4])]), Differ);
        assert_eq!(finer(&[([400.0, 100.0], [1.0, 1.0])]), TooClose);
    }

    #[test]
    fn almost_all_is_all_but_one() {
        assert_eq!(almost_all([4, 1, 0]), Agree);
        assert_eq!(almost_all([0, 3, 2]), Differ);
        assert_eq!(almost_all([1, 2, 2]), Differ);
        assert_eq!(almost_all([0, 5, 0]), TooClose);
        assert_eq!(almost_all([2, 3, 0]), TooClose);
    }
}
