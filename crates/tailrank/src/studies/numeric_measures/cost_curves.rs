//! WF §5.7's worked example of cost curves: classifier B, whose expected cost is the same everywhere, beside
//! A and the trivial ones.

use tailrank_metrics::classification::CostLine;

use crate::studies::prelude::*;

/// B's operating region as printed.
const REGION: (f64, f64) = (0.25, 0.75);
/// Where B begins to outperform A.
const MEETS: f64 = 0.45;
/// The greatest difference from the parabola, as printed.
const GAP: f64 = 0.04;

pub(super) fn claims() -> Result<Vec<Claim>> {
    // The trivial classifiers cost pc and 1 − pc; they meet a level line at its height and at 1 minus it.
    let rate = REGION.0;
    let b = CostLine::new(rate, rate)?;
    let region = b.operating_region().unwrap_or((f64::NAN, f64::NAN));
    // Any A that meets B at 0.45 and is better before: its false negatives follow from its false positives.
    let others = (1..25).map(|step| f64::from(step) / 100.0);
    let others = others.map(|fp| Ok(CostLine::new(fp, fp + (rate - fp) / MEETS)?));
    let others = others.collect::<Result<Vec<_>>>()?;
    let (lines, crossings) = (others.len(), others.iter().filter(|a| beats_from(**a, b, MEETS)).count());
    // A parabola from corner to corner that touches B's line from below: pc·(1 − pc).
    let parabola = |pc: f64| pc * (1.0 - pc);
    let gap = b.cost(REGION.0) - parabola(REGION.0);
    // The parabola with the printed gap, in the middle.
    let top = (b.cost(REGION.0) - GAP) / parabola(REGION.0) * parabola(0.5);
    Ok(vec![
        claim("numeric-measures/region")
            .holds(about(region.0, REGION.0) && about(region.1, REGION.1), &[&rate, &region.0, &region.1]),
        claim("numeric-measures/crossing").holds(crossings == lines, &[&crossings, &lines]),
        claim("numeric-measures/parabola").holds(about(gap, GAP), &[&gap, &GAP, &top]),
    ])
}

/// A number that the book gives as "about": to half a unit of its second digit.
fn about(value: f64, printed: f64) -> bool {
    (value - printed).abs() <= 0.005 + 1e-12
}

/// Whether `b` costs less than `a` from `pc` on and more before.
fn beats_from(a: CostLine, b: CostLine, pc: f64) -> bool {
    (0..=100).map(|i| f64::from(i) / 100.0).all(|x| {
        let lead = a.cost(x) - b.cost(x);
        if (x - pc).abs() < 1e-9 { lead.abs() < 1e-9 } else { (lead > 0.0) == (x > pc) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_cross_where_they_are_told_to() {
        let b = CostLine::new(0.25, 0.25).unwrap();
        let a = CostLine::new(0.2, 0.2 + 0.05 / 0.45).unwrap();
        assert!(beats_from(a, b, 0.45) && !beats_from(a, b, 0.5) && !beats_from(b, b, 0.45));
    }

    #[test]
    fn about_is_two_digits() {
        assert!(about(0.0425, 0.04) && !about(0.0625, 0.04) && !about(f64::NAN, 0.04));
    }

    #[test]
    fn the_example_is_the_books_but_for_the_parabola() {
        use tailrank_report::claims::Standing::{Agree, Differ};
        let standings: Vec<_> = claims().unwrap().iter().map(|c| c.standing).collect();
        assert_eq!(standings, [Agree, Agree, Differ]);
    }
}
