//! What no leak can do: where two measures choose the same candidate, whatever was done to rows, scales or folds gives both the same
//! test accuracy. The whole printed difference must come from the other folds.

use super::results::{Model, SetResults, mean};

/// What the folds in which two measures chose otherwise would have to give.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bound {
    /// The printed difference of the means.
    pub(super) printed: f64,
    /// Share of folds with different choices.
    pub(super) different: f64,
    /// The difference that each of these needs on average.
    pub(super) needed: f64,
    /// The most that any choice among the candidates gains over the other measure's in these folds, on average.
    pub(super) most: f64,
}

/// Spreads a printed difference over the folds with different choices; none if all choices are the same.
pub(super) fn spread(printed: f64, folds: usize, gains_possible: &[f64]) -> Option<Bound> {
    let different = gains_possible.len() as f64 / folds as f64;
    (!gains_possible.is_empty()).then(|| Bound {
        printed,
        different,
        needed: printed / different,
        most: mean(gains_possible),
    })
}

/// OARP against another criterion on one set.
pub(super) fn bound(set: &SetResults, other: Model, printed: f64) -> Option<Bound> {
    let place = Model::CRITERIA.iter().position(|m| *m == other)?;
    let possible: Vec<f64> = set
        .folds
        .iter()
        .filter(|f| f.chosen[2] != f.chosen[place])
        .map(|f| f.best_possible - f.accuracy[place])
        .collect();
    spread(printed, set.folds.len(), &possible)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_must_carry_it_all() {
        let found = spread(0.0446, 100, &[0.1; 8]).unwrap();
        assert!((found.needed - 0.5575).abs() < 1e-12 && (found.different - 0.08).abs() < 1e-12);
        assert!((found.most - 0.1).abs() < 1e-12);
        assert_eq!(spread(0.04, 100, &[]), None);
    }
}
