//! OARP11 Table 1: accuracy cannot tell the two solutions apart, OARP can.
//!
//! Erratum: equations 1–2 lack the absolute value. Without it solution a would score 0.95 − (1 − 1)/20 =
//! 0.95, not the 0.850000 that is printed.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed test is how it reports")]

use tailrank_metrics::classification::{BinaryCounts, ConfusionMatrix};

const A: BinaryCounts = BinaryCounts { tp: 95, fp: 5, tn: 0, fn_: 0 };
const B: BinaryCounts = BinaryCounts { tp: 90, fp: 0, tn: 5, fn_: 5 };

#[test]
fn accuracy_and_oarp_as_printed() {
    let printed = |c: &BinaryCounts| format!("{} {:.6} {:.6}", c.tp + c.tn, c.accuracy(), c.oarp());
    assert_eq!(printed(&A), "95 0.950000 0.850000");
    assert_eq!(printed(&B), "95 0.950000 0.934545");
}

#[test]
fn the_absolute_value_is_needed() {
    // Solution a: p1 = 0.95, r1 = 1, p2 = 0/0 := 0, r2 = 0.
    let (ri1, ri2): (f64, f64) = ((0.95 - 0.0) / (0.95 + 0.0), (0.0 - 1.0) / (0.0 + 1.0));
    assert_eq!(0.95 - (ri1 + ri2) / 2.0 / 10.0, 0.95);
    assert_eq!(A.avri(), (ri1.abs() + ri2.abs()) / 2.0);
}

#[test]
fn the_same_from_labels() {
    let labels = |c: &BinaryCounts| {
        let runs = [(0, 0, c.tp), (1, 0, c.fp), (1, 1, c.tn), (0, 1, c.fn_)];
        let cases: Vec<(usize, usize)> = runs
            .iter()
            .flat_map(|&(t, p, n)| std::iter::repeat_n((t, p), usize::try_from(n).unwrap()))
            .collect();
        cases.into_iter().unzip::<usize, usize, Vec<_>, Vec<_>>()
    };
    for counts in [A, B] {
        let (truth, predicted) = labels(&counts);
        let matrix = ConfusionMatrix::new(&truth, &predicted, 2).unwrap();
        assert_eq!(matrix.one_against_rest(0), counts);
        // OARP does not depend on which class is called positive.
        assert_eq!(matrix.one_against_rest(1).oarp(), counts.oarp());
    }
}
