//! IRon 0.1.4: SER(t) and SERA for seven relevance functions, adjusted and plain box plot.

use crate::oracle;

use oracle::{Largest, Row, data, number, rows};
use tailrank_metrics::{
    Relevance,
    sera::{ser_curve, sera},
};

/// φ(y) by IRon's own control points of a configuration.
fn phi(points: &[Row], row: &Row, truth: &[f64]) -> Vec<f64> {
    let package = if row["asym"] == "TRUE" { "IRon" } else { "IRon_asymFALSE" };
    let chosen: Vec<&Row> = points.iter().filter(|p| p["cfg"] == row["cfg"] && p["pkg"] == package).collect();
    let part = |what: &str| -> Vec<f64> {
        chosen.iter().filter(|p| p["what"] == what).map(|p| number(p, "value")).collect()
    };
    let pairs: Vec<(f64, f64)> = part("x").into_iter().zip(part("phi")).collect();
    assert!(pairs.len() >= 3, "control points of {} {package}", row["cfg"]);
    let Relevance::Pchip(pchip) = Relevance::range(&pairs, Some(&part("slope"))).unwrap() else {
        panic!("no pchip")
    };
    truth.iter().map(|&y| pchip.phi_unclamped(y)).collect()
}

/// The area below SER(t) by trapezoids over t = 0, step, …, 1, as IRon sums it.
fn trapezoids(truth: &[f64], predicted: &[f64], phi: &[f64], parts: usize) -> f64 {
    let grid: Vec<f64> = (0..=parts).map(|k| k as f64 / parts as f64).collect();
    let ser = ser_curve(truth, predicted, phi, &grid).unwrap();
    ser.windows(2).map(|w| (w[0] + w[1]) / 2.0).sum::<f64>() / parts as f64
}

#[test]
fn ser_at_every_threshold() {
    let (points, truth) = (rows("c_phi_controlpts.csv"), data("y"));
    let mut largest = Largest::default();
    for row in rows("c_IRon_ser.csv") {
        let (phi, predicted, t) = (phi(&points, &row, &truth), data(&row["model"]), number(&row, "t"));
        let (expected, place) = (number(&row, "ser"), || format!("{row:?}"));
        largest.see(ser_curve(&truth, &predicted, &phi, &[t]).unwrap()[0], expected, place);
    }
    largest.check(336, 1e-10);
}

#[test]
fn sera_by_trapezoids() {
    let (points, truth) = (rows("c_phi_controlpts.csv"), data("y"));
    let mut largest = Largest::default();
    for row in rows("c_IRon_sera.csv") {
        let (phi, predicted) = (phi(&points, &row, &truth), data(&row["model"]));
        let area = |parts| trapezoids(&truth, &predicted, &phi, parts);
        let got = match row["metric"].as_str() {
            "sera_step0.001" => area(1000),
            "sera_step0.01" => area(100),
            "sera_norm" => area(1000) / ser_curve(&truth, &predicted, &phi, &[0.0]).unwrap()[0],
            other => panic!("{other}"),
        };
        largest.see(got, number(&row, "value"), || format!("{row:?}"));
    }
    largest.check(84, 1e-10);
}

/// The trapezoids close in on the exact integral as the step shrinks, within half a step of SER(0).
#[test]
fn the_exact_integral_is_the_limit_of_the_trapezoids() {
    let (points, truth) = (rows("c_phi_controlpts.csv"), data("y"));
    for row in rows("c_IRon_sera.csv").iter().filter(|r| r["metric"] == "sera_norm") {
        let (phi, predicted) = (phi(&points, row, &truth), data(&row["model"]));
        let exact = sera(&truth, &predicted, &phi).unwrap();
        let whole = ser_curve(&truth, &predicted, &phi, &[0.0]).unwrap()[0];
        for parts in [10, 100, 1000, 100_000] {
            let area = trapezoids(&truth, &predicted, &phi, parts);
            let bound = 0.5 / parts as f64 * whole * (1.0 + 1e-9);
            assert!((area - exact).abs() <= bound, "{parts} parts of {row:?}");
        }
    }
}
