//! OARP11 Table 1: accuracy cannot tell the two solutions apart, OARP can.
//!
//! Erratum: equations 1–2 lack the absolute value. Without it solution a would score 0.95 − (1 − 1)/20 =
//! 0.95, not the 0.850000 that is printed.

use tailrank_metrics::classification::BinaryCounts;

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

/// OARP does not depend on which class is called positive.
#[test]
fn the_classes_may_change_places() {
    for BinaryCounts { tp, fp, tn, fn_ } in [A, B] {
        let turned = BinaryCounts { tp: tn, fp: fn_, tn: tp, fn_: fp };
        assert_eq!(turned.oarp(), BinaryCounts { tp, fp, tn, fn_ }.oarp());
    }
}
