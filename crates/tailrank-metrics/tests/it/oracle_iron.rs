//! IRon 0.1.4: SER(t) and SERA for seven relevance functions, adjusted and plain box plot.

use crate::oracle;

use oracle::{Largest, Row, data, number, rows};
use tailrank_metrics::{
    Relevance,
    sera::{SeraIntegral, ser_curve, sera},
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

#[test]
fn ser_at_every_threshold() {
    let (points, truth) = (rows("c_phi_controlpts.csv"), data("y"));
    let mut largest = Largest::default();
    for row in rows("c_IRon_ser.csv") {
        let (phi, predicted, t) = (phi(&points, &row, &truth), data(&row["model"]), number(&row, "t"));
        let (expected, place) = (number(&row, "ser"), || format!("{row:?}"));
        largest.see(ser_curve(&truth, &predicted, &phi, &[t]).unwrap()[0], expected, place);
        largest.see(ser_curve(&truth, &predicted, &phi, &[t]).unwrap()[0], expected, place);
    }
    largest.check(2 * 336, 1e-10);
}

#[test]
fn sera_by_trapezoids() {
    let (points, truth) = (rows("c_phi_controlpts.csv"), data("y"));
    let mut largest = Largest::default();
    for row in rows("c_IRon_sera.csv") {
        let (phi, predicted) = (phi(&points, &row, &truth), data(&row["model"]));
        let step = |step| SeraIntegral::Trapezoid { step };
        let got = match row["metric"].as_str() {
            "sera_step0.001" => sera(&truth, &predicted, &phi, step(0.001)).unwrap(),
            "sera_step0.01" => sera(&truth, &predicted, &phi, step(0.01)).unwrap(),
            "sera_norm" => {
                sera(&truth, &predicted, &phi, step(0.001)).unwrap()
                    / ser_curve(&truth, &predicted, &phi, &[0.0]).unwrap()[0]
            }
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
        let exact = sera(&truth, &predicted, &phi, SeraIntegral::Exact).unwrap();
        let whole = ser_curve(&truth, &predicted, &phi, &[0.0]).unwrap()[0];
        for step in [0.1, 0.01, 0.001, 1e-5] {
            let area = sera(&truth, &predicted, &phi, SeraIntegral::Trapezoid { step }).unwrap();
            assert!((area - exact).abs() <= step / 2.0 * whole * (1.0 + 1e-9), "step {step} of {row:?}");
        }
    }
}
